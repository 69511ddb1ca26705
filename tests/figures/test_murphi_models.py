"""Murphi models with counts by CMurphi and rumur, where they lie beside the project.

Which reading of a model with an error is right? `--keep-going` is asked for the whole space, and a state that violates an
invariant is a state of the model like any other: we judge it and go on from there. CMurphi stops at the first error, so
its count is of an unfinished run and depends on the order of the search. rumur, when it goes on after errors, reports a
violating state and forgets it: neither is it counted nor are its successors looked for. That is the space in which the
invariants are *assumptions*, and so it can be asked for, and must come out the same to the state and the rule.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from burnside.ir.program import Program
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.records import replace
from burnside.request import Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "murphi"
ABSENT = pytest.mark.skip(reason="../shared/models/murphi is absent")

CANONICAL: dict[str, dict[str, Any]] = {
    "search": {"reduce": "search"},
    "search by partition": {"reduce": "search", "guide": "partition"},
    "nauty": {"reduce": "nauty"},
    "compare": {"reduce": "compare"},
    "flood": {"reduce": "flood"},
    "minimise": {"reduce": "minimise"},
}

LONG = {
    "cmurphi_multisetsym__newlist6.CellCount5.m",
    "cmurphi_sym__cache3.ProcCount3.m",
}
"""A second or more for one run."""

SEES_NOTHING_WRONG = {"ok", "no error"}

ENDS = {
    "cmurphi_others__dpnew.m": "stuttering",
    "cmurphi_secur__ns-old.m": "final",
}
"""Models without an error but with states from which nothing leads on, by why: the rules that can fire all lead back, or
no rule can. Their verdicts were taken without looking for those."""

ARBITER = "cmurphi_others__arbiter.m"


def table() -> dict[str, dict[str, str]]:
    path = MODELS / "expected.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["model"]: row for row in csv.DictReader(file)}


ROWS = table()
SOUND = {name: row for name, row in ROWS.items() if row["verdict"] in SEES_NOTHING_WRONG}
FAULTY = {name: row for name, row in ROWS.items() if row["verdict"] not in SEES_NOTHING_WRONG}
DECLARED = {name: row for name, row in SOUND.items() if row["scalarset"] == "True"}


def each(rows: dict[str, dict[str, str]]) -> list[Any]:
    if not rows:
        return [pytest.param("", marks=ABSENT)]
    return [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in rows]


@cache
def load(name: str) -> Model:
    return read(MODELS / name)


def program(model: Model) -> Program:
    assert isinstance(model.subject, Program)
    return model.subject


def explored(model: Model, **options: Any) -> Outcome:
    """All of the space, deadlocks or not."""
    outcome = check(model, Request(keep_going=True, deadlock=False, **options))
    assert outcome.stopped == "exhausted"
    return outcome


def invariants_assumed(model: Model) -> Model:
    """States that violate an invariant are not visited."""
    of_model = program(model)
    properties = (
        replace(each, kind="assumption") if each.kind == "invariant" else each for each in of_model.properties
    )
    return replace(model, subject=replace(of_model, properties=tuple(properties)))


def test_nothing_is_left_out() -> None:
    if not ROWS:
        pytest.skip("../shared/models/murphi is absent")
    assert len(ROWS) == 26
    assert {row["verdict"] for row in FAULTY.values()} == {"error", "errors"}
    assert {path.name for path in MODELS.glob("*.m")} == set(ROWS)


@pytest.mark.parametrize("name", each(SOUND))
def test_unreduced(name: str) -> None:
    row, outcome = SOUND[name], explored(load(name), reduce="none")
    assert (outcome.states, outcome.transitions) == (int(row["full_states"]), int(row["full_rules"]))
    assert outcome.full_states == outcome.states
    assert outcome.verdict == "holds"


@pytest.mark.parametrize("method", CANONICAL)
@pytest.mark.parametrize("name", each(DECLARED))
def test_declared_symmetries(name: str, method: str) -> None:
    """The table's counts are of canonical forms too: one state for each orbit."""
    row, outcome = DECLARED[name], explored(load(name), symmetry="declared", **CANONICAL[method])
    assert (outcome.states, outcome.transitions) == (int(row["orbit_states"]), int(row["orbit_rules"]))
    assert outcome.full_states == int(row["full_states"])
    assert outcome.verdict == "holds"


