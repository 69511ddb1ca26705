"""Aldebaran's format of labelled transition systems, as CADP and mCRL2 write it.

`des (initial, edges, states)`, then a line `(source, label, target)` for each edge. A label may be quoted; a quoted one
ends with the last quotation mark of its line, so it may hold others. Numbers of states are their names. More edges than
the first line says are read, as by other tools; fewer are an error, since the file may be cut off.

The format has labels only. A Mealy machine is written with labels `input/output`, and read back where that is declared:
the split `slash`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

from burnside.diagnostics import BurnsideError, InputError, Source, UnsupportedError
from burnside.testing.edge_numbers import without_duplicates
from burnside.testing.formats.fitting import (
    FIT,
    Notes,
    check_plain,
    check_single_initial,
    in_order_of_use,
    is_mealy,
    named,
    refused,
    without_state_facts,
)
from burnside.testing.formats.words import NUMBER
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.splits import Split, at_slash

NAME = "Aldebaran's format"
HEADER = re.compile(r"des\s*\((?P<initial>[^,]*),(?P<edges>[^,]*),(?P<states>[^,)]*)\)")
MAX_STATES = 10_000_000
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|\*")
"""Labels that are written without quotation marks."""
REGULAR = re.compile(
    r'^\(([0-9]{1,9}),[ ]?("[^\n]*"|[A-Za-z][A-Za-z0-9_]*|\*),[ ]?([0-9]{1,9})\)[ \t\r]*$', re.MULTILINE
)
"""Lines as all tools write them, which are read many at a time."""
CHUNK = 1 << 20
"""Characters that are read at a time."""


def read(source: Source, split: Split | None = None) -> StateMachine:
    return _Reader(source, split).machine()


class _Reader:
    """`_actions`: by label as it stands in the file, the number of its action."""

    def __init__(self, source: Source, split: Split | None) -> None:
        self._source, self._split = source, split
        self._actions: dict[str, int] = {}
        self._known: dict[Action, int] = {}
        self._numbers = array("I")
        self._states = 0

    def machine(self) -> StateMachine:
        text = self._source.text
        begin = self._after_header()
        while begin < len(text):
            end = text.find("\n", begin + CHUNK)
            end = len(text) if end < 0 else end
            if not self._regular_lines(text[begin:end]):
                self._lines(begin, end)
            begin = end + 1
        missing = self._edges - len(self._numbers) // 3
        if missing > 0:
            message = f"expected an edge '(source, label, target)': {missing} more to come"
            raise InputError(self._source.diagnostic(message, len(text)))
        return StateMachine(
            self._source.name,
            tuple(map(str, range(self._states))),
            (self._initial,),
            tuple(self._known),
            Edges(without_duplicates(self._numbers, self._states)),
        )

    def _after_header(self) -> int:
        text = self._source.text
        begin = len(text) - len(text.lstrip())
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        line = text[begin:end].rstrip()
        found = HEADER.fullmatch(line)
        if found is None:
            message = "expected 'des (initial, edges, states)'"
            raise InputError(self._source.diagnostic(message, begin, max(1, len(line))))
        sizes = [self._number(found[each], begin + found.start(each)) for each in (2, 3)]
        self._edges, self._states = sizes
        if self._states > MAX_STATES:
            message = f"more than {MAX_STATES} states are not supported"
            raise self._error(message, found["states"], begin + found.start("states"), UnsupportedError)
        self._initial = self._state(found["initial"], begin + found.start("initial"))
        return end + 1

    def _regular_lines(self, chunk: str) -> bool:
        """Nothing is read where a line of the chunk is not regular, or where there is something to refuse."""
        found = REGULAR.findall(chunk)
        if len(found) != chunk.rstrip("\n").count("\n") + 1:
            return False
        sources, labels, targets = zip(*found, strict=True)
        ends = [array("I", map(int, each)) for each in (sources, targets)]
        if max(max(each) for each in ends) >= self._states:
            return False
        try:
            for label in dict.fromkeys(labels):
                if label not in self._actions:
                    self._intern(label, 0)
        except InputError:  # the same again, line by line, gives its place
            return False
        numbers = array("I", bytes(12 * len(found)))
        numbers[0::3], numbers[2::3] = ends
        numbers[1::3] = array("I", map(self._actions.__getitem__, labels))
        self._numbers.extend(numbers)
        return True

    def _lines(self, begin: int, end: int) -> None:
        for line in self._source.text[begin:end].split("\n"):
            if line.strip():
                self._line(line, begin)
            begin += len(line) + 1

    def _line(self, line: str, offset: int) -> None:
        text = line.strip()
        offset += line.index(text)
        begin, comma, rest = text[1:-1].partition(",")
        label, last_comma, end = rest.rpartition(",")
        is_edge = text[0] == "(" and text[-1] == ")" and comma and last_comma and label.strip()
        if not is_edge or _is_unclosed(label.strip()):
            missing = self._edges - len(self._numbers) // 3
            more = f": {missing} more to come" if missing > 0 else ""
            message = f"expected an edge '(source, label, target)'{more}"
            raise InputError(self._source.diagnostic(message, offset, len(text)))
        at_label = offset + len(begin) + 2
        source = self._state(begin, offset + 1)
        target = self._state(end, at_label + len(label) + 1)
        at_label += len(label) - len(label.lstrip())
        label = label.strip()
        if label not in self._actions:
            self._intern(label, at_label)
        self._numbers.extend((source, self._actions[label], target))

    def _intern(self, label: str, offset: int) -> None:
        is_quoted = len(label) > 1 and label[0] == label[-1] == '"'
        if not is_quoted and "\\" in label:
            raise self._error("this label needs quotation marks", label, offset)
        text = label[1:-1] if is_quoted else label
        action = Action(text)
        if self._split is not None:
            action = self._split.action(text, self._source, offset + is_quoted)
        self._actions[label] = self._known.setdefault(action, len(self._known))

    def _state(self, text: str, offset: int) -> int:
        if len(text.split()) > 1:
            raise self._error("probabilities of states are not supported", text, offset, UnsupportedError)
        found = self._number(text, offset)
        if found >= self._states:
            raise self._error(f"there are only {self._states} states", text, offset)
        return found

    def _number(self, text: str, offset: int) -> int:
        if NUMBER.fullmatch(text.strip()) is None:
            raise self._error("expected a number from 0 to 999999999", text, offset)
        return int(text)

    def _error(
        self, message: str, text: str, offset: int, kind: type[BurnsideError] = InputError
    ) -> BurnsideError:
        inner = text.strip()
        offset += text.index(inner)
        return kind(self._source.diagnostic(message, offset, max(1, len(inner))))


def _is_unclosed(label: str) -> bool:
    return label[0] == '"' and (len(label) == 1 or label[-1] != '"')


# Writing


def lines(machine: StateMachine) -> Iterator[str]:
    check_plain(machine)
    initial = check_single_initial(machine, NAME)
    without_state_facts(machine, NAME)
    if machine.states != tuple(map(str, range(len(machine.states)))):
        raise refused(machine, f"states of {NAME} are called 0 to {len(machine.states) - 1}", FIT)
    if len(machine.states) > MAX_STATES:
        raise refused(machine, f"more than {MAX_STATES} states are not supported")
    has_outputs = is_mealy(machine, NAME)
    labels = [_label(machine, each, has_outputs) for each in machine.actions]
    yield f"des ({initial}, {len(machine.edges)}, {len(machine.states)})"
    for source, action, target in machine.edges:
        yield f"({source}, {labels[action]}, {target})"


def _label(machine: StateMachine, action: Action, has_outputs: bool) -> str:
    label = str(action)
    if has_outputs and at_slash(label) != action:
        label = f"{action.input} / {action.output}"
        if at_slash(label) != action:
            message = f"the action {str(action)!r} cannot be read back as an input and an output"
            raise refused(machine, message)
    if "\n" in label:
        raise refused(machine, f"a label of {NAME} is on one line: {label!r}")
    return label if PLAIN.fullmatch(label) else f'"{label}"'


def fitted(machine: StateMachine) -> tuple[StateMachine, Notes]:
    machine, notes = in_order_of_use(machine)
    machine, more = named(machine, [str(state) for state in range(len(machine.states))])
    return machine, notes + more
