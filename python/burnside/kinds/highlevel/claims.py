"""What a request claims of the markings of a high-level net. Out: `Claim`s, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.exploration import Exploration
from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.terms import Apply, Literal, Marked, Term
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag
from burnside.kinds.typed import asked_conditions
from burnside.model import Model
from burnside.reference.highlevel.firing import initial_marking
from burnside.request import Request
from burnside.semantics import CheckedProperty


def asked_claims(model: Model, request: Request) -> tuple[Claim, ...]:
    """Besides those of the net's own text."""
    net = model.subject
    assert isinstance(net, HighLevelNet)
    safe = (one_safe(net),) if request.safe else ()
    asked = (Claim(kind, text, term) for kind, text, term in asked_conditions(model, request))
    stable = stable_places(net) if "StableMarking" in request.examinations else ()
    return (*safe, *asked, *stable)


def one_safe(net: HighLevelNet) -> Claim:
    """No place holds two tokens, whatever their values are: so the contest asks it of coloured nets."""
    at_most_one = (Apply("less-equal", (size, Literal(1, NATURAL)), BOOLEAN) for size in _sizes(net))
    return Claim("safe", "1-safe", Apply("and", tuple(at_most_one), BOOLEAN))


def stable_places(net: HighLevelNet) -> tuple[Claim, ...]:
    """For each place a claim with the name of what holds where it is never reached."""
    claims = []
    for place, size, tokens in zip(net.places, _sizes(net), initial_marking(net), strict=True):
        number = sum(count for _, count in tokens)
        same = Apply("equal", (size, Literal(number, NATURAL)), BOOLEAN)
        claims.append(Claim("stable", f"{place.name} always holds {number}", Apply("not", (same,), BOOLEAN)))
    return tuple(claims)


def unchanged_place(
    net: HighLevelNet, properties: Mapping[int, CheckedProperty], found: Exploration
) -> str | None:
    """After a run for `stable_places`: a place that always holds as many tokens as at the start."""
    changed = {properties[number].name for number in found.claims}
    return next((each.name for each in stable_places(net) if each.name not in changed), None)


def _sizes(net: HighLevelNet) -> Iterator[Term]:
    """By place: how many tokens it holds."""
    for at, place in enumerate(net.places):
        yield Apply("size", (Marked(at, Bag(place.type)),), NATURAL)
