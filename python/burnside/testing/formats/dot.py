"""GraphViz files of machines, as AALpy, AutomataLib, LearnLib and the automata wiki write them.

A vertex is a state, an arc `label="input"` or `label="input/output"` an edge; several labels of one arc stand on lines of
their own, and in HTML the output has a line of its own. The initial state is where an arc comes from a vertex named
`__start...`, or one without a shape and a label; otherwise it is the first state. `label="name|output"` or `"name / output"`
of a vertex is the output of a state, if all have one, and so are labels that are not all different; a double circle accepts.
Everything else is for drawing, and is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.records import record
from burnside.testing.machine import Action, MachineBuilder, StateMachine

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*)
      | (?P<arrow>->|--) | (?P<sign>[{}\[\];,=:+])
      | (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<name>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)
      | (?P<number>-?(?:\.\d+|\d+(?:\.\d*)?))""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
START = re.compile(r"__start\d*$")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
MAX_DEPTH = 100


@record
class Token:
    kind: str
    text: str
    offset: int


Attributes = dict[str, Token]


class _Graph:
    """Statements of a graph, flat: subgraphs add their vertices and arcs to it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tokens = list(_tokens(source))
        self._at = 0
        self.vertices: dict[str, Attributes] = {}
        self.arcs: list[tuple[Token, Token, Attributes]] = []
        self._read()

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return InputError(self._source.diagnostic(message, token.offset, max(1, len(token.text)), hint))

    def _read(self) -> None:
        if self._peek().text.lower() == "strict":
            self._at += 1
        kind = self._next()
        if kind.text.lower() == "graph":
            raise UnsupportedError(
                self._source.diagnostic("graphs without directions are not supported", kind.offset, 5)
            )
        if kind.text.lower() != "digraph":
            raise self.error("expected 'digraph'", kind)
        if self._peek().text != "{":
            self._name()
        self._expect("{")
        self._statements(0, {})
        if self._peek().kind != "end":
            raise self.error("expected the end of the file", self._peek())

    def _statements(self, depth: int, inherited: Attributes) -> list[Token]:
        """Up to a closing brace; the vertices that are named."""
        named: list[Token] = []
        defaults = dict(inherited)
        while self._peek().text != "}" or self._peek().kind == "string":
            token = self._peek()
            if token.kind == "end":
                raise self.error("expected '}'", token)
            if token.text == ";":
                self._at += 1
            elif token.kind == "name" and token.text.lower() in ("graph", "node", "edge"):
                self._at += 1
                attributes = self._attributes()
                if token.text.lower() == "edge":
                    defaults |= attributes
            else:
                named += self._statement(depth, defaults)
        self._at += 1
        return named

    def _statement(self, depth: int, defaults: Attributes) -> list[Token]:
        ends = [self._end(depth, defaults)]
        if self._peek().text == "=" and len(ends[0]) == 1:
            self._at += 1
            self._name()
            return []
        while self._peek().kind == "arrow":
            if self._next().text == "--":
                raise self.error("expected '->': the graph is directed", self._tokens[self._at - 1])
            ends.append(self._end(depth, defaults))
        own = self._attributes()
        for sources, targets in pairwise(ends):
            self.arcs += [(a, b, {**defaults, **own}) for a in sources for b in targets]
        named = [token for end in ends for token in end]
        for token in named:
            known = self.vertices.setdefault(token.text, {})
            if len(ends) == 1:
                known |= own
        return named

    def _end(self, depth: int, defaults: Attributes) -> list[Token]:
        token = self._peek()
        if token.kind == "name" and token.text.lower() == "subgraph":
            self._at += 1
            if self._peek().text != "{":
                self._name()
        if self._peek().text == "{" and self._peek().kind == "sign":
            if depth == MAX_DEPTH:
                raise self.error(f"subgraphs are nested more than {MAX_DEPTH} deep", token)
            self._at += 1
            return self._statements(depth + 1, defaults)
        found = self._name()
        while self._peek().text == ":":
            self._at += 1
            self._name()
        return [found]

    def _attributes(self) -> Attributes:
        found: Attributes = {}
        while self._peek().text == "[" and self._peek().kind == "sign":
            self._at += 1
            while self._peek().text != "]":
                name = self._name()
                value = Token("name", "true", name.offset)
                if self._peek().text == "=":
                    self._at += 1
                    value = self._name()
                found[name.text] = value
                if self._peek().text in (",", ";"):
                    self._at += 1
            self._at += 1
        return found

    def _name(self) -> Token:
        token = self._next()
        if token.kind not in ("name", "number", "string", "html"):
            raise self.error("expected a name", token)
        while token.kind == "string" and self._peek().text == "+" and self._peek().kind == "sign":
            self._at += 1
            more = self._next()
            token = Token("string", token.text + more.text, token.offset)
        return token

    def _expect(self, text: str) -> None:
        token = self._next()
        if token.text != text:
            raise self.error(f"expected '{text}'", token)

    def _peek(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        if token.kind != "end":
            self._at += 1
        return token


def _tokens(source: Source) -> Iterator[Token]:
    text, at = source.text, 0
    while at < len(text):
        if text[at] == "<":
            end = _html_end(source, at)
            yield Token("html", text[at + 1 : end - 1], at)
            at = end
            continue
        found = TOKEN.match(text, at)
        if found is None:
            what = "this string is not closed" if text[at] == '"' else f"unexpected character {text[at]!r}"
            raise InputError(source.diagnostic(what, at))
        kind = str(found.lastgroup)
        if kind == "string":
            inner = re.sub(r'\\(["\n])', lambda escape: '"' if escape[1] == '"' else "", found[0][1:-1])
            yield Token("string", inner, at)
        elif kind != "skip":
            yield Token(kind, found[0], at)
        at = found.end()
    yield Token("end", "", len(text))


def _html_end(source: Source, start: int) -> int:
    depth = 0
    for at in range(start, len(source.text)):
        depth += {"<": 1, ">": -1}.get(source.text[at], 0)
        if depth == 0:
            return at + 1
    raise InputError(source.diagnostic("this text in angle brackets is not closed", start))


# From graphs to machines


def read(source: Source) -> StateMachine:
    graph = _Graph(source)
    builder = MachineBuilder(source.name)
    starts = [name for name, attributes in graph.vertices.items() if _is_start(name, attributes, graph)]
    states = [name for name in graph.vertices if name not in starts]
    if not states:
        raise InputError(source.diagnostic("there is no state", len(source.text)))
    for name in states:
        builder.state(name)
    initial: dict[int, None] = {}
    for begin, end, attributes in graph.arcs:
        if begin.text in starts:
            initial[builder.states[end.text]] = None
            continue
        for label in _labels(begin, end, attributes, graph):
            builder.edge(builder.states[begin.text], label, builder.states[end.text])
    accepting = frozenset(builder.states[name] for name in states if _shape(graph, name) == "doublecircle")
    outputs = _outputs([graph.vertices[name] for name in states])
    return builder.machine(list(initial) or [0], outputs, accepting or None)


def _is_start(name: str, attributes: Attributes, graph: _Graph) -> bool:
    """Is it not a state, but the tail of the arc to the initial one?"""
    label, shape = attributes.get("label"), attributes.get("shape")
    unseen = shape is not None and shape.text in ("none", "point", "plaintext")
    is_marked = START.search(name) is not None or (unseen and label is not None and not label.text)
    return is_marked and all(end.text != name for _, end, _ in graph.arcs)


def _shape(graph: _Graph, name: str) -> str:
    found = graph.vertices[name].get("shape")
    return "" if found is None else found.text


def _outputs(states: Sequence[Attributes]) -> list[str] | None:
    """`s0|1` in a record, or `0 / a`; or labels, where they cannot be names."""
    labels = [each["label"].text for each in states if "label" in each and each["label"].kind != "html"]
    if len(labels) < len(states):
        return None
    for sign in ("|", " / "):
        if all(sign in label for label in labels):
            return [label.partition(sign)[2].strip("{} ") for label in labels]
    return None if len(set(labels)) == len(labels) else labels


def _labels(begin: Token, end: Token, attributes: Attributes, graph: _Graph) -> Iterator[Action]:
    label = attributes.get("label")
    if label is None:
        hint = 'an edge is written a -> b [label="input/output"]'
        raise graph.error("this arc has no label", begin, hint)
    if label.kind == "html":
        parts = [re.sub("<[^>]*>", "", part).strip() for part in BREAK.split(label.text)]
        yield Action(parts[0], " ".join(parts[1:]) if len(parts) > 1 else None)
        return
    for line in re.split(r"\\[nlr]|\n", label.text):
        if line.strip() or label.text == line:
            given, slash, output = line.partition(" / " if " / " in line else "/")
            yield Action(given.strip(), output.strip() if slash else None)


def written(machine: StateMachine) -> str:
    lines = ["digraph machine {"]
    for number, name in enumerate(machine.states):
        label, shape = name, "circle"
        if machine.outputs is not None:
            label, shape = f"{name}|{machine.outputs[number]}", "record"
        if machine.accepting and number in machine.accepting:
            shape = "doublecircle"
        lines.append(f"{_quoted(name)} [label={_quoted(label)}, shape={shape}];")
    for source, action, target in machine.edges:
        each = machine.actions[action]
        label = each.input if each.output is None else f"{each.input} / {each.output}"
        lines.append(
            f"{_quoted(machine.states[source])} -> {_quoted(machine.states[target])} [label={_quoted(label)}];"
        )
    for number, state in enumerate(machine.initial):
        lines += [
            f'__start{number} [label="", shape=none];',
            f"__start{number} -> {_quoted(machine.states[state])};",
        ]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    if '\\"' in text or text.endswith("\\"):
        message = "GraphViz has no way to write a backslash before a quotation mark"
        raise UnsupportedError(Source(text, text).diagnostic(message, max(0, text.rfind("\\"))))
    escaped = text.replace('"', '\\"')
    return f'"{escaped}"'
