"""Runs that an automaton accepts, by definition.

In: the runs of a model, an automaton, the truth of its guards at every position. Out: as of a `RunSearch`. A node is a
position with the edge of the automaton that reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from burnside.reference.temporal.runs import Runs
from burnside.reference.temporal.search import FairnessSets, RunSearch
from burnside.temporal import formulas as f


class Matching(RunSearch[int]):
    def __init__(
        self,
        runs: Runs[Any, Any],
        automaton: f.Matches,
        guards: Sequence[Sequence[bool]],
        fairness: FairnessSets,
        begin: Iterable[int],
    ) -> None:
        """`guards`: by edge and position. `begin`: the states in which runs begin."""
        super().__init__(runs, fairness)
        if runs.ends != "stutter":
            raise ValueError("an automaton reads infinite runs: the end of a finite one has to be repeated")
        self.automaton, self.guards = automaton, guards
        self.first = [node for state in begin for at in runs.at_state[state] for node in self._reading(at, 0)]
        open_ = 0
        while open_ < len(self.nodes):
            position, edge = self.nodes[open_]
            target = automaton.edges[edge].target
            for following in runs.following(position):
                self.following[open_] += self._reading(following, target)
            open_ += 1

    def _reading(self, position: int, state: int) -> list[int]:
        """The automaton in a state, at a position: by each edge that it can take."""
        return [
            self.node(position, number)
            for number, each in enumerate(self.automaton.edges)
            if each.source == state and self.guards[number][position]
        ]

    def visited(self) -> tuple[Callable[[int], bool], ...]:
        return tuple(partial(self._has_mark, mark) for mark in range(self.automaton.marks))

    def _has_mark(self, mark: int, node: int) -> bool:
        return mark in self.automaton.edges[self.nodes[node][1]].marks
