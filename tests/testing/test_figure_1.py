"""Figure 1 of Romijn and Springintveld (1999), word by word, against the form with states and vectors."""

from __future__ import annotations

from random import Random

import pytest
from burnside.families.machines import chatbox
from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Pattern, ranks
from burnside.testing.reference.kernel import Uncovered, figure_1, kernel
from burnside.testing.reference.symmetry_check import check_symmetry

from tests.testing import swapped


def machines() -> list[tuple[str, StateMachine, Pattern]]:
    found = []
    for seed in range(12):
        random = Random(seed)
        inputs = ("a0", "a1", "b")[: 2 + seed % 2]
        mirrored = swapped.mirrored(random, 1 + seed % 2, 2, inputs)
        found.append((f"mirrored {seed}", mirrored, swapped.mirror_pattern(inputs)))
        found.append((f"mirrored {seed}, itself", mirrored, swapped.automorphism_pattern(mirrored)))
        found.append((f"two components {seed}", *swapped.two_components(random, 2, 1 + seed % 2)))
    return found


MACHINES = machines()


@pytest.mark.parametrize(
    ("machine", "pattern"), [each[1:] for each in MACHINES], ids=[each[0] for each in MACHINES]
)
def test_the_two_forms_agree(machine: StateMachine, pattern: Pattern) -> None:
    assert check_symmetry(machine, pattern, strict=False).counterexample is None
    literal = figure_1(machine, pattern, swapped.order)
    fast = kernel(machine, pattern, swapped.order)
    assert (literal.states, literal.edges) == (fast.states, fast.edges)


def test_kernels_are_smaller_for_many() -> None:
    smaller = [
        len(kernel(machine, pattern, swapped.order).edges) < len(machine.edges)
        for _, machine, pattern in MACHINES
    ]
    assert sum(smaller) > len(smaller) // 2


def test_chatbox_of_two_users() -> None:
    machine, pattern = chatbox.machine(2, joining=False), chatbox.pattern(2, joining=False)
    order = ranks(chatbox.order(2, joining=False))
    literal = figure_1(machine, pattern, order)
    fast = kernel(machine, pattern, order)
    assert (literal.states, literal.edges) == (fast.states, fast.edges)
    assert (len(literal.states), len(literal.edges)) == (3, 14)


def test_another_order_gives_another_kernel() -> None:
    _, machine, pattern = MACHINES[0]

    def backwards(action: object) -> tuple[int, ...]:
        return tuple(-ord(each) for each in str(action))

    one, other = (figure_1(machine, pattern, each).edges for each in (swapped.order, backwards))
    assert one != other and other == kernel(machine, pattern, backwards).edges


def test_uncovered_traces_are_named() -> None:
    machine = swapped.mirrored(Random(1), 1, 1, ("a0", "a1", "b"))
    with pytest.raises(Uncovered) as caught:
        figure_1(machine, swapped.mirror_pattern(("a0", "a1")), swapped.order)
    assert caught.value.action.input == "b"
