"""Ways of combining what is there with a value whose order does not show.

In: assignments and tests. Out: how they combine, and with what; None for all others. `docs/programs.md` has the arguments
(sums, junctions, extremes).
"""

from __future__ import annotations

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.flat import Expr, Place
from burnside.ir.analysis.intervals import interval


def _content(value: Expr) -> Expr:
    """Without the check that the result is in range."""
    return value.args[0] if value.op == "convert" else value


def accumulated(place: Place, value: Expr) -> tuple[str, tuple[Expr, ...]] | None:
    """`x := x + e` with `e` of one sign, `b := b or e`, `b := b and e`: how, and with what.

    Sums of one sign leave the range of `x` in every order or in none, because partial sums lie between `x` and the total.
    The operands of `or` and `and` are not always evaluated: they must not fail. Only `b` may, if it stands first.
    """
    inner = _content(value)
    match inner.op:
        case "+" | "-" if inner.op == "+" or _is_load_of(inner.args[0], place):
            one, other = inner.args
            operand = other if _is_load_of(one, place) else one if _is_load_of(other, place) else None
            if operand is None or _reads(operand, place):
                return None
            sign = _sign(operand)
            if sign is None:
                return None
            return ("up" if (sign > 0) == (inner.op == "+") else "down"), (operand,)
        case "and" | "or" if value is inner:
            if any(map(walking.can_fail, inner.args[1:])):
                return None
            others = tuple(each for each in inner.args if not _is_load_of(each, place))
            if any(map(walking.can_fail, others)):
                return None
            if len(others) == len(inner.args) or any(_reads(each, place) for each in others):
                return None
            return inner.op, others
    return None


def extreme(statement: flat.If) -> tuple[str, Place, Expr] | None:
    """`if e > x then x := e end`: the largest or the smallest, and the value as it is assigned, range check included.

    The test reads both, so a failure does not depend on the order. A value above the range of `x` is larger than whatever
    `x` holds, and is found out in every order; one below it is never stored.
    """
    match statement:
        case flat.If((flat.Branch(test, (flat.Assign(place, value),)),), ()):
            pass
        case _:
            return None
    operand = _content(value)
    if _reads(operand, place):
        return None
    if test.op in (">", ">="):
        left, right = test.args
    elif test.op in ("<", "<="):
        right, left = test.args
    else:
        return None
    if left == operand and _is_load_of(right, place):
        return "max", place, value
    if _is_load_of(left, place) and right == operand:
        return "min", place, value
    return None


def _is_load_of(expr: Expr, place: Place) -> bool:
    """The very place: what its indices read cannot change between reading and writing."""
    return expr.op == "load" and expr.places[0] == place


def _reads(expr: Expr, place: Place) -> bool:
    """May it look at that variable?"""
    return any(each.root == place.root for inner in walking.inner_exprs(expr) for each in inner.places)


def _sign(expr: Expr) -> int | None:
    """1: never negative; -1: never positive."""
    values = interval(expr)
    if values is None:
        return None
    return 1 if values[0] >= 0 else -1 if values[1] <= 0 else None
