"""Four formats that share the extension `.fsm`: fsmlib-cpp's numbers and JSON, FSMlib's tables (see `fsm_numbers` and
`fsm_json`), and mCRL2's, which is the one that is written.

mCRL2's has three parts between lines `---`: parameters, a line of their values for each state, and for each edge a line
`source target "label"`, with states numbered from 1. The first state is initial, unless a fourth part gives another. As
AutomataLib writes it, an edge may have two labels, an input and an output, and a parameter with a value "accept" says
which states accept. Here, a parameter `name` of texts that are all different gives the names of states, and a parameter
`output` of texts their outputs: parameters are how the format says what states are like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.testing.formats.fitting import (
    Notes,
    check_plain,
    check_single_initial,
    in_order_of_use,
    refused,
)
from burnside.testing.formats.fsm_json import read_object
from burnside.testing.formats.fsm_numbers import is_table, read_edges, read_table, refuse_split
from burnside.testing.formats.words import Line, Lines, Word, error_at, number_of
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.splits import Split

NAME = "mCRL2's format of state machines"
PART = "---"
TEXT = "String"
"""The type of parameters that give names and outputs of states."""
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+|"')
ESCAPE = re.compile(r'\\([\\"])')
PARAMETER = re.compile(r"[^\s()]+\([0-9]+\)")
MAX_STATES = 10_000_000


def read(source: Source, split: Split | None = None) -> StateMachine:
    is_object = source.text.lstrip().startswith("{")
    lines = Lines(WORD, []) if is_object else Lines.of(source, WORD)
    if marks := lines.beginning_with(PART):
        return _Parts(source, lines, marks, split).machine()
    if split is not None:
        raise refuse_split(source)
    if is_object:
        return read_object(source)
    if not lines:
        raise InputError(source.diagnostic("there is no edge", len(source.text)))
    return (read_table if is_table(list(lines[:2])) else read_edges)(source, lines)


class _Parts:
    """`marks`: numbers of the lines between the parts."""

    def __init__(self, source: Source, lines: Lines, marks: Sequence[int], split: Split | None) -> None:
        self._source, self._split = source, split
        if len(marks) not in (2, 3):
            message = f"expected two lines '{PART}': parameters, states, edges"
            [last] = lines[marks[-1] : marks[-1] + 1]
            raise error_at(source, message, last[0])
        marks = [*marks, len(lines)]
        self._parameters = list(lines[: marks[0]])
        self._states = list(lines[marks[0] + 1 : marks[1]])
        self._edges = lines[marks[1] + 1 : marks[2]]
        self._last = lines[marks[2] + 1 :]
        self._labels: dict[tuple[str, ...], Action] = {}

    def machine(self) -> StateMachine:
        for line in self._parameters:
            if PARAMETER.fullmatch(line[0][0]) is None:
                raise error_at(self._source, "expected a parameter: name(size) type values", line[0])
        builder = MachineBuilder(self._source.name)
        names = self._names()
        for name in names:
            builder.state(name)
        for line in self._edges:
            if len(line) not in (3, 4):
                raise error_at(self._source, 'expected source, target and "label"', line[-1])
            begin, end = (self._state(word, len(names)) for word in line[:2])
            builder.edge(begin, self._action(line[2:]), end)
        return builder.machine([self._initial(len(names))], self._values("output"), self._accepting())

    def _names(self) -> Sequence[str]:
        found = self._values("name")
        if found and len(set(found)) == len(found):
            return found
        count = len(self._states)
        if not self._states:
            # mCRL2 leaves out the states of a system without parameters.
            ends = [number_of(self._source, word) for line in self._edges for word in line[:2]]
            count = max([*ends, 1])
            if count > MAX_STATES:
                message = f"more than {MAX_STATES} states are not supported"
                raise UnsupportedError(self._source.diagnostic(message, 0))
        return [str(state + 1) for state in range(count)]

    def _state(self, word: Word, count: int) -> int:
        number = number_of(self._source, word)
        if number == 0:
            raise error_at(self._source, "states are numbered from 1", word)
        if number > count:
            raise error_at(self._source, f"there are only {count} states", word)
        return number - 1

    def _action(self, words: Sequence[Word]) -> Action:
        key = tuple(text for text, _ in words)
        if key not in self._labels:
            texts = [self._text(word) for word in words]
            if self._split is None:
                self._labels[key] = Action(*texts)
            elif len(texts) == 1:
                self._labels[key] = self._split.action(texts[0], self._source, words[0][1] + 1)
            else:
                raise error_at(self._source, "this edge has an output: there is nothing to split", words[1])
        return self._labels[key]

    def _text(self, word: Word) -> str:
        text = word[0]
        if len(text) < 2 or text[0] != '"':
            raise error_at(self._source, "expected a label in quotation marks", word)
        return ESCAPE.sub(r"\1", text[1:-1])

    def _initial(self, count: int) -> int:
        if not self._last:
            return 0
        words = [word for line in self._last for word in line]
        if len(words) > 1:
            message = "probabilities of states are not supported"
            raise UnsupportedError(self._source.diagnostic(message, words[0][1], len(words[0][0])))
        return self._state(words[0], count)

    def _accepting(self) -> frozenset[int] | None:
        for column, parameter in enumerate(self._parameters):
            values = [word[0] for word in parameter[1:] if word[0].startswith('"')]
            if '"accept"' in values and not any(_is_text(parameter, each) for each in ("name", "output")):
                accept = values.index('"accept"')
                numbers = (self._value(state, column) for state in self._states)
                return frozenset(at for at, number in enumerate(numbers) if number == accept)
        return None

    def _values(self, name: str) -> list[str] | None:
        """By state, the text that a parameter of this name has; None where there is no such parameter."""
        for column, parameter in enumerate(self._parameters):
            if not _is_text(parameter, name):
                continue
            texts = [self._text(word) for word in parameter[2:]]
            found = []
            for state in self._states:
                number = self._value(state, column)
                if number >= len(texts):
                    raise error_at(self._source, f"there are only {len(texts)} values", state[column])
                found.append(texts[number])
            return found
        return None

    def _value(self, state: Line, column: int) -> int:
        if column >= len(state):
            raise error_at(self._source, "a value for every parameter is expected", state[-1])
        return number_of(self._source, state[column])


def _is_text(parameter: Line, name: str) -> bool:
    """Is it the parameter of this name whose values are texts?"""
    return len(parameter) > 1 and parameter[0][0].partition("(")[0] == name and parameter[1][0] == TEXT


# Writing


def lines(machine: StateMachine) -> Iterator[str]:
    check_plain(machine)
    initial = check_single_initial(machine, NAME)
    columns: list[Sequence[int]] = []
    if machine.states != tuple(str(state + 1) for state in range(len(machine.states))):
        yield _parameter(machine, "name", machine.states)
        columns.append(range(len(machine.states)))
    if machine.outputs is not None:
        place = {text: at for at, text in enumerate(dict.fromkeys(machine.outputs))}
        yield _parameter(machine, "output", list(place))
        columns.append([place[text] for text in machine.outputs])
    if machine.accepting is not None:
        yield 'label(2) label "reject" "accept"'
        columns.append([int(state in machine.accepting) for state in range(len(machine.states))])
    yield PART
    columns = columns or [[0] * len(machine.states)]
    yield from (" ".join(map(str, row)) for row in zip(*columns, strict=True))
    yield PART
    labels = [_labels(machine, each) for each in machine.actions]
    for source, action, target in machine.edges:
        yield f"{source + 1} {target + 1} {labels[action]}"
    if initial != 0:
        yield PART
        yield str(initial + 1)


def _parameter(machine: StateMachine, name: str, values: Sequence[str]) -> str:
    return f"{name}({len(values)}) {TEXT} {' '.join(_quoted(machine, each) for each in values)}"


def _labels(machine: StateMachine, action: Action) -> str:
    texts = [action.input] if action.output is None else [action.input, action.output]
    return " ".join(_quoted(machine, text) for text in texts)


def _quoted(machine: StateMachine, text: str) -> str:
    if "\n" in text:
        raise refused(machine, f"a text of {NAME} is on one line: {text!r}")
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def fitted(machine: StateMachine) -> tuple[StateMachine, Notes]:
    return in_order_of_use(machine)
