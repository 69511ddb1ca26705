"""Flow graphs are those of Spin: for every model, the tables that `pan -d` prints, state by state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from burnside.languages.promela import read_model
from burnside.languages.promela.flow import Graph, Transition
from burnside.languages.promela.model import Model
from burnside.languages.promela.printing import show_statement
from burnside.languages.promela.statements import DeterministicStep

from tests.languages.promela.spin_tables import HAS_SPIN, Row, tables

MODELS = Path(__file__).parents[4] / "shared" / "models" / "promela"
INCOMPLETE = {
    "nimble-code__Examples__Book_1991__p329.pml": "includes App.F.flow_cl.h, which is not there",
    "nimble-code__Examples__Book_1991__p337.pftp.ses.pml": "includes p337.defines2.h, which is not there",
    "nimble-code__Examples__Book_1991__p347.pftp.ses5.pml": "includes p337.defines2.h, which is not there",
}

needs_spin = pytest.mark.skipif(not HAS_SPIN, reason="spin or gcc is not installed")


def files() -> list[object]:
    found = sorted(each for each in MODELS.iterdir() if each.suffix != ".csv") if MODELS.exists() else []
    if not found:
        return [pytest.param(Path(), marks=pytest.mark.skip(reason="../shared/models/promela is absent"))]
    return [
        pytest.param(
            path,
            id=path.name,
            marks=[pytest.mark.skip(reason=INCOMPLETE[path.name])] if path.name in INCOMPLETE else [],
        )
        for path in found
    ]


@needs_spin
@pytest.mark.parametrize("path", files())
def test_model(path: Path, tmp_path: Path) -> None:
    compare(read_model(path).model, path, tmp_path)


def compare(model: Model, path: Path, folder: Path) -> None:
    spin = tables(path, folder)
    assert isinstance(spin, dict), spin
    claims = {each.name for each in model.claims}
    assert {each.name for each in model.processes} == spin.keys() - claims
    for process in model.processes:
        numbers = {name: value for each in model.symbols for name, value in each.values.items()}
        ours, theirs = rows_of(process.graph, numbers), by_source(spin[process.name])
        assert process.graph.entry == spin[process.name][0].source, process.name
        assert ours.keys() == theirs.keys(), process.name
        for state, rows in theirs.items():
            assert ours[state] == [comparable(row, numbers) for row in rows], (process.name, state)


Comparable = tuple[int, str, str, int, str]
"""Target, atomicity, marks, escape, and the statement without blanks and parentheses."""


def by_source(rows: list[Row]) -> dict[int, list[Row]]:
    """Only of states that can be reached: pan prints guards of escapes as states, too."""
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row.source, []).append(row)
    reached, pending = set[int](), [rows[0].source]
    while pending:
        state = pending.pop()
        if state in found and state not in reached:
            reached.add(state)
            pending += [row.target for row in found[state]]
    return {state: found[state] for state in found if state in reached}


def comparable(row: Row, numbers: Mapping[str, int]) -> Comparable:
    text = "goto" if row.text.startswith((".(goto)", "goto ", "break")) or not row.text else row.text
    text = re.sub(r"^printm\((.*),\s*\w+\)$", r"printf('%e',\1)", text)
    # Spin prints a d_step that ends an atomic as atomic.
    flag = "-" if row.text.startswith("D_STEP") else row.flag
    return row.target, flag, row.marks, row.escape, plain(text, numbers)


def rows_of(graph: Graph, numbers: Mapping[str, int]) -> dict[int, list[Comparable]]:
    found: dict[int, list[Comparable]] = {}
    for number, state in graph.states.items():
        marks = (
            ("a" if state.is_accepting else "-")
            + ("e" if state.is_end else "-")
            + ("p" if state.is_progress else "-")
        )
        found[number] = [
            (each.target, flag(each), marks, each.escape, plain(show_statement(each.statement), numbers))
            for each in graph.leaving(number)
        ]
    return found


def flag(transition: Transition) -> str:
    if isinstance(transition.statement, DeterministicStep):
        return "-"
    return "A" if transition.keeps_control else "-"


def plain(text: str, numbers: Mapping[str, int]) -> str:
    """Neither blanks nor parentheses, strings without their escapes, mtype constants as numbers (Spin prints either), and
    names that the two give to the counters of loops over channels made equal."""
    text = re.sub(r"_?f0r_t3mp[_0-9]*|\bfor_\d+\b", "COUNTER", text.replace("._p==", "@"))
    text = re.sub(r"\w+", lambda word: str(numbers.get(word[0], word[0])), text)
    return re.sub(r"[\s()\\\"']", "", text)
