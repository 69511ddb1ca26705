"""Groups of net automorphisms: against brute force on tiny nets, against sympy on larger ones, and what is no
symmetry is refused with the reason."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside import _core
from burnside.families import build
from burnside.net import Arcs, Net
from burnside.reference.permutations import point_orbits
from burnside.reference.symmetries import symmetries
from burnside.symmetry.nets import core_net
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sympy.combinatorics import Permutation, PermutationGroup

from tests.laws.methods import conditions, with_group
from tests.strategies import SymmetricNet, symmetric_nets

laws = settings(max_examples=150, deadline=None)

MODELS = Path(__file__).parents[3] / "shared" / "models" / "pnml"


@st.composite
def tiny_nets(draw: st.DrawFn) -> Net:
    """Any net with few places and transitions; twins of both kinds are likely."""
    places, transitions = draw(st.integers(1, 5)), draw(st.integers(0, 5))
    arc = st.tuples(st.integers(0, places - 1), st.sampled_from((1, 1, 1, 2)))
    arcs = st.lists(arc, max_size=3, unique_by=lambda each: each[0]).map(lambda each: tuple(sorted(each)))
    ends: st.SearchStrategy[list[Arcs]] = st.lists(arcs, min_size=transitions, max_size=transitions)
    return Net(
        "tiny",
        tuple(f"p{i}" for i in range(places)),
        tuple(draw(st.lists(st.sampled_from((0, 0, 1)), min_size=places, max_size=places))),
        tuple(f"t{i}" for i in range(transitions)),
        tuple(draw(ends)),
        tuple(draw(ends)),
    )


def twins_of_places(net: Net) -> list[list[int]]:
    """Places with the same arcs, whatever they hold."""
    shapes: dict[Any, list[int]] = {}
    for place in range(len(net.places)):
        pairs = zip(net.consumes, net.produces, strict=True)
        shape = tuple((dict(before).get(place), dict(after).get(place)) for before, after in pairs)
        shapes.setdefault(shape, []).append(place)
    return list(shapes.values())


def assert_is(group: _core.Group, elements: list[Any], net: Net) -> None:
    """The order, the orbits, and on few places every single permutation."""
    on_places = {places for places, _ in elements}
    assert group.order == len(elements)
    assert group.place_orbits() == point_orbits(list(on_places), len(net.places))
    assert group.transition_orbits() == point_orbits([images for _, images in elements], len(net.transitions))
    few = len(net.places) <= 6
    for images in permutations(range(len(net.places))) if few else on_places:
        assert group.contains(images) == (images in on_places), images


@laws
@given(tiny_nets(), st.booleans())
def test_all_automorphisms_of_tiny_nets(net: Net, fixed: bool) -> None:
    fixing = [net.initial] if fixed else []
    group = _core.automorphisms(core_net(net), fixing, [])
    assert group.complete
    assert_is(group, symmetries(net, fixing), net)


@laws
@given(tiny_nets(), st.lists(st.lists(st.integers(0, 1), min_size=5, max_size=5), min_size=1, max_size=2))
def test_automorphisms_that_fix_markings(net: Net, markings: list[list[int]]) -> None:
    fixing = [marking[: len(net.places)] for marking in markings]
    assert_is(_core.automorphisms(core_net(net), fixing, []), symmetries(net, fixing), net)


def test_twins_that_start_differently_are_exchanged_where_nothing_is_fixed() -> None:
    net = Net("twins", ("a", "b", "c"), (1, 1, 2), ("t",), (((0, 1), (1, 1), (2, 1)),), ((),))
    assert_is(_core.automorphisms(core_net(net), [], []), symmetries(net), net)


def test_twins_that_a_fixed_marking_tells_apart_are_not_exchanged() -> None:
    net = Net("twins", ("a", "b"), (0, 0), (), (), ())
    assert_is(_core.automorphisms(core_net(net), [[0, 1]], []), symmetries(net, [[0, 1]]), net)


@laws
@given(symmetric_nets())
def test_automorphisms_of_symmetric_nets(made: SymmetricNet) -> None:
    net = made.net
    shapes = list(zip(net.consumes, net.produces, strict=True))
    assume(all(shapes.count(shape) <= 3 for shape in shapes) and len(set(shapes)) >= len(shapes) - 4)
    group = with_group(net).group
    assert_is(group, symmetries(net, [net.initial]), net)
    for places, transitions in made.generators:
        assert group.contains(places)
        assert _core.certify(core_net(net), places, transitions) is None


# An expression and the symmetries that keep it.

Normal = tuple[Any, ...]


def normal(core: Any, name: Callable[[int], int]) -> Normal:
    """An expression of the core with its places renamed, so that equal ones are equal values."""
    match core:
        case ("<=" | "=" as operator, terms, constant):
            sums: dict[int, int] = {}
            for place, coefficient in terms:
                sums[name(place)] = sums.get(name(place), 0) + coefficient
            left = tuple(sorted((place, c) for place, c in sums.items() if c))
            if operator == "=" and left and left[0][1] < 0:
                left, constant = tuple((place, -c) for place, c in left), -constant
            return operator, left, constant
        case ("not", inner):
            return "not", normal(inner, name)
        case ("and" | "or" as operator, parts):
            return operator, frozenset(normal(part, name) for part in parts)
        case _:
            return tuple(core)


@laws
@given(st.data())
def test_the_subgroup_that_keeps_an_expression_is_all_of_it(data: st.DataObject) -> None:
    net = data.draw(st.one_of(tiny_nets(), symmetric_nets().map(lambda made: made.net)))
    shapes = list(zip(net.consumes, net.produces, strict=True))
    assume(all(shapes.count(shape) <= 2 for shape in shapes))
    kept = data.draw(conditions(net)).core
    # Places that always hold the same number mean the same in an expression.
    first = {p: twins[0] for twins in alike(net) for p in twins}
    elements = [
        element
        for element in symmetries(net, [net.initial])
        if normal(kept, lambda place, images=element[0]: first[images[place]])
        == normal(kept, first.__getitem__)
    ]
    group = _core.automorphisms(core_net(net), [net.initial], [kept])
    assert_is(group, elements, net)
    assert with_group(net).group.order % group.order == 0


def alike(net: Net) -> list[list[int]]:
    """Places that cannot differ: the same arcs and the same start."""
    return [
        [place for place in twins if net.initial[place] == tokens]
        for twins in twins_of_places(net)
        for tokens in {net.initial[place] for place in twins}
    ]


# A second opinion on larger groups.


def sympy_order(group: _core.Group, net: Net) -> int:
    degree = len(net.places) + len(net.transitions)
    generators = [
        Permutation([*places, *(len(places) + image for image in transitions)], size=degree)
        for places, transitions, _ in group.generators()
    ]
    return int(PermutationGroup(generators or [Permutation(degree - 1)]).order())


def assert_certified(net: Net) -> _core.Group:
    made = with_group(net)
    for places, transitions in made.generators:
        assert _core.certify(made.core, places, transitions) is None
    assert made.group.fixes(net.initial)
    again = _core.certified_group(made.core, made.generators)
    assert again.order == made.group.order == sympy_order(made.group, net)
    for seed in range(5):
        assert again.contains(made.group.random_element(seed))
    return made.group


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("ph 12", 12),
        ("db 5", factorial(5)),
        ("grid 2 4", 8),
        ("grid 3 3", 48),
        ("grid 4 2", 384),
        ("graphs 6", factorial(6)),
        ("digraphs 5", factorial(5)),
        ("mutex 7", factorial(7)),
        ("railroad", 2),
        ("railroad 9 3", 3),
    ],
)
def test_orders_of_families(text: str, order: int) -> None:
    name, *params = text.split()
    assert assert_certified(build(name, params)).order == order


@pytest.mark.parametrize("n", [20, 30])
def test_orders_beyond_64_bits(n: int) -> None:
    assert with_group(build("mutex", [n])).group.order == factorial(n)
    assert with_group(build("db", [n // 2])).group.order == factorial(n // 2)


@pytest.mark.parametrize(
    "instance",
    [
        "Angiogenesis-PT-01",
        "AutoFlight-PT-02a",
        "AutonomousCar-PT-02a",
        "CircularTrains-PT-012",
        "DatabaseWithMutex-PT-02",
        "GPUForwardProgress-PT-04a",
        "HexagonalGrid-PT-110",
        "NQueens-PT-05",
        "Philosophers-PT-000010",
        "PhilosophersDyn-PT-03",
        "SharedMemory-PT-000005",
        "StigmergyElection-PT-02a",
        "Sudoku-PT-AN02",
    ],
)
def test_orders_of_contest_models(instance: str) -> None:
    file = MODELS / instance / "model.pnml"
    if not file.exists():
        pytest.skip(f"{instance} is not there: ../shared/models/pnml")
    assert_certified(burnside.load(file))


# What is no symmetry.

RING = Net(
    "ring",
    ("a", "b", "c"),
    (1, 0, 0),
    ("ab", "bc", "ca"),
    (((0, 1),), ((1, 1),), ((2, 1),)),
    (((1, 1),), ((2, 1),), ((0, 1),)),
)


@pytest.mark.parametrize(
    ("places", "transitions", "reason"),
    [
        ((1, 0, 2), (0, 1, 2), "arcs of transition 0 do not become those of transition 0"),
        ((1, 2, 0), (1, 0, 2), "arcs of transition 1 do not become those of transition 0"),
        ((1, 1, 0), (1, 2, 0), "no permutation"),
        ((1, 2, 0), (1, 2), "no permutation"),
        ((1, 2, 0, 3), (1, 2, 0), "no permutation"),
        ((1, 2, 9), (1, 2, 0), "no permutation"),
    ],
)
def test_what_is_no_symmetry_is_refused(places: Any, transitions: Any, reason: str) -> None:
    core = core_net(RING)
    assert reason in (_core.certify(core, places, transitions) or "")
    with pytest.raises(ValueError, match=reason):
        _core.certified_group(core, [((1, 2, 0), (1, 2, 0)), (places, transitions)])


@laws
@given(tiny_nets(), st.data())
def test_only_symmetries_are_certified(net: Net, data: st.DataObject) -> None:
    places = tuple(data.draw(st.permutations(range(len(net.places)))))
    transitions = tuple(data.draw(st.permutations(range(len(net.transitions)))))
    true = (places, transitions) in symmetries(net)
    assert (_core.certify(core_net(net), places, transitions) is None) == true


def test_a_given_symmetry_may_move_the_initial_marking() -> None:
    group = _core.certified_group(core_net(RING), [((1, 2, 0), (1, 2, 0))])
    assert (group.order, group.fixes(RING.initial)) == (3, False)


@laws
@given(symmetric_nets(), st.integers(0, 2**64 - 1))
def test_random_elements_belong_to_the_group_and_it_is_closed(made: SymmetricNet, seed: int) -> None:
    group = with_group(made.net).group
    one, other = group.random_element(seed), group.random_element(seed // 3)
    assert group.contains([one[image] for image in other])
    assert group.contains([one.index(place) for place in range(len(one))])
