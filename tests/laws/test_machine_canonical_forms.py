"""canon(g s) = canon(s) for nested sets, relations, sequences, records; stabilisers times orbits make the group; reduced
searches of machines say what unreduced ones say. By every method, under whole groups and parts of them, against orbits
written out."""

from __future__ import annotations

from typing import Any

from burnside import _core
from burnside.exploration import ClaimedTrace, Exploration
from burnside.ir.sets.machine import Machine
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.records import record
from burnside.reference.orbits import orbit
from burnside.reference.sets.values import State, permuted_state
from burnside.replay import replay
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.exploring import trace_lengths
from tests.laws.test_program_canonical_forms import CANONICAL, EXACT, REPRESENTATIVE, UNPRUNED, fitting
from tests.machine_engines import MOST, both, by_reference, compared
from tests.machine_strategies import machines
from tests.program_groups import WORDS, Acting, actions

laws = settings(max_examples=15, deadline=None)

LAYERED = {"nauty on layers": _core.Method("nauty", layers=True)}
FORMS = {**CANONICAL, **LAYERED}
HYBRID = {
    f"hybrid, {rounds} rounds": _core.Method("hybrid", rounds=rounds, widened=widened)
    for rounds, widened in ((1, False), (2, True))
}
MARKERS = {
    f"marker, {rounds} rounds{', widened' * widened}": _core.Method("marker", rounds=rounds, widened=widened)
    for rounds in (1, 3)
    for widened in (False, True)
}


@record
class Case:
    """A machine under a group that need not be all of its symmetries."""

    machine: Machine
    acting: Acting

    def reference(self, *, reduced: bool) -> Exploration:
        return by_reference(self.machine, self.acting.generators if reduced else ())

    def fitting(self, methods: dict[str, _core.Method]) -> dict[str, _core.Method]:
        found = fitting(methods, self.acting)
        return {name: each for name, each in found.items() if name not in LAYERED or self.acting.whole}

    def explored(self, method: _core.Method, **options: Any) -> _core.Exploration:
        core, group = both(self.machine).core, self.acting.group
        return _core.explore(core, group, method, _core.Settings(deadlock=True, keep_going=True, **options))

    def verdicts(self, method: _core.Method, **options: Any) -> tuple[_core.Exploration, object]:
        """The exploration; what is violated, after how many steps. Every trace is one of the machine itself."""
        found = both(self.machine)
        explored = _core.explore(
            found.core, self.acting.group, method, _core.Settings(deadlock=True, keep_going=True, **options)
        )
        for number, steps, failing in explored.violations:
            shown = [(found.reading.label(label), found.reading.state(state)) for label, state in steps]
            label = None if failing is None else found.reading.label(failing)
            assert replay(MachineSemantics(self.machine), ClaimedTrace(shown, label), number).steps
        return explored, trace_lengths(explored)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    made = draw(machines(literals=draw(st.booleans())))
    return Case(made, draw(actions(made.sorts)))


def counts(found: _core.Exploration | Exploration) -> dict[str, object]:
    names = ("stopped", "states", "initial_states", "deadlocks", "full_states", "depth")
    return {name: getattr(found, name) for name in names}


def fired(found: Exploration | _core.Exploration) -> list[bool]:
    """By operation."""
    return [times > 0 for times in found.firings]


@laws
@given(cases())
def test_every_exact_method_counts_as_the_reference_does(case: Case) -> None:
    with compared():
        full, reduced = case.reference(reduced=False), case.reference(reduced=True)
        assert reduced.full_states == full.states
        assert trace_lengths(reduced) == trace_lengths(full)
        for name, method in case.fitting({**EXACT, **UNPRUNED, **LAYERED, **HYBRID}).items():
            found, verdicts = case.verdicts(method)
            assert counts(found) == {**counts(reduced), "initial_states": found.initial_states}, name
            assert verdicts == trace_lengths(full), name
            assert fired(found) == fired(full), name


@laws
@given(cases())
def test_representatives_lie_between_orbits_and_states(case: Case) -> None:
    with compared():
        full, reduced = case.reference(reduced=False), case.reference(reduced=True)
        for name, method in REPRESENTATIVE.items():
            found, verdicts = case.verdicts(method)
            assert reduced.states <= found.states <= full.states, name
            assert verdicts == trace_lengths(full), name
            assert fired(found) == fired(full), name
            assert (found.deadlocks > 0) == (full.deadlocks > 0), name


@laws
@given(cases())
def test_markers_never_tell_equivalent_states_apart(case: Case) -> None:
    """And where they say that they are exact, they are."""
    with compared():
        full, reduced = case.reference(reduced=False), case.reference(reduced=True)
        for name, method in MARKERS.items():
            found, verdicts = case.verdicts(method)
            assert found.states <= reduced.states, name
            assert set(verdicts) <= set(trace_lengths(full)), name  # type: ignore[call-overload]
            if found.is_exact:
                assert found.states == reduced.states, name
                assert verdicts == trace_lengths(full), name


@laws
@given(cases(), st.sampled_from(sorted({**EXACT, **HYBRID})))
def test_threads_count_the_same(case: Case, name: str) -> None:
    with compared():
        assume(name in case.fitting({**EXACT, **HYBRID}))
        case.reference(reduced=False)
        method = {**EXACT, **HYBRID}[name]
        (alone, one), (together, other) = (case.verdicts(method, threads=threads) for threads in (1, 2))
        assert counts(alone) == counts(together)
        assert one == other


@laws
@given(cases(), WORDS)
def test_equivalent_states_have_one_canonical_form(case: Case, word: list[int]) -> None:
    with compared():
        case.reference(reduced=False)
        found, group, generators = both(case.machine), case.acting.group, case.acting.generators
        by_values = {found.reading.state(state): state for state in found.states(MOST)}
        for values, state in list(by_values.items())[:12]:
            members = orbit(MachineSemantics(case.machine), generators, values)
            other = by_values[image(case.acting, word, values)]
            for name, method in case.fitting(FORMS).items():
                form, stabiliser = _core.canonical(found.core, group, method, state)
                assert found.reading.state(form) in members, name
                assert stabiliser * len(members) == group.order, name
                assert _core.canonical(found.core, group, method, other) == (form, stabiliser), name
                assert _core.canonical(found.core, group, method, form)[0] == form, name
            for name, method in REPRESENTATIVE.items():
                form, stabiliser = _core.canonical(found.core, group, method, state)
                assert found.reading.state(form) in members, name
                assert stabiliser * len(members) == group.order, name


def image(acting: Acting, word: list[int], state: State) -> State:
    """Under a product of generators, each given by a number of any size."""
    for number in word if acting.generators else ():
        state = permuted_state(state, acting.generators[number % len(acting.generators)])
    return state
