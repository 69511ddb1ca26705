"""Relations between points that a group keeps: refinement goes along them, and some determine the group.

In: generators on points, their orbits, the order of the group. Out: pairs of points that every element maps to such pairs,
and whether the group is all permutations that keep its orbits and these pairs. Then it is the group of a graph, which nauty
can be shown together with a state, so it finds canonical forms under this group.

* *Ties*: pairs of points of two orbits of which the one goes wherever the other does: a process, its channel and its number.
  A number that a state tells apart from others then tells its process apart.
* *Orbitals*, where ties do not determine the group: all images of one pair of points of an orbit. Neighbours in a ring or a
  hypercube are such.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import factorial, prod

Permutations = Sequence[Sequence[int]]
Orbits = Sequence[Sequence[int]]
Pair = tuple[int, int]

MAX_POINTS = 1_000
"""Of groups whose orbitals are looked at."""
MAX_PAIRS = 10_000
"""Of an orbital."""
MAX_TRIED = 4
"""Orbitals of an orbit."""


def kept_relations(
    points: int, generators: Permutations, orbits: Orbits, order: int, known: Sequence[Pair] = ()
) -> tuple[list[Pair], bool]:
    """The pairs, with those that are known already, and whether they determine the group."""
    ties = list(dict.fromkeys([*known, *_ties(generators, orbits)]))
    if points > MAX_POINTS:
        return ties, False
    if _is_determined(points, orbits, ties, order):
        return ties, True
    tried: set[int] = set()
    for orbit in sorted(orbits, key=len, reverse=True):
        if not _is_tied(orbit[0], tried, ties):
            for orbital in _orbitals(generators, orbit):
                both = list(dict.fromkeys([*ties, *orbital]))
                if _is_determined(points, orbits, both, order):
                    return both, True
            tried.update(orbit)
    return ties, False


def is_product_of_symmetric_groups(orbits: Orbits, order: int) -> bool:
    """Are all permutations that keep the orbits in the group?"""
    return order == prod(factorial(len(orbit)) for orbit in orbits)


def _is_tied(point: int, others: set[int], ties: Sequence[Pair]) -> bool:
    """To one of these points? Then it says no more than they do."""
    return any((a == point and b in others) or (b == point and a in others) for a, b in ties)


def _is_determined(points: int, orbits: Orbits, pairs: Sequence[Pair], order: int) -> bool:
    from burnside import _core

    fresh = count(len(orbits))
    colours = [-1] * points
    for number, orbit in enumerate(orbits):
        for point in orbit:
            colours[point] = number
    colours = [next(fresh) if colour < 0 else colour for colour in colours]
    edges = [
        (number, point, side) for number, pair in enumerate(pairs, points) for side, point in enumerate(pair)
    ]
    found = _core.graph_automorphisms(colours, [0] * len(pairs), edges)
    return found is not None and found[1] == order


def _ties(generators: Permutations, orbits: Orbits) -> Iterator[Pair]:
    for number, one in enumerate(orbits):
        for other in orbits[number + 1 :]:
            small, large = sorted((one, other), key=len)
            # What is fixed along with a point is determined by it, so the point has the larger orbit.
            ties = (_tied(large[0], second, generators) for second in small)
            yield from next((tie for tie in ties if tie), [])


def _tied(first: int, second: int, generators: Permutations) -> list[Pair]:
    """All images of a pair, if each image of the first point goes with one image of the second; else none."""
    known, waiting = {first: second}, [first]
    while waiting:
        point = waiting.pop()
        for images in generators:
            image, goes_with = images[point], images[known[point]]
            if image not in known:
                known[image] = goes_with
                waiting.append(image)
            elif known[image] != goes_with:
                return []
    return sorted(known.items())


def _orbitals(generators: Permutations, orbit: Sequence[int]) -> list[list[Pair]]:
    """The smallest ones of an orbit, without that of equal points."""
    first, seen = orbit[0], set[Pair]()
    found = []
    for second in orbit[1:]:
        if (first, second) not in seen:
            pairs = _images((first, second), generators)
            seen |= pairs
            if len(pairs) <= MAX_PAIRS:
                found.append(sorted(pairs))
    return sorted(found, key=len)[:MAX_TRIED]


def _images(pair: Pair, generators: Permutations) -> set[Pair]:
    """Of a pair; more than `MAX_PAIRS` where there are more."""
    known, waiting = {pair}, [pair]
    while waiting and len(known) <= MAX_PAIRS:
        a, b = waiting.pop()
        new = {(images[a], images[b]) for images in generators} - known
        known |= new
        waiting += new
    return known
