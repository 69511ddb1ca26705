"""Arithmetic and comparisons of whole numbers of 64 bits. What leaves them (but for shifts), and what has no result,
fails."""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.expressions import BinaryOperator
from burnside.reference.failures import fail
from burnside.reference.values import LEAST, MOST


def within(value: int, span: Span | None) -> int:
    """Leaving 64 bits is an error of the model."""
    return value if LEAST <= value <= MOST else fail(f"{value} does not fit into 64 bits", span)


def binary(operator: BinaryOperator, left: int, right: int, span: Span | None) -> int:
    match operator:
        case "+":
            return within(left + right, span)
        case "-":
            return within(left - right, span)
        case "*":
            return within(left * right, span)
        case "/" | "%":
            return within(divided(operator, left, right, span), span)
        case "bit-and":
            return left & right
        case "bit-or":
            return left | right
        case "bit-xor":
            return left ^ right
        case "shift-left":
            return shifted(left, right)
        case "shift-right":
            return shifted(left, -right)
        case "=":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)


def divided(operator: BinaryOperator, left: int, right: int, span: Span | None) -> int:
    """Rounded towards zero; the remainder has the sign of the left side."""
    if right == 0:
        fail("a division by zero", span)
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if operator == "/" else left - quotient * right


def shifted(value: int, by: int) -> int:
    """To the left, or by a negative number to the right, where the sign is kept. Bits that fall out are lost."""
    moved = value << min(by, 64) if by >= 0 else value >> min(-by, 64)
    return (moved - LEAST) % 2**64 + LEAST
