"""Arithmetic as a function of what it reads: `(id + 1) % N` of `id`, `id ^ dest` of both, `a < b + 1` of `a` and `b`.

In: an expression that computes with numbers or orders them. Out: its *operands*, the largest parts that do neither, in the
order in which they are evaluated, and the function itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.ir import expressions as e
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER, compared, computed
from burnside.ir.types import bounds


def is_computation(expression: e.Expression) -> bool:
    """Comparing a result with a constant belongs to it: `(id & 4) != 0` asks for a bit, not for a number."""
    match expression:
        case e.Binary("=" | "!=", left, right):
            return (isinstance(left, e.Constant) and is_computation(right)) or (
                isinstance(right, e.Constant) and is_computation(left)
            )
        case e.Binary():
            return True
        case e.Wrap(operand):
            return is_computation(operand)
        case _:
            return isinstance(expression, e.Negate)


def operands(expression: e.Expression) -> tuple[e.Expression, ...]:
    """Each once: evaluating one again gives the same, or fails in the same way."""
    return tuple(dict.fromkeys(_operands(expression)))


def _operands(expression: e.Expression) -> Iterator[e.Expression]:
    match expression:
        case e.Binary(_, left, right):
            for side in (left, right):
                yield from _inside(side)
        case e.Negate(_, operand) | e.Wrap(operand):
            yield from _inside(operand)


def _inside(expression: e.Expression) -> Iterator[e.Expression]:
    if is_computation(expression) or isinstance(expression, e.Wrap):
        yield from _operands(expression)
    elif not isinstance(expression, e.Constant):
        yield expression


def result(expression: e.Expression, values: Sequence[int]) -> int | None:
    """For values of the operands; None where the computation fails."""
    return _result(expression, dict(zip(operands(expression), values, strict=True)))


def _result(expression: e.Expression, known: Mapping[e.Expression, int]) -> int | None:
    if expression in known:
        return known[expression]
    match expression:
        case e.Constant(value):
            return value
        case e.Binary(operator, left, right):
            one, other = _result(left, known), _result(right, known)
            if one is None or other is None:
                return None
            if operator in e.COMPARISONS:
                return int(compared(operator, one, other))
            try:
                return _within(computed(operator, one, other))
            except ZeroDivisionError:
                return None
        case e.Negate(operator, operand):
            inner = _result(operand, known)
            return None if inner is None else _within(-inner if operator == "-" else ~inner)
        case e.Wrap(operand, type_):
            inner = _result(operand, known)
            return None if inner is None else wrapped(inner, *bounds(type_))
    raise AssertionError(f"no computation: {expression}")


def _within(value: int) -> int | None:
    return value if MIN_NUMBER <= value <= MAX_NUMBER else None


def wrapped(value: int, low: int, high: int) -> int:
    return (value - low) % (high - low + 1) + low
