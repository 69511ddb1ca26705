"""What formulas add to the outcome of a check.

In: a prepared `Check`, the formulas. Out: `CheckedFormulas`: their results, how they were grouped, and an `Outcome` with
them, or of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from burnside.exploration import Exploration
from burnside.outcome import Cost, FormulaRun, Outcome, PropertyResult
from burnside.records import record, replace
from burnside.temporal.answers import FormulaAnswer
from burnside.temporal.asking import Asked, fairness_of
from burnside.temporal.checking import TIME_IS_OVER, FormulaCheck
from burnside.temporal.contest import TokenBound
from burnside.temporal.reading import TemporalProperty

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.limits import Deadline
    from burnside.progress import Progress
    from burnside.request import Request
    from burnside.temporal.by_reference import ReferenceFormulaCheck

ONLY_FORMULAS = (
    "only formulas are asked: states and transitions are those of the largest run for them, which ends early where a "
    "formula is violated"
)


@record(kw_only=True)
class CheckedFormulas:
    results: tuple[PropertyResult, ...]
    runs: tuple[FormulaRun, ...]
    stopped: str

    @property
    def largest(self) -> FormulaRun | None:
        return max(self.runs, key=lambda run: run.states, default=None)

    def added_to(self, outcome: Outcome) -> Outcome:
        """The outcome of an exploration, with the formulas. Where that is complete, what stopped them is said."""
        return replace(
            outcome,
            properties=outcome.properties + self.results,
            formula_runs=self.runs,
            stopped=self.stopped if outcome.exhausted else outcome.stopped,
        )

    def alone(self, check: Check, cost: Callable[[Exploration], Cost]) -> Outcome:
        """Where nothing else is asked."""
        from burnside.checking import NO_FACTS

        run = self.largest
        is_violated = any(each.verdict == "violated" for each in self.results)
        found = Exploration(
            stopped="violation" if is_violated and self.stopped == "exhausted" else self.stopped,
            states=0 if run is None else run.states,
            transitions=0 if run is None else run.edges,
            initial_states=0 if run is None else sum(1 for _ in check.question.semantics.run_starts()),
            deadlocks=None,
            seconds=sum(each.seconds for each in self.runs),
        )
        facts = replace(NO_FACTS, orbits_are_whole=False)
        outcome = check.outcome(found, facts, self.results, cost(found))
        return replace(
            outcome,
            depth=None,
            reduction=outcome.reduction if run is None else run.reduction,
            formula_runs=self.runs,
            notes=(*outcome.notes, ONLY_FORMULAS),
        )


def check_formulas(
    check: Check, explored: Exploration | None, progress: Progress, deadline: Deadline
) -> CheckedFormulas:
    """`explored`: what came before; where its time was over, there is none for formulas."""
    stopped = "exhausted" if explored is None else explored.stopped
    if stopped in TIME_IS_OVER:
        results = tuple(_unanswered(each) for each in check.formulas)
        return CheckedFormulas(results=results, runs=(), stopped=stopped)
    formulas = [each for each in check.formulas if isinstance(each, TemporalProperty)]
    bounds = [each for each in check.formulas if isinstance(each, TokenBound)]
    first = _check_properties(check, formulas, progress, deadline)
    if not bounds:
        return first
    from burnside.temporal.bounds import check_bounds

    second = check_bounds(check, bounds, progress, deadline)
    answers = {TemporalProperty: iter(first.results), TokenBound: iter(second.results)}
    return CheckedFormulas(
        results=tuple(next(answers[type(each)]) for each in check.formulas),
        runs=first.runs + second.runs,
        stopped=second.stopped if first.stopped == "exhausted" else first.stopped,
    )


def _check_properties(
    check: Check, asked: Sequence[TemporalProperty], progress: Progress, deadline: Deadline
) -> CheckedFormulas:
    if not asked:
        return CheckedFormulas(results=(), runs=(), stopped="exhausted")
    request = check.request
    session = _checker(request)(check.model, request, asked, deadline, fairness_of(request))
    answers, runs = session.run(progress)
    results = tuple(_result(each, answer) for each, answer in zip(asked, answers, strict=True))
    return CheckedFormulas(results=results, runs=tuple(runs), stopped=session.stopped)


def _checker(request: Request) -> type[FormulaCheck] | type[ReferenceFormulaCheck]:
    if request.engine == "core":
        return FormulaCheck
    from burnside.temporal.by_reference import ReferenceFormulaCheck

    return ReferenceFormulaCheck


def _unanswered(asked: Asked) -> PropertyResult:
    kind = "bound" if isinstance(asked, TokenBound) else asked.logic
    return PropertyResult(asked.name, kind, "unknown")


def _result(asked: TemporalProperty, answer: FormulaAnswer) -> PropertyResult:
    """Of a formula that is claimed not to hold, the verdict is on the claim."""
    if asked.expected or answer.verdict == "unknown":
        return PropertyResult(
            asked.name, asked.logic, answer.verdict, answer.trace, answer.why, witness=answer.witness
        )
    if answer.verdict == "violated":
        return PropertyResult(
            asked.name, asked.logic, "holds", None, "a counterexample is expected, and found"
        )
    return PropertyResult(
        asked.name, asked.logic, "violated", None, "a counterexample is expected, and none exists"
    )