@pytest.mark.parametrize("name", each(SOUND))
def test_found_symmetries(name: str) -> None:
    """More may be found than is declared: fewer orbits then, never fewer states."""
    row, outcome = SOUND[name], explored(load(name))
    declared = int(row["orbit_states"] or row["full_states"])
    assert outcome.states <= declared
    assert outcome.full_states == int(row["full_states"])
    assert outcome.verdict == "holds"


def test_symmetries_nobody_declared() -> None:
    """Philosophers in a ring, interchangeable channels, two players: symmetric, and written with plain ranges."""
    if not ROWS:
        pytest.skip("../shared/models/murphi is absent")
    found = {name: explored(load(name)) for name in SOUND if name not in DECLARED}
    fewer = {
        name: outcome.reduction.group_order
        for name, outcome in found.items()
        if outcome.states < int(ROWS[name]["full_states"])
    }
    assert fewer == {
        "cmurphi_others__dp4.m": 8,
        "cmurphi_others__dpnew.m": 6,
        "cmurphi_toy__pingpong.m": 2,
    }


@pytest.mark.parametrize("name", each(SOUND))
def test_deadlocks(name: str) -> None:
    """With the habit of Murphi, stuttering is a deadlock; without, only states where no rule can fire are."""
    model = load(name)
    stuck = replace(model, subject=replace(program(model), stuttering=False))
    wanted = {"stuttering": ("violated", "holds"), "final": ("violated", "violated")}
    request = Request(symmetry="declared")
    found = (check(model, request).verdict, check(stuck, request).verdict)
    assert found == wanted.get(ENDS.get(name, ""), ("holds", "holds"))


@pytest.mark.parametrize("name", each(FAULTY))
def test_errors_are_found(name: str) -> None:
    """By every method, without looking for deadlocks, and stopping there."""
    for options in ({"reduce": "none"}, *CANONICAL.values(), {}):
        outcome = check(load(name), Request(deadlock=False, **options))
        assert (outcome.verdict, outcome.stopped) == ("violated", "violation")
        assert outcome.violations[0].trace is not None


@pytest.mark.parametrize("name", each({name: row for name, row in FAULTY.items() if name != ARBITER}))
def test_space_without_violating_states(name: str) -> None:
    """rumur's reading, to the state and the rule. Every rule that leads to a violating state still fires."""
    row, outcome = FAULTY[name], explored(invariants_assumed(load(name)), reduce="none")
    assert (outcome.states, outcome.transitions) == (int(row["full_states"]), int(row["full_rules"]))


@pytest.mark.slow
def test_arbiter_without_violating_states() -> None:
    """The table's 1,103 states are those CMurphi found before it stopped at its first error. rumur 2022.08.20 with
    `--max-errors 1000000000 --deadlock-detection off` counts 2,355,855 states, and 14,273,812 rules: it counts no firing in
    which an assertion fails. We do, as its guard holds."""
    if not ROWS:
        pytest.skip("../shared/models/murphi is absent")
    outcome = explored(invariants_assumed(load(ARBITER)), reduce="none")
    assert (outcome.states, outcome.transitions) == (2_355_855, 16_530_929)


@pytest.mark.parametrize(
    ("name", "states", "rules"),
    [
        pytest.param("cmurphi_toy__lin.m", 1000, 1049, id="lin"),
        pytest.param("cmurphi_toy__sort5.m", 3000, 6600, id="sort5"),
        pytest.param("cmurphi_toy__down.m", 10_962, 52_365, id="down"),
    ],
)
def test_whole_space(name: str, states: int, rules: int) -> None:
    """Our reading: what the rules reach, invariants or not. `lin` counts to 1000, each number once, two rules fire up to 50;
    `sort5` goes on with the 25 positions of its two fingers on a sorted array; `down` has one state more, all zero."""
    if not ROWS:
        pytest.skip("../shared/models/murphi is absent")
    outcome = explored(load(name), reduce="none")
    assert (outcome.states, outcome.transitions) == (states, rules)
    of_model = program(load(name))
    plain = replace(load(name), subject=replace(of_model, properties=()))
    without = explored(plain, reduce="none")
    assert (without.states, without.transitions) == (states, rules)
