"""Values, and what sorts have beyond their elements, as terms over points.

In: the sorts whose elements may be permuted; their elements are points. Out: numbers of `Terms`. Everything that depends on
which element is which is built from points here, so that renaming the points renames it: constants inside values of every
type, functions from elements to elements (as their graphs), the order of a sort (as the list of its neighbours). What is
built of it means the same after renaming, with the renamed function or order in the place of the old one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from burnside.ir.highlevel.types import (
    Bag,
    Element,
    ListOf,
    MapOf,
    SetOf,
    Sort,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.symmetry.programs.terms import Child, Terms

Factors = dict[int, int]
"""Terms, and how often each is in a sum."""


class ValueForms:
    """`first`: the point of the first element of each sort that may be permuted, by the sort's name."""

    def __init__(self, terms: Terms, first: Mapping[str, int]) -> None:
        self.terms, self.first, self.movable = terms, first, frozenset(first)
        self._functions: dict[tuple[Sort, Sort, tuple[int, ...]], int] = {}

    def element(self, sort: Sort, position: int) -> int:
        if sort.name in self.first:
            return self.first[sort.name] + position
        return self.terms.of(("element", sort.name, position))

    def value(self, type_: TokenType, value: Any) -> int:
        """A constant. Structs, lists, sets and injections are as a term is that makes one of constants."""
        of = self.terms.of
        match type_:
            case Element(sort):
                return self.element(sort, value)
            case Struct(fields):
                pairs = zip(fields, value, strict=True)
                return self.in_order("struct", type_, [self.value(field.type, each) for field, each in pairs])
            case ListOf(element):
                return self.in_order("list", type_, [self.value(element, each) for each in value])
            case SetOf(element):
                return self.unordered("set", type_, {self.value(element, each) for each in value})
            case Bag(element):
                return self.bag(type_, {self.value(element, each): number for each, number in value}, {})
            case MapOf(key, image):
                entries = [
                    of("entry", [("key", self.value(key, a)), ("value", self.value(image, b))])
                    for a, b in value
                ]
                return self.unordered("entries", type_, entries)
            case Union(alternatives):
                number, inner = value
                chosen = alternatives[number]
                return self.injected(type_, chosen.name, self.value(chosen.type, inner))
        return of(("value", type_, value))

    def in_order(self, kind: str, type_: TokenType, parts: Iterable[int]) -> int:
        return self.terms.of((kind, type_), enumerate(parts))

    def unordered(self, kind: str, type_: TokenType, parts: Iterable[int]) -> int:
        return self.terms.of((kind, type_), [(0, each) for each in parts])

    def injected(self, type_: Union, alternative: str, value: int) -> int:
        return self.terms.of(("inject", type_, alternative), [(0, value)])

    def bag(self, type_: Bag, constants: Factors, others: Factors, every: int = 0) -> int:
        """A sum: constants and other terms for tokens, and `every` times each value of the type. Where all values are
        among the constants, as many of each as there are of the rarest are written as `every`: so that a form with
        `all` and one that lists the values are the same, and forms with the same value are equal."""
        constants = {each: times for each, times in constants.items() if times}
        if constants and len(constants) == domain_size(type_.element):
            least = min(constants.values())
            every += least
            constants = {each: times - least for each, times in constants.items() if times > least}
        parts: list[Child] = [(("constant", times), each) for each, times in constants.items()]
        parts += [(("token", times), each) for each, times in others.items()]
        return self.terms.of(("bag", type_, every), parts)

    # Functions and orders

    def function(self, domain: Sort, range_: Sort, images: Sequence[int]) -> int:
        """By its graph. The identity is no special case here: nobody asks for it."""
        key = domain, range_, tuple(images)
        if key not in self._functions:
            self._functions[key] = self._function(*key)
        return self._functions[key]

    def _function(self, domain: Sort, range_: Sort, images: tuple[int, ...]) -> int:
        kind = "function", domain.name, range_.name
        if not {domain.name, range_.name} & self.movable:
            return self.terms.of((*kind, images))
        return self.terms.of(
            kind,
            [
                (0, self._step(self.element(domain, at), self.element(range_, image)))
                for at, image in enumerate(images)
            ],
        )

    def shift(self, sort: Sort, number: int) -> int:
        """To the element that many places on."""
        if sort.name not in self.movable:
            return self.terms.of(("shift", sort.name, number % sort.size))
        return self.function(sort, sort, [(at + number) % sort.size for at in range(sort.size)])

    def order(self, sort: Sort, *, ascending: bool) -> int:
        """A sort's elements in a row. The row read backwards is another: that of the opposite order."""
        if sort.name not in self.movable:
            return self.terms.of(("order", sort.name, ascending))
        pairs = [(at, at + 1) if ascending else (at + 1, at) for at in range(sort.size - 1)]
        steps = [self._step(self.element(sort, a), self.element(sort, b)) for a, b in pairs]
        return self.terms.of(("order", sort.name), [(0, each) for each in steps])

    def _step(self, start: int, end: int) -> int:
        return self.terms.of("step", [("from", start), ("to", end)])

    def sides(self, kind: Any, *sides: tuple[int, int]) -> int:
        """A relation between two values, each with what it is to the other: (function or order, value). Exchanging the two
        together with what they are is no change."""
        parts = [self.terms.of("side", [("by", by), ("value", value)]) for by, value in sides]
        return self.terms.of(kind, [(0, each) for each in parts])
