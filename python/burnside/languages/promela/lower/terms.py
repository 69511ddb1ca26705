"""Numbers and truth values while expressions are lowered: expressions of the ir with their bounds, folded where constant.

C computes in 32 bits. Here arithmetic has 64, and wraps to 32 where the bounds say that it may leave them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir.types import INTEGER, Element, Integer
from burnside.languages.promela.types import INT
from burnside.records import record

INT_LOW, INT_HIGH = -(2**31), 2**31 - 1
INT_TYPE = Integer(INT_LOW, INT_HIGH)


@record
class Number:
    """An expression of an integer type, and the values it can have."""

    expression: e.Expression
    low: int
    high: int

    @property
    def constant(self) -> int | None:
        return self.low if self.low == self.high else None


def constant(value: int) -> Number:
    return Number(e.Constant(value, INTEGER), value, value)


def number_of_truth(test: e.Expression) -> Number:
    """0 or 1."""
    if test == e.TRUE or test == e.FALSE:
        return constant(int(test == e.TRUE))
    return Number(e.Conditional(test, e.Constant(1, INTEGER), e.Constant(0, INTEGER)), 0, 1)


def truth_of_number(number: Number) -> e.Expression:
    if number.constant is not None:
        return e.TRUE if number.constant else e.FALSE
    match number.expression:
        case e.Conditional(test, e.Constant(1, _), e.Constant(0, _)):
            return test
    if number.low > 0 or number.high < 0:
        return e.TRUE
    return e.Binary("!=", number.expression, e.Constant(0, INTEGER))


def wrapped(number: Number, type_: Integer) -> Number:
    """What is left of it in a variable of this type."""
    assert type_.low is not None and type_.high is not None
    if type_.low <= number.low and number.high <= type_.high:
        return number
    if number.constant is not None:
        size = type_.high - type_.low + 1
        return constant((number.constant - type_.low) % size + type_.low)
    return Number(e.Wrap(number.expression, type_), type_.low, type_.high)


def _in_int(expression: e.Expression, low: int, high: int) -> Number:
    return wrapped(Number(expression, low, high), INT_TYPE)


_ARITHMETIC: dict[str, e.BinaryOperator] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "%": "%", "&": "bit-and", "|": "bit-or", "^": "bit-xor",
    "<<": "shift-left", ">>": "shift-right",
}  # fmt: skip
_COMPARISONS: dict[str, e.BinaryOperator] = {
    "==": "=",
    "!=": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
}


_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def entries_by_process(number: Number) -> e.Lookup | None:
    """The table, where a number depends on a process alone."""
    match number.expression:
        case e.Lookup(e.Table(_, (Element(),))) as found:
            return found
    return None


def _by_process(one: Number, other: Number, value_of: Callable[[int, int], int | None]) -> Number | None:
    """What is computed from the pid of a process and constants alone is a table of processes: then only what it tells apart
    is told apart. `_pid % 2` knows two kinds of processes, and `_pid` itself as many as there are."""
    tables = [each.expression for each in (one, other) if isinstance(each.expression, e.Lookup)]
    if not tables or len({each.arguments for each in tables}) != 1:
        return None
    first = tables[0]
    if entries_by_process(one if one.expression is first else other) is None:
        return None
    sides = []
    for each in (one, other):
        if isinstance(each.expression, e.Lookup):
            sides.append(each.expression.table.entries)
        elif each.constant is not None:
            sides.append((each.constant,) * len(first.table.entries))
        else:
            return None
    entries: list[int] = []
    for left, right in zip(*sides, strict=True):
        value = None if left is None or right is None else value_of(left, right)
        if value is None:
            return None
        entries.append(value)
    low, high = min(entries), max(entries)
    if low == high:
        return constant(low)
    # Not the tightest type: a range of the type is one that numbers of processes would have to keep to.
    type_ = Integer(0, 255) if low >= 0 and high <= 255 else INT_TYPE
    table = e.Table(first.table.name, first.table.arguments, type_, tuple(entries))
    return Number(e.Lookup(table, first.arguments), low, high)


def _in_c(operator: str, left: int, right: int) -> int | None:
    value = computed(operator, left, right)
    return None if value is None else INT.wraps(value)


def arithmetic(operator: str, left: Number, right: Number, span: Span) -> Number:
    if left.constant is not None and right.constant is not None:
        value = computed(operator, left.constant, right.constant)
        if value is not None:
            return constant(INT.wraps(value))
    if (operator in ("+", "-", "|", "^") and right.constant == 0) or (
        operator == "*" and right.constant == 1
    ):
        return left
    by_process = _by_process(left, right, lambda a, b: _in_c(operator, a, b))
    if by_process is not None:
        return by_process
    expression = e.Binary(_ARITHMETIC[operator], left.expression, right.expression, span)
    if operator == "<<" and (right.low < 0 or right.high > 31):
        return Number(e.Wrap(expression, INT_TYPE), INT_LOW, INT_HIGH)
    low, high = _range(operator, left, right)
    return _in_int(expression, low, high)


def computed(operator: str, left: int, right: int) -> int | None:
    """As C, but for the bits; None where C does not say."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%":
            if right == 0:
                return None
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return left << right if 0 <= right < 32 else None
        case ">>":
            return left >> right if 0 <= right < 32 else None
    return None


