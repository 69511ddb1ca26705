"""Operators on whole numbers of 64 bits. A result that leaves them, and a division by zero, are errors of the model."""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER, compared, computed
from burnside.ir.expressions import COMPARISONS, BinaryOperator
from burnside.reference.failures import fail


def within(value: int, span: Span | None) -> int:
    """Leaving 64 bits is an error of the model."""
    return value if MIN_NUMBER <= value <= MAX_NUMBER else fail(f"{value} does not fit into 64 bits", span)


def binary(operator: BinaryOperator, left: int, right: int, span: Span | None) -> int:
    if operator in COMPARISONS:
        return int(compared(operator, left, right))
    try:
        return within(computed(operator, left, right), span)
    except ZeroDivisionError:
        fail("a division by zero", span)
