"""Reduced exploration says what the unreduced one says: counts, bounds, verdicts, traces. The reference engine is
the witness; nets with closed formulas stand where it would be too slow."""

from __future__ import annotations

from itertools import pairwise
from math import comb
from typing import Any

import burnside
import pytest
from burnside import _core
from burnside.exploration import Exploration
from burnside.net import MAX_TOKENS, Net
from burnside.outcome import Trace
from burnside.plan import ORDERS
from burnside.request import Limits
from burnside.semantics import DEADLOCK, FIRST_PROPERTY
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.core import EXACT as EVERY
from tests.core import REPRESENTATIVE, SELECTORS
from tests.exploring import explore_net, fired, tokens
from tests.laws.methods import Grouped, conditions, grouped_nets, with_group
from tests.strategies import symmetric_nets

laws = settings(max_examples=60, deadline=None)

# The canonical forms by every selector are compared in test_canonical_forms.
EXACT = {name: method for name, method in EVERY.items() if not name.endswith(SELECTORS[:-1])}


def unreduced(made: Grouped, **options: Any) -> _core.Exploration:
    return _core.explore(
        made.core, _core.trivial_group(made.core), _core.Method("none"), _core.Settings(**options)
    )


def counts(found: _core.Exploration | Exploration) -> dict[str, object]:
    names = ("stopped", "states", "transitions", "deadlocks", "full_states")
    return {name: getattr(found, name) for name in names}


def by_place(found: _core.Exploration, made: Grouped | None = None) -> tuple[object, ...]:
    """Up to symmetry, where a group was used."""
    generators = () if made is None else made.generators
    return found.facts["bounds"], found.facts["largest_total"], fired(found, generators)


def reference_by_place(made: Grouped, found: Exploration) -> tuple[object, ...]:
    return *tokens(made.net, found, made.generators), fired(found, made.generators)


@laws
@given(grouped_nets(fixed=True))
def test_every_exact_method_counts_as_the_reference_engine_does(made: Grouped) -> None:
    full = unreduced(made)
    orbits = explore_net(made.net, made.generators)
    assert orbits.full_states == full.states == explore_net(made.net).states
    for name, method in made.fitting(EXACT).items():
        found = _core.explore(made.core, made.group, method)
        assert counts(found) == counts(orbits), name
        assert by_place(found, made) == by_place(full), name
        assert found.depth == full.depth, name  # breadth-first layers are unions of orbits


@laws
@given(grouped_nets())
def test_groups_that_move_the_initial_marking_count_the_same_orbits(made: Grouped) -> None:
    orbits = explore_net(made.net, made.generators)
    for name, method in made.fitting(EXACT).items():
        found = _core.explore(made.core, made.group, method)
        assert (found.states, found.transitions) == (orbits.states, orbits.transitions), name
        assert (found.deadlocks, found.facts["largest_total"]) == (
            orbits.deadlocks,
            tokens(made.net, orbits)[1],
        ), name


@laws
@given(grouped_nets(fixed=True))
def test_representatives_lie_between_orbits_and_states(made: Grouped) -> None:
    full, orbits = unreduced(made), explore_net(made.net, made.generators)
    for name, method in made.fitting(REPRESENTATIVE).items():
        found = _core.explore(made.core, made.group, method)
        assert orbits.states <= found.states <= full.states, name
        assert by_place(found, made) == by_place(full), name
        assert (found.deadlocks > 0) == (full.deadlocks > 0), name


@laws
@given(grouped_nets(fixed=True), st.integers(0, 2**32))
def test_order_threads_and_pruning_change_no_count(made: Grouped, seed: int) -> None:
    orbits = explore_net(made.net, made.generators)
    for name in made.fitting(EXACT):
        for order in ORDERS:
            for threads, prune in ((1, False), (2, True)):
                method = _method(name, prune=prune)
                found = _core.explore(
                    made.core, made.group, method, _core.Settings(order=order, seed=seed, threads=threads)
                )
                assert counts(found) == counts(orbits), (name, order, threads, prune)
                assert by_place(found, made) == reference_by_place(made, orbits), (
                    name,
                    order,
                    threads,
                    prune,
                )


def _method(name: str, *, prune: bool) -> _core.Method:
    guide = "marking" if "by marking" in name else "partition"
    return _core.Method(name.split()[0], guide, prune=prune)


# Verdicts and traces, as the user sees them.

REDUCTIONS: dict[str, dict[str, Any]] = {
    "none": {"reduce": "none"},
    "auto": {"reduce": "auto"},
    "flood": {"reduce": "flood"},
    "nauty": {"reduce": "nauty"},
    "minimise": {"reduce": "minimise"},
    "compare": {"reduce": "compare"},
    "partition": {"reduce": "search", "guide": "partition"},
    "marking": {"reduce": "search", "guide": "marking"},
    "one path": {"reduce": "representative"},
    "budget": {"reduce": "representative", "budget": 10},
    "threads": {"reduce": "search", "threads": 2},
    "unpruned": {"reduce": "search", "prune": False},
    "depth first": {"reduce": "search", "order": "dfs"},
    "mixed": {"reduce": "search", "order": "mixed", "seed": 1},
    "random": {"reduce": "minimise", "order": "random", "seed": 1},
}
BREADTH_FIRST = [name for name, options in REDUCTIONS.items() if "order" not in options]


