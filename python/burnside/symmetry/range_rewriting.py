"""A class of integers turned into a sort: types, constants, loops.

In: a program, its `Classes`, and sorts for some of them. Out: the program in which these integers are elements. Nothing
computes with them, so nothing else changes; conversions between ranges of one class disappear.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import Array, Bag, Element, Field, Integer, Optional, Record, Scalar, Sort, Type
from burnside.records import replace
from burnside.symmetry.range_classes import RESULT, STATE, Classes, Slot, frame_name

Chosen = dict[Slot, tuple[Sort, int]]
"""By the root of a class: its sort, and the number that is the sort's first element."""


def rewritten(program: Program, classes: Classes, chosen: Chosen) -> Program:
    return _Rewriting(program, classes, chosen).run()


class _Rewriting:
    def __init__(self, program: Program, classes: Classes, chosen: Chosen) -> None:
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
        )

    def _action(self, action: Action, frame: str) -> Action:
        self._frame = frame
        return replace(
            action,
            parameters=tuple(map(self._bound, action.parameters)),
            guard=self._value(action.guard),
            body=self._block(action.body),
        )

    def _function(self, function: Function) -> Function:
        self._frame = function.name
        result = function.result
        return replace(
            function,
            parameters=tuple(
                replace(each, variable=self._variable(each.variable)) for each in function.parameters
            ),
            result=None if result is None else self._type((function.name, RESULT), result),
            body=self._block(function.body),
        )

    def _property(self, each: Property, number: int) -> Property:
        self._frame = frame_name("property", number)
        return each if each.expression is None else replace(each, expression=self._value(each.expression))

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

    def _place(self, place: e.Place) -> e.Place:
        match place:
            case e.Variable():
                return self._variable(place)
            case e.Component(record):
                return replace(place, record=self._place(record))
            case e.Index(array, index):
                wanted = self._sort((*self._slot(array), "[i]"))
                return replace(place, array=self._place(array), index=self._value(index, wanted))
            case e.Entry(bag, position):
                return replace(place, bag=self._place(bag), position=self._value(position))

    def _value(self, expression: e.Expression, wanted: tuple[Sort, int] | None = None) -> e.Expression:
        """`wanted`: the sort that an integer is to be an element of."""
        match expression:
            case e.Constant(value, Integer()) if wanted is not None:
                return replace(expression, value=value - wanted[1], type=Element(wanted[0]))
            case e.Constant():
                return expression
            case e.Read(place) | e.IsDefined(place):
                return replace(expression, place=self._place(place))
            case e.Binary(operator, left, right):
                both = (self._class_of(left) or self._class_of(right)) if operator in ("=", "!=") else None
                return replace(expression, left=self._value(left, both), right=self._value(right, both))
            case e.Negate(_, operand) | e.Not(operand) | e.IsMember(operand):
                return replace(expression, operand=self._value(operand))
            case e.Junction(_, parts):
                return replace(expression, parts=tuple(map(self._value, parts)))
            case e.Conditional(test, then, otherwise):
                kind = wanted or self._class_of(expression)
                return e.Conditional(self._value(test), self._value(then, kind), self._value(otherwise, kind))
            case e.Convert(operand):
                kind = wanted or self._class_of(expression)
                if kind is not None and isinstance(e.type_of(operand), Integer):
                    return self._value(operand, kind)
                return replace(expression, operand=self._value(operand))
            case e.Quantified(_, bound, body):
                return replace(expression, bound=self._bound(bound), body=self._value(body))
            case e.Count(bound, test):
                return replace(expression, bound=self._bound(bound), test=self._value(test))
            case e.Same(left, right):
                return e.Same(self._place(left), self._place(right))
            case e.Call():
                return self._call(expression)

    def _call(self, call: e.Call) -> e.Call:
        function = self._functions[call.function]
        arguments: list[e.Expression | e.Place] = []
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            if isinstance(argument, e.PLACES):
                arguments.append(self._place(argument))
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
            case e.Range(low, high, step):
                domain = replace(
                    bound.domain, low=self._value(low), high=self._value(high), step=self._value(step)
                )
                return replace(bound, domain=domain)
            case e.Positions(bag):
                return replace(bound, domain=e.Positions(self._place(bag)))
            case _:
                return bound

    def _block(self, block: s.Block) -> s.Block:
        return tuple(map(self._statement, block))

    def _statement(self, statement: s.Statement) -> s.Statement:
        match statement:
            case s.Assign(place, value):
                return replace(
                    statement,
                    place=self._place(place),
                    value=self._value(value, self._sort(self._slot(place))),
                )
            case s.Copy(target, source):
                return replace(statement, target=self._place(target), source=self._place(source))
            case s.CopyCall(target, call):
                return s.CopyCall(self._place(target), self._call(call))
            case s.Clear(place) | s.Undefine(place):
                return replace(statement, place=self._place(place))
            case s.If(branches, otherwise):
                tests = [s.Branch(self._value(each.test), self._block(each.body)) for each in branches]
                return s.If(tuple(tests), self._block(otherwise))
            case s.For(bound, body):
                return replace(statement, bound=self._bound(bound), body=self._block(body))
            case s.While(test, body):
                return replace(statement, test=self._value(test), body=self._block(body))
            case s.Declare(variables, body):
                return s.Declare(tuple(map(self._variable, variables)), self._block(body))
            case s.Bind(variable, place, body):
                return s.Bind(self._variable(variable), self._place(place), self._block(body))
            case s.Let(variable, value, body):
                wanted = self._sort(self._slot(variable))
                return s.Let(self._variable(variable), self._value(value, wanted), self._block(body))
            case s.CallStatement(call):
                return s.CallStatement(self._call(call))
            case s.Return(value):
                return self._return(statement, value)
            case s.Assert(test) | s.Assume(test) | s.Cover(test):
                return replace(statement, test=self._value(test))
            case s.Add(bag, source):
                return replace(statement, bag=self._place(bag), source=self._place(source))
            case s.Remove(bag, position):
                return replace(statement, bag=self._place(bag), position=self._value(position))
            case s.RemoveAll(bound, test):
                return s.RemoveAll(self._bound(bound), self._value(test))

    def _return(self, statement: s.Return, value: e.Expression | e.Place | None) -> s.Return:
        if value is None:
            return statement
        if isinstance(value, e.PLACES):
            return replace(statement, value=self._place(value))
        return replace(statement, value=self._value(value, self._sort((self._frame, RESULT))))
