"""Values that were not tried: verdicts of a machine with names that nothing bounds, and what `--assume-bounds` changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from burnside.cli import main
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Limits, Request

ENGINES = ("core", "reference")

MACHINE = """MACHINE m
VARIABLES x
INVARIANT x : INTEGER & x < 700
INITIALISATION x := 0
OPERATIONS
  {}
END
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "m.mch"
    path.write_text(text)
    return path


def asked(folder: Path, text: str, engine: str = "core", **options: Any) -> Outcome:
    return check(read(written(folder, text)), Request(engine=engine, **options))


def names(outcome: Outcome) -> list[str]:
    return [each.name for each in outcome.cut_domains]


FAR = MACHINE.format("go(l) = IF l >= 700 THEN x := 700 ELSE x := 1 END")


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_holds_over_a_cut_domain(engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, FAR, engine)
    assert (outcome.stopped, outcome.verdict, outcome.exit_code) == ("bounded", "unknown", 3)
    assert {each.verdict for each in outcome.properties} == {"unknown"}
    assert outcome.full_states is None and outcome.dead_transitions is None
    (domain,) = outcome.cut_domains
    assert (domain.name, domain.file, domain.line, domain.column) == ("l", str(tmp_path / "m.mch"), 6, 6)


@pytest.mark.parametrize("engine", ENGINES)
def test_assumed_bounds(engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, FAR, engine, assume_bounds=True)
    assert (outcome.stopped, outcome.verdict, outcome.full_states) == ("exhausted", "holds", 2)
    assert names(outcome) == ["l"] and outcome.bounds_assumed
    assert any("'l'" in note and note.startswith("assumed") for note in outcome.notes)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(written(tmp_path, FAR))
    assert main(["check", path, "--json"]) == 3
    record = json.loads(capsys.readouterr().out)
    assert (record["stopped"], record["full_states"], record["bounds_assumed"]) == ("bounded", None, False)
    assert record["cut_domains"] == [{"name": "l", "file": path, "line": 6, "column": 6}]
    assert main(["check", path]) == 3
    assert "unknown (incomplete: not all values were tried)" in capsys.readouterr().out
    assert main(["check", path, "--assume-bounds", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["stopped"], record["full_states"], record["bounds_assumed"]) == ("exhausted", 2, True)
    assert main(["check", path, "--size", "MAXINT=700"]) == 1


@pytest.mark.parametrize("model", ["nets/mutex.lola", "murphi/sem.m"])
def test_without_effect_on_others(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    examples = Path(__file__).parents[1] / "examples"
    assert main(["check", str(examples / model), "--assume-bounds"]) == 2
    assert "--assume-bounds" in capsys.readouterr().err


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_violated_stays_so(engine: str, tmp_path: Path) -> None:
    text = MACHINE.format("go(l) = SELECT l > x THEN x := 800 END")
    outcome = asked(tmp_path, text, engine, keep_going=True)
    assert (outcome.stopped, outcome.verdict, outcome.exit_code) == ("bounded", "violated", 1)
    assert [each.name for each in outcome.violations] == ["x < 700"]
    assert {each.verdict for each in outcome.properties} == {"unknown", "violated"}


BOUNDED_BY_CASES = [
    "step = ANY y WHERE (x = 0 => y = 100) & (x /= 0 => y = 5) THEN x := y END",
    "step = ANY y WHERE (y = 100 & x = 0) or (y = 5 & x /= 0) THEN x := y END",
    "step = ANY y WHERE (IF x = 0 THEN y = 100 ELSE y = 5 END) THEN x := y END",
    "step = ANY y WHERE (x = 0 <=> y = 100) & (x = 0 or y = 5) THEN x := y END",
    "step = ANY y WHERE not(x = 0 & y /= 100) & not(x /= 0 & y /= 5) THEN x := y END",
    "step = ANY y WHERE (x = 0 => y : {100}) & (x = 0 or #z.(z = 5 & y = z)) THEN x := y END",
    "step = ANY y WHERE LET a BE a = x + 5 IN (a = 5 => y = 100) & (a > 5 => y = 5) END THEN x := y END",
    "step(y) = SELECT (x = 0 => y = 100) & (x /= 0 => y = 5) THEN x := y END",
    "step = x :(x : INTEGER & (x$0 = 0 => x = 100) & (x$0 /= 0 => x = 5))",
]
"""Operations that lead from 0 to 100, from there to 5, and stay there."""


BOUNDED_BY_PARTS = [
    "go = ANY y WHERE [5, y] = [5, 100] THEN x := y END",
    "go = ANY y, z WHERE [y, z] : {[100, 100], [], [7]} THEN x := y END",
    "go = ANY s, y WHERE s <: {100} & s = {y, 100} & y : INTEGER THEN x := y END",
    "go = ANY y, s WHERE s <: {1} & y : {100} - s & s <: NATURAL THEN x := y END",
    "go = ANY f WHERE f : BOOL --> NATURAL & !b.(b : BOOL => f(b) : {100}) THEN x := f(TRUE) END",
    "go = ANY f WHERE f : 0..1 --> NATURAL & f(0) : {100} & f(1) : 99..101 & f(1) = 100 THEN x := f(0) END",
    "go = ANY y WHERE LET a BE a = 8 / 2 IN y = 25 * a END THEN x := y END",
    "go = ANY y WHERE (IF x = 0 THEN 100 ELSE x END) = y + 0 THEN x := y END",
]
"""Operations that lead to 100, whatever x is."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("operation", BOUNDED_BY_PARTS)
def test_values_are_read_off_parts(operation: str, engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, MACHINE.format(operation), engine)
    assert (outcome.verdict, outcome.stopped, outcome.states) == ("holds", "exhausted", 2)


IMPOSSIBLE = [
    "go = ANY y, z WHERE y : NATURAL & z : INTEGER & 1 / x < z THEN x := 1 END",
    "go = ANY y, s WHERE y : NATURAL & s <: NATURAL & card(s) + 1 <= x THEN x := 1 END",
    "go = ANY y, s WHERE s <: NATURAL & y : 0..3 & 7 : s - {7} THEN x := 1 END",
    "go = ANY y WHERE [0, 5] = [1, y] THEN x := 1 END",
    "go = ANY y WHERE y <= 2 & y * 0 : {1} THEN x := 1 END",
]
"""Operations that cannot happen, which is seen without a value of the names that nothing bounds."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("operation", IMPOSSIBLE[:4])
def test_nothing_is_cut_where_nothing_is_possible(operation: str, engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, MACHINE.format(operation), engine)
    assert (outcome.stopped, names(outcome)) == ("violation", [])
    assert [each.name for each in outcome.violations] == ["deadlock"]


def test_engines_name_the_same_places(tmp_path: Path) -> None:
    """Where a name is declared, not where a conjunct speaks of it; products with zero say nothing."""
    text = MACHINE.format(
        "go = ANY z, g WHERE g(0) = 100 & g : 0..1 --> NATURAL & z : NATURAL THEN x := 1 END"
    )
    for operation in (text, MACHINE.format(IMPOSSIBLE[4])):
        core, reference = (asked(tmp_path, operation, engine) for engine in ENGINES)
        assert core.cut_domains == reference.cut_domains != ()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("operation", BOUNDED_BY_CASES)
def test_cases_are_told_apart_first(operation: str, engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, MACHINE.format(operation), engine)
    assert (outcome.verdict, outcome.stopped, outcome.states) == ("holds", "exhausted", 3)
    assert names(outcome) == []


BOUNDED_TOGETHER = [
    ("y + z <= 3 & y >= 0 & z >= 0", 10),
    ("2 * y = z & z : 0..9", 5),
    ("y - z = 100 & z + 1 : {3, 7}", 2),
    ("y : dom(f) & z = f(y)", 2),
    ("f(y) > 4 & z = 0", 1),
    ("y : 0..1 & (y = 0 => z = 100) & (y = 1 => z = 200)", 2),
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("condition", "solutions"), BOUNDED_TOGETHER)
def test_several_conjuncts_bound_a_number(
    condition: str, solutions: int, engine: str, tmp_path: Path
) -> None:
    text = f"MACHINE m CONSTANTS f, y, z PROPERTIES f = {{1 |-> 4, 100 |-> 9}} & {condition} END"
    outcome = asked(tmp_path, text, engine, deadlock=False)
    assert (outcome.stopped, outcome.initial_states, names(outcome)) == ("exhausted", solutions, [])


CUT = {
    "parameter": ("go(y) = SELECT y > x THEN x := 1 END", ["y"]),
    "choice": ("go = ANY y WHERE y : NATURAL & y > x THEN x := 1 END", ["y"]),
    "any value of a set": ("go = x :: NATURAL", ["x'"]),
    "condition of a new value": ("go = x :(x : INTEGER & x > 2)", ["x"]),
    "both": ("go = ANY y, z WHERE y : NATURAL & z > y THEN x := 1 END", ["y", "z"]),
    "the second follows": ("go = ANY y, z WHERE y : NATURAL & z = y + 100 THEN x := 1 END", ["y"]),
    "one case": ("go = ANY y WHERE x = 0 => y = 100 THEN x := 5 END", ["y"]),
    "a set": ("go = ANY s WHERE s <: NATURAL & card(s) = 1 THEN x := 1 END", ["s"]),
    "a sequence": ("go = ANY s WHERE s : seq(BOOL) THEN x := 1 END", ["s"]),
    "a function": ("go = ANY f WHERE f : 0..1 --> NATURAL & f(0) = 100 THEN x := f(0) END", ["f"]),
    "a quantifier": ("go = ANY y WHERE #z.(z : NATURAL & y = z + z) THEN x := 1 END", ["y"]),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CUT)
def test_cut(case: str, engine: str, tmp_path: Path) -> None:
    operation, cut = CUT[case]
    outcome = asked(tmp_path, MACHINE.format(operation), engine)
    assert outcome.stopped == "bounded"
    assert len(names(outcome)) == len(cut)
    if case != "any value of a set":
        assert names(outcome) == cut


NOT_CUT = {
    "implementable numbers are bounds of the model": "go(y) = PRE y : NAT & y > x THEN x := 1 END",
    "integers between MININT and MAXINT, too": "go = ANY y WHERE y : INT THEN x := 1 END",
    "never looked at": "go(y) = SELECT x = 5 & y > 0 THEN x := 1 END; skip_ = skip",
    "all points are prescribed": "go = ANY f WHERE f : 0..1 --> NATURAL & f(0) = 100 & f(1) = 9 THEN x := f(1) END",
    "none is possible": "go = ANY y, z WHERE y : 5..4 & z > y THEN x := 1 END; skip_ = skip",
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", NOT_CUT)
def test_not_cut(case: str, engine: str, tmp_path: Path) -> None:
    outcome = asked(tmp_path, MACHINE.format(NOT_CUT[case]), engine)
    assert (outcome.stopped, names(outcome)) == ("exhausted", [])


@pytest.mark.parametrize("engine", ENGINES)
def test_constants_and_initialisation(engine: str, tmp_path: Path) -> None:
    text = "MACHINE m CONSTANTS c PROPERTIES c : NATURAL VARIABLES x INVARIANT x : INTEGER INITIALISATION x := c END"
    assert names(asked(tmp_path, text, engine, deadlock=False)) == ["c"]
    text = "MACHINE m VARIABLES x INVARIANT x : INTEGER INITIALISATION ANY y WHERE y > 0 THEN x := y END END"
    assert names(asked(tmp_path, text, engine, deadlock=False)) == ["y"]


@pytest.mark.parametrize("engine", ENGINES)
def test_disjunction_of_properties(engine: str, tmp_path: Path) -> None:
    """Violated, with a trace that replays."""
    text = """MACHINE m CONSTANTS c, d PROPERTIES (c = 100 & d = 0) or (c = 1 & d = 100)
    VARIABLES x INVARIANT x : INTEGER & x < 100 INITIALISATION x := c OPERATIONS go = skip END"""
    outcome = asked(tmp_path, text, engine, keep_going=True)
    assert (outcome.stopped, outcome.states, names(outcome)) == ("exhausted", 4, [])
    assert [each.name for each in outcome.violations] == ["x < 100"]


@pytest.mark.parametrize("engine", ENGINES)
def test_deadlock_is_certain_only_where_everything_was_tried(engine: str, tmp_path: Path) -> None:
    far = asked(tmp_path, MACHINE.format("go(y) = SELECT y > 100 THEN x := 1 END"), engine)
    assert (far.verdict, far.stopped, far.deadlocks) == ("unknown", "bounded", 1)
    assumed = asked(
        tmp_path, MACHINE.format("go(y) = SELECT y > 100 THEN x := 1 END"), engine, assume_bounds=True
    )
    assert [each.name for each in assumed.violations] == ["deadlock"]
    elsewhere = asked(tmp_path, MACHINE.format("go(y) = SELECT x = 0 & y > 0 THEN x := 1 END"), engine)
    assert [each.name for each in elsewhere.violations] == ["deadlock"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        "MACHINE m CONSTANTS c PROPERTIES c > 100 END",
        "MACHINE m VARIABLES x INVARIANT x : INTEGER INITIALISATION ANY y WHERE y > 100 THEN x := y END END",
    ],
)
def test_no_start_is_certain_only_where_everything_was_tried(text: str, engine: str, tmp_path: Path) -> None:
    found = asked(tmp_path, text, engine)
    assert (found.stopped, found.verdict, found.states) == ("bounded", "unknown", 0)
    assert [each.name for each in asked(tmp_path, text, engine, assume_bounds=True).violations] == ["error"]


def test_a_limit_comes_first(tmp_path: Path) -> None:
    outcome = asked(tmp_path, FAR, limits=Limits(states=1))
    assert (outcome.stopped, outcome.verdict) == ("max-states", "unknown")


@pytest.mark.parametrize("threads", [1, 2])
def test_under_symmetry(threads: int, tmp_path: Path) -> None:
    text = """MACHINE m SETS S VARIABLES f INVARIANT f : S +-> INTEGER INITIALISATION f := {}
    OPERATIONS put(s, n) = PRE s : S & n : NATURAL THEN f(s) := n mod 2 END END"""
    outcome = asked(tmp_path, text, threads=threads)
    assert (outcome.stopped, outcome.full_states, names(outcome)) == ("bounded", None, ["n"])
    assert asked(tmp_path, text, threads=threads, assume_bounds=True).full_states == 9
