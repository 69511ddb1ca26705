"""Values as cells: how a state of a program is laid out, and what a permutation of sorts does to it.

A state is a flat tuple of whole numbers, the core's own layout. Variables stand in the program's order, the parts of
arrays and records in theirs; each of a bag's `capacity` entries is a cell that says whether it is present, and its content.
A scalar is one cell: value - low, or, where it may be undefined, 0 for undefined and value - low + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER
from burnside.ir.expressions import Variable
from burnside.ir.program import Program
from burnside.ir.types import (
    Array,
    Bag,
    Element,
    Integer,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    bounds,
    has_bags,
)
from burnside.ir.types import size as size_of

State = tuple[int, ...]

Generator = Mapping[str, Sequence[int]]
"""A permutation of the elements of each sort that it names; element i goes to images[i]. Other sorts stay."""


def limits(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest value; of integers without bounds, those of 64 bits."""
    return (MIN_NUMBER, MAX_NUMBER) if isinstance(scalar, Integer) and scalar.low is None else bounds(scalar)


def width(type_: Type) -> int:
    """How many cells."""
    return _width(type_) if isinstance(type_, Array | Record | Bag) else 1


@lru_cache(maxsize=10_000)
def _width(type_: Array | Record | Bag) -> int:
    match type_:
        case Array(index, element):
            return size_of(index) * width(element)
        case Record(fields):
            return sum(width(each.type) for each in fields)
        case Bag(element, capacity):
            return capacity * (1 + width(element))


def code(value: int | None, type_: Scalar | Optional) -> int:
    """The cell of a value; None is undefined."""
    if isinstance(type_, Optional):
        return 0 if value is None else value - limits(type_.type)[0] + 1
    assert value is not None
    return value - limits(type_)[0]


def value_of(cell: int, type_: Scalar | Optional) -> int | None:
    if isinstance(type_, Optional):
        return None if cell == 0 else cell - 1 + limits(type_.type)[0]
    return cell + limits(type_)[0]


def smallest(type_: Type) -> tuple[int, ...]:
    """The cells of `Clear`: every scalar has its smallest value, every bag is empty."""
    match type_:
        case Optional():
            return (1,)
        case Array(index, element):
            return smallest(element) * size_of(index)
        case Record(fields):
            return tuple(cell for each in fields for cell in smallest(each.type))
        case _:
            return (0,) * width(type_)


def converted(value: int, source: Scalar, target: Scalar) -> int | None:
    """The same value as another type: the number, or between elements and unions the element; None if it is none of
    its values."""
    if isinstance(source, Element | Union) and isinstance(target, Element | Union) and source != target:
        sorts = source.sorts if isinstance(source, Union) else (source.sort,)
        for sort in sorts:
            if value < sort.size:
                break
            value -= sort.size
        if isinstance(target, Element):
            return value if sort == target.sort else None
        return target.offset(sort) + value if sort in target.sorts else None
    low, high = limits(target)
    return value if low <= value <= high else None


class Cells(NamedTuple):
    """A place: `width(type)` cells of a memory from `offset` on. Two places of one memory may overlap: aliases do."""

    memory: list[int]
    offset: int
    type: Type

    @staticmethod
    def new(type_: Type) -> Cells:
        """A place of its own, in which everything is undefined."""
        return Cells([0] * width(type_), 0, type_)

    @staticmethod
    def holding(value: int, type_: Scalar) -> Cells:
        return Cells([code(value, type_)], 0, type_)

    @property
    def content(self) -> tuple[int, ...]:
        return tuple(self.memory[self.offset : self.offset + width(self.type)])

    @property
    def copied(self) -> Cells:
        """A place of its own that holds the same."""
        return Cells(list(self.content), 0, self.type)

    def fill(self, content: Sequence[int]) -> None:
        self.memory[self.offset : self.offset + width(self.type)] = content

    @property
    def value(self) -> int | None:
        """Of a scalar; None is undefined."""
        assert not isinstance(self.type, Array | Record | Bag)
        return value_of(self.memory[self.offset], self.type)

    @property
    def scalar(self) -> Scalar:
        type_ = self.type.type if isinstance(self.type, Optional) else self.type
        assert not isinstance(type_, Array | Record | Bag)
        return type_

    def element(self, index: int) -> Cells:
        assert isinstance(self.type, Array)
        position = index - limits(self.type.index)[0]
        return Cells(self.memory, self.offset + position * width(self.type.element), self.type.element)

    def component(self, name: str) -> Cells:
        assert isinstance(self.type, Record)
        offset = self.offset
        for each in self.type.fields:
            if each.name == name:
                break
            offset += width(each.type)
        return Cells(self.memory, offset, self.type.field_type(name))

    def entry(self, position: int) -> Cells:
        assert isinstance(self.type, Bag)
        offset = self.offset + position * (1 + width(self.type.element)) + 1
        return Cells(self.memory, offset, self.type.element)

    def has_entry(self, position: int) -> bool:
        assert isinstance(self.type, Bag)
        return 0 <= position < self.type.capacity and self.memory[self.entry(position).offset - 1] == 1

    @property
    def positions(self) -> Iterator[int]:
        """Of the entries of a bag. Each is looked at when its turn comes."""
        assert isinstance(self.type, Bag)
        return (position for position in range(self.type.capacity) if self.has_entry(position))

    def put_entry(self, position: int, content: Sequence[int] | None) -> None:
        """None: no entry."""
        entry = self.entry(position)
        self.memory[entry.offset - 1] = int(content is not None)
        entry.fill(content or Cells.new(entry.type).content)


