"""Values of tokens in Python: what they are, all of a type, their images under permutations of sorts, how they are shown.

Dot is (), truth values are bool, natural numbers and elements int (an element by its position in its sort), lists and
structs tuples, sets frozensets, multisets frozensets of (value, number) with numbers from 1 on, maps frozensets of
(key, value), a value of a union is (position of the alternative, value). What a value is depends on its type, so everything
here takes both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, product
from typing import Any

from burnside.ir.highlevel.types import (
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

Value = Any
SortImages = Mapping[str, Sequence[int]]
"""By name of a sort: the images of its elements; sorts that are not there stay as they are."""


def all_values(type_: TokenType) -> Iterator[Value]:
    """Every value of a finite type, ascending by `order_key`."""
    match type_:
        case Dot():
            yield ()
        case Boolean():
            yield from (False, True)
        case Element(sort):
            yield from range(sort.size)
        case Struct(fields):
            yield from product(*(tuple(all_values(each.type)) for each in fields))
        case Union(alternatives):
            for number, each in enumerate(alternatives):
                yield from ((number, value) for value in all_values(each.type))
        case SetOf(element):
            members = tuple(all_values(element))
            subsets = chain.from_iterable(combinations(members, size) for size in range(len(members) + 1))
            yield from sorted(map(frozenset, subsets), key=lambda each: order_key(type_, each))
        case MapOf(key, value):
            keys, images = tuple(all_values(key)), (None, *((each,) for each in all_values(value)))
            for chosen in product(images, repeat=len(keys)):
                pairs = zip(keys, chosen, strict=True)
                yield frozenset((key, image[0]) for key, image in pairs if image is not None)
        case _:
            raise ValueError(f"there is no end to the values of {type_}")


def bag(values: Iterable[tuple[Value, int]]) -> frozenset[tuple[Value, int]]:
    """A multiset from values with numbers; those of equal values are added."""
    counts: dict[Value, int] = {}
    for value, number in values:
        counts[value] = counts.get(value, 0) + number
    return frozenset((value, number) for value, number in counts.items() if number)


def permuted(type_: TokenType, value: Value, images: SortImages) -> Value:
    """Requirement 6.1: part by part."""
    match type_:
        case Element(sort):
            return images[sort.name][value] if sort.name in images else value
        case ListOf(element):
            return tuple(permuted(element, each, images) for each in value)
        case Struct(fields):
            pairs = zip(fields, value, strict=True)
            return tuple(permuted(field.type, each, images) for field, each in pairs)
        case SetOf(element):
            return frozenset(permuted(element, each, images) for each in value)
        case Bag(element):
            return frozenset((permuted(element, each, images), number) for each, number in value)
        case MapOf(key, image):
            return frozenset((permuted(key, a, images), permuted(image, b, images)) for a, b in value)
        case Union(alternatives):
            number, inner = value
            return number, permuted(alternatives[number].type, inner, images)
        case _:
            return value


def order_key(type_: TokenType, value: Value) -> Any:
    """Keys of values of one type can be compared: a total order, for printing and enumerating."""
    match type_:
        case ListOf(element):
            return tuple(order_key(element, each) for each in value)
        case Struct(fields):
            pairs = zip(fields, value, strict=True)
            return tuple(order_key(field.type, each) for field, each in pairs)
        case SetOf(element):
            return tuple(sorted(order_key(element, each) for each in value))
        case Bag(element):
            return tuple(sorted((order_key(element, each), number) for each, number in value))
        case MapOf(key, image):
            return tuple(sorted((order_key(key, a), order_key(image, b)) for a, b in value))
        case Union(alternatives):
            number, inner = value
            return number, order_key(alternatives[number].type, inner)
        case _:
            return value


def ordered(type_: TokenType, values: Iterable[Value]) -> list[Value]:
    return sorted(values, key=lambda each: order_key(type_, each))


def show(type_: TokenType, value: Value) -> str:
    """As the text format of high-level nets writes it."""
    match type_:
        case Dot():
            return "dot"
        case Boolean():
            return "true" if value else "false"
        case Natural():
            return str(value)
        case Element(sort):
            return sort.elements[value]
        case ListOf(element):
            return f"[{', '.join(show(element, each) for each in value)}]"
        case Struct(fields):
            pairs = zip(fields, value, strict=True)
            return f"<{', '.join(show(field.type, each) for field, each in pairs)}>"
        case SetOf(element):
            return f"{{{', '.join(show(element, each) for each in ordered(element, value))}}}"
        case Bag(element):
            return show_tokens(element, value)
        case MapOf(key, image):
            entries = sorted(value, key=lambda each: order_key(key, each[0]))
            return f"{{{', '.join(f'{show(key, a)} -> {show(image, b)}' for a, b in entries)}}}"
        case Union(alternatives):
            number, inner = value
            chosen = alternatives[number]
            is_dot = isinstance(chosen.type, Dot)
            return chosen.name if is_dot else f"{chosen.name}({show(chosen.type, inner)})"
    raise AssertionError(type_)


def show_tokens(type_: TokenType, tokens: Iterable[tuple[Value, int]]) -> str:
    """The multiset of tokens of a place: `2'a + b`."""
    pairs = sorted(tokens, key=lambda each: order_key(type_, each[0]))
    if isinstance(type_, Bag):
        shown = [f"{number}'({show(type_, value)})" for value, number in pairs]
    else:
        shown = [
            show(type_, each) if number == 1 else f"{number}'{show(type_, each)}" for each, number in pairs
        ]
    return " + ".join(shown) or "{}"


def show_place(name: str, type_: TokenType, value: Value) -> str:
    """The place of one value in an unfolded net: `fork<2>`, `message<1, 2>`; a place for dots keeps its name."""
    return place_name(name, type_, show(type_, value))


def place_name(name: str, type_: TokenType, shown: str) -> str:
    """As `show_place`, of a value that is shown already."""
    if isinstance(type_, Dot):
        return name
    return f"{name}{shown}" if isinstance(type_, Struct) else f"{name}<{shown}>"


def show_instance(name: str, variables: Sequence[tuple[str, TokenType]], values: Sequence[Value]) -> str:
    """`take(p=3)`."""
    if not variables:
        return name
    pairs = zip(variables, values, strict=True)
    return f"{name}({', '.join(f'{variable}={show(type_, value)}' for (variable, type_), value in pairs)})"
