"""Kernels: the part of a machine that holds one trace of each class of symmetric ones.

In: a deterministic machine, a pattern, an order of actions. Out: a `Kernel`: states and edges of the machine such that the
representative of every trace is a trace of it (Definition 3.3). The representative is the least of its class, letter by
letter.

By Lemma 6.15 a state of the machine together with a vector needs to be explored once: which continuations are representative
depends on nothing else (`kernel`). `figure_1` is the algorithm as the report prints it, which follows all traces without a
loop and finds representatives by their definition; for tiny machines only. `Uncovered` is raised where an action has no
colours: the pattern then says nothing of the trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


Trace = tuple[int, ...]
"""Actions, by number."""


def figure_1(machine: StateMachine, pattern: Pattern, order: Callable[[Action], Any]) -> Kernel:
    """Of a pattern that is a symmetry of the machine. `visited`: calls of `build` with a state that is new on its trace."""
    return _Figure1(machine, pattern, order).kernel()


class _Figure1:
    def __init__(self, machine: StateMachine, pattern: Pattern, order: Callable[[Action], Any]) -> None:
        self._machine, self._pattern = machine, pattern
        self._ranks = [(order(action), number) for number, action in enumerate(machine.actions)]
        [self._first] = machine.initial
        self._states, self._edges, self._visited = {self._first}, set[Edge](), 0

    def kernel(self) -> Kernel:
        self._build(self._first, (), frozenset())
        return Kernel(frozenset(self._states), frozenset(self._edges), self._visited)

    def _build(self, state: int, trace: Trace, seen: frozenset[int]) -> None:
        if state in seen:
            return
        self._visited += 1
        enabled = dict(self._machine.leaving[state])
        left = set(enabled)
        while left:
            # `choose(repr(trace, left))`: the trace so far represents itself (Lemma 4.3).
            representatives = {self._representative((*trace, action)) for action in left}
            action = next((each for each in sorted(enabled) if (*trace, each) in representatives), None)
            if action is None:
                raise ValueError("the pattern is not a symmetry of the machine")
            target = enabled[action]
            self._states.add(target)
            self._edges.add((state, action, target))
            self._build(target, (*trace, action), seen | {state})
            left -= {
                other for other in left if self._colours((*trace, other)) == self._colours((*trace, action))
            }

    def _representative(self, trace: Trace) -> Trace:
        """The least of the traces of the machine that are variants of this one (Definitions 6.4 and 6.8)."""
        colours = self._colours(trace)
        variants = (other for other in self._traces(len(trace)) if self._colours(other) == colours)
        return min(variants, key=lambda other: [self._ranks[action] for action in other])

    def _traces(self, length: int) -> Iterator[Trace]:
        found: list[tuple[Trace, int]] = [((), self._first)]
        for _ in range(length):
            found = [
                ((*trace, action), target)
                for trace, state in found
                for action, target in self._machine.leaving[state]
            ]
        return (trace for trace, _ in found)

    def _colours(self, trace: Trace) -> tuple[Colours, ...]:
        """The colours of each action of a trace: its covering, up to variants."""
        state, vector, found = self._first, self._pattern.initial, []
        for action in trace:
            label = self._machine.actions[action]
            colours, after = self._pattern.step(vector, label)
            if not colours:
                raise Uncovered(state, label, vector)
            found.append(colours)
            state, vector = dict(self._machine.leaving[state])[action], after
        return tuple(found)
