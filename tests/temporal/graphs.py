"""Random graphs as models: states and labels are numbers, conditions are sets of states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from burnside.records import record
from burnside.semantics import CheckedProperty, Judgement, Semantics, Step
from burnside.temporal.atoms import ActionPattern, Condition, NextAction, Proposition
from hypothesis import strategies as st

LABELS = 3


@record
class Graph:
    """`edges`: source, label, target. Runs begin at state 0 and at state 1."""

    size: int
    edges: tuple[tuple[int, int, int], ...]


class GraphSemantics(Semantics[int, int, Sequence[int]]):
    name = "graph"
    actions = tuple("abc"[:LABELS])

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.properties: Mapping[int, CheckedProperty] = {}

    def starts(self) -> list[Step[int, int]]:
        return [Step(-1, state) for state in range(min(2, self.graph.size))]

    def steps(self, state: int) -> list[Step[int, int]]:
        return [Step(label, target) for source, label, target in self.graph.edges if source == state]

    def judge(self, state: int) -> Judgement:
        return Judgement()

    def satisfies(self, expression: frozenset[int], state: int) -> bool:
        return state in expression

    def permute(self, generator: Sequence[int], state: int) -> int:
        return generator[state]

    def action(self, label: int) -> int | None:
        return label if label >= 0 else None

    def show_label(self, label: int) -> str:
        return str(label)

    def show_generator(self, generator: Sequence[int]) -> str:
        return str(tuple(generator))

    def show_state(self, state: int) -> Mapping[str, str]:
        return {"state": str(state)}


@st.composite
def graphs(draw: st.DrawFn, most: int = 5) -> Graph:
    size = draw(st.integers(1, most))
    state = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(state, st.integers(0, LABELS - 1), state), max_size=3 * size))
    return Graph(size, tuple(dict.fromkeys(edges)))


def conditions(size: int, count: int) -> st.SearchStrategy[list[Proposition]]:
    """Sets of states."""
    sets = st.frozensets(st.integers(0, size - 1))
    return st.lists(st.builds(lambda one: Condition(one, "p"), sets), min_size=count, max_size=count)


def next_actions() -> st.SearchStrategy[Proposition]:
    patterns = st.sets(st.integers(0, LABELS - 1), min_size=1)
    return patterns.map(lambda some: NextAction(tuple(map(ActionPattern, sorted(some))), "a"))
