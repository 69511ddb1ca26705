"""Mutants of programs: one constant, operator, index, statement, entry of a table or role of a process is another.

In: a program. Out: a program that differs in one place and is still well-typed. What is certified of it is decided anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.types import Array, Bag, Element, Integer, Optional, Record, Sort, Union, bounds
from burnside.records import is_record, replace

Rebuild = Callable[[Any], Any]
LARGE = 1_000
COMPARED = {"=": "!=", "!=": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
COMPUTED = {"+": "-", "-": "+", "*": "+", "%": "/", "/": "%"}
PARTS = ("starts", "actions", "functions", "properties", "proper_end")


def mutant(program: Program, random: Random) -> Program | None:
    """None where nothing can be changed."""
    sites: list[tuple[Any, Rebuild]] = []
    for part in (each for each in PARTS if getattr(program, each) is not None):
        _collect(getattr(program, part), lambda new, part=part: replace(program, **{part: new}), sites)
    random.shuffle(sites)
    for node, rebuild in sites:
        changes = list(_changes(node))
        if changes:
            return rebuild(random.choice(changes))
    return None


def _collect(node: Any, rebuild: Rebuild, sites: list[tuple[Any, Rebuild]]) -> None:
    """Every node, with the program that has another one in its place."""
    if isinstance(node, tuple):
        if node and isinstance(node[0], s.Statement.__args__):  # type: ignore[attr-defined]
            sites.append((node, rebuild))
        for at, each in enumerate(node):
            _collect(each, lambda new, at=at: rebuild((*node[:at], new, *node[at + 1 :])), sites)
    elif is_record(node) and not isinstance(
        node, Sort | Array | Bag | Record | Element | Union | Integer | Optional
    ):
        sites.append((node, rebuild))
        for name in node.__record_fields__:
            if name not in ("span", "type", "bound", "parameters", "variable", "variables", "domain"):
                _collect(
                    getattr(node, name), lambda new, name=name: rebuild(replace(node, **{name: new})), sites
                )


def _changes(node: Any) -> Iterator[Any]:
    match node:
        case e.Constant(value, type_) if not (isinstance(type_, Integer) and type_.low is None):
            low, high = bounds(type_)
            if high - low < LARGE:
                yield from (replace(node, value=each) for each in range(low, high + 1) if each != value)
        case e.Constant(value, _):
            yield from (replace(node, value=each) for each in (value + 1, value - 1))
        case e.Binary(operator):
            integers = operator in ("=", "!=") or isinstance(e.type_of(node.left), Integer)
            if operator in COMPARED and integers:
                yield replace(node, operator=COMPARED[operator])
            elif operator in COMPUTED:
                yield replace(node, operator=COMPUTED[operator])
        case e.Not(operand):
            yield operand
        case e.Junction(operator, parts):
            yield replace(node, operator="or" if operator == "and" else "and")
            if len(parts) > 1:
                yield replace(node, parts=parts[::-1])
                yield replace(node, parts=parts[1:])
        case e.Quantified(quantifier):
            yield replace(node, quantifier="exists" if quantifier == "forall" else "forall")
        case e.Read(place):
            yield from _named(place)
        case e.Conditional(_, then, otherwise):
            yield replace(node, then=otherwise, otherwise=then)
        case e.Table(_, _, result, entries):
            for at, entry in enumerate(entries):
                others = (None, *range(bounds(result)[0], min(bounds(result)[1], LARGE) + 1))
                new = others[(others.index(entry) + 1) % len(others)]
                yield replace(node, entries=(*entries[:at], new, *entries[at + 1 :]))
        case e.Lookup(property=int()):
            yield replace(node, property=None)
        case s.Note(test, property_):
            yield s.Assert(test, property_)
        case Action(actor=int()):
            yield replace(node, idle=not node.idle)
            yield replace(node, keeps_control=None if node.keeps_control is not None else node.actor)
        case tuple():
            yield from (node[:at] + node[at + 1 :] for at in range(len(node)))
            yield from (
                node[:at] + node[at + 1 : at + 2] + node[at : at + 1] + node[at + 2 :]
                for at in range(len(node) - 1)
            )


def _named(place: e.Place) -> Iterator[e.Expression]:
    """An element instead of what is read."""
    type_ = e.type_of_place(place)
    scalar = type_.type if isinstance(type_, Optional) else type_
    if isinstance(scalar, Element):
        yield from (e.Constant(at, scalar) for at in range(scalar.sort.size))
