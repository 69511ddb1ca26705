"""Claims and labels of Promela models with Spin's verdicts, where they lie beside the project.

Spin 6.5.2: `pan -a` for claims and accept labels, `pan -l` (compiled with `-DNP`) for progress labels, each without and with
`-f`. Labels are checked with the claims removed. That end labels hold, `test_promela_models.py` says.
"""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import pytest
from burnside.limits import Deadline
from burnside.model import Model
from burnside.pipeline import read
from burnside.progress import Progress
from burnside.records import replace
from burnside.request import Request, request_of
from burnside.temporal.answers import FormulaAnswer
from burnside.temporal.asking import formulas_of
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.individuals import fairness_of
from burnside.temporal.reading import TemporalProperty

from tests.figures.test_promela_models import ABSENT, MODELS

LABELS = ("accept", "progress")
LONG = ("mobile1", "mobile2", "pftp", "train", "bakery", "salesman")
"""Parts of names of models whose claims take seconds."""


def table() -> list[dict[str, str]]:
    path = MODELS / "ltl.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        rows = csv.DictReader(file)
        return [row for row in rows if row["usable"] == "yes" and row["kind"] != "end"]


def parameters() -> list[Any]:
    rows = [
        pytest.param(
            row,
            id=f"{row['model']} {row['claim']} {row['fairness']}",
            marks=[pytest.mark.slow] if any(each in row["model"] for each in LONG) else [],
        )
        for row in table()
    ]
    return rows or [pytest.param({}, marks=ABSENT)]


@cache
def load(name: str) -> Model:
    return read(MODELS / name, "promela")


def answer(model: Model, request: Request) -> FormulaAnswer:
    """To the one claim that is asked for, without an exploration of its own."""
    asked = [each for each in formulas_of(model, request) if isinstance(each, TemporalProperty)]
    check = FormulaCheck(model, request, asked, Deadline(), fairness_of(model, request))
    [found], _ = check.run(Progress())
    return found


@pytest.mark.parametrize("reduce", ["none", "auto"])
@pytest.mark.parametrize("row", parameters())
def test_as_spin(row: dict[str, str], reduce: str) -> None:
    model, options = load(row["model"]), {}
    if row["kind"] in LABELS:
        model, options["cycles"] = replace(model, formulas=()), row["kind"]
    else:
        options["ltl"] = row["claim"]
    if row["fairness"] == "weak":
        options["fair"] = "weak"
    found = answer(model, request_of(reduce=reduce, **options))  # type: ignore[arg-type]
    assert found.verdict == row["verdict"], found.why
    assert (found.trace is not None) == (found.verdict == "violated")
