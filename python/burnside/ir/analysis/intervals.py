"""Bounds of values, and whether a value certainly belongs to a type, from types and constants alone.

In: flat expressions. Out: intervals and booleans; "not known" is None, "perhaps not" is no.
"""

from __future__ import annotations

from burnside.ir.analysis.flat import Expr
from burnside.ir.types import Element, Integer, Scalar, Union, bounds

Interval = tuple[int, int]
MAX_MAGNITUDE = 2**62
"""Sums and differences of numbers below this stay within 64 bits."""


def interval(expr: Expr) -> Interval | None:
    match expr.op:
        case "const":
            return expr.value, expr.value
        case "choice" if expr.args[2].op == "never":
            return interval(expr.args[1])
        case "choice":
            return _hull(interval(expr.args[1]), interval(expr.args[2]))
        case "+" | "-":
            return _sum(expr.op, interval(expr.args[0]), interval(expr.args[1]))
        case "%":
            return _remainder(interval(expr.args[0]), interval(expr.args[1]))
        case "convert" if is_number(expr.type) and fits(expr.args[0], expr.type):
            return interval(expr.args[0])
        case "lookup" if is_number(expr.type) and expr.table is not None and expr.table.values:
            return min(expr.table.values), max(expr.table.values)
        case "count":
            return 0, 2**31
        case _:
            return type_interval(expr.type)


def _hull(one: Interval | None, other: Interval | None) -> Interval | None:
    if one is None or other is None:
        return None
    return min(one[0], other[0]), max(one[1], other[1])


def _sum(operator: str, one: Interval | None, other: Interval | None) -> Interval | None:
    if one is None or other is None:
        return None
    if operator == "+":
        return one[0] + other[0], one[1] + other[1]
    return one[0] - other[1], one[1] - other[0]


def _remainder(one: Interval | None, other: Interval | None) -> Interval | None:
    """It has the sign of the left side, and is smaller than the right one."""
    if one is None or other is None:
        return None
    most = max(abs(other[0]), abs(other[1])) - 1
    return (0 if one[0] >= 0 else -most), (0 if one[1] <= 0 else most)


def is_number(type_: Scalar) -> bool:
    return not isinstance(type_, Element | Union)


def type_interval(type_: Scalar) -> Interval | None:
    return None if isinstance(type_, Integer) and type_.low is None else bounds(type_)


def fits(expr: Expr, type_: Scalar) -> bool:
    """Certainly a value of the type. Of a constant its value decides: it may be outside the type that it claims."""
    own = expr.type
    if expr.op == "never":
        return True
    if expr.op == "choice":
        return fits(expr.args[1], type_) and fits(expr.args[2], type_)
    if is_number(own) and is_number(type_):
        target, values = type_interval(type_), interval(expr)
        return target is None or (values is not None and target[0] <= values[0] and values[1] <= target[1])
    if own == type_:
        return expr.op != "const" or _within(expr.value, bounds(type_))
    return isinstance(own, Element) and isinstance(type_, Union) and own.sort in type_.sorts


def _within(value: int, ends: Interval) -> bool:
    return ends[0] <= value <= ends[1]


def operator_fails(operator: str, left: Expr, right: Expr) -> bool:
    """Apart from its operands: leaving 64 bits, dividing by zero."""
    match operator:
        case "+" | "-":
            ends = (interval(left), interval(right))
            return any(each is None or max(map(abs, each)) >= MAX_MAGNITUDE for each in ends)
        case "*":
            one, other = interval(left), interval(right)
            if one is None or other is None:
                return True
            return max(map(abs, one)) * max(map(abs, other)) >= MAX_MAGNITUDE
        case "/" | "%":
            divisor, number = interval(right), interval(left)
            if divisor is None or divisor[0] <= 0 <= divisor[1]:
                return True
            # The smallest number divided by -1 leaves 64 bits.
            return divisor[0] <= -1 <= divisor[1] and (number is None or number[0] <= -MAX_MAGNITUDE)
        case _:
            return False
