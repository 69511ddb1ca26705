"""Conditions on numbers of tokens, whatever their colours, as terms over a high-level net.

In: a condition on places in normal form (`languages.net_expressions.conditions`). Out: a term. Natural numbers have no
differences below zero, so each side of a comparison has what is added there.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.highlevel.net import HighLevelNet
from burnside.ir.highlevel.terms import FALSE, TRUE, Apply, Literal, Marked, Term
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag
from burnside.languages.net_expressions import conditions as c


def token_condition(core: c.Core, net: HighLevelNet) -> Term:
    match core:
        case (("<=" | "=") as operator, terms, constant):
            left = [(place, factor) for place, factor in terms if factor > 0]
            right = [(place, -factor) for place, factor in terms if factor < 0]
            sides = _sum(net, left, max(constant, 0)), _sum(net, right, max(-constant, 0))
            return Apply("less-equal" if operator == "<=" else "equal", sides, BOOLEAN)
        case ("not", inner):
            return Apply("not", (token_condition(inner, net),), BOOLEAN)
        case (("and" | "or") as operator, parts):
            return Apply(operator, tuple(token_condition(each, net) for each in parts), BOOLEAN)
        case _:
            return TRUE if core == c.TRUE else FALSE


def _sum(net: HighLevelNet, terms: Sequence[tuple[int, int]], constant: int) -> Term:
    parts = [_times(factor, tokens_of(place, net)) for place, factor in terms]
    if constant or not parts:
        parts.append(Literal(constant, NATURAL))
    return _added(parts)


def _added(parts: Sequence[Term]) -> Term:
    """By halves: sums over thousands of places are not nested as deep."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return Apply("add", (_added(parts[:middle]), _added(parts[middle:])), NATURAL)


def _times(factor: int, number: Term) -> Term:
    return number if factor == 1 else Apply("multiply", (Literal(factor, NATURAL), number), NATURAL)


def tokens_of(place: int, net: HighLevelNet) -> Term:
    """How many tokens the place holds."""
    return Apply("size", (Marked(place, Bag(net.places[place].type)),), NATURAL)
