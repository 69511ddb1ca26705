"""The walk and the conversation, separately; then that both are what `--json` says."""

from __future__ import annotations

import io
import json
from itertools import pairwise

import pytest
from burnside.families import build
from burnside.net import Net
from burnside.simulate import SHOWN_ACTIONS, Simulation, run
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import SymmetricNet, symmetric_nets


def talk(net: Net, text: str, seed: int = 0) -> tuple[Simulation, list[str]]:
    out = io.StringIO()
    simulation = run(net, steps=None, seed=seed, stdin=io.StringIO(text), stdout=out)
    return simulation, out.getvalue().splitlines()


def walk(net: Net, steps: int, seed: int) -> tuple[Simulation, str]:
    out = io.StringIO()
    return run(net, steps=steps, seed=seed, stdin=io.StringIO(), stdout=out), out.getvalue()


def test_step_and_undo() -> None:
    net = build("ph", [3])
    simulation = Simulation(net)
    assert [each.name for each in simulation.enabled()] == ["take_left_1", "take_left_2", "take_left_3"]
    simulation.step(1)
    assert simulation.state == net.fire(net.initial, simulation.history[-1].choice.action)
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
        assert net.is_enabled(before.state, after.choice.action)
        assert net.fire(before.state, after.choice.action) == after.state
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
    assert list(record) == ["command", "model", "steps", "deadlock"]
    assert (record["command"], record["model"], record["deadlock"]) == ("simulate", "ph.pnml", False)
    first, second = record["steps"]
    assert first == {"action": None, "state": {f"{p}_{i}": "1" for i in (1, 2) for p in ("thinking", "fork")}}
    assert second["action"].startswith("take_left_")
    assert all(value != "0" for value in second["state"].values())
