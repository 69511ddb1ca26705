"""Arithmetic and comparisons of whole numbers, as programs mean them.

In: an operator of `expressions` and two numbers. Out: the exact result. Numbers of programs have 64 bits; what it means that
a sum, difference, product or quotient leaves them is for the caller to say.
"""

from __future__ import annotations

MIN_NUMBER, MAX_NUMBER = -(2**63), 2**63 - 1


def computed(operator: str, left: int, right: int) -> int:
    """ZeroDivisionError where a division has no result. Shifts by a negative count go the other way."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return _quotient(left, right)
        case "%":
            return left - _quotient(left, right) * right
        case "bit-and":
            return left & right
        case "bit-or":
            return left | right
        case "bit-xor":
            return left ^ right
        case "shift-left":
            return _shifted(left, right)
        case "shift-right":
            return _shifted(left, -right)
        case _:
            raise AssertionError(operator)


def compared(operator: str, left: int, right: int) -> bool:
    match operator:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case _:
            raise AssertionError(operator)


def _quotient(left: int, right: int) -> int:
    """Rounded towards zero, so the remainder has the sign of the left side."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _shifted(value: int, by: int) -> int:
    """To the left, or by a negative number to the right, where the sign is kept. Bits that are shifted out are lost."""
    moved = value << min(by, 64) if by >= 0 else value >> min(-by, 64)
    return (moved - MIN_NUMBER) % 2**64 + MIN_NUMBER
