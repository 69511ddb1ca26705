"""The parts of a high-level net as texts of the `.hln` format, for pictures. In: any net, as from PNML. Out: `NetTexts`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.diagnostics import Source
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import TRUE
from burnside.ir.highlevel.types import DOT
from burnside.ir.highlevel.values import show_tokens
from burnside.languages.hln.lexer import quoted
from burnside.languages.hln.printing import declared_types, elements_text, is_empty, is_one_dot, readable
from burnside.languages.hln.printing_terms import TermWriter
from burnside.languages.hln.type_texts import constructed_text, type_text
from burnside.languages.shared.recursion import deep_recursion
from burnside.records import record

LONG = 40
"""Characters of an initial marking beyond which the tokens are shown if that is shorter."""


@record
class PlaceText:
    """`initial` is empty where the place is; of a place for dots `dots` says how many there are."""

    type: str
    initial: str = ""
    dots: int | None = None


@record
class ArcText:
    """`text` is empty for one dot."""

    place: int
    text: str


@record
class TransitionText:
    """`tests`: what is looked at and stays: the same inscription on an arc from a place and one to it."""

    variables: str
    guard: str
    tests: tuple[ArcText, ...]
    consumes: tuple[ArcText, ...]
    produces: tuple[ArcText, ...]


@record
class NetTexts:
    """`types`: declarations without the word `type`; a sort is called as the net's own language calls it."""

    types: tuple[str, ...]
    places: tuple[PlaceText, ...]
    transitions: tuple[TransitionText, ...]


def net_texts(net: HighLevelNet) -> NetTexts:
    with deep_recursion(Source(net.name, "")):
        shown = readable(net)
        writer = _Writer(shown)
        return NetTexts(
            tuple(writer.types(net)),
            tuple(map(writer.place, shown.places)),
            tuple(map(writer.transition, shown.transitions)),
        )


class _Writer:
    def __init__(self, net: HighLevelNet) -> None:
        self.places = [each.name for each in net.places]
        self.declared = declared_types(net)

    def types(self, net: HighLevelNet) -> Iterator[str]:
        for each in net.sorts:
            yield f"{quoted(each.name)} = {each.origin} {elements_text(each.elements)}"
        for type_, name in self.declared.items():
            yield f"{quoted(name)} = {constructed_text(type_, self.declared)}"

    def place(self, place: Place) -> PlaceText:
        from burnside.reference.highlevel.evaluation import evaluate

        type_ = type_text(place.type, self.declared)
        if place.type == DOT:
            return PlaceText(type_, dots=sum(number for _, number in evaluate(place.initial, {})))
        if is_empty(place.initial):
            return PlaceText(type_)
        text = TermWriter(self.declared, self.places, ()).check(place.initial)
        if len(text) > LONG:
            text = min(text, show_tokens(place.type, evaluate(place.initial, {})), key=len)
        return PlaceText(type_, text)

    def transition(self, of: Transition) -> TransitionText:
        writer = TermWriter(self.declared, self.places, [each.name for each in of.variables])
        consumes, produces, tests = list(of.consumes), list(of.produces), []
        for arc in of.consumes:
            if arc in produces:
                tests.append(arc)
                consumes.remove(arc)
                produces.remove(arc)

        def arcs(of: Sequence[Arc]) -> tuple[ArcText, ...]:
            return tuple(
                ArcText(each.place, "" if is_one_dot(each.term) else writer.check(each.term)) for each in of
            )

        variables = (f"{quoted(each.name)}: {type_text(each.type, self.declared)}" for each in of.variables)
        guard = "" if of.guard == TRUE else writer.check(of.guard)
        return TransitionText(", ".join(variables), guard, arcs(tests), arcs(consumes), arcs(produces))
