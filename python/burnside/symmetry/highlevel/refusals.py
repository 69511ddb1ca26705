"""Why a declared symmetry is none: the reason and its place in the model's text.

In: a net, a sort, what its declared permutations do not keep. Out: a `Refusal` about the first term there that sees which
element is which. The normal form decides what is refused; this looks for words.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.diagnostics import Span
from burnside.ir.highlevel.net import HighLevelNet, Transition
from burnside.ir.highlevel.terms import Apply, Literal, Lookup, Term, type_of
from burnside.ir.highlevel.types import Element, Sort, TokenType, sorts_of
from burnside.ir.highlevel.values import permuted
from burnside.ir.walking import nodes
from burnside.symmetry import Refusal
from burnside.symmetry.elements import sort_images
from burnside.symmetry.highlevel.certifier import Mismatch
from burnside.symmetry.points import Images

ORDERED = frozenset({"less", "less-equal", "position", "element"})
RING = frozenset({"successor", "distance"})


def refusal(net: HighLevelNet, sort: Sort, permutation: Images, mismatch: Mismatch) -> Refusal:
    what = f"{sort.origin} {sort.name}"
    reason, span = _reason(net, sort, permutation, mismatch)
    return Refusal(what, reason, span.line if span else 1, span.column if span else 1)


def _reason(
    net: HighLevelNet, sort: Sort, permutation: Images, mismatch: Mismatch
) -> tuple[str, Span | None]:
    what = f"{sort.origin} {sort.name}"
    images = sort_images(net.sorts, permutation)[sort.name]
    if mismatch.kind == "place":
        place = net.places[mismatch.number]
        for term in nodes(place.initial):
            if _moved(term, sort, images):
                span = term.span or place.span or sort.span
                return f"the initial marking of {place.name} names some elements of {what}", span
        return f"the initial marking of {place.name} tells elements of {what} apart", place.span or sort.span
    transition = net.transitions[mismatch.number]
    for where, outer, span in _parts(net, transition):
        for term in nodes(outer):
            reason = _seen(term, sort, images)
            if reason is not None:
                return f"{reason}, in {where}", term.span or span or transition.span or sort.span
    return f"{transition.name} tells elements of {what} apart", transition.span or sort.span


def _parts(net: HighLevelNet, transition: Transition) -> Iterator[tuple[str, Term, Span | None]]:
    yield f"the guard of {transition.name}", transition.guard, transition.guard.span
    for arc in (*transition.consumes, *transition.produces):
        place = net.places[arc.place]
        yield f"an arc between {place.name} and {transition.name}", arc.term, arc.span


def _seen(term: Term, sort: Sort, images: Images) -> str | None:
    """Does this node see which element of the sort is which?"""
    what = f"{sort.origin} {sort.name}"
    match term:
        case Literal() if _moved(term, sort, images):
            return f"a constant of {what}"
        case Lookup(name, table, argument, range_):
            inside = type_of(argument) == Element(sort)
            if inside and any(table[image] != table[at] for at, image in enumerate(images)):
                return f"'{name}' maps elements of {what} to different values"
            return f"'{name}' maps to single elements of {what}" if range_.sort == sort else None
        case Apply(operator, arguments, type_) if operator in ORDERED | RING:
            types: list[TokenType] = [type_, *(type_of(each) for each in arguments)]
            if not any(sort in sorts_of(each) for each in types):
                return None
            if operator in ORDERED:
                return f"'{operator}' sees the order of {what}"
            ring = all(
                images[(at + 1) % len(images)] == (to + 1) % len(images) for at, to in enumerate(images)
            )
            return None if ring else f"'{operator}' sees the ring of {what}"
    return None


def _moved(term: object, sort: Sort, images: Images) -> bool:
    return isinstance(term, Literal) and permuted(term.type, term.value, {sort.name: images}) != term.value
