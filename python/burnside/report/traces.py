"""Counterexamples as files: what `--trace FILE` writes, by extension.

In: an `Outcome` with violations. Out: the bytes of a `.json`, `.txt` or `.dot` file, or of a picture, with every trace
of the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from burnside.outcome import Outcome, PropertyResult, Trace, property_title
from burnside.report.dot import DRAWN, INK, SOFT, head, label, quoted, render
from burnside.report.json import dump, traces_record
from burnside.report.lines import plain
from burnside.report.spaces import BAD, BAD_LINE, SOUGHT, arrow_lines
from burnside.report.trace_lines import run_remarks, trace_lines
from burnside.words import changes


def traces_in(extension: str, outcome: Outcome) -> bytes:
    if extension in DRAWN:
        return render(history_dot(outcome), extension)
    return FORMATS[extension](outcome).encode()


def _text(outcome: Outcome) -> str:
    lines = [plain(line) for result in outcome.traced for line in (*trace_lines(result, shown=None), ())]
    return "\n".join([outcome.model, "", *lines])


def history_dot(outcome: Outcome) -> str:
    """Every run from its start to what is wrong, side by side; a step shows what it changes."""
    lines = [*head(outcome.model), '  node [shape=box, style="rounded,filled", fillcolor="#ffffff"];']
    for number, result in enumerate(outcome.traced):
        lines += _cluster(number, result)
    return "\n".join([*lines, "}", ""])


def _cluster(number: int, result: PropertyResult) -> Iterator[str]:
    assert result.trace is not None
    trace, loop = result.trace, result.trace.loop_start
    # The last state of a lasso is the one in which its loop begins: that is drawn once.
    last = len(trace) if loop is None else len(trace) - 1
    fill, line = (SOUGHT, INK) if result.kind in ("goal", "coverability") else (BAD, BAD_LINE)
    yield f"  subgraph cluster_{number} {{"
    title = [property_title(result.kind, result.name), *run_remarks(result)]
    yield f"    label={label(title)}; color={quoted(SOFT)};"
    for position, lines in enumerate(islice(_labels(trace), last + 1)):
        first = loop if loop is not None else trace.pump_start
        marked = position == last if first is None else position >= first
        look = f", fillcolor={quoted(fill)}, color={quoted(line)}" if marked else ""
        yield f"    s{number}_{position} [label={label(lines)}{look}];"
    yield f"    start{number} [shape=point, width=0.08, style=filled, fillcolor={quoted(INK)}];"
    yield f"    start{number} -> s{number}_0 [label={label([f' {trace.start} '])}];"
    for position, action in enumerate(trace.actions):
        target = position + 1 if loop is None or position < last else loop
        yield f"    s{number}_{position} -> s{number}_{target} [label={label(arrow_lines(action))}];"
    yield "  }"


def _labels(trace: Trace) -> Iterator[list[str]]:
    """The first node says what is marked or defined, the others what changed."""
    before: Mapping[str, str] | None = None
    for step in trace:
        words = list(trace.words) if before is None else changes(before, step.state)
        words += [] if step.failure is None else [step.failure]
        yield words or ["no change"]
        before = step.state


FORMATS: Mapping[str, Callable[[Outcome], str]] = {
    "json": lambda outcome: dump(traces_record(outcome)),
    "txt": _text,
    "dot": history_dot,
}
