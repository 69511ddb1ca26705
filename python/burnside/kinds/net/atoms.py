"""Atoms of formulas over a net: conditions on markings, transitions by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnside.diagnostics import Source, UnsupportedError
from burnside.languages.net_expressions import Expression, read_expression
from burnside.languages.shared.spans import Extent, Identifier
from burnside.net import Net
from burnside.temporal.atoms import ActionPattern, Binder, Patterns
from burnside.temporal.reading import ModelAtoms, unknown_action, wrong_arguments
from burnside.temporal.syntax.reader import ActionText, Bound


class NetAtoms(ModelAtoms):
    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def read_condition(self, source: Source, bound: Bound) -> Expression:
        return read_expression(source, self.net)

    def patterns(self, action: ActionText, bound: Bound) -> Patterns:
        number = self.net.transition_numbers.get(action.name.text)
        if number is None:
            unknown_action(action, self.net.transitions, "transition")
        if action.arguments is not None:
            raise wrong_arguments(action, 0, "transition")
        return (ActionPattern(number),)

    def binder(self, name: Identifier, domain: Extent, bound: Bound) -> Binder:
        message = "a place/transition net has no sets that names could range over"
        raise UnsupportedError(domain.diagnostic(message))

    def mentioned(self, expression: Any, binders: Sequence[Binder]) -> tuple[Binder, ...]:
        return ()

    def with_value(self, expression: Any, binder: Binder, value: int) -> Any:
        return expression
