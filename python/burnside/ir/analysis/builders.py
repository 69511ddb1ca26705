"""Makers of flat expressions: they fold constants and decide which nodes can fail, from types alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from burnside.diagnostics import Span
from burnside.ir.analysis.flat import Expr, Operator, Place
from burnside.ir.analysis.intervals import fits, is_number, operator_fails
from burnside.ir.expressions import COMPARISONS, Table
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Element,
    Integer,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    size,
)

TRUE = Expr("const", BOOLEAN, value=1)
FALSE = Expr("const", BOOLEAN, value=0)


def number(value: int) -> Expr:
    return Expr("const", INTEGER, value=value)


def slot(type_: Type) -> Scalar:
    """The type of the value of a scalar place."""
    content = type_.type if isinstance(type_, Optional) else type_
    assert not isinstance(content, Array | Record | Bag)
    return content


def load(place: Place, span: Span | None = None) -> Expr:
    """What is undefined fails."""
    return Expr("load", slot(place.type), places=(place,), fails=isinstance(place.type, Optional), span=span)


def operation(operator: str, left: Expr, right: Expr, span: Span | None) -> Expr:
    op: Operator = operator  # type: ignore[assignment]
    type_ = BOOLEAN if operator in COMPARISONS else INTEGER
    return Expr(op, type_, (left, right), fails=operator_fails(operator, left, right), span=span)


def converted(value: Expr, type_: Scalar, span: Span | None) -> Expr:
    """The same value as another type, or a failure."""
    if value.type == type_ and fits(value, type_):
        return value
    if value.op == "const" and fits(value, type_):
        return Expr("const", type_, value=_moved(value.value, value.type, type_), span=value.span)
    return Expr("convert", type_, (value,), fails=not fits(value, type_), span=span)


def wrapped(value: Expr, type_: Integer) -> Expr:
    """The number of the type that differs by a multiple of the type's size."""
    if fits(value, type_):
        return converted(value, type_, value.span)
    if value.op == "const" and type_.low is not None:
        rest = (value.value - type_.low) % size(type_)
        return Expr("const", type_, value=type_.low + rest, span=value.span)
    return Expr("wrap", type_, (value,))


def lookup(table: Table, arguments: Sequence[Expr], *, fails: bool, span: Span | None) -> Expr:
    """The entry for arguments of the table's types; `fails`: one may be missing."""
    found = Expr("lookup", table.result, tuple(arguments), fails=fails, table=table, span=span)
    return folded(found)


@lru_cache(maxsize=1000)
def presence(table: Table) -> Table:
    """Which entries there are, as a table of truth values."""
    there = tuple(int(each is not None) for each in table.entries)
    return Table(table.name, table.arguments, BOOLEAN, there)


def folded(expr: Expr) -> Expr:
    """With a constant in the place of a comparison, a sum, a conversion or a lookup of constants."""
    if expr.op == "lookup":
        return _found(expr)
    if expr.fails or not expr.args or any(each.op != "const" for each in expr.args):
        return expr
    values = [each.value for each in expr.args]
    match expr.op, values:
        case (("=" | "!="), [one, other]) if _alike(expr.args[0].type, expr.args[1].type):
            return Expr("const", BOOLEAN, value=int((one == other) == (expr.op == "=")), span=expr.span)
        case "+", [one, other]:
            return Expr("const", expr.type, value=one + other, span=expr.span)
        case "-", [one, other]:
            return Expr("const", expr.type, value=one - other, span=expr.span)
        case "not", [one]:
            return Expr("const", BOOLEAN, value=int(not one), span=expr.span)
        case "convert", [_]:
            return converted(expr.args[0], expr.type, expr.span)
        case "wrap", [_]:
            assert isinstance(expr.type, Integer)
            return wrapped(expr.args[0], expr.type)
    return expr


def _found(expr: Expr) -> Expr:
    """A lookup, or the entry if the arguments are known."""
    assert expr.table is not None
    if any(each.op != "const" for each in expr.args):
        return expr
    value = expr.table.at([each.value for each in expr.args])
    return expr if value is None else Expr("const", expr.type, value=value, span=expr.span)


def _alike(one: Scalar, other: Scalar) -> bool:
    return one == other or (is_number(one) and is_number(other))


def stored(value: Expr, type_: Type, span: Span | None) -> Expr:
    """What is assigned to a place of this type."""
    return converted(value, slot(type_), span)


def _moved(value: int, source: Scalar, target: Scalar) -> int:
    """Positions of elements go through the sorts of a union in turn; numbers stay."""
    if is_number(source) or source == target:
        return value
    assert isinstance(source, Element) and isinstance(target, Union)
    return target.offset(source.sort) + value
