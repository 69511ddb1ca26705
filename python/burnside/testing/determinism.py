"""Deterministic machines with one initial state, which patterns, traces and automorphisms need (Definition 2.1).

In: a machine. Out: its initial state and its edges as a function, or an `InputError` that names the states and the action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.diagnostics import Diagnostic, InputError
from burnside.testing.machine import StateMachine


def initial_state(machine: StateMachine) -> int:
    if len(machine.initial) != 1:
        message = f"the machine has {len(machine.initial)} initial states, expected one"
        raise InputError(Diagnostic(message, machine.name))
    return machine.initial[0]


def targets_by_action(machine: StateMachine) -> Sequence[Mapping[int, int]]:
    """By state and action: the target."""
    return [targets_from(machine, state) for state in range(len(machine.states))]


def targets_from(machine: StateMachine, state: int) -> Mapping[int, int]:
    """By action of one state: the target. Edges with one input and different outputs are different actions."""
    found: dict[int, int] = {}
    for action, target in machine.leaving[state]:
        if found.setdefault(action, target) != target:
            one, other = (machine.states[each] for each in (found[action], target))
            raise InputError(
                Diagnostic(
                    f"the machine is not deterministic: in state {machine.states[state]!r}, "
                    f"{str(machine.actions[action])!r} leads to {one!r} and to {other!r}",
                    machine.name,
                    hint="determinise it, or give the two edges different labels",
                )
            )
    return found
