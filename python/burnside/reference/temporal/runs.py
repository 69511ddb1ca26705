"""The runs of an unreduced model, as a graph of positions.

In: the semantics of a model of any kind. Out: `Runs`: every state that a run visits, every step, and the *positions* of
runs. A position is a state together with the step that is taken from it, or a dead state, where the run ends: so the
atoms of a formula have one truth value at each position, also those that speak of the next action.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic

from burnside.diagnostics import UsageError
from burnside.records import record
from burnside.semantics import ENDLESS, Failure, Label, Participant, Semantics, State
from burnside.temporal.atoms import (
    ActionPattern,
    Condition,
    Dead,
    Enabled,
    Fairness,
    Initial,
    NextAction,
    Proposition,
    Sink,
)
from burnside.temporal.formulas import Ends


@record(eq=False)
class Edge(Generic[State, Label]):
    """`trace`: the steps, several where they go through transient states; `label` is the first."""

    source: int
    trace: tuple[tuple[Label, State], ...]
    target: int

    @property
    def label(self) -> Label:
        return self.trace[0][0]


@record(eq=False)
class Undecided(Generic[State, Label]):
    """An atom that has no value in some state, and a run to that state."""

    failure: Failure
    steps: tuple[tuple[Label, State], ...]


class TooManyStates(UsageError):
    """The graph is larger than allowed."""


class Runs(Generic[State, Label]):
    """States and edges have numbers, in the order in which they are found. Position `p` takes edge `p`; those after the
    edges are ends of runs, one for each dead state."""

    def __init__(
        self, semantics: Semantics[State, Label, Any], ends: Ends, max_states: int | None = None
    ) -> None:
        self.semantics, self.ends = semantics, ends
        self.states: list[State] = []
        self.edges: list[Edge[State, Label]] = []
        self.outgoing: list[list[int]] = []
        self.parent: list[int | None] = []
        """The edge by which a state was found; None where runs begin there."""
        self.starts: dict[int, tuple[tuple[Label, State], ...]] = {}
        """Where runs begin, with the steps to there, first."""
        self.failures: list[tuple[int, Failure]] = []
        """Steps that fail, by the state in which they do."""
        self._explore(max_states)
        self.dead = [state for state, edges in enumerate(self.outgoing) if not edges]

    def _explore(self, max_states: int | None) -> None:
        semantics = self.semantics
        numbers: dict[State, int] = {}
        waiting: deque[int] = deque()

        def number(state: State, parent: int | None) -> int:
            if state not in numbers:
                if max_states is not None and len(numbers) >= max_states:
                    raise TooManyStates(f"the model has more than {max_states:,} states")
                numbers[state] = len(numbers)
                self.states.append(state)
                self.parent.append(parent)
                self.outgoing.append([])
                waiting.append(numbers[state])
            return numbers[state]

        for prefix in self.semantics.run_starts():
            self.starts.setdefault(number(prefix[-1][1], None), tuple(prefix))
        while waiting:
            source = waiting.popleft()
            for move in semantics.moves(self.states[source]):
                if move.after is not None:
                    target = number(move.after, len(self.edges))
                    self.outgoing[source].append(len(self.edges))
                    self.edges.append(Edge(source, move.trace, target))
                mistakes = [*semantics.mistakes(move.step), *([ENDLESS] if move.is_endless else ())]
                self.failures += [(source, failure) for failure in mistakes]

    # Positions

    @property
    def positions(self) -> range:
        return range(len(self.edges) + len(self.dead))

    def state_of(self, position: int) -> int:
        edges = len(self.edges)
        return self.edges[position].source if position < edges else self.dead[position - edges]

    def is_end(self, position: int) -> bool:
        return position >= len(self.edges)

    @cached_property
    def at_state(self) -> list[list[int]]:
        """The positions of each state."""
        ends = {state: len(self.edges) + number for number, state in enumerate(self.dead)}
        return [edges or [ends[state]] for state, edges in enumerate(self.outgoing)]

    def following(self, position: int) -> Sequence[int]:
        """The positions that may come next."""
        if not self.is_end(position):
            return self.at_state[self.edges[position].target]
        return [position] if self.ends == "stutter" else ()

    # Atoms

    def truth(self, proposition: Proposition) -> list[bool] | Undecided[State, Label]:
        """Of an atom at each position. What `Semantics.holds` finds by trying steps is known here from the edges."""
        match proposition:
            case NextAction(patterns):
                matching = self.matching(patterns)
                return [not self.is_end(position) and matching(position) for position in self.positions]
            case Enabled(patterns):
                matching = self.matching(patterns)
                return self._by_state([any(map(matching, edges)) for edges in self.outgoing])
            case Condition():
                return self._evaluated(proposition)
            case Dead():
                return self._by_state([not edges for edges in self.outgoing])
            case Sink():
                targets = [{self.edges[edge].target for edge in edges} for edges in self.outgoing]
                return self._by_state([found <= {state} for state, found in enumerate(targets)])
            case Initial():
                return self._by_state([state in self.starts for state in range(len(self.states))])

    def _evaluated(self, condition: Condition) -> list[bool] | Undecided[State, Label]:
        by_state: list[bool] = []
        for number, state in enumerate(self.states):
            found = self.semantics.holds(condition, state)
            if isinstance(found, Failure):
                return Undecided(found, self.path_to(number))
            by_state.append(found)
        return self._by_state(by_state)

    def _by_state(self, truth: Sequence[bool]) -> list[bool]:
        return [truth[self.state_of(position)] for position in self.positions]

    def matching(self, patterns: Sequence[ActionPattern] | None) -> Callable[[int], bool]:
        """Is an edge an instance of one of the patterns? None: every edge is."""

        def matches(number: int) -> bool:
            if patterns is None:
                return True
            edge = self.edges[number]
            state = self.states[edge.source]
            return any(self.semantics.matches(each, state, edge.label) for each in patterns)

        return matches

    def acting(self, fairness: Fairness, number: int) -> Sequence[Participant]:
        """Who acts on an edge."""
        edge = self.edges[number]
        labels = [label for label, _ in edge.trace]
        return self.semantics.acting(fairness, self.states[edge.source], labels)

    # Paths

    def path_to(self, state: int) -> tuple[tuple[Label, State], ...]:
        """Steps from a start of the model."""
        steps: list[tuple[Label, State]] = []
        while (parent := self.parent[state]) is not None:
            edge = self.edges[parent]
            steps += reversed(edge.trace)
            state = edge.source
        return (*self.starts[state], *reversed(steps))
