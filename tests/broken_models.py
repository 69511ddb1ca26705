"""Broken programs and machines: one field of one node is wrong, or another one.

In: a program or a machine. Out: the same with one field changed: a name that is another's or unknown, a number out of its
range, a type of something else, a node of another kind, a tuple that is shorter or longer. Many are still well formed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir.nodes import Tree
from burnside.ir.sets import expressions as se
from burnside.ir.sets import types as values
from burnside.ir.types import BOOLEAN, INTEGER, Array, Bag, Element, Integer, Optional, Record, Sort, Union
from burnside.records import field_names, is_record, replace

Rebuild = Callable[[Any], Any]
STRANGER = Sort("stranger", ("one", "two"), "fixed", "sort")
TYPES = (
    *(BOOLEAN, INTEGER, Integer(0, 1), Integer(3, 1), Integer(0, None), Integer(-(2**70), 2**70)),
    *(
        Integer(-(2**63), 2**63 - 1),
        Element(STRANGER),
        Union(()),
        Optional(INTEGER),
        Optional(Optional(BOOLEAN)),
    ),
    *(
        Array(INTEGER, BOOLEAN),
        Array(Integer(0, 2**30), BOOLEAN),
        Record(()),
        Bag(BOOLEAN, 0),
        Bag(BOOLEAN, -3),
    ),
    *(values.TEXT, values.Set(BOOLEAN), values.Pair(BOOLEAN, INTEGER), values.Struct(())),
)
OPERATORS = (
    *(
        e.ARITHMETIC,
        e.COMPARISONS,
        ("and", "or"),
        ("forall", "exists"),
        ("-", "~"),
        ("full", "cyclic", "fixed"),
    ),
    *(
        ("union", "intersection", "difference"),
        ("domain", "range"),
        ("less", "less-equal"),
        ("sum", "product"),
    ),
    *(
        ("add", "subtract", "multiply", "divide", "modulo", "power"),
        ("subset", "strict-subset"),
        ("min", "max"),
    ),
    tuple(name for name in se.OPERATORS if name.endswith(("relations", "functions", "jections"))),
)
TYPED: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (e.PLACES, e.type_of_place),
    (e.Call, lambda call: call.type),
    (e.Expression, e.type_of),
    (se.Expression, se.type_of),
)
NUMBERS = (-1, 0, 1, 2, 7, 2**63, -(2**63) - 1)


def broken(model: Any, random: Random) -> Any:
    """Every other one is changed so that it is likely to be well formed still."""
    sites = [site for site in _sites(model, lambda new: new) if site[0] is not model]
    pool = [value for value, _ in sites]
    change = _other if random.randrange(2) else _likely
    while True:
        value, rebuild = random.choice(sites)
        new = change(value, pool, random)
        if new is not value:
            return rebuild(new)


def _likely(value: Any, pool: list[Any], random: Random) -> Any:
    """Another number, operator or truth value, a shorter tuple, or a node of the same type."""
    match value:
        case bool():
            return not value
        case int():
            return value + random.choice((-1, 1, 2))
        case str():
            return random.choice([each for row in OPERATORS if value in row for each in row] or [value])
        case tuple() if value:
            at = random.randrange(len(value))
            return random.choice((value[:at] + value[at + 1 :], value[::-1]))
        case Tree():
            wanted = _type(value)
            alike = [each for each in pool if isinstance(each, Tree) and _type(each) == wanted]
            return random.choice(alike) if wanted is not None else value
        case _:
            return value


def _type(node: Tree) -> Any:
    """Of a place or an expression."""
    for kinds, type_of in TYPED:
        if isinstance(node, kinds):
            return type_of(node)
    return None


def _sites(value: Any, rebuild: Rebuild) -> Iterator[tuple[Any, Rebuild]]:
    """Everything inside, with the model that has another one in its place."""
    yield value, rebuild
    if isinstance(value, tuple):
        for at, each in enumerate(value):
            yield from _sites(each, lambda new, at=at: rebuild((*value[:at], new, *value[at + 1 :])))
    elif is_record(value) and not isinstance(value, Span):
        for name in field_names(value):
            inner = getattr(value, name)
            if name != "span":
                yield from _sites(inner, lambda new, name=name: rebuild(replace(value, **{name: new})))


def _other(value: Any, pool: list[Any], random: Random) -> Any:
    """Something else, mostly of the same kind."""
    alike = [each for each in pool if type(each) is type(value)]
    choice = random.randrange(20)
    if choice == 0:
        return random.choice(pool)
    if choice == 1:
        return random.choice((None, "nobody", 3, (), [], True))
    match value:
        case bool():
            return not value
        case int():
            return random.choice(NUMBERS)
        case str():
            return random.choice([*alike, "nobody", "#"])
        case tuple() if value and choice < 14:
            at = random.randrange(len(value))
            return random.choice((value[:at] + value[at + 1 :], (*value, value[at]), value[::-1], ()))
        case tuple():
            return random.choice(alike)
        case Tree() if isinstance(value, TYPES_OF_TYPES):
            return random.choice([*TYPES, *(each for each in pool if isinstance(each, TYPES_OF_TYPES))])
        case Tree() if choice < 8:
            return random.choice([each for each in pool if isinstance(each, Tree)])
        case None:
            return random.choice(pool)
        case _:
            return random.choice(alike)


TYPES_OF_TYPES = tuple({type(each) for each in TYPES})
