"""Temporal formulas on the command line: verdicts, exit codes, lassos in all forms, how formulas are grouped, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.cli import main
from burnside.diagnostics import UsageError

EXAMPLES = Path(__file__).parent.parent / "examples"
RING = str(EXAMPLES / "nets" / "ring.lola")
SEM = [str(EXAMPLES / "murphi" / "sem.m"), "--size", "N=3"]
PHILOSOPHERS = str(EXAMPLES / "nets" / "philosophers.pnml")

MACHINE = """MACHINE M
DEFINITIONS
  ASSERT_LTL == "F {x = 2}"; ASSERT_LTL_never_FAIL == "F {x = 5}"; ASSERT_CTL == "AG EF deadlock"
VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS inc = SELECT x < 2 THEN x := x + 1 END END"""

NUMBERS = """MACHINE Numbers
VARIABLES x INVARIANT x : NATURAL INITIALISATION x := 0
OPERATIONS set(n) = SELECT n : NATURAL & n < 2 or n > 1000 THEN x := n END END"""


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    code = main(["check", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert out, err
    return code, json.loads(out)


def verdicts(record: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["name"], each["verdict"]) for each in record["properties"]]


def written(folder: Path, text: str, name: str = "m.mch") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_one_entry_for_each_formula_in_the_order_asked(capsys: pytest.CaptureFixture[str]) -> None:
    code, record = checked(
        capsys, RING, "--ltl", "G F deadlock", "--ctl", "AG  EF initial", "--ltl", "G F [move_1]"
    )
    assert code == 1
    assert verdicts(record) == [
        ("ltl", "G F deadlock", "violated"),
        ("ctl", "AG EF initial", "holds"),
        ("ltl", "G F [move_1]", "holds"),
    ]
    assert (record["verdict"], record["stopped"]) == ("violated", "violation")


def test_nothing_but_formulas(capsys: pytest.CaptureFixture[str]) -> None:
    """The states are not explored for anything else: what only that would show is not known."""
    code, record = checked(capsys, RING, "--ctl", "AG EF initial", "--ctl", "EF full_1 = 0")
    assert (code, record["verdict"], record["stopped"]) == (0, "holds", "exhausted")
    assert [record[key] for key in ("full_states", "deadlocks", "bounds", "dead_transitions", "depth")] == [
        None
    ] * 5
    largest = max(record["formula_runs"], key=lambda run: run["states"])
    assert (record["states"], record["transitions"]) == (largest["states"], largest["edges"])
    assert record["reduction"]["group_order"] == largest["reduction"]["group_order"]
    assert "only formulas are asked" in record["notes"][0]


@pytest.mark.parametrize(
    "option", ["--deadlock", "--keep-going", "--safe", "--coverage", "--bounds", "--stats"]
)
def test_what_explores_all_states(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, record = checked(capsys, RING, "--ltl", "G F deadlock", option)
    assert (record["full_states"], record["deadlocks"], record["stopped"]) == (20, 0, "exhausted")
    assert len(record["formula_runs"]) == 1
    assert record["properties"][-1]["verdict"] == "violated"


GROUPED = ["G F deadlock", "F full_1 = 0", "G (full_1 = 1 | full_1 = 0)", "G F [move_1]", "G F !initial"]


def grouped(capsys: pytest.CaptureFixture[str]) -> dict[tuple[str, ...], dict[str, Any]]:
    _, record = checked(capsys, RING, *(word for each in GROUPED for word in ("--ltl", each)))
    found = ["violated", "holds", "holds", "holds", "holds"]
    assert [each["verdict"] for each in record["properties"]] == found
    return {tuple(run["formulas"]): run["reduction"] for run in record["formula_runs"]}


def test_formulas_share_a_small_space(capsys: pytest.CaptureFixture[str]) -> None:
    ((names, reduction),) = grouped(capsys).items()
    assert names == tuple(GROUPED)
    assert (reduction["group_order"], reduction["restricted_by"]) == (
        1,
        ["full_1 = 0", "full_1 = 1 or full_1 = 0"],
    )


def test_formulas_that_share_a_group_share_a_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the space of all together is large."""
    monkeypatch.setattr("burnside.temporal.checking.MAX_SHARED_STATES", 2)
    monkeypatch.setattr("burnside.temporal.checking.MAX_SHARED_FACTOR", 0)
    runs = grouped(capsys)
    found = {names: (each["group_order"], each["restricted_by"]) for names, each in runs.items()}
    assert found == {
        ("G F deadlock", "G F !initial"): (6, []),
        ("F full_1 = 0", "G (full_1 = 1 | full_1 = 0)"): (1, ["full_1 = 0", "full_1 = 1 or full_1 = 0"]),
        ("G F [move_1]",): (2, ["[move_1]"]),
    }


