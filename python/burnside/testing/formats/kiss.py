"""KISS2, the format of the MCNC benchmarks for state machines in hardware.

`.i` and `.o` say how many bits inputs and outputs have, `.r` the initial state (otherwise that of the first line), `.s` and
`.p` how many states and lines there are. A line has an input, a state, the next state, an output. `-` among the bits of an
input stands for both values, so a line is several edges; among those of an output it means that nothing is said, and is a
value of its own here. `*` as a state stands for every state; as the next state, `*` and `-` say nothing and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.testing.machine import Action, MachineBuilder, StateMachine

MAX_BITS = 16
"""Of inputs that are not all written out: a line may stand for as many edges as there are inputs."""
WORD = re.compile(r"[^\s|]+|\|")
Word = tuple[str, int]
"""A word and its offset."""


def read(source: Source) -> StateMachine:
    return _Reader(source).machine()


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._sizes: dict[str, int] = {}
        self._reset: Word | None = None
        self._rows: list[list[Word]] = []
        self._builder = MachineBuilder(source.name)

    def machine(self) -> StateMachine:
        for words in self._lines():
            if words[0][0].startswith("."):
                if words[0][0] in (".e", ".end"):
                    break
                self._directive(words)
            else:
                self._row(words)
        if not self._rows:
            raise InputError(
                self._source.diagnostic("there is no line of a transition", len(self._source.text))
            )
        for row in self._rows:
            for name, _ in row[1:3]:
                if name != "*":
                    self._builder.state(name)
        for row in self._rows:
            self._edges(row)
        return self._builder.machine([self._initial()])

    def _lines(self) -> Iterator[list[Word]]:
        offset = 0
        for line in self._source.text.splitlines(keepends=True):
            words = [(found[0], offset + found.start()) for found in WORD.finditer(line.partition("#")[0])]
            if words:
                yield words
            offset += len(line)

    def _directive(self, words: list[Word]) -> None:
        name, at = words[0]
        if name in (".i", ".o", ".s", ".p"):
            if len(words) < 2 or not words[1][0].isdecimal() or len(words[1][0]) > 9:
                raise self._error(f"expected a number behind '{name}'", words[-1])
            self._sizes[name] = int(words[1][0])
        elif name == ".r":
            if len(words) < 2:
                raise self._error("expected a state behind '.r'", words[0])
            self._reset = words[1]
        elif name not in (
            ".type",
            ".latch_order",
            ".code",
            ".ilb",
            ".ob",
            ".start_kiss",
            ".end_kiss",
            ".model",
        ):
            raise InputError(self._source.diagnostic(f"'{name}' is not known", at, len(name)))

    def _row(self, words: list[Word]) -> None:
        words = [each for each in words if each[0] != "|"]
        if len(words) != 4:
            raise self._error("expected an input, a state, the next state and an output", words[-1])
        for word, size in ((words[0], ".i"), (words[3], ".o")):
            text, _ = word
            if size not in self._sizes:
                raise self._error(f"'{size}' comes before the first transition", word)
            if len(text) != self._sizes[size]:
                raise self._error(f"expected {self._sizes[size]} bits, as '{size}' says", word)
            if not set(text) <= set("01-~"):
                raise self._error("bits are '0', '1' and '-'", word)
        if words[2][0] in ("-", "*"):
            message = "a next state that nothing is said of is not supported"
            raise UnsupportedError(self._source.diagnostic(message, words[2][1], 1))
        self._rows.append(words)

    def _edges(self, row: list[Word]) -> None:
        (pattern, at), (state, _), (target, _), (output, _) = row
        free = sum(bit in "-~" for bit in pattern)
        if free > MAX_BITS:
            message = f"more than {MAX_BITS} bits of an input that are not said are not supported"
            raise UnsupportedError(self._source.diagnostic(message, at, len(pattern)))
        sources = range(len(self._builder.states)) if state == "*" else [self._builder.states[state]]
        for values in product("01", repeat=free):
            rest = iter(values)
            given = "".join(next(rest) if bit in "-~" else bit for bit in pattern)
            for source in sources:
                self._builder.edge(
                    source, Action(given, output.replace("~", "-")), self._builder.states[target]
                )

    def _initial(self) -> int:
        if self._reset is None:
            first = next((row[1][0] for row in self._rows if row[1][0] != "*"), None)
            return 0 if first is None else self._builder.states[first]
        name, _ = self._reset
        if name not in self._builder.states:
            raise self._error("no transition has this state", self._reset)
        return self._builder.states[name]

    def _error(self, message: str, word: Word) -> InputError:
        return InputError(self._source.diagnostic(message, word[1], len(word[0])))


def written(machine: StateMachine) -> str:
    """Inputs and outputs must be words of bits."""
    [initial] = machine.initial
    outputs = [each.output or "" for each in machine.actions]
    sizes = {len(each.input) for each in machine.actions}, set(map(len, outputs))
    bits = all(set(each.input) <= set("01") for each in machine.actions)
    if (
        not bits
        or any(len(each) != 1 for each in sizes)
        or not all(set(each) <= set("01-") for each in outputs)
    ):
        raise UnsupportedError(
            Source(machine.name, "").diagnostic(
                "inputs and outputs of KISS2 are words of bits, all as long", 0
            )
        )
    [size], [width] = sizes
    lines = [f".i {size}", f".o {width}", f".p {len(machine.edges)}", f".s {len(machine.states)}"]
    lines.append(f".r {machine.states[initial]}")
    for source, action, target in machine.edges:
        each = machine.actions[action]
        lines.append(f"{each.input} {machine.states[source]} {machine.states[target]} {each.output}")
    return "\n".join([*lines, ".e"]) + "\n"
