"""The channel diagram of a model: which processes can send to, and receive from, which channels.

In: a lowered model; for the dynamic diagram some of its states. Out: a `ChannelDiagram`, plain data (Donaldson, Miller,
Calder 2005, Def. 2.6): processes have the colours of their proctypes, channels those of their types (capacity and fields).
`init` is there only where it sends or receives.

*Static*: what the text allows (`diagram.values`). *Dynamic*: what processes can do in the given states; of a statement
inside of an atomic sequence or a d_step, where no state is, what the text allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from burnside.languages.promela import statements as st
from burnside.languages.promela.diagram.instances import Instance, StateReader, created
from burnside.languages.promela.diagram.state_values import StateValues
from burnside.languages.promela.diagram.values import Values, statements_of, with_inner
from burnside.languages.promela.flow import Graph
from burnside.languages.promela.lower.program import Lowered
from burnside.records import record
from burnside.reference.values import State


@record
class Vertex:
    """`kind`: process or channel. `type`: the proctype, or the type of the channel as in its declaration."""

    name: str
    kind: str
    type: str


@record
class Edge:
    """From a process that can send to a channel, or from a channel to a process that can receive. `lines`: where."""

    source: int
    target: int
    lines: tuple[int, ...]


@record
class ChannelDiagram:
    """Edges join vertices by number."""

    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]

    @cached_property
    def colours(self) -> tuple[int, ...]:
        """By vertex: equal for the same kind and type."""
        numbers: dict[tuple[str, str], int] = {}
        return tuple(numbers.setdefault((each.kind, each.type), len(numbers)) for each in self.vertices)


Use = tuple[Instance, st.Send | st.Receive, int]
"""A process uses a channel, by number."""


def channel_diagram(lowered: Lowered, states: Iterable[State] | None = None) -> ChannelDiagram:
    """Static, or given states, dynamic."""
    layout = lowered.lowering.layout
    instances, arguments = created(lowered.program, layout)
    if states is None:
        return _diagram(lowered, instances, _possible(Values(layout, instances, arguments), instances))
    reader = StateReader(lowered.program, layout)
    seen = list(states)
    existing = {each for state in seen for each, _ in reader.existing(state)} | set(instances)
    several = sorted(existing, key=lambda each: (each.pid, each.name))
    values = Values(layout, several, arguments)
    return _diagram(lowered, several, _explored(lowered, reader, values, seen))


def _possible(values: Values, instances: Sequence[Instance]) -> Iterator[Use]:
    for instance in instances:
        for statement in statements_of(instance):
            if isinstance(statement, st.Send | st.Receive):
                for number in values.channels(statement.channel, instance):
                    yield instance, statement, number


def _explored(
    lowered: Lowered, reader: StateReader, values: Values, states: Sequence[State]
) -> Iterator[Use]:
    points = {
        name: {point: number for number, point in of.items()} for name, of in lowered.lowering.points.items()
    }
    for state in states:
        here = StateValues(values, reader, state)
        for instance, point in reader.existing(state):
            graph = instance.process.graph
            number = points[instance.process.name].get(point)
            for each in () if number is None else graph.leaving(number):
                if isinstance(each.statement, st.Send | st.Receive):
                    for channel in here.channels(each.statement.channel, instance):
                        yield instance, each.statement, channel
            for statement in () if number is None else _hidden(graph, number):
                for channel in values.channels(statement.channel, instance):
                    yield instance, statement, channel


def _hidden(graph: Graph, start: int) -> Iterator[st.Send | st.Receive]:
    """What is done on the way without a state before it: inside of atomic sequences and d_steps that begin here."""
    seen: set[int] = set()
    pending = [start]
    while pending:
        number = pending.pop()
        for each in graph.leaving(number):
            inner = list(with_inner(each.statement))
            for statement in inner[1:] if number == start else inner:
                if isinstance(statement, st.Send | st.Receive):
                    yield statement
            if each.keeps_control and each.target and each.target not in seen:
                seen.add(each.target)
                pending.append(each.target)


def _diagram(lowered: Lowered, instances: Sequence[Instance], uses: Iterable[Use]) -> ChannelDiagram:
    layout = lowered.lowering.layout
    lines: dict[tuple[str, int, bool], set[int]] = {}
    for instance, statement, number in uses:
        key = instance.name, number, isinstance(statement, st.Send)
        lines.setdefault(key, set()).add(statement.at.span.line)
    users = {name for name, _, _ in lines}
    names = {each.name for each in instances}
    owners = {channel.number: pid for (_, _, pid), channel in layout.owners.items()}
    pids = {each.pid for each in instances}
    processes = [
        Vertex(each.name, "process", each.process.name.strip(":"))
        for each in instances
        if each.process.kind != "init" or each.name in users
    ]
    channels = [
        each for each in layout.channels if owners.get(each.number) is None or owners[each.number] in pids
    ]
    at = {each.name: number for number, each in enumerate(processes)}
    first = len(processes)
    place = {each.number: first + number for number, each in enumerate(channels)}
    edges = []
    for (name, number, sends), found in sorted(lines.items()):
        if name in names and number in place:
            ends = (at[name], place[number]) if sends else (place[number], at[name])
            edges.append(Edge(*ends, tuple(sorted(found))))
    vertices = (*processes, *(Vertex(each.name, "channel", str(each.type)) for each in channels))
    return ChannelDiagram(vertices, tuple(sorted(edges, key=lambda each: (each.source, each.target))))
