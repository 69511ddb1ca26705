"""Three formats that share the extension `.fsm`.

* fsmlib's numbers: a line `source input output target` for each edge; the first source is the initial state.
* fsmlib's JSON: an object with `states` (`name`, `initial`) and `transitions` (`source`, `input`, `output`, `target`), where
  `input` is a list of inputs that are all meant.
* mCRL2's, in three parts between lines `---`: parameters, a line of their values for each state, and for each edge a line
  `source target "label"`, with states numbered from 1, the first being initial. As AutomataLib writes it, an edge may have
  two labels, an input and an output, and a parameter with a value "accept" says which states accept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from json import JSONDecodeError, loads

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.testing.machine import Action, MachineBuilder, StateMachine

PART = "---"
WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
NUMBER = re.compile(r"[0-9]{1,9}$")
PARAMETER = re.compile(r"[^\s()]+\((?P<size>\d+)\)$")
Word = tuple[str, int]
Line = Sequence[Word]


def read(source: Source) -> StateMachine:
    if source.text.lstrip().startswith("{"):
        return _object(source)
    lines = list(_lines(source))
    if any(line[0][0] == PART for line in lines):
        return _Parts(source, lines).machine()
    return _numbers(source, lines)


def _object(source: Source) -> StateMachine:
    try:
        found = loads(source.text)
    except (JSONDecodeError, RecursionError) as error:
        at = error.pos if isinstance(error, JSONDecodeError) else 0
        raise InputError(source.diagnostic("this is no JSON text", at)) from None
    builder = MachineBuilder(source.name)
    try:
        states = [(str(each["name"]), bool(each["initial"])) for each in found["states"]]
        rows = [
            (str(each["source"]), list(map(str, each["input"])), str(each["output"]), str(each["target"]))
            for each in found["transitions"]
        ]
    except (KeyError, TypeError):
        message = "expected states (name, initial) and transitions (source, input, output, target)"
        raise InputError(source.diagnostic(message, 0)) from None
    for name, _ in states:
        builder.state(name)
    for begin, inputs, output, end in rows:
        for name in (begin, end):
            if name not in builder.states:
                at = max(0, source.text.find(f'"{name}"'))
                raise InputError(source.diagnostic(f"there is no state {name!r}", at, len(name) + 2))
        for given in inputs:
            builder.edge(builder.states[begin], Action(given, output), builder.states[end])
    initial = [builder.states[name] for name, is_initial in states if is_initial]
    if not initial:
        raise InputError(source.diagnostic("no state is initial", 0))
    return builder.machine(initial)


def _lines(source: Source) -> Iterator[Line]:
    offset = 0
    for line in source.text.splitlines(keepends=True):
        words = [(found[0], offset + found.start()) for found in WORD.finditer(line)]
        if words:
            yield words
        offset += len(line)


def _number(source: Source, word: Word) -> int:
    if NUMBER.match(word[0]) is None:
        message = "expected a number from 0 to 999999999"
        raise InputError(source.diagnostic(message, word[1], len(word[0])))
    return int(word[0])


def _numbers(source: Source, lines: Sequence[Line]) -> StateMachine:
    if not lines:
        raise InputError(source.diagnostic("there is no edge", len(source.text)))
    builder = MachineBuilder(source.name)
    rows = []
    for line in lines:
        if len(line) != 4:
            at = line[min(len(line), 5) - 1]
            message = "expected four numbers: the source, the input, the output and the target of an edge"
            raise InputError(source.diagnostic(message, at[1], len(at[0])))
        rows.append([_number(source, word) for word in line])
    for state in sorted({row[at] for row in rows for at in (0, 3)}):
        builder.state(str(state))
    for begin, given, output, end in rows:
        action = Action(str(given), str(output))
        builder.edge(builder.states[str(begin)], action, builder.states[str(end)])
    return builder.machine([builder.states[str(rows[0][0])]])


class _Parts:
    def __init__(self, source: Source, lines: Sequence[Line]) -> None:
        self._source = source
        marks = [at for at, line in enumerate(lines) if line[0][0] == PART]
        if len(marks) != 2:
            word = lines[marks[-1]][0]
            raise self._error(f"expected two lines '{PART}': parameters, states, edges", word)
        self._parameters = lines[: marks[0]]
        self._states = lines[marks[0] + 1 : marks[1]]
        self._edges = lines[marks[1] + 1 :]

    def machine(self) -> StateMachine:
        builder = MachineBuilder(self._source.name)
        # mCRL2 leaves out the states of a system without parameters.
        ends = [_number(self._source, word) for line in self._edges for word in line[:2]]
        for state in range(max([len(self._states), *ends, 1])):
            builder.state(str(state + 1))
        if self._states and len(builder.states) > len(self._states):
            raise self._error(f"there are only {len(self._states)} states", self._beyond(len(self._states)))
        for line in self._edges:
            if len(line) not in (3, 4):
                raise self._error('expected source, target and "label"', line[-1])
            source, target = (_number(self._source, word) for word in line[:2])
            if 0 in (source, target):
                raise self._error("states are numbered from 1", line[0 if source == 0 else 1])
            builder.edge(source - 1, Action(*map(self._label, line[2:])), target - 1)
        return builder.machine([0], accepting=self._accepting())

    def _beyond(self, most: int) -> Word:
        return next(word for line in self._edges for word in line[:2] if int(word[0]) > most)

    def _label(self, word: Word) -> str:
        text, _ = word
        if len(text) < 2 or text[0] != '"':
            raise self._error("expected a label in quotation marks", word)
        return text[1:-1].replace('\\"', '"')

    def _accepting(self) -> frozenset[int] | None:
        for column, parameter in enumerate(self._parameters):
            if PARAMETER.match(parameter[0][0]) is None:
                raise self._error("expected a parameter: name(size) type values", parameter[0])
            values = [word[0] for word in parameter[1:] if word[0].startswith('"')]
            if '"accept"' in values:
                accept = values.index('"accept"')
                return frozenset(
                    at for at, state in enumerate(self._states) if self._value(state, column) == accept
                )
        return None

    def _value(self, state: Line, column: int) -> int:
        if column >= len(state):
            raise self._error("a value for every parameter is expected", state[-1])
        return _number(self._source, state[column])

    def _error(self, message: str, word: Word) -> InputError:
        return InputError(self._source.diagnostic(message, word[1], len(word[0])))


def written(machine: StateMachine) -> str:
    """In the form with parts, which can say everything but outputs of states."""
    if machine.outputs is not None or machine.initial != (0,):
        what = (
            "outputs of states" if machine.outputs is not None else "an initial state that is not the first"
        )
        message = f"the format has no place for {what}"
        raise UnsupportedError(Source(machine.name, "").diagnostic(message, 0))
    lines = []
    if machine.accepting is not None:
        lines.append('label(2) label "reject" "accept"')
    lines.append(PART)
    accepting = machine.accepting or frozenset()
    lines += ["1" if state in accepting else "0" for state in range(len(machine.states))]
    lines.append(PART)
    for source, action, target in machine.edges:
        each = machine.actions[action]
        labels = [each.input] if each.output is None else [each.input, each.output]
        texts = " ".join('"' + label.replace('"', '\\"') + '"' for label in labels)
        lines.append(f"{source + 1} {target + 1} {texts}")
    return "\n".join(lines) + "\n"
