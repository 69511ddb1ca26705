"""Atoms of formulas over a program: conditions in its language, actions by name, with values of their parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from burnside.diagnostics import InputError, Source
from burnside.ir.expressions import (
    All,
    Binary,
    Constant,
    Domain,
    Expression,
    Positions,
    Quantified,
    Range,
    Read,
    Variable,
)
from burnside.ir.expressions import Bound as Parameter
from burnside.ir.program import Program
from burnside.ir.types import INTEGER, Scalar, bounds, show_value
from burnside.ir.walking import nodes, replaced
from burnside.languages.shared.spans import Extent, Identifier
from burnside.model import ExpressionReader
from burnside.temporal.atoms import ActionPattern, Binder, Patterns
from burnside.temporal.reading import ModelAtoms, unknown_action, wrong_arguments
from burnside.temporal.syntax.reader import ActionText, Bound


class ProgramAtoms(ModelAtoms):
    def __init__(self, program: Program, expressions: ExpressionReader) -> None:
        super().__init__()
        self.program, self.expressions = program, expressions

    def read_condition(self, source: Source, bound: Bound) -> Expression:
        found: Expression = self.expressions.condition(source, bound)
        return found

    def patterns(self, action: ActionText, bound: Bound) -> Patterns:
        """All actions of this name: a rule with a step in its ruleset has become several."""
        named = [each for each in enumerate(self.program.actions) if each[1].name == action.name.text]
        if not named:
            unknown_action(action, [each.name for each in self.program.actions], "action")
        if action.arguments is None:
            return tuple(ActionPattern(number) for number, _ in named)
        fitting = [each for each in named if len(each[1].parameters) == len(action.arguments)]
        if not fitting:
            raise wrong_arguments(action, len(named[0][1].parameters), "action")
        return tuple(
            ActionPattern(number, tuple(self._arguments(action, each.parameters, bound)))
            for number, each in fitting
        )

    def _arguments(
        self, action: ActionText, parameters: tuple[Parameter, ...], bound: Bound
    ) -> Iterator[Expression | None]:
        for text, parameter in zip(action.arguments or (), parameters, strict=True):
            if text is None:
                yield None
                continue
            if isinstance(parameter.domain, Positions):
                message = "an entry of a multiset has no name"
                raise InputError(text.diagnostic(message, "'_' stands for any value"))
            yield self.expressions.value(text.source.part(text.offset, text.end), parameter.type, bound)

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        type_: Scalar = self.expressions.domain(domain.source.part(domain.offset, domain.end), bound)
        low, high = bounds(type_)
        unique = self.expressions.unique_name(name.text, bound)
        show = partial(show_value, scalar=type_)
        return Binder(unique, name.text, type_, range(low, high + 1), show, name.at.span)

    def parameters(self, name: str) -> tuple[int | None, ...]:
        actions = [
            [
                ("" if isinstance(each.domain, Positions) else each.name, each.type)
                for each in action.parameters
            ]
            for action in self.program.actions
        ]
        return self.named_parameters(name, actions)

    def actors(self) -> tuple[tuple[int | None, ...], tuple[tuple[int, ...], ...]]:
        actions = self.program.actions
        processes = {each.parameters[each.actor].type for each in actions if each.actor is not None}
        if not processes:
            return (), ()
        partners = (
            tuple(
                at
                for at, parameter in enumerate(each.parameters)
                if each.actor not in (None, at) and parameter.type in processes
            )
            for each in actions
        )
        return tuple(each.actor for each in actions), tuple(partners)

    def mentioned(self, expression: Any, binders: Sequence[Binder]) -> tuple[Binder, ...]:
        names = {each.name for each in nodes(expression) if isinstance(each, Variable)}
        return tuple(each for each in binders if each.name in names)

    def closed(self, condition: Any, binders: Sequence[Binder]) -> Expression:
        found: Expression = condition
        for each in reversed(binders):
            found = Quantified("exists", Parameter(each.name, _domain(each)), found)
        return found

    def is_name(self, expression: Any) -> bool:
        return isinstance(expression, Read) and isinstance(expression.place, Variable)

    def equals_itself(self, value: Any) -> Expression:
        return Binary("=", value, value)

    def with_value(self, expression: Any, binder: Binder, value: int) -> Any:
        def change(node: Any) -> Constant | None:
            match node:
                case Read(Variable(name), span) if name == binder.name:
                    return Constant(value, binder.type, span)
                case _:
                    return None

        return replaced(expression, change)


def _domain(binder: Binder) -> Domain:
    """What holds all values of a quantified name."""
    if binder.type != INTEGER:
        return All(binder.type)
    low, high = (Constant(each, INTEGER) for each in (min(binder.values), max(binder.values)))
    return Range(low, high)
