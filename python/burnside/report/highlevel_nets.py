"""High-level nets as pictures.

In: the net, its parts as texts, its certified symmetries. Out: DOT text; `dot` draws it. A place says what its tokens are
and what it holds at first, a transition its variables and guard; texts that are too long for a picture are cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burnside.ir.highlevel.net import HighLevelNet, Place, Transition
from burnside.languages.hln.net_texts import ArcText, NetTexts, PlaceText, TransitionText
from burnside.outcome import readable
from burnside.report.dot import CAPTION_WIDTH, PLAIN, count, head, label, quoted
from burnside.report.nets import PALETTE, circle
from burnside.symmetry import Symmetries
from burnside.words import printable, wrapped

WIDTH = 26
"""Characters on a line inside of nodes and on arcs."""
MAX_LINES = 4
MAX_TYPES = 12
"""Types that are declared below the picture."""
_WORD = re.compile(r"[^\s:]+:[ ]\S*[^\s:](?!\S) | [^\s<]*<[^\s<>][^<>]{0,14}>\S* | \S+", re.VERBOSE)
"""What stays on one line: `name: type`, short structs, what has no blanks."""


def highlevel_net_dot(net: HighLevelNet, texts: NetTexts, symmetries: Symmetries) -> str:
    """Places of one type share a colour; those for dots are drawn as those of place/transition nets."""
    types = list(dict.fromkeys(each.type for each in texts.places if each.dots is None))
    fills = {type_: PALETTE[number % len(PALETTE)] for number, type_ in enumerate(types)}
    lines = head(_caption(net, symmetries), *_declared(texts.types))
    for number, (place, of_place) in enumerate(zip(net.places, texts.places, strict=True)):
        lines.append(_place(number, place, of_place, fills.get(of_place.type, PLAIN)))
    for number, (transition, of_transition) in enumerate(
        zip(net.transitions, texts.transitions, strict=True)
    ):
        lines.append(_transition(number, transition, of_transition))
        lines += _arcs(number, of_transition)
    return "\n".join([*lines, "}", ""])


def _caption(net: HighLevelNet, symmetries: Symmetries) -> str:
    places, transitions = count(len(net.places), "place"), count(len(net.transitions), "transition")
    group = "no symmetries" if symmetries.order == 1 else f"{readable(symmetries.order)} symmetries"
    if symmetries.structure and symmetries.order > 1:
        group += f" ({symmetries.structure})"
    return f"{printable(net.name)}: {places}, {transitions}, {group}"


def _declared(types: Sequence[str]) -> Iterator[str]:
    """As the places name them."""
    for each in types[:MAX_TYPES]:
        yield from _cut(each, CAPTION_WIDTH, 2)
    if len(types) > MAX_TYPES:
        yield f"and {len(types) - MAX_TYPES:,} more types"


def _place(number: int, place: Place, text: PlaceText, fill: str) -> str:
    name = printable(place.name)
    if text.dots is not None:
        return f"  p{number} [{circle(text.dots)}, xlabel={label([name])}, fillcolor={quoted(PLAIN)}];"
    lines = _cut(f"{name}: {text.type}")
    lines += _cut(f"= {text.initial}") if text.initial else []
    return f'  p{number} [shape=box, style="rounded,filled", label={label(lines)}, fillcolor={quoted(fill)}];'


def _transition(number: int, transition: Transition, text: TransitionText) -> str:
    variables = f"({text.variables})" if text.variables else ""
    lines = _cut(f"{printable(transition.name)}{variables}")
    lines += _cut(f"[{text.guard}]") if text.guard else []
    return f"  t{number} [shape=box, height=0.3, label={label(lines)}, fillcolor={quoted(PLAIN)}];"


def _arcs(number: int, text: TransitionText) -> Iterator[str]:
    """What is looked at and stays has one arrow with two heads."""
    for each in text.tests:
        yield f"  p{each.place} -> t{number} [{_inscription(each)}, dir=both];"
    for each in text.consumes:
        yield f"  p{each.place} -> t{number} [{_inscription(each)}];"
    for each in text.produces:
        yield f"  t{number} -> p{each.place} [{_inscription(each)}];"


def _inscription(arc: ArcText) -> str:
    # Blanks keep the text away from its arrow.
    lines = [f" {line} " for line in _cut(arc.text)] if arc.text else []
    return f"label={label(lines)}"


def _cut(text: str, width: int = WIDTH, most: int = MAX_LINES) -> list[str]:
    """On so many lines, at blanks where there are some; dots stand for what is left out."""
    words = (
        word[at : at + 2 * width]
        for word in _WORD.findall(printable(text))
        for at in range(0, len(word), 2 * width)
    )
    lines = list(wrapped(words, width))
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} ..."]
