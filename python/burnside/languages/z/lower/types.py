"""Types of Z as types of machines.

Given sets and free types of constants alone are sorts; other free types have values of their own. Tuples are pairs that lean
to the right, bindings are records. A type inside of a generic definition depends on what its parameters stand for.
"""

from __future__ import annotations

from collections.abc import Mapping

from burnside.ir.sets.types import INTEGER, Element, Pair, Set, Sort, Struct, StructField, ValueType
from burnside.languages.z.lower.meanings import Formal
from burnside.languages.z.typing.types import (
    FormalType,
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    expanded,
)
from burnside.languages.z.typing.types import substituted as with_types

NUMBERS = "\\num"


def plain(name: str) -> str:
    """A name without its mark-up: `max\\_size` is `max_size`."""
    return name.replace("\\_", "_").removeprefix("\\")


class TypeLowering:
    """`sorts`: by the name of a given set or free type."""

    def __init__(self) -> None:
        self.sorts: dict[str, Sort] = {}
        self.free_types: dict[str, ValueType] = {}

    def value_type(self, type_: Type, formals: Mapping[str, Formal]) -> ValueType:
        match expanded(type_):
            case GivenType(name):
                if name == NUMBERS:
                    return INTEGER
                return self.free_types[name] if name in self.free_types else Element(self.sorts[name])
            case FormalType(name):
                return self.value_type(formals[name].type, {})
            case PowerType(base):
                return Set(self.value_type(base, formals))
            case ProductType(factors):
                return tuple_type([self.value_type(each, formals) for each in factors])
            case SchemaType(components):
                return record_type({each.name: self.value_type(each.type, formals) for each in components})
            case other:
                raise AssertionError(f"{other} is not expanded")


def tuple_type(parts: list[ValueType]) -> ValueType:
    """(a, b, c) is (a, (b, c)), shown as it is written."""
    found = parts[-1]
    for at, each in reversed(list(enumerate(parts[:-1]))):
        found = Pair(each, found, at > 0)
    return found


def record_type(components: Mapping[str, ValueType]) -> Struct:
    return Struct(tuple(StructField(plain(name), components[name]) for name in sorted(components, key=plain)))


def substituted(type_: Type, formals: Mapping[str, Formal]) -> Type:
    """With the types that formal parameters stand for."""
    return with_types(expanded(type_), {name: each.type for name, each in formals.items()})
