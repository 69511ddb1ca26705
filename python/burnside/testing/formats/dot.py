"""GraphViz files of machines, as AALpy, AutomataLib, LearnLib and the automata wiki write them.

A vertex is a state, an arc `label="input"` or `label="input/output"` an edge; several labels of one arc stand on lines
of their own, and in HTML the output has a line of its own. The initial state is where an arc comes from a vertex named
`__start...`, or from one that is not drawn; otherwise it is the first state. `label="name|output"` or `"name / output"`
of a vertex is the output of a state, if all have one, and so are labels that are not all different; a double circle
accepts. Everything else is for drawing, and is passed over.

What such labels cannot say has attributes of its own, which GraphViz passes over: `input` and `output` of an arc,
`state` (its name), `output` and `accepting` of a vertex. They are written only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.diagnostics import InputError, Source
from burnside.testing.formats.dot_graph import Attributes, Graph, Token
from burnside.testing.formats.dot_labels import (
    START,
    actions_of,
    edge_label,
    lines_of,
    name,
    outputs_of,
    quoted,
    unquoted,
)
from burnside.testing.formats.fitting import Notes, check_plain, in_order_of_use
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.splits import Split

UNSEEN = frozenset({"none", "point", "plaintext", "plain"})
"""Shapes of vertices that only carry the arc to the initial state."""
MCRL2 = "mclimit"
"""An attribute of graphs that mCRL2 writes."""


def read(source: Source, split: Split | None = None) -> StateMachine:
    return _Reader(source, split).machine()


class _Reader:
    def __init__(self, source: Source, split: Split | None) -> None:
        self._source, self._split = source, split
        self._graph = Graph(source)
        self._builder = MachineBuilder(source.name)
        self._actions: dict[tuple[str, str], list[int]] = {}
        self._is_mealy = False

    def machine(self) -> StateMachine:
        graph, builder = self._graph, self._builder
        starts = self._starts()
        states = {vertex: each for vertex, each in graph.vertices.items() if vertex not in starts}
        if not states:
            raise InputError(self._source.diagnostic("there is no state", len(self._source.text)))
        number = {vertex: self._state(vertex, attributes) for vertex, attributes in states.items()}
        initial: dict[int, None] = {}
        for begin, end, attributes in graph.arcs:
            if begin.text in starts:
                initial[number[end.text]] = None
                continue
            for action in self._labels(begin, attributes):
                builder.edge(number[begin.text], action, number[end.text])
        marked = [number[vertex] for vertex, each in states.items() if _is_marked(each)]
        if MCRL2 in graph.attributes:
            initial, marked = initial or dict.fromkeys(marked), []
        accepting = frozenset(marked)
        is_automaton = accepting or any("accepting" in each for each in states.values())
        outputs = _outputs(list(states.values()), self._is_mealy)
        return builder.machine(list(initial) or [0], outputs, accepting if is_automaton else None)

    def _state(self, vertex: str, attributes: Attributes) -> int:
        own = attributes.get("state")
        called = vertex if own is None else unquoted(own)
        if called in self._builder.states:
            token = own or next(iter(attributes.values()))
            raise self._graph.error(f"two states are called {called!r}", token)
        return self._builder.state(called)

    def _starts(self) -> frozenset[str]:
        """Vertices that are no states, but tails of arcs to the initial ones."""
        reached = {end.text for _, end, _ in self._graph.arcs}
        found, hidden = set[str](), set[str]()
        for vertex, attributes in self._graph.vertices.items():
            if vertex in reached or "state" in attributes:
                continue
            if START.search(vertex) is not None:
                found.add(vertex)
            elif _is_unseen(attributes):
                hidden.add(vertex)
        leaving = [
            (begin.text, attributes) for begin, _, attributes in self._graph.arcs if begin.text in hidden
        ]
        labelled = {vertex for vertex, attributes in leaving if _has_label(attributes)}
        for vertex, _ in leaving:
            label = self._graph.vertices[vertex].get("label")
            if vertex not in labelled or (label is not None and lines_of(label) == [""]):
                found.add(vertex)
        return frozenset(found)

    def _labels(self, begin: Token, attributes: Attributes) -> list[int]:
        """Numbers of actions."""
        given, output = attributes.get("input"), attributes.get("output")
        if given is not None:
            return self._numbers([Action(unquoted(given), None if output is None else unquoted(output))])
        label = attributes.get("label")
        if label is None:
            hint = 'an edge is written a -> b [label="input/output"]'
            raise self._graph.error("this arc has no label", begin, hint)
        key = label.kind, label.text
        if key not in self._actions:
            self._actions[key] = self._numbers(self._actions_of(label))
        return self._actions[key]

    def _numbers(self, actions: list[Action]) -> list[int]:
        self._is_mealy = self._is_mealy or any(each.output is not None for each in actions)
        return list(map(self._builder.action, actions))

    def _actions_of(self, label: Token) -> list[Action]:
        if self._split is None:
            return actions_of(label)
        lines = lines_of(label)
        texts = [" ".join(lines)] if label.kind == "html" else lines
        return [self._split.action(text, self._source, label.offset) for text in texts]


def _has_label(attributes: Attributes) -> bool:
    label = attributes.get("label")
    return "input" in attributes or (label is not None and lines_of(label) != [""])


def _is_unseen(attributes: Attributes) -> bool:
    shape, style = attributes.get("shape"), attributes.get("style")
    return (shape is not None and shape.text in UNSEEN) or (style is not None and "invis" in style.text)


def _is_marked(attributes: Attributes) -> bool:
    own = attributes.get("accepting")
    if own is not None:
        return own.text.lower() == "true"
    shape, lines = attributes.get("shape"), attributes.get("peripheries")
    return (shape is not None and shape.text == "doublecircle") or (lines is not None and lines.text == "2")


def _outputs(states: list[Attributes], is_mealy: bool) -> list[str] | None:
    own = [each["output"] for each in states if "output" in each]
    if len(own) == len(states):
        return [unquoted(each) for each in own]
    labels = [each["label"] for each in states if "label" in each and each["label"].kind != "html"]
    return None if len(labels) < len(states) else outputs_of(labels, is_mealy)


# Writing


def lines(machine: StateMachine) -> Iterator[str]:
    check_plain(machine)
    names = _Names(machine)
    yield "digraph machine {"
    for state in range(len(machine.states)):
        yield f"{names.of[state]} [{', '.join(names.attributes(state))}];"
    labels = [edge_label(each) for each in machine.actions]
    for source, action, target in machine.edges:
        yield f"{names.of[source]} -> {names.of[target]} [{labels[action]}];"
    for number, state in enumerate(machine.initial):
        yield f'__start{number} [label="", shape=none];'
        yield f'__start{number} -> {names.of[state]} [label=""];'
    yield "}"


class _Names:
    """`of`: by state, the name of its vertex."""

    def __init__(self, machine: StateMachine) -> None:
        self._machine = machine
        written = [name(each) for each in machine.states]
        taken = {each for each in written if each is not None}
        self._fresh = (f"state{number}" for number in range(len(taken) + len(written)))
        self.of = [each or next(text for text in self._fresh if text not in taken) for each in written]
        self._is_plain = [each is not None for each in written]
        self._labels = self._state_labels()
        texts = "".join([*machine.states, *(machine.outputs or ())])
        self._is_record = machine.outputs is not None and not set("{}<>|\\") & set(texts)

    def attributes(self, state: int) -> Iterator[str]:
        machine = self._machine
        if self._labels is not None:
            yield f"label={quoted(self._labels[state])}"
        is_accepting = machine.accepting is not None and state in machine.accepting
        shape = "record" if self._is_record else "circle"
        yield f"shape={'doublecircle' if is_accepting else shape}"
        if machine.accepting is not None and not machine.accepting:
            yield "accepting=false"
        if not self._is_plain[state]:
            yield f"state={quoted(machine.states[state])}"
        if machine.outputs is not None and self._labels is None:
            yield f"output={quoted(machine.outputs[state])}"

    def _state_labels(self) -> list[str] | None:
        """None where labels would be read as something else."""
        machine = self._machine
        labels = list(machine.states)
        if machine.outputs is not None:
            labels = [f"{state}|{output}" for state, output in zip(labels, machine.outputs, strict=True)]
        tokens = [Token("string", label.replace("\\", "\\\\"), 0) for label in labels]
        is_mealy = any(each.output is not None for each in machine.actions)
        read_back = outputs_of(tokens, is_mealy)
        wanted = None if machine.outputs is None else list(machine.outputs)
        return labels if read_back == wanted else None


def fitted(machine: StateMachine) -> tuple[StateMachine, Notes]:
    return in_order_of_use(machine)
