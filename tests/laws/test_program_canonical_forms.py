"""canon(g s) = canon(s), the canonical form lies in the orbit, stabilisers times orbits make the group; reduced searches of
programs say what unreduced ones say. By every method, under whole groups and parts of them, against orbits written out."""

from __future__ import annotations

from typing import Any

from burnside import _core
from burnside.exploration import Exploration
from burnside.ir.program import Program
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.records import record
from burnside.reference.orbits import orbit
from burnside.reference.steps import initial_states
from burnside.reference.values import State
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.exploring import explore_program as explore
from tests.exploring import replay_program, trace_lengths
from tests.program_groups import WORDS, Acting, TypedStates, actions, compiled, image, typed_states
from tests.program_strategies import SymmetricProgram, symmetric_programs

laws = settings(max_examples=60, deadline=None)
MOST = 100

CANONICAL = {
    "search by tree": _core.Method("search", "tree"),
    "search by partition": _core.Method("search", "partition"),
    "nauty": _core.Method("nauty"),
    "minimise": _core.Method("minimise"),
}
"""Methods that turn a state into the one representative of its orbit."""

EXACT = {**CANONICAL, "compare": _core.Method("compare"), "flood": _core.Method("flood")}
"""Methods that explore one state of each orbit."""

UNPRUNED = {
    f"{name}, every label": _core.Method(name, "tree", prune=False) for name in ("search", "compare", "flood")
}
"""The same without leaving out labels that the stabiliser of a state exchanges."""

REPRESENTATIVE = {
    f"representative by {guide}, {budget}": _core.Method("representative", guide, None, budget)
    for guide in ("tree", "partition")
    for budget in (None, 1, 10)
}
"""Methods that stay inside the orbit."""


def fitting(methods: dict[str, _core.Method], acting: Acting) -> dict[str, _core.Method]:
    """nauty needs the whole group; part of one goes with all others."""
    return {name: each for name, each in methods.items() if name != "nauty" or acting.whole}


def assert_canonical(
    core: _core.Program, acting: Acting, state: State, image: State, members: set[State]
) -> None:
    group = acting.group
    assert image in members
    for name, method in fitting(CANONICAL, acting).items():
        form, stabiliser = _core.canonical(core, group, method, state)
        assert tuple(form) in members, name
        assert stabiliser * len(members) == group.order, name
        assert _core.canonical(core, group, method, image) == (form, stabiliser), name
        assert _core.canonical(core, group, method, form)[0] == form, name
    for name, method in REPRESENTATIVE.items():
        form, stabiliser = _core.canonical(core, group, method, state)
        assert tuple(form) in members and stabiliser * len(members) == group.order, name


@laws
@given(typed_states())
def test_equivalent_states_have_one_canonical_form(made: TypedStates) -> None:
    core = compiled(made.program)
    for state, other in made.pairs:
        members = orbit(ProgramSemantics(made.program), made.acting.generators, state)
        assert_canonical(core, made.acting, state, other, members)


@settings(laws, max_examples=30)
@given(typed_states(2))
def test_as_many_states_are_stored_as_there_are_orbits(made: TypedStates) -> None:
    core, group = compiled(made.program), made.acting.group
    states = [state for pair in made.pairs for state in pair]
    assert [state for _, state in initial_states(made.program)] == states
    orbits = {
        frozenset(orbit(ProgramSemantics(made.program), made.acting.generators, state)) for state in states
    }
    for name, method in fitting(EXACT, made.acting).items():
        found = _core.explore(core, group, method)
        assert (found.states, found.full_states) == (len(orbits), sum(map(len, orbits))), name
    for name, method in REPRESENTATIVE.items():
        assert len(orbits) <= _core.explore(core, group, method).states <= len(set(states)), name


@record
class Case:
    """A symmetric program under a group that need not be all of its symmetries."""

    made: SymmetricProgram
    acting: Acting

    @property
    def program(self) -> Program:
        return self.made.program

    def reference(self, *, reduced: bool) -> Exploration:
        generators = self.acting.generators if reduced else ()
        found = explore(self.program, generators, deadlock=True, keep_going=True, max_states=MOST)
        assume(found.stopped == "exhausted")
        return found

    def explored(self, method: _core.Method, **options: Any) -> _core.Exploration:
        core, group = compiled(self.program), self.acting.group
        return _core.explore(core, group, method, _core.Settings(deadlock=True, keep_going=True, **options))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    made = draw(symmetric_programs())
    return Case(made, draw(actions(made.program.sorts)))


def counts(found: _core.Exploration | Exploration) -> dict[str, object]:
    names = ("stopped", "states", "transitions", "initial_states", "deadlocks", "full_states", "depth")
    return {name: getattr(found, name) for name in names}


def verdicts(program: Program, found: _core.Exploration | Exploration) -> object:
    """What is violated, after how many steps, and what is covered."""
    if not isinstance(found, Exploration):
        for number, steps, failing in found.violations:
            assert replay_program(program, steps, failing, number).steps
    return trace_lengths(found), set(found.covered)


@settings(laws, max_examples=20)
@given(cases())
def test_every_exact_method_counts_as_the_reference_does(case: Case) -> None:
    full, reduced = case.reference(reduced=False), case.reference(reduced=True)
    assert reduced.full_states == full.states
    assert verdicts(case.program, reduced) == verdicts(case.program, full)
    for name, method in fitting({**EXACT, **UNPRUNED}, case.acting).items():
        found = case.explored(method)
        assert counts(found) == counts(reduced), name
        assert verdicts(case.program, found) == verdicts(case.program, full), name
        assert fired(found) == fired(full), name


@settings(laws, max_examples=15)
@given(cases())
def test_representatives_lie_between_orbits_and_states(case: Case) -> None:
    full, reduced = case.reference(reduced=False), case.reference(reduced=True)
    for name, method in REPRESENTATIVE.items():
        found = case.explored(method)
        assert reduced.states <= found.states <= full.states, name
        assert verdicts(case.program, found) == verdicts(case.program, full), name
        assert fired(found) == fired(full), name
        assert (found.deadlocks > 0) == (full.deadlocks > 0), name


@settings(laws, max_examples=20)
@given(cases(), st.sampled_from(sorted(EXACT)))
def test_threads_count_the_same(case: Case, name: str) -> None:
    assume(name in fitting(EXACT, case.acting))
    alone, together = (case.explored(EXACT[name], threads=threads) for threads in (1, 2))
    assert alone.stopped == together.stopped
    assume(alone.stopped != "violation")  # of a limit: what was counted until then depends on the order
    assert counts(alone) == counts(together)
    assert verdicts(case.program, alone) == verdicts(case.program, together)


@settings(laws, max_examples=20)
@given(cases(), WORDS)
def test_reachable_states_have_one_canonical_form(case: Case, word: list[int]) -> None:
    core, program = compiled(case.program), case.program
    for state in explore(program, keep_going=True, max_states=8).stored:
        members = orbit(ProgramSemantics(program), case.acting.generators, state)
        assert_canonical(core, case.acting, state, image(program, case.acting, word, state), members)


def fired(found: Exploration | _core.Exploration) -> list[bool]:
    """By action."""
    return [times > 0 for times in found.firings]