def _range(operator: str, left: Number, right: Number) -> tuple[int, int]:
    corners = [(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
    match operator:
        case "+":
            return left.low + right.low, left.high + right.high
        case "-":
            return left.low - right.high, left.high - right.low
        case "*":
            products = [a * b for a, b in corners]
            return min(products), max(products)
        case "/":
            most = max(abs(left.low), abs(left.high))
            return (-most if left.low < 0 or right.low < 0 else 0), most
        case "%":
            most = max(max(abs(right.low), abs(right.high)) - 1, 0)
            return (-most if left.low < 0 else 0), min(most, max(left.high, 0))
        case "&" if left.low >= 0 or right.low >= 0:
            return 0, min(each.high for each in (left, right) if each.low >= 0)
        case "&" | "|" | "^" if left.low >= 0 and right.low >= 0:
            return 0, (1 << max(left.high.bit_length(), right.high.bit_length())) - 1
        case "<<" if left.low >= 0:
            return 0, left.high << right.high
        case ">>" if left.low >= 0 and right.low >= 0:
            return 0, left.high >> right.low
    return INT_LOW, INT_HIGH


def negated(operator: Literal["-", "~"], operand: Number, span: Span) -> Number:
    if operand.constant is not None:
        return constant(INT.wraps(-operand.constant if operator == "-" else ~operand.constant))
    expression = e.Negate(operator, operand.expression, span)
    if operator == "-":
        return _in_int(expression, -operand.high, -operand.low)
    return _in_int(expression, ~operand.high, ~operand.low)


def compared(operator: str, left: Number, right: Number) -> e.Expression:
    if left.constant is not None and right.constant is not None:
        return truth(_COMPARED[operator](left.constant, right.constant))
    if operator in ("==", "!=") and (left.high < right.low or right.high < left.low):
        return truth(operator == "!=")
    if (operator == "<" and left.high < right.low) or (operator == "<=" and left.high <= right.low):
        return e.TRUE
    if (operator == ">" and left.low > right.high) or (operator == ">=" and left.low >= right.high):
        return e.TRUE
    if operator in ("==", "!=") and right.constant in (0, 1):
        # A comparison of a truth value.
        match left.expression:
            case e.Conditional(test, e.Constant(1, _), e.Constant(0, _)):
                return test if (right.constant == 1) == (operator == "==") else negation(test)
    by_process = _by_process(left, right, lambda a, b: int(_COMPARED[operator](a, b)))
    if by_process is not None:
        if by_process.constant is not None:
            return truth(bool(by_process.constant))
        return e.Binary("=", by_process.expression, e.Constant(1, Integer(0, 255)))
    return e.Binary(_COMPARISONS[operator], left.expression, right.expression)


def truth(value: bool) -> e.Expression:
    return e.TRUE if value else e.FALSE


def negation(test: e.Expression) -> e.Expression:
    match test:
        case e.Constant(value, _):
            return truth(not value)
        case e.Not(inner):
            return inner
        case e.Binary("=", left, right, span):
            return e.Binary("!=", left, right, span)
        case e.Binary("!=", left, right, span):
            return e.Binary("=", left, right, span)
    return e.Not(test)


def conjunction(parts: Sequence[e.Expression]) -> e.Expression:
    return _junction("and", parts, e.TRUE, e.FALSE)


def disjunction(parts: Sequence[e.Expression]) -> e.Expression:
    return _junction("or", parts, e.FALSE, e.TRUE)


def _junction(
    operator: Literal["and", "or"],
    parts: Sequence[e.Expression],
    neutral: e.Expression,
    decides: e.Expression,
) -> e.Expression:
    found: list[e.Expression] = []
    for part in parts:
        if part == decides:
            if not found:
                return decides
            # What comes before may fail.
            found.append(part)
            break
        if part == neutral:
            continue
        if isinstance(part, e.Junction) and part.operator == operator:
            found += part.parts
        else:
            found.append(part)
    if not found:
        return neutral
    return found[0] if len(found) == 1 else e.Junction(operator, tuple(found))


def pruned(parts: Sequence[e.Expression]) -> e.Expression:
    """A conjunction of parts that cannot fail: false where one of them is."""
    return e.FALSE if e.FALSE in parts else conjunction(parts)
