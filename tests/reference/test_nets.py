"""The laws of reduction, on random nets with known symmetries; then limits, properties and refusals."""

from __future__ import annotations

from itertools import pairwise

import pytest
from burnside.diagnostics import ContradictionError, RefusedError, UsageError
from burnside.exploration import Exploration
from burnside.families import build
from burnside.kinds.net.semantics import NetSemantics
from burnside.net import MAX_TOKENS, Net
from burnside.reference.explorer import state_graph
from burnside.reference.orbits import Orbits, orbit
from burnside.reference.permutations import group_elements, move
from burnside.reference.symmetries import symmetries
from burnside.semantics import DEADLOCK, FIRST_PROPERTY
from hypothesis import given, settings

from tests.exploring import explore_net as explore
from tests.exploring import fired, tokens
from tests.strategies import SymmetricNet, symmetric_nets

laws = settings(max_examples=150, deadline=None)


def replays(net: Net, result: Exploration) -> bool:
    """Does every trace run on the unreduced net from the initial marking?"""
    for claim in result.claims.values():
        assert claim.steps[0] == (None, net.initial)
        for (_, before), (transition, after) in pairwise(claim.steps):
            assert transition is not None and net.is_enabled(before, transition)
            assert net.fire(before, transition) == after
    return True


@laws
@given(symmetric_nets())
def test_orbit_sizes_add_up_to_the_full_count(made: SymmetricNet) -> None:
    full, reduced = explore(made.net), explore(made.net, made.generators)
    assert reduced.full_states == sum(reduced.orbit_sizes) == full.states
    assert reduced.states <= full.states
    assert full.full_states == full.states


@laws
@given(symmetric_nets())
def test_everything_counted_by_orbits_agrees_with_the_full_graph(made: SymmetricNet) -> None:
    net = made.net
    full, reduced = explore(net), explore(net, made.generators)
    assert tokens(net, reduced, made.generators) == tokens(net, full)
    assert fired(reduced, made.generators) == fired(full)
    assert reduced.depth == full.depth  # breadth-first layers are unions of orbits
    sizes = dict(zip(reduced.stored, reduced.orbit_sizes, strict=True))
    assert sum(sizes[m] for m in reduced.stored if not net.enabled(m)) == full.deadlocks
    assert sum(sizes[m] * len(net.enabled(m)) for m in reduced.stored) == full.transitions


@laws
@given(symmetric_nets())
def test_reduced_verdicts_equal_full_verdicts_and_traces_replay(made: SymmetricNet) -> None:
    net = made.net
    half = sum(net.initial) // 2
    properties = {
        "deadlock": True,
        "safe": True,
        "invariants": [lambda m: sum(m) > half, lambda m: len(set(m)) > 1],
        "goals": [lambda m: max(m) > 2],
        "keep_going": True,
    }
    full, reduced = explore(net, **properties), explore(net, made.generators, **properties)
    lengths = {number: len(claim.steps) for number, claim in full.claims.items()}
    assert lengths == {number: len(claim.steps) for number, claim in reduced.claims.items()}
    assert replays(net, full) and replays(net, reduced)
    ends = {number: claim.steps[-1][1] for number, claim in reduced.claims.items()}
    assert all(not net.enabled(end) for number, end in ends.items() if number == DEADLOCK)
    assert all(max(end) > 1 for number, end in ends.items() if number == FIRST_PROPERTY)
    assert all(sum(end) <= half for number, end in ends.items() if number == FIRST_PROPERTY + 1)


@laws
@given(symmetric_nets())
def test_both_orders_find_the_same_orbits(made: SymmetricNet) -> None:
    first, last = explore(made.net, made.generators), explore(made.net, made.generators, order="dfs")
    assert set(first.stored) == set(last.stored)
    assert (first.transitions, first.deadlocks) == (last.transitions, last.deadlocks)


@laws
@given(symmetric_nets())
def test_canonical_forms_are_equal_exactly_on_orbits(made: SymmetricNet) -> None:
    net = made.net
    orbits = Orbits(NetSemantics(net), made.generators)
    elements = group_elements(made.generators, len(net.places), len(net.transitions))
    for marking in explore(net, max_states=20).stored:
        images = {move(places, marking) for places, _ in elements}
        assert images == orbit(NetSemantics(net), made.generators, marking)
        assert {orbits.canonical(image) for image in images} == {min(images)}


