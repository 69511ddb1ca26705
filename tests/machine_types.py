"""What random machines are about: how they are drawn, their types, and how large these are. Used by all `machine_*` above.

Numbers, texts and recursive free types have no end; `usual_set` says which of their values a state may hold, so that state
spaces do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import count as numbered
from typing import TypeVar

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Boolean,
    Constructor,
    Element,
    FreeType,
    Integer,
    Pair,
    Recursion,
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
LEVELS = 2
"""Constructors inside each other in values of a recursive free type that states hold."""
_fresh = numbered(1)


class Drawing:
    """Draws by `number(low, high)`. In a `tame` machine few expressions are undefined: the others seldom come far. Elements
    of full sorts have no names; `literals`: those of fixed ones do."""

    def __init__(self, number: Callable[[int, int], int], *, literals: bool) -> None:
        self.number, self.literals = number, literals
        self.sorts: Sequence[Sort] = ()
        self.free_types: tuple[FreeType, ...] = ()
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
        if self.free_types and self.flip(20):
            return self.one(self.free_types)
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

    def free_type(self, name: str) -> FreeType:
        """The first constructor takes no argument, so there is always a value that can be written."""
        constructors = [Constructor(f"no{name}")]
        for number in range(self.one((1, 1, 2))):
            constructors.append(self.constructor(f"{name.lower()}{number}", Recursion(name)))
        return FreeType(name, tuple(constructors), depth=self.number(1, 3))

    def constructor(self, name: str, itself: Recursion) -> Constructor:
        match self.number(0, 5):
            case 0:
                return Constructor(name)
            case 1:
                low, high = (e.Literal(each, INTEGER) for each in (0, self.number(0, 1)))
                return Constructor(name, INTEGER, e.Apply("interval", (low, high), Set(INTEGER)))
            case 2:
                return Constructor(name, self.one((itself, Pair(itself, itself), Pair(self.atom(), itself))))
            case 3:
                return Constructor(name, Set(Element(self.one(self.sorts))))
            case _:
                return Constructor(name, self.atom())

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
        case FreeType(_, constructors):
            found = 0
            for _ in range(LEVELS if type_.is_recursive else 1):
                found = sum(1 if each.argument is None else _arguments(each, found) for each in constructors)
        case Recursion():
            raise AssertionError(type_)
    return min(found, HUGE)


def _arguments(constructor: Constructor, itself: int) -> int:
    """How many arguments there are where the type itself has so many values."""
    match constructor.argument:
        case Recursion():
            return itself
        case Pair(Recursion(), Recursion()):
            return itself * itself
        case Pair(left, Recursion()):
            return count(left) * itself
        case Integer() if constructor.within is not None:
            return 2
        case argument:
            assert argument is not None
            return count(argument)


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
        case FreeType(_, constructors):
            given = [each for each in constructors if each.argument is not None and each.within is None]
            return not type_.is_recursive and all(is_bounded(each.argument) for each in given)  # type: ignore[arg-type]
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
        case FreeType():
            return _usual_values(type_, LEVELS if type_.is_recursive else 1)
        case _:
            raise AssertionError(type_)


def _usual_values(free: FreeType, level: int) -> e.Expression:
    whole = Set(free)
    if level == 0:
        return e.Apply("set", (), whole)
    parts: list[e.Expression] = []
    for each in free.constructors:
        argument = free.argument(each.name)
        if argument is None:
            parts.append(e.Apply("set", (e.Construct(each.name, None, free),), whole))
            continue
        name = e.Name(f"usual{next(_fresh)}", argument)
        values = _usual_arguments(free, argument, level - 1)
        if each.within is not None:
            values = e.Apply("intersection", (values, each.within), Set(argument))  # type: ignore[arg-type]
        within = e.Apply("member", (name, values), BOOLEAN)
        parts.append(e.Comprehension((name,), within, e.Construct(each.name, name, free)))
    return reduce(lambda a, b: e.Apply("union", (a, b), whole), parts)


def _usual_arguments(free: FreeType, type_: ValueType, level: int) -> e.Expression:
    match type_:
        case FreeType() if type_ == free:
            return _usual_values(free, level)
        case Pair(left, right):
            sides = _usual_arguments(free, left, level), _usual_arguments(free, right, level)
            return e.Apply("product", sides, Set(type_))
        case _:
            return usual_set(type_)


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
            return e.Conditional(e.Apply("member", (value, usual_set(type_)), BOOLEAN), value, _least(type_))


def _least(type_: ValueType) -> e.Expression:
    if isinstance(type_, FreeType):
        return e.Construct(type_.constructors[0].name, None, type_)
    return e.Literal(NUMBERS[0], INTEGER) if isinstance(type_, Integer) else e.Literal(TEXTS[0], TEXT)
