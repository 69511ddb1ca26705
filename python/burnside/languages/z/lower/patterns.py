"""Patterns of equations that define a function case by case: `f~0`, `f(n + 1)`, `f(\\langle x \\rangle \\cat s)`, and so on.

In: the argument as an expression of the text, names that it binds, and the argument's value. Out: a `Match`, or None for a
pattern whose names cannot be computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import INTEGER, FreeType, Pair, Set
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.meanings import NOWHERE
from burnside.languages.z.lower.toolkit import holds, number
from burnside.languages.z.lower.types import plain
from burnside.languages.z.lower.walking import mentioned
from burnside.records import record

if TYPE_CHECKING:
    from burnside.languages.z.lower.definitions import DefinitionLowering

CONCATENATION = "\\cat"


@record(eq=False)
class Match:
    """`tests`: what holds of a value that matches. `names`: what the pattern's names are then."""

    tests: tuple[e.Expression, ...] = ()
    names: tuple[tuple[str, e.Expression], ...] = ()

    def and_(self, other: Match | None) -> Match | None:
        """Of a name that is bound twice, both values are the same."""
        if other is None:
            return None
        own = dict(self.names)
        twice = tuple(holds("equal", own[name], value) for name, value in other.names if name in own)
        new = tuple(each for each in other.names if each[0] not in own)
        return Match((*self.tests, *other.tests, *twice), (*self.names, *new))


class Patterns:
    def __init__(self, lowering: DefinitionLowering, names: frozenset[str]) -> None:
        self._lowering = lowering
        self._names = names

    def match(self, pattern: t.Expression, value: e.Expression) -> Match | None:
        if self._names.isdisjoint(mentioned(pattern)):
            return Match((holds("equal", value, self._lowering.expression(pattern, NOWHERE)),))
        match pattern:
            case t.Reference(_, name, ()) if name.text in self._names:
                return Match((), ((name.text, value),))
            case t.Tuple(_, elements):
                return self._all(elements, value)
            case t.Infix(_, t.Identifier(text="+"), left, t.Number(_, much)) | t.Infix(
                _, t.Identifier(text="+"), t.Number(_, much), left
            ):
                return self.match(left, e.Apply("subtract", (value, number(much)), INTEGER))
            case t.Display(_, "sequence", elements):
                size = holds("equal", _size(value), number(len(elements)))
                return self._elements(Match((size,)), elements, value)
            case t.Infix(_, t.Identifier(text="\\cat"), left, right):
                return self._concatenated(left, right, value)
            case t.Application(_, t.Reference(_, name, ()), argument):
                return self._constructed(name, argument, value)
            case _:
                return None

    def _all(self, elements: tuple[t.Expression, ...], value: e.Expression) -> Match | None:
        found: Match | None = Match()
        for each in elements[:-1]:
            type_ = e.type_of(value)
            assert isinstance(type_, Pair)
            found = found and found.and_(self.match(each, e.Apply("left", (value,), type_.left)))
            value = e.Apply("right", (value,), type_.right)
        return found and found.and_(self.match(elements[-1], value))

    def _elements(
        self, found: Match | None, elements: tuple[t.Expression, ...], value: e.Expression, first: int = 1
    ) -> Match | None:
        """Of a sequence, those from a position on."""
        type_ = e.type_of(value)
        assert isinstance(type_, Set) and isinstance(type_.element, Pair)
        for at, each in enumerate(elements, first):
            element = e.Apply("apply", (value, number(at)), type_.element.right)
            found = found and found.and_(self.match(each, element))
        return found

    def _concatenated(self, left: t.Expression, right: t.Expression, value: e.Expression) -> Match | None:
        """`\\langle x, y \\rangle \\cat s`; `s \\cat \\langle x \\rangle`; and `s \\cat t`, where any way to divide the
        sequence will do, and the other cases say what becomes of sequences with less than two elements."""
        type_ = e.type_of(value)
        if isinstance(left, t.Display):
            size = number(len(left.elements))
            found = self._elements(Match((holds("less-equal", size, _size(value)),)), left.elements, value)
            return found and found.and_(self.match(right, e.Apply("drop", (value, size), type_)))
        if isinstance(right, t.Display) and len(right.elements) == 1:
            assert isinstance(type_, Set) and isinstance(type_.element, Pair)
            some = Match((holds("less-equal", number(1), _size(value)),))
            last = self.match(right.elements[0], e.Apply("last", (value,), type_.element.right))
            front = self.match(left, e.Apply("front", (value,), type_))
            both = some.and_(last)
            return both and both.and_(front)
        several = Match((holds("less-equal", number(2), _size(value)),))
        one = several.and_(self.match(left, e.Apply("take", (value, number(1)), type_)))
        return one and one.and_(self.match(right, e.Apply("drop", (value, number(1)), type_)))

    def _constructed(self, name: t.Identifier, argument: t.Expression, value: e.Expression) -> Match | None:
        if name.text not in self._lowering.constructors or not isinstance(e.type_of(value), FreeType):
            return None
        constructor = plain(name.text)
        made = Match((e.IsConstructed(value, constructor),))
        return made.and_(self.match(argument, e.ArgumentOf(value, constructor)))


def _size(value: e.Expression) -> e.Expression:
    return e.Apply("card", (value,), INTEGER)
