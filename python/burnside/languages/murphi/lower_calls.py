"""Calls, and structured values that have no place yet.

The ir copies structured values (and those that may be undefined) from places only. Where Murphi gives the result of a call,
a `?:` between records, or UNDEFINED, a temporary variable is prepared. A statement declares it around itself. An expression
cannot, and there the whole of it becomes a function of its own, whose parameters are the locals it mentions: evaluation
keeps its order.
"""

from __future__ import annotations

from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as st
from burnside.ir.program import Function, Parameter
from burnside.ir.types import BOOLEAN, Array, Bag, Integer, Optional, Record, Type, show_type
from burnside.ir.walking import nodes, rebuilt
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.kinds import bare, describe, is_scalar
from burnside.languages.murphi.lower_binders import BinderLowering
from burnside.languages.murphi.lowering import KnownFunction, Operand, Stored, StructuredConditional, Value
from burnside.languages.shared.spans import Extent
from burnside.records import record, replace


@record
class Preparation:
    """Temporary variables, and what fills them."""

    variables: tuple[e.Variable, ...] = ()
    block: st.Block = ()

    def and_(self, other: Preparation) -> Preparation:
        return Preparation(self.variables + other.variables, self.block + other.block)

    def around(self, *statements: st.Statement) -> st.Block:
        if not self.variables:
            return statements
        return (st.Declare(self.variables, self.block + statements),)


NOTHING = Preparation()


