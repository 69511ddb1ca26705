"""Permutations and groups of nets by plain enumeration.

In: generators, each a pair of images of the places and of the transitions. Out: images of markings, orbits of points, and on
request every element of the group. A permutation s moves a marking by s(M)(s(p)) = M(p); products are read from right to
left, both as in Junttila 2003.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import RefusedError

Images = Sequence[int]
Permutation = tuple[Images, Images]
"""Where places and transitions go; point i goes to images[i]."""

Element = tuple[tuple[int, ...], tuple[int, ...]]
"""A permutation that can be a member of a set."""

Marking = tuple[int, ...]

GROUP_LIMIT = 100_000


def move(images: Images, marking: Sequence[int]) -> Marking:
    """The marking s(M) with s(M)(s(p)) = M(p)."""
    moved = [0] * len(marking)
    for place, tokens in enumerate(marking):
        moved[images[place]] = tokens
    return tuple(moved)


def compose(after: Permutation, before: Permutation) -> Element:
    """First `before`, then `after`."""
    return tuple(after[0][i] for i in before[0]), tuple(after[1][i] for i in before[1])


def group_elements(
    generators: Sequence[Permutation], places: int, transitions: int, limit: int = GROUP_LIMIT
) -> set[Element]:
    """The whole group on that many places and transitions, one element at a time."""
    identity: Element = (tuple(range(places)), tuple(range(transitions)))
    found, waiting = {identity}, [identity]
    while waiting:
        current = waiting.pop()
        for generator in generators:
            product = compose(generator, current)
            if product not in found:
                found.add(product)
                waiting.append(product)
        if len(found) > limit:
            raise RefusedError(f"the group has more than {limit:,} elements: too many to list")
    return found


def point_orbits(generators: Sequence[Images], degree: int) -> list[list[int]]:
    """The orbits of the points 0..degree-1, each sorted, in order of their smallest points."""
    seen: set[int] = set()
    cells = []
    for point in range(degree):
        if point in seen:
            continue
        cell, waiting = {point}, [point]
        while waiting:
            current = waiting.pop()
            new = {images[current] for images in generators} - cell
            cell |= new
            waiting += new
        seen |= cell
        cells.append(sorted(cell))
    return cells
