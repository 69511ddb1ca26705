"""States and labels of a machine, from the core's numbers to values in the user's names.

In: a machine and the core's handle on it. Out: the reference engine's states and labels, on which traces are replayed; and
what drawings call them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside.ir.sets.machine import INITIALISATION, SETUP, Machine
from burnside.records import record
from burnside.reference.sets.machines import Label, is_setup, show_label, show_state
from burnside.reference.sets.values import UNSET, Point, Row, State, Value

if TYPE_CHECKING:
    from burnside import _core

FOLDED = 40
"""Characters of a line in a box."""


class Reading:
    """What the core's numbers mean."""

    def __init__(self, machine: Machine, handle: _core.Machine) -> None:
        self.machine, self.handle = machine, handle
        self._points = [Point(sort.name, position) for sort in machine.sorts for position in range(sort.size)]

    def state(self, state: Sequence[int]) -> State:
        """As the reference engine has it: without variables, a set-up has one `UNSET` more than what comes after it."""
        values = tuple(self._value(each) for each in self.handle.values(list(state)))
        is_setup = not self.machine.variables and state[len(self.machine.constants)] == 0
        return (*values, UNSET) if is_setup else values

    def label(self, label: int) -> Label:
        number, arguments, results, _ = self.handle.event(label)
        operations = self.machine.operations
        if number >= len(operations):
            return Label(SETUP if number == len(operations) else INITIALISATION)
        shown = (tuple(map(self._value, arguments)), tuple(map(self._value, results)))
        return Label(operations[number].name, *shown)

    def _value(self, value: Any) -> Value:
        """Numbers, truth values, texts as they are; the rest is tagged."""
        match value:
            case None:
                return UNSET
            case frozenset():
                return frozenset(map(self._value, value))
            case ("point", number):
                return self._points[number]
            case ("pair", left, right):
                return self._value(left), self._value(right)
            case ("record", *fields):
                return Row(map(self._value, fields))
            case _:
                return value


@record
class MachineNames:
    """What drawings call states and operations. `common`: words that all drawn states share."""

    reading: Reading
    common: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return self.reading.machine.name

    @property
    def note(self) -> str:
        return f"the same in all boxes: {', '.join(sorted(self.common))}" if self.common else ""

    def lines(self, state: Sequence[int]) -> Sequence[str]:
        """One variable a line; a long value is folded where its elements end."""
        words = [word for word in _words(self.reading, state) if word not in self.common]
        if not words:
            known = is_setup(self.reading.machine, self.reading.state(state))
            words = ["constants set up"] if known else ["as said below"]
        return [line for word in words for line in _folded(word)]

    def record(self, state: Sequence[int]) -> Mapping[str, object]:
        return shown_state(self.reading.machine, self.reading.state(state))

    def action(self, number: int) -> str:
        return show_label(self.reading.machine, self.reading.label(number))

    def operation(self, number: int) -> str:
        return self.reading.label(number).name


def names_of(reading: Reading, states: Iterable[Sequence[int]]) -> MachineNames:
    """For these states: what is the same in all of several is said once."""
    words = [frozenset(_words(reading, state)) for state in states]
    return MachineNames(reading, frozenset.intersection(*words) if len(words) > 1 else frozenset())


def _words(reading: Reading, state: Sequence[int]) -> list[str]:
    return [f"{name}={value}" for name, value in show_state(reading.machine, reading.state(state))]


def _folded(word: str, width: int = FOLDED) -> Iterator[str]:
    line = ""
    for part in word.split(","):
        joined = f"{line},{part}" if line else part
        if line and len(joined) > width:
            yield f"{line},"
            line = part
        else:
            line = joined
    yield line


def shown_state(machine: Machine, state: State) -> dict[str, str]:
    """By name, all values that there are."""
    return dict(show_state(machine, state))
