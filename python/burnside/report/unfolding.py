"""What was written by `burnside unfold`. In: a net and where it went. Out: lines for people, a record for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside import __version__
from burnside.net import Net
from burnside.records import field, record
from burnside.report.lines import Line, Piece, count


@record
class Written:
    model: str
    language: str
    net: Net = field(repr=False)
    output: str
    seconds: float


def lines_of(written: Written) -> Iterator[Line]:
    net = written.net
    sizes = (
        count(len(net.places), "place"),
        count(len(net.transitions), "transition"),
        count(net.arcs, "arc"),
        count(sum(net.initial), "token"),
    )
    yield Piece(written.model, "bold"), Piece(f": {', '.join(sizes)}")
    yield Piece(f"  written to {written.output} in {written.seconds:.2f} s", "dim"), Piece("")


def record_of(written: Written) -> dict[str, Any]:
    net = written.net
    return {
        "version": __version__,
        "command": "unfold",
        "model": written.model,
        "language": written.language,
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": net.arcs,
        "tokens": sum(net.initial),
        "output": written.output,
        "seconds": round(written.seconds, 6),
    }
