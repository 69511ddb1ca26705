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

from burnside.ir.nodes import Node
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.binders import bound_names
from burnside.ir.sets.machine import Claim, Machine, Operation
from burnside.ir.sets.types import show_type
from burnside.ir.types import Element, Sort

Form = tuple[Any, ...]
Renamed = Mapping[tuple[str, int], int]
"""By sort and position: the position of the image. What is not there stays."""

COMMUTATIVE = frozenset({"and", "or", "iff", "equal", "add", "multiply", "set", "union", "intersection"})
ORDER_OPERATORS = frozenset({"position", "element-at", "shift"})
Levels = Mapping[str, int]


def ordered_sort(expression: e.Apply) -> Sort:
    """The sort at whose order one of `ORDER_OPERATORS` looks."""
    types = (expression.type, *map(e.type_of, expression.arguments))
    return next(each.sort for each in types if isinstance(each, Element))


def machine_form(machine: Machine, images: Renamed) -> Form:
    """What the machine does; what is claimed of it is `claim_form`."""
    return (
        _unordered(machine.properties, {}, images),
        _form(machine.initialisation, {}, images),
        _sorted([operation_form(each, images) for each in machine.operations]),
        tuple(_form(each, {}, images) for each in carriers(machine)),
    )


def carriers(machine: Machine) -> tuple[Node, ...]:
    """What constructors of free types are for. Types are shown by their names, so this belongs to the machine's form."""
    constructors = [each for free in machine.free_types for each in free.constructors]
    return tuple(each.within for each in constructors if each.within is not None)


def operation_form(operation: Operation, images: Renamed) -> Form:
    """Without its name, which no other part of the machine mentions."""
    return len(operation.results), *_children(operation, {}, images)


def claim_form(claim: Claim, images: Renamed) -> Form:
    return claim.kind, _form(claim.predicate, {}, images)


def _sorted(forms: Sequence[Form]) -> Form:
    return tuple(sorted(forms, key=repr))


def _unordered(nodes: Sequence[Node], levels: Levels, images: Renamed) -> Form:
    return _sorted([_form(each, levels, images) for each in nodes])


def _form(node: Node, levels: Levels, images: Renamed) -> Form:
    """Anything but the nodes that are named here is its class, its types and its children, in their order."""
    kind = type(node).__name__
    match node:
        case e.Literal(int(value), Element(sort)):
            return "element", sort.name, images.get((sort.name, value), value)
        case e.Literal(value, type_):
            return "literal", show_type(type_), value
        case e.Name(name):
            return ("bound", levels[name]) if name in levels else ("name", name)
        case e.Apply(operator) if operator in ORDER_OPERATORS:
            # Where an element of the sort is moved, nothing that depends on its order is the same.
            sort = ordered_sort(node)
            moved = tuple(images.get((sort.name, at), at) for at in range(sort.size))
            return operator, sort.name, moved, *_children(node, levels, images)
        case e.Apply(operator, arguments, type_) if operator in COMMUTATIVE:
            return operator, show_type(type_), _unordered(arguments, levels, images)
        case e.Apply(operator, _, type_):
            return operator, show_type(type_), *_children(node, levels, images)
        case e.Fold(operator):
            return kind, operator, *_children(node, levels, images)
        case e.Select(_, name) | e.Construct(name) | e.IsConstructed(_, name) | e.ArgumentOf(_, name):
            return kind, name, *_children(node, levels, images)
        case s.Assign(names, values):
            pairs = zip(names, values, strict=True)
            return kind, _sorted(
                [(_form(name, levels, images), _form(value, levels, images)) for name, value in pairs]
            )
        case s.Parallel(parts):
            return kind, _unordered(parts, levels, images)
        case s.Alternatives(branches, otherwise):
            last = () if otherwise is None else (_form(otherwise, levels, images),)
            return kind, _unordered(branches, levels, images), *last
        case s.Demand(what):
            return kind, what, *_children(node, levels, images)
        case _:
            return kind, *_children(node, levels, images)


def _children(node: Node, levels: Levels, images: Renamed) -> Form:
    """The types of the names that the node binds, then its other children. Bound names are distinguished by the order in
    which they are bound."""
    names = bound_names(node)
    if not names:
        return tuple(_form(each, levels, images) for each in node.children())
    inner = {**levels, **{name.name: len(levels) + at for at, name in enumerate(names)}}
    others = node.children()[len(names) :]
    return tuple(show_type(each.type) for each in names), *(_form(each, inner, images) for each in others)
