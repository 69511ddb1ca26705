"""The chatbox of Romijn and Springintveld (1999, Table 1): machines, kernels, and whether its pattern is a symmetry.

Figures are the report's, or were recomputed where it leaves them out.
"""

from __future__ import annotations

import pytest
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.reference.facts import ambiguous, distances, missing
from burnside.testing.reference.kernel import Uncovered, kernel
from burnside.testing.reference.symmetry_check import check_symmetry

from tests.testing.examples import example

chatbox = example("chatbox")


def built(users: int, joining: bool) -> tuple[StateMachine, Pattern]:
    return chatbox.machine(users, joining=joining), chatbox.pattern(users, joining=joining)


@pytest.mark.parametrize(
    ("users", "joining", "states", "edges"),
    [
        (2, False, 4, 32),
        (2, True, 16, 192),
        (3, False, 64, 1152),
        (3, True, 512, 12288),
        (4, False, 4096, 131072),
    ],
)
def test_machines(users: int, joining: bool, states: int, edges: int) -> None:
    machine = chatbox.machine(users, joining=joining)
    assert (len(machine.states), len(machine.edges)) == (states, edges)
    assert len(distances(machine)) == states
    assert (ambiguous(machine), missing(machine)) == ([], [])


def test_templates() -> None:
    assert [len(chatbox.template(joining=each).edges) for each in (True, False)] == [44, 20]


@pytest.mark.parametrize(
    ("users", "joining", "literal", "states", "edges"),
    [
        (2, False, False, 3, 14),
        (2, True, False, 9, 74),
        (3, False, False, 10, 84),
        (3, False, True, 20, 176),
        (3, True, False, 213, 3722),
        (3, True, True, 502, 8626),
        (4, False, True, 112, 1296),
        (4, False, False, 35, 396),
    ],
)
def test_kernels(users: int, joining: bool, literal: bool, states: int, edges: int) -> None:
    machine, pattern = built(users, joining)
    found = kernel(machine, pattern, lambda action: chatbox.order(action, literal=literal))
    assert (len(found.states), len(found.edges)) == (states, edges)
    assert found.edges <= set(machine.edges)
    assert found.visited == states


def test_an_action_that_no_copy_takes_is_named() -> None:
    machine, pattern = built(2, joining=True)
    _, without = built(2, joining=False)
    with pytest.raises(Uncovered) as caught:
        kernel(machine, without, chatbox.order)
    assert caught.value.action.input.split()[0] in ("JOIN", "LEAVE")
    assert pattern.step(pattern.initial, Action("NOTHING"))[0] == ()


@pytest.mark.parametrize(("users", "joining"), [(2, False), (2, True), (3, False), (3, True)])
def test_the_pattern_is_a_symmetry_on_traces_only(users: int, joining: bool) -> None:
    machine, pattern = built(users, joining)
    assert check_symmetry(machine, pattern, strict=False).counterexample is None
    found = check_symmetry(machine, pattern, strict=True).counterexample
    assert found is not None and found.flaw == "not closed"
    # Both traces are of the machine; the second cannot go on as the colours say.
    targets = [{machine.actions[action]: target for action, target in edges} for edges in machine.leaving]
    ends = []
    for trace in found.traces:
        [state] = machine.initial
        for action in trace:
            state = targets[state][action]
        ends.append(state)
    assert found.action in targets[ends[0]] and found.other not in targets[ends[1]]


def test_quadruples() -> None:
    assert check_symmetry(*built(3, joining=True), strict=False).quadruples == 7008
