"""Values of Z, as the oracle of the Z front end has them, and the sets that it need not list.

Numbers are `int`, elements of given sets `Atom`, values of free types `Built`, tuples Python tuples, bindings `Binding`,
sets `frozenset`; a set that is large or infinite is a `Space`, which knows its elements when it sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

MOST_LISTED = 20_000
"""Elements of a set."""

Value = Any


class Atom(NamedTuple):
    """An element of a given set, by its number from 1 on."""

    set: str
    number: int


class Built(NamedTuple):
    constructor: str
    argument: Value = None


class Binding(tuple[tuple[str, Value], ...]):
    """Names and their values, in the order of the names."""

    __slots__ = ()


def binding(values: Mapping[str, Value]) -> Binding:
    return Binding(sorted(values.items()))


class Undefined(Exception):
    """An expression has no value."""


class NotListed(Exception):
    """The elements of a set would be needed one by one, and there are too many of them."""


class Space:
    """A set by its membership. `elements` is None where there is no end of them."""

    def __init__(
        self, contains: Callable[[Value], bool], elements: Callable[[], Iterable[Value]] | None = None
    ) -> None:
        self.contains, self.elements = contains, elements


class Function(Space):
    """A function of the tool-kit, or another one that is not listed. `apply` raises `Undefined`."""

    def __init__(self, apply: Callable[[Value], Value]) -> None:
        super().__init__(self._holds)
        self.apply = apply

    def _holds(self, pair: tuple[Value, Value]) -> bool:
        try:
            return same(self.apply(pair[0]), pair[1])
        except Undefined:
            return False


def member(value: Value, set_: Value) -> bool:
    if isinstance(set_, Space):
        return set_.contains(value)
    return plain(value) in set_


def listed(set_: Value) -> frozenset[Value]:
    if not isinstance(set_, Space):
        return set_  # type: ignore[no-any-return]
    if set_.elements is None:
        raise NotListed
    found = set()
    for each in set_.elements():
        found.add(each)
        if len(found) > MOST_LISTED:
            raise NotListed
    return frozenset(found)


def plain(value: Value) -> Value:
    """With sets listed."""
    if isinstance(value, Space):
        return frozenset(map(plain, listed(value)))
    if isinstance(value, Binding):
        return Binding((name, plain(each)) for name, each in value)
    if isinstance(value, Built):
        return value._replace(argument=plain(value.argument))
    if type(value) is tuple:
        return tuple(map(plain, value))
    return value


def same(one: Value, other: Value) -> bool:
    return bool(plain(one) == plain(other))


# Spaces


def subset(small: Value, large: Value) -> bool:
    return all(member(each, large) for each in listed(small))


def subsets(set_: Value) -> Iterator[frozenset[Value]]:
    elements = list(listed(set_))
    if 2 ** len(elements) > MOST_LISTED:
        raise NotListed
    for size in range(len(elements) + 1):
        yield from map(frozenset, combinations(elements, size))


def power(set_: Value) -> Space:
    return Space(lambda value: subset(value, set_), lambda: subsets(set_))


def cross(*factors: Value) -> Space:
    return Space(
        lambda value: all(map(member, value, factors)), lambda: product(*(listed(each) for each in factors))
    )


def within(space: Space, *conditions: Callable[[Value], bool]) -> Space:
    """The elements that satisfy all of them."""

    def is_one(value: Value) -> bool:
        return all(each(value) for each in conditions)

    return Space(
        lambda value: space.contains(value) and is_one(value),
        None if space.elements is None else lambda: filter(is_one, space.elements()),  # type: ignore[misc]
    )


# Relations, sequences and bags


def domain(relation: Value) -> frozenset[Value]:
    return frozenset(x for x, _ in listed(relation))


def range_(relation: Value) -> frozenset[Value]:
    return frozenset(y for _, y in listed(relation))


def inverse(relation: Value) -> frozenset[Value]:
    return frozenset((y, x) for x, y in listed(relation))


def is_functional(relation: Value) -> bool:
    return len(domain(relation)) == len(listed(relation))


def is_injective(relation: Value) -> bool:
    return is_functional(inverse(relation))


def is_sequence(relation: Value) -> bool:
    return is_functional(relation) and domain(relation) == frozenset(range(1, len(listed(relation)) + 1))


def is_bag(relation: Value) -> bool:
    return is_functional(relation) and all(count > 0 for count in range_(relation))


def items_of(sequence: Value) -> list[Value]:
    """Of a sequence, in their order."""
    if not is_sequence(sequence):
        raise Undefined("no sequence")
    return [item for _, item in sorted(listed(sequence), key=lambda pair: pair[0])]


def counts_of(bag: Value) -> dict[Value, int]:
    if not is_bag(bag):
        raise Undefined("no bag")
    return dict(listed(bag))


def sequence(items: Iterable[Value]) -> frozenset[Value]:
    return frozenset(enumerate(items, 1))


def bag(counts: Mapping[Value, int]) -> frozenset[Value]:
    return frozenset((each, count) for each, count in counts.items() if count > 0)


def image_of(function: Value, argument: Value) -> Value:
    """f(x), where the function has one value there."""
    if isinstance(function, Function):
        return function.apply(argument)
    argument = plain(argument)
    found = [y for x, y in listed(function) if x == argument]
    if len(found) != 1:
        raise Undefined(f"{len(found)} values")
    return found[0]


def injective_sequences(set_: Value) -> Iterator[frozenset[Value]]:
    elements = list(listed(set_))
    for length in range(len(elements) + 1):
        yield from map(sequence, permutations(elements, length))


def sequences(set_: Value, longest: int) -> Iterator[frozenset[Value]]:
    elements = list(listed(set_))
    for length in range(longest + 1):
        yield from map(sequence, product(elements, repeat=length))
