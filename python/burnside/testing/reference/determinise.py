"""Deterministic machines: the subset construction (Rabin and Scott 1959).

In: a transition system, an automaton, or a machine whose actions are taken as labels, with any number of initial
states. Out: a machine with the same traces, in which each action leads to one state: the set of all states that a trace
may lead to. A set accepts if one of its members does. Only sets that traces lead to are states, in the order of a
breadth-first search that goes through the actions in their order. The slow reference: readable, and what the core is
compared with.
"""

from __future__ import annotations

from burnside.diagnostics import Diagnostic, InputError, UnsupportedError
from burnside.testing.machine import Edge, Edges, StateMachine

Members = tuple[int, ...]
"""States of the given machine, ascending."""


def determinise(machine: StateMachine) -> StateMachine:
    """A set is called `{a, b}` after its members, and by the name of its member if there is only one."""
    if machine.outputs is not None:
        message = "a set of states of a Moore machine has several outputs: it is not made deterministic"
        raise UnsupportedError(Diagnostic(message, machine.name, hint="give its edges the outputs first"))
    if not machine.initial:
        raise InputError(Diagnostic("the machine has no initial state", machine.name))
    first: Members = tuple(sorted(set(machine.initial)))
    number = {first: 0}
    waiting = [first]
    edges: list[Edge] = []
    for source, members in enumerate(waiting):
        reached: dict[int, set[int]] = {}
        for state in members:
            for action, target in machine.leaving[state]:
                reached.setdefault(action, set()).add(target)
        for action in sorted(reached):
            after: Members = tuple(sorted(reached[action]))
            if after not in number:
                number[after] = len(waiting)
                waiting.append(after)
            edges.append((source, action, number[after]))
    accepting = None
    if machine.accepting is not None:
        accepting = frozenset(at for at, members in enumerate(waiting) if machine.accepting & set(members))
    return StateMachine(
        machine.name,
        tuple(_name(machine, members) for members in waiting),
        (0,),
        machine.actions,
        Edges.of(edges),
        accepting=accepting,
    )


def _name(machine: StateMachine, members: Members) -> str:
    names = [machine.states[state] for state in members]
    return names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
