"""`burnside bench` on small B machines: counts compared, differences explained, rows that are skipped. Nothing is timed."""

from __future__ import annotations

from functools import partial

import pytest
from burnside.benchmarks import b_instances, thesis_b
from burnside.benchmarks.b_instances import Explored
from burnside.benchmarks.state_graphs import Size, graph_size
from burnside.diagnostics import Source, UsageError
from burnside.languages import b
from burnside.records import replace
from burnside.reference.sets.machines import starts
from burnside.request import Request

CELL = thesis_b.Published("Scheduler0 PROC=2", "nausym", 10, "0.03", 10)


def canned(states: int, stopped: str = "exhausted") -> thesis_b.Run:
    return lambda *_: Explored(states, 23, 15, stopped, 0.1)


@pytest.mark.parametrize(
    ("cell", "run", "verdict"),
    [
        (CELL, canned(9), "equal"),
        (CELL, canned(10), "WRONG: expected 10"),
        (CELL, canned(9, "max-states"), "WRONG: stopped by max-states"),
        (replace(CELL, expected=11, remark="so be it"), canned(10), "differs: so be it"),
        (replace(CELL, expected=11, remark="so be it"), canned(9), "WRONG: expected 11"),
        (replace(CELL, expected=None, remark="who knows"), canned(8), "differs: who knows"),
        (replace(CELL, states=None, remark="no time"), canned(9), "no time"),
    ],
)
def test_counts_are_equal_or_explained(cell: thesis_b.Published, run: thesis_b.Run, verdict: str) -> None:
    (row,) = thesis_b.rows(thesis_b.SPERMANN_1, [cell], run)
    assert row.cells[-1] == verdict and row.wrong == verdict.startswith("WRONG")
    assert len(row.cells) == len(thesis_b.COLUMNS)


def test_every_mode_is_a_method() -> None:
    asked: list[tuple[str, str]] = []

    def run(model: str, request: Request) -> Explored:
        asked.append((model, request.reduce))
        return Explored(9, 23, 15, "exhausted", 0.1)

    cells = [replace(CELL, mode=mode) for mode in thesis_b.METHODS]
    assert not any(row.wrong for row in thesis_b.rows(thesis_b.SPERMANN_1, cells, run))
    assert [method for _, method in asked] == list(thesis_b.METHODS.values())


def test_small_machines_have_the_published_counts() -> None:
    small = [
        each
        for table in (thesis_b.TABLE_4_1, thesis_b.TABLE_4_2, thesis_b.MARKERS)
        for each in table
        if each.expected is not None and each.expected < 100
    ]
    assert len(small) > 100
    rows = list(thesis_b.rows(thesis_b.SPERMANN_1, small, partial(thesis_b.run, max_seconds=0.0)))
    assert {row.cells[-1] for row in rows} == {"equal"}


def test_state_graphs_have_the_published_sizes() -> None:
    few = {model: text for model, text in thesis_b.GRAPHS.items() if "PROC=5" not in model}
    few = {model: text for model, text in few.items() if not model.endswith(("6", "7"))}
    rows = list(thesis_b.graph_rows(few))
    assert {row.cells[-1] for row in rows} == {"equal"} and not any(row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(thesis_b.GRAPH_SIZES.columns)}
    (row,) = thesis_b.graph_rows({"Scheduler0 PROC=2": "4/6.0/3"})
    assert row.wrong and row.cells[-1] == "WRONG: expected 4/6.0/3"


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("{1} - {1}", Size(2, 1)),  # all empty sets share a vertex, which has an edge to the root
        ("{{1} - {1}}", Size(3, 2)),
        ("{1, 2}", Size(3, 2)),
        ("{1 |-> 2, 2 |-> 1}", Size(2, 2)),  # the root has nothing to do with relations
        ("{1} \\/ {1}", Size(2, 1)),
        ("{1 |-> TRUE}", Size(2, 1)),
        ("{1 |-> {2}}", Size(3, 2)),
        # Two layers: a pair inside of a value distinguishes its sides.
        ("{(1 |-> 2) |-> 3}", Size(8, 3 + 8)),
    ],
)
def test_a_graph_has_a_vertex_for_each_value(value: str, size: Size) -> None:
    text = f"MACHINE M VARIABLES x INVARIANT x = {value} INITIALISATION x := {value} END"
    machine = b.read_text(Source("M.mch", text))
    (start,) = starts(machine)
    assert isinstance(start.result, tuple)
    assert graph_size(machine, start.result) == size


def test_machines_that_are_absent_are_named() -> None:
    assert b_instances.sizes_of("Dining Phil=2 Fork=3") == {"Phil": 2, "Fork": 3}
    for row in (
        *thesis_b.rows(thesis_b.SPERMANN_1, [replace(CELL, model="Volvo")]),
        *thesis_b.graph_rows({"Volvo": ""}),
    ):
        assert row.cells[-1] == "skipped: Volvo.mch is absent" and not row.wrong
    with pytest.raises(UsageError, match="Volvo"):
        b_instances.machine("Volvo N=2")
