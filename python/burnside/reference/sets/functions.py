"""Spaces of relations and functions between two sets, and functions of which only some points are chosen yet.

`Functions` can be listed point by point, so that a search may leave a branch as soon as the points chosen so far
contradict what is wanted of the whole (`Partial` is what is evaluated meanwhile).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import comb, perm

from burnside.records import record
from burnside.reference.sets.failures import Unbounded, Unknown
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Product,
    Space,
    is_subset,
    listed_in_order,
    size_of,
)
from burnside.reference.sets.values import Value, order, subsets, two_to

Prune = Callable[["Partial"], bool]
"""Says of a function with some points chosen that none that goes on from it is wanted."""


Require = Callable[[Value], frozenset[Value] | None]
"""Says which images a point may have, of which it must have one; None: nothing is said of it."""


class Partial(Space):
    """A function under construction: `chosen` has the images of the points that are decided (none: no image), `open` are
    the points that are not."""

    def __init__(self, chosen: dict[Value, Value | None], open_points: set[Value], total: bool) -> None:
        self.chosen, self.open, self.total = chosen, open_points, total

    def images(self, left: Value) -> Iterable[Value]:
        if left in self.open:
            raise Unknown
        image = self.chosen.get(left)
        return () if image is None else (image,)

    def __contains__(self, value: Value) -> bool:
        return value[1] in self.images(value[0])

    def __iter__(self) -> Iterator[Value]:
        raise Unknown

    def size(self) -> int | float:
        raise Unknown

    def domain(self) -> frozenset[Value]:
        """Known from the start where every point will have an image."""
        if not self.total:
            raise Unknown
        return frozenset(self.chosen) | self.open


@record
class Relations(Space):
    """`total`: every element on the left has an image; `onto`: every element on the right is one."""

    left: Denoted
    right: Denoted
    total: bool = False
    onto: bool = False

    def __contains__(self, value: Value) -> bool:
        lefts, rights = frozenset(a for a, _ in value), frozenset(b for _, b in value)
        fits = is_subset(lefts, self.left) & is_subset(rights, self.right)
        return fits and _covers(self.total, self.left, lefts) and _covers(self.onto, self.right, rights)

    def size(self) -> int | float:
        return two_to(Product(self.left, self.right).size())

    def __iter__(self) -> Iterator[Value]:
        found = subsets(listed_in_order(Product(self.left, self.right)))
        return (each for each in found if each in self) if self.total or self.onto else found


def _covers(wanted: bool, space: Denoted, found: frozenset[Value]) -> bool:
    """Are all elements of the space there? What is there is known to belong to it."""
    if not wanted:
        return True
    if isinstance(space, frozenset):
        return len(space) == len(found)
    return size_of(space) != INFINITY and is_subset(space, found)


@record
class Functions(Space):
    left: Denoted
    right: Denoted
    total: bool = False
    onto: bool = False
    injective: bool = False
    whole: Denoted | None = None
    """Where `right` is only what is tried of an infinite set, that set: an image that is required lies in it."""

    def __contains__(self, value: Value) -> bool:
        lefts, rights = frozenset(a for a, _ in value), frozenset(b for _, b in value)
        fits = is_subset(lefts, self.left) & is_subset(rights, self.right)
        if not fits or len(lefts) < len(value) or (self.injective and len(rights) < len(value)):
            return False
        return _covers(self.total, self.left, lefts) and _covers(self.onto, self.right, rights)

    def size(self) -> int | float:
        """How many; where they have to be onto, an estimate from above."""
        points, targets = size_of(self.left), size_of(self.right)
        if points == 0 or targets == 0:
            return int(not (self.total and points) and not (self.onto and targets))
        if points == INFINITY or targets == INFINITY:
            # A finite value covers no infinite set, and without one side there is no end to the other.
            return (
                0 if (self.total and points == INFINITY) or (self.onto and targets == INFINITY) else INFINITY
            )
        if self.injective:
            few = [perm(int(targets), int(points))] if self.total else _injections(int(points), int(targets))
            return sum(few)
        base = targets if self.total else targets + 1
        return int(base) ** int(points) if points < 64 else INFINITY if base > 1 else 1

    def __iter__(self) -> Iterator[Value]:
        return self.searched()

    def searched(
        self,
        prune: Prune | None = None,
        require: Require | None = None,
        reached: Callable[[Value], None] | None = None,
    ) -> Iterator[Value]:
        """Those of which `prune` does not say on the way that they are not wanted, and that are as `require` says;
        `reached` is called with each point before its image is chosen."""
        if self.size() == 0:
            return iter(())
        if self.size() == INFINITY and INFINITY in (size_of(self.left), size_of(self.right)):
            raise Unbounded("all functions from or to an infinite set are needed")
        points = listed_in_order(self.left)
        targets = listed_in_order(self.right) if points else ()
        sets = {} if require is None else {point: require(point) for point in points}
        choices = [self._choices(sets.get(point), targets) for point in points]
        return self._extended({}, points, choices, len(targets), prune, {}, reached)

    def _choices(
        self, required: frozenset[Value] | None, targets: tuple[Value, ...]
    ) -> tuple[Value | None, ...]:
        if required is not None:
            whole = self.right if self.whole is None else self.whole
            return tuple(each for each in sorted(required, key=order) if each in whole)
        return targets if self.total else (None, *targets)

    def _extended(
        self,
        chosen: dict[Value, Value | None],
        points: tuple[Value, ...],
        choices: Sequence[tuple[Value | None, ...]],
        targets: int,
        prune: Prune | None,
        used: dict[Value, int],
        reached: Callable[[Value], None] | None,
    ) -> Iterator[Value]:
        """Depth first; `chosen` and `used` are changed and changed back."""
        at = len(chosen)
        if self.onto and targets - len(used) > len(points) - at:
            return
        if at == len(points):
            yield frozenset((a, b) for a, b in chosen.items() if b is not None)
            return
        point = points[at]
        if reached is not None:
            reached(point)
        for image in choices[at]:
            if image is not None and self.injective and image in used:
                continue
            chosen[point] = image
            if image is not None:
                used[image] = used.get(image, 0) + 1
            if prune is None or not prune(Partial(chosen, set(points[at + 1 :]), self.total)):
                yield from self._extended(chosen, points, choices, targets, prune, used, reached)
            if image is not None:
                used[image] -= 1
                if not used[image]:
                    del used[image]
            del chosen[point]


def _injections(points: int, targets: int) -> list[int]:
    if min(points, targets) > 1000:
        return [10**1000]
    return [comb(points, count) * perm(targets, count) for count in range(min(points, targets) + 1)]
