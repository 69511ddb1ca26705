"""Arithmetic on one small number, written out as a table: `(i + 1) % 4`, `i = 0 ? 3 : i - 1`, `1 - p`, or functions of that.

In: a program. Out: the same program, in which such an expression is a call of a function that compares its argument with
every number of the range and returns a constant: no arithmetic is left, and what the table is symmetric under, a ring's
rotations for instance, is seen by renaming its constants. Only expressions that map a range into itself are replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Function, Parameter, Program
from burnside.ir.types import Integer, Optional, Type
from burnside.ir.walking import nodes, replaced
from burnside.records import field, record, replace

MAX_VALUES = 32
Bounds = tuple[int, int]
Wanted = Callable[[Bounds], bool]


class _NoValue(Exception):
    """Not a pure expression of one number, or it fails."""


class _Undefined(Exception):
    """The number was asked for, and there is none."""


def with_tables(program: Program, wanted: Wanted = lambda _: True) -> Program:
    """`wanted` says for which ranges."""
    tables = _Tables(wanted)
    functions = tuple(tables.function(each) for each in program.functions)
    program = replaced(replace(program, functions=functions), tables.table_of)
    return replace(program, functions=(*program.functions, *tables.made.values()))


@record(frozen=False)
class _Tables:
    wanted: Wanted
    made: dict[tuple[int, ...], Function] = field(default_factory=dict)

    def function(self, function: Function) -> Function:
        """With a table for its body, if it only computes one number from another."""
        if len(function.parameters) != 1 or function.parameters[0].by_reference:
            return function
        variable = function.parameters[0].variable
        bounds = _bounds(variable.type)
        if bounds is None or function.result != Integer(*bounds) or not self.wanted(bounds):
            return function
        if not _asks(lambda: _returned(function.body, variable, None)):
            return function
        try:
            values = [_returned(function.body, variable, value) for value in _range(bounds)]
        except _NoValue:
            return function
        if not all(value is not None and bounds[0] <= value <= bounds[1] for value in values):
            return function
        return replace(function, body=_table(variable, bounds, [value or 0 for value in values]))

    def table_of(self, node: Any) -> Any:
        """A call of a table in the place of an expression that is one."""
        if not isinstance(node, e.Binary | e.Conditional | e.Convert | e.Negate) or not _computes(node):
            return None
        if not isinstance(e.type_of(node), Integer):
            return None
        reads = {each.place: each for each in nodes(node) if isinstance(each, e.Read)}
        if len(reads) != 1 or any(isinstance(each, e.Call | e.Bound) for each in nodes(node)):
            return None
        (place, read), *_ = reads.items()
        bounds = _bounds(e.type_of_place(place))
        if bounds is None or not self.wanted(bounds):
            return None
        if not _asks(lambda: _evaluated(node, place, None)):
            return None
        try:
            values = tuple(_evaluated(node, place, value) for value in _range(bounds))
        except _NoValue:
            return None
        if not all(bounds[0] <= value <= bounds[1] for value in values):
            return None
        if values == tuple(_range(bounds)):
            return read
        return e.Call(self._made(bounds, values).name, (read,), Integer(*bounds), getattr(node, "span", None))

    def _made(self, bounds: Bounds, values: tuple[int, ...]) -> Function:
        key = (*bounds, *values)
        if key not in self.made:
            type_ = Integer(*bounds)
            name = f"{bounds[0]}..{bounds[1]} to {', '.join(map(str, values))}"
            variable = e.Variable(f"{name}/number", type_)
            body = _table(variable, bounds, list(values))
            self.made[key] = Function(name, (Parameter(variable, by_reference=False),), type_, body)
        return self.made[key]


def _bounds(type_: Type) -> Bounds | None:
    match type_.type if isinstance(type_, Optional) else type_:
        case Integer(int(low), int(high)) if 1 < high - low + 1 <= MAX_VALUES:
            return low, high
    return None


def _range(bounds: Bounds) -> range:
    return range(bounds[0], bounds[1] + 1)


def _computes(node: e.Expression) -> bool:
    operators = {each.operator for each in nodes(node) if isinstance(each, e.Binary)}
    return bool(operators - {"=", "!="}) or isinstance(node, e.Negate)


def _table(variable: e.Variable, bounds: Bounds, values: list[int]) -> s.Block:
    type_ = Integer(*bounds)
    branches = [
        s.Branch(
            e.Binary("=", e.Read(variable), e.Constant(number, type_)),
            (s.Return(e.Constant(value, type_)),),
        )
        for number, value in zip(_range(bounds), values, strict=True)
    ]
    return (s.If(tuple(branches), ()),)


def is_table(function: Function) -> bool:
    """Of the shape that is made here."""
    match function.body:
        case (s.If(branches, ()),) if len(function.parameters) == 1:
            bodies = [each.body for each in branches]
            return all(len(body) == 1 and _returns_constant(body[0]) for body in bodies)
    return False


def _returns_constant(statement: s.Statement) -> bool:
    return isinstance(statement, s.Return) and isinstance(statement.value, e.Constant)


# A very small evaluator: one number, no state, no failure.


def _asks(evaluate: Callable[[], object]) -> bool:
    """Is the number looked at in any case? A table looks at it, and fails where it is undefined."""
    try:
        evaluate()
    except _Undefined:
        return True
    except _NoValue:
        pass
    return False


def _returned(block: s.Block, variable: e.Variable, value: int | None) -> int | None:
    for statement in block:
        match statement:
            case s.Return(result) if result is not None and not isinstance(
                result, e.Variable | e.Index | e.Component | e.Entry
            ):
                return _evaluated(result, variable, value)
            case s.Return(e.Variable() as place) if place == variable:
                return _given(value)
            case s.If(branches, otherwise):
                tests = (each.body for each in branches if _evaluated(each.test, variable, value))
                found = _returned(next(tests, otherwise), variable, value)
                if found is not None:
                    return found
            case _:
                raise _NoValue
    return None


def _given(value: int | None) -> int:
    if value is None:
        raise _Undefined
    return value


def _evaluated(expression: e.Expression, place: e.Place, value: int | None) -> int:
    match expression:
        case e.Constant(number):
            return number
        case e.Read(read) if read == place:
            return _given(value)
        case e.Binary(operator, left, right):
            return _binary(operator, _evaluated(left, place, value), _evaluated(right, place, value))
        case e.Negate("-", operand):
            return -_evaluated(operand, place, value)
        case e.Not(operand):
            return int(not _evaluated(operand, place, value))
        case e.Junction("and", parts):
            return int(all(_evaluated(part, place, value) for part in parts))
        case e.Junction("or", parts):
            return int(any(_evaluated(part, place, value) for part in parts))
        case e.Conditional(test, then, otherwise):
            return _evaluated(then if _evaluated(test, place, value) else otherwise, place, value)
        case e.Convert(operand, Integer(low, high)):
            found = _evaluated(operand, place, value)
            if (low is None or low <= found) and (high is None or found <= high):
                return found
    raise _NoValue


def _binary(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            result = left + right
        case "-":
            result = left - right
        case "*":
            result = left * right
        case "/" | "%" if right != 0:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            result = quotient if operator == "/" else left - quotient * right
        case "bit-and":
            result = left & right
        case "bit-or":
            result = left | right
        case "bit-xor":
            result = left ^ right
        case "=" | "!=":
            result = int((left == right) == (operator == "="))
        case "<" | ">=":
            result = int((left < right) == (operator == "<"))
        case ">" | "<=":
            result = int((left > right) == (operator == ">"))
        case _:
            raise _NoValue
    if abs(result) >= 2**62:
        raise _NoValue
    return result
