"""Free types: all values of one, the arguments that a constructor is for, and what is tried of a type without end.

In: a free type. Out: spaces (`built`), a test of arguments (`accepts`), and, of a recursive type, the values with at most so
many constructors inside each other (`levels`). What is computed is kept with the type, which never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from burnside.ir.sets.expressions import Apply, Expression, Name
from burnside.ir.sets.types import (
    Constructor,
    FreeType,
    Integer,
    Pair,
    Recursion,
    Set,
    Struct,
    ValueType,
)
from burnside.ir.walking import replaced
from burnside.records import record
from burnside.reference.sets.evaluation import denote
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Everything,
    Numbers,
    Product,
    Rows,
    Space,
    Subsets,
    in_order,
    listed,
    size_of,
)
from burnside.reference.sets.values import FreeValue, Value

ITSELF = "all values of the free type"
"""The name, which no language has, of the set of its own values in what `within` says."""
NOTHING: frozenset[Value] = frozenset([None])
"""The argument of a constructor that takes none."""

Tried = Callable[[Denoted], Denoted]
"""The part of a set that is tried where nothing bounds a name."""


@record
class Built(Space):
    """The values whose arguments, by constructor, are in these sets."""

    type: FreeType
    arguments: tuple[Denoted, ...]

    def __contains__(self, value: Value) -> bool:
        return value.argument in self.arguments[value.constructor]

    def size(self) -> int | float:
        return sum(map(size_of, self.arguments))

    def __iter__(self) -> Iterator[Value]:
        for number, arguments in enumerate(self.arguments):
            for each in in_order(arguments):
                yield FreeValue(self.type.name, number, each)


def built(free: FreeType) -> Space:
    """All values."""
    known: Space | None = vars(free).get("all values")
    if known is None:
        everything = Everything(free)
        # The numbers of values that are made of each other have no end.
        known = Endless() if free.is_recursive else Built(free, _arguments(free, everything))
        vars(free)["all values"] = known
    return known


class Endless(Space):
    """All values of a recursive free type."""

    def __contains__(self, value: Value) -> bool:
        return True


def accepts(free: FreeType, constructor: Constructor, argument: Value) -> bool:
    return constructor.within is None or argument in _within(free, constructor, Everything(free))


def levels(free: FreeType, tried: Tried) -> frozenset[Value]:
    """Of a recursive type, the values with at most `depth` constructors inside each other."""
    found: frozenset[Value] = frozenset()
    for _ in range(free.depth):
        found = listed(Built(free, tuple(map(tried, _arguments(free, found)))))
    return found


def by_type(type_: ValueType, itself: Denoted | None = None) -> Denoted:
    """All values of a type, as a space that is built from those of its parts."""
    match type_:
        case Integer():
            return Numbers()
        case Recursion() if itself is not None:
            return itself
        case Pair(left, right):
            return Product(by_type(left, itself), by_type(right, itself))
        case Set(element):
            return Subsets(by_type(element, itself))
        case Struct(fields):
            return Rows(tuple(by_type(each.type, itself) for each in fields))
        case _:
            return Everything(type_)


def _arguments(free: FreeType, itself: Denoted) -> tuple[Denoted, ...]:
    return tuple(_arguments_of(free, each, itself) for each in free.constructors)


def _arguments_of(free: FreeType, constructor: Constructor, itself: Denoted) -> Denoted:
    if constructor.argument is None:
        return NOTHING
    if constructor.within is None:
        return by_type(constructor.argument, itself)
    found = _within(free, constructor, itself)
    return listed(found) if size_of(found) < INFINITY else found


def _within(free: FreeType, constructor: Constructor, itself: Denoted) -> Denoted:
    return denote(_named(free, constructor), {ITSELF: itself})


def _named(free: FreeType, constructor: Constructor) -> Expression:
    """What arguments belong to, with a name for the set of all values of the type."""
    key = f"what {constructor.name} is for"
    if key not in vars(free):

        def change(node: object) -> Name | None:
            match node:
                case Apply("all", (), Set(Recursion())):
                    return Name(ITSELF, Set(free))
                case _:
                    return None

        assert constructor.within is not None
        vars(free)[key] = replaced(constructor.within, change)
    found: Expression = vars(free)[key]
    return found
