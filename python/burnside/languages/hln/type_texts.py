"""Types as `.hln` text. In: types, and names of those that are declared. Out: text that is read back as the same."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.ir.highlevel.types import (
    DOT,
    Bag,
    Boolean,
    Dot,
    Element,
    ListOf,
    MapOf,
    Natural,
    SetOf,
    Struct,
    TokenType,
    Union,
)
from burnside.languages.hln.lexer import quoted


def type_text(type_: TokenType, names: Mapping[TokenType, str]) -> str:
    """`names`: types that are declared."""
    if type_ in names:
        return quoted(names[type_])
    match type_:
        case Dot():
            return "dot"
        case Boolean():
            return "bool"
        case Natural():
            return "nat"
        case Element(sort):
            return quoted(sort.name)
        case Struct() | Union():
            return fields_text(type_, names)
    return constructed_text(type_, names)


def constructed_text(type_: TokenType, names: Mapping[TokenType, str]) -> str:
    """The type written out, with the names of its parts."""
    match type_:
        case ListOf(element):
            return f"list({type_text(element, names)})"
        case SetOf(element):
            return f"set({type_text(element, names)})"
        case Bag(element):
            return f"multiset({type_text(element, names)})"
        case MapOf(key, value):
            return f"map({type_text(key, names)}, {type_text(value, names)})"
        case Struct() | Union():
            return fields_text(type_, names)
    return type_text(type_, {})


def fields_text(type_: Struct | Union, names: Mapping[TokenType, str]) -> str:
    if isinstance(type_, Union):
        alternatives = (
            quoted(each.name) if each.type == DOT else f"{quoted(each.name)}: {type_text(each.type, names)}"
            for each in type_.alternatives
        )
        return f"union({', '.join(alternatives)})"
    numbered = all(each.name == str(number) for number, each in enumerate(type_.fields, 1))
    fields = (
        type_text(each.type, names) if numbered else f"{label(each.name)}: {type_text(each.type, names)}"
        for each in type_.fields
    )
    return f"struct({', '.join(fields)})"


def label(name: str) -> str:
    """A field or an element: a number stands as it is."""
    return name if name.isdecimal() and name.isascii() and str(int(name)) == name else quoted(name)
