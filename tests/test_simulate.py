"""The walk and the conversation, separately; then that both are what `--json` says."""

from __future__ import annotations

import io
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from burnside import pipeline
from burnside.diagnostics import Source
from burnside.families import build
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.kinds import kind_of
from burnside.languages import murphi
from burnside.net import Net
from burnside.reference.steps import run_label, steps
from burnside.semantics import Semantics
from burnside.simulate import SHOWN_ACTIONS, run
from burnside.walk import StepFails, Walk
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SymmetricNet, symmetric_nets


def semantics(subject: Any) -> Semantics[Any, Any, Any]:
    return kind_of(subject).semantics_of(subject)


def talk(net: Net | Program, text: str, seed: int = 0) -> tuple[Walk, list[str]]:
    out = io.StringIO()
    simulation = run(semantics(net), steps=None, seed=seed, stdin=io.StringIO(text), stdout=out)
    return simulation, out.getvalue().splitlines()


def walk(net: Net | Program | Machine, steps: int, seed: int) -> tuple[Walk, str]:
    out = io.StringIO()
    return run(semantics(net), steps=steps, seed=seed, stdin=io.StringIO(), stdout=out), out.getvalue()


def test_step_and_undo() -> None:
    net = build("ph", [3])
    simulation = Walk(semantics(net))
    assert [each.name for each in simulation.choices()] == ["take_left_1", "take_left_2", "take_left_3"]
    simulation.step(1)
    assert simulation.state == net.fire(net.initial, simulation.history[-1].label)
    assert simulation.undo() and simulation.state == net.initial
    assert not simulation.undo()
    for choice in (-1, 3):
        with pytest.raises(IndexError):
            simulation.step(choice)


@given(symmetric_nets(), st.integers(0, 30), st.integers(0, 5))
def test_random_walks_are_runs_of_the_net_and_can_be_repeated(
    made: SymmetricNet, steps: int, seed: int
) -> None:
    net = made.net
    simulation, text = walk(net, steps, seed)
    for before, after in pairwise(simulation.history):
        assert net.is_enabled(before.state, after.label)
        assert net.fire(before.state, after.label) == after.state
    assert len(simulation.history) == steps + 1 or simulation.deadlock
    again, same = walk(net, steps, seed)
    assert again.history == simulation.history and same == text


def test_the_trace_names_marked_places_only() -> None:
    net = Net("n", ("p", "q", "r"), (2, 0, 1), ("eat",), (((0, 1), (2, 1)),), (((1, 1),),))
    _, text = walk(net, 5, 0)
    assert text.splitlines() == ["0  initial  2*p r", "1  eat      p q", "deadlock: no transition is enabled"]


def test_a_conversation() -> None:
    simulation, lines = talk(build("mutex", [2]), "1\n2\nu\ns\nt\nq\n1\n")
    assert lines == [
        "number: fire   u: undo   s: state   t: trace   r N: N random steps   q: quit",
        "[0] free noncritical_1 noncritical_2",
        "  1  try_1",
        "  2  try_2",
        "> [1] free trying_1 noncritical_2",
        "  1  enter_1",
        "  2  try_2",
        "> [2] free trying_1 trying_2",
        "  1  enter_1",
        "  2  enter_2",
        "> [1] free trying_1 noncritical_2",
        "  1  enter_1",
        "  2  try_2",
        "> [1] free trying_1 noncritical_2",
        "> 0  initial  free noncritical_1 noncritical_2",
        "1  try_1    free trying_1 noncritical_2",
        "> ",
    ]
    assert len(simulation.history) == 2


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("9", "> choose a number from 1 to 2"),
        ("0", "> choose a number from 1 to 2"),
        ("u", "> this is the start: nothing to undo"),
        ("-1", "> number: fire"),
        ("r x", "> number: fire"),
        ("1 2", "> number: fire"),
        ("9" * 5000, "> number: fire"),
        ("²", "> number: fire"),
        ("", "> [0] free"),
    ],
)
def test_what_cannot_be_done_is_said(said: str, answer: str) -> None:
    simulation, lines = talk(build("mutex", [2]), f"{said}\n")
    assert lines[4].startswith(answer)
    assert len(simulation.history) == 1


def test_random_steps_in_a_conversation() -> None:
    simulation, lines = talk(build("ph", [3]), "r 4\nr\n", seed=3)
    assert len(simulation.history) == 6
    assert [line[2] for line in lines[5:6]] == ["1"] and lines[6].startswith("2  ")
    assert simulation.history == walk(build("ph", [3]), 5, 3)[0].history


def test_a_deadlock_is_shown_and_can_be_undone() -> None:
    simulation, lines = talk(build("ph", [2]), "1\n2\n1\nu\n")
    assert "  deadlock: no transition is enabled" in lines
    assert "> nothing is enabled: u undoes" in lines
    assert not simulation.deadlock


