"""`burnside bench` on tiny nets: counts compared, files written, exit codes. Nothing here is timed."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from burnside import benchmarks
from burnside.benchmarks import (
    auto,
    auto_finding,
    auto_methods,
    auto_models,
    race,
    scaling,
    self_check,
    speed,
    thesis_nets,
)
from burnside.benchmarks.apart import apart
from burnside.benchmarks.host import this_host
from burnside.benchmarks.measuring import MethodSettings, Timed, family, method_of_auto, prepare, timed
from burnside.benchmarks.tables import Row, Table, TableSpec, bare, plain_lines, shown
from burnside.cli import main
from burnside.records import replace

NAMES = ("digraphs 3", "digraphs 4", "graphs 6")


def run(net: str, settings: MethodSettings) -> Timed:
    return timed(prepare(family(net)), settings, 0.0)


def tiny_tables() -> Iterator[Table]:
    published = [row for row in thesis_nets.UNREDUCED if row.net in NAMES]
    rows = thesis_nets.unreduced_rows(published, lambda net: prepare(family(net)), run)
    yield Table(thesis_nets.TABLE_1, rows)


def wrong_tables() -> Iterator[Table]:
    row = replace(thesis_nets.UNREDUCED[-4], markings=65)
    yield Table(
        thesis_nets.TABLE_1,
        thesis_nets.unreduced_rows([row], lambda net: prepare(family(net)), run),
    )


def only(monkeypatch: pytest.MonkeyPatch, name: str, tables: object) -> None:
    each = benchmarks.BENCHMARKS[name]
    changed = {**benchmarks.BENCHMARKS, name: replace(each, tables=tables)}  # type: ignore[arg-type]
    monkeypatch.setattr(benchmarks, "BENCHMARKS", changed)


def test_without_a_name_the_benchmarks_are_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bench"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in benchmarks.BENCHMARKS)
    assert "burnside bench all" in out
    assert not list(tmp_path.iterdir())


def test_an_unknown_name_is_refused_with_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "thesis-nets", "thesis", "-o", str(tmp_path / "out")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "'thesis'" in err and "thesis-nets" in err and "scaling" in err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["bench", "thesis-nets", "-o", str(tmp_path / "file")]) == 2
    assert main(["bench", "thesis-nets", "-o", str(tmp_path / "file" / "below")]) == 2
    assert "file" in capsys.readouterr().err


def test_csv_and_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "thesis-nets", tiny_tables)
    folder = tmp_path / "new" / "bench"
    assert main(["bench", "thesis-nets", "-o", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert "graphs 6: exact (the thesis misprints 32,678 markings)" in err
    assert "32,768" in out
    with (folder / "thesis-4.1.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["net"]: row for row in csv.DictReader(file)}
    assert tuple(rows) == ("graphs 6", "digraphs 3", "digraphs 4")
    assert (rows["graphs 6"]["markings"], rows["graphs 6"]["edges"]) == ("32768", "245760")
    page = (folder / "RESULTS.md").read_text(encoding="utf-8")
    assert "| graphs 6 | 21 | 45 | 720 | 32,768 | 245,760 |" in page
    assert str(this_host()) in page


def test_tables_of_another_day_stay_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "thesis-nets", tiny_tables)
    only(
        monkeypatch, "startup", lambda: iter([Table(speed.STARTUP, iter([Row(("x", 0.1, 0.1, "", "met"))]))])
    )
    assert main(["bench", "startup", "-o", str(tmp_path)]) == 0
    machines = (tmp_path / "machines.csv").read_text(encoding="utf-8")
    day = this_host().date
    (tmp_path / "machines.csv").write_text(machines.replace(day, "2001-02-03"), encoding="utf-8")
    assert main(["bench", "thesis-nets", "-o", str(tmp_path)]) == 0
    page = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert "2001-02-03" in page and day in page
    assert page.index("Table 4.1") < page.index(speed.STARTUP.title)


def test_the_page_tells_no_names_of_host_or_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "thesis-nets", tiny_tables)
    main(["bench", "thesis-nets", "-o", str(tmp_path)])
    page = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert str(tmp_path) not in page
    assert os.uname().nodename not in page.split()


def test_a_wrong_count_ends_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, "thesis-nets", wrong_tables)
    assert main(["bench", "thesis-nets", "-o", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "WRONG: markings: expected 65" in out
    assert "a count is wrong" in err


@pytest.mark.parametrize("setup", [thesis_nets.MARKING, thesis_nets.PARTITION, thesis_nets.NAUTY])
def test_reduced_tables_are_exact(setup: thesis_nets.Setup) -> None:
    published = [row for row in setup.rows if row.net in (*NAMES, "ph 10", "db 8")]
    rows = list(thesis_nets.reduced_rows(setup, published, run))
    assert [row.cells[-1] for row in rows] == ["exact"] * 5
    assert all(len(row.cells) == len(setup.spec.columns) for row in rows)


@pytest.mark.parametrize(
    "change", [{"markings": 17}, {"edges": 47}, {"trivial": "77.09"}, {"trivial": "77.083"}, {"trivial": "0"}]
)
def test_every_published_figure_counts(change: dict[str, object]) -> None:
    published = next(row for row in thesis_nets.BY_PARTITION if row.net == "digraphs 3")
    (row,) = thesis_nets.reduced_rows(thesis_nets.PARTITION, [replace(published, **change)], run)  # type: ignore[arg-type]
    assert row.wrong == (change != {"trivial": "77.083"})


def test_the_published_tables_agree_with_each_other() -> None:
    nets = [row.net for row in thesis_nets.UNREDUCED]
    counts = {(row.net, row.markings, row.edges) for row in thesis_nets.BY_PARTITION}
    for table in (thesis_nets.BY_MARKING, thesis_nets.BY_PARTITION, thesis_nets.BY_NAUTY):
        assert [row.net for row in table] == nets
        assert {(row.net, row.markings, row.edges) for row in table} == counts


def test_speed_tables_on_tiny_nets() -> None:
    case = speed.Case("digraphs 4", "search", 218, 1_308)
    unreduced = speed.Case("digraphs 4", "none", 4_096, 24_576)
    for measure, spec in (
        (speed.speed_rows, speed.SPEED),
        (speed.memory_rows, speed.MEMORY),
        (speed.thread_rows, speed.THREADS),
    ):
        rows = list(measure([case, unreduced]))
        assert not any(row.wrong for row in rows)
        assert {len(row.cells) for row in rows} == {len(spec.columns)}
        (row,) = measure([replace(case, edges=1_309)])
        assert row.wrong and "WRONG" in str(row.cells[-1])


def test_scaling_checks_the_formulas_of_db() -> None:
    rows = list(scaling.rows({"db": ("db 3", "db 4"), "ph": ("ph 3",)}))
    assert not any(row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(scaling.SCALING.columns)}


def test_the_self_check_changes_no_count() -> None:
    small = self_check.cases(["db 3"], ["sem N=3"], ["TokenRing Server=3"])
    rows = list(self_check.rows(small))
    assert [row.cells[1] for row in rows] == ["net", "program", "machine"]
    assert not any(row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(self_check.TABLE.columns)}
    assert all(isinstance(row.cells[3], int) and row.cells[3] > 0 for row in rows)


def test_race_tells_markings_apart_as_pynauty_does() -> None:
    pytest.importorskip("pynauty")
    rows = list(race.rows(["ph 4", "grid 2 2"], sample=50))
    assert rows and not any(row.wrong for row in rows)
    assert {len(row.cells) for row in rows} == {len(race.RACE.columns)}


def test_race_without_pynauty_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(race, "find_spec", lambda _: None)
    (row,) = race.rows(["ph 4"])
    assert row.cells[-1] == "skipped: pynauty is absent"
    assert len(row.cells) == len(race.RACE.columns)


def test_auto_runs_methods_and_names_the_choice() -> None:
    (row,) = auto_methods.rows(["digraphs 3"], methods=("none", "search", "minimise"))
    cells = dict(zip(auto_methods.AUTO.columns, row.cells, strict=True))
    assert (cells["states"], cells["orbits"], cells["acting order"]) == (64, 16, 6)
    assert cells["auto"] == method_of_auto(family("digraphs 3"))
    assert cells["nauty"] == "not run"
    assert cells["verdict"] == "same orbits" and not row.wrong


def test_auto_says_where_methods_disagree() -> None:
    found = auto_methods.Finding(1.0, 16, 64, "exhausted")
    answers: dict[str, auto_methods.Answer] = {
        "search": found,
        "nauty": replace(found, states=17),
        "minimise": "refused",
    }
    row = auto_methods.row_of(("x", 1, 6), answers, "search", acting=True)
    assert row.wrong and "16, 17" in str(row.cells[-1])


def test_work_apart_returns_raises_and_is_ended() -> None:
    assert apart(divmod, 7, 2, limit=60) == (3, 1)
    with pytest.raises(RuntimeError, match="zero"):
        apart(divmod, 7, 0, limit=60)
    with pytest.raises(TimeoutError):
        apart(time.sleep, 60, limit=0.2)


@pytest.mark.parametrize(
    ("cell", "stored", "read"),
    [
        (None, "", "–"),
        (1_331_714, "1331714", "1,331,714"),
        (0.00012, "0.0001", "0.0001"),
        (0.5, "0.500", "0.500"),
        (12.345, "12.3", "12.3"),
        (4268537.1, "4268537", "4,268,537"),
        (">24h", ">24h", ">24h"),
        (10**40, str(10**40), f"about {1:.3f}e40"),
    ],
)
def test_cells(cell: str | int | float | None, stored: str, read: str) -> None:
    assert bare(cell) == stored
    assert shown(stored) == read


def test_plain_tables_are_aligned() -> None:
    spec = TableSpec("x", "X", ("net", "states"), "")
    assert list(plain_lines(spec.columns, [("ph", 1000), ("grid", None)])) == [
        "net   states",
        "----  ------",
        "ph     1,000",
        "grid       –",
    ]


def test_auto_tells_a_refusal_from_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = auto_methods.rows(["mutex 9"], methods=("search", "minimise"))
    cells = dict(zip(auto_methods.AUTO.columns, row.cells, strict=True))
    assert cells["minimise"] == "refused" and not row.wrong

    def ended(*_: object, **__: object) -> auto_methods.Answer:
        raise RuntimeError("the process ended with code -11")

    monkeypatch.setattr(auto_methods, "apart", ended)
    (row,) = auto_methods.rows(["mutex 3"], methods=("search",))
    assert row.wrong and "failed" in row.cells


def family_command(folder: Path, words: str) -> auto_models.Command:
    (command,) = auto_models.families(folder, (words,))
    return command


def cells_of(spec: TableSpec, row: Row) -> dict[str, object]:
    return dict(zip(spec.columns, row.cells, strict=True))


def test_the_price_of_auto_for_whole_commands(tmp_path: Path) -> None:
    commands = [family_command(tmp_path, words) for words in ("mutex 8", "sparse 9 2")]
    absent = auto_models.Command("no such model", ())
    rows = list(auto.rows_of({"families": [*commands, absent], "nothing": []}))
    reduced, unreduced, skipped, *means = [cells_of(auto.AUTO, row) for row in rows]
    assert (reduced["states"], reduced["stored"]) == (2**8 + 8 * 2**7, 17)
    assert (reduced["method"], reduced["group"]) == ("search", 40_320)
    assert isinstance(reduced["MB"], int) and reduced["MB"] > 0
    assert (unreduced["states"], unreduced["stored"], unreduced["method"]) == (45, 45, "none")
    assert "no symmetry" in str(unreduced["why, and when it changed"])
    assert skipped["verdict"] == "skipped: absent"
    assert [each["model"] for each in means[:2]] == ["geometric mean: families", "geometric mean: all"]
    assert "2 models, 1 reduced to the end" in str(means[0]["verdict"])
    assert not any(row.wrong for row in rows)


def outcome(**changes: object) -> dict[str, Any]:
    reduction = {
        "name": "search",
        "strength": "canonical",
        "group_order": 10**30,
        "complete": True,
        "reason": "the group is large",
        "changes": [],
    }
    known = {"stopped": "exhausted", "states": 10, "full_states": 100, "properties": []}
    return {**known, "peak_memory_bytes": 3 << 20, "reduction": reduction, **changes}


UNREDUCED = auto.Run(4.0, outcome(states=100))
REDUCED = auto.Run(2.0, outcome())
CUT = auto.Run(auto.LIMIT, outcome(stopped="max-seconds"))
GAVE_UP = {
    "name": "search",
    "strength": "representative",
    "group_order": 6,
    "complete": False,
    "reason": "the group is large",
    "changes": [{"after_states": 12_345, "seconds": 0.52, "restarted": False}],
}


@pytest.mark.parametrize(
    ("none", "auto_run", "wrong"),
    [
        (UNREDUCED, REDUCED, ""),
        (UNREDUCED, auto.Run(2.0, outcome(full_states=99)), "full states are 99, not 100"),
        (UNREDUCED, auto.Run(2.0, outcome(full_states=None)), "orbits are not counted"),
        (UNREDUCED, auto.Run(2.0, outcome(full_states=None, reduction=GAVE_UP)), ""),
        (UNREDUCED, auto.Run(2.0, outcome(states=101)), "more states are stored"),
        (UNREDUCED, auto.Run(2.0, outcome(properties=[{"verdict": "violated"}])), "verdicts differ"),
        (UNREDUCED, auto.Run(2.0, None, "killed"), "auto failed: killed"),
        (UNREDUCED, CUT, ""),
        (CUT, auto.Run(2.0, outcome(full_states=99)), ""),
    ],
)
def test_what_is_wrong_about_auto(none: auto.Run, auto_run: auto.Run, wrong: str) -> None:
    row = auto.row_of("x", none, auto_run)
    assert row.wrong == bool(wrong)
    assert wrong in str(row.cells[-1])


@pytest.mark.parametrize(
    ("none", "auto_run", "ratio", "verdict"),
    [
        (UNREDUCED, REDUCED, 0.5, "bound kept"),
        (UNREDUCED, auto.Run(7.0, outcome()), 1.75, "bound kept"),
        (UNREDUCED, auto.Run(7.1, outcome()), 1.775, "TOO SLOW"),
        (UNREDUCED, CUT, auto.LIMIT / 4, "AUTO DID NOT END"),
        (UNREDUCED, auto.Run(120.0, None), auto.LIMIT / 4, "AUTO DID NOT END"),
        (CUT, REDUCED, 2 / auto.LIMIT, "none did not end"),
        (CUT, CUT, None, "neither ended"),
    ],
)
def test_verdicts_on_the_price_of_auto(
    none: auto.Run, auto_run: auto.Run, ratio: float | None, verdict: str
) -> None:
    cells = cells_of(auto.AUTO, auto.row_of("x", none, auto_run))
    assert (cells["ratio"], cells["verdict"]) == (ratio, verdict)


def test_when_auto_changed_and_with_what_strength() -> None:
    run = auto.Run(2.0, outcome(full_states=None, reduction=GAVE_UP))
    cells = cells_of(auto.AUTO, auto.row_of("x", UNREDUCED, run))
    assert cells["method"] == "search (representative)"
    assert cells["why, and when it changed"] == "given up after 12,345 states, 0.5 s, gone on"
    assert cells["group"] == "at least 6"
    assert auto.short_order(10**5000) == "about 1.000e5000"


def test_short_runs_alone_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"none": [50.0], "auto": [2.0, 1.0]}

    def measured(_: object, reduce: str) -> auto.Run:
        states = 100 if reduce == "none" else 10
        return auto.Run(seconds[reduce].pop(0), outcome(states=states))

    monkeypatch.setattr(auto, "measured", measured)
    pair = auto.pair_of(auto_models.Command("x", ("x.pnml",)))
    assert isinstance(pair, auto.Pair)
    assert (pair.none.seconds, pair.auto.seconds) == (50.0, 1.0)
    assert seconds == {"none": [], "auto": []}


def test_every_row_of_the_collections_is_a_candidate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, header, rows, files in (
        ("BURNSIDE_MODELS", "instance,kind,states", ["A,PT,12", "B,PT,2000000", "C,COL,3"], ["A/model.pnml"]),
        ("BURNSIDE_MURPHI_MODELS", "model,full_states", ["a.m,1", "b.m,2"], ["a.m"]),
        ("BURNSIDE_B_MODELS", "model,states", ["A.mch,1"], ["A.mch"]),
    ):
        folder = tmp_path / variable
        for file in files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text("")
        (folder / "expected.csv").write_text("\n".join([header, *rows, ""]), encoding="utf-8")
        monkeypatch.setenv(variable, str(folder))
    assert [each.name for each in auto_models.nets()] == ["A"]
    programs = {each.name: each.arguments for each in auto_models.programs()}
    assert programs["a"] and not programs["b"]
    assert programs["sem N=16"][1:] == ("--size", "N=16")
    (machine,) = (each for each in auto_models.machines() if each.name == "A")
    assert machine.arguments[1:] == ("--assume-bounds",)


def test_finding_symmetries_of_nets() -> None:
    rows = list(auto_finding.rows(["lines 2 3 4 1", "railroad 7 2", "sparse 50 2"]))
    assert not any(row.wrong for row in rows)
    lines, railroad, sparse = (cells_of(auto_finding.FINDING, row) for row in rows)
    assert (lines["group"], lines["found"], lines["verdict"]) == (36, "all", "met")
    assert (sparse["places"], sparse["transitions"], sparse["group"]) == (50, 100, 1)
    assert railroad["found"] == "all"


@pytest.mark.parametrize(
    ("order", "complete", "wrong"),
    [(36, True, ""), (35, True, "expected 36"), (12, False, ""), (24, False, "does not divide 36")],
)
def test_orders_of_large_groups_are_compared(order: int, complete: bool, wrong: str) -> None:
    found = auto_finding.Found(1, 1, 1, order, 2, complete, 1.0, 1)
    assert auto_finding.wrong_order("lines 2 3 4 1", found) == wrong
    row = auto_finding.row_of("lines 2 3 4 1", found)
    assert row.wrong == bool(wrong)
    late = auto_finding.row_of("lines 2 3 4 1", replace(found, order=36, seconds=10.5))
    assert late.cells[-1] == "MISSED" and not late.wrong


def test_finding_that_does_not_end_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto_finding, "LIMIT", 0.0)
    (row,) = auto_finding.rows(["lines 2 3 4 1"])
    assert "MISSED" in str(row.cells[-1]) and not row.wrong
