"""Programs for the rules on tables, notes, processes, proper ends and limits, which no Murphi model has.

All have a sort S of two elements, A and B, and start in the two states in which `a` holds for one of them. Those called
`good` are symmetric under the exchange of A and B, those called `bad` are not: `is_true` looks at all their states, those
between the steps of a process that keeps control too.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, Array, Bag, Element, Integer, Optional, Sort
from burnside.reference.steps import attempts, judge, satisfies, start_steps
from burnside.reference.values import State, permuted
from burnside.semantics import Failure, Step

S = Sort("S", ("A", "B"), "fixed", "enum")
ELEMENT, NUMBER = Element(S), Integer(0, 3)
A, B = e.Constant(0, ELEMENT), e.Constant(1, ELEMENT)


def variable(name: str, type_: Any) -> e.Variable:
    return e.Variable(name, type_, is_state=True)


a, b = variable("a", Array(ELEMENT, BOOLEAN)), variable("b", Array(ELEMENT, Optional(BOOLEAN)))
n, y = variable("n", NUMBER), variable("y", ELEMENT)
x, z = variable("x", BOOLEAN), variable("z", BOOLEAN)
control, bag = variable("control", Optional(ELEMENT)), variable("bag", Bag(BOOLEAN, 2))
box = variable("box", Array(ELEMENT, Bag(BOOLEAN, 1)))
i = e.Bound("i", e.All(ELEMENT))
j = e.Bound("j", e.All(ELEMENT))
THIS, THAT = e.Read(i.variable), e.Read(j.variable)
ASSERTED, LIMIT, OTHER_LIMIT = 0, 1, 2


def at(array: e.Variable, index: e.Expression) -> e.Index:
    return e.Index(array, index)


def read(array: e.Variable, index: e.Expression) -> e.Read:
    return e.Read(at(array, index))


def number(value: int) -> e.Constant:
    return e.Constant(value, NUMBER)


def equal(one: e.Expression, other: e.Expression) -> e.Expression:
    return e.Binary("=", one, other)


def made(*actions: Action, **more: Any) -> Program:
    """At the start nothing is known of `b` but for the element for which `a` holds."""
    first, each = e.Bound("first", e.All(ELEMENT)), e.Bound("each", e.All(ELEMENT))
    chosen = e.Read(first.variable)
    start = (
        s.For(each, (s.Assign(at(a, e.Read(each.variable)), equal(chosen, e.Read(each.variable))),)),
        s.Assign(n, number(0)),
        s.Assign(y, chosen),
        s.Assign(at(b, chosen), e.TRUE),
        s.Assign(x, e.TRUE),
        s.Assign(z, e.FALSE),
        s.Add(at(box, chosen), x),
    )
    fields: dict[str, Any] = {
        "name": "made",
        "sorts": (S,),
        "variables": (a, b, n, y, x, z, bag, box, control),
        "starts": (Action("start", (first,), start),),
        "actions": actions,
        "properties": (Property("assertion", "p"), Property("limit", "l"), Property("limit", "m")),
        "control": control,
    }
    return Program(**{**fields, **more})


def flip(index: e.Expression) -> s.Assign:
    return s.Assign(at(a, index), e.Not(read(a, index)))


def step(*body: s.Statement, **roles: Any) -> Action:
    """One for each element."""
    return Action("step", (i,), body, **roles)


# Tables


def table(name: str, result: Any, *entries: int | None) -> e.Table:
    """Of one element or, with four entries, of two."""
    return e.Table(name, (ELEMENT,) * (len(entries) // 2), result, entries)


EQUAL = table("equal", BOOLEAN, 1, 0, 0, 1)
NOT_B = table("not B", BOOLEAN, 1, 0, 1, 0)
ALWAYS_A, ALWAYS_B = table("always A", ELEMENT, 0, 0), table("always B", ELEMENT, 1, 1)
AT_A, AT_B, ANYWHERE = table("t", NUMBER, 1, None), table("u", NUMBER, None, 1), table("v", NUMBER, 1, 1)


def found(where: e.Table, *arguments: e.Expression, property: int | None = None) -> e.Lookup:
    return e.Lookup(where, arguments, property)


def related(where: e.Table) -> Program:
    return made(step(s.Assign(at(a, THIS), found(where, THIS, e.Read(y)))), step(s.Assign(y, THIS)))


def pointing(one: e.Table, other: e.Table) -> Program:
    """Each of A and B has an action of its own, in which it looks something up."""
    return made(
        Action("of A", (), (s.Assign(y, found(one, e.Read(y))),), read(a, A)),
        Action("of B", (), (s.Assign(y, found(other, e.Read(y))),), read(a, B)),
        step(flip(THIS)),
    )


def partial(one: e.Table, other: e.Table, property: int | None = None) -> Program:
    return made(
        Action("one", (), (s.Assign(n, found(one, e.Read(y), property=property)),)),
        Action("other", (), (s.Assign(n, found(other, e.Read(y), property=property)),)),
        step(s.Assign(y, THIS), s.Assign(n, number(0))),
    )


IS_A, IS_B = table("is A", BOOLEAN, 1, 0), table("is B", BOOLEAN, 0, 1)
COUNTED = s.Assign(n, e.Count(e.Bound("position", e.Positions(bag)), e.TRUE))
POSITION = e.Bound("position", e.Positions(bag))
HELD = e.Read(e.Entry(bag, e.Read(POSITION.variable)))
LAST = s.For(POSITION, (s.Assign(n, e.Conditional(HELD, number(1), number(2))),))
"""In the order of positions, which is that in which entries were added."""


def added(use: s.Statement, *, by_table: bool) -> Program:
    """Entries are added to a bag and used, in one order in an action of A, in the other in one of B. A table says whose it
    is, or where a parameter comes from."""

    def action(element: e.Constant, is_it: e.Table, first: e.Variable, second: e.Variable) -> Action:
        body = (s.Add(bag, first), s.Add(bag, second), use, s.Undefine(bag))
        if by_table:
            return Action("add", (), body, found(is_it, e.Read(y)))
        return Action("add", (e.Bound("any", e.Positions(at(box, element))),), body)

    return made(action(A, IS_A, x, z), action(B, IS_B, z, x), step(s.Assign(y, THIS)))


# Notes


def noted(*body: s.Statement) -> Program:
    return made(Action("loop", (), (s.For(i, body),)), Action("step", (j,), (flip(THAT),)))


# Processes: two actions, of A and of B, alike but for their roles


def alike(one: dict[str, Any], other: dict[str, Any], counting: int | None = None) -> Program:
    """An action of the process A, one of B, and one in which anybody counts, and perhaps keeps control."""
    of_a = Action("of A", (i,), (flip(THIS),), e.Junction("and", (equal(THIS, A), read(a, THIS))), **one)
    of_b = Action("of B", (i,), (flip(THIS),), e.Junction("and", (equal(THIS, B), read(a, THIS))), **other)
    less = e.Binary("<", e.Read(n), number(3))
    more = s.Assign(n, e.Binary("+", e.Read(n), number(1)))
    return made(of_a, of_b, Action("count", (j,), (more,), less, actor=0, keeps_control=counting))


def passed(one: int, other: int) -> Program:
    """Two processes act together, and one of them, the first or the second, keeps control."""
    apart = e.Binary("!=", THIS, THAT)

    def action(name: str, which: e.Constant, keeps: int) -> Action:
        guard = e.Junction("and", (apart, equal(THIS, which), read(a, THIS)))
        return Action(name, (i, j), (flip(THIS),), guard, actor=0, keeps_control=keeps)

    less = e.Binary("<", e.Read(n), number(3))
    more = s.Assign(n, e.Binary("+", e.Read(n), number(1)))
    count = Action("count", (e.Bound("k", e.All(ELEMENT)),), (more,), less, actor=0)
    return made(action("of A", A, one), action("of B", B, other), count)


# The truth


def behaviour(program: Program, state: State | None, *, moved: bool) -> object:
    """What can happen in a state, or at the start; with `moved`, its image under the exchange."""
    exchange = {"S": (1, 0)} if moved else {}

    def outcome(each: Step[State, Any]) -> object:
        result: object = each.result.number if isinstance(each.result, Failure) else each.result
        if each.after is not None:
            result = permuted(program, exchange, each.after)
        numbers = tuple(sorted(failure.number for failure in each.noted))
        return each.effect, result, numbers, each.covered

    found = start_steps(program) if state is None else attempts(program, state)
    steps = Counter(map(outcome, found))
    if state is None:
        return steps
    is_proper = None if program.proper_end is None else satisfies(program, program.proper_end, state)
    return steps, judge(program, state).verdict, isinstance(is_proper, Failure) or is_proper


def is_true(program: Program, most: int = 1_000) -> bool:
    """Does every state do what its image does, up to the exchange, whatever the actions are called?"""
    if behaviour(program, None, moved=True) != behaviour(program, None, moved=False):
        return False
    waiting = [each.after for each in start_steps(program) if each.after is not None]
    known = set(waiting)
    while waiting:
        state = waiting.pop()
        image = permuted(program, {"S": (1, 0)}, state)
        if behaviour(program, state, moved=True) != behaviour(program, image, moved=False):
            return False
        new = {each.after for each in attempts(program, state) if each.after is not None} - known
        known |= new
        waiting += new
        assert len(known) < most
    return True