def bag_of(type_: Bag, entries: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The cells of a bag with these entries: sorted, absent ones are zeros at the end."""
    present = tuple(cell for entry in sorted(entries) for cell in (1, *entry))
    return present + (0,) * (width(type_) - len(present))


def bag_entries(type_: Bag, cells: Sequence[int]) -> list[tuple[int, ...]]:
    each = 1 + width(type_.element)
    return [tuple(cells[i + 1 : i + each]) for i in range(0, len(cells), each) if cells[i]]


def variables_of(program: Program, memory: list[int]) -> dict[str, Cells]:
    """Where the variables of the state are."""
    return {name: Cells(memory, offset, type_) for name, offset, type_ in _layout(program.variables)}


@lru_cache(maxsize=100)
def _layout(variables: tuple[Variable, ...]) -> list[tuple[str, int, Type]]:
    places, offset = [], 0
    for variable in variables:
        places.append((variable.name, offset, variable.type))
        offset += width(variable.type)
    return places


# What permutations do.


def renamed(generator: Generator, value: int, scalar: Scalar) -> int:
    """Where a value goes: an element to its image, also in a union; anything else stays."""
    match scalar:
        case Element(sort):
            return generator[sort.name][value] if sort.name in generator else value
        case Union(sorts):
            start = 0
            for sort in sorts:
                if value < start + sort.size:
                    return start + renamed(generator, value - start, Element(sort))
                start += sort.size
    return value


def moved(generator: Generator, type_: Type, cells: Sequence[int]) -> tuple[int, ...]:
    """The image of a value: indices and values are renamed, bags are sorted again."""
    match type_:
        case Array(index, element):
            low, step = limits(index)[0], width(element)
            parts: list[tuple[int, ...]] = [()] * size_of(index)
            for i in range(size_of(index)):
                image = renamed(generator, low + i, index) - low
                parts[image] = moved(generator, element, cells[i * step : (i + 1) * step])
            return tuple(cell for part in parts for cell in part)
        case Record(fields):
            images: tuple[int, ...] = ()
            for each in fields:
                rest = cells[len(images) :]
                images += moved(generator, each.type, rest[: width(each.type)])
            return images
        case Bag(element):
            return bag_of(type_, [moved(generator, element, each) for each in bag_entries(type_, cells)])
        case Optional(scalar):
            value = value_of(cells[0], type_)
            return (0,) if value is None else (code(renamed(generator, value, scalar), type_),)
        case _:
            return (code(renamed(generator, cells[0] + limits(type_)[0], type_), type_),)


def permuted(program: Program, generator: Generator, state: State) -> State:
    """The image of a state."""
    places = variables_of(program, list(state)).values()
    return tuple(cell for place in places for cell in moved(generator, place.type, place.content))


def normalised(type_: Type, cells: tuple[int, ...]) -> tuple[int, ...]:
    """All bags sorted, inner ones first: what the identity does."""
    return moved({}, type_, cells) if has_bags(type_) else cells


def normalised_state(program: Program, memory: list[int]) -> State:
    if not any(has_bags(variable.type) for variable in program.variables):
        return tuple(memory)
    return permuted(program, {}, tuple(memory))