NUMBERS = (DEADLOCK, *range(FIRST_PROPERTY, FIRST_PROPERTY + 4))
"""Of deadlock, 1-safety, two invariants and a goal."""


@st.composite
def questions(draw: st.DrawFn) -> tuple[Net, dict[str, Any], Exploration]:
    """A net, questions about it, and the answers of the unreduced reference engine."""
    net = draw(symmetric_nets()).net
    invariants = [draw(conditions(net)) for _ in range(2)]
    goals = [draw(conditions(net))]
    asked = {"deadlock": True, "safe": True, "keep_going": True}
    answers = explore_net(
        net,
        invariants=[each.evaluate for each in invariants],
        goals=[each.evaluate for each in goals],
        **asked,
    )
    texts = {"invariants": [each.text for each in invariants], "goals": [each.text for each in goals]}
    return net, {**asked, **texts}, answers


def replayed(net: Net, trace: Trace) -> tuple[int, ...]:
    """Where the trace ends, fired again step by step on the unreduced net."""
    marking = net.initial
    shown = [tuple(int(step.state[place]) for place in net.places) for step in trace]
    assert shown[0] == net.initial
    for action, (before, after) in zip(trace.actions, pairwise(shown), strict=True):
        transition = net.transitions.index(action)
        assert before == marking
        assert net.is_enabled(marking, transition)
        marking = net.fire(marking, transition)
        assert marking == after
    return marking


def violates(net: Net, result: burnside.PropertyResult, marking: tuple[int, ...]) -> bool:
    from burnside.languages.net_expressions import parse_expression

    if result.kind == "deadlock":
        return not net.enabled(marking)
    if result.kind == "safe":
        return max(marking) > 1
    return parse_expression(result.name, net).evaluate(marking) == (result.kind == "goal")


@laws
@given(questions())
def test_verdicts_are_those_of_the_unreduced_net_and_traces_replay(asked: Any) -> None:
    net, options, answers = asked
    expected = {number: len(claim.steps) - 1 for number, claim in answers.claims.items()}
    for name, how in REDUCTIONS.items():
        outcome = burnside.check(net, **how, **options)
        assert outcome.stopped == "exhausted"
        for number, result in zip(NUMBERS, outcome.properties, strict=True):
            assert result.verdict == ("violated" if number in expected else "holds"), (name, result)
            if result.trace is not None:
                assert violates(net, result, replayed(net, result.trace)), (name, result)
                shortest = len(result.trace) == expected[number]
                assert shortest or (name not in BREADTH_FIRST and len(result.trace) > expected[number])


@laws
@given(questions(), st.sampled_from(sorted(REDUCTIONS)))
def test_the_first_violation_is_a_shortest_one(asked: Any, name: str) -> None:
    net, options, answers = asked
    for result in burnside.check(net, **REDUCTIONS[name], **{**options, "keep_going": False}).violations:
        assert result.trace is not None
        assert violates(net, result, replayed(net, result.trace))
        lengths = {number: len(claim.steps) - 1 for number, claim in answers.claims.items()}
        if name in BREADTH_FIRST:
            # A deadlock is seen one step after what a marking shows by itself, so another may come first.
            assert len(result.trace) <= min(lengths.values()) + 1


@laws
@given(questions(), st.sampled_from(sorted(REDUCTIONS)), st.integers(1, 40))
def test_a_limit_gives_no_wrong_verdict(asked: Any, name: str, most: int) -> None:
    net, options, answers = asked
    broken = set(answers.claims)
    outcome = burnside.check(net, **REDUCTIONS[name], **options, limits=Limits(states=most))
    assert outcome.states <= most
    assert outcome.stopped in ("exhausted", "max-states")
    if outcome.stopped == "max-states":
        assert outcome.states == most
        assert (outcome.full_states, outcome.dead_transitions) == (None, None)
    for number, result in zip(NUMBERS, outcome.properties, strict=True):
        if outcome.stopped == "max-states":
            assert result.verdict in (("violated", "unknown") if number in broken else ("unknown",))
        else:
            assert result.verdict == ("violated" if number in broken else "holds")


@laws
@given(symmetric_nets(), st.sampled_from((2, 7, 2**20, 2**60)))
def test_counting_in_larger_coins_changes_no_count(made: Any, factor: int) -> None:
    """All weights and tokens times a factor: the same space in wider slots."""
    net = made.net
    assume(factor * sum(net.initial) <= MAX_TOKENS)
    small, large = with_group(net), with_group(_times(net, factor))
    assert large.group.order == small.group.order
    for name, method in large.fitting(EXACT).items():
        found = _core.explore(large.core, large.group, method)
        expected = _core.explore(small.core, small.group, method)
        assert counts(found) == counts(expected), name
        assert found.facts["bounds"] == [factor * bound for bound in expected.facts["bounds"]], name


