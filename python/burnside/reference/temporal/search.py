"""Fair runs through a graph over the positions of runs.

In: the runs of a model, and in a subclass, which nodes there are: positions, each with what is remembered there (truth
values, the edge of an automaton), and which have to be visited again and again. Out: from which states such a run begins,
and one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from burnside.records import record
from burnside.reference.temporal.components import (
    Acceptance,
    accepting_components,
    reaching,
    shortest_path,
)
from burnside.reference.temporal.runs import Runs

Memory = TypeVar("Memory", bound=Hashable)


@record(eq=False)
class FairnessSets:
    """`weak`: sets of positions, each visited again and again by a fair run. `strong`: pairs of sets; where the first
    is visited again and again, so is the second. Sets are by position; the ends of runs are in all of them."""

    weak: tuple[Sequence[bool], ...] = ()
    strong: tuple[tuple[Sequence[bool], Sequence[bool]], ...] = ()


@record
class PositionPath:
    """Positions of a run; `loop` is the index to which the last leads back, None where the run ends."""

    positions: tuple[int, ...]
    loop: int | None


class RunSearch(Generic[Memory]):
    def __init__(self, runs: Runs[Any, Any], fairness: FairnessSets) -> None:
        self.runs, self.fairness = runs, fairness
        self._numbers: dict[tuple[int, Memory], int] = {}
        self.nodes: list[tuple[int, Memory]] = []
        self.following: list[list[int]] = []
        self.first: list[int] = []
        """Nodes at which a run that is wanted may begin."""

    def node(self, position: int, memory: Memory) -> int:
        key = (position, memory)
        if key not in self._numbers:
            self._numbers[key] = len(self.nodes)
            self.nodes.append(key)
            self.following.append([])
        return self._numbers[key]

    def visited(self) -> tuple[Callable[[int], bool], ...]:
        """Tests of nodes, each of which some node passes again and again."""
        raise NotImplementedError

    @cached_property
    def acceptance(self) -> Acceptance:
        weak = tuple(map(self._visits, self.fairness.weak))
        strong = tuple((self._visits(one), self._visits(other)) for one, other in self.fairness.strong)
        return Acceptance(self.visited() + weak, strong)

    def _visits(self, positions: Sequence[bool]) -> Callable[[int], bool]:
        return lambda node: positions[self.nodes[node][0]]

    @cached_property
    def components(self) -> list[frozenset[int]]:
        """In which a fair run may stay that is wanted."""
        return list(accepting_components(range(len(self.nodes)), self.following.__getitem__, self.acceptance))

    @cached_property
    def last(self) -> set[int]:
        """Where runs end."""
        if self.runs.ends == "stutter":
            return set()
        return {node for node, (position, _) in enumerate(self.nodes) if self.runs.is_end(position)}

    @cached_property
    def states(self) -> set[int]:
        """From which some fair run is wanted."""
        predecessors: list[list[int]] = [[] for _ in self.nodes]
        for node, following in enumerate(self.following):
            for each in following:
                predecessors[each].append(node)
        targets = self.last.union(*self.components)
        good = reaching(targets, predecessors)
        return {self.runs.state_of(self.nodes[node][0]) for node in self.first if node in good}

    def run_from(self, states: set[int]) -> PositionPath | None:
        """A fair run from one of these states that is wanted: its positions."""
        first = [node for node in self.first if self.runs.state_of(self.nodes[node][0]) in states]
        inside = {node: component for component in self.components for node in component}
        path = shortest_path(
            first, self.following.__getitem__, lambda node: node in self.last or node in inside
        )
        if path is None:
            return None
        if path[-1] in self.last:
            return self._positions(path, None)
        loop = self._cycle(path[-1], inside[path[-1]])
        return self._positions(path + loop, len(path) - 1)

    def _cycle(self, start: int, component: frozenset[int]) -> list[int]:
        """The nodes after `start` on a way through its component that visits all that has to be visited, up to the node
        from which one step leads back."""

        def inside(node: int) -> list[int]:
            return [each for each in self.following[node] if each in component]

        walk = [start]
        for goal in self.acceptance.goals(component):
            if not any(map(goal, walk)):
                way = shortest_path([walk[-1]], inside, goal)
                assert way is not None  # components are connected
                walk += way[1:]
        back = shortest_path([walk[-1]], inside, lambda node: start in self.following[node])
        assert back is not None
        return walk[1:] + back[1:]

    def _positions(self, nodes: Sequence[int], loop: int | None) -> PositionPath:
        return PositionPath(tuple(self.nodes[node][0] for node in nodes), loop)
