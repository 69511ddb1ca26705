"""KISS2, the format of the MCNC benchmarks for state machines in hardware.

`.i` and `.o` say how many bits inputs and outputs have, `.r` the initial state (otherwise that of the first line). A
line has an input, a state, the next state, an output. `-` among the bits of an input stands for both values, so a line
is several edges; among those of an output it means that nothing is said, and is a value of its own here. `*` as a state
stands for every state. `*` or `-` as the next state says nothing: such a line is passed over where its output says
nothing either, and is refused otherwise. How many lines there are (`.p`) matters only in a file without an end (`.e`),
which may be cut off. How many states there are (`.s`), names of bits (`.ilb`, `.ob`), codes of states and what surrounds
a machine within BLIF are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, product
from sys import intern

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.testing.formats.fitting import (
    FIT,
    Notes,
    check_plain,
    check_single_initial,
    in_order_of_use,
    named,
    permuted,
    refused,
    without_state_facts,
)
from burnside.testing.formats.words import NUMBER, Line, Word, error_at, lines_of_words
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.splits import Split

NAME = "KISS2"
MAX_EDGES = 10_000_000
"""A line may stand for as many edges as there are inputs."""
WORD = re.compile(r"[^\s|]+")
"""A bar between inputs and outputs is passed over."""
STATE = re.compile(r"[^\s|#*-][^\s|#]*|[*-][^\s|#]+")
COMMENT = "#"
SIZES = (".i", ".o", ".s", ".p")
ENDS = (".e", ".end", ".end_kiss")
PASSED_OVER = (
    ".type",
    ".latch_order",
    ".latch",
    ".code",
    ".ilb",
    ".ob",
    ".model",
    ".inputs",
    ".outputs",
    ".clock",
)
NOTHING = ("*", "-")
CONTINUED = "\\"
"""At the end of a line of BLIF."""


def read(source: Source, split: Split | None = None) -> StateMachine:
    if split is not None:
        message = "inputs and outputs are given here: there is nothing to split"
        raise UnsupportedError(source.diagnostic(message, 0))
    return _Reader(source).machine()


Row = tuple[str, str, str, str, int, int]
"""Input, state, next state and output; where the line and the name of its state begin."""


class _Reader:
    """`_numbers`: of actions, by input and output of a row."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._sizes: dict[str, int] = {}
        self._reset: Word | None = None
        self._rows: list[Row] = []
        self._is_ended = False
        self._numbers: dict[tuple[str, str], list[int]] = {}
        self._count = 0
        self._builder = MachineBuilder(source.name)

    def machine(self) -> StateMachine:
        self._lines()
        self._check_count()
        for row in self._rows:
            for name in row[1:3]:
                if name not in NOTHING:
                    self._builder.state(name)
        if not self._builder.states:
            raise InputError(self._source.diagnostic("there is no state", self._rows[0][5]))
        for row in self._rows:
            self._edges(row)
        return self._builder.machine([self._initial()])

    def _lines(self) -> None:
        goes_on = False
        for words in lines_of_words(self._source, WORD, COMMENT):
            is_rest, goes_on = goes_on, words[-1][0] == CONTINUED
            if is_rest:
                continue
            if not words[0][0].startswith("."):
                self._row(words)
            elif words[0][0] in ENDS:
                self._is_ended = True
                break
            else:
                self._directive(words)

    def _check_count(self) -> None:
        """Counts are often wrong, but a file without an end and with fewer lines than it says is most likely cut off."""
        end = len(self._source.text)
        if not self._rows:
            raise InputError(self._source.diagnostic("there is no line of a transition", end))
        missing = self._sizes.get(".p", 0) - len(self._rows)
        if missing > 0 and not self._is_ended:
            message = f"expected a transition: {missing:,} more to come, as '.p' says"
            raise InputError(self._source.diagnostic(message, end))

    def _directive(self, words: Line) -> None:
        name = words[0][0]
        if name in SIZES:
            if len(words) < 2 or NUMBER.fullmatch(words[1][0]) is None:
                raise error_at(self._source, f"expected a number behind '{name}'", words[-1])
            self._sizes[name] = int(words[1][0])
        elif name == ".r":
            if len(words) < 2:
                raise error_at(self._source, "expected a state behind '.r'", words[0])
            self._reset = words[1]
        elif name == ".start_kiss":
            self._sizes, self._reset, self._rows = {}, None, []
        elif name not in PASSED_OVER:
            raise error_at(self._source, f"'{name}' is not known", words[0])

    def _row(self, words: Line) -> None:
        if len(words) != 4:
            raise error_at(
                self._source, "expected an input, a state, the next state and an output", words[-1]
            )
        for word, size in ((words[0], ".i"), (words[3], ".o")):
            if size not in self._sizes:
                raise error_at(self._source, f"'{size}' comes before the first transition", word)
            if len(word[0]) != self._sizes[size]:
                raise error_at(self._source, f"expected {self._sizes[size]} bits, as '{size}' says", word)
            if not set(word[0]) <= set("01-~"):
                raise error_at(self._source, "bits are '0', '1' and '-'", word)
        if words[1][0] == "-":
            raise error_at(self._source, "expected a state, or '*' for every state", words[1])
        if words[2][0] in NOTHING and set(words[3][0]) & set("01"):
            message = "an output without a next state is not supported"
            raise UnsupportedError(self._source.diagnostic(message, words[2][1], 1))
        texts = [intern(word[0]) for word in words]
        self._rows.append((texts[0], texts[1], texts[2], texts[3], words[0][1], words[1][1]))

    def _edges(self, row: Row) -> None:
        pattern, state, target, output, at, _ = row
        if target in NOTHING:
            return
        states = self._builder.states
        sources = range(len(states)) if state == "*" else [states[state]]
        self._count += len(sources) << sum(bit in "-~" for bit in pattern)
        if self._count > MAX_EDGES:
            message = f"more than {MAX_EDGES} edges are not supported: '-' in an input stands for both bits"
            raise UnsupportedError(self._source.diagnostic(message, at, len(pattern)))
        for action in self._actions(pattern, output):
            for source in sources:
                self._builder.edge(source, action, states[target])

    def _actions(self, pattern: str, output: str) -> list[int]:
        key = pattern, output
        if key not in self._numbers:
            choices = ["01" if bit in "-~" else bit for bit in pattern]
            self._numbers[key] = [
                self._builder.action(Action(given, output.replace("~", "-")))
                for given in map("".join, product(*choices))
            ]
        return self._numbers[key]

    def _initial(self) -> int:
        if self._reset is not None:
            if self._reset[0] not in self._builder.states:
                raise error_at(self._source, "no transition has this state", self._reset)
            return self._builder.states[self._reset[0]]
        # A first line for every state is that of a reset, to the initial one.
        first = next(name for row in self._rows for name in row[1:3] if name not in NOTHING)
        return self._builder.states[first]