def _times(net: Net, factor: int) -> Net:
    def scaled(arcs: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(tuple((place, factor * weight) for place, weight in each) for each in arcs)

    initial = tuple(factor * tokens for tokens in net.initial)
    return Net(net.name, net.places, initial, net.transitions, scaled(net.consumes), scaled(net.produces))


# Slots that become too narrow on the way.


def doubling(copies: int, steps: int) -> Net:
    """In each copy a token walks along `steps` places; its step i puts 2^i tokens into the copy's counter, so
    that the counter passes every width from 1 bit to `steps` bits."""
    places = [f"{kind}{c}_{i}" for c in range(copies) for kind, i in _local(steps)]
    at = {name: number for number, name in enumerate(places)}
    walks = [(c, i) for c in range(copies) for i in range(steps)]
    return Net(
        f"doubling {copies} {steps}",
        tuple(places),
        tuple(int(name.startswith("s") and name.endswith("_0")) for name in places),
        tuple(f"t{c}_{i}" for c, i in walks),
        tuple(((at[f"s{c}_{i}"], 1),) for c, i in walks),
        tuple(
            tuple(sorted({at[f"s{c}_{i + 1}"]: 1, at[f"n{c}_0"]: 2 ** min(i, 63)}.items())) for c, i in walks
        ),
    )


def _local(steps: int) -> list[tuple[str, int]]:
    return [("n", 0), *(("s", i) for i in range(steps + 1))]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize(("copies", "steps"), [(2, 5), (2, 33), (2, 64), (3, 17)])
def test_counters_that_grow_over_every_width(name: str, copies: int, steps: int, threads: int) -> None:
    made = with_group(doubling(copies, steps))
    found = _core.explore(made.core, made.group, EXACT[name], _core.Settings(threads=threads))
    assert found.stopped == "exhausted"
    assert found.states == comb(steps + copies, copies)
    assert found.full_states == (steps + 1) ** copies
    assert found.deadlocks == 1
    assert max(found.facts["bounds"]) == 2**steps - 1
    assert found.facts["largest_total"] == copies * 2**steps
    assert all(fired(found, made.generators))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("order", ORDERS)
def test_growing_counters_without_reduction(order: str, threads: int) -> None:
    made = with_group(doubling(3, 16))
    found = unreduced(made, order=order, threads=threads)
    assert (found.states, found.transitions) == (17**3, 3 * 16 * 17**2)
    assert max(found.facts["bounds"]) == 2**16 - 1


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["none", *EXACT])
def test_a_trace_passes_through_all_widths(name: str, threads: int) -> None:
    net = doubling(2, 40)
    outcome = burnside.check(
        net,
        reduce=name.split()[0],
        threads=threads,
        goals=f"n0_0 >= {2**39} and n1_0 >= {2**20}",
        invariants="n0_0 + n1_0 >= 0",
        keep_going=True,
    )
    assert [result.verdict for result in outcome.properties] == ["holds", "violated"]
    trace = outcome.properties[1].trace
    assert trace is not None and len(trace) == 40 + 21
    replayed(net, trace)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", [*EXACT, *REPRESENTATIVE])
def test_beyond_64_bits_the_run_ends_with_overflow(name: str, threads: int) -> None:
    made = with_group(doubling(2, 65))
    method = {**EXACT, **REPRESENTATIVE}[name]
    assert _core.explore(made.core, made.group, method, _core.Settings(threads=threads)).stopped == "overflow"


# Nets without end.


def fed(copies: int) -> Net:
    """Every place has a source of its own: any marking is reachable."""
    names = tuple(f"p{i}" for i in range(copies))
    sources = tuple(((i, 1),) for i in range(copies))
    return Net("fed", names, (0,) * copies, tuple(f"t{i}" for i in range(copies)), ((),) * copies, sources)


@pytest.mark.parametrize("name", sorted(REDUCTIONS))
def test_an_unbounded_net_ends_by_its_limit(name: str) -> None:
    outcome = burnside.check(
        fed(3), **REDUCTIONS[name], invariants="p0 + p1 + p2 >= 0", limits=Limits(states=2_000)
    )
    assert (outcome.stopped, outcome.verdict, outcome.states) == ("max-states", "unknown", 2_000)
    assert outcome.properties[0].verdict == "unknown"


@pytest.mark.parametrize("limits", [Limits(seconds=0.2), Limits(memory_bytes=3_000_000)], ids=str)
def test_time_and_memory_are_limits_too(limits: Limits) -> None:
    outcome = burnside.check(fed(4), limits=limits)
    assert outcome.stopped in ("max-seconds", "max-memory")
    assert outcome.verdict == "unknown"
