"""A drawing of how two tools' times grow: seconds against states, both on logarithmic axes.

In: `Curve`s, a family of models each, with two series of points. Out: SVG text. Written by hand: it is a page of
lines and labels, and a plotting library would be a dependency for one picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from xml.sax.saxutils import escape

from burnside.records import record

Points = Sequence[tuple[float, float]]
WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 70, 190, 40, 50
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7f6000", "#56b4e9")
"""Told apart by people who are colour-blind too (Okabe and Ito)."""


@record
class Curve:
    """A family: its points by either tool, as pairs of states and seconds."""

    name: str
    theirs: Points
    ours: Points


@record
class Axis:
    """From `low` to `high`, which are powers of ten, over pixels."""

    low: int
    high: int
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)


def axis_of(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = floor(log10(min(values))), ceil(log10(max(values)))
    return Axis(low, max(high, low + 1), start, end)


def drawing(title: str, curves: Sequence[Curve], theirs: str, ours: str) -> str:
    points = [point for curve in curves for point in (*curve.theirs, *curve.ours)]
    across = axis_of([states for states, _ in points], LEFT, WIDTH - RIGHT)
    up = axis_of([seconds for _, seconds in points], HEIGHT - BOTTOM, TOP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>',
        *_grid(across, up),
    ]
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        lines += _line(curve.theirs, across, up, colour, "6 4")
        lines += _line(curve.ours, across, up, colour, "")
        y = TOP + 60 + 20 * number
        lines.append(f'<rect x="{WIDTH - RIGHT + 20}" y="{y - 9}" width="12" height="10" fill="{colour}"/>')
        lines.append(f'<text x="{WIDTH - RIGHT + 40}" y="{y}">{escape(curve.name)}</text>')
    for number, (name, dashes) in enumerate(((theirs, "6 4"), (ours, ""))):
        y, x = TOP + 10 + 20 * number, WIDTH - RIGHT + 10
        lines.append(
            f'<path d="M{x} {y - 4}h24" stroke="black" stroke-width="2" stroke-dasharray="{dashes}" fill="none"/>'
        )
        lines.append(f'<text x="{x + 30}" y="{y}">{escape(name)}</text>')
    return "\n".join((*lines, "</svg>")) + "\n"


def _grid(across: Axis, up: Axis) -> Iterator[str]:
    for power in range(across.low, across.high + 1):
        x = across.at(10.0**power)
        yield f'<path d="M{x:.1f} {up.start}V{up.end}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{up.start + 18}" text-anchor="middle">{10**power:,}</text>'
    for power in range(up.low, up.high + 1):
        y = up.at(10.0**power)
        yield f'<path d="M{across.start} {y:.1f}H{across.end}" stroke="#ddd"/>'
        yield f'<text x="{across.start - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>'
    middle = (across.start + across.end) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 10}" text-anchor="middle">states of the unreduced model</text>'


def _line(points: Points, across: Axis, up: Axis, colour: str, dashes: str) -> Iterator[str]:
    places = [(across.at(states), up.at(seconds)) for states, seconds in sorted(points)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
    )
    for x, y in places:
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>'
