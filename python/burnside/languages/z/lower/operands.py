"""Operands of the tool-kit: where its functions are defined, and operands that are used more than once.

A function of the tool-kit is undefined outside of its domain: `squash` is for functions on positive numbers, `\\uplus` for
bags. What the operators of machines do not say by themselves, the identity on the domain does, applied to the operand. A
relation does not hold outside of its domain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from burnside.diagnostics import Span
from burnside.ir.sets import expressions as e
from burnside.ir.sets.binders import bound_names
from burnside.ir.sets.copies import renewed
from burnside.ir.sets.types import BOOLEAN, INTEGER, Pair, Set, ValueType
from burnside.ir.walking import nodes

Arguments = tuple[e.Expression, ...]
Space = Callable[[ValueType], e.Expression]
"""A domain, for values of a type."""

SEQUENCES = frozenset(("sequence", "concat", "reverse", "tail", "front", "general-concat"))
"""Operators whose results are sequences, whatever they are applied to."""


class Names(Protocol):
    """Where names that are bound come from."""

    def fresh(self, name: str) -> str: ...


def once(names: Names, values: Arguments, body: Callable[..., e.Expression]) -> e.Expression:
    """`body` of these operands, however often it uses them: each is evaluated once, and binds its names once."""
    lets, used = [], []
    for each in values:
        if isinstance(each, e.Name | e.Literal):
            used.append(each)
            continue
        name = e.Name(names.fresh("v"), e.type_of(each))
        lets.append((name, each))
        used.append(name)
    found = body(*used)
    for name, value in reversed(lets):
        found = e.Let(name, value, found)
    return found


def another(names: Names, value: e.Expression) -> e.Expression:
    """A copy, where two are used: what a predicate is about should be seen by those who solve it."""
    if any(True for node in nodes(value) for _ in bound_names(node)):
        return renewed(value, names.fresh)
    return value


# Domains


def naturals(type_: ValueType) -> e.Expression:
    return _from(0)


def sequences(type_: ValueType) -> e.Expression:
    return e.Apply("sequences", (_all(_related(type_)[1]),), Set(type_))


def bags(type_: ValueType) -> e.Expression:
    return e.Apply("partial-functions", (_all(_related(type_)[0]), _from(1)), Set(type_))


def rows(type_: ValueType) -> e.Expression:
    """Functions on positive numbers."""
    return e.Apply("partial-functions", (_from(1), _all(_related(type_)[1])), Set(type_))


def functions(type_: ValueType) -> e.Expression:
    left, right = _related(type_)
    return e.Apply("partial-functions", (_all(left), _all(right)), Set(type_))


def anything(type_: ValueType) -> e.Expression:
    return _all(type_)


def product(left: e.Expression, right: e.Expression) -> e.Expression:
    sides = [e.type_of(each) for each in (left, right)]
    one, other = (each.element for each in sides if isinstance(each, Set))
    return e.Apply("product", (left, right), Set(Pair(one, other)))


def _from(least: int) -> e.Expression:
    return e.Apply("up-from", (e.Literal(least, INTEGER),), Set(INTEGER))


def _all(type_: ValueType) -> e.Expression:
    return e.Apply("all", (), Set(type_))


def _related(type_: ValueType) -> tuple[ValueType, ValueType]:
    assert isinstance(type_, Set) and isinstance(type_.element, Pair)
    return type_.element.left, type_.element.right


def within(space: Space, value: e.Expression, span: Span | None) -> e.Expression:
    """The value itself; undefined where it is not one of these."""
    if space is sequences and isinstance(value, e.Apply) and value.operator in SEQUENCES:
        return value
    type_ = e.type_of(value)
    same = e.Apply("identity", (space(type_),), Set(Pair(type_, type_)))
    return e.Apply("apply", (same, value), type_, span)


def belong(*sides: tuple[e.Expression, Space]) -> e.Expression:
    """Are operands of a relation in its domain? Both are looked at, so that what is undefined is."""
    values, spaces = [value for value, _ in sides], [space(e.type_of(value)) for value, space in sides]
    value, set_ = values[-1], spaces[-1]
    for each, own in zip(reversed(values[:-1]), reversed(spaces[:-1]), strict=True):
        value, set_ = e.pair(each, value), product(own, set_)
    return e.Apply("member", (value, set_), BOOLEAN)
