"""Which numbers of a program with processes belong together, and what is computed from which.

As `range_classes`, whose classes these are, but arithmetic says nothing against a class: a computation is noted, with the
slots of its operands and of its result. Tables tie together what they are looked up with, and what they give. Slots of
intermediate values are named after the node, so that the rewriting finds them again.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Program
from burnside.ir.types import BOOLEAN, Array, Integer, Optional, Record, Type
from burnside.records import record
from burnside.symmetry.points import without_optional
from burnside.symmetry.programs.names.blank import written_slots
from burnside.symmetry.programs.names.computations import is_computation, is_test_of_elements, operands
from burnside.symmetry.programs.range_classes import RESULT, STATE, Arguments, Meaning, Slot, Walk

Key = tuple[str, int]
"""A node, by its identity, in a frame: nodes may be shared between frames."""


@record(eq=False)
class Computation:
    """`result`: None for a comparison."""

    key: Key
    expression: e.Expression
    operands: tuple[e.Expression, ...]
    slots: tuple[Slot | None, ...]
    result: Slot | None


def value_slot(frame: str, node: e.Expression) -> Slot:
    return ("value", frame, id(node))


class NameClasses(Walk):
    """`known`: values that slots have by the text: names bound in a domain, indices of arrays, results of tables."""

    def __init__(self, program: Program, arguments: Arguments) -> None:
        super().__init__(program, arguments)
        self.computations: dict[Key, Computation] = {}
        self.known: dict[Slot, set[int]] = {}
        self.wraps: list[tuple[Slot, Integer]] = []
        self._tables: dict[e.Table, int] = {}
        self.run()
        written = written_slots(program)
        for variable in program.variables:
            self._smallest((STATE, variable.name), without_optional(variable.type), written)

    # Slots

    def table_slot(self, table: e.Table, argument: int | None) -> Slot:
        """Of an argument, or of the result."""
        number = self._tables.setdefault(table, len(self._tables))
        return ("table", number, RESULT if argument is None else argument)

    def _know(self, slot: Slot, low: int, high: int) -> None:
        if high - low < MAX_KNOWN:
            self.known.setdefault(slot, set()).update(range(low, high + 1))
        else:
            self.classes.facts(slot).computed = True

    def _declare(self, slot: Slot, type_: Type) -> None:
        if type_ == Integer():
            return  # whatever flows there
        super()._declare(slot, type_)
        if isinstance(type_, Array) and isinstance(type_.index, Integer):
            low, high = type_.index.low, type_.index.high
            assert low is not None and high is not None
            self._know((*slot, "[i]"), low, high)

    def _smallest(self, slot: Slot, type_: Type, written: Collection[Slot] = ()) -> None:
        """What is there before anything is written, or is written by `Clear`, is one of the values."""
        match type_:
            case Integer(int(low)) if slot not in written:
                self.classes.facts(slot).constants.add(low)
            case Optional(inner):
                self._smallest(slot, inner)
            case Array(_, element):
                self._smallest((*slot, "[]"), element, written)
            case Record(fields):
                for each in fields:
                    self._smallest((*slot, each.name), each.type, written)

    def _statement(self, statement: Any) -> None:
        super()._statement(statement)
        match statement:
            case s.Declare(variables):
                for each in variables:
                    self._smallest((self.frame, each.name), without_optional(each.type))
            case s.Clear(place):
                self._smallest(self.place(place), e.type_of_place(place))

    def _bound(self, bound: e.Bound) -> None:
        super()._bound(bound)
        slot = (self.frame, bound.name)
        match bound.domain:
            case e.All(Integer(int(low), int(high))):
                self._know(slot, low, high)
            case e.Range(e.Constant(low), e.Constant(high), e.Constant(1)) if low <= high:
                self._know(slot, low, high)

    # Values

    def _value(self, expression: e.Expression) -> Meaning:
        if is_computation(expression):
            return self._computed(expression)
        if is_test_of_elements(expression):
            for side in expression.children():
                self._visit(*(side.arguments if isinstance(side, e.Lookup) else ()))
            return None
        match expression:
            case e.Wrap(operand, type_):
                slot = value_slot(self.frame, expression)
                self._link(slot, self._value(operand))
                self.wraps.append((slot, type_))
                assert type_.low is not None and type_.high is not None
                self.classes.facts(slot).ranges.add((type_.low, type_.high))
                return slot
            case e.Conditional(test, then, otherwise):
                self._value(test)
                slot = value_slot(self.frame, expression)
                self._link(slot, self._value(then))
                self._link(slot, self._value(otherwise))
                return slot if isinstance(e.type_of(expression), Integer) else None
            case e.Convert(operand, Integer() as type_) if isinstance(e.type_of(operand), Integer):
                slot = value_slot(self.frame, expression)
                self._link(slot, self._value(operand))
                if type_.low is not None and type_.high is not None:
                    self.classes.facts(slot).ranges.add((type_.low, type_.high))
                return slot
            case e.Lookup():
                return self._look_up(expression)
        return super()._value(expression)

    def _visit(self, *nodes: Any) -> None:
        for node in nodes:
            if isinstance(node, e.Not | e.Junction) and is_computation(node):
                self._computed(node)
            else:
                super()._visit(node)

    def _look_up(self, lookup: e.Lookup) -> Meaning:
        table = lookup.table
        for at, (argument, type_) in enumerate(zip(lookup.arguments, table.arguments, strict=True)):
            meaning = self._value(argument)
            if isinstance(type_, Integer):
                slot = self.table_slot(table, at)
                self._link(slot, meaning)
                assert type_.low is not None and type_.high is not None
                self.classes.facts(slot).ranges.add((type_.low, type_.high))
        if not isinstance(table.result, Integer):
            return None
        slot = self.table_slot(table, None)
        self.known.setdefault(slot, set()).update(table.values)
        return slot

    def _computed(self, expression: e.Expression) -> Meaning:
        parts = operands(expression)
        meanings = [self._value(each) for each in parts]
        slots = tuple(each if isinstance(each, tuple) else None for each in meanings)
        result = None if e.type_of(expression) == BOOLEAN else value_slot(self.frame, expression)
        for slot in (*slots, result):
            if slot is not None:
                self.classes.root(slot)
        key = self.frame, id(expression)
        self.computations[key] = Computation(key, expression, parts, slots, result)
        return result


MAX_KNOWN = 256
"""Values of a domain or of an index; larger ones are not taken for names."""