def test_formulas_share_a_space_that_is_large_anyway(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the space of some is large too."""
    monkeypatch.setattr("burnside.temporal.checking.MAX_SHARED_STATES", 2)
    runs = grouped(capsys)
    assert [len(names) for names in runs] == [2, 3]
    assert {name for names in runs for name in names} == set(GROUPED)
    assert [each["group_order"] for each in runs.values()] == [6, 1]


@pytest.mark.parametrize("formula", ["(![move_3]) U [move_1]", "(!([move_3] | [move_5])) U [move_1]"])
def test_steps_that_a_symmetry_exchanges_are_told_apart(formula: str) -> None:
    """A rotation maps each of the sets of steps to another one: it is no symmetry of the formula."""
    reduced, full = (burnside.check(RING, reduce=each, ltl=formula) for each in ("auto", "none"))
    assert reduced.verdict == full.verdict == "violated"
    assert reduced.reduction.restricted_by


@pytest.mark.parametrize("formula", ["X G !initial", "G F initial", "initial & X !initial"])
def test_initial_is_kept_where_the_group_may_move_the_start(formula: str) -> None:
    reduced = burnside.check(RING, ltl=formula, fixing="nothing")
    assert reduced.verdict == burnside.check(RING, "none", ltl=formula).verdict
    assert reduced.reduction.group_order == 6


def test_both_engines(capsys: pytest.CaptureFixture[str]) -> None:
    asked = (
        "--ltl",
        "G F deadlock",
        "--ctl",
        "AG EF initial",
        "--ltl",
        "F G full_1 = 1",
        "--ctl",
        "E[full_1 = 1 U full_2 = 1]",
    )
    for fair in ((), ("--fair", "weak"), ("--fair", "strong")):
        _, core = checked(capsys, RING, *asked, *fair)
        _, reference = checked(capsys, RING, *asked, *fair, "--engine", "reference")
        assert verdicts(core) == verdicts(reference)
        (run,) = reference["formula_runs"]
        assert (run["states"], run["edges"], run["reduction"]["name"]) == (20, 36, "none")


# Fairness


def test_fair_runs_only(capsys: pytest.CaptureFixture[str]) -> None:
    """A semaphore: to each waiting process strong fairness gives its turn, weak fairness does not."""
    one = "G F {exists p: PROCESS do phase[p] = Critical end}"
    each = "G ([want(PROCESS_1)] -> F [enter(PROCESS_1)])"
    found = {}
    for strength in ("weak", "strong"):
        _, record = checked(capsys, *SEM, "--ltl", one, "--ltl", each, "--fair", strength)
        found[strength] = [each["verdict"] for each in record["properties"][-2:]]
    assert found == {"weak": ["holds", "violated"], "strong": ["holds", "holds"]}


def test_fairness_needs_a_formula(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", RING, "--fair", "weak"]) == 2
    assert "--fair: error: has no effect here: it needs a temporal formula" in capsys.readouterr().err
    assert main(["check", RING, "--fair", "very", "--ltl", "deadlock"]) == 2
    assert "no such value: 'very'" in capsys.readouterr().err


# Runs


def test_a_lasso_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *SEM, "--ltl", "F G e(enter)"]) == 1
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("trace violating F G e(enter), 2 steps and a loop of 6 steps")
    steps = lines[start + 1 :]
    assert steps[3] == "     loop"
    assert steps[10:] == ["     back to 2", "  loop of 3 steps closes after 6: (PROCESS_0 PROCESS_2)"]
    assert "  violated  ltl F G e(enter), 2 steps and a loop of 6 steps" in lines
    assert "1 formula in 1 run" in lines


def test_a_lasso_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, record = checked(capsys, *SEM, "--ltl", "F G e(enter)")
    found = record["properties"][-1]
    trace, loop = found["trace"], found["loop_start"]
    assert trace[0]["action"] == "nobody wants it"
    assert trace[loop]["state"] == trace[-1]["state"]
    assert 0 <= loop < len(trace) - 1


def test_a_finite_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, MACHINE)
    code, record = checked(capsys, path, "--no-deadlock", "--ltl", "G X true")
    found = record["properties"][-1]
    assert (code, found["message"], "loop_start" in found) == (
        1,
        "the run ends here: no step is possible",
        False,
    )
    assert [each["action"] for each in found["trace"]] == ["INITIALISATION", "inc", "inc"]


def test_a_run_that_need_not_be_read_further(capsys: pytest.CaptureFixture[str]) -> None:
    _, record = checked(capsys, RING, "--ltl", "G full_1 = 1")
    (found,) = record["properties"]
    assert found["message"] == "violated here, whatever follows"
    assert found["trace"][-1]["state"]["full_1"] == "0"


def test_a_run_for_a_branching_formula(capsys: pytest.CaptureFixture[str]) -> None:
    _, record = checked(capsys, RING, "--ctl", "AG (full_1 = 0 -> EX full_1 = 1)")
    (found,) = record["properties"]
    assert found["verdict"] == "violated"
    assert found["trace"][-1]["state"]["full_1"] == "0"


def test_files_of_lassos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {name: tmp_path / f"t.{name}" for name in ("json", "txt", "dot", "svg")}
    for path in files.values():
        assert main(["check", RING, "--ltl", "F G full_1 = 1", "--trace", str(path)]) == 1
    (found,) = json.loads(files["json"].read_text())["traces"]
    loop, last = found["loop_start"], len(found["trace"]) - 2
    assert f"s0_{last} -> s0_{loop} [" in files["dot"].read_text()
    assert f"s0_{last + 1}" not in files["dot"].read_text()
    assert f"back to {loop}" in files["txt"].read_text()
    assert files["svg"].read_bytes().startswith(b"<?xml")
    capsys.readouterr()


def test_a_picture_says_of_whom_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formula = "forall p: PROCESS . G (phase[p] = Waiting -> F phase[p] = Critical)"
    path = tmp_path / "t.dot"
    assert main(["check", *SEM, "--ltl", formula, "--trace", str(path)]) == 1
    assert f'label="ltl {formula}\\nfor p = PROCESS_0";' in path.read_text()
    capsys.readouterr()


# What models and files carry


def test_formulas_of_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, record = checked(capsys, written(tmp_path, MACHINE), "--no-deadlock")
    assert code == 0
    assert verdicts(record)[2:] == [
        ("ltl", "ASSERT_LTL", "holds"),
        ("ltl", "ASSERT_LTL_never_FAIL", "holds"),
        ("ctl", "ASSERT_CTL", "holds"),
    ]
    assert record["properties"][3]["message"] == "a counterexample is expected, and found"
    wrong = MACHINE.replace("never_FAIL", "once_FAIL").replace("{x = 5}", "{x = 1}")
    code, record = checked(capsys, written(tmp_path, wrong), "--no-deadlock")
    assert code == 1
    assert record["properties"][3]["message"] == "a counterexample is expected, and none exists"


def test_named_formulas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "# the ring\nltl moves: G F\n  [move_1]\nctl home: AG EF initial\nltl stays: F G full_1 = 1\n"
    path = written(tmp_path, text, "ring.props")
    code, record = checked(capsys, RING, "--ltl", "G F deadlock", "--properties", path)
    assert code == 1
    assert verdicts(record)[1:] == [
        ("ltl", "moves", "holds"),
        ("ctl", "home", "holds"),
        ("ltl", "stays", "violated"),
    ]


def test_a_property_file_with_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "ltl moves: G F [move_1]\nltl wrong: G full_9 = 1\n", "ring.props")
    assert main(["check", RING, "--properties", path]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{path}:2:14: error: there is no place 'full_9'" in err
    assert main(["check", RING, "--properties", str(tmp_path / "none")]) == 2


# Limits


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_limits(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, record = checked(
        capsys, PHILOSOPHERS, "--ctl", "AG EF initial", "--max-states", "3", "--engine", engine
    )
    assert (code, record["verdict"], record["stopped"]) == (3, "unknown", "max-states")
    assert verdicts(record) == [("ctl", "AG EF initial", "unknown")]


def test_no_time_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    code, record = checked(capsys, RING, "--ltl", "G F deadlock", "--max-seconds", "1e-9")
    assert (code, record["stopped"]) == (3, "max-seconds")
    assert verdicts(record) == [("ltl", "G F deadlock", "unknown")]


def test_values_that_were_not_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An endless run is one whatever else is possible; that a formula holds, or a run ends, is not certain."""
    path = written(tmp_path, NUMBERS)
    _, record = checked(capsys, path, "--ltl", "G {x < 2}", "--ltl", "G {x < 1}", "--ltl", "G e(set)")
    assert [each["verdict"] for each in record["properties"][-3:]] == ["unknown", "violated", "unknown"]
    assert record["properties"][-1]["message"] == "not all values of 'n' were tried"
    assert record["formula_runs"][0]["stopped"] == "bounded"
    _, record = checked(capsys, path, "--ltl", "G {x < 2}", "--assume-bounds")
    assert record["properties"][-1]["verdict"] == "holds"


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_a_condition_without_a_value(engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is an error in one formula, and nothing to the others."""
    path = written(tmp_path, MACHINE)
    asked = ("--ltl", "G {1 / (1 - x) = 1}", "--ltl", "F {x = 1}", "--no-deadlock", "--engine", engine)
    code, record = checked(capsys, path, *asked)
    assert code == 3
    wrong, right = record["properties"][-2:]
    assert (wrong["verdict"], right["verdict"]) == ("unknown", "holds")
    assert "divided by zero (line 1, column 4 of --ltl G {1 / (1 - x) = 1})" in wrong["message"]
    assert [each["action"] for each in wrong["trace"]] == ["INITIALISATION", "inc"]


FAILING_STARTS = {
    "assertion.m": 'var x: boolean; startstate begin assert "yes" false; end; rule x := true; end;',
    "range.m": "var x: 0..3; startstate begin x := 4; end; rule x := 1; end;",
    "properties.mch": """MACHINE M CONSTANTS n PROPERTIES n : 0..1 & 1 / n = 1
VARIABLES x INVARIANT x : 0..2 INITIALISATION x := n OPERATIONS stay = skip END""",
    "initialisation.mch": """MACHINE M CONSTANTS n PROPERTIES n : 0..1
VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 1 / n OPERATIONS stay = skip END""",
}


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("name", FAILING_STARTS)
def test_a_start_that_fails(
    name: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then the model is wrong, and formulas have no answer, even where no run begins that could violate them."""
    path = written(tmp_path, FAILING_STARTS[name], name)
    _, record = checked(capsys, path, "--ltl", "G F deadlock", "--engine", engine)
    found = record["properties"][-1]
    assert found["verdict"] == "unknown"
    assert found["trace"][-1]["failure"] == found["message"]


# Refusals


REFUSED = [
    (("--ltl", "G (full_1 = 1"), "--ltl:1:3: error: this bracket is not closed", "  ^"),
    (("--ltl", "G full_9 = 1"), "--ltl:1:3: error: there is no place 'full_9'", "  ^^^^^^"),
    (("--ctl", "AG"), "--ctl:1:3: error: ", "^"),
    (("--ltl", ""), "--ltl:1:1: error: ", "^"),
    (("--ltl", "G full_1"), "--ltl:1:3: error: expected a condition, found a number of tokens", "^^^^^^"),
    (("--ltl", "forall x: full_1 . G x = 1"), "--ltl:1:11: error: a place/transition net has no sets", "^"),
    (("--ltl", "G [nowhere]"), "--ltl:1:4: error: there is no transition 'nowhere'", "^^^^^^^"),
    (("--ltl", f"  G (full_1 = 1 | {'Y ' * 20}full_2 = 1)"), "has more than 10000 states", "  ^^^^^^^"),
    (("--ltl", "deadlock", "--order", "dfs"), "--order dfs: error: has no effect here", ""),
    (("--ltl", "deadlock", "--threads", "2"), "--threads: error: has no effect here", ""),
    (("--ltl", "deadlock", "--self-check", "full"), "--self-check full: error: has no effect here", ""),
    (
        ("--ltl", "deadlock", "--engine", "reference", "--reduce", "minimise"),
        "--reduce minimise: error: ",
        "",
    ),
]


@pytest.mark.parametrize(("arguments", "message", "caret"), REFUSED)
def test_refusals(
    arguments: tuple[str, ...], message: str, caret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", RING, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert caret in err
    assert "Traceback" not in err


def test_a_wrong_type_in_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *SEM, "--ltl", "G {free = 1}"]) == 2
    assert "--ltl:1:4: error: these are never equal" in capsys.readouterr().err
    assert main(["check", written(tmp_path, MACHINE), "--ltl", "G {x = TRUE}"]) == 2
    assert "--ltl:1:8: error: " in capsys.readouterr().err


# Python


def test_from_python() -> None:
    found = burnside.check(RING, ltl=["G F deadlock", "G F [move_1]"], ctl="AG EF initial")
    assert [(each.kind, each.verdict) for each in found.properties] == [
        ("ltl", "violated"),
        ("ltl", "holds"),
        ("ctl", "holds"),
    ]
    trace = found.properties[0].trace
    assert trace is not None and trace.loop_start is not None
    assert trace.steps[trace.loop_start].state == trace.steps[-1].state
    assert {name for run in found.formula_runs for name in run.formulas} == {
        each.name for each in found.properties
    }


def test_files_from_python(tmp_path: Path) -> None:
    path = Path(written(tmp_path, "ctl home: AG EF initial\n", "ring.props"))
    found = burnside.check(RING, properties=path)
    assert [(each.name, each.verdict) for each in found.properties] == [("home", "holds")]
    with pytest.raises(UsageError):
        burnside.check(RING, fair="weak")
