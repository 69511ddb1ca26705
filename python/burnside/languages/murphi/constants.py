"""Arithmetic on what is known before the model runs. In: operators and numbers, or an expression of the ir. Out: a number.

Operators mean what they mean in the ir (`ir.arithmetic`); where a model divides by zero or leaves 64 bits, there is no
constant.
"""

from __future__ import annotations

from typing import Literal

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER, compared, computed
from burnside.ir.types import BOOLEAN, INTEGER


class NotConstant(Exception):
    """Why there is no number, and where, if it is not the whole expression's fault."""

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


def arithmetic(operator: str, left: int, right: int) -> int:
    try:
        result = computed(operator, left, right)
    except ZeroDivisionError:
        what = "division by zero" if operator == "/" else "remainder of a division by zero"
        raise NotConstant(what) from None
    if not MIN_NUMBER <= result <= MAX_NUMBER:
        raise NotConstant(f"{left} {_SHOWN.get(operator, operator)} {right} is beyond 64 bits")
    return result


_SHOWN = {"bit-and": "&", "bit-or": "|", "bit-xor": "^", "shift-left": "<<", "shift-right": ">>"}

ABSORBING = ("*", "/", "%", "shift-left", "shift-right", "bit-and")
"""With zero on the left they are zero, whatever is on the right: rumur takes `0 * f()` for a constant."""


def value_of(expression: e.Expression) -> int:
    """The value of a constant expression that folding left as it is, else a `NotConstant`."""
    match expression:
        case e.Constant(value):
            return value
        case e.Binary(operator, left, right, span):
            return _binary(operator, left, right, span)
        case e.Negate(operator, operand, span):
            return arithmetic("-", 0 if operator == "-" else -1, value_of(operand))
        case e.Not(operand):
            return 1 - value_of(operand)
        case e.Junction(operator, parts):
            decisive = 0 if operator == "and" else 1
            return next((decisive for part in parts if value_of(part) == decisive), 1 - decisive)
        case e.Conditional(test, then, otherwise):
            return value_of(then if value_of(test) else otherwise)
        case _:
            raise NotConstant("this is not a constant")


def _binary(operator: str, left: e.Expression, right: e.Expression, span: Span | None) -> int:
    if operator in ABSORBING and not isinstance(right, e.Constant) and value_of(left) == 0:
        return 0
    if operator in e.COMPARISONS:
        return int(compared(operator, value_of(left), value_of(right)))
    first, second = value_of(left), value_of(right)
    try:
        return arithmetic(operator, first, second)
    except NotConstant as failure:
        raise NotConstant(failure.message, span) from None


# Folding


def negated(expression: e.Expression) -> e.Expression:
    match expression:
        case e.Constant(value, _, span):
            return e.Constant(1 - value, BOOLEAN, span)
        case e.Not(operand):
            return operand
        case _:
            return e.Not(expression)


def junction(operator: Literal["and", "or"], parts: list[e.Expression]) -> e.Expression:
    """Neutral constants go, and so does what stands behind a decisive one. Junctions of the same kind are merged."""
    decisive = 0 if operator == "and" else 1
    kept: list[e.Expression] = []
    for part in parts:
        if isinstance(part, e.Constant):
            if part.value == decisive:
                kept.append(part)
                break
        elif isinstance(part, e.Junction) and part.operator == operator:
            kept += part.parts
        else:
            kept.append(part)
    if not kept:
        return e.Constant(1 - decisive, BOOLEAN)
    return kept[0] if len(kept) == 1 else e.Junction(operator, tuple(kept))


def widened(expression: e.Expression) -> e.Expression:
    return expression if e.type_of(expression) == INTEGER else e.Convert(expression, INTEGER)
