"""The brute-force automorphisms against orders known by hand, and against what the strategies promise."""

from __future__ import annotations

from math import factorial

import pytest
from burnside.families import build
from burnside.net import Net
from burnside.reference.permutations import compose, group_elements, point_orbits
from burnside.reference.symmetries import certify, symmetries
from hypothesis import given, settings

from tests.strategies import TOPOLOGIES, SymmetricNet, symmetric_nets


def ring(size: int, *, both_ways: bool) -> Net:
    """A token ring; with steps both ways it has the symmetries of the polygon (Junttila 2003, Fig. 4.1)."""
    steps = [(i, (i + 1) % size) for i in range(size)]
    steps += [(j, i) for i, j in steps] if both_ways else []
    return Net(
        "ring",
        tuple(f"p{i}" for i in range(size)),
        tuple(int(i == 0) for i in range(size)),
        tuple(f"t{i}_{j}" for i, j in steps),
        tuple(((i, 1),) for i, _ in steps),
        tuple(((j, 1),) for _, j in steps),
    )


def loose(*transitions: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]) -> Net:
    """Three places and the given transitions."""
    names = tuple(f"t{i}" for i in range(len(transitions)))
    consumes, produces = tuple(t[0] for t in transitions), tuple(t[1] for t in transitions)
    return Net("loose", ("a", "b", "c"), (0, 0, 0), names, consumes, produces)


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_rings(size: int) -> None:
    assert len(symmetries(ring(size, both_ways=False))) == size
    both = ring(size, both_ways=True)
    assert len(symmetries(both)) == 2 * size
    assert len(symmetries(both, [both.initial])) == 2
    assert len(symmetries(both, [both.initial, both.fire(both.initial, 0)])) == 1


def test_weights_and_directions_tell_places_apart() -> None:
    assert len(symmetries(loose())) == factorial(3)
    assert len(symmetries(loose((((0, 1),), ()), (((1, 1),), ()), (((2, 1),), ())))) == 6
    assert len(symmetries(loose((((0, 1),), ()), (((1, 2),), ()), (((2, 1),), ())))) == 2
    assert len(symmetries(loose((((0, 1),), ()), ((), ((1, 1),)), (((2, 1),), ())))) == 2


def test_equal_transitions_are_exchanged_freely() -> None:
    twice = (((0, 1),), ((1, 1),))
    assert len(symmetries(loose(twice, twice, twice))) == 6
    assert len(symmetries(loose(twice, twice, (((1, 1),), ((0, 1),))))) == 2


@pytest.mark.parametrize(
    ("name", "params", "order", "fixing_order"),
    [
        ("ph", (4,), 4, 4),
        ("db", (3,), 6, 6),
        ("grid", (1, 4), 2, 2),
        ("grid", (2, 2), 8, 8),
        ("graphs", (4,), 24, 24),
        ("digraphs", (4,), 24, 24),
        ("railroad", (6, 2), 12, 2),
        ("railroad", (9, 3), 54, 3),
        ("mutex", (4,), 24, 24),
    ],
)
def test_families(name: str, params: tuple[int, ...], order: int, fixing_order: int) -> None:
    net = build(name, params)
    assert len(symmetries(net)) == order
    assert len(symmetries(net, [net.initial])) == fixing_order


def test_certify_says_why_not() -> None:
    net = ring(3, both_ways=False)
    assert certify(net, ((1, 2, 0), (1, 2, 0))) is None
    assert certify(net, ((1, 2, 0), (0, 1, 2))) == "the arcs of t0_1 do not become those of t0_1"
    assert certify(net, ((1, 1, 0), (1, 2, 0))) == "it is not a permutation of the places"
    assert certify(net, ((1, 2, 0), (1, 2))) == "it is not a permutation of the transitions"


def test_topologies_have_the_orders_they_are_named_after() -> None:
    orders = {
        name: len(group_elements([(images, ()) for images in topology.generators], topology.copies, 0))
        for name, topology in TOPOLOGIES.items()
    }
    assert orders == {
        "S2": 2, "S3": 6, "S4": 24, "C3": 3, "C4": 4, "D4": 8, "S2 wr S2": 8, "S2 x S2": 4,
    }  # fmt: skip


@given(symmetric_nets())
def test_the_promised_symmetries_are_some(made: SymmetricNet) -> None:
    for generator in made.generators:
        assert certify(made.net, generator) is None


@settings(max_examples=40, deadline=None)
@given(symmetric_nets())
def test_the_search_finds_a_group_with_all_promised_symmetries(made: SymmetricNet) -> None:
    net = made.net
    places = {images for images, _ in symmetries(_merged(net), [net.initial])}
    assert tuple(range(len(net.places))) in places
    assert {images for images, _ in made.generators} <= places
    for images in list(places)[:5]:
        for other in list(places)[:5]:
            assert compose((images, ()), (other, ()))[0] in places


def _merged(net: Net) -> Net:
    """At most two of equal transitions: their permutations would fill the list; places move as before."""
    shapes = list(zip(net.consumes, net.produces, strict=True))
    kept = sorted(set(shapes))
    doubled = [shape for shape in kept for _ in range(min(2, shapes.count(shape)))]
    names = tuple(f"t{i}" for i in range(len(doubled)))
    consumes, produces = tuple(s[0] for s in doubled), tuple(s[1] for s in doubled)
    return Net(net.name, net.places, net.initial, names, consumes, produces)


def test_point_orbits() -> None:
    assert point_orbits([(1, 0, 2, 4, 3)], 5) == [[0, 1], [2], [3, 4]]
    assert point_orbits([], 2) == [[0], [1]]
