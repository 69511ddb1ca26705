"""A program or a machine as one flat table, the form in which it crosses into the core, once.

Every node becomes a row: its class, and its fields as whole numbers: numbers as they are, texts and nodes by their place in
a table, `None` as a number that nothing else has, tuples as rows of the class `list`. The core knows from the class what
each number means.
"""

from __future__ import annotations

from typing import Any

from burnside.diagnostics import Span
from burnside.ir import expressions
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import (
    Constructor,
    FreeType,
    Multiset,
    Pair,
    Recursion,
    Set,
    Struct,
    StructField,
    Text,
)
from burnside.ir.types import Array, Bag, Boolean, Element, Integer, Optional, Record, Sort, Union
from burnside.records import field_names, is_record, record

NOTHING = -(2**63)
_BY_VALUE = (
    *(Boolean, Integer, Element, Union, Optional, Array, Record, Bag, Sort, Span),
    *(Text, Pair, Set, Multiset, Struct, StructField, Constructor, FreeType, Recursion),
)

_NOT_ENCODED = frozenset(
    {"counts_starts", "notation", "start_title", "is_tail", "title", "views", "promises", "prints"}
)

Row = tuple[str, list[int]]


class NumberTooLarge(Exception):
    """A number of the model has more than 64 bits; its place, where it has one."""

    def __init__(self, value: int, span: Span | None = None) -> None:
        super().__init__(str(value))
        self.value, self.span = value, span


@record
class Table:
    """The last row is the program, or the machine. `tables`: the program's tables, in the order of their rows."""

    texts: list[str]
    rows: list[Row]
    tables: list[expressions.Table]


def encoded(program: Program | Machine) -> Table:
    """`NumberTooLarge` where a number does not fit."""
    encoder = _Encoder()
    encoder.number(program)
    return Table(list(encoder.texts), encoder.rows, encoder.tables)


def _encoded_fields(value: Any) -> list[str]:
    """Without what the core does not ask."""
    return [name for name in field_names(value) if name not in _NOT_ENCODED]


class _Encoder:
    """Types are shared by value, so that equal types have one number; other nodes by identity, because equal nodes may
    stand in different places of the user's text."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.rows: list[Row] = []
        self.by_value: dict[Any, int] = {}
        self.by_identity: dict[int, int] = {}
        self.tables: list[expressions.Table] = []

    def number(self, value: Any) -> int:
        if value is None:
            return NOTHING
        if isinstance(value, str):
            return self.texts.setdefault(value, len(self.texts))
        if isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                raise NumberTooLarge(value)
            return int(value)
        key: Any = value if isinstance(value, _BY_VALUE) else id(value)
        known: dict[Any, int] = self.by_value if isinstance(value, _BY_VALUE) else self.by_identity
        if key not in known:
            row = self._row(value)
            self.rows.append(row)
            if isinstance(value, expressions.Table):
                self.tables.append(value)
            known[key] = len(self.rows) - 1
        return known[key]

    def _row(self, value: Any) -> Row:
        if isinstance(value, tuple):
            return "list", [self.number(each) for each in value]
        assert is_record(value)
        try:
            return type(value).__name__, [
                self.number(getattr(value, name)) for name in _encoded_fields(value)
            ]
        except NumberTooLarge as error:
            error.span = error.span or getattr(value, "span", None)
            raise
