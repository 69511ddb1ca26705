"""Kernels: the part of a machine that holds one trace of each class of symmetric ones.

In: a deterministic machine, a pattern, an order of actions. Out: a `Kernel`: states and edges of the machine such that the
representative of every trace is a trace of it (Definition 3.3). The representative is the least of its class, letter by
letter.

By Lemma 6.15 a state of the machine together with a vector needs to be explored once: which continuations are representative
depends on nothing else. `Uncovered` is raised where an action has no colours: the pattern then says nothing of the trace.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnside.records import record
from burnside.testing.machine import Action, Edge, StateMachine
from burnside.testing.patterns import Colours, Pattern, Vector


class Uncovered(Exception):
    """A trace that no copy of the template takes part in."""

    def __init__(self, state: int, action: Action, vector: Vector) -> None:
        super().__init__(f"{action} in state {state}")
        self.state, self.action, self.vector = state, action, vector


@record
class Kernel:
    """`visited`: pairs of a state and a vector that were explored."""

    states: frozenset[int]
    edges: frozenset[Edge]
    visited: int


def kernel(machine: StateMachine, pattern: Pattern, order: Callable[[Action], Any]) -> Kernel:
    """`order`: the key by which actions are compared."""
    [first] = machine.initial
    ranks = {action: order(machine.actions[action]) for action in range(len(machine.actions))}
    states, edges = {first}, set[Edge]()
    begun = (first, pattern.initial)
    seen, waiting = {begun}, [begun]
    while waiting:
        state, vector = waiting.pop()
        least: dict[Colours, tuple[Any, int, int, Vector]] = {}
        for action, target in machine.leaving[state]:
            label = machine.actions[action]
            colours, after = pattern.step(vector, label)
            if not colours:
                raise Uncovered(state, label, vector)
            if colours not in least or ranks[action] < least[colours][0]:
                least[colours] = (ranks[action], action, target, after)
        for _, action, target, after in least.values():
            states.add(target)
            edges.add((state, action, target))
            if (target, after) not in seen:
                seen.add((target, after))
                waiting.append((target, after))
    return Kernel(frozenset(states), frozenset(edges), len(seen))
