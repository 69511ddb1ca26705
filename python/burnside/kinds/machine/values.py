"""States and labels of a machine, from the core's numbers to values of the reference engine.

In: a machine and the core's handle on it. Out: the reference engine's states and labels, on which traces are replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from burnside.ir.sets.machine import INITIALISATION, SETUP, Machine
from burnside.reference.sets.machines import Label
from burnside.reference.sets.values import UNSET, Point, RecordValue, State, Value

if TYPE_CHECKING:
    from burnside import _core


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
                return RecordValue(map(self._value, fields))
            case _:
                return value
