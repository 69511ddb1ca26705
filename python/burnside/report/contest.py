"""Answers as the Model Checking Contest wants them: one line for each formula, bound or examination.

In: an `Outcome`. Out: the lines for standard output, and for standard error what has no answer: `CANNOT_COMPUTE` would say
that there is none to be had.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.outcome import Outcome, PropertyResult, Reduction
from burnside.report.text import STOPPED

STATE_SPACE = "StateSpace"
ANSWERS = {"holds": "TRUE", "violated": "FALSE"}


def contest_lines(outcome: Outcome) -> Iterator[str]:
    techniques = {name: run.reduction for run in outcome.formula_runs for name in run.formulas}
    for result in outcome.properties:
        if result.verdict != "unknown":
            used = _techniques(techniques.get(result.name, outcome.reduction))
            if result.name == STATE_SPACE and result.kind == "examination":
                yield from (f"STATE_SPACE {what} {used}" for what in _state_space(outcome))
            else:
                answer = ANSWERS[result.verdict] if result.value is None else str(result.value)
                yield f"FORMULA {result.name} {answer} {used}"


def unanswered_lines(outcome: Outcome) -> Iterator[str]:
    for result in outcome.properties:
        if result.verdict == "unknown":
            yield f"{outcome.model}: {result.name}: unknown ({_reason(outcome, result)})"


def _reason(outcome: Outcome, result: PropertyResult) -> str:
    why = STOPPED.get(outcome.stopped, outcome.stopped)
    return why if result.message is None else f"{why}; {result.message}"


def _techniques(reduction: Reduction) -> str:
    return f"TECHNIQUES EXPLICIT{'' if reduction.strength == 'none' else ' SYMMETRIES'}"


def _state_space(outcome: Outcome) -> Iterator[str]:
    """Transitions are counted where every marking was stored: of an orbit, one marking's transitions are known."""
    yield f"STATES {outcome.full_states}"
    if outcome.full_states == outcome.states:
        yield f"TRANSITIONS {outcome.transitions}"
    if outcome.bounds is not None:
        yield f"MAX_TOKEN_IN_PLACE {max(outcome.bounds.values(), default=0)}"
    if outcome.largest_total is not None:
        yield f"MAX_TOKEN_PER_MARKING {outcome.largest_total}"
