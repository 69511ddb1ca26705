"""A model that was built is refused with a diagnostic, or every engine can run it: no panic, no traceback, no contradiction.

Seeded: a failure names the seed, and `mutant(seed)` gives the model.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import burnside
import pytest

from tests.broken_models import broken
from tests.machine_strategies import seeded_machine
from tests.program_strategies import seeded_program

EXAMPLES = Path(__file__).parents[2] / "examples"
READ = (
    "murphi/peterson.m",
    "murphi/german.m",
    "murphi/sem.m",
    "b/Scheduler0.mch",
    "b/Club.mch",
    "b/Peterson.mch",
)
EACH = 30
ENGINES = ("core", "reference")
LIMITS = burnside.Limits(states=60, seconds=2)


@cache
def read(path: str) -> Any:
    return burnside.load(EXAMPLES / path).subject  # type: ignore[union-attr]


def mutant(kind: str, seed: int) -> Any:
    random = Random(seed)
    match kind:
        case "program":
            return broken(seeded_program(seed // 4, symmetric=bool(seed % 2)), random)
        case "processes":
            return broken(seeded_program(seed // 4, symmetric=bool(seed % 2), processes=True), random)
        case "machine":
            return broken(seeded_machine(seed // 4, literals=bool(seed % 2)), random)
        case _:
            return broken(read(kind), random)


def run(model: Any, **options: Any) -> burnside.Outcome | None:
    """None where it was refused: diagnostics are an answer, but not those that blame burnside itself."""
    try:
        return burnside.check(model, limits=LIMITS, **options)
    except burnside.ContradictionError:
        raise
    except burnside.BurnsideError as error:
        assert error.diagnostic.message
        return None


def check(kind: str, seed: int, *, reduced: bool = True) -> bool:
    """Was it run? Then both engines have seen the same."""
    model = mutant(kind, seed)
    try:
        if reduced:
            run(model)
        core, reference = (run(model, reduce="none", engine=each, keep_going=True) for each in ENGINES)
        if core is not None and reference is not None and core.stopped == reference.stopped == "exhausted":
            assert summary(core) == summary(reference)
    except BaseException as error:
        error.add_note(f"mutant({kind!r}, {seed})")
        raise
    return core is not None


def summary(outcome: burnside.Outcome) -> Any:
    results = [(each.name, each.verdict) for each in outcome.properties]
    return outcome.states, outcome.transitions, outcome.deadlocks, results


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("kind", ["program", "machine"])
def test_random_models(kind: str, part: int) -> None:
    ran = [check(kind, seed) for seed in range(part * EACH, (part + 1) * EACH)]
    assert any(ran) and not all(ran)


@pytest.mark.parametrize("part", range(10))
def test_random_models_with_processes(part: int) -> None:
    ran = [check("processes", seed, reduced=False) for seed in range(part * EACH, (part + 1) * EACH)]
    assert any(ran) and not all(ran)


@pytest.mark.parametrize("seed", [3, 131, 196])
def test_reduced_models_with_processes(seed: int) -> None:
    """Computations that are part of others, of which the pass on names did not know once."""
    check("processes", seed)


@pytest.mark.parametrize("path", READ)
def test_examples(path: str) -> None:
    ran = [check(path, seed) for seed in range(EACH)]
    assert any(ran) and not all(ran)
