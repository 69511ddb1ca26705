"""Atoms of formulas over a machine: predicates in its language, operations by name, with values of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.ir.sets.expressions import Apply, Exists, Expression, Literal, Name, type_of
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.notation import notation_of
from burnside.ir.sets.printing import as_written
from burnside.ir.sets.types import BOOLEAN, Boolean, Element, Integer, Set, ValueType
from burnside.ir.walking import replaced
from burnside.languages.shared.spans import Extent, Identifier
from burnside.model import ExpressionReader
from burnside.reference.failures import Fails
from burnside.reference.sets.evaluation import evaluate, free_names
from burnside.reference.sets.failures import NotListed, Undefined
from burnside.reference.sets.machines import environment_of
from burnside.reference.sets.values import Point, Value, literal_value, ordered
from burnside.temporal.atoms import ActionPattern, Binder, Patterns
from burnside.temporal.reading import ModelAtoms, unknown_action, wrong_arguments
from burnside.temporal.syntax.reader import ActionText, Bound


class MachineAtoms(ModelAtoms):
    def __init__(self, machine: Machine, expressions: ExpressionReader) -> None:
        super().__init__()
        self.machine, self.expressions = machine, expressions

    def read_condition(self, source: Source, bound: Bound) -> Expression:
        found: Expression = self.expressions.condition(source, bound)
        return found

    def patterns(self, action: ActionText, bound: Bound) -> Patterns:
        operations = self.machine.operations
        number = next((at for at, each in enumerate(operations) if each.name == action.name.text), None)
        if number is None:
            unknown_action(action, [each.name for each in operations], "operation")
        if action.arguments is None:
            return (ActionPattern(number),)
        parameters = operations[number].parameters
        if len(parameters) != len(action.arguments):
            raise wrong_arguments(action, len(parameters), "operation")
        return (ActionPattern(number, tuple(self._arguments(action.arguments, parameters, bound))),)

    def _arguments(
        self, texts: tuple[Extent | None, ...], parameters: tuple[Name, ...], bound: Bound
    ) -> Iterator[Expression | None]:
        for text, parameter in zip(texts, parameters, strict=True):
            if text is None:
                yield None
                continue
            value = self.expressions.value(text.source.part(text.offset, text.end), parameter.type, bound)
            self._check_constant(value, self.machine.variables, text, "this argument")
            yield value if free_names(value) else _folded(value, self._evaluated(value, text))

    def _check_constant(self, value: Expression, names: tuple[Name, ...], at: Extent, what: str) -> None:
        for each in names:
            if each.name in free_names(value):
                raise InputError(at.diagnostic(f"{what} depends on '{as_written(each.name)}'"))

    def _evaluated(self, value: Expression, at: Extent) -> Value:
        """Of an expression without names."""
        try:
            return evaluate(value, environment_of(self.machine, ()))
        except Undefined as undefined:
            message = f"this has no value: {undefined.failure().message}"
            raise InputError(at.diagnostic(message)) from None
        except Fails as fails:
            raise InputError(at.diagnostic(fails.failure.message)) from None
        except NotListed as found:
            raise InputError(at.diagnostic(f"this set is not bounded: {found.diagnostic.message}")) from None

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        found: Expression = self.expressions.domain(domain.source.part(domain.offset, domain.end), bound)
        self._check_constant(found, self.machine.state_names, domain, "the set that a name ranges over")
        if free_names(found):
            message = "the set that a name ranges over depends on another quantified name"
            raise UnsupportedError(domain.diagnostic(message))
        set_type = type_of(found)
        assert isinstance(set_type, Set)
        type_ = set_type.element
        if not isinstance(type_, Boolean | Integer | Element):
            message = "quantified names stand for elements of sets, numbers or truth values"
            raise UnsupportedError(domain.diagnostic(message))
        values = [_number(each) for each in ordered(self._evaluated(found, domain))]
        if not values:
            raise InputError(domain.diagnostic("this set is empty"))
        unique = self.expressions.unique_name(name.text, bound)

        def show(value: int) -> str:
            return notation_of(self.machine).value(literal_value(Literal(value, type_)), type_)

        return Binder(unique, name.text, type_, values, show, name.at.span)

    def parameters(self, name: str) -> tuple[int | None, ...]:
        operations = self.machine.operations
        return self.named_parameters(
            name, [[(as_written(each.name), each.type) for each in one.parameters] for one in operations]
        )

    def mentioned(self, expression: Any, binders: Sequence[Binder]) -> tuple[Binder, ...]:
        names = free_names(expression)
        return tuple(each for each in binders if each.name in names)

    def closed(self, condition: Any, binders: Sequence[Binder]) -> Expression:
        if not binders:
            found: Expression = condition
            return found
        return Exists(tuple(Name(each.name, each.type) for each in binders), condition)

    def is_name(self, expression: Any) -> bool:
        return isinstance(expression, Name)

    def equals_itself(self, value: Any) -> Expression:
        return Apply("equal", (value, value), BOOLEAN)

    def with_value(self, expression: Any, binder: Binder, value: int) -> Any:
        def change(node: Any) -> Literal | None:
            match node:
                case Name(name, _, _, span) if name == binder.name:
                    return Literal(value, binder.type, span)
                case _:
                    return None

        return replaced(expression, change)


def _number(value: Value) -> int:
    return value.position if isinstance(value, Point) else int(value)


def _folded(expression: Expression, value: Value) -> Expression:
    """As a literal, where there is one of its type."""
    type_: ValueType = type_of(expression)
    match type_:
        case Boolean() | Integer() | Element():
            return Literal(_number(value), type_)
        case _:
            return expression
