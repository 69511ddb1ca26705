"""Traces of machines under a symmetry, as people and as programs read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from burnside.report.lines import Line, Piece, figure
from burnside.report.testing import trace_text
from burnside.testing.trace_texts import Trace
from burnside.testing.traces import TraceComparison


def traces_record(
    given: Sequence[Trace],
    least: Sequence[Trace],
    compared: TraceComparison | None,
    others: Sequence[Sequence[Trace]] | None,
) -> dict[str, Any]:
    """`symmetric`: null where one trace was given."""
    found: dict[str, Any] = {
        "traces": [list(map(str, trace)) for trace in given],
        "representatives": [list(map(str, trace)) for trace in least],
        "symmetric": None if compared is None else compared.symmetric,
        "reason": None if compared is None else compared.reason,
    }
    if others is not None:
        found["variants"] = [[list(map(str, trace)) for trace in each] for each in others]
    return found


def traces_lines(
    given: Sequence[Trace],
    least: Sequence[Trace],
    compared: TraceComparison | None,
    others: Sequence[Sequence[Trace]] | None,
) -> Iterator[Line]:
    for at, trace in enumerate(given):
        yield figure("trace", trace_text(trace))
        yield figure("least", trace_text(least[at]))
        for variant in () if others is None else others[at]:
            yield figure("variant", trace_text(variant))
    if compared is not None:
        answer = "yes" if compared.symmetric else f"no: {compared.reason}"
        yield Piece(f"  {'symmetric':<14}", "dim"), Piece(answer, "bold")
