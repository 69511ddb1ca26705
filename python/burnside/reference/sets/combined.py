"""Results of operators on sets that are not listed: spaces over other spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from burnside.records import record
from burnside.reference.sets.spaces import Denoted, Space, images, in_order, size_of
from burnside.reference.sets.values import Value, ordered


@record
class Joined(Space):
    left: Denoted
    right: Denoted

    def __contains__(self, value: Value) -> bool:
        # Both are asked: where one is undefined the whole is.
        return (value in self.left) | (value in self.right)

    def size(self) -> int | float:
        return size_of(self.left) + size_of(self.right)

    def __iter__(self) -> Iterator[Value]:
        yield from in_order(self.left)
        yield from (each for each in in_order(self.right) if each not in self.left)

    def images(self, left: Value) -> Iterable[Value]:
        return {*images(self.left, left), *images(self.right, left)}


@record
class Filtered(Space):
    """The part of `base` that passes a test; of a relation, by both sides of a pair."""

    may_end = True

    base: Denoted
    test: Callable[[Value], bool]

    def __contains__(self, value: Value) -> bool:
        return (value in self.base) & self.test(value)

    def size(self) -> int | float:
        return size_of(self.base)

    def __iter__(self) -> Iterator[Value]:
        return filter(self.test, in_order(self.base))

    def images(self, left: Value) -> Iterable[Value]:
        return [each for each in images(self.base, left) if self.test((left, each))]


@record
class Mapped(Space):
    """A relation given by what it does with a left side, and by its left sides where they can be listed."""

    domain: Denoted
    of: Callable[[Value], Iterable[Value]]

    def __contains__(self, value: Value) -> bool:
        return value[1] in self.images(value[0])

    def size(self) -> int | float:
        return size_of(self.domain)

    def __iter__(self) -> Iterator[Value]:
        return ((a, b) for a in in_order(self.domain) for b in self.of(a))

    def images(self, left: Value) -> Iterable[Value]:
        return self.of(left) if left in self.domain else ()


@record
class Inverse(Space):
    relation: Denoted

    def __contains__(self, value: Value) -> bool:
        return (value[1], value[0]) in self.relation

    def size(self) -> int | float:
        return size_of(self.relation)

    def __iter__(self) -> Iterator[Value]:
        return ((b, a) for a, b in in_order(self.relation))


@record
class Domain(Space):
    """The left sides of a relation."""

    may_end = True

    relation: Denoted

    def __contains__(self, value: Value) -> bool:
        return any(True for _ in images(self.relation, value))

    def size(self) -> int | float:
        return size_of(self.relation)

    def __iter__(self) -> Iterator[Value]:
        return iter(ordered(frozenset(a for a, _ in in_order(self.relation))))
