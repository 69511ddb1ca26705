"""Sets that are not listed: what they are built from, and the questions that can be answered without listing them.

A set is a `frozenset`, or a `Space`, which is listed only where it is iterated over. Of both: membership (`in`),
iteration (smallest first), `size_of`, `images` (the right sides that a relation has for a left side), `listed` (the
`frozenset`). Spaces of functions are in `functions`, what operators make of spaces in `combined`, comprehensions in
`quantifiers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, permutations, product
from math import comb
from typing import ClassVar

from burnside.ir.sets.types import ValueType, show_type
from burnside.records import record
from burnside.reference.sets.failures import SET_LIMIT, TooLarge, Unbounded
from burnside.reference.sets.values import (
    RecordValue,
    Value,
    all_values,
    count_values,
    image_table,
    ordered,
    sequence_elements,
    subsets,
    two_to,
)

INFINITY = float("inf")


class Space:
    """What all of them can do. Sizes may be estimates from above; infinity is one only where `may_end` says so."""

    may_end: ClassVar[bool] = False

    def __contains__(self, value: Value) -> bool:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Value]:
        raise Unbounded("a set that cannot be listed is needed as a value")

    def size(self) -> int | float:
        return INFINITY

    def images(self, left: Value) -> Iterable[Value]:
        """Of a relation; this one works for all that can be listed."""
        return [b for a, b in self if a == left]


Denoted = frozenset[Value] | Space


def every(answers: Iterable[bool]) -> bool:
    """All are asked before one decides: where one is undefined, the order of a set must not matter."""
    return all(tuple(answers))


def size_of(denoted: Denoted) -> int | float:
    return len(denoted) if isinstance(denoted, frozenset) else denoted.size()


def is_infinite(denoted: Denoted) -> bool:
    """Surely, not by an estimate."""
    return not isinstance(denoted, frozenset) and denoted.size() == INFINITY and not denoted.may_end


def is_exact(denoted: Denoted) -> bool:
    """Is its size no estimate?"""
    match denoted:
        case frozenset() | Numbers() | Everything():
            return True
        case Product(left, right):
            return is_exact(left) and is_exact(right)
        case Subsets(base):
            return is_exact(base)
        case _:
            return False


def cardinality(denoted: Denoted) -> int | float:
    """How many there are; what is only estimated is listed, where it has an end."""
    size = size_of(denoted)
    return size if size in (0, INFINITY) or is_exact(denoted) else len(listed(denoted))


def is_empty(denoted: Denoted) -> bool:
    size = size_of(denoted)
    if not size or is_infinite(denoted) or is_exact(denoted):
        return not size
    return not any(True for _ in in_order(denoted))


def images(relation: Denoted, left: Value) -> Iterable[Value]:
    if isinstance(relation, frozenset):
        return image_table(relation).get(left, ())
    return relation.images(left)


def in_order(denoted: Denoted) -> Iterator[Value]:
    return iter(ordered(denoted)) if isinstance(denoted, frozenset) else iter(denoted)


def listed(denoted: Denoted) -> frozenset[Value]:
    if isinstance(denoted, frozenset):
        return denoted
    if isinstance(denoted, Numbers | Product | Rows | Subsets) and INFINITY > denoted.size() > SET_LIMIT:
        raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")
    found = set()
    for value in denoted:
        found.add(value)
        if len(found) > SET_LIMIT:
            raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")
    return frozenset(found)


@record
class Numbers(Space):
    """From `low` to `high`; without end where one of them is None."""

    low: int | None = None
    high: int | None = None

    def __contains__(self, value: Value) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def size(self) -> int | float:
        return INFINITY if self.low is None or self.high is None else max(0, self.high - self.low + 1)

    def __iter__(self) -> Iterator[Value]:
        if self.low is None or self.high is None:
            raise Unbounded("an infinite set of numbers is needed as a value")
        return iter(range(self.low, self.high + 1))


@record
class Everything(Space):
    """All values of a type."""

    type: ValueType

    def __contains__(self, value: Value) -> bool:
        return True

    def size(self) -> int | float:
        return count_values(self.type)

    def __iter__(self) -> Iterator[Value]:
        if self.size() == INFINITY:
            raise Unbounded(f"{show_type(self.type)} is needed as a value, but it cannot be listed")
        return all_values(self.type)


@record
class Product(Space):
    left: Denoted
    right: Denoted

    def __contains__(self, value: Value) -> bool:
        return value[0] in self.left and value[1] in self.right

    def size(self) -> int | float:
        return _times(size_of(self.left), size_of(self.right))

    def __iter__(self) -> Iterator[Value]:
        return product(listed_in_order(self.left), listed_in_order(self.right))

    def images(self, left: Value) -> Iterable[Value]:
        return self.right if left in self.left else ()


def listed_in_order(denoted: Denoted) -> tuple[Value, ...]:
    """Refused before the first element where there are too many."""
    if size_of(denoted) == INFINITY:
        raise Unbounded("an infinite set is needed as a value")
    if size_of(denoted) > SET_LIMIT:
        raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")
    return tuple(in_order(denoted))


def _times(left: int | float, right: int | float) -> int | float:
    """Nothing times infinity is nothing."""
    return left * right if left and right else 0


@record
class Subsets(Space):
    """The finite subsets of `base` that have at least `least` elements and at most `most`."""

    base: Denoted
    least: int = 0
    most: int | None = None

    def __contains__(self, value: Value) -> bool:
        fits = self.least <= len(value) and (self.most is None or len(value) <= self.most)
        return fits and is_subset(value, self.base)

    def size(self) -> int | float:
        base = size_of(self.base)
        if base == INFINITY or (not self.least and self.most is None):
            return two_to(base)
        most = int(base) if self.most is None else min(int(base), self.most)
        return sum(comb(int(base), size) for size in range(self.least, most + 1)) if base < 1000 else INFINITY

    def __iter__(self) -> Iterator[Value]:
        return subsets(listed_in_order(self.base), self.least, self.most)


@record
class Sequences(Space):
    """Sequences of elements of `base`, of `least` to `most` of them; each element at most once (`injective`)."""

    base: Denoted
    least: int = 0
    most: int | None = None
    injective: bool = False

    def __contains__(self, value: Value) -> bool:
        elements = sequence_elements(value)
        if elements is None or not self.least <= len(elements):
            return False
        if self.most is not None and len(elements) > self.most:
            return False
        if self.injective and len(set(elements)) < len(elements):
            return False
        return every(each in self.base for each in elements)

    def _longest(self) -> int | float:
        base = size_of(self.base)
        if not base:
            return 0
        longest: int | float = INFINITY if self.most is None else self.most
        return min(longest, base) if self.injective else longest

    def size(self) -> int | float:
        base, longest = size_of(self.base), self._longest()
        if longest == INFINITY or (base == INFINITY and longest):
            return INFINITY
        if base == 1 and not self.injective:
            return max(0, longest - self.least + 1)
        total: int | float = 0
        some: int | float = 1
        for length in range(int(longest) + 1):
            total += some if length >= self.least else 0
            some *= max(0, base - length) if self.injective else base
            if some > 1e30:
                return INFINITY if not self.injective and self.most is None else 1e30
        return total

    def __iter__(self) -> Iterator[Value]:
        if self._longest() == INFINITY:
            raise Unbounded("the sequences over a set are needed as a value, and their length has no bound")
        base = listed_in_order(self.base)
        for length in count(self.least):
            if length > self._longest():
                return
            if length > SET_LIMIT:
                raise TooLarge(f"a sequence has more than {SET_LIMIT:,} elements")
            for elements in product(base, repeat=length):
                if not self.injective or len(set(elements)) == length:
                    yield frozenset(enumerate(elements, 1))


@record
class Permutations(Space):
    base: Denoted

    def _space(self) -> Sequences:
        length = cardinality(self.base)
        if length == INFINITY:
            raise Unbounded("the permutations of an infinite set")
        return Sequences(self.base, int(length), int(length), injective=True)

    def __contains__(self, value: Value) -> bool:
        return size_of(self.base) != INFINITY and value in self._space()

    def size(self) -> int | float:
        return self._space().size()

    def __iter__(self) -> Iterator[Value]:
        return (frozenset(enumerate(each, 1)) for each in permutations(listed_in_order(self.base)))


@record
class Rows(Space):
    """Records with fields from these sets."""

    fields: tuple[Denoted, ...]

    def __contains__(self, value: Value) -> bool:
        return every(each in space for each, space in zip(value, self.fields, strict=True))

    def size(self) -> int | float:
        found: int | float = 1
        for each in self.fields:
            found = _times(found, size_of(each))
        return found

    def __iter__(self) -> Iterator[Value]:
        return map(RecordValue, product(*map(listed_in_order, self.fields)))


def is_subset(left: Denoted, right: Denoted) -> bool:
    match left, right:
        case frozenset(), frozenset():
            return left <= right
        case frozenset(), _:
            return every(each in right for each in left)
        case _, Everything():
            return True
        case Numbers(), Numbers():
            return _within(left, right)
        case (Subsets(base), Subsets(other)) if left.most is None and right.most is None:
            # The smallest members of the left side have `least` elements.
            return (left.least >= right.least and is_subset(base, other)) or is_empty(left)
        case (Sequences(base), Sequences(other)) if not right.injective and right.least <= left.least:
            return is_subset(base, other)
        case Product(a, b), Product(c, d):
            return is_empty(a) or is_empty(b) or (is_subset(a, c) and is_subset(b, d))
        case _:
            if is_infinite(left) and size_of(right) < INFINITY:
                return False
            return all(each in right for each in left)


def _within(left: Numbers, right: Numbers) -> bool:
    if not left.size():
        return True
    low = right.low is None or (left.low is not None and left.low >= right.low)
    return low and (right.high is None or (left.high is not None and left.high <= right.high))


def are_equal(left: Denoted, right: Denoted) -> bool:
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return left == right
    if any(is_infinite(a) and size_of(b) < INFINITY for a, b in ((left, right), (right, left))):
        return False
    return left == right or listed(left) == listed(right)
