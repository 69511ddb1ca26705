"""What random machines are about: how they are drawn, their types, and how large these are. Used by all `machine_*` above.

Numbers and texts have no end; `usual_set` says which of them a state may hold, so that state spaces do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Boolean,
    Element,
    Integer,
    Pair,
    Set,
    Sort,
    Struct,
    StructField,
    Text,
    ValueType,
)

Found = TypeVar("Found")

NUMBERS, TEXTS = (0, 2), ("p", "q")
"""The numbers, from the first to the last, and the texts that states hold."""
HUGE = 10**9


class Drawing:
    """Draws by `number(low, high)`. In a `tame` machine few expressions are undefined: the others seldom come far. Elements
    of full sorts have no names; `literals`: those of fixed ones do."""

    def __init__(self, number: Callable[[int, int], int], *, literals: bool) -> None:
        self.number, self.literals = number, literals
        self.sorts: Sequence[Sort] = ()
        self.count = 0
        self.tame = self.flip(60)

    def fresh(self, prefix: str, type_: ValueType, *, state: bool = False) -> e.Name:
        self.count += 1
        return e.Name(f"{prefix}{self.count}", type_, state)

    def one(self, choices: Sequence[Found]) -> Found:
        return choices[self.number(0, len(choices) - 1)]

    def flip(self, percent: int = 50) -> bool:
        return self.number(0, 99) < percent

    # Types

    def atom(self) -> ValueType:
        elements = [Element(sort) for sort in self.sorts]
        return self.one([*elements, *elements, BOOLEAN, INTEGER, *([TEXT] if self.flip(15) else [])])

    def type(self, depth: int = 2) -> ValueType:
        if depth == 0 or self.flip(20):
            return self.atom()
        match self.number(0, 7):
            case 0 | 1:
                return Set(self.type(depth - 1))
            case 2 | 3 | 4:
                return Set(Pair(self.atom(), self.type(depth - 1)))
            case 5:
                return Set(Pair(INTEGER, self.atom()))
            case 6:
                return Pair(self.type(depth - 1), self.atom())
            case _:
                return Struct((StructField("f", self.type(depth - 1)), StructField("g", self.atom())))

    def small_type(self, most: int, depth: int = 2) -> ValueType:
        """With no more values than that, as states count them; what is too large is tried again one level lower."""
        for lower in range(depth + 1):
            type_ = self.type(depth - lower)
            if count(type_) <= most:
                return type_
        return BOOLEAN


def count(type_: ValueType) -> int:
    """How many values of a type a state may hold; `HUGE` stands for all that is larger."""
    match type_:
        case Boolean():
            return 2
        case Integer():
            return NUMBERS[1] - NUMBERS[0] + 1
        case Text():
            return len(TEXTS)
        case Element(sort):
            return sort.size
        case Pair(left, right):
            found = count(left) * count(right)
        case Set(element):
            found = 2 ** min(count(element), 40)
        case Struct(fields):
            found = 1
            for each in fields:
                found *= count(each.type)
    return min(found, HUGE)


def is_bounded(type_: ValueType) -> bool:
    """Need nothing more be said of a name of this type?"""
    match type_:
        case Integer() | Text():
            return False
        case Pair(left, right):
            return is_bounded(left) and is_bounded(right)
        case Set(element):
            return is_bounded(element)
        case Struct(fields):
            return all(is_bounded(each.type) for each in fields)
        case _:
            return True


def usual_set(type_: ValueType) -> e.Expression:
    """The set of the values that states hold."""
    whole = Set(type_)
    if is_bounded(type_):
        return e.Apply("all", (), whole)
    match type_:
        case Integer():
            return e.Apply("interval", tuple(e.Literal(each, INTEGER) for each in NUMBERS), whole)
        case Text():
            return e.Apply("set", tuple(e.Literal(each, TEXT) for each in TEXTS), whole)
        case Pair(left, right):
            return e.Apply("product", (usual_set(left), usual_set(right)), whole)
        case Set(element):
            return e.Apply("power-set", (usual_set(element),), whole)
        case Struct(fields):
            return e.Apply("records", tuple(usual_set(each.type) for each in fields), whole)
        case _:
            raise AssertionError(type_)


def kept_usual(value: e.Expression) -> e.Expression:
    """The value, or one near it that states may hold. The expression is copied where it has parts that are looked at one by
    one, so it must bind no names there; for a record or a pair callers pass a name."""
    type_ = e.type_of(value)
    if is_bounded(type_):
        return value
    match type_:
        case Set(element):
            return e.Apply("intersection", (value, usual_set(element)), type_)
        case Pair(left, right):
            sides = e.Apply("left", (value,), left), e.Apply("right", (value,), right)
            return e.pair(kept_usual(sides[0]), kept_usual(sides[1]))
        case Struct(fields):
            parts = tuple(kept_usual(e.Select(value, each.name)) for each in fields)
            return e.Apply("record", parts, type_)
        case _:
            least = (
                e.Literal(NUMBERS[0], INTEGER) if isinstance(type_, Integer) else e.Literal(TEXTS[0], TEXT)
            )
            return e.Conditional(e.Apply("member", (value, usual_set(type_)), BOOLEAN), value, least)
