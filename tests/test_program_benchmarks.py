"""`burnside bench` on tiny programs: counts compared, rows that are skipped, verdicts. Nothing here is timed."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest
from burnside.benchmarks import auto_programs, instances, murphi_race, murphi_runs, thesis_murphi
from burnside.diagnostics import UsageError
from burnside.records import replace
from burnside.request import Request


def test_programs_are_found_by_name_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNSIDE_MURPHI_MODELS", str(tmp_path))
    for name in ("other__mcslock1.N3.m", "newlist6.m", "list6.CellCount4.m", "other__list66.m"):
        (tmp_path / name).write_text("")
    assert instances.located("list6") == tmp_path / "list6.CellCount4.m"
    assert instances.located("mcslock1") == tmp_path / "other__mcslock1.N3.m"
    assert instances.missing("ldash RemoteCount=4") == "skipped: ldash.m is absent"
    assert instances.instance("german NODE_NUM=2 DATA_NUM=1").sizes == {"NODE_NUM": 2, "DATA_NUM": 1}
    with pytest.raises(UsageError, match="ldash"):
        instances.instance("ldash RemoteCount=4")


def test_a_rival_reads_the_model_with_its_sizes() -> None:
    text = "-- N: 16;\nConst N: 16;\n  M : 2 ; -- N: 16;\ntype T: 0 .. N;\n"
    changed = "-- N: 16;\nConst N: 3;\n  M : 4 ; -- N: 16;\ntype T: 0 .. N;\n"
    assert instances.resized(text, {"N": 3, "M": 4}) == changed
    for name in ("n", "T", "K"):
        with pytest.raises(UsageError, match=name):
            instances.resized(text, {name: 3})


once = partial(instances.whole_run, repetitions=1)


def test_commands_that_fail_are_told_in_their_words() -> None:
    with pytest.raises(RuntimeError, match="error: no constant"):
        once("sem K=3")
    with pytest.raises(RuntimeError, match="ended with code 1"):
        once("digraphs N=2")  # the deadlock of a graph without arcs


TINY_RACE = murphi_race.Case("sem N=3", murphi_race.UNREDUCED, "off", 20, 48, 0.0)
TINY_RIVAL = murphi_race.Rival(0.1, 0.2, 0.3, 20, 48)


def ours(*_: object) -> instances.Whole:
    return instances.Whole(20, 48, 20, 0.2, 0.1)


def test_the_race_with_rumur_compares_counts() -> None:
    for target, verdict in ((2.9, "met"), (3.1, "missed")):
        (row,) = murphi_race.rows([replace(TINY_RACE, target=target)], ours, lambda *_: TINY_RIVAL)
        cells = dict(zip(murphi_race.RACE.columns, row.cells, strict=True))
        assert cells["states"] == 20 and cells["ratio"] == pytest.approx(3)
        assert cells["verdict"] == verdict and not row.wrong
    (row,) = murphi_race.rows([TINY_RACE], ours, lambda *_: replace(TINY_RIVAL, states=21))
    assert row.wrong and "WRONG: rumur has 21 / 48" in str(row.cells[-1])
    (row,) = murphi_race.rows([replace(TINY_RACE, rules=49)], ours, lambda *_: TINY_RIVAL)
    assert row.wrong and "WRONG: burnside has 20 / 48" in str(row.cells[-1])


def test_a_rival_that_fails_is_no_wrong_count() -> None:
    def failing(*_: str) -> murphi_race.Rival:
        raise RuntimeError("gcc ended with code 1")

    (row,) = murphi_race.rows([TINY_RACE], ours, failing)
    assert row.cells[-1] == "no race: gcc ended with code 1" and not row.wrong
    assert len(row.cells) == len(murphi_race.RACE.columns)


def test_the_race_without_rumur_or_gcc_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in ("rumur", "gcc"):
        monkeypatch.setattr(shutil, "which", lambda name, absent=tool: None if name == absent else name)
        (row,) = murphi_race.rows([TINY_RACE])
        assert row.cells[-1] == f"skipped: {tool} is absent" and not row.wrong
        assert len(row.cells) == len(murphi_race.RACE.columns)


def test_rumur_counts_as_burnside_does() -> None:
    for tool in ("rumur", "gcc"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is absent")
    exact = replace(TINY_RACE, options=murphi_race.EXACT, symmetry="exhaustive", states=7, rules=18)
    for row in murphi_race.rows([TINY_RACE, exact], once):
        assert row.cells[-1] == "met" and not row.wrong


def test_what_rumur_reports() -> None:
    report = '<rumur_run><summary states="20" rules_fired="48" errors="{}" duration_seconds="0"/></rumur_run>'
    assert murphi_race.counts(report.format(0)) == (20, 48)
    with pytest.raises(RuntimeError, match="error"):
        murphi_race.counts(report.format(1))


def test_sem_checks_its_formulas() -> None:
    rows = list(murphi_runs.sem_rows((3, 4), once))
    assert [row.cells[1:4] for row in rows] == [(20, 7, 18), (48, 9, 30)]
    assert not any(row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(murphi_runs.SEM.columns)}
    (row,) = murphi_runs.sem_rows([3], lambda _: instances.Whole(8, 18, 20, 1.0, 1.0))
    assert row.wrong and row.cells[-1] == "WRONG: expected 20 / 7 / 18"


@pytest.mark.parametrize(
    ("exploring", "whole", "verdict"), [(4.0, 1.9, "met"), (4.0, 2.0, "missed"), (33.0, 1.9, "missed")]
)
def test_sem_judges_growth_and_the_whole_run(exploring: float, whole: float, verdict: str) -> None:
    known = {
        "sem N=2": instances.Whole(5, 9, 8, 1.0, 1.0),
        "sem N=4": instances.Whole(9, 30, 48, whole, exploring),
    }
    first, last = murphi_runs.sem_rows((2, 4), known.__getitem__)
    assert first.cells[-1] == "" and last.cells[-1] == verdict
    assert not first.wrong and not last.wrong


def test_memory_of_programs() -> None:
    case = murphi_runs.Case("sem N=3", "none", 20, 48)
    for each in (case, replace(case, reduce="search", states=7, edges=18)):
        (row,) = murphi_runs.memory_rows([each])
        assert not row.wrong and len(row.cells) == len(murphi_runs.MEMORY.columns)
    (row,) = murphi_runs.memory_rows([replace(case, edges=49)])
    assert row.wrong and row.cells[-1] == "WRONG: expected 20 / 49"


def test_table_7_1_on_small_programs() -> None:
    names = ("digraphs N=3", "digraphs N=4", "graphs N=5", "graphs N=6")
    published = [row for row in thesis_murphi.PUBLISHED if row.model in names]
    rows = list(thesis_murphi.rows(published, partial(thesis_murphi.run, max_seconds=0.0)))
    assert tuple(row.cells[0] for row in rows) == names
    assert all(str(row.cells[-1]).startswith("exact") and not row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(thesis_murphi.TABLE.columns)}


def canned(orbits: int, by_partition: int, by_tree: int, stopped: str = "exhausted") -> thesis_murphi.Run:
    states = {"None": orbits, "partition": by_partition, "tree": by_tree}

    def run(_: str, request: Request) -> thesis_murphi.Found:
        return thesis_murphi.Found(states[str(request.guide)], 1308, 4096, stopped, 0.1)

    return run


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (canned(218, 228, 218), "exact"),
        (canned(218, 229, 218), "exact; missed by partition"),
        (canned(218, 229, 219), "exact; missed by partition; missed by tree"),
        (canned(217, 228, 218), "WRONG: orbits: expected 218"),
        (canned(218, 217, 218), "WRONG: by partition: fewer states than orbits"),
        (
            canned(218, 228, 218, "violation"),
            "WRONG: stopped by violation, by partition stopped by violation, by tree stopped by violation",
        ),
    ],
)
def test_table_7_1_tells_wrong_from_missed(run: thesis_murphi.Run, verdict: str) -> None:
    published = next(row for row in thesis_murphi.PUBLISHED if row.model == "digraphs N=4")
    (row,) = thesis_murphi.rows([published], run)
    assert row.cells[-1] == verdict and row.wrong == verdict.startswith("WRONG")


def test_programs_that_are_absent_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNSIDE_MURPHI_MODELS", str(tmp_path))
    (row,) = thesis_murphi.rows(thesis_murphi.LONG)
    assert row.cells[-1] == "skipped: ldash.m is absent" and not row.wrong
    assert len(row.cells) == len(thesis_murphi.TABLE.columns)
    (row,) = auto_programs.rows(["cache3 ProcCount=4"])
    assert row.cells[-1] == "skipped: cache3.m is absent"
    assert len(row.cells) == len(auto_programs.AUTO.columns)


def test_methods_on_programs_find_the_same_orbits() -> None:
    (row,) = auto_programs.rows(["sem N=3"], methods=("search", "minimise"))
    cells = dict(zip(auto_programs.AUTO.columns, row.cells, strict=True))
    assert (cells["states"], cells["orbits"], cells["group order"]) == (20, 7, 6)
    assert cells["nauty"] == "not run" and cells["auto"] in auto_programs.METHODS
    assert cells["verdict"] == "same orbits" and not row.wrong


def test_a_method_that_does_not_take_the_group_is_refused() -> None:
    assert auto_programs.measure("sem N=12", "minimise") == "refused"
