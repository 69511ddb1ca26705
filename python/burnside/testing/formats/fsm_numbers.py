"""Machines of numbers, in two formats.

* fsmlib-cpp's: a line `source input output target` for each edge; the first source is the initial state.
* FSMlib's: a line with the type (1: outputs of states and edges, 2: Mealy, 3: Moore, 4: DFA) and whether the machine
  is reduced, a line with how many states, inputs and outputs there are, a line with a bound of states' numbers; then
  tables with a line for each state: its output (types 1, 3, 4), outputs by input (types 1, 2), next states by input.
  State 0 is initial. `-1`, or that as an unsigned number, is a next state that is not there. What follows the tables
  is passed over.

In: lines of words. Out: a machine whose states, inputs and outputs are called by their numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.testing.formats.words import Line, Word, error_at, number_of
from burnside.testing.machine import Action, MachineBuilder, StateMachine

ABSENT = frozenset({"-1", str(2**32 - 1), str(2**16 - 1)})
"""A next state that is not there: `state_t(-1)`. In a large machine they are states like others."""
TYPES = {"1": "DFSM", "2": "Mealy", "3": "Moore", "4": "DFA"}


def read_edges(source: Source, lines: Iterable[Line]) -> StateMachine:
    """Of one line or more."""
    builder = MachineBuilder(source.name)
    rows = array("I")
    actions: dict[tuple[int, int], int] = {}
    for line in lines:
        if len(line) != 4:
            message = "expected four numbers: the source, the input, the output and the target of an edge"
            raise error_at(source, message, line[min(len(line), 5) - 1])
        begin, given, output, end = (number_of(source, word) for word in line)
        action = actions.get((given, output))
        if action is None:
            action = actions[given, output] = builder.action(Action(str(given), str(output)))
        rows.extend((begin, action, end))
    place = {state: builder.state(str(state)) for state in sorted({*rows[::3], *rows[2::3]})}
    numbers = iter(rows)
    for begin, action, end in zip(numbers, numbers, numbers, strict=True):
        builder.edge(place[begin], action, place[end])
    return builder.machine([place[rows[0]]])


def is_table(first: Sequence[Line]) -> bool:
    """`first`: the first two lines."""
    return [len(line) for line in first] == [2, 3]


def read_table(source: Source, lines: Iterable[Line]) -> StateMachine:
    """Of two lines or more."""
    return _Table(source, iter(lines)).machine()


class _Table:
    def __init__(self, source: Source, lines: Iterator[Line]) -> None:
        self._source = source
        first, sizes = next(lines), next(lines)
        self._type = first[0]
        if self._type[0] not in TYPES:
            raise error_at(
                source, "expected the type of a machine: 1 (DFSM), 2 (Mealy), 3 (Moore), 4 (DFA)", self._type
            )
        self._states, self._inputs, _ = (number_of(source, word) for word in sizes)
        if self._states == 0:
            raise error_at(source, "there is no state", sizes[0])
        self._bound = self._states
        self._rest = lines
        bound = next(lines, None)
        if bound is not None and len(bound) == 1:
            self._bound = number_of(source, bound[0])
        elif bound is not None:
            self._rest = chain([bound], lines)

    def machine(self) -> StateMachine:
        kind = TYPES[self._type[0]]
        of_states = self._rows(1) if kind != "Mealy" else None
        of_edges = self._rows(self._inputs) if kind in ("DFSM", "Mealy") else None
        after = self._rows(self._inputs)
        builder = MachineBuilder(self._source.name)
        for state in after:
            builder.state(state)
        for state, targets in after.items():
            for given, target in enumerate(targets):
                if target[0] not in after:
                    if target[0] in ABSENT:
                        continue
                    raise error_at(self._source, f"there is no state {target[0]}", target)
                output = None if of_edges is None else of_edges[state][given][0]
                builder.edge(builder.states[state], Action(str(given), output), builder.states[target[0]])
        if "0" not in after:
            raise InputError(self._source.diagnostic("there is no state 0, the initial one", 0))
        initial = [builder.states["0"]]
        if of_states is None:
            return builder.machine(initial)
        outputs = [of_states[state][0][0] for state in after]
        if kind != "DFA":
            return builder.machine(initial, outputs)
        return builder.machine(initial, None, frozenset(at for at, each in enumerate(outputs) if each != "0"))

    def _rows(self, size: int) -> dict[str, Sequence[Word]]:
        """A table: by state, so many words."""
        found: dict[str, Sequence[Word]] = {}
        for _ in range(self._states):
            line = next(self._rest, None)
            if line is None:
                raise InputError(
                    self._source.diagnostic("a line for every state is expected", len(self._source.text))
                )
            if len(line) != 1 + size:
                raise error_at(self._source, f"expected a state and {size} numbers", line[-1])
            state = number_of(self._source, line[0])
            if state >= self._bound or str(state) in found:
                raise error_at(self._source, f"expected {self._states} states below {self._bound}", line[0])
            for word in line[1:]:
                if word[0] not in ABSENT:
                    number_of(self._source, word)
            found[str(state)] = line[1:]
        return found


def refuse_split(source: Source) -> UnsupportedError:
    return UnsupportedError(
        source.diagnostic("inputs and outputs are given here: there is nothing to split", 0)
    )
