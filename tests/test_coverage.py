"""Coverage: what a run has seen adds up, is the same for both engines and every canonical method, and is shown."""

from __future__ import annotations

import json
from pathlib import Path

import burnside
import pytest
from burnside.cli import main
from burnside.outcome import Coverage

EXAMPLES = Path(__file__).parents[1] / "examples"
LIGHTS = """MACHINE lights
SETS SIDE = {left, right}
CONSTANTS most PROPERTIES most : 1..2
VARIABLES on, n
INVARIANT on <: SIDE & n : 0..1
INITIALISATION on := {} || n := 0
OPERATIONS
  press_left = SELECT left /: on & n < most THEN on := on \\/ {left} || n := n + 1 END;
  press_right = SELECT right /: on & n < most THEN on := on \\/ {right} || n := n + 1 END;
  never = SELECT n > 5 THEN skip END
END
"""


def covered(path: Path, **options: object) -> tuple[burnside.Outcome, Coverage]:
    model = burnside.load(path, sizes={"N": 3}) if path.suffix == ".m" else path
    outcome = burnside.check(model, coverage=True, keep_going=True, **options)  # type: ignore[arg-type]
    assert outcome.coverage is not None
    return outcome, outcome.coverage


@pytest.mark.parametrize(
    "name", ["b/Dining.mch", "b/Scheduler1.ref", "murphi/sem.m", "nets/philosophers.pnml"]
)
def test_both_engines_and_all_methods_cover_the_same(name: str) -> None:
    _, expected = covered(EXAMPLES / name, engine="reference")
    for reduce in ("search", "nauty", "minimise", "flood", "compare"):
        assert covered(EXAMPLES / name, reduce=reduce)[1] == expected, reduce


@pytest.mark.parametrize("reduce", ["auto", "none"])
@pytest.mark.parametrize("name", ["b/Dining.mch", "b/Towns.mch", "b/LoginVerySimple.mch"])
def test_transitions_of_operations_add_up(name: str, reduce: str) -> None:
    outcome, coverage = covered(EXAMPLES / name, reduce=reduce)
    assert sum(each.transitions for each in coverage.actions) == outcome.transitions
    assert coverage.explored == outcome.states


def test_a_set_up_without_constants_is_covered_too(tmp_path: Path) -> None:
    path = tmp_path / "sized.mch"
    path.write_text(
        "MACHINE sized SETS S PROPERTIES card(S) > 1 VARIABLES x INVARIANT x <: S INITIALISATION x := {}\n"
        "OPERATIONS add(e) = SELECT e : S - x THEN x := x \\/ {e} END END"
    )
    outcome, coverage = covered(path, reduce="none")
    counted = [(each.name, each.transitions) for each in coverage.actions]
    assert counted == [("SETUP_CONSTANTS", 1), ("INITIALISATION", 1), ("add", 4)]
    assert outcome.transitions == 6


def test_exchanged_operations_are_counted_together(tmp_path: Path) -> None:
    path = tmp_path / "lights.mch"
    path.write_text(LIGHTS)
    _, full = covered(path, reduce="none")
    assert [(each.name, each.transitions, each.shared_with) for each in full.actions] == [
        ("SETUP_CONSTANTS", 2, ()),
        ("INITIALISATION", 2, ()),
        ("press_left", 3, ()),
        ("press_right", 3, ()),
        ("never", 0, ()),
    ]
    assert (full.covered, full.violating) == (4, {"deadlock": 3, "n : 0..1": 1})
    _, reduced = covered(path)
    assert reduced.actions[2].shared_with == ("press_right",)
    assert [each.transitions for each in reduced.actions] == [2, 2, 5, 5, 0]
    assert reduced.violating == {"deadlock": 2, "n : 0..1": 1}


def test_what_is_left_open(tmp_path: Path) -> None:
    outcome = burnside.check(EXAMPLES / "b/Towns.mch", coverage=True, limits=burnside.Limits(states=20))
    assert outcome.coverage is not None and 0 < outcome.coverage.explored < outcome.states == 20


def test_text_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lights.mch"
    path.write_text(LIGHTS)
    main(["check", str(path), "--coverage", "--keep-going"])
    shown = capsys.readouterr().out
    assert "coverage, counted on one state for each orbit\n" in shown
    assert "  violated in   1 state: n : 0..1\n" in shown
    assert "  actions       4 of 5 covered\n" in shown
    assert "             5  press_left, press_right\n             0  never\n" in shown
    main(["check", str(path), "--coverage", "--keep-going", "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["coverage"]["explored"] == record["states"]
    assert record["coverage"]["actions"][2] == {
        "name": "press_left",
        "transitions": 5,
        "shared_with": ["press_right"],
    }
    main(["check", str(path), "--json"])
    assert json.loads(capsys.readouterr().out)["coverage"] is None
