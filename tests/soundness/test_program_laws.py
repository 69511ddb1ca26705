"""The law of symmetries on programs written by people, on mutants of these, and on random trees.

States are reachable ones and drawn ones: what no run reaches has to be mapped as it should too, as far as the types and
what is never undefined allow.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from burnside import _core
from burnside.diagnostics import BurnsideError
from burnside.ir.program import Program
from burnside.languages.murphi import read
from burnside.reference.values import permuted
from burnside.symmetry.points import on_sort, renaming, rotation
from burnside.symmetry.programs import Certifier
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.program_strategies import SymmetricProgram, programs, symmetric_programs
from tests.soundness.brute_force import Effort, examine, law_problem
from tests.soundness.mutants import mutant
from tests.soundness.program_law import CoreLaw, reference_outcomes
from tests.soundness.program_states import StateSource, image_of

MODELS = Path(__file__).parents[3] / "shared" / "models" / "murphi"
EXAMPLES = Path(__file__).parents[2] / "examples" / "murphi"
ABSENT = pytest.mark.skip(reason="../shared/models/murphi is absent")
FEW, MANY = Effort(100, 40, 2), Effort(3_000, 2_000, 60)
MUTANTS, MORE_MUTANTS = 3, 100

relaxed = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


def models() -> list[Any]:
    found = [*sorted(EXAMPLES.glob("*.m")), *sorted(MODELS.glob("*.m"))]
    shared = [] if MODELS.exists() else [pytest.param(MODELS, marks=ABSENT, id="shared models")]
    return [*(pytest.param(path, id=path.stem) for path in found), *shared]


@cache
def model(path: Path) -> Program:
    return read(path)


@pytest.mark.parametrize("path", models())
def test_generators_obey_the_law(path: Path) -> None:
    assert law_problem(model(path), Random(1), FEW) is None


@pytest.mark.slow
@pytest.mark.parametrize("path", models())
def test_generators_obey_the_law_in_many_states(path: Path) -> None:
    assert law_problem(model(path), Random(2), MANY) is None


def mutants_problem(path: Path, seeds: range, effort: Effort) -> str | None:
    for seed in seeds:
        random = Random(seed)
        other = mutant(model(path), random)
        assert other is not None
        if (found := law_problem(other, random, effort)) is not None:
            return f"mutant {seed}: {found}"
    return None


@pytest.mark.parametrize("path", models())
def test_mutants_obey_the_law(path: Path) -> None:
    assert mutants_problem(path, range(MUTANTS), Effort(40, 20, 0)) is None


@pytest.mark.slow
@pytest.mark.parametrize("path", models())
def test_many_mutants_obey_the_law(path: Path) -> None:
    assert mutants_problem(path, range(MUTANTS, MORE_MUTANTS), Effort(80, 40, 1)) is None


@pytest.mark.slow
def test_generators_of_language_tests_obey_the_law() -> None:
    """rumur's own models; many are none, on purpose."""
    looked_at = 0
    for path in sorted(MODELS.glob("rumur-tests/*.m")):
        try:
            program = read(path)
            assert law_problem(program, Random(3), FEW) is None, path.name
            looked_at += 1
        except (BurnsideError, _core.TooLargeError):
            continue
    if not looked_at:
        pytest.skip("../shared/models/murphi/rumur-tests is absent")
    assert looked_at > 100


# Random trees


@relaxed
@given(programs(), st.integers(0, 10**6))
def test_random_programs_obey_the_law(program: Program, seed: int) -> None:
    assert examine(program, Random(seed)).problem is None


@relaxed
@given(symmetric_programs(), st.integers(0, 10**6))
def test_mutants_of_symmetric_programs_obey_the_law(made: SymmetricProgram, seed: int) -> None:
    other = mutant(made.program, Random(seed))
    assert other is None or examine(other, Random(seed)).problem is None


# The law itself


@relaxed
@given(symmetric_programs(), st.integers(0, 10**6))
def test_images_of_states_are_those_of_the_reference(made: SymmetricProgram, seed: int) -> None:
    known, _ = CoreLaw(made.program).reachable(10)
    for generator in made.generators:
        image = image_of(made.program, generator)
        for state in StateSource(made.program, known, Random(seed)).some(20):
            assert image(state) == permuted(made.program, generator, state)


@relaxed
@given(programs(), st.integers(0, 10**6))
def test_both_engines_do_the_same_in_any_state(program: Program, seed: int) -> None:
    law = CoreLaw(program)
    known, _ = law.reachable(10)
    states = StateSource(program, known, Random(seed)).some(10)
    for state, by_core in zip(states, law.core.outcomes(states), strict=True):
        steps, violated, covered = by_core
        labels = {label: (kind, tuple(after or ()), number) for label, (kind, after, number) in steps}
        assert (labels, set(violated), set(covered)) == reference_outcomes(program, state)


def test_the_law_can_fail() -> None:
    """An exchange of two elements of which a rule names one."""
    program = model(EXAMPLES / "peterson.m")
    law = CoreLaw(program)
    states, _ = law.reachable(200)
    refused = 0
    for sort in program.sorts:
        permutation = on_sort(program, sort, rotation(sort.size))
        if sort.size > 1 and Certifier(program).certify(permutation) is not None:
            moves = law.moves(permutation, range(len(program.actions)))
            assert law.start_breach(moves) is not None or law.breach(moves, states) is not None
            assert renaming(program, permutation).moved == {sort.name}
            refused += 1
    assert refused
