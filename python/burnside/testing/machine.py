"""Finite state machines: states, actions, edges.

One kind of object for what tools call Mealy machines (outputs on edges), Moore machines (outputs of states), automata
(accepting states) and labelled transition systems (neither): what a machine lacks is None. Romijn and Springintveld (1999,
Definitions 2.1 and 5.1) need deterministic ones; that is checked where it is needed, so that others can be read and mended.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from burnside.records import record

Edge = tuple[int, int, int]
"""Source, action, target, by number."""


@record
class Action:
    """What an edge is labelled with. `output`: None where edges have none."""

    input: str
    output: str | None = None

    def __str__(self) -> str:
        return self.input if self.output is None else f"{self.input}/{self.output}"


@record
class StateMachine:
    """`initial`: mostly one state. `outputs`: by state, of a Moore machine. `accepting`: of an automaton."""

    name: str
    states: tuple[str, ...]
    initial: tuple[int, ...]
    actions: tuple[Action, ...]
    edges: tuple[Edge, ...]
    outputs: tuple[str, ...] | None = None
    accepting: frozenset[int] | None = None

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """In the order of their first appearance among the actions."""
        return tuple(dict.fromkeys(each.input for each in self.actions))

    @cached_property
    def leaving(self) -> Sequence[Sequence[tuple[int, int]]]:
        """By state: actions and targets of its edges."""
        found: list[list[tuple[int, int]]] = [[] for _ in self.states]
        for source, action, target in self.edges:
            found[source].append((action, target))
        return found

    def observation(self, state: int) -> object:
        """What is seen of a state by itself."""
        output = None if self.outputs is None else self.outputs[state]
        return output, self.accepting is not None and state in self.accepting


class MachineBuilder:
    """States and actions get their numbers by first mention."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.states: dict[str, int] = {}
        self._actions: dict[Action, int] = {}
        self.edges: dict[Edge, None] = {}

    def state(self, name: str) -> int:
        return self.states.setdefault(name, len(self.states))

    def edge(self, source: int, action: Action, target: int) -> None:
        """An edge that is there already is not added again."""
        self.edges[source, self._actions.setdefault(action, len(self._actions)), target] = None

    def machine(
        self,
        initial: Sequence[int],
        outputs: Sequence[str] | None = None,
        accepting: frozenset[int] | None = None,
    ) -> StateMachine:
        return StateMachine(
            self.name,
            tuple(self.states),
            tuple(initial),
            tuple(self._actions),
            tuple(self.edges),
            None if outputs is None else tuple(outputs),
            accepting,
        )
