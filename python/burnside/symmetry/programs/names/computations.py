"""Arithmetic as a function of what it reads: `(id + 1) % N` of `id`, `id ^ dest` of both, `a < b + 1` of `a` and `b`.

In: an expression that computes with numbers or orders them. Out: its *operands*, the largest parts that do neither, in the
order in which they are evaluated, and the function itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from operator import itemgetter

from burnside.ir import expressions as e
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER, compared, computed
from burnside.ir.types import Element, Union, bounds


def is_computation(expression: e.Expression) -> bool:
    """Comparing a result with a constant belongs to it: `(id & 4) != 0` asks for a bit, not for a number. So do tests of the
    same operands: which of them are evaluated depends on the others."""
    match expression:
        case e.Binary("=" | "!=", left, right):
            return (isinstance(left, e.Constant) and is_computation(right)) or (
                isinstance(right, e.Constant) and is_computation(left)
            )
        case e.Binary():
            return True
        case e.Wrap(operand) | e.Not(operand):
            return is_computation(operand)
        case e.Junction(_, parts):
            first = operands(parts[0]) if parts and is_computation(parts[0]) else ()
            return bool(first) and all(_is_test_of(each, first) for each in parts)
        case _:
            return isinstance(expression, e.Negate)


def is_test_of_elements(expression: e.Expression) -> bool:
    """Is it asked whether a table of elements gives 0 or 1? Then these are truth values, not names."""
    match expression:
        case e.Binary("=" | "!=", e.Lookup(table), e.Constant()) | e.Binary(
            "=" | "!=", e.Constant(), e.Lookup(table)
        ):
            return table.values <= {0, 1} and all(
                isinstance(each, Element | Union) for each in table.arguments
            )
    return False


def _is_test_of(expression: e.Expression, known: Collection[e.Expression]) -> bool:
    """Does it depend on these operands alone?"""
    match expression:
        case e.Binary("=" | "!=", e.Constant(), side) | e.Binary("=" | "!=", side, e.Constant()) if (
            side in known
        ):
            return True
    return is_computation(expression) and all(each in known for each in operands(expression))


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
        case e.Not(operand):
            yield from _operands(operand)
        case e.Junction(_, parts):
            for part in parts:
                yield from _operands(part)


def _inside(expression: e.Expression) -> Iterator[e.Expression]:
    if is_computation(expression) or isinstance(expression, e.Wrap):
        yield from _operands(expression)
    elif not isinstance(expression, e.Constant):
        yield expression


Function = Callable[[Sequence[int]], int | None]


def function_of(expression: e.Expression) -> Function:
    """Of values of the operands; None where the computation fails."""
    return _function(expression, {each: at for at, each in enumerate(operands(expression))})


def _function(expression: e.Expression, places: Mapping[e.Expression, int]) -> Function:
    place = places.get(expression)
    if place is not None:
        return itemgetter(place)
    match expression:
        case e.Constant(value):
            return lambda _: value
        case e.Binary(operator, left, right):
            return _binary(operator, _function(left, places), _function(right, places))
        case e.Negate(operator, operand):
            inner = _function(operand, places)
            if operator == "-":
                return _then(inner, lambda value: _within(-value))
            return _then(inner, lambda value: ~value)
        case e.Not(operand):
            return _then(_function(operand, places), lambda value: 1 - value)
        case e.Junction(operator, parts):
            return _junction(operator == "and", [_function(each, places) for each in parts])
        case e.Wrap(operand, type_):
            low, high = bounds(type_)
            return _then(_function(operand, places), lambda value: wrapped(value, low, high))
    raise AssertionError(f"no computation: {expression}")


def _then(first: Function, second: Callable[[int], int | None]) -> Function:
    def both(values: Sequence[int]) -> int | None:
        found = first(values)
        return None if found is None else second(found)

    return both


def _junction(is_and: bool, parts: Sequence[Function]) -> Function:
    def apply(values: Sequence[int]) -> int | None:
        for part in parts:
            found = part(values)
            if found is None or bool(found) != is_and:
                return found
        return int(is_and)

    return apply


def _binary(operator: str, left: Function, right: Function) -> Function:
    def apply(values: Sequence[int]) -> int | None:
        one, other = left(values), right(values)
        if one is None or other is None:
            return None
        if operator in e.COMPARISONS:
            return int(compared(operator, one, other))
        try:
            return _within(computed(operator, one, other))
        except ZeroDivisionError:
            return None

    return apply


def _within(value: int) -> int | None:
    return value if MIN_NUMBER <= value <= MAX_NUMBER else None


def wrapped(value: int, low: int, high: int) -> int:
    return (value - low) % (high - low + 1) + low
