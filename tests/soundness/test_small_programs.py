"""Small programs, each of which breaks one inference about symmetries, and those that lie beside the project.

The second line of a model says whether `S` is symmetric. That is checked by looking at all reachable states; the certifier
must not accept more, and every reduction has to give the verdicts and the number of states of the unreduced program.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.pipeline import read as read_model
from burnside.records import replace
from burnside.request import Request
from burnside.symmetry.points import on_sort, rotation, transposition

from tests.soundness.brute_force import Effort, examine, is_symmetry, read, symmetry_of
from tests.soundness.program_law import CoreLaw

OWN = Path(__file__).parent / "models"
SHARED = Path(__file__).parents[3] / "shared" / "models" / "soundness"
REDUCTIONS: dict[str, dict[str, Any]] = {
    "auto": {},
    "search": {"reduce": "search"},
    "search by partition": {"reduce": "search", "guide": "partition"},
    "nauty": {"reduce": "nauty"},
    "compare": {"reduce": "compare"},
    "flood": {"reduce": "flood"},
    "minimise": {"reduce": "minimise"},
    "reference": {"engine": "reference"},
}
MODELS = sorted(OWN.glob("*.m"))
SHARED_MODELS = sorted(SHARED.glob("*.m"))


def names(paths: list[Path]) -> list[Any]:
    if not paths:
        return [pytest.param(None, marks=pytest.mark.skip(reason="../shared/models/soundness is absent"))]
    return [pytest.param(path, id=path.stem) for path in paths]


TRUTHS = {
    "-- S is symmetric": True,
    "-- S is not symmetric": False,
    "-- S is symmetric only if quantifiers look at all elements": None,
}


def truth(path: Path) -> bool | None:
    """None: it depends on what quantifiers mean."""
    return TRUTHS[path.read_text().splitlines()[1]]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_brute_force_says_what_the_model_says(path: Path) -> None:
    """By the exchange of two elements and the rotation of all: a ring has only rotations."""
    symmetry = symmetry_of(read(path.read_text()))
    sort = next((sort for sort in symmetry.program.sorts if sort.name == "S"), None)
    if sort is None:  # a range that is not used like names
        assert not truth(path)
        return
    law = CoreLaw(symmetry.program)
    states, complete = law.reachable(5_000)
    assert complete
    images = [transposition(sort.size, 0, sort.size - 1), rotation(sort.size)]
    kept = [is_symmetry(law, on_sort(symmetry.program, sort, each), states) for each in images]
    assert truth(path) in (None, any(kept))


@pytest.mark.parametrize("path", names(MODELS))
def test_nothing_false_is_certified(path: Path) -> None:
    found = examine(read(path.read_text()), Random(0), Effort(5_000, 200, 100))
    assert found.problem is None
    assert found.states is not None


@pytest.mark.parametrize("path", names([*MODELS, *SHARED_MODELS]))
def test_reductions_change_no_verdict(path: Path) -> None:
    model = read_model(path)
    plain = Request(reduce="none", keep_going=True, deadlock=True)
    expected = summary(check(model, plain))
    broken = broken_sorts(path)
    for name, options in REDUCTIONS.items():
        found = check(model, replace(plain, **{"reduce": "auto", "broken": broken, **options}))
        unknown = {"states": None} if found.full_states is None else {}
        assert summary(found) == {**expected, **unknown}, name


def broken_sorts(path: Path) -> tuple[str, ...]:
    """Scalarsets that are refused."""
    symmetry = symmetry_of(read(path.read_text()))
    return tuple(refusal.what.split()[-1] for refusal in symmetry.refused)


def summary(outcome: Outcome) -> dict[str, object]:
    verdicts = {each.name: each.verdict for each in outcome.properties}
    return {"states": outcome.full_states, **verdicts}
