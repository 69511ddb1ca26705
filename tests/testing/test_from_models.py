"""Machines of models: as many states and edges as `check` counts, and inputs and outputs as they are declared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from burnside import pipeline
from burnside.checking import Check
from burnside.diagnostics import InputError, UsageError
from burnside.limits import Deadline
from burnside.model import Model
from burnside.request import Request
from burnside.testing.formats import read_machine, write_machine
from burnside.testing.from_models import machine_of
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.reference.facts import ambiguous, distances, missing
from burnside.testing.stable_states import input_output_machine
from hypothesis import Phase, given, settings

from tests.program_strategies import SymmetricProgram, symmetric_programs
from tests.strategies import SymmetricNet, symmetric_nets

EXAMPLES = Path(__file__).parents[2] / "examples"
UNREDUCED = Request(reduce="none", deadlock=False, keep_going=True, self_check="off")


@given(made=symmetric_nets())
@settings(max_examples=30)
def test_machines_of_random_nets(made: SymmetricNet) -> None:
    model = pipeline.model_of(made.net)
    machine, outcome = machine_of(model), pipeline.check(model, UNREDUCED)
    assert (len(machine.states), len(machine.edges)) == (outcome.states, outcome.transitions)
    assert len(distances(machine)) == len(machine.states)


@given(made=symmetric_programs())
@settings(max_examples=30, phases=(Phase.explicit, Phase.reuse, Phase.generate))
def test_machines_of_random_programs(made: SymmetricProgram) -> None:
    """Random programs have steps that fail, and steps that assumptions discard but `check` may count. A start that violates
    a property on its way ends a check, and not a machine."""
    model = Model(made.program, "random", "murphi")
    outcome = pipeline.check(model, UNREDUCED)
    semantics = Check.prepared(model, UNREDUCED, Deadline()).question.semantics
    try:
        machine = machine_of(model)
    except InputError as error:
        assert re.match("a (step|start) fails", error.diagnostic.message)
        assert outcome.verdict != "holds"
        return
    assert len(machine.states) == len(distances(machine))
    is_whole = outcome.stopped == "exhausted"
    assert not is_whole or len(machine.states) == outcome.states
    steps = [(state, step) for state in outcome_states(model) for step in semantics.steps(state)]
    taken = {
        (state, semantics.show_label(step.label), step.after)
        for state, step in steps
        if step.after is not None
    }
    assert len(machine.edges) == len(taken)
    if is_whole and all(step.after is not None for _, step in steps):
        assert outcome.transitions == len(taken)


def test_starts_that_fail_are_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "start.m").write_text(
        "var y: 0..3;\nruleset i: 0..3 do startstate y := i; assert i != 2; end; end;\n"
        'rule "a" y < 3 ==> y := y + 1; end;\n'
    )
    (tmp_path / "start.mch").write_text(
        "MACHINE start VARIABLES x INVARIANT x : 0..6\n"
        "INITIALISATION ANY y WHERE y : 0..3 THEN x := 6/y END\n"
        "OPERATIONS inc = PRE x < 3 THEN x := x + 1 END END\n"
    )
    for name, message in (
        ("start.m", "a start fails: 'startstate 1(2)'"),
        ("start.mch", "6 is divided by zero"),
    ):
        with pytest.raises(InputError) as caught:
            machine_of(pipeline.read(tmp_path / name))
        assert message in caught.value.diagnostic.message


def outcome_states(model: Model) -> Sequence[Any]:
    return pipeline.first_states(model, UNREDUCED, 100_000)[1]


@pytest.mark.parametrize(
    ("name", "states", "edges", "starts", "state", "action"),
    [
        ("nets/mutex.lola", 20, 48, 0, "free idle_1 idle_2 idle_3", "try_1"),
        ("murphi/ring.m", 36, 84, 0, "phase=Idle,Idle,Idle token=0", "want(0)"),
        ("b/Club.mch", 8, 24, 1, "members={}", "Join(Person1)"),
        (
            "promela/mutex.pml",
            34,
            78,
            1,
            "phase=idle,idle wants=false,false turn=0 process(0): line 31 process(1): line 31",
            "process(0) 31: skip",
        ),
    ],
)
def test_examples(
    name: str, states: int, edges: int, starts: int, state: str, action: str, tmp_path: Path
) -> None:
    """`starts`: steps to the initial state, which `check` counts in some languages."""
    model = pipeline.read(EXAMPLES / name)
    machine = machine_of(model)
    outcome = pipeline.check(model, UNREDUCED)
    assert (len(machine.states), len(machine.edges)) == (states, edges)
    assert (outcome.states, outcome.transitions) == (states, edges + starts)
    assert (machine.states[0], machine.actions[0]) == (state, Action(action))
    write_machine(machine, tmp_path / "machine.dot")
    assert list(read_machine(tmp_path / "machine.dot").edges) == list(machine.edges)


def test_several_initial_states() -> None:
    assert machine_of(pipeline.read(EXAMPLES / "murphi" / "ring.m")).initial == (0, 1, 2)


def test_results_of_operations_are_outputs() -> None:
    machine = machine_of(pipeline.read(EXAMPLES / "b" / "LoginVerySimple.mch"), "results")
    assert Action("Login", "Session1") in machine.actions
    assert Action("Logout(Session1)", "-") in machine.actions
    split = machine_of(pipeline.read(EXAMPLES / "b" / "Club.mch"), r"(?P<input>\w+)\((?P<output>.*)\)")
    assert (Action("Join", "Person1"), len(split.edges)) == (split.actions[0], 24)


def test_refusals() -> None:
    model = pipeline.read(EXAMPLES / "nets" / "mutex.lola")
    with pytest.raises(UsageError, match="more than 10 states"):
        machine_of(model, max_states=10)
    with pytest.raises(InputError, match="the label 'try_1' is not an input"):
        machine_of(model, "slash")
    with pytest.raises(UsageError, match="together with --inputs"):
        machine_of(model, "slash", inputs=["try_*"])
    with pytest.raises(UsageError, match="needs --inputs"):
        machine_of(model, internal=["try_*"])


FAILING = """
var x: 0 .. 1;
startstate x := 0; end;
rule "step" x = 0 ==> x := 1; end;
rule "fail" x = 1 ==> error "no"; end;
"""


def test_steps_that_fail(tmp_path: Path) -> None:
    (tmp_path / "failing.m").write_text(FAILING)
    with pytest.raises(InputError, match="a step fails, and leads nowhere: 'fail' in 'x=1'"):
        machine_of(pipeline.read(tmp_path / "failing.m"))


# Inputs, and what the model does by itself

VENDING = """
-- Two cups for two coins; a coin too many falls through; the drink is brewed by itself, in two steps that may interleave.
type
  COINS: 0 .. 2;