def test_long_lists_are_cut_but_every_number_works() -> None:
    net = build("ph", [SHOWN_ACTIONS + 5])
    simulation, lines = talk(net, f"{SHOWN_ACTIONS + 5}\n")
    assert f"  ... and 5 more, up to {SHOWN_ACTIONS + 5}" in lines
    assert simulation.history[-1].name == f"take_left_{SHOWN_ACTIONS + 5}"


def test_end_of_input_ends_it() -> None:
    _, lines = talk(build("ph", [2]), "")
    assert lines[-1] == "> "


def test_names_cannot_move_the_cursor() -> None:
    net = Net("n", ("p\x1b[2J\n",), (1,), ("t\r\n",), (((0, 1),),), ((),))
    _, text = walk(net, 1, 0)
    assert "\x1b" not in text and len(text.splitlines()) == 3


def test_the_record() -> None:
    simulation, _ = walk(build("ph", [2]), 1, 0)
    record = json.loads(json.dumps(simulation.record("ph.pnml")))
    assert list(record) == ["command", "model", "steps", "deadlock", "violations", "reached"]
    assert (record["command"], record["model"], record["deadlock"]) == ("simulate", "ph.pnml", False)
    first, second = record["steps"]
    assert first == {"action": None, "state": {f"{p}_{i}": "1" for i in (1, 2) for p in ("thinking", "fork")}}
    assert second["action"].startswith("take_left_")
    assert all(value != "0" for value in second["state"].values())


# Programs

COUNTERS = """
type P: scalarset(2); C: 0 .. 2;
var x: array[P] of C; y: P;
startstate "low" for p: P do x[p] := 0 end; end;
startstate for p: P do x[p] := 1 end; end;
ruleset p: P do
  rule "up" x[p] < 2 ==> x[p] := x[p] + 1; y := p; end;
  rule "over" x[p] = 2 ==> x[p] := x[p] + 1; end;
end;
rule "look" x[y] < 2 ==> end;
invariant "small" forall p: P do x[p] < 2 end;
"""
ONE_START = """
var done: boolean; n: 0 .. 3;
startstate done := false; end;
rule "finish" !done ==> done := true; end;
rule "rest" done ==> end;
rule "not wanted" !done ==> n := 3; assume "never" false; end;
"""


def program(text: str) -> Program:
    return murphi.read_text(Source("model.m", text))


def test_several_start_states_are_the_first_choice() -> None:
    simulation, lines = talk(program(COUNTERS), "u\ns\nt\n2\nu\n1\n")
    assert lines[1:4] == ["choose a start state:", "  1  low", "  2  startstate 2"]
    assert lines[4:7] == [
        "> this is the start: nothing to undo",
        "> there is no state yet: choose a start state",
        "> > [0] x[P_0] = 1, x[P_1] = 1",
    ]
    assert [moment.name for moment in simulation.history] == ["low"]


def test_one_start_state_is_taken_at_once() -> None:
    simulation = Walk(semantics(program(ONE_START)))
    assert simulation.started and not simulation.undo()
    assert simulation.record("m")["steps"] == [
        {"action": "startstate 1", "state": {"done": "false", "n": "undefined"}}
    ]


def test_a_step_that_fails_says_why_and_is_not_taken() -> None:
    simulation, lines = talk(program(COUNTERS), "1\n3\n")
    assert "  3  look   fails: y is undefined (line 10, column 15)" in lines
    assert "> this step fails, and is not taken: y is undefined (line 10, column 15)" in lines
    assert len(simulation.history) == 1
    with pytest.raises(StepFails, match="y is undefined"):
        simulation.step(2)


def test_later_states_show_what_changes_and_what_is_wrong() -> None:
    _, lines = talk(program(COUNTERS), "2\n1\ns\n")
    at = lines.index("> [1] x[P_0]: 1 -> 2, y: undefined -> P_0")
    assert lines[at + 1] == "    violated: invariant small"
    assert lines[-3:] == ["> [1] x[P_0] = 2, x[P_1] = 1", "    y = P_0", "> "]


def test_what_an_assumption_rules_out_cannot_be_chosen() -> None:
    assert [each.name for each in Walk(semantics(program(ONE_START))).choices()] == ["finish"]


def test_leading_back_is_a_deadlock_where_the_language_has_it_so() -> None:
    simulation, text = walk(program(ONE_START), 5, 0)
    assert simulation.deadlock and len(simulation.history) == 2
    assert text.splitlines()[-1] == "deadlock: every action leads back to this state"


def test_everything_fails() -> None:
    only = program("var x: 0 .. 1; startstate x := 7 / (x - x); end; rule end;")
    simulation, lines = talk(only, "1\nr 3\n")
    assert not simulation.started and not simulation.deadlock
    assert "  everything that can be chosen here fails" in lines
    assert walk(only, 4, 0)[1].splitlines() == [
        "everything that can be chosen here fails",
        "error in step 0: startstate 1: x is undefined (line 1, column 37)",
    ]
    assert simulation.record("m")["steps"] == []


