"""Quantifiers that may stop at the first instance that decides, though all instances count.

In: a program, and the slots of its state that are never undefined. Out: the same program, for the core: where the body of a
quantifier cannot fail, evaluating the other instances has no effect. Only guards and properties without calls are
looked at: there the state is one between two actions, in which these slots are defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.ir import expressions as e
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.definedness import expression_refined, refined
from burnside.ir.analysis.flat import Expr, Place
from burnside.ir.analysis.flatten import flatten
from burnside.ir.analysis.flattening.names import Meaning, NotFlat, Out
from burnside.ir.analysis.flattening.statements import Statements
from burnside.ir.analysis.paths import Path
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Optional, Record
from burnside.ir.walking import nodes, rebuilt
from burnside.records import replace

SMALL = 500
"""Statements of a program whose slots are looked at for this purpose alone: milliseconds."""


def stopping_early(program: Program, defined: frozenset[Path] | None) -> Program:
    """Where it is not known what is defined, that is found out for small programs."""
    if not any(isinstance(each, e.Quantified) and each.every for each in _looked_at(program)):
        return program
    if defined is None:
        defined = _defined(program)
    if not defined:
        return program
    bodies = _Bodies(program, lambda: None)
    variables = tuple(flat.Variable(each.name, each.type) for each in program.variables)

    def change(node: Any) -> Any:
        if isinstance(node, e.Quantified) and node.every and not _can_fail(bodies, node, variables, defined):
            return replace(node, every=False)
        return node

    def changed(expression: e.Expression) -> e.Expression:
        if any(isinstance(each, e.Call) for each in nodes(expression)):
            return expression
        return rebuilt(expression, change)

    actions = tuple(replace(each, guard=changed(each.guard)) for each in program.actions)
    properties = tuple(
        each if each.expression is None else replace(each, expression=changed(each.expression))
        for each in program.properties
    )
    return replace(program, actions=actions, properties=properties)


def _looked_at(program: Program) -> Iterator[Any]:
    yield from nodes(*(each.guard for each in program.actions))
    yield from nodes(*(each.expression for each in program.properties if each.expression is not None))


def _defined(program: Program) -> frozenset[Path]:
    try:
        return refined(flatten(program, most=SMALL)).defined
    except NotFlat:
        return frozenset()


class _Bodies(Statements):
    """Makes parts of expressions flat: what is bound outside of them has a value, or is a place that may be undefined."""

    def meaning(self, place: e.Place, out: Out) -> Meaning:
        if isinstance(place, e.Variable) and place.name not in self.names:
            if isinstance(place.type, Array | Bag | Optional | Record):
                return Place(place.name, place.type, is_state=False)
            return Expr("name", place.type, name=place.name)
        return super().meaning(place, out)

    def flat(self, expression: e.Expression) -> Expr | None:
        self.names = dict(self._state)
        out: Out = []
        value = self.value(expression, out)
        return None if out else value


def _can_fail(
    bodies: _Bodies, node: e.Quantified, variables: tuple[flat.Variable, ...], defined: frozenset[Path]
) -> bool:
    try:
        made = bodies.flat(node)
    except NotFlat:
        return True
    return made is None or walking.can_fail(expression_refined(made, variables, defined))
