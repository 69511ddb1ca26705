"""How values of high-level nets are represented in machines of sets.

Dot is the only element of a sort of its own; a list is a sequence; a struct is a pair, of its first field and the rest (with
one field it is that field, with none it is Dot), so that tokens of two elements are pairs of points, of which the core holds
sets in bits; a map is a function; a union is a free type. Multisets and the rest are themselves.

In: a type, a value of the core. Out: a type of machines, a value as `ir.highlevel.values` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from burnside.ir.highlevel import types as t
from burnside.ir.sets import types as m
from burnside.ir.types import Sort

DOTS = Sort("dot", ("dot",), "fixed", "dot")
"""Its name may also be that of a sort of the net: `Representation` finds another one then."""


class Representation:
    """The types of a net, as a machine has them. `dots`: the sort whose only element is Dot."""

    def __init__(self, sorts: Sequence[Sort]) -> None:
        names = {each.name for each in sorts}
        name = DOTS.name
        while name in names:
            name += "'"
        self.dots = Sort(name, DOTS.elements, "fixed", "dot")
        self.sorts = (*sorts, self.dots)
        self.unions: dict[t.Union, m.FreeType] = {}
        self._points = [(sort, position) for sort in self.sorts for position in range(sort.size)]
        self.type = lru_cache(maxsize=None)(self._type)

    def _type(self, type_: t.TokenType) -> m.ValueType:
        match type_:
            case t.Dot():
                return m.Element(self.dots)
            case t.Boolean() | t.Element():
                return type_
            case t.Natural():
                return m.INTEGER
            case t.ListOf(element):
                return m.Set(m.Pair(m.INTEGER, self.type(element)))
            case t.SetOf(element):
                return m.Set(self.type(element))
            case t.Bag(element):
                return m.Multiset(self.type(element))
            case t.MapOf(key, value):
                return m.Set(m.Pair(self.type(key), self.type(value)))
            case t.Struct(fields):
                return self._tuple([self.type(each.type) for each in fields])
            case t.Union(alternatives):
                if type_ not in self.unions:
                    constructors = tuple(
                        m.Constructor(each.name, self.type(each.type)) for each in alternatives
                    )
                    self.unions[type_] = m.FreeType(f"union {len(self.unions)}", constructors)
                return self.unions[type_]

    def _tuple(self, parts: list[m.ValueType]) -> m.ValueType:
        if not parts:
            return m.Element(self.dots)
        return parts[0] if len(parts) == 1 else m.Pair(parts[0], self._tuple(parts[1:]))

    def value(self, found: Any, type_: t.TokenType) -> Any:
        """A value of the core, tagged as `_core.Machine.values` has it, in the form of `ir.highlevel.values`."""
        match type_:
            case t.Dot():
                return ()
            case t.Element():
                return self._points[found[1]][1]
            case t.ListOf(element):
                items = sorted(_entries(found), key=lambda entry: entry[0])
                return tuple(self.value(each, element) for _, each in items)
            case t.SetOf(element):
                return frozenset(self.value(each, element) for each in found)
            case t.Bag(element):
                return frozenset(self._entry(each, element) for each in found)
            case t.MapOf(key, value):
                return frozenset((self.value(a, key), self.value(b, value)) for a, b in _entries(found))
            case t.Struct(fields):
                return self._fields(found, [each.type for each in fields])
            case t.Union(alternatives):
                _, number, argument = found
                return number, self.value(argument, alternatives[number].type)
            case _:
                return found

    def _entry(self, item: Any, type_: t.TokenType) -> tuple[Any, int]:
        """What an item of a multiset stands for: what occurs n > 1 times is in the pair of -n and it."""
        match item:
            case ("pair", int(number), value) if number < 0:
                return self.value(value, type_), -number
            case _:
                return self.value(item, type_), 1

    def _fields(self, found: Any, types: list[t.TokenType]) -> tuple[Any, ...]:
        parts = []
        for type_ in types[:-1]:
            _, first, found = found
            parts.append(self.value(first, type_))
        return (*parts, *(self.value(found, type_) for type_ in types[-1:]))


def _entries(found: Any) -> list[tuple[Any, Any]]:
    return [(pair[1], pair[2]) for pair in found]
