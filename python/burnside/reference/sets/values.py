"""Values of machines as Python values, all of them hashable.

Whole numbers are `int`, truth values `bool`, texts `str`, elements of sorts `Point`, pairs 2-tuples, records `RecordValue`,
values of free types `FreeValue`, finite sets `frozenset`. A value does not know its type: functions that need the type
(printing, permuting) take it too. A state is a tuple of values in the order of `Machine.state_names`, `UNSET` for a variable
that has no value yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, product
from typing import Any, NamedTuple

from burnside.ir.sets.expressions import Literal
from burnside.ir.sets.types import Boolean, Element, FreeType, Pair, Set, Struct, ValueType

Value = Any
"""One of the above; what a recursive union would say, without a cast at every use."""

State = tuple[Value, ...]

Generator = Mapping[str, Sequence[int]]
"""A permutation of the elements of each sort that it names; element i goes to images[i]. Other sorts stay."""


class Point(NamedTuple):
    """An element of a sort."""

    sort: str
    position: int


class RecordValue(tuple[Value, ...]):
    """A record: the values of its fields, in the order of its type."""

    __slots__ = ()


class FreeValue(NamedTuple):
    """A value of a free type: the number of its constructor, and what it is made of (None: nothing)."""

    type: str
    constructor: int
    argument: Value = None


class Unset:
    """What a variable holds before it is assigned."""

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET = Unset()
EMPTY: frozenset[Value] = frozenset()


def literal_value(literal: Literal) -> Value:
    match literal.type:
        case Boolean():
            return bool(literal.value)
        case Element(sort):
            assert isinstance(literal.value, int)
            return Point(sort.name, literal.value)
        case _:
            return literal.value


def all_values(type_: ValueType) -> Iterator[Value]:
    """Of a finite type, smallest first."""
    match type_:
        case Boolean():
            yield from (False, True)
        case Element(sort):
            yield from (Point(sort.name, position) for position in range(sort.size))
        case Pair(left, right):
            yield from product(all_values(left), tuple(all_values(right)))
        case Set(element):
            yield from subsets(tuple(all_values(element)))
        case Struct(fields):
            yield from map(RecordValue, product(*(tuple(all_values(each.type)) for each in fields)))
        case FreeType():
            from burnside.reference.sets.free_types import built

            yield from built(type_)
        case _:
            raise ValueError(f"there are infinitely many values of {type_}")


def count_values(type_: ValueType) -> int | float:
    """How many there are; infinity where there is no end, or none that could matter."""
    match type_:
        case Boolean():
            return 2
        case Element(sort):
            return sort.size
        case Pair(left, right):
            return count_values(left) * count_values(right)
        case Set(element):
            return two_to(count_values(element))
        case Struct(fields):
            found: int | float = 1
            for each in fields:
                found *= count_values(each.type)
            return found
        case FreeType():
            from burnside.reference.sets.free_types import built

            return built(type_).size()
        case _:
            return float("inf")


def two_to(exponent: int | float) -> int | float:
    """A count of subsets; beyond all limits it is infinity, so that nothing is computed with huge numbers."""
    return 2 ** int(exponent) if exponent < 64 else float("inf")


def subsets(elements: Sequence[Value], least: int = 0, most: int | None = None) -> Iterator[frozenset[Value]]:
    """Smallest first."""
    most = len(elements) if most is None else min(len(elements), most)
    sizes = (combinations(elements, size) for size in range(least, most + 1))
    return map(frozenset, chain.from_iterable(sizes))


# Order


def order(value: Value) -> Any:
    """A key for sorting values of one type: sets by their size first, then by their smallest elements."""
    if isinstance(value, frozenset):
        return (len(value), [order(each) for each in ordered(value)])
    if isinstance(value, tuple):
        return tuple(map(order, value))
    return value


def ordered(values: frozenset[Value]) -> tuple[Value, ...]:
    """The elements of a set, smallest first: what depends on an order, depends on this one."""
    return _ordered(values, _signature(values))


@lru_cache(maxsize=1 << 16)
def _ordered(values: frozenset[Value], signature: object) -> tuple[Value, ...]:
    sample = next(iter(values), 0)
    return tuple(sorted(values) if _is_flat(sample) else sorted(values, key=order))


class _Built(NamedTuple):
    """Of values of a free type: by number of the constructor, in order, what is known of arguments."""

    arguments: tuple[tuple[int, object], ...]


def _signature(value: Value) -> object:
    """Where truth values are in a value, part of the key of what is remembered of it: Python takes {0} and {False} for the
    same set. Elements of a set have one type, so the first that leaves nothing open says it; None: nothing is there."""
    if isinstance(value, bool):
        return True
    if isinstance(value, FreeValue):
        return _Built(((value.constructor, _signature(value.argument)),))
    if isinstance(value, tuple):
        return tuple(map(_signature, value))
    if not isinstance(value, frozenset):
        return False
    found: object = None
    for element in value:
        found = _merged(found, _signature(element))
        if _is_known(found):
            break
    return ("set", found)


def _merged(a: object, b: object) -> object:
    if isinstance(a, _Built) and isinstance(b, _Built):
        first, second = dict(a.arguments), dict(b.arguments)
        numbers = sorted(first.keys() | second.keys())
        return _Built(tuple((each, _merged(first.get(each), second.get(each))) for each in numbers))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(map(_merged, a, b))
    return b if a is None else a


def _is_known(signature: object) -> bool:
    if isinstance(signature, _Built):
        # Another element may have another constructor.
        return False
    if isinstance(signature, tuple):
        return all(map(_is_known, signature))
    return signature is not None


def _is_flat(value: Value) -> bool:
    """May values of its type be compared by Python's own order?"""
    if isinstance(value, tuple):
        return not isinstance(value, FreeValue) and all(map(_is_flat, value))
    return not isinstance(value, frozenset)


