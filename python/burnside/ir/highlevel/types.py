"""Types of tokens: Junttila 2003, 6.1.

Primitive types are the one-valued `Dot`, truth values, natural numbers and elements of sorts; only sorts can be permuted.
The others are built from these. A domain permutation is given by what it does to the elements of each sort, and acts on
structured values part by part (Requirement 6.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.nodes import TypeNode
from burnside.ir.types import BOOLEAN, Boolean, Element, Sort
from burnside.records import record

__all__ = [
    "BOOLEAN",
    "DOT",
    "NATURAL",
    "Bag",
    "Boolean",
    "Dot",
    "Element",
    "Field",
    "ListOf",
    "MapOf",
    "Natural",
    "SetOf",
    "Sort",
    "Struct",
    "TokenType",
    "Union",
    "domain_size",
    "show_type",
    "sorts_of",
]


@record
class Dot(TypeNode):
    """The type of tokens that are all alike; it has one value."""


@record
class Natural(TypeNode):
    """0, 1, 2, ... without end."""


@record
class ListOf(TypeNode):
    element: TokenType


@record
class Field(TypeNode):
    """A field of a struct, or an alternative of a union."""

    name: str
    type: TokenType


@record
class Struct(TypeNode):
    """Values with a part for each field. Fields of PNML's products have no names: they are called 1, 2, ..."""

    fields: tuple[Field, ...]

    def position(self, name: str) -> int:
        return next(number for number, each in enumerate(self.fields) if each.name == name)


@record
class SetOf(TypeNode):
    element: TokenType


@record
class Bag(TypeNode):
    """Multisets. The marking of a place with tokens of type T is a `Bag(T)`."""

    element: TokenType


@record
class MapOf(TypeNode):
    """Partial functions: association arrays."""

    key: TokenType
    value: TokenType


@record
class Union(TypeNode):
    """A value of one of several types, together with which of them it is; alternatives have names."""

    alternatives: tuple[Field, ...]

    def position(self, name: str) -> int:
        return next(number for number, each in enumerate(self.alternatives) if each.name == name)


TokenType = Dot | Boolean | Natural | Element | ListOf | Struct | SetOf | Bag | MapOf | Union
DOT = Dot()
NATURAL = Natural()

MAX_DOMAIN = 2**62
"""Larger domains count as infinite: nothing can go through them."""


def parts(type_: TokenType) -> Iterator[TokenType]:
    """The types directly inside."""
    match type_:
        case ListOf(element) | SetOf(element) | Bag(element):
            yield element
        case Struct(fields) | Union(fields):
            for each in fields:
                yield each.type
        case MapOf(key, value):
            yield from (key, value)


def sorts_of(type_: TokenType) -> Iterator[Sort]:
    """The sorts whose elements occur in its values; one may come several times."""
    if isinstance(type_, Element):
        yield type_.sort
    for part in parts(type_):
        yield from sorts_of(part)


def domain_size(type_: TokenType) -> int | None:
    """How many values there are; None where there is no end to them, or more than `MAX_DOMAIN`."""
    match type_:
        case Dot():
            return 1
        case Boolean():
            return 2
        case Element(sort):
            return sort.size
        case Natural() | ListOf() | Bag():
            return None
    sizes = [domain_size(each) for each in parts(type_)]
    if None in sizes:
        return None
    known = [size for size in sizes if size is not None]
    match type_:
        case Union():
            return _bounded(sum(known))
        case SetOf():
            return _power(2, known[0])
        case MapOf():
            return _power(known[1] + 1, known[0])
    product = 1
    for size in known:
        product *= size
    return _bounded(product)


def _bounded(size: int) -> int | None:
    return size if size <= MAX_DOMAIN else None


def _power(base: int, exponent: int) -> int | None:
    return _bounded(base**exponent) if base <= 1 or exponent <= 62 else None


def show_type(type_: TokenType) -> str:
    """As the text format of high-level nets writes it; types of which values are equal are shown alike."""
    match type_:
        case Dot():
            return "dot"
        case Boolean():
            return "bool"
        case Natural():
            return "nat"
        case Element(sort):
            return sort.name
        case ListOf(element):
            return f"list({show_type(element)})"
        case SetOf(element):
            return f"set({show_type(element)})"
        case Bag(element):
            return f"multiset({show_type(element)})"
        case MapOf(key, value):
            return f"map({show_type(key)}, {show_type(value)})"
        case Struct(fields):
            return f"struct({', '.join(f'{each.name}: {show_type(each.type)}' for each in fields)})"
        case Union(alternatives):
            shown = (f"{each.name}: {show_type(each.type)}" for each in alternatives)
            return f"union({', '.join(shown)})"
