"""The chatbox of Romijn and Springintveld (1999, Table 1): machines, kernels, and whether its pattern is a symmetry.

Figures are the report's, or were recomputed where it leaves them out.
"""

from __future__ import annotations

import pytest
from burnside.diagnostics import UsageError
from burnside.families.machines import chatbox
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern, ranks
from burnside.testing.reference.facts import ambiguous, distances, missing
from burnside.testing.reference.kernel import Uncovered, kernel
from burnside.testing.reference.symmetry_check import check_symmetry


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
    ("users", "joining", "order", "states", "edges"),
    [
        (2, False, "lifo", 3, 14),
        (2, True, "lifo", 9, 74),
        (3, False, "lifo", 10, 84),
        (3, False, "literal", 20, 176),
        (3, True, "lifo", 213, 3722),
        (3, True, "literal", 502, 8626),
        (4, False, "literal", 112, 1296),
        (4, False, "lifo", 35, 396),
        (4, False, "program-lifo", 28, 312),
    ],
)
def test_kernels(users: int, joining: bool, order: str, states: int, edges: int) -> None:
    machine, pattern = built(users, joining)
    found = kernel(machine, pattern, ranks(chatbox.order(users, order, joining=joining)))
    assert (len(found.states), len(found.edges)) == (states, edges)
    assert found.edges <= set(machine.edges)
    assert found.visited == states


def test_the_order_of_the_program() -> None:
    """As a comment of the C listing has it."""
    pairs = ["01", "10", "02", "20", "03", "30", "12", "21", "13", "31", "23", "32"]
    requests = [each.split() for each in chatbox.order(4, "program", joining=False)]
    for kind, expected in (("MES", pairs), ("ACK", pairs[::-1])):
        listed = [one + other for _, one, other, own in requests if own == kind and one != other]
        assert listed == expected


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(UsageError, match="'fifo'; there are lifo, literal"):
        chatbox.order(3, "fifo")


def test_an_action_that_no_copy_takes_is_named() -> None:
    machine, pattern = built(2, joining=True)
    _, without = built(2, joining=False)
    with pytest.raises(Uncovered) as caught:
        kernel(machine, without, ranks(chatbox.order(2)))
    assert caught.value.action.input.split()[0] in ("JOIN", "LEAVE")
    assert pattern.step(pattern.initial, Action("NOTHING"))[0] == ()


@pytest.mark.parametrize(("users", "joining"), [(2, False), (2, True), (3, False), (3, True)])
def test_the_pattern_is_a_symmetry_on_traces_only(users: int, joining: bool) -> None:
    machine, pattern = built(users, joining)
    verdict = check_symmetry(machine, pattern, strict=False)
    assert verdict.counterexample is None
    assert (users, joining) != (3, True) or verdict.quadruples == 7008
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