def state_order(state: State) -> Any:
    """A key for sorting states of one machine; variables without a value come first."""
    return tuple((0, 0) if value is UNSET else (1, order(value)) for value in state)


# Relations and sequences


def image_table(relation: frozenset[tuple[Value, Value]]) -> Mapping[Value, tuple[Value, ...]]:
    """From each left side to its right sides."""
    return _image_table(relation, _signature(relation))


@lru_cache(maxsize=1 << 16)
def _image_table(
    relation: frozenset[tuple[Value, Value]], signature: object
) -> Mapping[Value, tuple[Value, ...]]:
    table: dict[Value, tuple[Value, ...]] = {}
    for left, right in relation:
        table[left] = (*table.get(left, ()), right)
    return table


def sequence(elements: Iterable[Value]) -> frozenset[tuple[int, Value]]:
    return frozenset(enumerate(elements, 1))


def sequence_elements(value: frozenset[tuple[int, Value]]) -> list[Value] | None:
    """The elements in order; None where the value is no sequence."""
    table = dict(value)
    if len(table) != len(value):
        return None
    try:
        return [table[index] for index in range(1, len(table) + 1)]
    except KeyError:
        return None


# Permutations


def permuted(value: Value, generator: Generator) -> Value:
    """The image of a value: its points are renamed."""
    if isinstance(value, Point):
        images = generator.get(value.sort)
        return value if images is None else Point(value.sort, images[value.position])
    if isinstance(value, frozenset):
        return frozenset(permuted(each, generator) for each in value)
    if isinstance(value, RecordValue):
        return RecordValue(permuted(each, generator) for each in value)
    if isinstance(value, FreeValue):
        return value._replace(argument=permuted(value.argument, generator))
    if isinstance(value, tuple):
        return tuple(permuted(each, generator) for each in value)
    return value


def permuted_state(state: State, generator: Generator) -> State:
    return tuple(permuted(value, generator) for value in state)
