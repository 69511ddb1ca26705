"""A machine in normal form under a renaming of elements: what is certified by comparing.

In: a machine, the image of each element. Out: nested tuples that are equal for machines that differ only in what does not
matter: the order of parallel parts, of alternatives, of operations, of conjuncts and of the operands of commutative
operators, the names of operations, of their parameters and of everything else that is bound. Types belong to the
form: `card(S)` and `card(T)` are one operator on all elements of a type, and a bound name ranges over its type.

So where a renaming leaves the normal form as it is, it maps the machine's text to itself; and because no operator of sets
looks at what an element is, it maps steps to steps (Leuschel and Massart, Thm 1, with elements that the text names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import show_type
from burnside.ir.types import Element

Form = tuple[Any, ...]
Renamed = Mapping[tuple[str, int], int]
"""By sort and position: the position of the image. What is not there stays."""

COMMUTATIVE = frozenset({"and", "or", "iff", "equal", "add", "multiply", "set", "union", "intersection"})
Levels = Mapping[str, int]


def machine_form(machine: Machine, images: Renamed) -> Form:
    """What the machine does; what is claimed of it is `claim_form`."""
    start: Levels = {}
    return (
        _unordered([_expression(each, start, images) for each in machine.properties]),
        _substitution(machine.initialisation, start, images),
        _unordered([operation_form(each, images) for each in machine.operations]),
    )


def operation_form(operation: Operation, images: Renamed) -> Form:
    """Without its name, which no other part of the machine mentions."""
    levels = _with({}, (*operation.parameters, *operation.results))
    return (
        _types(operation.parameters),
        _types(operation.results),
        _expression(operation.guard, levels, images),
        _substitution(operation.body, levels, images),
    )


def claim_form(claim: Claim, images: Renamed) -> Form:
    return claim.kind, _expression(claim.predicate, {}, images)


def _unordered(forms: Sequence[Form]) -> Form:
    return tuple(sorted(forms, key=repr))


def _with(levels: Levels, names: Sequence[e.Name]) -> Levels:
    """Bound names are told apart by when they were bound."""
    return {**levels, **{name.name: len(levels) + at for at, name in enumerate(names)}}


def _types(names: Sequence[e.Name]) -> Form:
    return tuple(show_type(each.type) for each in names)


def _expression(node: e.Expression, levels: Levels, images: Renamed) -> Form:
    match node:
        case e.Literal(int(value), Element(sort)):
            return "element", sort.name, images.get((sort.name, value), value)
        case e.Literal(value, type_):
            return "literal", show_type(type_), value
        case e.Name(name):
            return ("bound", levels[name]) if name in levels else ("name", name)
        case e.Apply(operator, arguments):
            parts = [_expression(each, levels, images) for each in arguments]
            of = show_type(node.type)
            return operator, of, _unordered(parts) if operator in COMMUTATIVE else tuple(parts)
        case e.Forall(names, condition, body):
            inner = _with(levels, names)
            return (
                "forall",
                _types(names),
                _expression(condition, inner, images),
                _expression(body, inner, images),
            )
        case e.Exists(names, condition):
            return "exists", _types(names), _expression(condition, _with(levels, names), images)
        case e.Comprehension(names, condition, value):
            inner = _with(levels, names)
            return (
                "comprehension",
                _types(names),
                _expression(condition, inner, images),
                _expression(value, inner, images),
            )
        case e.Fold(operator, names, condition, value):
            inner = _with(levels, names)
            return (
                operator,
                _types(names),
                _expression(condition, inner, images),
                _expression(value, inner, images),
            )
        case e.Conditional(test, then, otherwise):
            return "if", *(_expression(each, levels, images) for each in (test, then, otherwise))
        case e.Let(name, value, body):
            return (
                "let",
                _types((name,)),
                _expression(value, levels, images),
                _expression(body, _with(levels, (name,)), images),
            )
        case e.Select(inner_record, name):
            return "field", name, _expression(inner_record, levels, images)


def _substitution(node: s.Substitution, levels: Levels, images: Renamed) -> Form:
    match node:
        case s.Assign(names, values):
            written = [
                (_expression(name, levels, images), _expression(value, levels, images))
                for name, value in zip(names, values, strict=True)
            ]
            return "assign", _unordered(written)
        case s.Parallel(parts):
            return "parallel", _unordered([_substitution(each, levels, images) for each in parts])
        case s.Sequence(parts):
            return "sequence", tuple(_substitution(each, levels, images) for each in parts)
        case s.Choose(names, condition, body):
            inner = _with(levels, names)
            return (
                "choose",
                _types(names),
                _expression(condition, inner, images),
                _substitution(body, inner, images),
            )
        case s.Alternatives(branches, otherwise):
            rest = None if otherwise is None else _substitution(otherwise, levels, images)
            return "alternatives", _unordered([_branch(each, levels, images) for each in branches]), rest
        case s.If(branches, otherwise):
            chosen = tuple(_branch(each, levels, images) for each in branches)
            return "if", chosen, _substitution(otherwise, levels, images)
        case s.Demand(kind, condition, body):
            return (
                "demand",
                kind,
                _expression(condition, levels, images),
                _substitution(body, levels, images),
            )
        case s.Local(names, body):
            return "local", _types(names), _substitution(body, _with(levels, names), images)
        case s.While(test, body, invariant, variant):
            said = (_expression(each, levels, images) for each in (test, invariant, variant))
            return "while", *said, _substitution(body, levels, images)


def _branch(branch: s.Branch, levels: Levels, images: Renamed) -> Form:
    return _expression(branch.condition, levels, images), _substitution(branch.body, levels, images)
