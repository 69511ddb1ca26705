"""Automorphisms of coloured graphs by the core: as many as there are by trying all permutations; in time, or not at all."""

from __future__ import annotations

import time
from itertools import permutations

from burnside import _core
from hypothesis import given, settings
from hypothesis import strategies as st

Labelled = list[tuple[int, int, int]]


def by_force(points: list[int], edges: Labelled) -> int:
    """One node for each edge between points, coloured by its label."""
    wanted = set(edges)
    return sum(
        all(points[image] == points[at] for at, image in enumerate(images))
        and {(images[a], images[b], label) for a, b, label in edges} == wanted
        for images in permutations(range(len(points)))
    )


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[int], Labelled]:
    points = draw(st.lists(st.integers(0, 1), min_size=1, max_size=5))
    at = st.integers(0, len(points) - 1)
    return points, draw(st.lists(st.tuples(at, at, st.integers(0, 1)), max_size=12, unique=True))


@given(graphs())
@settings(max_examples=150)
def test_all_automorphisms_are_found(graph: tuple[list[int], Labelled]) -> None:
    points, arcs = graph
    edges = [
        (len(points) + number, end, side)
        for number, (a, b, _) in enumerate(arcs)
        for side, end in enumerate((a, b))
    ]
    found = _core.graph_automorphisms(points, [label for *_, label in arcs], edges)
    assert found is not None
    generators, order = found
    assert order == by_force(points, arcs)
    for images in generators:
        assert {(images[a], images[b], label) for a, b, label in arcs} == set(arcs)
    assert _core.ElementGroup(len(points), generators).order == order


def hypercube(dimension: int) -> tuple[list[int], list[int], Labelled]:
    """Every pair of corners has a node, joined to it and to their difference."""
    size = 1 << dimension
    pairs = [(a, b) for a in range(size) for b in range(size)]
    edges = [
        edge
        for at, (a, b) in enumerate(pairs, start=2 * size)
        for edge in ((at, a, 0), (at, b, 1), (at, size + (a ^ b), 2))
    ]
    bits = [(2 * size + len(pairs), size + (1 << bit), 0) for bit in range(dimension)]
    return [0] * size + [1] * size, [0] * len(pairs) + [1], edges + bits


def test_large_graphs_do_not_take_long() -> None:
    begun = time.perf_counter()
    found = _core.graph_automorphisms(*hypercube(6))
    assert found is not None
    assert found[1] == 46080
    assert time.perf_counter() - begun < 5


def test_giving_up() -> None:
    assert _core.graph_automorphisms(*hypercube(7), seconds=0) is None
    found = _core.graph_automorphisms(*hypercube(3))
    assert found is not None
    assert found[1] == 48
