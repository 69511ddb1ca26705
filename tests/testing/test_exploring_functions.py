"""Machines of Python functions: states by breadth-first search, and both ways to say what follows a state."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import burnside.testing
import pytest
from burnside.diagnostics import UsageError
from burnside.testing.machine import Action, StateMachine
from burnside.testing.reference.facts import ambiguous, distances

Table = Mapping[tuple[int, str], tuple[str | None, int]]
INPUTS = ("a", "b", "c")


def random_table(seed: int) -> Table:
    random = Random(seed)
    outputs: list[str | None] = [None] if seed % 2 else ["x", "y"]
    return {
        (state, given): (random.choice(outputs), random.randrange(12))
        for state in range(12)
        for given in INPUTS
        if random.random() < 0.6
    }


@pytest.mark.parametrize("seed", range(30))
def test_the_machine_is_the_reachable_part_of_the_table(seed: int) -> None:
    table = random_table(seed)
    machine = StateMachine.explore(0, INPUTS, lambda state, given: table.get((state, given)), show=str)
    assert len(distances(machine)) == len(machine.states)
    far = distances(machine)
    assert [far[state] for state in range(len(far))] == sorted(far.values())
    edges = {
        (machine.states[source], machine.actions[action], machine.states[target])
        for source, action, target in machine.edges
    }
    assert edges == {
        (str(state), Action(given, output), str(target))
        for (state, given), (output, target) in table.items()
        if str(state) in machine.states
    }
    assert len(edges) == len(machine.edges)


@pytest.mark.parametrize("seed", range(30))
def test_both_ways_give_the_same_machine(seed: int) -> None:
    table = random_table(seed)

    def successors(state: int) -> list[tuple[Action, int]]:
        taken = ((given, table.get((state, given))) for given in INPUTS)
        return [(Action(given, each[0]), each[1]) for given, each in taken if each is not None]

    by_step = StateMachine.explore(0, INPUTS, lambda state, given: table.get((state, given)))
    assert StateMachine.explore_successors(0, successors) == by_step


def test_an_action_may_lead_to_several_states() -> None:
    throw = Action("throw")
    machine = StateMachine.explore_successors(
        "begin",
        lambda state: [(throw, "heads"), (throw, "tails")] if state == "begin" else [],
        name="coin",
        show=str.upper,
    )
    assert (machine.name, machine.states) == ("coin", ("BEGIN", "HEADS", "TAILS"))
    assert list(machine.edges) == [(0, 0, 1), (0, 0, 2)]
    assert ambiguous(machine) == [(0, "throw")]


def test_inputs_and_outputs_may_be_any_values() -> None:
    counted = StateMachine.explore(0, (1, 2), lambda state, given: ((state + given) % 3, (state + given) % 3))
    assert counted.actions[:2] == (Action("1", "1"), Action("2", "2"))
    alike = StateMachine.explore(0, ("a",), lambda state, _: ("1" if state else 1, 1 - state))
    assert (alike.actions, list(alike.edges)) == ((Action("a", "1"),), [(0, 0, 1), (1, 0, 0)])


def test_inputs_that_look_alike_are_refused() -> None:
    with pytest.raises(UsageError, match="two inputs are called '1'"):
        StateMachine.explore(0, (1, "1"), lambda state, _: (None, state))


def test_the_public_names_are_there() -> None:
    for name in burnside.testing.__all__:
        assert getattr(burnside.testing, name) is not None
    assert burnside.testing.Machine is StateMachine
    with pytest.raises(AttributeError):
        _ = burnside.testing.nothing_of_the_kind  # type: ignore[attr-defined]
