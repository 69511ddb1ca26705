"""Numbers turned into elements: types, constants, tables, and arithmetic as tables.

In: a program, its `NameClasses`, a `Naming` for some classes, and what computations were seen to be done with. Out: the
program in which numbers of these classes are elements. Where the program checked a range, the element is converted to the
sorts of the range, which fails where the number was outside. A computation with elements, or that yields them, is looked up;
what was not seen is missing, and violates the property `trap`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import (
    BOOLEAN,
    Array,
    Bag,
    Element,
    Field,
    Integer,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    bounds,
    show_type,
    sorts_of,
)
from burnside.records import replace
from burnside.symmetry.programs.names.classes import Computation, Key, NameClasses, value_slot
from burnside.symmetry.programs.names.computations import (
    function_of,
    is_computation,
    is_test_of_elements,
    operands,
    wrapped,
)
from burnside.symmetry.programs.names.values import Naming
from burnside.symmetry.programs.range_classes import PROPER_END, RESULT, STATE, Slot, frame_name

Tuples = Mapping[Key, frozenset[tuple[int, ...]]]
"""By computation: values of its operands."""


MAX_TABLE = 1 << 18
"""Entries of one table."""


class TooLargeTable(Exception):
    """A computation with names has operands of too many values to be written out."""


def rewritten(
    program: Program, found: NameClasses, chosen: Mapping[Slot, Naming], seen: Tuples, trap: int
) -> Program:
    return Rewriting(program, found, chosen, seen, trap).run()


class Rewriting:
    """`unknown`: a variable that computations are looked up with beside their operands, so that none is a constant and done
    beforehand. `looked_up`: by computation, the table that it has become, and the numbers that its arguments stand
    for."""

    def __init__(
        self,
        program: Program,
        found: NameClasses,
        chosen: Mapping[Slot, Naming],
        seen: Tuples,
        trap: int,
        unknown: e.Variable | None = None,
    ) -> None:
        self._unknown = unknown
        self._program, self._found, self._chosen, self._seen, self._trap = program, found, chosen, seen, trap
        self._by_sort = {sort: each for each in chosen.values() for sort in each.sorts}
        self._functions = {each.name: each for each in program.functions}
        self._frame = STATE
        self._variables: dict[tuple[str, str], e.Variable] = {}
        self._tables: dict[e.Table, e.Table] = {}
        self._old_tables: dict[int, tuple[e.Table, e.Table]] = {}
        self.looked_up: dict[Key, tuple[e.Table, list[Sequence[int]]]] = {}

    def run(self) -> Program:
        program = self._program
        return replace(
            program,
            sorts=(*program.sorts, *(sort for each in self._chosen.values() for sort in each.sorts)),
            variables=tuple(self._variable(each) for each in program.variables),
            starts=tuple(self._action(each, frame_name("start", n)) for n, each in enumerate(program.starts)),
            actions=tuple(
                self._action(each, frame_name("action", n)) for n, each in enumerate(program.actions)
            ),
            functions=tuple(map(self._function, program.functions)),
            properties=tuple(map(self._property, program.properties, range(len(program.properties)))),
            control=None if program.control is None else self._variable(program.control),
            proper_end=self._proper_end(program.proper_end),
        )

    def _action(self, action: Action, frame: str) -> Action:
        self._frame = frame
        return action.with_children(self._any)

    def _function(self, function: Function) -> Function:
        self._frame = function.name
        if function.result is not None:
            function = replace(function, result=self._type((function.name, RESULT), function.result))
        return function.with_children(self._any)

    def _property(self, each: Property, number: int) -> Property:
        self._frame = frame_name("property", number)
        return each.with_children(self._any)

    def _proper_end(self, test: e.Expression | None) -> e.Expression | None:
        self._frame = PROPER_END
        return None if test is None else self._any(test)

    # Types

    def _naming(self, slot: Slot | None) -> Naming | None:
        return None if slot is None else self._chosen.get(self._found.classes.root(slot))

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
        found = self._naming(slot) if isinstance(type_, Integer) else None
        if found is None or not isinstance(type_, Integer):
            return type_
        return found.between(type_.low, type_.high) or found.type

    def _variable(self, variable: e.Variable) -> e.Variable:
        key = STATE if variable.is_state else self._frame, variable.name
        known = self._variables.get(key)
        if known is None:
            type_ = self._type(self._slot(variable), variable.type)
            known = variable if type_ == variable.type else replace(variable, type=type_)
            self._variables[key] = known
        return known

    # Slots, as `classes` has named them

    def _slot(self, place: e.Place) -> Slot:
        match place:
            case e.Variable(name):
                return (STATE if place.is_state else self._frame, name)
            case e.Component(inner, name):
                return (*self._slot(inner), name)
            case e.Index(array):
                return (*self._slot(array), "[]")
            case e.Entry(bag):
                return (*self._slot(bag), "{}")

    def _slot_of(self, expression: e.Expression) -> Slot | None:
        """Of a number that is no constant."""
        if not isinstance(e.type_of(expression), Integer):
            return None
        match expression:
            case e.Constant():
                return None
            case e.Read(place):
                return self._slot(place)
            case e.Lookup(table):
                return self._found.table_slot(table, None)
            case e.Call(function):
                return (function, RESULT)
            case _:
                return value_slot(self._frame, expression)

    # Code

    def _any(self, node: Any) -> Any:
        """Any node, where nothing is known of what it is used for."""
        match node:
            case e.Variable():
                return self._variable(node)
            case e.Bound():
                return self._bound(node)
            case e.Index(array, index, span):
                new = self._any(array)
                type_ = e.type_of_place(new)
                assert isinstance(type_, Array)
                return replace(node, array=new, index=self._value(index, type_.index, span))
            case s.Assign(place, value, span):
                new = self._any(place)
                return replace(
                    node, place=new, value=self._value(value, _scalar_of(e.type_of_place(new)), span)
                )
            case s.Let(variable, value, body):
                new = self._variable(variable)
                value = self._value(value, _scalar_of(new.type), None)
                return s.Let(new, value, tuple(map(self._any, body)))
            case s.Return(value, span) if value is not None and not isinstance(value, e.PLACES):
                wanted = self._functions[self._frame].result if self._frame in self._functions else None
                if wanted is None:
                    return node.with_children(self._any)
                type_ = self._type((self._frame, RESULT), wanted)
                return replace(node, value=self._value(value, _scalar_of(type_), span))
            case e.Table() | e.Constant():
                return node
            case e.Binary("=" | "!=") if is_test_of_elements(node):
                return node.with_children(self._side)
            case e.Binary("=" | "!=") if not is_computation(node):
                return self._comparison(node)
            case e.Binary() | e.Negate() | e.Conditional() | e.Convert() | e.Wrap() | e.Lookup() | e.Call():
                return self._value(node, None, None)
            case e.Not() | e.Junction() if is_computation(node):
                return self._value(node, None, None)
            case _:
                return node.with_children(self._any)

    def _bound(self, bound: e.Bound) -> e.Bound:
        new = self._new_bound(bound)
        self._variables[self._frame, bound.name] = new.variable
        return new

    def _new_bound(self, bound: e.Bound) -> e.Bound:
        found = self._naming((self._frame, bound.name))
        match bound.domain:
            case e.All(Integer() as type_) if found is not None:
                return replace(bound, domain=e.All(self._scalar((self._frame, bound.name), type_)))
            case e.Range(e.Constant(low), e.Constant(high)) if found is not None:
                type_ = Integer(low, high)
                return replace(bound, domain=e.All(self._scalar((self._frame, bound.name), type_)))
            case _:
                return bound.with_children(self._any)

    def _side(self, side: e.Expression) -> e.Expression:
        """Of a test of elements: the table stays."""
        return side.with_children(self._any) if isinstance(side, e.Lookup) else side

    def _comparison(self, node: e.Binary) -> e.Expression:
        found = self._naming(self._slot_of(node.left)) or self._naming(self._slot_of(node.right))
        if found is None:
            return node.with_children(self._any)
        one, other = self._value(node.left, None, None), self._value(node.right, None, None)
        types = [
            e.type_of(new)
            for old, new in ((node.left, one), (node.right, other))
            if not isinstance(old, e.Constant)
        ]
        constants = [each.value for each in (node.left, node.right) if isinstance(each, e.Constant)]
        alike = types[0] == types[-1] and all(each in found.numbers(types[0]) for each in constants)
        wanted = types[0] if alike else found.type
        return replace(
            node,
            left=self._fitted(node.left, one, wanted, node.span),
            right=self._fitted(node.right, other, wanted, node.span),
        )

    # Values

    def _value(self, expression: e.Expression, wanted: Scalar | None, span: Span | None) -> e.Expression:
        """`wanted`: the type that it must have where numbers have become elements."""
        match expression:
            case e.Constant():
                new: e.Expression = expression
            case e.Conditional():
                return self._conditional(expression, wanted, span)
            case e.Convert(operand, Integer() as type_) if self._naming(self._slot_of(expression)):
                inner = self._value(operand, None, expression.span)
                new = self._fitted(
                    operand, inner, self._scalar(value_slot(self._frame, expression), type_), expression.span
                )
            case e.Wrap(operand, type_) if not is_computation(expression):
                new = self._wrapped(expression, operand, type_)
            case e.Lookup():
                new = self._look_up(expression)
            case e.Call():
                new = self._call(expression)
            case e.Binary("=" | "!=") if is_test_of_elements(expression):
                new = self._any(expression)
            case e.Binary("=" | "!=") if not is_computation(expression):
                new = self._comparison(expression)
            case _:
                new = (
                    self._computed(expression)
                    if is_computation(expression)
                    else expression.with_children(self._any)
                )
        return self._fitted(expression, new, wanted, span)

    def _fitted(
        self, old: e.Expression, new: e.Expression, wanted: Scalar | None, span: Span | None
    ) -> e.Expression:
        """The value as an element of the wanted type; an error of the model where its number was outside of the range."""
        if not isinstance(wanted, Element | Union) or not self._is_new(wanted):
            return new
        if isinstance(new, e.Constant) and isinstance(new.type, Integer):
            naming = self._naming_of(wanted)
            position = naming.position(new.value, wanted)
            if position is not None:
                return replace(new, value=position, type=wanted)
            new = replace(new, value=naming.values.index(new.value), type=naming.type)
        if e.type_of(new) == wanted:
            return new
        if not set(sorts_of(e.type_of(new))) & set(sorts_of(wanted)):
            # It fails in any case, and only of a type that has some of the sorts can it be said.
            new = e.Convert(new, self._naming_of(wanted).type)
        return e.Convert(new, wanted, span or getattr(old, "span", None))

    def _is_new(self, type_: Element | Union) -> bool:
        return sorts_of(type_)[0] in self._by_sort

    def _naming_of(self, type_: Element | Union) -> Naming:
        return self._by_sort[sorts_of(type_)[0]]

    def _conditional(
        self, expression: e.Conditional, wanted: Scalar | None, span: Span | None
    ) -> e.Expression:
        found = self._naming(self._slot_of(expression))
        if found is None:
            return expression.with_children(self._any)
        inner = wanted if wanted is not None else found.type
        return e.Conditional(
            self._any(expression.test),
            self._value(expression.then, inner, span),
            self._value(expression.otherwise, inner, span),
        )

    def _wrapped(self, expression: e.Wrap, operand: e.Expression, type_: Integer) -> e.Expression:
        found = self._naming(value_slot(self._frame, expression))
        if found is None:
            return expression.with_children(self._any)
        low, high = bounds(type_)
        inner = self._value(operand, None, None)
        inner = self._fitted(operand, inner, found.type, None) if isinstance(operand, e.Constant) else inner
        numbers = found.numbers(e.type_of(inner))
        if all(low <= each <= high for each in numbers):
            return inner
        entries = [found.values.index(wrapped(each, low, high)) for each in numbers]
        return e.Lookup(
            self._shared(e.Table("wrap", (e.type_of(inner),), found.type, tuple(entries))), (inner,)
        )

    def _call(self, call: e.Call) -> e.Call:
        function = self._functions[call.function]
        arguments: list[e.Expression | e.Place] = []
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            if isinstance(argument, e.PLACES):
                arguments.append(self._any(argument))
            else:
                variable = parameter.variable
                type_ = self._type((function.name, variable.name), variable.type)
                arguments.append(self._value(argument, _scalar_of(type_), call.span))
        return replace(call, arguments=tuple(arguments), type=self._type((call.function, RESULT), call.type))

    # Tables

    def _shared(self, table: e.Table) -> e.Table:
        return self._tables.setdefault(table, table)

    def _look_up(self, lookup: e.Lookup) -> e.Lookup:
        table = self._table(lookup.table)
        arguments = tuple(
            self._value(argument, type_, lookup.span)
            for argument, type_ in zip(lookup.arguments, table.arguments, strict=True)
        )
        return replace(lookup, table=table, arguments=arguments)

    def _table(self, table: e.Table) -> e.Table:
        if id(table) not in self._old_tables:
            self._old_tables[id(table)] = table, self._new_table(table)
        return self._old_tables[id(table)][1]

    def _new_table(self, table: e.Table) -> e.Table:
        types = tuple(self._argument_type(table, at) for at in range(len(table.arguments)))
        type_ = table.result
        if isinstance(type_, Integer):
            type_ = self._scalar(self._found.table_slot(table, None), type_)
        if types == table.arguments and type_ == table.result:
            return table
        columns = [self._numbers(each) for each in types]
        limits = [bounds(each) for each in table.arguments]
        entries: list[int | None] = []
        results = {number: at for at, number in enumerate(self._numbers(type_))}
        for values in product(*columns):
            inside = all(low <= value <= high for value, (low, high) in zip(values, limits, strict=True))
            entry = table.at(values) if inside else None
            entries.append(results[entry] if entry is not None and type_ != table.result else entry)
        return self._shared(e.Table(table.name, types, type_, tuple(entries)))

    def _argument_type(self, table: e.Table, at: int) -> Scalar:
        """All numbers of the class: for those outside of the range nothing is there, as in the original."""
        type_ = table.arguments[at]
        found = self._naming(self._found.table_slot(table, at)) if isinstance(type_, Integer) else None
        return type_ if found is None else found.type

    def _numbers(self, type_: Scalar) -> Sequence[int]:
        """What values of a type stand for, by position."""
        if isinstance(type_, Element | Union) and self._is_new(type_):
            return self._naming_of(type_).numbers(type_)
        low, high = bounds(type_)
        return range(low, high + 1)

    def _computed(self, expression: e.Expression) -> e.Expression:
        key = self._frame, id(expression)
        computation = self._found.computations[key]
        if key not in self._seen or not self._concerns(computation):
            return self._with_operands(expression, computation.operands)  # type: ignore[no-any-return]
        arguments = [self._value(each, None, None) for each in computation.operands]
        types: list[Scalar] = [
            type_
            if not isinstance(type_ := e.type_of(each), Integer)
            else _hull([row[at] for row in self._seen[key]])
            for at, each in enumerate(arguments)
        ]
        naming = self._naming(computation.result)
        function = function_of(expression)
        seen = {values: function(values) for values in self._seen[key]}
        type_ = BOOLEAN if computation.result is None else self._result_type(naming, list(seen.values()))
        numbers: list[Sequence[int]] = [self._numbers(each) for each in types]
        positions = {number: at for at, number in enumerate(self._numbers(type_))} if naming else None
        entries: list[int | None] = []
        if prod(map(len, numbers)) > MAX_TABLE:
            raise TooLargeTable
        for values in product(*numbers):
            entry = seen.get(values)
            entries.append(entry if entry is None or positions is None else positions.get(entry))
        if self._unknown is not None:
            types.append(BOOLEAN)
            arguments.append(e.Read(self._unknown))
            entries = [entry for entry in entries for _ in range(2)]
        table = self._shared(e.Table(_name(expression), tuple(types), type_, tuple(entries)))
        self.looked_up[key] = table, numbers
        return e.Lookup(table, tuple(arguments), self._trap, getattr(expression, "span", None))

    def _with_operands(self, node: Any, operands: Sequence[e.Expression]) -> Any:
        """A computation as it is, with what it is done with rewritten."""
        if node in operands:
            return self._any(node)
        return node.with_children(lambda each: self._with_operands(each, operands))

    def _concerns(self, computation: Computation) -> bool:
        """Is it done with elements, or does it yield one?"""
        slots = (*computation.slots, computation.result)
        return any(self._naming(slot) is not None for slot in slots)

    def _result_type(self, naming: Naming | None, values: Sequence[int | None]) -> Scalar:
        if naming is not None:
            return naming.type
        return _hull([each for each in values if each is not None])


def _hull(values: Sequence[int]) -> Integer:
    return Integer(min(values, default=0), max(values, default=0))


def _scalar_of(type_: Type) -> Scalar | None:
    scalar = type_.type if isinstance(type_, Optional) else type_
    return None if isinstance(scalar, Array | Record | Bag) else scalar


def _name(expression: e.Expression) -> str:
    """The computation, with letters for its operands: equal functions are one table."""
    letters = {each: "xyzuvw"[at % 6] for at, each in enumerate(operands(expression))}

    def shown(each: e.Expression) -> str:
        if each in letters:
            return letters[each]
        match each:
            case e.Constant(value):
                return str(value)
            case e.Binary(operator, left, right):
                return f"({shown(left)} {operator} {shown(right)})"
            case e.Negate(operator, operand):
                return f"{operator}{shown(operand)}"
            case e.Wrap(operand, type_):
                return f"{shown(operand)} in {show_type(type_)}"
            case e.Not(operand):
                return f"not {shown(operand)}"
            case e.Junction(operator, parts):
                return f"({f' {operator} '.join(map(shown, parts))})"
        raise AssertionError

    return shown(expression)
