"""Can evaluating this fail? Answered from types alone, and from what is known to be defined always; "perhaps" is yes.

In: expressions and places, with the slots of the state that are never undefined. Out: booleans.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.ir import expressions as e
from burnside.ir.types import Array, Bag, Element, Optional, Record, Scalar, Type, Union, bounds
from burnside.symmetry.definedness import Slot, slot_of

Interval = tuple[int, int]


def interval(expression: e.Expression) -> Interval | None:
    """Between which numbers the value lies, where that is known."""
    match expression:
        case e.Constant(value):
            return value, value
        case e.Binary("+" | "-" as operator, left, right):
            one, other = interval(left), interval(right)
            if one is None or other is None:
                return None
            if operator == "+":
                return one[0] + other[0], one[1] + other[1]
            return one[0] - other[1], one[1] - other[0]
        case e.Conditional(_, then, otherwise):
            one, other = interval(then), interval(otherwise)
            return None if one is None or other is None else (min(one[0], other[0]), max(one[1], other[1]))
        case e.Convert(operand, type_):
            return interval(operand) if _numbers(type_) and fits(operand, type_) else _type_bounds(type_)
        case e.Count():
            return 0, 2**31
        case _:
            return _type_bounds(e.type_of(expression))


def _numbers(type_: Scalar) -> bool:
    return not isinstance(type_, Element | Union)


def _type_bounds(type_: Scalar) -> Interval | None:
    try:
        return bounds(type_)
    except ValueError:
        return None


def fits(expression: e.Expression, type_: Scalar) -> bool:
    """Certainly a value of the type."""
    own = e.type_of(expression)
    if own == type_:
        return True
    if _numbers(own) and _numbers(type_):
        target = _type_bounds(type_)
        if target is None:
            return True
        values = interval(expression)
        return values is not None and target[0] <= values[0] and values[1] <= target[1]
    return isinstance(own, Element) and isinstance(type_, Union) and own.sort in type_.sorts


class Failing:
    """`defined`: slots of the state that are never undefined, outside of start states. `total`: functions that change
    nothing, and fail only where their arguments do; with the types of their parameters."""

    def __init__(
        self, defined: frozenset[Slot] = frozenset(), total: Mapping[str, tuple[Type, ...]] | None = None
    ) -> None:
        self.defined = defined
        self.total = total or {}

    def place(self, place: e.Place) -> bool:
        match place:
            case e.Variable():
                return False
            case e.Component(record):
                return self.place(record)
            case e.Index(array, index):
                array_type = e.type_of_place(array)
                assert isinstance(array_type, Array)
                return self.place(array) or self.expression(index) or not fits(index, array_type.index)
            case e.Entry():
                return True

    def read(self, place: e.Place) -> bool:
        """Of a scalar, undefined being a failure."""
        optional = isinstance(e.type_of_place(place), Optional)
        return self.place(place) or (optional and slot_of(place) not in self.defined)

    def expression(self, expression: e.Expression) -> bool:
        match expression:
            case e.Constant():
                return False
            case e.Read(place):
                return self.read(place)
            case e.IsDefined(place):
                return self.place(place)
            case e.Same(left, right):
                return self.place(left) or self.place(right)
            case e.Binary(operator, left, right):
                return (
                    self.expression(left) or self.expression(right) or operator_fails(operator, left, right)
                )
            case e.Not(operand) | e.IsMember(operand):
                return self.expression(operand)
            case e.Junction(_, parts):
                return any(map(self.expression, parts))
            case e.Conditional(test, then, otherwise):
                return any(map(self.expression, (test, then, otherwise)))
            case e.Convert(operand, type_):
                return self.expression(operand) or not fits(operand, type_)
            case e.Quantified(_, bound, body) | e.Count(bound, body):
                return self.domain(bound.domain) or self.expression(body)
            case e.Call(function, arguments):
                types = self.total.get(function)
                return types is None or any(map(self._argument, arguments, types))
            case _:
                return True

    def _argument(self, argument: e.Expression | e.Place, type_: Type) -> bool:
        """Can passing it by value fail?"""
        if isinstance(argument, e.Variable | e.Index | e.Component | e.Entry):
            return True
        content = type_.type if isinstance(type_, Optional) else type_
        return (
            self.expression(argument)
            or isinstance(content, Array | Record | Bag)
            or not fits(argument, content)
        )

    def domain(self, domain: e.Domain) -> bool:
        match domain:
            case e.All():
                return False
            case e.Range(low, high, step):
                zero = not isinstance(step, e.Constant) or step.value == 0
                return zero or self.expression(low) or self.expression(high)
            case e.Positions(bag):
                return self.place(bag)


def operator_fails(operator: str, left: e.Expression, right: e.Expression) -> bool:
    """Apart from its operands. Sums of bounded numbers stay within 64 bits."""
    if operator in e.COMPARISONS or operator in ("bit-and", "bit-or", "bit-xor"):
        return False
    if operator in ("+", "-"):
        ends = [end for operand in (left, right) for end in interval(operand) or (2**63,)]
        return any(abs(end) >= 2**62 for end in ends)
    return not (operator in ("/", "%") and isinstance(right, e.Constant) and right.value not in (0, -1))
