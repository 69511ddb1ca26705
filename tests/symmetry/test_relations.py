"""Relations that a group keeps: every element maps them to themselves, and they determine the group only where they do."""

from __future__ import annotations

from itertools import permutations
from math import factorial
from random import Random

import pytest
from burnside import _core
from burnside.symmetry.relations import is_product_of_symmetric_groups, kept_relations
from burnside.symmetry.structure import UnionFind

Permutation = tuple[int, ...]


def orbits_of(points: int, generators: list[Permutation]) -> list[list[int]]:
    found = UnionFind(points)
    for images in generators:
        for point, image in enumerate(images):
            found.join(point, image)
    return [orbit for orbit in found.members() if len(orbit) > 1]


def diagonal(images: Permutation, copies: int) -> Permutation:
    """The same permutation on several copies of the points."""
    size = len(images)
    return tuple(copy * size + image for copy in range(copies) for image in images)


def related(generators: list[Permutation]) -> tuple[list[tuple[int, int]], bool, int]:
    points = len(generators[0])
    order = _core.ElementGroup(points, generators).order
    return *kept_relations(points, generators, orbits_of(points, generators), order), order


ROTATION = (1, 2, 3, 4, 0)
FLIP = (0, 4, 3, 2, 1)
CUBE = [(1, 0, 3, 2, 5, 4, 7, 6), (0, 2, 1, 3, 4, 6, 5, 7), (0, 1, 4, 5, 2, 3, 6, 7)]
ALTERNATING = [(1, 2, 0, 3, 4), (0, 1, 3, 4, 2)]


@pytest.mark.parametrize(
    ("generators", "is_determined"),
    [
        ([ROTATION], True),
        ([ROTATION, FLIP], True),
        (CUBE, True),
        ([diagonal((1, 2, 3, 0), 3), diagonal((1, 0, 2, 3), 3)], True),
        ([diagonal(each, 2) for each in CUBE], True),
        # Two by two: everything but the odd permutations, which no relation between pairs can tell from all.
        (ALTERNATING, False),
        ([diagonal(each, 2) for each in ALTERNATING], False),
    ],
    ids=["rotations", "ring", "cube", "S4 three times", "cube twice", "A5", "A5 twice"],
)
def test_which_groups_are_those_of_a_graph(generators: list[Permutation], is_determined: bool) -> None:
    assert related(generators)[1] == is_determined


def test_points_that_move_together_are_tied() -> None:
    pairs, _, _ = related([diagonal((1, 2, 3, 0), 2), diagonal((1, 0, 2, 3), 2)])
    assert {frozenset(pair) for pair in pairs} == {frozenset((at, at + 4)) for at in range(4)}


@pytest.mark.parametrize("seed", range(60))
def test_random_groups(seed: int) -> None:
    """Kept by every generator; determined only where brute force finds no further permutation that keeps all of it."""
    random = Random(seed)
    size, copies = random.randint(2, 3), random.randint(1, 2)
    generators = []
    for _ in range(random.randint(1, 2)):
        images = list(range(size))
        random.shuffle(images)
        generators.append(diagonal(tuple(images), copies))
    if all(each == tuple(range(size * copies)) for each in generators):
        return
    pairs, is_determined, order = related(generators)
    for images in generators:
        assert {(images[a], images[b]) for a, b in pairs} == set(pairs)
    points = size * copies
    orbits = orbits_of(points, generators)
    inside = {point: number for number, orbit in enumerate(orbits) for point in orbit}
    keeping = [
        images
        for images in permutations(range(points))
        if all(inside.get(image, -1 - image) == inside.get(at, -1 - at) for at, image in enumerate(images))
        and {(images[a], images[b]) for a, b in pairs} == set(pairs)
    ]
    assert is_determined == (len(keeping) == order)


def test_products_of_symmetric_groups() -> None:
    assert is_product_of_symmetric_groups([[0, 1, 2], [3, 4]], factorial(3) * 2)
    assert not is_product_of_symmetric_groups([[0, 1, 2], [3, 4, 5]], factorial(3))
