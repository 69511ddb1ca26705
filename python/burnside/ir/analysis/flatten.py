"""Programs made flat: calls replaced by bodies, aliases by places, evaluation written out in order.

In: a `Program`. Out: a `flat.Program` of the same meaning, in which every end and every failure is a node of its own. The
work is in `flattening`.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.ir import expressions as e
from burnside.ir import program as p
from burnside.ir.analysis import flat
from burnside.ir.analysis.flattening.names import MAX_STATEMENTS, NotFlat, Out
from burnside.ir.analysis.flattening.statements import Statements

__all__ = ["NotFlat", "flatten"]


def flatten(
    program: p.Program, check: Callable[[], None] = lambda: None, most: int = MAX_STATEMENTS
) -> flat.Program:
    """`check` is called now and then; it may raise to end the work. `NotFlat`: there are more than `most` statements."""
    flattener = _Flattener(program, check)
    flattener.most = most
    return flat.Program(
        tuple(flat.Variable(each.name, each.type) for each in program.variables),
        tuple(map(flattener.action, program.starts)),
        tuple(map(flattener.action, program.actions)),
        tuple(map(flattener.property, program.properties)),
        flattener.proper_end(program.proper_end),
    )


class _Flattener(Statements):
    """The parts of a program, one by one."""

    def action(self, action: p.Action) -> flat.Action:
        self._begin()
        parameters = tuple(map(self._parameter, action.parameters))
        before: Out = []
        self.is_question = True
        guard = self.value(action.guard, before)
        self.is_question = False
        body = self._body(action.body, None)
        return flat.Action(
            action.name,
            parameters,
            flat.Code(tuple(before), guard),
            body,
            action.actor,
            action.keeps_control,
            action.idle,
            action.span,
        )

    def property(self, each: p.Property) -> flat.Property:
        self.is_question = each.kind != "assumption"  # which the step to a state evaluates
        code = None if each.expression is None else self._code(each.expression)
        return flat.Property(each.kind, each.name, code, each.span)

    def proper_end(self, test: e.Expression | None) -> flat.Property | None:
        self.is_question = True
        return None if test is None else flat.Property("proper end", "", self._code(test))

    def _code(self, expression: e.Expression) -> flat.Code:
        self._begin()
        before: Out = []
        test = self.value(expression, before)
        return flat.Code(tuple(before), test)

    def _begin(self) -> None:
        self._check()
        self.names = dict(self._state)
        self._returns = []

    def _parameter(self, bound: e.Bound) -> flat.Binder:
        before: Out = []
        binder = self.binder(bound, before)
        if before:
            raise NotFlat(f"the values of {bound.name} are found by a function", None)
        return binder
