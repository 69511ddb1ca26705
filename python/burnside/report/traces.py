"""Counterexamples as files: what `--trace FILE` writes, by extension.

In: an `Outcome` with violations. Out: the bytes of a `.json`, `.txt` or `.dot` file, or of a picture, with every trace
of the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from burnside.outcome import Outcome, PropertyResult, Trace, property_title
from burnside.report.dot import DRAWN, INK, SOFT, head, label, quoted, render
from burnside.report.json import dump, traces_record
from burnside.report.spaces import BAD, BAD_LINE, SOUGHT
from burnside.report.text import plain, trace_lines
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
    last = len(result.trace.steps) - 1
    fill, line = (SOUGHT, INK) if result.kind == "goal" else (BAD, BAD_LINE)
    yield f"  subgraph cluster_{number} {{"
    yield f"    label={quoted(property_title(result.kind, result.name))}; color={quoted(SOFT)};"
    for position, lines in enumerate(_labels(result.trace)):
        end = f", fillcolor={quoted(fill)}, color={quoted(line)}" if position == last else ""
        yield f"    s{number}_{position} [label={label(lines)}{end}];"
    yield f"    start{number} [shape=point, width=0.08, style=filled, fillcolor={quoted(INK)}];"
    yield f"    start{number} -> s{number}_0 [label={label([f' {result.trace.start} '])}];"
    for position, action in enumerate(result.trace.actions):
        yield f"    s{number}_{position} -> s{number}_{position + 1} [label={label([f' {action} '])}];"
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
