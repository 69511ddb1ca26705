"""A run that gives up reducing, at whatever moment, says what the unreduced run says: verdicts, deadlocks, replayed traces;
and each reachable state has an equivalent one among those that were stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from burnside import _core
from burnside.checking import Check
from burnside.engine import claims_of, exploration_of
from burnside.languages.net_expressions import parse_expression
from burnside.limits import Deadline
from burnside.net import Net
from burnside.pipeline import model_of
from burnside.plan import after
from burnside.reference.permutations import Permutation
from burnside.request import Request
from burnside.semantics import DEADLOCK, FIRST_PROPERTY
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.core import CANONICAL, family
from tests.exploring import explore_net
from tests.laws.methods import Grouped, conditions, grouped_nets, with_group
from tests.machine_strategies import machines
from tests.program_strategies import symmetric_programs
from tests.strategies import symmetric_nets

laws = settings(max_examples=60, deadline=None)

Marking = tuple[int, ...]
MOST_ORBITS, MOST_MARKINGS = 40, 400

changes = st.tuples(st.integers(0, 30), st.booleans())
orders = st.sampled_from(("bfs", "dfs", "random"))
threads = st.sampled_from((1, 1, 3))


def orbits_of(markings: Sequence[Marking], generators: Sequence[Permutation]) -> list[set[Marking]]:
    left, found = set(markings), []
    while left:
        orbit = [left.pop()]
        for marking in orbit:
            for places, _ in generators:
                image = list(marking)
                for place, to in enumerate(places):
                    image[to] = marking[place]
                if tuple(image) in left:
                    left.remove(tuple(image))
                    orbit.append(tuple(image))
        found.append(set(orbit))
    return found


def membership(net: Net, orbit: set[Marking]) -> Any:
    """As a condition, which the group keeps."""
    members = (
        " and ".join(f"{name} = {number}" for name, number in zip(net.places, marking, strict=True))
        for marking in sorted(orbit)
    )
    return parse_expression(" or ".join(f"({each})" for each in members), net).core


@laws
@given(grouped_nets(fixed=True), changes, orders, threads, st.sampled_from(sorted(CANONICAL)))
def test_each_reachable_marking_has_an_equivalent_stored_one(
    made: Grouped, change: tuple[int, bool], order: str, count: int, name: str
) -> None:
    assume(name in made.fitting(CANONICAL))
    full = explore_net(made.net, max_states=MOST_MARKINGS)
    assume(full.stopped == "exhausted")
    orbits = orbits_of(full.stored, made.generators)
    assume(len(orbits) <= MOST_ORBITS)
    core = made.core.with_properties([("goal", membership(made.net, orbit)) for orbit in orbits])
    found = _core.explore(
        core,
        made.group,
        CANONICAL[name],
        _core.Settings(order=order, threads=count, keep_going=True, gives_up_after=change),
    )
    stored = dict(found.violating)
    assert found.stopped == "exhausted"
    assert all(stored.get(FIRST_PROPERTY + at, 0) >= 1 for at in range(len(orbits)))
    assert len(orbits) <= found.states <= full.states
    after_states, restarts = change
    if found.change is None:
        assert found.full_states == full.states
    elif restarts:
        assert (found.states, found.full_states, found.transitions) == (
            full.states,
            full.states,
            full.transitions,
        )
    else:
        assert found.full_states is None
    if made.group.acting_order > 1 and after_states < len(orbits) and count == 1:
        assert found.change is not None
    # Of each orbit a run of the net was lifted; it ends in the orbit.
    for number, steps, _ in found.violations:
        assert tuple(steps[-1][1]) in orbits[number - FIRST_PROPERTY]
        marking = made.net.initial
        for label, to in steps[1:]:
            marking = list(marking)
            for place, weight in made.net.consumes[label]:
                marking[place] -= weight
                assert marking[place] >= 0
            for place, weight in made.net.produces[label]:
                marking[place] += weight
            assert tuple(marking) == tuple(to)
            marking = tuple(marking)


def verdicts(check: Check, **options: Any) -> dict[str, str]:
    """The traces are replayed on the way."""
    deadlock = DEADLOCK in check.question.properties
    compiled = check.compiled()
    core = _core.explore(
        compiled.handle,
        compiled.group,
        compiled.method(check.plan),
        _core.Settings(deadlock=deadlock, max_states=2_000, **options),
    )
    assume(core.stopped in ("exhausted", "violation"))
    found = exploration_of(core, claims_of(compiled, core.violations))
    results = check.judge(found, check.facts(found))
    assert after(check.plan, found.change).strength in ("canonical", "representative", "none")
    return {each.name: each.verdict for each in results}


def agree(subject: Any, change: tuple[int, bool], order: str, count: int, **asked: Any) -> None:
    model = model_of(subject)
    reduced = Check.prepared(model, Request(reduce="auto", **asked), Deadline())
    plain = Check.prepared(model, Request(reduce="none", **asked), Deadline())
    options = {"order": order, "threads": count, "keep_going": True}
    assert verdicts(reduced, gives_up_after=change, **options) == verdicts(plain, **options)
    first = verdicts(reduced, gives_up_after=change, order=order, threads=count)
    assert ("violated" in first.values()) == ("violated" in verdicts(plain).values())


@laws
@given(st.data(), changes, orders, threads)
def test_nets_get_the_same_verdicts(
    data: st.DataObject, change: tuple[int, bool], order: str, count: int
) -> None:
    net = data.draw(symmetric_nets(fixed=True)).net
    invariants = [data.draw(conditions(net)).text for _ in range(2)]
    agree(net, change, order, count, deadlock=True, safe=True, invariants=tuple(invariants))


@laws
@given(symmetric_programs(), changes, orders, threads)
def test_programs_get_the_same_verdicts(made: Any, change: tuple[int, bool], order: str, count: int) -> None:
    agree(made.program, change, order, count, deadlock=True)


@laws
@given(machines(), changes, orders)
def test_machines_get_the_same_verdicts(machine: Any, change: tuple[int, bool], order: str) -> None:
    agree(machine, change, order, 1, deadlock=True)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("spec", ["digraphs 4", "ph 7", "db 5", "lines 2 3 4 2"])
def test_a_run_that_begins_again_counts_all_states(spec: str, threads: int) -> None:
    made = with_group(family(spec))
    full = _core.explore(made.core, _core.trivial_group(made.core), _core.Method("none"))
    again = _core.explore(
        made.core,
        made.group,
        CANONICAL["minimise"],
        _core.Settings(threads=threads, gives_up_after=(5, True)),
    )
    assert (again.states, again.transitions, again.deadlocks, again.depth) == (
        full.states,
        full.transitions,
        full.deadlocks,
        full.depth,
    )
    assert again.change is not None and again.facts["bounds"] == full.facts["bounds"]
