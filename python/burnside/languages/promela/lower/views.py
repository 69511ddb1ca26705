"""How states of a Promela model are shown: symbols by name, channels as lists of messages, processes with their lines.

In: the layout of a lowered model. Out: views of its program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.ir.program import Program
from burnside.ir.views import Hidden, Members, Names, Queue, ValueNames, View
from burnside.languages.promela import statements as st
from burnside.languages.promela.flow import Graph
from burnside.languages.promela.lower.layout import Layout
from burnside.languages.promela.model import Process
from burnside.languages.promela.types import ScalarType, StructType, Type, Variable

END = "end"


def views(layout: Layout, points: Mapping[str, Mapping[int, int]], program: Program) -> Iterator[View]:
    """`points`: by proctype and state of its graph, the number by which variables of the program hold it."""
    stored = {each.name for each in program.variables}
    yield from (Hidden(each) for each in ("_nr_pr", "process in control") if each in stored)
    for variable in layout.model.variables:
        yield from _names_in(layout, variable)
    for name in layout.process_sorts:
        process = layout.model.by_name[name]
        own = [
            (layout.variable(each).name, each.unique)
            for each in (*process.parameters, *process.locals)
            if layout.variable(each).name in stored
        ]
        places = _places(process.graph, points[name])
        yield Members(layout.point(name).name, places, tuple(own), layout.slots[name])
        for variable in (*process.parameters, *process.locals):
            yield from _names_in(layout, variable)
    yield from _queues(layout)


def _names_in(layout: Layout, variable: Variable) -> Iterator[View]:
    name = layout.variable(variable).name
    for path, type_ in _scalars(variable.type, ()):
        if names := _names(layout, type_):
            yield ValueNames(name, path, names)


def _scalars(type_: Type, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], ScalarType]]:
    if isinstance(type_, StructType):
        for each in type_.fields:
            yield from _scalars(each.type, (*path, each.name))
    else:
        yield path, type_


def _names(layout: Layout, type_: ScalarType) -> Names:
    match type_.name:
        case "bool":
            return (0, "false"), (1, "true")
        case "mtype":
            sets = [each.values for each in layout.model.symbols if each.name == type_.symbols]
            return tuple((number, name) for values in sets for name, number in values.items())
        case "chan" if layout.channels_are_numbers:
            return tuple((each.number, each.name) for each in layout.channels)
    return ()


def _queues(layout: Layout) -> Iterator[View]:
    processes = {pid: process for process, pid, _ in layout.processes()}
    creators: dict[int, str | None] = {}
    for (_, _, pid), channel in layout.owners.items():
        creators[channel.number] = None if pid is None else process_name(processes[pid], pid)
    for type_ in layout.channel_sorts:
        if not type_.capacity:
            continue
        owners = tuple(creators[each.number] for each in layout.channels if each.type == type_)
        fields = [layout.contents(type_, number).name for number in range(len(type_.fields))]
        tagged = type_.fields[0].name == "mtype"
        yield Queue(layout.length(type_).name, tuple(fields), owners, tagged)
        for field, scalar in zip(fields, type_.fields, strict=True):
            if names := _names(layout, scalar):
                yield ValueNames(field, (), names)


def process_name(process: Process, pid: int) -> str:
    """`client(5)`."""
    return f"{process.name.strip(':')}({pid})"


def _places(graph: Graph, points: Mapping[int, int]) -> tuple[str | None, ...]:
    """By point: a label and the line of the next statement. Where several states have the same ones, columns
    distinguish them from the first, or else the numbers that Spin gives to states."""
    texts: dict[int, str] = {}
    for number in sorted(graph.states, key=lambda each: _start(graph, each)):
        spellings = (
            _place(graph, number, column=False),
            _place(graph, number, column=True),
            f"{_place(graph, number, column=False)} (state {number})",
        )
        texts[number] = next((each for each in spellings if each not in texts.values()), spellings[-1])
    by_point = {point: texts[number] for number, point in points.items()}
    return (None, *(by_point.get(point, "?") for point in range(1, max(by_point, default=0) + 1)))


def _start(graph: Graph, number: int) -> tuple[int, int]:
    """Line and column of the first statement that can be next."""
    leaving = graph.leaving(number)
    own = [each for each in leaving if not each.escape] or leaving
    spans = [(each.statement.at.span.line, each.statement.at.span.column) for each in own]
    return min(spans, default=(0, 0))


def _place(graph: Graph, number: int, *, column: bool) -> str:
    if all(isinstance(each.statement, st.End) for each in graph.leaving(number)):
        return END
    at, labels = _start(graph, number), graph.states[number].labels
    line = f"line {at[0]}:{at[1]}" if column else f"line {at[0]}"
    return f"{labels[0]} ({line})" if labels else line
