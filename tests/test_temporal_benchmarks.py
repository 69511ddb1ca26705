"""`burnside bench temporal` and `contest` on tiny nets: verdicts compared, runs that go on, exit codes. Nothing is timed."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from burnside.benchmarks import run, temporal
from burnside.benchmarks.contest import Instance, instances, results, rows
from burnside.benchmarks.temporal import Case, Examination
from burnside.families import build
from burnside.languages.pnml.write import write_pnml
from burnside.records import replace

EATING = "eating_1 + eating_2 + eating_3"
CASE = Case("ph 3", "net", "none", (f"G {{{EATING} <= 1}}",), (f"G {{{EATING} = 0}}",))
EXAMINATION = Examination("ph 3", "CTLFireability", 14, 27, 10)


def test_formulas_that_hold_and_that_do_not() -> None:
    for case in (CASE, replace(CASE, reduce="search")):
        (holds,) = temporal.ltl_rows([case])
        (fails,) = temporal.early_rows([case])
        assert not holds.wrong and not fails.wrong
        assert holds.cells[4] == fails.cells[4]


def test_a_verdict_that_is_not_expected_is_wrong() -> None:
    exchanged = replace(CASE, hold=CASE.fail, fail=CASE.hold)
    assert all(row.wrong for row in (*temporal.ltl_rows([exchanged]), *temporal.early_rows([exchanged])))


def test_examinations_have_expected_counts() -> None:
    (row,) = temporal.ctl_rows([EXAMINATION])
    assert row.cells[2:6] == (14, 27, 10, 6)
    assert not row.wrong
    (other,) = temporal.ctl_rows([replace(EXAMINATION, hold=8)])
    assert other.wrong


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A net of the contest with the verdicts of two examinations."""
    folder = tmp_path / "models"
    net = folder / "Philosophers-PT-3"
    net.mkdir(parents=True)
    (folder / "expected.csv").write_text(
        "instance,kind,states\nPhilosophers-PT-3,PT,14\nAbsent-PT-1,PT,5\nLarge-PT-1,PT,?\n"
    )
    with (net / "model.pnml").open("w") as stream:
        write_pnml(build("ph", ["3"]), stream)
    for suffix, name, verdict in (("RD", "ReachabilityDeadlock", "TRUE"), ("L", "Liveness", "FALSE")):
        (net / f"Philosophers-PT-3-{suffix}.out").write_text(
            f"FORMULA {name} {verdict} TECHNIQUES ORACLE2025\n"
        )
    monkeypatch.setenv("BURNSIDE_MODELS", str(folder))
    return net


def test_coloured_nets_are_asked_on_both_routes(tmp_path: Path) -> None:
    assert list(Instance("Philosophers-COL-3", tmp_path, 14).routes.values()) == [False, True]
    assert list(Instance("Philosophers-PT-3", tmp_path, 14).routes.values()) == [None]


@pytest.mark.usefixtures("models")
def test_verdicts_are_logged_and_not_found_again(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    found = list(results(instances(100), log))
    assert [(each.examination, each.reduction, each.right, each.wrong) for each in found] == [
        (examination, reduction, 1, 0)
        for examination in ("ReachabilityDeadlock", "Liveness")
        for reduction in ("none", "auto")
    ]
    lines = list(csv.reader(log.open()))
    assert len(lines) == len(found)
    lines[0][4:6] = "0", "1"
    log.write_text("".join(",".join(line) + "\n" for line in lines))
    again = list(results(instances(100), log))
    assert again[0].wrong == 1 and len(list(csv.reader(log.open()))) == len(found)
    assert [row.wrong for row in rows(again)] == [True, False, False, False]


def test_a_wrong_verdict_fails_the_benchmark(
    models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["contest"], str(tmp_path / "bench")) == 0
    (models / "Philosophers-PT-3-L.out").write_text("FORMULA Liveness TRUE TECHNIQUES ORACLE2025\n")
    assert run(["contest"], str(tmp_path / "bench")) == 1
    assert "a count is wrong" in capsys.readouterr().err
