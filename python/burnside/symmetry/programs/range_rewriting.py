"""A class of integers turned into a sort: types, constants, loops.

In: a program, its `SlotClasses`, and sorts for some of them. Out: the program in which these integers are elements. Nothing
computes with them, so nothing else changes; conversions between ranges of one class disappear.
"""

from __future__ import annotations

from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import Array, Bag, Element, Field, Integer, Optional, Record, Scalar, Sort, Type
from burnside.records import replace
from burnside.symmetry.programs.range_classes import PROPER_END, RESULT, STATE, Slot, SlotClasses, frame_name

Chosen = dict[Slot, tuple[Sort, int]]
"""By the root of a class: its sort, and the number that is the sort's first element."""


def rewritten(program: Program, classes: SlotClasses, chosen: Chosen) -> Program:
    return _Rewriting(program, classes, chosen).run()


class _Rewriting:
    def __init__(self, program: Program, classes: SlotClasses, chosen: Chosen) -> None:
        self._program = program
        self._classes = classes
        self._chosen = chosen
        self._functions = {each.name: each for each in program.functions}
        self._frame = STATE
        self._variables: dict[tuple[str, str], e.Variable] = {}

    def run(self) -> Program:
        program = self._program
        return replace(
            program,
            sorts=(*program.sorts, *dict.fromkeys(sort for sort, _ in self._chosen.values())),
            variables=tuple(self._variable(each) for each in program.variables),
            starts=tuple(self._action(each, frame_name("start", n)) for n, each in enumerate(program.starts)),
            actions=tuple(
                self._action(each, frame_name("action", n)) for n, each in enumerate(program.actions)
            ),
            functions=tuple(map(self._function, program.functions)),
            properties=tuple(map(self._property, program.properties, range(len(program.properties)))),
            proper_end=self._proper_end(program.proper_end),
        )

    def _action(self, action: Action, frame: str) -> Action:
        self._frame = frame
        return action.with_children(self._rewritten)

    def _function(self, function: Function) -> Function:
        self._frame = function.name
        result = function.result
        if result is not None:
            function = replace(function, result=self._type((function.name, RESULT), result))
        return function.with_children(self._rewritten)

    def _property(self, each: Property, number: int) -> Property:
        self._frame = frame_name("property", number)
        return each.with_children(self._rewritten)

    def _proper_end(self, test: e.Expression | None) -> e.Expression | None:
        self._frame = PROPER_END
        return None if test is None else self._rewritten(test)

    # Types

    def _sort(self, slot: Slot) -> tuple[Sort, int] | None:
        return self._chosen.get(self._classes.root(slot))

    def _type(self, slot: Slot, type_: Type) -> Type:
        match type_:
            case Integer():
                return self._scalar(slot, type_)
            case Optional(inner):
                return Optional(self._scalar(slot, inner))
            case Array(index, element):
                return Array(self._scalar((*slot, "[i]"), index), self._type((*slot, "[]"), element))
            case Record(fields):
                return Record(tuple(Field(x.name, self._type((*slot, x.name), x.type)) for x in fields))
            case Bag(element, capacity):
                return Bag(self._type((*slot, "{}"), element), capacity)
            case _:
                return type_

    def _scalar(self, slot: Slot, type_: Scalar) -> Scalar:
        found = self._sort(slot) if isinstance(type_, Integer) else None
        return type_ if found is None else Element(found[0])

    def _variable(self, variable: e.Variable) -> e.Variable:
        key = STATE if variable.is_state else self._frame, variable.name
        known = self._variables.get(key)
        if known is None:
            type_ = self._type(self._slot(variable), variable.type)
            known = self._variables[key] = (
                variable if type_ == variable.type else replace(variable, type=type_)
            )
        return known

    # Slots of places and expressions, as `range_classes` has named them

    def _slot(self, place: e.Place) -> Slot:
        match place:
            case e.Variable(name):
                return (STATE if place.is_state else self._frame, name)
            case e.Component(record, name):
                return (*self._slot(record), name)
            case e.Index(array):
                return (*self._slot(array), "[]")
            case e.Entry(bag):
                return (*self._slot(bag), "{}")

    def _class_of(self, expression: e.Expression) -> tuple[Sort, int] | None:
        """The sort that an integer expression has become one of, if it is seen from the expression itself."""
        if not isinstance(e.type_of(expression), Integer):
            return None
        match expression:
            case e.Read(place):
                return self._sort(self._slot(place))
            case e.Conditional(_, then, otherwise):
                return self._class_of(then) or self._class_of(otherwise)
            case e.Convert(operand):
                return self._class_of(operand)
            case e.Call(function):
                return self._sort((function, RESULT))
            case _:
                return None

    # Code

    def _rewritten(self, node: Any) -> Any:
        """Any node, where nothing is known of what it is used for."""
        match node:
            case e.Variable():
                return self._variable(node)
            case e.Bound():
                return self._bound(node)
            case e.Index(array, index):
                wanted = self._sort((*self._slot(array), "[i]"))
                return replace(node, array=self._rewritten(array), index=self._value(index, wanted))
            case e.Conditional() | e.Convert() | e.Binary() | e.Call():
                return self._value(node)
            case s.Assign(place, value):
                wanted = self._sort(self._slot(place))
                return replace(node, place=self._rewritten(place), value=self._value(value, wanted))
            case s.Let(variable, value, body):
                wanted = self._sort(self._slot(variable))
                inner = tuple(map(self._rewritten, body))
                return s.Let(self._variable(variable), self._value(value, wanted), inner)
            case s.Return(value) if value is not None and not isinstance(value, e.PLACES):
                return replace(node, value=self._value(value, self._sort((self._frame, RESULT))))
            case _:
                return node.with_children(self._rewritten)

    def _value(self, expression: e.Expression, wanted: tuple[Sort, int] | None = None) -> e.Expression:
        """`wanted`: the sort that an integer is to be an element of."""
        match expression:
            case e.Constant(value, Integer()) if wanted is not None:
                return replace(expression, value=value - wanted[1], type=Element(wanted[0]))
            case e.Binary("=" | "!=", left, right):
                both = self._class_of(left) or self._class_of(right)
                return replace(expression, left=self._value(left, both), right=self._value(right, both))
            case e.Conditional(test, then, otherwise):
                kind = wanted or self._class_of(expression)
                return e.Conditional(self._value(test), self._value(then, kind), self._value(otherwise, kind))
            case e.Convert(operand):
                kind = wanted or self._class_of(expression)
                if kind is not None and isinstance(e.type_of(operand), Integer):
                    return self._value(operand, kind)
            case e.Call():
                return self._call(expression)
        return expression.with_children(self._rewritten)

    def _call(self, call: e.Call) -> e.Call:
        function = self._functions[call.function]
        arguments: list[e.Expression | e.Place] = []
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            if isinstance(argument, e.PLACES):
                arguments.append(self._rewritten(argument))
            else:
                wanted = self._sort((function.name, parameter.variable.name))
                arguments.append(self._value(argument, wanted))
        type_ = self._type((call.function, RESULT), call.type)
        return replace(call, arguments=tuple(arguments), type=type_)

    def _bound(self, bound: e.Bound) -> e.Bound:
        found = self._sort((self._frame, bound.name))
        match bound.domain:
            case e.All(Integer()) | e.Range() if found is not None:
                return replace(bound, domain=e.All(Element(found[0])))
            case _:
                return bound.with_children(self._rewritten)
