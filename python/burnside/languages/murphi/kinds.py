"""Properties of types that do not depend on the program: which fit together, how large they are, what they are called.

The types are those of the ir. In a variable every scalar is `Optional`, because Murphi's values begin undefined; `stored`
and `bare` go from a type to what a variable of it has, and back.
"""

from __future__ import annotations

from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Boolean,
    Element,
    Integer,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    show_type,
    size,
    sorts_of,
)
from burnside.records import record


@record
class Position:
    """Where an entry stands in a multiset: the type of what `choose` binds. No variable has it."""

    bag: Bag


Meaning = Type | Position

MAX_SCALARS = 2**24
"""In a variable, and in a state. Larger ones are mistakes, or cannot be explored."""


def stored(type_: Type) -> Type:
    return Optional(type_) if isinstance(type_, Boolean | Integer | Element | Union) else type_


def bare(type_: Type) -> Type:
    return type_.type if isinstance(type_, Optional) else type_


def is_scalar(type_: Meaning) -> bool:
    return isinstance(type_, Boolean | Integer | Element | Union)


def scalars(type_: Type) -> int:
    """How many scalars a variable of this type holds."""
    match type_:
        case Array(index, element):
            return size(index) * scalars(element)
        case Record(fields):
            return sum(scalars(field.type) for field in fields)
        case Bag(element, capacity):
            return capacity * scalars(element)
        case _:
            return 1


def common(left: Meaning, right: Meaning) -> Scalar | None:
    """The scalar type in which values of both can be compared."""
    match left, right:
        case Boolean(), Boolean():
            return BOOLEAN
        case (Integer(), Integer()) | (Position(), Position()):
            if left == right and isinstance(left, Integer):
                return left
            return INTEGER
        case ((Element() | Union()), (Element() | Union())):
            if left == right:
                return left
            first, second = sorts_of(left), sorts_of(right)
            if not set(first) & set(second):
                return None
            joined = first + tuple(sort for sort in second if sort not in first)
            return right if set(joined) == set(second) else Union(joined)
        case _:
            return None


def converted(value: int, source: Scalar, target: Scalar) -> int | None:
    """A constant of one type as a constant of another, None where it is none of its values."""
    match source, target:
        case ((Element() | Union()), (Element() | Union())):
            for sort in sorts_of(source):
                if value < sort.size:
                    if sort not in sorts_of(target):
                        return None
                    return value + (target.offset(sort) if isinstance(target, Union) else 0)
                value -= sort.size
            return None
        case Integer(), Integer(low, high):
            within = (low is None or low <= value) and (high is None or value <= high)
            return value if within else None
        case _:
            return value if source == target else None


def within(source: Scalar, target: Scalar) -> bool:
    """Is every value of one a value of the other? (Unknown for integers without bounds: no.)"""
    match source, target:
        case Integer(low, high), Integer(least, most):
            if least is None or most is None:
                return True
            return low is not None and high is not None and least <= low and high <= most
        case _:
            return source == target


def describe(type_: Meaning) -> str:
    match type_:
        case Boolean():
            return "a boolean"
        case Integer():
            return "a number"
        case Array():
            return "an array"
        case Record():
            return "a record"
        case Bag():
            return "a multiset"
        case Position():
            return "a position in a multiset"
        case Optional(inner):
            return describe(inner)
        case _:
            return f"of type {show_type(type_)}"
