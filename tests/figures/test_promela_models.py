"""Promela models with Spin's counts, where they lie beside the project.

Spin 6.5.2 with `-o1 -o2 -o3`, compiled with `-DSAFETY -DNOREDUCE -DNOCLAIM`, run with `-c0`: all states are explored, errors
are counted and passed over. `docs/promela-models.md` says why the exceptions are exceptions.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from burnside.diagnostics import InputError, UnsupportedError
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "promela"
ABSENT = pytest.mark.skip(reason="../shared/models/promela is absent")
LONG = 100_000
"""States of models that take seconds."""

REFUSED = {"nimble-code__Examples__rtos1.pml": "priorities"}
"""By what is not supported."""

INCOMPLETE = {
    "nimble-code__Examples__Book_1991__p329.pml",
    "nimble-code__Examples__Book_1991__p337.pftp.ses.pml",
    "nimble-code__Examples__Book_1991__p347.pftp.ses5.pml",
}
"""Models that include files which do not lie beside them."""

ENDS_IN_AN_ERROR = {"utwente-fmt__tests__regression__20110228_channel_poll.prom"}
"""The only step of the last state is an error of the model. Spin says so, and calls the state an invalid end state too; a
state whose step fails is no deadlock here."""

KINDS = {
    "invalid end state": "deadlock",
    "assertion violated": "assertion",
    "error to poll rendezvous channel": "error",
}


def table() -> dict[str, dict[str, str]]:
    path = MODELS / "expected.csv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["model"]: row for row in csv.DictReader(file)}


ROWS = table()


def each(rows: dict[str, dict[str, str]]) -> list[Any]:
    if not rows:
        return [pytest.param("", marks=ABSENT)]
    return [
        pytest.param(name, marks=[pytest.mark.slow] if int(row["full_states"]) > LONG else [])
        for name, row in rows.items()
    ]


@cache
def load(name: str) -> Model:
    return read(MODELS / name, "promela")


@cache
def explored(name: str, reduce: str) -> Outcome:
    model = load(name)
    return check(Model(**{**model.__dict__, "formulas": ()}), Request(reduce=reduce, keep_going=True))


ANSWERED = {name: row for name, row in ROWS.items() if name not in REFUSED and name not in INCOMPLETE}


@pytest.mark.parametrize("name", each(ANSWERED))
def test_states_and_transitions(name: str) -> None:
    found, row = explored(name, "none"), ANSWERED[name]
    assert (found.states, found.transitions) == (int(row["full_states"]), int(row["full_transitions"]))
    assert found.full_states == found.states


@pytest.mark.parametrize("name", each(ANSWERED))
def test_errors(name: str) -> None:
    """Spin counts a violated assertion once for each step that violates it, and an invalid end state once."""
    found, row = explored(name, "none"), ANSWERED[name]
    wanted = {kind for message, kind in KINDS.items() if message in row["messages"]}
    if name in ENDS_IN_AN_ERROR:
        wanted.remove("deadlock")
    assert {each.kind for each in found.properties if each.verdict == "violated"} == wanted
    if row["messages"] in ("", "invalid end state"):
        assert found.deadlocks == int(row["errors"])


@pytest.mark.parametrize("name", each(ANSWERED))
def test_reduced(name: str) -> None:
    """The orbits stand for all states, and verdicts are the same."""
    full, reduced = explored(name, "none"), explored(name, "auto")
    assert reduced.full_states == full.states
    assert [(each.name, each.verdict) for each in reduced.properties] == [
        (each.name, each.verdict) for each in full.properties
    ]


@pytest.mark.parametrize("name", each({name: ROWS[name] for name in REFUSED if name in ROWS}))
def test_refused(name: str) -> None:
    with pytest.raises(UnsupportedError, match=REFUSED[name]):
        load(name)


@pytest.mark.parametrize("name", each({name: ROWS[name] for name in sorted(INCOMPLETE) if name in ROWS}))
def test_incomplete(name: str) -> None:
    with pytest.raises(InputError, match="there is no file"):
        load(name)


def test_as_many_as_asked_for() -> None:
    if not ROWS:
        pytest.skip("../shared/models/promela is absent")
    assert len(ANSWERED) >= 80
