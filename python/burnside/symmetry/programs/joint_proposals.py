"""Proposals of permutations that move elements of several sorts at once: names that go together.

In: a program whose sorts, one by one, were searched already. Out: a few cheap proposals, for `certify` to decide: elements
at the same positions of all sorts, and pairs together with the pairs that are named beside them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from burnside.ir.program import Program
from burnside.ir.types import Sort
from burnside.symmetry.points import Images, composed, identity, mirrored, offset, on_sort
from burnside.symmetry.programs.mentions import occurrences

MAX_PROPOSALS = 60
MAX_ELEMENTS = 12
"""Of a sort that takes part: larger ones are lists of labels."""


def proposals(program: Program, broken: frozenset[str], moved: frozenset[int]) -> Iterator[Images]:
    """Only sorts of which nothing moves yet take part, and rings, read backwards."""
    sorts = [
        sort
        for sort in program.sorts
        if 1 < sort.size <= MAX_ELEMENTS
        and sort.name not in broken
        and moved.isdisjoint(range(offset(program, sort), offset(program, sort) + sort.size))
    ]
    yield from _mirrors(program, broken, [sort for sort in sorts if sort.size == 2])
    if len(sorts) < 2:
        return
    seen: set[Images] = set()
    for swaps in [*_beside(program, sorts), *_positions(sorts)]:
        permutation = _swapped(program, swaps)
        if permutation not in seen and len(swaps) > 1:
            seen.add(permutation)
            yield permutation
        if len(seen) >= MAX_PROPOSALS:
            return


def _mirrors(program: Program, broken: frozenset[str], pairs: list[Sort]) -> Iterator[Images]:
    """A ring read backwards, with two names exchanged: left and right."""
    for ring in program.sorts:
        if ring.origin == "range" and ring.size > 2 and ring.name not in broken:
            for pair in pairs:
                mirror = on_sort(program, ring, mirrored(ring.size))
                yield composed(mirror, on_sort(program, pair, (1, 0)))


Swaps = list[tuple[Sort, int, int]]


def _swapped(program: Program, swaps: Swaps) -> Images:
    images = list(identity(program))
    for sort, a, b in swaps:
        first = offset(program, sort)
        images[first + a], images[first + b] = first + b, first + a
    return tuple(images)


def _positions(sorts: list[Sort]) -> Iterator[Swaps]:
    """The same two positions in every sort of one size."""
    for size in sorted({sort.size for sort in sorts}):
        alike = [sort for sort in sorts if sort.size == size]
        if len(alike) > 1:
            for a, b in combinations(range(size), 2):
                yield [(sort, a, b) for sort in alike]


def _beside(program: Program, sorts: list[Sort]) -> Iterator[Swaps]:
    """Two elements of a sort, and in every other sort the two that are named only beside one of them."""
    parts = [occurrences(part) for part in (*program.starts, *program.actions, *program.functions)]
    for sort in sorts:
        for a, b in combinations(range(sort.size), 2):
            with_a = [count for count in parts if count[sort.name, a] and not count[sort.name, b]]
            with_b = [count for count in parts if count[sort.name, b] and not count[sort.name, a]]
            if not with_a or len(with_a) != len(with_b):
                continue
            swaps: Swaps = [(sort, a, b)]
            for other in sorts:
                if other is not sort:
                    swaps += _partners(other, with_a, with_b)
            yield swaps


Counts = list[Counter[tuple[str, int]]]


def _partners(sort: Sort, with_a: Counts, with_b: Counts) -> Swaps:
    named_a = {each for each in range(sort.size) if any(count[sort.name, each] for count in with_a)}
    named_b = {each for each in range(sort.size) if any(count[sort.name, each] for count in with_b)}
    only_a, only_b = sorted(named_a - named_b), sorted(named_b - named_a)
    if len(only_a) != len(only_b):
        return []
    return [(sort, a, b) for a, b in zip(only_a, only_b, strict=True)]
