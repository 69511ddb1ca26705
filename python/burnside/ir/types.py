"""Sorts and types: what a value of a program can be.

A *sort* is a finite set of named elements; only sorts can be permuted. Every scalar type (booleans, integers, elements,
unions) is an interval of whole numbers, `low..high`: what the values mean is known to printers and to symmetry alone.
Structured types are built from these. To come with the languages that need them: `Tuple`, `Set`, `Sequence`, `Map`, and
integers without bounds as parts of a state.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.nodes import TypeNode
from burnside.records import field, record

Symmetry = Literal["full", "cyclic", "fixed"]


NUMBERS = "numbers"
"""The origin of sorts whose elements are numbers that a program uses like names."""


@record
class Sort:
    """Names of elements, and which permutations of them the model promises or may be found to allow.

    `full`: all of them (a scalarset, a deferred set); `cyclic`: rotations; `fixed`: none.
    """

    name: str
    elements: tuple[str, ...]
    symmetry: Symmetry
    origin: str
    """What the user calls it: `scalarset`, `enum`, ..."""
    span: Span | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def size(self) -> int:
        return len(self.elements)


@record
class Boolean(TypeNode):
    """0 is false, 1 is true."""


@record
class Integer(TypeNode):
    """Whole numbers from `low` to `high`; without bounds (None), those of 64 bits, for values that no state holds."""

    low: int | None = None
    high: int | None = None


@record
class Element(TypeNode):
    """An element of a sort, by its position there."""

    sort: Sort


@record
class Union(TypeNode):
    """An element of one of several sorts: positions go through the sorts in turn."""

    sorts: tuple[Sort, ...]

    def offset(self, sort: Sort) -> int:
        """The position of the sort's first element."""
        return sum(each.size for each in self.sorts[: self.sorts.index(sort)])


@record
class Optional(TypeNode):
    """A scalar, or undefined. Reading what is undefined is an error of the model."""

    type: Scalar


@record
class Array(TypeNode):
    """One `element` for each value of `index`."""

    index: Scalar
    element: Type


@record
class Field(TypeNode):
    name: str
    type: Type


@record
class Record(TypeNode):
    fields: tuple[Field, ...]

    def field_type(self, name: str) -> Type:
        return next(each.type for each in self.fields if each.name == name)


@record
class Bag(TypeNode):
    """A multiset of at most `capacity` values. Entries stay where they are while an action runs (a new one takes the first
    free position); after it they are sorted, the present ones first, so states that differ in their order are one."""

    element: Type
    capacity: int


Scalar = Boolean | Integer | Element | Union
Type = Scalar | Optional | Array | Record | Bag

BOOLEAN = Boolean()
INTEGER = Integer()


def bounds(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest value, for scalars that have them."""
    match scalar:
        case Boolean():
            return 0, 1
        case Integer(low, high):
            if low is None or high is None:
                raise ValueError("an integer without bounds has no smallest or largest value")
            return low, high
        case Element(sort):
            return 0, sort.size - 1
        case Union(sorts):
            return 0, sum(sort.size for sort in sorts) - 1


def size(scalar: Scalar) -> int:
    low, high = bounds(scalar)
    return high - low + 1


def can_be_undefined(type_: Type) -> bool:
    """Can everything in it? A bag can: it has no entries then."""
    match type_:
        case Optional() | Bag():
            return True
        case Array(_, element):
            return can_be_undefined(element)
        case Record(fields):
            return all(can_be_undefined(each.type) for each in fields)
        case _:
            return False


@lru_cache(maxsize=10_000)
def has_bags(type_: Type) -> bool:
    """Is it a bag, or does it hold some?"""
    match type_:
        case Bag():
            return True
        case Array(_, element):
            return has_bags(element)
        case Record(fields):
            return any(has_bags(each.type) for each in fields)
        case _:
            return False


def show_value(value: int, scalar: Scalar) -> str:
    """A value in the user's names."""
    match scalar:
        case Boolean():
            return "true" if value else "false"
        case Integer():
            return str(value)
        case Element(sort):
            return sort.elements[value]
        case Union(sorts):
            for sort in sorts:
                if value < sort.size:
                    return sort.elements[value]
                value -= sort.size
            raise ValueError("no such element")


def show_domain(type_: Scalar) -> str:
    """The values of a type as the user knows them: numbers that have become names are numbers."""
    sorts = (type_.sort,) if isinstance(type_, Element) else type_.sorts if isinstance(type_, Union) else ()
    if not sorts or any(sort.origin != NUMBERS for sort in sorts):
        return show_type(type_)
    numbers = sorted(int(each) for sort in sorts for each in sort.elements)
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]}..{numbers[-1]}"
    return f"{{{', '.join(map(str, numbers))}}}"


def show_type(type_: Type) -> str:
    match type_:
        case Boolean():
            return "boolean"
        case Integer(None, None):
            return "integer"
        case Integer(low, high):
            return f"{low}..{high}"
        case Element(sort):
            return sort.name
        case Union(sorts):
            return " + ".join(sort.name for sort in sorts)
        case Optional(inner):
            return f"{show_type(inner)}?"
        case Array(index, element):
            return f"[{show_type(index)}] {show_type(element)}"
        case Record(fields):
            return "{" + ", ".join(f"{each.name}: {show_type(each.type)}" for each in fields) + "}"
        case Bag(element, capacity):
            return f"bag[{capacity}] {show_type(element)}"


def sorts_of(type_: object) -> tuple[Sort, ...]:
    """The sorts whose elements a scalar of this type can be; none for other types."""
    match type_:
        case Element(sort):
            return (sort,)
        case Union(sorts):
            return sorts
        case _:
            return ()
