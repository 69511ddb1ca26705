"""High-level nets: directly = unfolded = by the reference engine, reduced = full, one law for all type constructors.

Random nets (`highlevel_strategies`) are explored by the reference engine first; those that are too large are left alone.
"""

from __future__ import annotations

from burnside.diagnostics import LimitError, RefusedError, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.kinds.highlevel.enabling import Enabling
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.records import replace
from burnside.reference.highlevel.firing import enabled, fire, initial_marking
from burnside.request import Limits, Request
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from tests.highlevel_strategies import nets

MOST = 150
"""Markings of a net that is explored."""
EXACT = ("search", "nauty", "flood", "minimise", "compare")
SLOW_DRAWING = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def model_of(net: HighLevelNet) -> Model:
    return Model(net, net.name, "hln")


def explored(net: HighLevelNet, **options: object) -> Outcome:
    request = Request(keep_going=True, self_check="full", deadlock=True, **options)  # type: ignore[arg-type]
    return check(model_of(net), request)


def reference(net: HighLevelNet) -> Outcome:
    found = explored(net, engine="reference", reduce="none", limits=Limits(states=MOST))
    if found.stopped != "exhausted":
        reject()
    return found


def unfolded(net: HighLevelNet, **options: object) -> Outcome | None:
    """None where a condition cannot be asked of the unfolded net, where the supports have no end, or where a method is
    not for unfolded nets."""
    try:
        return explored(net, unfold=True, **options)
    except (RefusedError, UnsupportedError, LimitError):
        return None


def figures(outcome: Outcome) -> tuple[object, ...]:
    return (
        outcome.states,
        outcome.transitions,
        outcome.deadlocks,
        outcome.depth,
        verdicts(outcome),
        lengths(outcome),
        outcome.dead_transitions,
        dict(outcome.bounds or {}) if outcome.engine == "core" else None,
    )


def verdicts(outcome: Outcome) -> list[tuple[str, str]]:
    return [(each.name, each.verdict) for each in outcome.properties]


def lengths(outcome: Outcome) -> list[int | None]:
    """Of traces: shortest ones, in the order of breadth."""
    return [None if each.trace is None else len(each.trace) for each in outcome.properties]


def same(one: Outcome, other: Outcome) -> bool:
    """What the reference engine does not know is not compared."""
    pairs = zip(figures(one), figures(other), strict=True)
    return all(a == b for a, b in pairs if a is not None and b is not None)


@settings(max_examples=150, suppress_health_check=SLOW_DRAWING)
@given(net=nets())
def test_directly_as_by_the_reference_engine(net: HighLevelNet) -> None:
    expected = reference(net)
    found = explored(net, unfold=False, reduce="none")
    assert found.route is not None and found.route["name"] == "direct"
    assert same(found, expected)


@settings(max_examples=100, suppress_health_check=SLOW_DRAWING)
@given(net=nets())
def test_unfolded_as_directly(net: HighLevelNet) -> None:
    reference(net)
    found = unfolded(replace(net, claims=()), reduce="none")
    if found is None:
        reject()
    assert found.route is not None and found.route["name"] == "unfolded"
    assert same(found, explored(replace(net, claims=()), unfold=False, reduce="none"))


@settings(max_examples=60, suppress_health_check=SLOW_DRAWING)
@given(net=nets(symmetric=True), method=st.sampled_from(EXACT))
def test_reduced_as_full(net: HighLevelNet, method: str) -> None:
    """On both routes: orbit sizes add up, verdicts agree, orbits are as many as by brute force."""
    full = reference(net)
    orbits = explored(net, engine="reference", reduce="minimise")
    for reduced in (explored(net, unfold=False, reduce=method), unfolded(net, reduce=method)):
        if reduced is None:
            continue
        assert reduced.full_states == full.states
        assert reduced.states == orbits.states
        assert verdicts(reduced) == verdicts(full)
        assert lengths(reduced) == lengths(full)
        assert reduced.dead_transitions == full.dead_transitions


@settings(max_examples=60, suppress_health_check=SLOW_DRAWING)
@given(net=nets(symmetric=True), method=st.sampled_from(("representative", "marker")))
def test_other_methods_are_sound(net: HighLevelNet, method: str) -> None:
    """A violation that is found is real; `representative` misses none."""
    full = dict(verdicts(reference(net)))
    for name, verdict in verdicts(explored(net, unfold=False, reduce=method)):
        if verdict == "violated" or method == "representative":
            assert verdict == full[name]


@settings(max_examples=60, suppress_health_check=SLOW_DRAWING)
@given(net=nets(symmetric=True))
def test_automorphisms_of_the_unfolded_net_may_be_more(net: HighLevelNet) -> None:
    net = replace(net, claims=())
    full = reference(net)
    found = unfolded(net, automorphisms=True)
    if found is None:
        reject()
    assert found.full_states == full.states
    assert found.states <= explored(net, unfold=False).states
    assert found.dead_transitions == full.dead_transitions


@settings(max_examples=100, suppress_health_check=SLOW_DRAWING)
@given(net=nets())
def test_enabled_instances_are_found_from_the_tokens(net: HighLevelNet) -> None:
    enabling, marking = Enabling(net), initial_marking(net)
    for _ in range(6):
        instances = list(enabling.instances(marking))
        assert len(set(instances)) == len(instances)
        assert set(instances) == set(enabled(net, marking))
        if not instances:
            return
        marking = fire(net, marking, instances[len(instances) // 2])
