"""Sorts and types: sorts are those of the program, ranges have values, no type is too large to be stored."""

from __future__ import annotations

from typing import Any

from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER
from burnside.ir.checking.failures import Wrong, items, kind_of, number, one_of, refuse, text
from burnside.ir.types import (
    Array,
    Bag,
    Boolean,
    Element,
    Field,
    Integer,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    Union,
    size,
)

MAX_SCALARS = 2**24
"""In one variable, and in a state."""
MAX_ELEMENTS = 2**20
"""Of a sort."""
SCALARS = (Boolean, Integer, Element, Union)


class Types:
    """`checked`: types that were found to be right, by identity."""

    def __init__(self, sorts: Any) -> None:
        self.sorts: dict[str, Sort] = {}
        self._checked: dict[int, tuple[Type, int]] = {}
        for sort in items(sorts, "the sorts"):
            self._sort(sort)

    def _sort(self, sort: Any) -> None:
        if not isinstance(sort, Sort):
            refuse(f"{kind_of(sort)} is no sort")
        name = text(sort.name, "the name of a sort")
        if name in self.sorts:
            refuse(f"two sorts are named {name}", sort)
        elements = [text(each, f"an element of {name}") for each in items(sort.elements, "elements")]
        if not elements:
            refuse(f"the sort {name} has no elements", sort)
        if len(elements) > MAX_ELEMENTS:
            refuse(f"the sort {name} has more than {MAX_ELEMENTS:,} elements", sort)
        if len(set(elements)) < len(elements):
            refuse(f"two elements of {name} have one name", sort)
        one_of(sort.symmetry, ("full", "cyclic", "fixed"), f"the symmetry of {name}")
        text(sort.origin, f"the origin of {name}")
        self.sorts[name] = sort

    def known_sort(self, sort: Any) -> Sort:
        if not isinstance(sort, Sort):
            refuse(f"{kind_of(sort)} is no sort")
        if self.sorts.get(text(sort.name, "the name of a sort")) != sort:
            refuse(f"{sort.name} is no sort of the program")
        return sort

    def scalar(self, type_: Any) -> Scalar:
        """A scalar type; integers need no bounds."""
        match type_:
            case Boolean() | Integer(None, None):
                return type_
            case Integer(low, high):
                if low is None or high is None:
                    refuse("a range has one bound: both are needed, or none")
                if number(low, "a bound") > number(high, "a bound"):
                    refuse(f"the range {low}..{high} is empty")
                if not MIN_NUMBER <= low <= high <= MAX_NUMBER:
                    refuse(f"the range {low}..{high} is beyond 64 bits")
                return type_
            case Element(sort):
                self.known_sort(sort)
                return type_
            case Union(sorts):
                members = [self.known_sort(each) for each in items(sorts, "the sorts of a union")]
                if not members:
                    refuse("a union has no sorts")
                if len(set(members)) < len(members):
                    refuse("a union has one sort twice")
                return type_
        raise Wrong(f"{kind_of(type_)} is no scalar type")

    def bounded(self, type_: Any, what: str) -> Scalar:
        """A scalar type of which every value can be stored, or listed."""
        scalar = self.scalar(type_)
        if isinstance(scalar, Integer) and scalar.low is None:
            refuse(f"{what} is an integer without bounds")
        if size(scalar) >= MAX_NUMBER:
            refuse(f"{what} has more than 2^63 values")
        return scalar

    def stored(self, type_: Any, what: str) -> Type:
        """A type of variables."""
        if self._scalars(type_, what) > MAX_SCALARS:
            refuse(f"{what} holds more than {MAX_SCALARS:,} values")
        found: Type = type_
        return found

    def cells(self, type_: Type) -> int:
        """Of a type that was checked."""
        return self._checked[id(type_)][1]

    def _scalars(self, type_: Any, what: str) -> int:
        """How many scalars it holds, as cells."""
        known = self._checked.get(id(type_))
        if known is None:
            known = self._checked[id(type_)] = type_, self._count(type_, what)
        return known[1]

    def _count(self, type_: Any, what: str) -> int:
        match type_:
            case Optional(inner):
                self.bounded(inner, what)
                return 1
            case Array(index, element):
                self.bounded(index, f"the index of {what}")
                return size(index) * self._scalars(element, what)
            case Record(fields):
                names = [self._field(each, what) for each in items(fields, "the fields of a record")]
                if len(set(names)) < len(names):
                    refuse(f"two fields of {what} have one name")
                return sum(self._scalars(each.type, f"the field {each.name} of {what}") for each in fields)
            case Bag(element, capacity):
                if number(capacity, f"the capacity of {what}") < 1:
                    refuse(f"the capacity of {what} is {capacity}")
                return capacity * (1 + self._scalars(element, f"an entry of {what}"))
            case _ if isinstance(type_, SCALARS):
                self.bounded(type_, what)
                return 1
        raise Wrong(f"the type of {what} is {kind_of(type_)}, which is no type")

    def _field(self, field: Any, what: str) -> str:
        if not isinstance(field, Field):
            refuse(f"{kind_of(field)} is no field of a record")
        return text(field.name, f"the name of a field of {what}")


def bare(type_: Type) -> Type:
    """Of a scalar that may be undefined, the scalar."""
    return type_.type if isinstance(type_, Optional) else type_


def is_scalar(type_: Type) -> bool:
    return isinstance(bare(type_), SCALARS)


def is_alike(one: Type, other: Type) -> bool:
    """May a value of the one scalar type stand for one of the other? Integers of all ranges may: values are checked where
    they are stored. Elements have to be converted."""
    one, other = bare(one), bare(other)
    return one == other or (isinstance(one, Integer) and isinstance(other, Integer))


def can_copy(target: Type, source: Type) -> bool:
    """Whole contents, or scalars that are alike."""
    return target == source or (is_scalar(target) and is_scalar(source) and is_alike(target, source))
