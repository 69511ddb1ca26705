"""States and labels of a machine, from the core's numbers to values of the reference engine.

In: a machine and the core's handle on it. Out: the reference engine's states and labels, on which traces are replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from burnside.ir.sets.machine import INITIALISATION, SETUP, Machine
from burnside.ir.sets.types import FreeType, Multiset, Pair, Set, Struct, ValueType
from burnside.ir.walking import nodes
from burnside.reference.sets.machines import Label
from burnside.reference.sets.values import UNSET, FreeValue, Point, RecordValue, State, Value

if TYPE_CHECKING:
    from burnside import _core


class Reading:
    """What the core's numbers mean."""

    def __init__(self, machine: Machine, handle: _core.Machine) -> None:
        self.machine, self.handle = machine, handle
        self._points = [Point(sort.name, position) for sort in machine.sorts for position in range(sort.size)]
        self._types = [_if_free(each.type) for each in machine.state_names]
        self._of_operations = [
            ([_if_free(each.type) for each in one.parameters], [_if_free(each.type) for each in one.results])
            for one in machine.operations
        ]

    def state(self, state: Sequence[int]) -> State:
        """As the reference engine has it: without variables, a set-up has one `UNSET` more than what comes after it."""
        values = tuple(map(self._value, self.handle.values(list(state)), self._types))
        is_setup = not self.machine.variables and state[len(self.machine.constants)] == 0
        return (*values, UNSET) if is_setup else values

    def label(self, label: int) -> Label:
        number, arguments, results, _ = self.handle.event(label)
        operations = self.machine.operations
        if number >= len(operations):
            return Label(SETUP if number == len(operations) else INITIALISATION)
        of_arguments, of_results = self._of_operations[number]
        shown = tuple(map(self._value, arguments, of_arguments)), tuple(map(self._value, results, of_results))
        return Label(operations[number].name, *shown)

    def _value(self, value: Any, type_: ValueType | None = None) -> Value:
        """Numbers, truth values, texts as they are; the rest is tagged. A value of a free type is a pair of the number of
        its constructor and its argument, and a multiset may hold pairs of numbers and values: the types matter where
        there are any of these."""
        if type_ is not None and value is not None:
            return self._typed(value, type_)
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

    def _typed(self, value: Any, type_: ValueType) -> Value:
        match type_:
            case FreeType(name):
                _, constructor, argument = value
                inner = type_.arguments()[constructor]
                return FreeValue(name, constructor, None if inner is None else self._typed(argument, inner))
            case Pair(left, right):
                return self._typed(value[1], left), self._typed(value[2], right)
            case Set(element):
                return frozenset(self._typed(each, element) for each in value)
            case Multiset(element):
                return frozenset(self._entry(each, element) for each in value)
            case Struct(fields):
                return RecordValue(
                    self._typed(part, each.type) for each, part in zip(fields, value[1:], strict=True)
                )
            case _:
                return self._value(value)

    def _entry(self, item: Any, type_: ValueType) -> tuple[Value, int]:
        """What an item of a multiset stands for: what occurs n > 1 times is in the pair of -n and it."""
        match item:
            case ("pair", int(number), value) if number < 0:
                return self._typed(value, type_), -number
            case _:
                return self._typed(item, type_), 1


def _if_free(type_: ValueType) -> ValueType | None:
    """The type, if a free type or a multiset is inside."""
    return type_ if any(isinstance(each, FreeType | Multiset) for each in nodes(type_)) else None
