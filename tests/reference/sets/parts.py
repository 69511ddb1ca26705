"""Expressions of machines, written short: types of results follow from those of the operands."""

from __future__ import annotations

from collections.abc import Iterable

from burnside.ir.sets.expressions import (
    Apply,
    Comprehension,
    Exists,
    Expression,
    Forall,
    Literal,
    Name,
    pair,
    type_of,
)
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Element,
    Pair,
    Set,
    Sort,
    Struct,
    StructField,
    ValueType,
)
from burnside.reference.sets.evaluation import evaluate
from burnside.reference.sets.values import Point, Value

COLOURS = Sort("Colours", ("red", "green", "blue"), "full", "deferred set")
COLOUR = Element(COLOURS)
RED, GREEN, BLUE = (Point("Colours", position) for position in range(3))
red, green, blue = (Literal(position, COLOUR) for position in range(3))

_BOOLEAN = (
    "and", "or", "not", "implies", "iff", "equal", "member", "subset", "strict-subset", "less", "less-equal",
)  # fmt: skip
_INTEGER = (
    "add", "subtract", "multiply", "divide", "modulo", "power", "negate", "min", "max", "card", "size",
)  # fmt: skip
_FIRST = (
    "union", "intersection", "difference", "override", "closure1", "closure", "iterate", "concat", "append", "reverse",
    "tail", "front", "take", "drop", "range-restrict", "range-subtract",
)  # fmt: skip
_SPACES = (
    "relations", "total-relations", "surjective-relations", "total-surjective-relations", "partial-functions",
    "total-functions", "partial-injections", "total-injections", "partial-surjections", "total-surjections",
    "partial-bijections", "total-bijections",
)  # fmt: skip
_SEQUENCES = ("sequences", "sequences-1", "injective-sequences", "injective-sequences-1", "permutations")


def number(value: int) -> Literal:
    return Literal(value, INTEGER)


def text(value: str) -> Literal:
    return Literal(value, TEXT)


def name(called: str, type_: ValueType = INTEGER, *, state: bool = False) -> Name:
    return Name(called, type_, state)


def everything(type_: ValueType) -> Apply:
    return Apply("all", (), Set(type_))


NATURAL = Apply("up-from", (number(0),), Set(INTEGER))
WHOLE = everything(INTEGER)


def operand(value: object) -> Expression:
    """Numbers, truth values, tuples (pairs), sets and lists (sequences) of Python stand for themselves."""
    match value:
        case bool():
            return Literal(int(value), BOOLEAN)
        case int():
            return number(value)
        case str():
            return text(value)
        case (left, right):
            if isinstance(value, tuple):
                return pair(operand(left), operand(right))
    if isinstance(value, list):
        return op("sequence", *value)
    if isinstance(value, set | frozenset):
        return op("set", *sorted(value, key=repr))
    return value  # type: ignore[return-value]


def op(operator: str, *given: object) -> Apply:
    arguments = tuple(map(operand, given))
    return Apply(operator, arguments, _result(operator, [type_of(each) for each in arguments]))


def empty(element: ValueType = INTEGER) -> Apply:
    return Apply("set", (), Set(element))


def _result(operator: str, types: list[ValueType]) -> ValueType:
    if operator in _BOOLEAN:
        return BOOLEAN
    if operator in _INTEGER:
        return INTEGER
    if operator in _FIRST:
        return types[0]
    if operator in _SPACES:
        return Set(Set(Pair(types[0].element, types[1].element)))
    if operator in _SEQUENCES:
        return Set(Set(Pair(INTEGER, types[0].element)))
    first = types[0] if types else INTEGER
    match operator:
        case "set":
            return Set(first)
        case "sequence":
            return Set(Pair(INTEGER, first))
        case "interval" | "up-from":
            return Set(INTEGER)
        case "product":
            return Set(Pair(first.element, types[1].element))
        case "power-set" | "power-set-1":
            return Set(first)
        case "general-union" | "general-intersection":
            return first.element
        case "pair":
            return Pair(first, types[1])
        case "left":
            return first.left
        case "right":
            return first.right
        case "apply" | "first" | "last":
            return first.element.right
        case "domain":
            return Set(first.element.left)
        case "range":
            return Set(first.element.right)
        case "identity":
            return Set(Pair(first.element, first.element))
        case "inverse":
            return Set(Pair(first.element.right, first.element.left))
        case "image":
            return Set(first.element.right)
        case "compose":
            return Set(Pair(first.element.left, types[1].element.right))
        case "direct-product":
            return Set(Pair(first.element.left, Pair(first.element.right, types[1].element.right)))
        case "parallel-product":
            left = Pair(first.element.left, types[1].element.left)
            return Set(Pair(left, Pair(first.element.right, types[1].element.right)))
        case "domain-restrict" | "domain-subtract" | "prepend":
            return types[1]
        case "first-projection":
            return Set(Pair(Pair(first.element, types[1].element), first.element))
        case "second-projection":
            return Set(Pair(Pair(first.element, types[1].element), types[1].element))
        case "as-function":
            return Set(Pair(first.element.left, Set(first.element.right)))
        case "as-relation":
            return Set(Pair(first.element.left, first.element.right.element))
        case "general-concat":
            return first.element.right
    raise ValueError(operator)


def struct(**types: ValueType) -> Struct:
    return Struct(tuple(StructField(called, types[called]) for called in sorted(types)))


def also(*parts: object) -> Apply:
    return op("and", *parts)


def comprehension(
    names: Iterable[Name], condition: Expression, value: Expression | None = None
) -> Comprehension:
    names = tuple(names)
    if value is None:
        value = names[0]
        for each in names[1:]:
            value = pair(value, each)
    return Comprehension(names, condition, value)


def forall(names: Iterable[Name], condition: Expression, body: Expression) -> Forall:
    return Forall(tuple(names), condition, body)


def exists(names: Iterable[Name], condition: Expression) -> Exists:
    return Exists(tuple(names), condition)


def value_of(expression: object, **environment: Value) -> Value:
    return evaluate(operand(expression), environment)
