"""Machines that others wrote, with ProB's counts and verdicts, where they lie beside the project."""

from __future__ import annotations

import csv
from pathlib import Path

import burnside
import pytest
from burnside.ir.sets.machine import Machine

from tests.exploring import explore_machine as explore
from tests.exploring import violated_kinds
from tests.reference.sets.groups import orbit_count

MODELS = Path(__file__).parents[4] / "shared" / "models" / "b"

STOPPED_AT_AN_ERROR = {
    # ProB gave up where an expression had no value or an assertion did not hold: its counts are those until then.
    "abort_test.mch", "AssertTest.mch", "Lambda.mch", "Lambda2.mch", "Lambda3.mch", "MinOfEmptySet.mch",
    # And here before the end, for other reasons.
    "Bank3D.mch", "ImpAckProtocol.mch", "Railway0.mch",
    # It takes any image where a relation that is no function is applied.
    "UndefinedFunction.mch",
}  # fmt: skip
ONE_OF_SYMMETRIC_CONSTANTS = {"ProtocolSpec.mch"}
QUICK, POSSIBLE = 500, 20_000
SLOW = {"Galois.mch", "PartialFunNATURAL.mch"}


def rows() -> list[dict[str, str]]:
    path = MODELS / "expected.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["model"] not in STOPPED_AT_AN_ERROR]


def machines() -> list[object]:
    if not rows():
        return [pytest.param({}, marks=pytest.mark.skip(reason="../shared/models/b is absent"))]
    small = [row for row in rows() if int(row["transitions"]) <= POSSIBLE]
    return [
        pytest.param(
            row,
            id=row["model"],
            marks=[pytest.mark.slow] if int(row["transitions"]) > QUICK or row["model"] in SLOW else [],
        )
        for row in small
    ]


@pytest.mark.parametrize("row", machines())
def test_counts_and_verdicts(row):
    machine = burnside.load(MODELS / row["model"]).subject
    assert isinstance(machine, Machine)
    found = explore(machine)
    assert found.stopped == "exhausted"
    assert (found.deadlocks > 0) == (row["deadlock"] == "true")
    assert ("invariant" in violated_kinds(machine, found)) == (row["invariant_violated"] == "true")
    if row["model"] in ONE_OF_SYMMETRIC_CONSTANTS:
        assert orbit_count(machine, found.stored) == int(row["states"])
    else:
        assert (found.states, found.transitions) == (int(row["states"]), int(row["transitions"]))
