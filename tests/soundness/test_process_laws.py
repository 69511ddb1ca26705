"""The law of symmetries on random programs with processes: in single steps, those through transient states too.

States are all that single steps reach, and drawn ones, in which any process may have control.
"""

from __future__ import annotations

from random import Random

from burnside.ir.program import Program
from burnside.reference.steps import attempts, start_steps
from burnside.reference.values import State
from burnside.symmetry.programs import Certifier
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.program_strategies import SymmetricProgram, process_programs, symmetric_process_programs
from tests.soundness.brute_force import examine, proposals
from tests.soundness.mutants import mutant
from tests.soundness.program_law import reference_breach, reference_start_breach
from tests.soundness.program_states import StateSource

MAX_STATES, DRAWN = 12, 8
relaxed = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


def reached(program: Program) -> list[State]:
    waiting = [step.after for step in start_steps(program) if step.after is not None]
    found: dict[State, None] = {}
    while waiting and len(found) < MAX_STATES:
        state = waiting.pop()
        if state not in found:
            found[state] = None
            waiting += [step.after for step in attempts(program, state) if step.after is not None]
    return list(found)


def problem(program: Program, random: Random) -> str | None:
    """Where a permutation that is certified breaks the law."""
    certifier = Certifier(program)
    known = reached(program)
    states = [*known, *StateSource(program, known, random).some(DRAWN)]
    for permutation in proposals(program):
        if certifier.certify(permutation) is None:
            actions = certifier.action_images(permutation)
            found = reference_start_breach(program, permutation)
            found = found or reference_breach(program, permutation, actions, states)
            if found is not None:
                return found.shown(program)
    return None


@relaxed
@given(process_programs(), st.integers(0, 10**6))
def test_single_steps_obey_the_law(program: Program, seed: int) -> None:
    assert problem(program, Random(seed)) is None


@relaxed
@given(symmetric_process_programs(), st.integers(0, 10**6))
def test_single_steps_of_mutants_obey_the_law(made: SymmetricProgram, seed: int) -> None:
    random = Random(seed)
    assert problem(mutant(made.program, random) or made.program, random) is None


@relaxed
@given(symmetric_process_programs(), st.integers(0, 10**6))
def test_explorations_of_programs_with_processes_agree(made: SymmetricProgram, seed: int) -> None:
    assert examine(made.program, Random(seed), numbers=True).problem is None
