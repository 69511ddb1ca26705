"""Counterexamples as files: what `--trace FILE` writes, by extension.

In: an `Outcome` with violations. Out: the bytes of a `.json`, `.txt` or `.dot` file with every trace of
the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from burnside.outcome import Outcome, PropertyResult, Trace
from burnside.report.json import dump, traces_record
from burnside.report.text import changes, defined, marked, plain, trace_lines


def traces_in(extension: str, outcome: Outcome) -> bytes:
    return FORMATS[extension](outcome).encode()


def _text(outcome: Outcome) -> str:
    lines = [plain(line) for result in outcome.traced for line in (*trace_lines(result, shown=None), ())]
    return "\n".join([outcome.model, "", *lines])


def _dot(outcome: Outcome) -> str:
    lines = ["digraph trace {", "  rankdir=TB;", '  node [shape=box, fontname="Helvetica"];']
    for number, result in enumerate(outcome.traced):
        lines += _cluster(number, result)
    return "\n".join([*lines, "}", ""])


def _cluster(number: int, result: PropertyResult) -> Iterator[str]:
    assert result.trace is not None
    yield f"  subgraph cluster_{number} {{"
    yield f"    label={_quoted(f'{result.kind}: {result.name}')};"
    for position, text in enumerate(_labels(result.trace)):
        yield f"    s{number}_{position} [label={_quoted(text)}];"
    for position, action in enumerate(result.trace.actions):
        yield f"    s{number}_{position} -> s{number}_{position + 1} [label={_quoted(action)}];"
    yield "  }"


def _labels(trace: Trace) -> Iterator[str]:
    """The first node says what is marked or defined, the others what changed."""
    before: Mapping[str, str] | None = None
    for step in trace:
        first = marked if trace.of_markings else defined
        words = first(step.state) if before is None else changes(before, step.state)
        words += [] if step.failure is None else [step.failure]
        yield "\n".join(words)
        before = step.state


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


FORMATS: Mapping[str, Callable[[Outcome], str]] = {
    "json": lambda outcome: dump(traces_record(outcome)),
    "txt": _text,
    "dot": _dot,
}
