"""The laws of reduction on random programs that are symmetric by construction; first of all, that they are."""

from __future__ import annotations

from burnside.exploration import ClaimedTrace, Exploration
from burnside.ir.encoding import encoded
from burnside.ir.printing import show_program
from burnside.ir.program import Program
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.reference.orbits import orbit
from burnside.reference.steps import (
    Result,
    initial_states,
    judge,
    label_at,
    label_number,
    permuted_label,
    successors,
)
from burnside.reference.values import Generator, permuted
from burnside.semantics import DEADLOCK, Failure
from hypothesis import assume, given, settings

from tests.exploring import explore_program as explore
from tests.exploring import trace_of
from tests.program_strategies import SymmetricProgram, programs, symmetric_programs

laws = settings(max_examples=30, deadline=None)
MOST = 100


def explored(made: SymmetricProgram, *, reduced: bool, order: str = "bfs") -> Exploration:
    generators = made.generators if reduced else ()
    found = explore(made.program, generators, deadlock=True, keep_going=True, max_states=MOST, order=order)
    assume(found.stopped == "exhausted")
    return found


def image(program: Program, generator: Generator, result: Result) -> object:
    """Of what a step leads to; words of failures name elements and are left out."""
    if isinstance(result, Failure):
        return "fails", result.number
    return permuted(program, generator, result) if isinstance(result, tuple) else result


@laws
@given(symmetric_programs())
def test_permuted_successors_are_successors_of_the_permuted_state(made: SymmetricProgram) -> None:
    program = made.program
    some = explore(program, keep_going=True, max_states=15).stored
    for generator in made.generators:
        first = [image(program, generator, each) for _, each in initial_states(program)]
        assert set(first) == {image(program, {}, each) for _, each in initial_states(program)}
        for state in some:
            moved = {
                permuted_label(program, generator, state, label): image(program, generator, each)
                for label, each in successors(program, state)
            }
            other = permuted(program, generator, state)
            assert moved == {label: image(program, {}, each) for label, each in successors(program, other)}


@laws
@given(symmetric_programs())
def test_orbits_add_up_to_the_unreduced_states(made: SymmetricProgram) -> None:
    full, reduced = explored(made, reduced=False), explored(made, reduced=True)
    assert reduced.full_states == sum(reduced.orbit_sizes) == full.states == full.full_states
    assert {
        min(orbit(ProgramSemantics(made.program), made.generators, state)) for state in full.stored
    } == set(reduced.stored)
    assert reduced.depth == full.depth
    assert [times > 0 for times in reduced.firings] == [times > 0 for times in full.firings]


@laws
@given(symmetric_programs())
def test_verdicts_agree_and_traces_run(made: SymmetricProgram) -> None:
    full, reduced = explored(made, reduced=False), explored(made, reduced=True)
    lengths = {number: len(trace_of(claim)) for number, claim in full.claims.items()}
    assert {number: len(trace_of(claim)) for number, claim in reduced.claims.items()} == lengths
    assert reduced.covered == full.covered
    for number, claim in reduced.claims.items():
        assert_runs(made.program, number, claim)


def assert_runs(program: Program, number: int, claim: ClaimedTrace) -> None:
    """Each step is one of the unreduced program; what is violated is violated at the end."""
    results = dict(initial_states(program))
    for label, state in trace_of(claim):
        found = results[label]
        if state is None:
            assert isinstance(found, Failure) and found.number == number
            return
        assert found == state
        results = dict(successors(program, state))
    if number == DEADLOCK:
        assert not any(isinstance(each, Failure) for each in results.values())
        return
    judgement = judge(program, state)
    at_fault = number in [failure.number for failure in judgement.failures]
    assert number in judgement.violated or at_fault


@laws
@given(symmetric_programs())
def test_both_orders_find_the_same_orbits(made: SymmetricProgram) -> None:
    first, second = explored(made, reduced=True), explored(made, reduced=True, order="dfs")
    assert set(first.stored) == set(second.stored)
    assert (first.transitions, first.deadlocks) == (second.transitions, second.deadlocks)


@laws
@given(programs())
def test_any_program_can_be_shown_encoded_and_explored(program: Program) -> None:
    assert show_program(program).startswith("program random")
    assert encoded(program).rows[-1][0] == "Program"
    for state in explore(program, keep_going=True, max_states=10).stored:
        labels = [label for label, _ in successors(program, state)]
        assert labels == sorted(set(labels))
        assert permuted(program, {}, state) == state
        for label in labels:
            if len(label[1]) == len(program.actions[label[0]].parameters):
                assert label_at(program, label_number(program, label)) == label
