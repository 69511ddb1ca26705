"""Runs as people read them: a line for each step, with what it changed.

In: a `PropertyResult` with a trace. Out: lines. Of an infinite run the loop is marked, and where it returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from burnside.outcome import PropertyResult, Trace
from burnside.report.lines import Line, Piece, count
from burnside.words import SHOWN_NAMES, changes, column_width, truncated_list

FORMULAS = ("ltl", "ctl", "never", "cycles")


def trace_lines(result: PropertyResult, shown: int | None = SHOWN_NAMES) -> Iterator[Line]:
    """One line a step: what was done and what it changed; at most `shown` places of each state."""
    assert result.trace is not None
    what = {
        "deadlock": "to a deadlock",
        "goal": f"to {result.name}",
        "coverability": f"that covers {result.name}",
        "boundedness": "that can be repeated and adds tokens",
        "error": "to an error" if result.name == "error" else f"to the error {result.name}",
        "assertion": f"violating the assertion {result.name}",
    }.get(result.kind, f"violating {result.name}")
    if result.verdict == "unknown":
        what = f"to where {result.name} has no answer"
    yield Piece(f"trace {what}", "bold"), Piece(f", {length(result.trace)}", "dim")
    yield from _steps(result.trace, shown)
    yield from ((Piece(f"  {each}"),) for each in run_remarks(result))


def run_remarks(result: PropertyResult) -> list[str]:
    """What is to say of a run that violates a formula: for which values, how its loop closes, or why it ends. Of one that
    shows that a net is unbounded: what it adds."""
    if result.boundedness is not None and result.trace is not None:
        steps = len(result.trace) - (result.trace.pump_start or 0)
        which = "step" if steps == 1 else f"{steps:,} steps"
        return [
            f"the last {which} can be repeated, each time with more in "
            f"{truncated_list(result.boundedness.pumped)}"
        ]
    is_violated_formula = result.kind in FORMULAS and result.verdict == "violated"
    return [result.message] if is_violated_formula and result.message is not None else []


def witness_lines(name: str, witness: Trace, shown: int | None = SHOWN_NAMES) -> Iterator[Line]:
    """A run that shows that something is possible."""
    yield Piece(f"run that shows {name}", "bold"), Piece(f", {length(witness)}", "dim")
    yield from _steps(witness, shown)


def length(trace: Trace) -> str:
    if trace.loop_start is None:
        return count(len(trace), "step")
    loop = f"loop of {count(len(trace) - trace.loop_start, 'step')}"
    return f"{count(trace.loop_start, 'step')} and a {loop}" if trace.loop_start else f"a {loop}"


def _steps(trace: Trace, shown: int | None) -> Iterator[Line]:
    width = column_width((trace.start, *trace.actions))
    digits = len(str(len(trace)))
    before: Mapping[str, str] | None = None
    for number, step in enumerate(trace):
        words = list(trace.words) if before is None else changes(before, step.state)
        what = truncated_list(words, shown) or "no change"
        action = step.action or trace.start
        if step.failure is not None and (what == "no change" or not step.state):
            what = ""
        # A step that fails changes nothing: why it fails stands in the place of what it does.
        parts = [(what, "")] if what else []
        parts += [] if step.failure is None else [(step.failure, "red")]
        for at, (text, style) in enumerate(parts):
            label, name = (f"{number:>{digits}}", action) if at == 0 else ("", "")
            if len(name) > width:
                yield Piece(f"  {label:>{digits}}  ", "dim"), Piece(name, "cyan")
                label, name = "", ""
            yield (
                Piece(f"  {label:>{digits}}  ", "dim"),
                Piece(f"{name:<{width}}  ", "cyan"),
                Piece(text, style),
            )
        if number in (trace.loop_start, trace.pump_start):
            word = "loop" if number == trace.loop_start else "from here on, again and again"
            yield (Piece(f"  {'':>{digits}}  {word}", "yellow"),)
        before = step.state
    if trace.loop_start is not None:
        yield (Piece(f"  {'':>{digits}}  back to {trace.loop_start}", "yellow"),)