@laws
@given(symmetric_nets())
def test_firing_commutes_with_symmetries(made: SymmetricNet) -> None:
    """Junttila 2003, Thm 3.3; it also fixes how permutations act."""
    net = made.net
    for places, transitions in made.generators:
        for marking in explore(net, max_states=20).stored:
            image = move(places, marking)
            assert sorted(transitions[t] for t in net.enabled(marking)) == net.enabled(image)
            for t in net.enabled(marking):
                assert move(places, net.fire(marking, t)) == net.fire(image, transitions[t])


def test_the_reachability_graph_has_the_counted_size() -> None:
    net = build("ph", [4])
    group = symmetries(net, [net.initial])
    for generators in ([], group):
        graph, result = state_graph(NetSemantics(net), generators), explore(net, generators)
        assert graph.complete
        assert (graph.states, graph.orbit_sizes) == (result.stored, result.orbit_sizes)
        assert len(graph.edges) == result.transitions
    cut = state_graph(NetSemantics(net), [], max_states=5)
    assert not cut.complete and len(cut.states) == 5


def test_a_violation_ends_the_run_with_the_shortest_trace() -> None:
    net = build("ph", [5])
    result = explore(net, symmetries(net, [net.initial]), deadlock=True)
    assert result.stopped == "violation" and result.full_states is None
    [(number, claim)] = result.claims.items()
    assert number == DEADLOCK and len(claim.steps) == 6
    assert replays(net, result) and not net.enabled(claim.steps[-1][1])


def test_without_keep_going_a_violated_start_is_all_there_is() -> None:
    net = build("ph", [3])
    result = explore(net, goals=[lambda m: True])
    assert (result.stopped, result.states) == ("violation", 1)
    assert {number: claim.steps for number, claim in result.claims.items()} == {
        FIRST_PROPERTY: [(None, net.initial)]
    }


def test_property_numbers() -> None:
    net = build("mutex", [2])
    result = explore(
        net,
        safe=True,
        deadlock=True,
        invariants=[lambda m: True, lambda m: m[0] == 1],
        goals=[lambda m: False, lambda m: m[0] == 0],
        keep_going=True,
    )
    assert sorted(result.claims) == [FIRST_PROPERTY + 2, FIRST_PROPERTY + 4]
    assert result.stopped == "exhausted"


def test_limits_end_a_run_with_what_is_known() -> None:
    net = build("ph", [5])
    limited = explore(net, max_states=10)
    assert (limited.stopped, limited.states, limited.full_states) == ("max-states", 10, None)
    assert explore(net, max_states=82).stopped == "exhausted"
    assert explore(net, max_states=0).states == 0
    assert explore(net, max_seconds=0).stopped == "max-seconds"


def test_too_many_tokens_end_the_run() -> None:
    net = Net("big", ("p",), (MAX_TOKENS,), ("t",), (((0, 1),),), (((0, 2),),))
    assert explore(net).stopped == "overflow"


def test_an_interrupt_ends_the_run_with_what_is_known() -> None:
    def interrupt(marking: tuple[int, ...]) -> bool:
        if sum(marking) < 6:
            raise KeyboardInterrupt
        return True

    result = explore(build("ph", [3]), invariants=[interrupt])
    assert result.stopped == "interrupted" and result.states == 2


def test_nets_without_places_or_transitions() -> None:
    empty = explore(Net("empty", (), (), (), (), ()), deadlock=True, safe=True)
    assert (empty.states, empty.deadlocks, empty.stopped) == (1, 1, "violation")
    spinning = explore(Net("spinning", (), (), ("t",), ((),), ((),)))
    assert (spinning.states, spinning.transitions, spinning.deadlocks) == (1, 1, 0)


def test_a_property_that_is_not_symmetric_is_refused() -> None:
    net = build("ph", [3])
    group = symmetries(net, [net.initial])
    with pytest.raises(ContradictionError, match="distinguishes equivalent states"):
        explore(net, group, invariants=[lambda m: m[0] == 1])


def test_a_generator_that_is_no_symmetry_is_refused() -> None:
    net = build("ph", [3])
    swap = (1, 0, *range(2, 12)), tuple(range(9))
    with pytest.raises(ContradictionError, match="no symmetry of the model: the arcs of take_left_1"):
        explore(net, [swap])


def test_orders_that_are_not_known_are_refused() -> None:
    with pytest.raises(UsageError, match="bfs or dfs, not 'random'"):
        explore(build("ph", [2]), order="random")


def test_enumeration_has_limits() -> None:
    net = build("mutex", [4])
    group = symmetries(net, [net.initial])
    with pytest.raises(RefusedError, match="more than 3 states"):
        orbit(NetSemantics(net), group, net.fire(net.initial, 0), limit=3)
    with pytest.raises(RefusedError, match="more than 20 elements"):
        group_elements(group, len(net.places), len(net.transitions), limit=20)
