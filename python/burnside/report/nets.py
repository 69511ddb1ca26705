"""Nets as pictures.

In: a `Net` and the orbits of its symmetry group. Out: DOT text; `dot` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.net import Arcs, Net
from burnside.report.dot import PLAIN, count, head, label, quoted
from burnside.words import printable

PALETTE = (
    *("#cfe2f3", "#fce0c2", "#d5ead0", "#f6d0d4", "#e2d6ef", "#fff2b8"),
    *("#cdebe8", "#ecd9c6", "#f3d3e7", "#dfe6bd", "#d3d9e8", "#e8e3dc"),
)
"""Light fills that can be distinguished in print; black text is readable on each."""

DOTS = 3
"""Tokens drawn as dots; more are written as a number."""


def net_dot(
    net: Net,
    place_orbits: Sequence[Sequence[int]] = (),
    transition_orbits: Sequence[Sequence[int]] = (),
) -> str:
    """The net itself; nodes of one orbit share a colour, what no symmetry moves stays white."""
    moving = sum(len(cell) > 1 for cell in place_orbits)
    fills, boxes = _fills(place_orbits, 0), _fills(transition_orbits, moving)
    lines = head(_net_caption(net) + ("; one colour for each orbit of the symmetry group" if fills else ""))
    lines += [_place(net, place, fills.get(place, PLAIN)) for place in range(len(net.places))]
    lines += [_box(net, number, boxes.get(number, PLAIN)) for number in range(len(net.transitions))]
    # What is marked first stands on one line at the top: copies of a part are then drawn side by side.
    marked = [f"p{place};" for place, tokens in enumerate(net.initial) if tokens]
    lines += [f"  {{ rank=source; {' '.join(marked)} }}"] if marked else []
    for number in range(len(net.transitions)):
        lines += _arcs(net.consumes[number], net.produces[number], number)
    return "\n".join([*lines, "}", ""])


def _net_caption(net: Net) -> str:
    places, transitions = count(len(net.places), "place"), count(len(net.transitions), "transition")
    return f"{printable(net.name)}: {places}, {transitions}"


def _fills(orbits: Sequence[Sequence[int]], used: int) -> dict[int, str]:
    """A colour for every node that moves; beyond the palette, hues are spread by the golden ratio."""
    fills = {}
    for number, cell in enumerate((cell for cell in orbits if len(cell) > 1), start=used):
        spread = f"{number * 0.618034 % 1:.3f} 0.22 0.96"
        fills.update(dict.fromkeys(cell, PALETTE[number] if number < len(PALETTE) else spread))
    return fills


def _place(net: Net, place: int, fill: str) -> str:
    name = label([printable(net.places[place])])
    return f"  p{place} [{circle(net.initial[place])}, xlabel={name}, fillcolor={quoted(fill)}];"


def circle(tokens: int) -> str:
    """A place with tokens that are all alike."""
    shown = "●" * tokens if tokens <= DOTS else f"{tokens:,}"
    size = "fixedsize=true, width=0.42" if len(shown) <= DOTS else "width=0.42"
    return f"shape=circle, {size}, fontsize=9, margin=0, label={quoted(shown)}"


def _box(net: Net, transition: int, fill: str) -> str:
    name = label([printable(net.transitions[transition])])
    return f"  t{transition} [shape=box, height=0.3, label={name}, fillcolor={quoted(fill)}];"


def _arcs(consumes: Arcs, produces: Arcs, transition: int) -> Iterator[str]:
    """A place that is read and put back with the same weight has one arrow with two heads."""
    both = set(consumes) & set(produces)
    for place, weight in consumes:
        heads = ", dir=both" if (place, weight) in both else ""
        yield f"  p{place} -> t{transition} [label={_weight(weight)}{heads}];"
    for place, weight in produces:
        if (place, weight) not in both:
            yield f"  t{transition} -> p{place} [label={_weight(weight)}];"


def _weight(weight: int) -> str:
    return quoted("" if weight == 1 else str(weight))
