"""Long chains of operators as shallow trees.

In: the operands of `a + b - c ...` and the operators between them. Out: a tree. Up to `MAX_SPINE` operators it leans to
the left, as languages define it. A longer one is halved again and again, so that its depth is the logarithm of its length
and nothing that walks the tree needs a deep stack. Operands keep their order. Only operators for which that means the same
come here: associative ones, and `-` among `+`, where what stands behind a minus changes its signs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Tree = TypeVar("Tree")

MAX_SPINE = 32
FLIPPED = {"+": "-", "-": "+"}


def chained(
    operands: Sequence[Tree], operators: Sequence[str], join: Callable[[str, Tree, Tree], Tree]
) -> Tree:
    """`operators[i]` stands before `operands[i + 1]`."""
    if len(operators) > MAX_SPINE:
        return _halved(operands, operators, join, flipped=False)
    tree = operands[0]
    for operator, operand in zip(operators, operands[1:], strict=True):
        tree = join(operator, tree, operand)
    return tree


def chained_height(heights: Sequence[int]) -> int:
    """Of the tree, from those of its operands."""
    if len(heights) > MAX_SPINE + 1:
        return max(heights) + (len(heights) - 1).bit_length()
    height = heights[0]
    for each in heights[1:]:
        height = 1 + max(height, each)
    return height


def _halved(
    operands: Sequence[Tree],
    operators: Sequence[str],
    join: Callable[[str, Tree, Tree], Tree],
    *,
    flipped: bool,
) -> Tree:
    """`flipped`: this stands behind a minus, so a - (b + c) for a - b - c."""
    if len(operands) == 1:
        return operands[0]
    middle = len(operands) // 2
    operator = operators[middle - 1]
    operator = FLIPPED[operator] if flipped else operator
    left = _halved(operands[:middle], operators[: middle - 1], join, flipped=flipped)
    behind = flipped != (operator == "-")
    right = _halved(operands[middle:], operators[middle:], join, flipped=behind)
    return join(operator, left, right)