# Writing


def lines(machine: StateMachine) -> Iterator[str]:
    check_plain(machine)
    initial = check_single_initial(machine, NAME)
    without_state_facts(machine, NAME)
    if not machine.edges:
        raise refused(machine, f"{NAME} has no place for a machine without edges")
    inputs = _width(machine, [each.input for each in machine.actions], "01", "inputs")
    outputs = _width(machine, [each.output for each in machine.actions], "01-", "outputs")
    for name in machine.states:
        if STATE.fullmatch(name) is None:
            raise refused(machine, f"{name!r} cannot be the name of a state in {NAME}", FIT)
    if _mentioned(machine) != list(range(len(machine.states))):
        message = (
            f"states without edges, or in another order than that of the edges, cannot be said in {NAME}"
        )
        raise refused(machine, message, FIT)
    yield from (f".i {inputs}", f".o {outputs}", f".p {len(machine.edges)}", f".s {len(machine.states)}")
    yield f".r {machine.states[initial]}"
    for source, action, target in machine.edges:
        each = machine.actions[action]
        yield f"{each.input} {machine.states[source]} {machine.states[target]} {each.output}"
    yield ".e"


def _width(machine: StateMachine, words: Sequence[str | None], bits: str, what: str) -> int:
    for word in words:
        if not word or not set(word) <= set(bits):
            raise refused(machine, f"{what} of {NAME} are words of bits, and not {word!r}")
    sizes = {len(word) for word in words if word}
    if len(sizes) > 1:
        raise refused(machine, f"{what} of {NAME} are words of bits that are all as long")
    return sizes.pop()


def _mentioned(machine: StateMachine) -> list[int]:
    """States in the order in which a reader comes to them."""
    return list(dict.fromkeys(chain.from_iterable((begin, end) for begin, _, end in machine.edges)))


def fitted(machine: StateMachine) -> tuple[StateMachine, Notes]:
    machine, notes = in_order_of_use(machine)
    order = _mentioned(machine)
    if len(order) == len(machine.states) and order != list(range(len(order))):
        machine = permuted(machine, order)
        notes = (*notes, "states are in the order of the edges")
    names: Sequence[str] = machine.states
    if len(set(names)) < len(names) or not all(map(STATE.fullmatch, names)):
        names = [f"s{number}" for number in range(len(names))]
    machine, more = named(machine, names)
    return machine, notes + more
