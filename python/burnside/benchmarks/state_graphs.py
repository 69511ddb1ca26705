"""State graphs as ProB 1.2.7 drew them for nauty: how many vertices and edges they have (Spermann 2009, 2.3 and 3.4).

In: a machine and a state of the reference engine. Out: the size of its graph, with one layer for each label in use. Of all
states of a small machine: how many graphs of each size were labelled, one for each transition of the reduced space. The
same for the graphs of the core, which has its own.

The thesis describes the graphs of a later version. These follow its tables C.1 and C.2: an empty set is an edge from one
vertex for all empty sets, edges inside a value carry the variable's own label, and copies of a vertex form a chain.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from burnside.ir.sets.machine import Machine
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.records import record
from burnside.reference.explorer import explore
from burnside.reference.sets.machines import starts, steps
from burnside.reference.sets.values import UNSET, Point, State, Value
from burnside.symmetry.elements import by_sort
from burnside.symmetry.machines import machine_symmetry

if TYPE_CHECKING:
    from burnside.checking import Check

MOST_STATES = 100_000


@record
class Size:
    vertices: int
    edges: int


@record
class Line:
    """So many graphs have so many vertices, and in the mean so many edges, to a tenth."""

    vertices: int
    edges: str
    graphs: int

    def __str__(self) -> str:
        return f"{self.vertices}/{self.edges}/{self.graphs}"


Vertex = tuple[object, ...]
ROOT: Vertex = ("root",)
EMPTY: Vertex = ("empty",)
FROM = "$from"


class _Graph:
    """Edges have labels; vertices are what edges touch."""

    def __init__(self) -> None:
        self.edges: set[tuple[Vertex, str, Vertex]] = set()

    def variable(self, name: str, value: Value) -> None:
        members = [value] if _is_pair(value) else value
        if isinstance(members, frozenset | list):
            self._collection(name, members, ROOT)
        else:
            self.edges.add((_vertex(value), name, ROOT))

    def _collection(self, name: str, members: frozenset[Value] | list[Value], parent: Vertex) -> None:
        if not members:
            self.edges.add((EMPTY, name, parent))
        for each in members:
            if _is_pair(each) and parent == ROOT:
                left, right = (self._inner(name, side) for side in each)
                self.edges.add((left, name, right))
            else:
                self.edges.add((self._inner(name, each), name, parent))

    def _inner(self, name: str, value: Value) -> Vertex:
        """The vertex of a value inside of another, with all that is inside of it."""
        vertex = _vertex(value)
        if isinstance(value, frozenset):
            self._collection(name, value, vertex)
        elif _is_pair(value):
            left, right = (self._inner(name, side) for side in value)
            self.edges |= {(left, FROM, vertex), (right, name, vertex)}
        return vertex

    def size(self) -> Size:
        vertices = len({vertex for source, _, target in self.edges for vertex in (source, target)})
        layers = len({label for _, label, _ in self.edges})
        return Size(vertices * layers, len(self.edges) + 2 * vertices * (layers - 1))


def _is_pair(value: Value) -> bool:
    return isinstance(value, tuple) and not isinstance(value, Point)


def _vertex(value: Value) -> Vertex:
    """The same for the same value in any variable; 1 and TRUE are not the same."""
    return type(value).__name__, value


def graph_size(machine: Machine, state: State) -> Size:
    graph = _Graph()
    for name, value in zip(machine.state_names, state, strict=False):
        if value is not UNSET:
            graph.variable(name.name, value)
    return graph.size()


def lines(machine: Machine) -> list[Line]:
    """One graph for each transition of the reduced space, set-ups and initialisations among them."""
    return _counted(graph_size(machine, state) for state in _targets(machine))


def core_lines(check: Check) -> list[Line]:
    """The same, of the graphs that the core gives to nauty."""
    from burnside import _core
    from burnside.engine import method_of
    from burnside.kinds.machine import MachineQuestion, core_machine

    asked = check.question
    assert isinstance(asked, MachineQuestion)
    handle = core_machine(asked.machine, asked.model)
    graph = _core.state_graph(handle, asked.core_group, method_of(check.plan), MOST_STATES)
    sizes = [Size(*_core.layered_graph_size(handle, asked.core_group, state)) for state in graph.states]
    starts = [
        size
        for size, orbit in zip(sizes, graph.orbit_sizes[: graph.initial], strict=False)
        for _ in range(orbit)
    ]
    return _counted([*starts, *(sizes[target] for _, _, target in graph.edges)])


def _counted(sizes: Iterable[Size]) -> list[Line]:
    """By vertices."""
    edges: dict[int, list[int]] = defaultdict(list)
    for size in sizes:
        edges[size.vertices].append(size.edges)
    return [Line(vertices, _mean(found), len(found)) for vertices, found in sorted(edges.items())]


def _targets(machine: Machine) -> Iterator[State]:
    group = by_sort(machine_symmetry(machine, search=False))
    stored = explore(MachineSemantics(machine), group, keep_going=True).stored
    for found in (starts(machine), *(steps(machine, state) for state in stored)):
        yield from (step.result for step in found if isinstance(step.result, tuple))


def _mean(numbers: list[int]) -> str:
    """To a tenth, as the thesis rounds it: halves go up."""
    tenths = (20 * sum(numbers) + len(numbers)) // (2 * len(numbers))
    return f"{tenths // 10}.{tenths % 10}"
