"""Aldebaran's format of labelled transition systems, as CADP and mCRL2 write it.

`des (initial, edges, states)`, then a line `(source, label, target)` for each edge. A label may be quoted; a quoted one ends
with the last quotation mark of its line, so it may hold others. Numbers of states are their names. More edges than the first
line says are read, as by other tools; fewer are an error, since the file may be cut off.
"""

from __future__ import annotations

import re

from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError
from burnside.testing.machine import Action, MachineBuilder, StateMachine

HEADER = re.compile(
    r"\s*des\s*\(\s*(?P<initial>[^,]*?)\s*,\s*(?P<edges>[^,]*?)\s*,\s*(?P<states>[^,)]*?)\s*\)\s*$"
)
EDGE = re.compile(
    r'\s*\(\s*(?P<source>[^,]*?)\s*,\s*(?P<label>".*"|[^"].*?)\s*,\s*(?P<target>[^,]*?)\s*\)\s*$'
)
MAX_STATES = 10_000_000
NUMBER = re.compile(r"[0-9]{1,9}$")
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*$|\*$")
"""Labels that may be written without quotation marks."""


def read(source: Source) -> StateMachine:
    lines = _Lines(source)
    header = lines.match(HEADER, "expected 'des (initial, edges, states)'")
    initial, edges, states = (lines.number(header, each) for each in ("initial", "edges", "states"))
    most = f"more than {MAX_STATES} states are not supported"
    lines.check(header, "states", states <= MAX_STATES, most, UnsupportedError)
    builder = MachineBuilder(source.name)
    for state in range(states):
        builder.state(str(state))
    lines.check(header, "initial", initial < states, f"there are only {states} states")
    number = 0
    while number < edges or lines.is_more():
        missing = f": {edges - number} more to come" if number < edges else ""
        found = lines.match(EDGE, f"expected an edge '(source, label, target)'{missing}")
        number += 1
        ends = [lines.number(found, each) for each in ("source", "target")]
        for name, state in zip(("source", "target"), ends, strict=True):
            lines.check(found, name, state < states, f"there are only {states} states")
        label = found["label"]
        quoted = len(label) > 1 and label[0] == label[-1] == '"'
        lines.check(found, "label", quoted or "\\" not in label, "this label needs quotation marks")
        builder.edge(ends[0], Action(label[1:-1] if quoted else label), ends[1])
    return builder.machine([initial])


class _Lines:
    """Goes through the lines that are not empty."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._at = 0
        self._line = 0

    def _next(self) -> str | None:
        text = self._source.text
        while self._at < len(text):
            end = text.find("\n", self._at)
            end = len(text) if end < 0 else end
            line, self._line, self._at = text[self._at : end], self._at, end + 1
            if line.strip():
                return line
        return None

    def match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        line = self._next()
        found = None if line is None else pattern.match(line)
        if found is None:
            offset = len(self._source.text) if line is None else self._line + len(line) - len(line.lstrip())
            raise InputError(self._source.diagnostic(expected, offset, max(1, len((line or "").strip()))))
        return found

    def number(self, found: re.Match[str], name: str) -> int:
        text = found[name]
        if name in ("initial", "target") and len(text.split()) > 1:
            self._refuse(found, name, "probabilities of states are not supported", UnsupportedError)
        if NUMBER.match(text) is None:
            self._refuse(found, name, "expected a number from 0 to 999999999")
        return int(text)

    def check(
        self,
        found: re.Match[str],
        name: str,
        is_right: bool,
        message: str,
        kind: type[BurnsideError] = InputError,
    ) -> None:
        if not is_right:
            self._refuse(found, name, message, kind)

    def _refuse(
        self, found: re.Match[str], name: str, message: str, kind: type[BurnsideError] = InputError
    ) -> None:
        offset, length = self._line + found.start(name), max(1, len(found[name]))
        raise kind(self._source.diagnostic(message, offset, length))

    def is_more(self) -> bool:
        return bool(self._source.text[self._at :].strip())


def written(machine: StateMachine) -> str:
    [initial] = machine.initial
    lines = [f"des ({initial}, {len(machine.edges)}, {len(machine.states)})"]
    for source, action, target in machine.edges:
        label = str(machine.actions[action])
        lines.append(f"({source}, {label if PLAIN.match(label) else _quoted(label)}, {target})")
    return "\n".join(lines) + "\n"


def _quoted(label: str) -> str:
    return f'"{label}"'
