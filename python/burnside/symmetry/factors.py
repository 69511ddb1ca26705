"""Permutation groups as they are taken apart for a name: direct factors, orbits, blocks.

In: generators, as lists of images or as moved points. Out: a `Factor` for each direct factor that is found. Orders come
from the core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from math import factorial, lcm, prod

from burnside.records import field, record, replace

MAX_WORK = 5_000_000
"""Points times generators squared, or points of an orbit squared; more is not worth a name."""
MAX_ORBITS = 24
"""Of one factor, beyond which it is not split further."""

Permutation = Mapping[int, int]
"""Moved points only."""


def group_order(generators: Sequence[Sequence[int]], at_most: int | None = None) -> int:
    """The order of a permutation group. Where it is as large as it can be, that is found out much faster."""
    from burnside import _core

    return _core.ElementGroup(len(generators[0]), generators, order=at_most).order


def moved(images: Sequence[int]) -> Permutation:
    return {point: image for point, image in enumerate(images) if point != image}


def by_support(generators: Sequence[Permutation]) -> list[list[int]]:
    """Generators (by number) in the same class where their supports are connected."""
    classes = UnionFind(len(generators))
    first_to_move: dict[int, int] = {}
    for number, generator in enumerate(generators):
        for point in generator:
            classes.join(number, first_to_move.setdefault(point, number))
    return classes.members()


class UnionFind:
    """Union-find over 0, 1, ..., size - 1."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def find(self, point: int) -> int:
        while self._parent[point] != point:
            self._parent[point] = self._parent[self._parent[point]]
            point = self._parent[point]
        return point

    def join(self, one: int, other: int) -> bool:
        """True where they were apart."""
        one, other = self.find(one), self.find(other)
        self._parent[max(one, other)] = min(one, other)
        return one != other

    def members(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for point in range(len(self._parent)):
            found.setdefault(self.find(point), []).append(point)
        return list(found.values())


@record
class Factor:
    """One direct factor: its generators are not linked to any others by what they move."""

    generators: tuple[Permutation, ...]
    at_most: int | None = field(default=None, compare=False)
    """Its order is not larger, where that is known."""

    @cached_property
    def points(self) -> list[int]:
        return sorted(set().union(*self.generators))

    @cached_property
    def order(self) -> int:
        largest = prod(factorial(len(orbit)) for orbit in self.orbits)
        at_most = largest if self.at_most is None else min(largest, self.at_most)
        return group_order(self.action_on([[point] for point in self.points]), at_most)

    @cached_property
    def orbits(self) -> list[list[int]]:
        """Small ones first."""
        index = {point: number for number, point in enumerate(self.points)}
        classes = UnionFind(len(self.points))
        for generator in self.generators:
            for point, image in generator.items():
                classes.join(index[point], index[image])
        return sorted(([self.points[i] for i in orbit] for orbit in classes.members()), key=len)

    def action_on(self, parts: Sequence[Sequence[int]]) -> list[list[int]]:
        """The generators as permutations of points or blocks, which they must permute."""
        part_of = {point: number for number, part in enumerate(parts) for point in part}
        return [[part_of[g.get(part[0], part[0])] for part in parts] for g in self.generators]

    def is_faithful_on(self, parts: Sequence[Sequence[int]]) -> bool:
        """Does no element but the identity keep every part?"""
        at_most = min(self.order, factorial(len(parts)))
        return group_order(self.action_on(parts), at_most) == self.order

    def restricted_to(self, points: Sequence[int]) -> Factor:
        """Its action on points that it permutes."""
        inside = set(points)
        own = [{point: image for point, image in each.items() if point in inside} for each in self.generators]
        return Factor(tuple(each for at, each in enumerate(own) if each and each not in own[:at]), self.order)


def direct_factors(factor: Factor) -> list[Factor]:
    """Orbits on which the group acts independently. Two are joined where the group on both is smaller than the product of
    the groups on each; if then the orders of all parts multiply to that of the group, it is their direct product."""
    orbits = factor.orbits
    if not 1 < len(orbits) <= MAX_ORBITS:
        return [factor]
    single = [factor.restricted_to(orbit).order for orbit in orbits]
    for orbit, order in zip(orbits, single, strict=True):
        if order == factor.order:
            return [factor.restricted_to(orbit)]
    parts = UnionFind(len(orbits))
    for a, b in combinations(range(len(orbits)), 2):
        if parts.find(a) != parts.find(b):
            both = replace(
                factor.restricted_to([*orbits[a], *orbits[b]]),
                at_most=min(factor.order, single[a] * single[b]),
            )
            if both.order < single[a] * single[b]:
                parts.join(a, b)
    found = [factor.restricted_to([point for at in part for point in orbits[at]]) for part in parts.members()]
    return found if prod(each.order for each in found) == factor.order else [factor]


def block_systems(generators: Sequence[Permutation], orbit: Sequence[int]) -> Iterator[list[list[int]]]:
    """The systems of imprimitivity generated by two points of an orbit: neither points nor the whole."""
    index = {point: number for number, point in enumerate(orbit)}
    local = [[index[g.get(point, point)] for point in orbit] for g in generators]
    if len(orbit) ** 2 * len(local) > MAX_WORK:
        return
    seen: set[tuple[int, ...]] = set()
    for other in range(1, len(orbit)):
        blocks = _blocks_joining(local, other)
        key = tuple(blocks[0])
        if len(blocks) > 1 and key not in seen:
            seen.add(key)
            yield [[orbit[point] for point in block] for block in blocks]


def _blocks_joining(local: Sequence[Sequence[int]], other: int) -> list[list[int]]:
    """The finest block system in which point 0 and another share a block (Atkinson 1975)."""
    classes = UnionFind(len(local[0]))
    classes.join(0, other)
    waiting = [(0, other)]
    while waiting:
        one, two = waiting.pop()
        for images in local:
            if classes.join(images[one], images[two]):
                waiting.append((images[one], images[two]))
    return classes.members()


def product(second: Permutation, first: Permutation) -> dict[int, int]:
    """Right to left, as everywhere: first `first`, then `second`."""
    images = {point: second.get(image, image) for point, image in first.items()}
    for point, image in second.items():
        images.setdefault(point, image)
    return {point: image for point, image in images.items() if point != image}


def order_of(permutation: Permutation) -> int:
    """The least common multiple of the cycle lengths."""
    lengths = {1}
    seen: set[int] = set()
    for start in permutation:
        length, point = 0, start
        while point not in seen:
            seen.add(point)
            length += 1
            point = permutation[point]
        lengths.add(max(length, 1))
    return lcm(*lengths)
