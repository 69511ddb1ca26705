"""What a value of a machine can be.

Booleans, whole numbers without bounds, elements of sorts and texts are atoms; pairs, records and finite sets are built from
them. Relations are sets of pairs, functions are relations, sequences are functions from 1..n. A type gives the values
that are possible at all; predicates of the model choose among them.
"""

from __future__ import annotations

from burnside.ir.nodes import TypeNode
from burnside.ir.types import BOOLEAN, INTEGER, Boolean, Element, Integer, Sort
from burnside.records import record

__all__ = [
    "BOOLEAN",
    "INTEGER",
    "TEXT",
    "Boolean",
    "Element",
    "Integer",
    "Pair",
    "Set",
    "Sort",
    "Struct",
    "StructField",
    "Text",
    "ValueType",
    "is_finite",
    "show_type",
]


@record
class Text(TypeNode):
    """A string; two are equal or not, nothing more."""


@record
class Pair(TypeNode):
    left: ValueType
    right: ValueType


@record
class Set(TypeNode):
    element: ValueType


@record
class StructField(TypeNode):
    name: str
    type: ValueType


@record
class Struct(TypeNode):
    """A record; fields are in the order of their names, so that equal types are equal."""

    fields: tuple[StructField, ...]

    def position(self, name: str) -> int:
        return next(number for number, each in enumerate(self.fields) if each.name == name)


ValueType = Boolean | Integer | Element | Text | Pair | Set | Struct
TEXT = Text()


def is_finite(type_: ValueType) -> bool:
    """Are there finitely many values?"""
    match type_:
        case Boolean() | Element():
            return True
        case Integer() | Text():
            return False
        case Pair(left, right):
            return is_finite(left) and is_finite(right)
        case Set(element):
            return is_finite(element)
        case Struct(fields):
            return all(is_finite(each.type) for each in fields)


def show_type(type_: ValueType) -> str:
    """As B writes the set of all its values."""
    match type_:
        case Boolean():
            return "BOOL"
        case Integer():
            return "INTEGER"
        case Text():
            return "STRING"
        case Element(sort):
            return sort.name
        case Pair(left, right):
            # The product associates to the left, so a product on the right needs brackets.
            second = show_type(right)
            return f"{show_type(left)} * {f'({second})' if isinstance(right, Pair) else second}"
        case Set(element):
            return f"POW({show_type(element)})"
        case Struct(fields):
            return f"struct({', '.join(f'{each.name}: {show_type(each.type)}' for each in fields)})"
