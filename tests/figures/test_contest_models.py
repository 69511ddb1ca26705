"""Place/transition nets of the Model Checking Contest with known answers, where they lie beside the project."""

from __future__ import annotations

import csv
import math
from functools import cache
from pathlib import Path

import burnside
import pytest
from burnside import _core
from burnside.languages import read
from burnside.net import Net

from tests.core import prepare

MODELS = Path(__file__).parents[3] / "shared" / "models" / "pnml"

# More than a second or two each, unreduced or reduced.
LONG = {
    "AirplaneLD-PT-0020",
    "Anderson-PT-05",
    "CircadianClock-PT-000010",
    "CloudDeployment-PT-3a",
    "Dekker-PT-015",
    "GPUForwardProgress-PT-08a",
    "LeafsetExtension-PT-S08C2",
    "ShieldIIPs-PT-001B",
    "ShieldIIPt-PT-002A",
    "SmallOperatingSystem-PT-MT0032DC0016",
    "StigmergyCommit-PT-05a",
    "TriangularGrid-PT-1500",
}


def table(name: str) -> dict[str, dict[str, str]]:
    path = MODELS / name
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["instance"]: row for row in csv.DictReader(file)}


ALL = table("expected.csv")
EXPECTED = {name: row for name, row in ALL.items() if row["kind"] == "PT"}
ORBITS = table("orbits.csv")


def instances(names: dict[str, dict[str, str]]) -> list[object]:
    if not names:
        return [pytest.param("", marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))]
    return [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in names]


@cache
def load(name: str) -> Net:
    path = MODELS / name / "model.pnml"
    if not path.exists():
        pytest.skip(f"{name} has no model.pnml")
    return read(path)


@pytest.mark.parametrize("name", instances(EXPECTED))
def test_state_space(name: str) -> None:
    """Unreduced counts as the contest gives them; the reduced run adds up to them and sees the same bounds."""
    row, prepared = EXPECTED[name], prepare(load(name))
    full = _core.explore(prepared.handle, _core.trivial_group(prepared.handle), _core.Method("none"))
    assert (full.states, full.transitions) == (int(row["states"]), int(row["transitions"]))
    assert max(full.facts["bounds"]) == int(row["max_token_in_place"])
    assert full.facts["largest_total"] == int(row["max_token_per_marking"])
    reduced = _core.explore(prepared.handle, prepared.group, _core.Method("search"))
    assert reduced.full_states == full.states
    assert reduced.facts == full.facts
    for orbit in prepared.group.transition_orbits():
        enabled = [any(found.firings[each] for each in orbit) for found in (full, reduced)]
        assert enabled[0] == enabled[1]


@pytest.mark.parametrize("name", instances(ORBITS))
def test_orbits(name: str) -> None:
    row, prepared = ORBITS[name], prepare(load(name))
    assert same_order(prepared.group.order, row["group_order"])
    reduced = _core.explore(prepared.handle, prepared.group, _core.Method("search"))
    assert (reduced.states, reduced.full_states) == (int(row["orbits"]), int(row["states"]))
    full = _core.explore(prepared.handle, _core.trivial_group(prepared.handle), _core.Method("none"))
    assert full.deadlocks == int(row["dead_states"])
    assert (reduced.deadlocks > 0) == (full.deadlocks > 0)


def same_order(order: int, cell: str) -> bool:
    """Some cells went through a float: those agree to its precision."""
    if cell.isdigit():
        return order == int(cell)
    return math.isclose(order, float(cell), rel_tol=1e-12)


def verdict(name: str, suffix: str) -> bool:
    path = MODELS / name / f"{name}-{suffix}.out"
    if not path.exists():
        pytest.skip(f"{name} has no {path.name}")
    words = path.read_text().split()
    return words[words.index("TECHNIQUES") - 1] == "TRUE"


@pytest.mark.parametrize("name", instances(EXPECTED))
def test_contest_verdicts(name: str) -> None:
    """Deadlock, one-safety and quasi-liveness, by what `check` decides by itself."""
    outcome = burnside.check(load(name), deadlock=True, safe=True, keep_going=True)
    dead, safe = outcome.properties
    assert (dead.verdict == "violated") == verdict(name, "RD")
    assert (safe.verdict == "holds") == verdict(name, "OS")
    assert (outcome.dead_transitions == ()) == verdict(name, "QL")
