"""`burnside bench` on tiny nets: counts compared, files written, exit codes. Nothing here is timed."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from burnside import benchmarks
from burnside.benchmarks import auto, auto_methods, race, scaling, self_check, speed, thesis_nets
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


def test_the_price_of_auto_is_told_for_whole_commands(tmp_path: Path) -> None:
    (command,) = [each for each in auto.families(tmp_path) if each.name == "mutex 12"]
    row = auto.row_of(command)
    cells = dict(zip(auto.AUTO.columns, row.cells, strict=True))
    full = 2**12 + 12 * 2**11
    assert (cells["states"], cells["stored"], cells["method"], cells["changed after"]) == (
        full,
        25,
        "search",
        None,
    )
    assert not row.wrong
    skipped = auto.row_of(auto.Command("no such model", ()))
    assert skipped.cells[-1] == "skipped: absent"