var
  coins: COINS;
  grind, boil: boolean;
  full, returned: boolean;

startstate
  coins := 0; grind := false; boil := false; full := false; returned := false;
end;

rule "coin" !full & !returned ==>
  if coins = 2 then returned := true; else coins := coins + 1; end;
end;
rule "button" !full & !returned ==>
  if coins = 2 then coins := 0; full := true; grind := true; boil := true; end;
end;
rule "grind" grind ==> grind := false; end;
rule "boil" boil ==> boil := false; end;
rule "coffee" full & !grind & !boil ==> full := false; end;
rule "return coin" returned ==> returned := false; end;
"""


def vending(tmp_path: Path, text: str = VENDING) -> Model:
    (tmp_path / "vending.m").write_text(text)
    return pipeline.read(tmp_path / "vending.m")


def test_a_mealy_view_of_a_program(tmp_path: Path) -> None:
    model = vending(tmp_path)
    machine = machine_of(model, inputs=["coin", "button"], internal=["grind", "boil"])
    assert machine.inputs == ("coin", "button")
    assert not ambiguous(machine) and not missing(machine)
    found = {(a, machine.actions[b], c) for a, b, c in machine.edges}
    assert found == {
        (0, Action("coin", "-"), 1),
        (0, Action("button", "-"), 0),
        (1, Action("coin", "-"), 2),
        (1, Action("button", "-"), 1),
        (2, Action("coin", "return coin"), 2),
        (2, Action("button", "coffee"), 0),
    }
    assert [name.split()[0] for name in machine.states] == ["coins=0", "coins=1", "coins=2"]
    assert len(machine_of(model).states) > len(machine.states)


def test_outputs_that_interleave_are_shown_as_two_runs(tmp_path: Path) -> None:
    machine_of(vending(tmp_path), inputs=["coin", "button"], internal=["grind"])
    with pytest.raises(InputError) as caught:
        machine_of(vending(tmp_path), inputs=["coin", "button"])
    message = caught.value.diagnostic.message
    assert message.startswith("after 'button' in 'coins=2 ")
    assert "the model may do grind, boil, coffee (to 'coins=0 " in message
    assert "or boil, grind, coffee (to 'coins=0 " in message


def lts(*edges: tuple[str, str, str]) -> StateMachine:
    builder = MachineBuilder("system")
    for begin, label, end in edges:
        builder.edge(builder.state(begin), Action(label), builder.state(end))
    return builder.machine([0])


def test_internal_actions_that_decide_something() -> None:
    machine = lts(
        ("0", "go", "1"), ("1", "tau", "2"), ("1", "tau", "3"), ("2", "out", "4"), ("3", "tau", "4")
    )
    with pytest.raises(InputError) as caught:
        input_output_machine(machine, ["go"], ["tau"])
    message = "after 'go' in '0', the model may do (tau), out (to '4'), or (tau), (tau) (to '4')"
    assert caught.value.diagnostic.message == message


def test_endless_runs() -> None:
    machine = lts(("0", "go", "1"), ("1", "tau", "2"), ("2", "tick", "3"), ("3", "tock", "2"))
    with pytest.raises(InputError) as caught:
        input_output_machine(machine, ["go"], ["tau"])
    diagnostic = caught.value.diagnostic
    assert (
        diagnostic.message == "after 'go' in '0', the model may do (tau), and then repeat tick, tock for ever"
    )
    assert diagnostic.hint is not None and diagnostic.hint.startswith("it puts out something without end")
    with pytest.raises(InputError, match=r"at the start, the model may repeat \(tau\) for ever"):
        input_output_machine(lts(("0", "tau", "0"), ("0", "go", "1")), ["go"], ["tau"])


def test_the_initial_state_comes_to_rest_first() -> None:
    machine = input_output_machine(lts(("0", "boot", "1"), ("1", "go", "0")), ["go"])
    assert (machine.states, machine.actions) == (("1",), (Action("go", "boot"),))


def test_inputs_that_are_possible_before_the_end_of_a_run_are_not_given() -> None:
    edges = (("0", "go", "1"), ("1", "out", "2"), ("1", "go", "3"), ("2", "go", "2"), ("3", "out", "3"))
    machine = input_output_machine(lts(*edges), ["go"])
    assert machine.states == ("0", "2")
    assert machine.actions == (Action("go", "out"), Action("go", "-"))


def test_long_runs() -> None:
    """Neither deep recursion, nor sequences that are kept for every state of a run."""
    size = 20_000
    steps = [(str(state), "tick" if state else "go", str(state + 1)) for state in range(size)]
    machine = input_output_machine(lts(*steps), ["go"])
    assert machine.states == ("0", str(size))
    assert machine.actions == (Action("go", " ".join(["tick"] * (size - 1))),)


def test_declarations_that_are_wrong() -> None:
    machine = lts(("0", "go(1)", "1"), ("1", "out", "0"))
    assert input_output_machine(machine, ["go*"]).inputs == ("go(1)",)
    with pytest.raises(UsageError) as caught:
        input_output_machine(machine, ["go(1)", "come"])
    assert caught.value.diagnostic.message == "no action matches 'come'"
    assert caught.value.diagnostic.hint == "actions are go(1), out"
    with pytest.raises(UsageError, match=r"'go\(1\)' is declared an input and internal"):
        input_output_machine(machine, ["go*"], ["*"])
