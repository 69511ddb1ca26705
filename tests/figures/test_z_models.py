"""Z specifications with ProZ's counts, where they lie beside the project.

Counted as ProB counts: one state for each valuation of the constants, no artificial root, transitions with set-ups and
initialisations. Schemas that ProZ promotes to operations are promoted for equal counts. Two things differ by habit:

* Constants that are elements of given sets: ProZ takes one of the valuations that are alike, so these specifications are
  compared by orbits (`SYMMETRIC_CONSTANTS`).
* Numbers that nothing bounds are cut at MAXINT, in ProZ without a word in its verdict (`BOUNDED`).

`docs/z-models.md` says the same at more length.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from burnside.diagnostics import UsageError
from burnside.languages.options import ReadOptions
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Limits, Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "z"
ABSENT = pytest.mark.skip(reason="../shared/models/z is absent")
PAGE = Path(__file__).parents[2] / "docs" / "z-models.md"

SYMMETRIC_CONSTANTS = {
    "zspec__fixture__unreachable-operation-bad.tex",
    "zspec__fixture__xi-frame-bad.tex",
    "zspec__oracle-protocol.tex",
}
BOUNDED = {"paper_videoshop.tex": {"level?"}}
CANONICAL = ("search", "nauty", "compare", "minimise", "flood")
LONG = 40_000
"""States of runs that are marked slow."""
LARGE_GROUP = 20_000
"""States in all orbits, beyond which `minimise` and `flood` are not tried."""


def table(name: str) -> list[dict[str, str]]:
    path = MODELS / name
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def title(row: dict[str, str]) -> str:
    return f"{row['model']} {row['sizes']} {row.get('maxint', '')}".strip()


def params(rows: list[dict[str, str]]) -> list[Any]:
    if not rows:
        return [pytest.param({}, marks=ABSENT)]
    return [
        pytest.param(
            row, id=title(row), marks=[pytest.mark.slow] if int(row.get("states") or 0) > LONG else []
        )
        for row in rows
    ]


ROWS = table("expected.csv")
COUNTED = [row for row in ROWS if row["states"]]
ORBITS = [row for row in ROWS if row["orbits_exact"] or row["orbits_nauty"]]
UNCOUNTED = [row for row in ROWS if not row["states"] and not row["orbits_nauty"]]


def sizes_of(row: dict[str, str]) -> dict[str, int]:
    sizes = {"MAXINT": int(row.get("maxint") or 3)}
    if found := re.match(r"all given sets (\d+)", row["sizes"]):
        return sizes | {"*": int(found[1])}
    return sizes | {name: int(size) for name, size in re.findall(r"([A-Z]+)(\d+)", row["sizes"])}


def explored(row: dict[str, str], reduce: str, **options: Any) -> Outcome:
    promote = "promoted" in row.get("notes", "")
    model = read(MODELS / "models" / row["model"], options=ReadOptions(sizes_of(row), promote=promote))
    bounded = row["model"] in BOUNDED
    request = Request(reduce=reduce, symmetry="declared", keep_going=True, assume_bounds=bounded, **options)
    outcome = check(model, request)
    assert outcome.stopped == "exhausted"
    assert {each.name for each in outcome.cut_domains} == BOUNDED.get(row["model"], set())
    return outcome


@pytest.mark.parametrize("row", params(COUNTED))
def test_full_counts(row: dict[str, str]) -> None:
    outcome = explored(row, "none")
    wanted = [int(row["states"]), int(row["transitions"])]
    found = [outcome.states, outcome.transitions]
    if row["model"] in SYMMETRIC_CONSTANTS:
        assert [each % expected for each, expected in zip(found, wanted, strict=True)] == [0, 0]
        assert found != wanted
        return
    assert found == wanted
    if row["deadlocked_states"]:
        assert outcome.deadlocks == int(row["deadlocked_states"])


@pytest.mark.parametrize("row", params(ORBITS))
def test_orbits(row: dict[str, str]) -> None:
    expected = int(row["orbits_exact"] or row["orbits_nauty"])
    full = int(row["states"] or 0)
    for method in CANONICAL:
        if method in ("minimise", "flood") and full > LARGE_GROUP:
            continue
        outcome = explored(row, method)
        assert outcome.states == expected, method
        if full and row["model"] not in SYMMETRIC_CONSTANTS:
            assert outcome.full_states == full, method


@pytest.mark.parametrize("row", params(UNCOUNTED))
def test_what_proz_cannot_explore(row: dict[str, str]) -> None:
    """It is read, and explored until a limit says stop."""
    model = read(MODELS / "models" / row["model"], options=ReadOptions({}))
    outcome = check(model, Request(keep_going=True, limits=Limits(states=300, seconds=30.0)))
    assert outcome.states > 1


def in_z(goal: str) -> str:
    """From B's syntax, as far as it is another one."""
    goal = goal.replace(" : ", " in ")
    goal = re.sub(r"card\((\w+)\)", r"(\\# \1)", goal)
    goal = re.sub(r"#(\w+)\.\(\1:(\w+) & (.*)\)$", r"exists \1 : \2 @ \3", goal)
    return goal.replace("<:", " subseteq ").replace(" - crasher", " \\setminus crasher")


@pytest.mark.parametrize("row", params(table("goals.csv")))
def test_goals(row: dict[str, str]) -> None:
    goal = in_z(row["goal (B syntax, as printed in the model text)"])
    model = read(MODELS / "models" / row["model"], options=ReadOptions(sizes_of(row)))
    for method in ("none", "auto"):
        outcome = check(model, Request(reduce=method, goals=(goal,), deadlock=False))
        [found] = [each for each in outcome.properties if each.kind == "goal"]
        assert (found.verdict == "violated") == (row["verdict measured"] == "found"), method


@pytest.mark.skipif(not PAGE.exists(), reason="docs/z-models.md is absent")
def test_the_page_names_what_differs() -> None:
    text = PAGE.read_text()
    for name in (*SYMMETRIC_CONSTANTS, *BOUNDED):
        assert name.removesuffix(".tex").replace("__", "/") in text or name in text, name


def test_a_size_that_is_no_given_set_is_refused() -> None:
    if not ROWS:
        pytest.skip("../shared/models/z is absent")
    with pytest.raises(UsageError, match="no given set or numeric constant is called 'FOO'"):
        read(MODELS / "models" / "paper_videoshop.tex", options=ReadOptions({"FOO": 3}))
