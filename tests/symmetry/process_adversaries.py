"""Programs for the rules on tables, notes, processes, proper ends and limits, which no Murphi model has.

All have a sort S of two elements, A and B, that start in every state of `a` in which one holds. `good` ones are symmetric
under their exchange, `bad` ones are not.
"""

from __future__ import annotations

from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, Array, Bag, Element, Integer, Optional, Sort

S = Sort("S", ("A", "B"), "fixed", "enum")
ELEMENT, NUMBER = Element(S), Integer(0, 3)
A, B = e.Constant(0, ELEMENT), e.Constant(1, ELEMENT)


def state(name: str, type_: Any) -> e.Variable:
    return e.Variable(name, type_, is_state=True)


a, b = state("a", Array(ELEMENT, BOOLEAN)), state("b", Array(ELEMENT, Optional(BOOLEAN)))
n, y = state("n", NUMBER), state("y", ELEMENT)
control = state("control", Optional(ELEMENT))
bag = state("bag", Bag(BOOLEAN, 3))
i, j = e.Bound("i", e.All(ELEMENT)), e.Bound("j", e.All(ELEMENT))
READ_I, READ_J = e.Read(i.variable), e.Read(j.variable)


def at(array: e.Variable, index: e.Expression) -> e.Index:
    return e.Index(array, index)


def read(array: e.Variable, index: e.Expression) -> e.Read:
    return e.Read(at(array, index))


def number(value: int) -> e.Constant:
    return e.Constant(value, NUMBER)


def truth(value: bool) -> e.Constant:
    return e.Constant(int(value), BOOLEAN)


def table(name: str, result: Any, *entries: int | None, arguments: int = 1) -> e.Table:
    return e.Table(name, (ELEMENT,) * arguments, result, entries)


def start() -> Action:
    """Nothing is known of `b`: reading it may fail."""
    first = e.Bound("first", e.All(ELEMENT))
    each = e.Bound("each", e.All(ELEMENT))
    one = e.Binary("=", e.Read(first.variable), e.Read(each.variable))
    body = (
        s.For(each, (s.Assign(at(a, e.Read(each.variable)), one),)),
        s.Assign(n, number(0)),
        s.Assign(y, e.Read(first.variable)),
        s.Assign(at(b, e.Read(first.variable)), truth(True)),
    )
    return Action("start", (first,), body)


def made(*actions: Action, **more: Any) -> Program:
    """`n` counts on in every program, so that there are some states."""
    fields: dict[str, Any] = {
        "name": "made",
        "sorts": (S,),
        "variables": (a, b, n, y, bag, control),
        "starts": (start(),),
        "actions": actions,
        "properties": (Property("assertion", "p"), Property("limit", "l"), Property("limit", "m")),
        "control": control,
    }
    return Program(**{**fields, **more})


def flip(index: e.Expression) -> s.Assign:
    return s.Assign(at(a, index), e.Not(read(a, index)))


def by_element(body: s.Block, **roles: Any) -> Action:
    return Action("step", (i,), body, **roles)


def both(first: Action, second: Action) -> tuple[Action, Action]:
    return first, second


# Tables

EQUAL = table("equal", BOOLEAN, 1, 0, 0, 1, arguments=2)
OTHER = table("other", ELEMENT, 1, 0)
IS_A, IS_B = table("is A", BOOLEAN, 1, 0), table("is B", BOOLEAN, 0, 1)
ALWAYS_A, ALWAYS_B = table("always A", ELEMENT, 0, 0), table("always B", ELEMENT, 1, 1)
NOT_AT_A = table("not at A", NUMBER, None, 1)
NOWHERE, ONE_EACH = table("nowhere", NUMBER, None, None), table("one each", NUMBER, 1, 1)


def looked_up(found: e.Table, *arguments: e.Expression, property: int | None = None) -> e.Lookup:
    return e.Lookup(found, arguments, property)


def storing(found: e.Table, *arguments: e.Expression) -> Action:
    return by_element((s.Assign(at(a, READ_I), looked_up(found, *arguments)),))


def naming(found: e.Table) -> Action:
    return by_element((s.Assign(y, looked_up(found, READ_I)),), guard=read(a, READ_I))


def counting(found: e.Table, property: int | None = None) -> Action:
    return by_element((s.Assign(n, looked_up(found, READ_I, property=property)), flip(READ_I)))


def added_in_order(first: e.Expression, second: e.Expression) -> Action:
    """Two entries, and then `n` is what the last one says: 1 or 2."""
    entry = e.Variable("entry", BOOLEAN)
    position = e.Bound("position", e.Positions(bag))
    said = e.Read(e.Entry(bag, e.Read(position.variable)))
    last = s.Assign(n, e.Conditional(said, number(1), number(2)))
    add = [
        s.Declare(
            (replace_name(entry, k),),
            (s.Assign(replace_name(entry, k), value), s.Add(bag, replace_name(entry, k))),
        )
        for k, value in enumerate((first, second))
    ]
    return Action("add", (), (s.Undefine(bag), *add, s.For(position, (last,)), s.Undefine(bag)))


def replace_name(variable: e.Variable, number_: int) -> e.Variable:
    return e.Variable(f"{variable.name}{number_}", variable.type)
