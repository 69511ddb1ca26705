"""Expressions and predicates of Z mean what the reference manual says: what they are lowered to has, in both engines, the
value that brute force finds.

Where something is undefined, this is compared: an expression that is undefined by brute force is undefined in both engines,
and the other way round. Engines need not look at all valuations of bound names (`ir.sets.expressions`): where something was
undefined for one of these, one of the three may find a value where another finds none; two values are equal all the same.
Sets that are too large for brute force or an engine to list are left alone.
"""

from __future__ import annotations

from random import Random

import pytest
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.meanings import Scope
from burnside.languages.z.lower.toolkit import joined
from burnside.reference.sets.machines import Label
from burnside.semantics import ERROR
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.machine_engines import REFUSED, Both, both, happenings
from tests.z_brute_force import NOWHERE
from tests.z_engines import Loaded, asking, loaded
from tests.z_texts import SPECIFICATION, VARIABLES, Kind, Maker, kind, type_text
from tests.z_values import NotListed, Undefined, Value, listed, plain
from burnside.reference.sets.machines import steps

KINDS = [kind(each) for each in "N X C T R P(X) P(N) P(C) (X,N) L(X,C) L(X,X) L(N,X) Q(X) Q(N) B(X) P(R) P(P(X))".split()]
ASKED = 3
DEPTH = 3


def texts(maker: Maker, depth: int = DEPTH) -> tuple[list[str], list[str]]:
    expressions = [maker.expression(maker.one(KINDS), VARIABLES, depth) for _ in range(ASKED)]
    return expressions, [maker.predicate(VARIABLES, depth) for _ in range(ASKED)]


def specification(expressions: list[str], predicates: list[str]) -> str:
    declarations = "; ".join(f"{name} : {type_text(own)}" for name, own in VARIABLES.items())
    lines = SPECIFICATION.replace("DECLARATIONS", declarations)
    probes = [
        *(f"Probe{number} \\defs [ S | {each} = {each} ]" for number, each in enumerate(expressions)),
        *(f"Claim{number} \\defs [ S | {each} ]" for number, each in enumerate(predicates)),
    ]
    return lines + "\\begin{zed}\n" + " \\also\n".join(probes) + "\n\\end{zed}\n"


def asked(found: Loaded, name: str) -> t.Expression | t.Predicate:
    body = found.schema(name).body
    assert isinstance(body, t.SchemaText)
    (predicate,) = body.predicates
    return predicate.left if name.startswith("Probe") and isinstance(predicate, t.Equality) else predicate


UNDEFINED, UNKNOWN = "undefined", "not known"


def by_brute_force(found: Loaded, tree: t.Expression | t.Predicate, values: dict[str, Value]) -> tuple[object, bool]:
    """What a tree means; and is it certain that it is undefined, or not?"""
    brute = found.brute
    brute.is_loose = False
    scope = NOWHERE.within(values)
    try:
        if isinstance(tree, PREDICATES):
            return int(brute.predicate(tree, scope)), not brute.is_loose
        value = plain(brute.expression(tree, scope))
        return found.translated(value, found.lowering.checked.type_of(tree)), not brute.is_loose
    except Undefined:
        return UNDEFINED, not brute.is_loose
    except NotListed:
        return UNKNOWN, False