class CallLowering(BinderLowering):
    def call_operand(self, node: s.Call) -> Operand:
        call, preparation = self.call_with_result(node)
        expression = self.closed(preparation, call, call.type, node.at) if preparation != NOTHING else call
        return Value(node.at, bare(call.type), expression)

    def call_with_result(self, node: s.Call) -> tuple[e.Call, Preparation]:
        known = self.scope.find(node.name.text)
        if isinstance(known, KnownFunction) and known.result is None:
            raise self.error(f"'{node.name.text}' is a procedure: it has no result", node.at)
        return self.call(node)

    def call(self, node: s.Call) -> tuple[e.Call, Preparation]:
        known = self.find(node.name.text, node.name.at)
        if not isinstance(known, KnownFunction):
            raise self.error(f"'{node.name.text}' is no function", node.name.at)
        if not known.is_complete:
            hint = "write a loop, or a function for each depth"
            message = f"'{known.name}' calls itself: recursion is not supported"
            raise self.unsupported(message, node.at, hint)
        expected, given = len(known.parameters), len(node.arguments)
        if expected != given:
            counted = f"{expected} argument{'' if expected == 1 else 's'}"
            raise self.error(f"'{known.name}' takes {counted}, here are {given}", node.at)
        arguments, preparation = [], NOTHING
        for parameter, argument in zip(known.parameters, node.arguments, strict=True):
            value, prepared = self.argument(parameter, argument)
            arguments.append(value)
            preparation = preparation.and_(prepared)
        result = NO_RESULT if known.result is None else known.result
        return e.Call(known.name, tuple(arguments), result, self.span(node.at)), preparation

    def argument(
        self, parameter: Parameter, node: s.Expression
    ) -> tuple[e.Expression | e.Place, Preparation]:
        type_, name = parameter.variable.type, users_name(parameter)
        if self.is_undefined_word(node):
            if parameter.by_reference:
                raise self.error(f"parameter '{name}' needs a variable", node.at)
            variable = e.Variable(self.fresh(name), type_)
            return variable, Preparation((variable,))
        operand = self.operand(node)
        if parameter.by_reference:
            return self.reference(parameter, operand), NOTHING
        if isinstance(operand, Stored) and e.type_of_place(operand.place) == type_:
            return operand.place, NOTHING
        if isinstance(type_, Optional):
            return self.fit(operand, type_.type, f"parameter '{name}'", checked=True), NOTHING
        self.check_type(operand, type_, f"parameter '{name}'")
        return self.materialised(operand, type_, name)

    def reference(self, parameter: Parameter, operand: Operand) -> e.Place:
        name = users_name(parameter)
        if not isinstance(operand, Stored) or not operand.writable:
            message = (
                f"parameter '{name}' is changed by the call: it needs a variable that may be assigned to"
            )
            raise self.error(message, operand.at)
        self.check_type(operand, parameter.variable.type, f"parameter '{name}'")
        return operand.place

    def check_type(self, operand: Operand, type_: Type, what: str) -> None:
        expected = bare(type_)
        if operand.type == expected:
            return
        wanted, found = describe(expected), describe(operand.type)
        if wanted == found and isinstance(operand.type, Integer):
            found = f"of type {show_type(operand.type)}"
            raise self.error(f"{what} is of type {show_type(expected)}, this is {found}", operand.at)
        if wanted == found:
            raise self.error(f"{what} has another type, though both are {found}", operand.at)
        raise self.error(f"{what} must be {wanted}, this is {found}", operand.at)

    def is_undefined_word(self, node: s.Expression) -> bool:
        """CMurphi's UNDEFINED, unless the model has a name like that."""
        is_word = isinstance(node, s.Name) and node.text.lower() == "undefined"
        return is_word and isinstance(node, s.Name) and self.scope.find(node.text) is None

    # Structured values

    def materialised(self, operand: Operand, type_: Type, name: str) -> tuple[e.Place, Preparation]:
        if isinstance(operand, Stored):
            return operand.place, NOTHING
        variable = e.Variable(self.fresh(name), type_)
        return variable, Preparation((variable,), self.copied(variable, operand))

    def copied(self, target: e.Place, operand: Operand) -> st.Block:
        """Of equal types."""
        match operand:
            case Stored(at, _, place):
                return (st.Copy(target, place, self.span(at)),)
            case StructuredConditional(_, _, test, then, otherwise):
                return (st.If((st.Branch(test, self.copied(target, then)),), self.copied(target, otherwise)),)
            case Value(_, _, expression):
                assert isinstance(expression, e.Call)
                return (st.CopyCall(target, expression),)

    def same(self, left: Operand, right: Operand, at: Extent) -> e.Expression:
        assert isinstance(left.type, Array | Record | Bag)
        first, before = self.materialised(left, left.type, "left")
        second, then = self.materialised(right, left.type, "right")
        preparation = before.and_(then)
        comparison = e.Same(first, second)
        return comparison if preparation == NOTHING else self.closed(preparation, comparison, BOOLEAN, at)

    def closed(self, preparation: Preparation, expression: e.Expression, type_: Type, at: Extent) -> e.Call:
        """The call of a new function that does all this."""
        span = self.span(at)
        mentioned = free_variables(preparation, expression)
        arguments = tuple(each if by_place(each) else e.Read(each, span) for each in mentioned)
        name = f"expression at line {span.line}, column {span.column}"
        own = {each: replace(each, name=f"{name}: {each.name}") for each in mentioned}
        parameters = tuple(Parameter(each, by_reference=by_place(each)) for each in own.values())
        body = preparation.around(*self.returned(expression, type_, at))

        def renamed(node: Any) -> Any:
            return own.get(node, node) if isinstance(node, e.Variable) else node

        body = tuple(rebuilt(each, renamed) for each in body)
        self.functions[name] = Function(name, parameters, type_, body, span)
        return e.Call(name, arguments, type_, span)

    def returned(self, expression: e.Expression, type_: Type, at: Extent) -> st.Block:
        if is_scalar(type_):
            return (st.Return(expression, self.span(at)),)
        assert isinstance(expression, e.Call)
        result = e.Variable(self.fresh("result"), type_)
        copy, back = st.CopyCall(result, expression), st.Return(result, self.span(at))
        return (st.Declare((result,), (copy, back)),)


NO_RESULT = Record(())
"""The type of a call of a procedure, which has no meaning."""


def free_variables(preparation: Preparation, expression: e.Expression) -> list[e.Variable]:
    """The locals mentioned that come from outside, in order."""
    own = {variable.name for variable in preparation.variables}
    found: dict[str, e.Variable] = {}
    for node in nodes(*preparation.block, expression):
        if isinstance(node, e.Bound):
            own.add(node.name)
        elif isinstance(node, e.Variable) and not node.is_state:
            found.setdefault(node.name, node)
    return [variable for name, variable in found.items() if name not in own]


def users_name(parameter: Parameter) -> str:
    return parameter.variable.name.rpartition(".")[2]


def by_place(variable: e.Variable) -> bool:
    """Bound names have no place; everything declared has, and may be undefined or structured."""
    return isinstance(variable.type, Optional | Array | Record | Bag)


def with_result(function: Function) -> Function:
    """A scalar result may be undefined where it is copied from a place."""
    returns = [each.value for each in nodes(*function.body) if isinstance(each, st.Return)]
    places = e.Variable | e.Index | e.Component | e.Entry
    if function.result is None or not is_scalar(function.result):
        return function
    if not any(isinstance(value, places) for value in returns):
        return function
    return replace(function, result=Optional(function.result))  # type: ignore[arg-type]