@pytest.mark.parametrize("seed", range(5))
def test_random_walks_are_runs_of_the_program(seed: int) -> None:
    model = program(COUNTERS)
    simulation, text = walk(model, 30, seed)
    start = run_label(model, None, simulation.history[0].label)
    assert start is not None and start.after == simulation.history[0].state
    for before, after in pairwise(simulation.history):
        assert after.state in [step.result for step in steps(model, before.state)]
    again, same = walk(model, 30, seed)
    assert (again.history, same) == (simulation.history, text)


# Violations on the way


def test_a_walk_ends_where_something_is_violated() -> None:
    model = program(COUNTERS)
    violated, failed = 0, 0
    for seed in range(30):
        simulation, text = walk(model, 50, seed)
        last = len(simulation.history) - 1
        (event,) = simulation.violations()
        if simulation.failed is None:
            violated += 1
            assert (event.step, event.remark.kind, event.remark.name) == (last, "invariant", "small")
            assert "2" in simulation.record("m")["steps"][-1]["state"].values()
            assert text.splitlines()[-1] == f"violated in step {last}: invariant small"
        else:
            failed += 1
            assert (event.step, event.action) == (last + 1, "look")
            assert (
                text.splitlines()[-1]
                == f"error in step {last + 1}: look: y is undefined (line 10, column 15)"
            )
        assert simulation.record("m")["violations"] == [event.record()]
    assert violated and failed


def test_assertions_and_errors_are_told_apart() -> None:
    text = """
    var n: 0 .. 3;
    startstate n := 0; end;
    rule "up" n < 3 ==> n := n + 1; assert "n is small" n < 2; end;
    """
    simulation, shown = walk(program(text), 9, 0)
    (event,) = simulation.record("m")["violations"]
    assert (event["step"], event["action"], event["kind"]) == (2, "up", "assertion")
    assert shown.splitlines()[-1].startswith("error in step 2: up: assertion n is small")
    simulation, _ = walk(program(text.replace("n < 3 ==>", "").replace("n < 2", "n < 9")), 9, 0)
    (event,) = simulation.record("m")["violations"]
    assert (event["step"], event["kind"]) == (4, "error")


def test_a_start_state_is_looked_at_too() -> None:
    bad = program('var n: 0 .. 3; startstate n := 3; end; rule n := 0; end; invariant "low" n < 2;')
    simulation, text = walk(bad, 5, 0)
    assert len(simulation.history) == 1
    assert text.splitlines()[-1] == "violated in step 0: invariant low"


def test_a_deadlock_is_a_violation_where_it_is_an_error() -> None:
    simulation, text = walk(program(ONE_START), 5, 0)
    assert simulation.violations() == []
    out = io.StringIO()
    strict = run(
        semantics(program(ONE_START)),
        steps=5,
        seed=0,
        stdin=io.StringIO(),
        stdout=out,
        deadlock_is_error=True,
    )
    (event,) = strict.record("m")["violations"]
    assert event == {"step": 1, "action": "finish", "kind": "deadlock", "name": "deadlock"}
    assert out.getvalue() == text + "violated in step 1: deadlock\n"


def test_a_random_step_that_fails_in_a_conversation_is_not_taken() -> None:
    only = program('var x: 0 .. 1; startstate x := 1; end; rule "bad" x := x + 1; end;')
    simulation, lines = talk(only, "r 3\n")
    assert len(simulation.history) == 1
    assert any(line.startswith("> this step fails, and is not taken: bad: ") for line in lines)


def test_goals_of_a_machine_are_told_and_are_no_violations(tmp_path: Path) -> None:
    path = tmp_path / "m.mch"
    path.write_text(
        "MACHINE m DEFINITIONS GOAL == n = 2 VARIABLES n INVARIANT n : 0..4 INITIALISATION n := 0\n"
        "OPERATIONS up = PRE n < 9 THEN n := n + 1 END END"
    )
    machine = pipeline.read(path).subject
    simulation, text = walk(machine, 3, 0)
    assert simulation.violations() == []
    assert [event["step"] for event in simulation.record("m")["reached"]] == [2]
    assert text.splitlines()[-1] == "reached in step 2: goal GOAL"
    simulation, text = walk(machine, 9, 0)
    assert len(simulation.history) == 6
    assert text.splitlines()[-1] == "violated in step 5: invariant n : 0..4"


def test_a_machine_without_initial_states_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "m.mch"
    path.write_text("MACHINE m CONSTANTS c PROPERTIES c : 0..3 & c > 5 END")
    simulation, text = walk(pipeline.read(path).subject, 3, 0)
    assert not simulation.started
    assert text.splitlines()[-1] == "error in step 0: no values of the constants satisfy the properties"
