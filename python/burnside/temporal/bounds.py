"""How many tokens places hold at most: the contest's upper bounds, answered by either engine.

In: a prepared `Check` of a net, the bounds that are asked. Out: a `PropertyResult` with a number for each, and what was
explored for them.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Any, cast

from burnside.exploration import LargestSums
from burnside.kinds.sums import largest_sums
from burnside.limits import Deadline, OutOfTime, alarm, stopped_by
from burnside.outcome import FormulaRun, PropertyResult
from burnside.progress import Progress
from burnside.reference.temporal.runs import Runs, TooManyStates
from burnside.temporal.by_reference import UNREDUCED, unreduced_semantics
from burnside.temporal.contest import TokenBound
from burnside.temporal.outcomes import CheckedFormulas

if TYPE_CHECKING:
    from burnside.checking import Check


def check_bounds(
    check: Check, asked: Sequence[TokenBound], progress: Progress, deadline: Deadline
) -> CheckedFormulas:
    sums = [each.places for each in asked]
    try:
        if check.request.engine == "reference":
            found = _by_reference(check, sums, deadline)
        else:
            found = largest_sums(check.model, check.request, sums, deadline, progress)
    except (OutOfTime, KeyboardInterrupt) as reason:
        stopped = stopped_by(reason)
        unknown = tuple(_result(each, None, stopped) for each in asked)
        return CheckedFormulas(results=unknown, runs=(), stopped=stopped)
    run = FormulaRun(
        formulas=tuple(each.name for each in asked),
        reduction=found.reduction,
        stopped=found.stopped,
        states=found.states,
        edges=found.transitions,
        seconds=found.seconds,
    )
    numbers = zip(asked, found.numbers, strict=True)
    results = tuple(_result(each, number, found.stopped) for each, number in numbers)
    return CheckedFormulas(results=results, runs=(run,), stopped=found.stopped)


def _result(asked: TokenBound, number: int | None, stopped: str) -> PropertyResult:
    if number is not None and stopped == "exhausted":
        return PropertyResult(asked.name, "bound", "holds", value=number)
    seen = None if number is None else f"at least {number:,}"
    return PropertyResult(asked.name, "bound", "unknown", message=seen)


def _by_reference(check: Check, sums: Sequence[Sequence[int]], deadline: Deadline) -> LargestSums:
    begun = time.perf_counter()
    tokens = cast(Any, check.question.semantics).tokens
    left = deadline.left
    semantics = unreduced_semantics(check.model, check.request, deadline)
    numbers, stopped, states, edges = [0] * len(sums), "exhausted", 0, 0
    try:
        with alarm(inf if left is None else left):
            runs = Runs(semantics, "strong", check.request.limits.states)
    except TooManyStates:
        stopped = "max-states"
    else:
        states, edges = len(runs.states), len(runs.edges)
        numbers = [max(tokens(marking, each) for marking in runs.states) for each in sums]
    seconds = time.perf_counter() - begun
    return LargestSums(tuple(numbers), stopped, states, edges, seconds, UNREDUCED)
