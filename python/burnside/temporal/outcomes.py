"""What formulas add to the outcome of a check.

In: a prepared `Check`, the formulas. Out: `CheckedFormulas`: their results, how they were grouped, and an `Outcome` with
them, or of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from burnside.exploration import Exploration
from burnside.kinds import kind_of
from burnside.limits import OutOfTime, stopped_by
from burnside.outcome import Cost, FormulaRun, Outcome, PropertyResult, Verdict
from burnside.records import record, replace
from burnside.temporal.answers import LIMIT, FormulaAnswer
from burnside.temporal.asking import Asked
from burnside.temporal.checking import TIME_IS_OVER, FormulaCheck
from burnside.temporal.contest import TokenBound
from burnside.temporal.individuals import fairness_of
from burnside.temporal.quantified import Instances, instances_of
from burnside.temporal.reading import TemporalProperty

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.limits import Deadline
    from burnside.progress import Progress
    from burnside.request import Request
    from burnside.temporal.by_reference import ReferenceFormulaCheck

WORST_FIRST: tuple[Verdict, ...] = ("violated", "unknown")
ONLY_FORMULAS = (
    "only formulas are asked: states and transitions are those of the largest run for them, which ends early where a "
    "formula is violated"
)


@record(kw_only=True)
class CheckedFormulas:
    results: tuple[PropertyResult, ...]
    runs: tuple[FormulaRun, ...]
    stopped: str
    exceeds_room: bool = False
    """Has the layout of the model too little room for the runs that were looked at?"""

    @property
    def largest(self) -> FormulaRun | None:
        return max(self.runs, key=lambda run: run.states, default=None)

    def added_to(self, outcome: Outcome) -> Outcome:
        """The outcome of an exploration, with the formulas. Where that is complete, what stopped them is said."""
        return replace(
            outcome,
            properties=outcome.properties + self.results + self._limits(),
            formula_runs=self.runs,
            stopped=self.stopped if outcome.exhausted else outcome.stopped,
        )

    def _limits(self) -> tuple[PropertyResult, ...]:
        return (PropertyResult("room", LIMIT, "violated"),) if self.exceeds_room else ()

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
        outcome = check.outcome(found, facts, self.results + self._limits(), cost(found))
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
        exceeds_room=first.exceeds_room,
    )


def _check_properties(
    check: Check, asked: Sequence[TemporalProperty], progress: Progress, deadline: Deadline
) -> CheckedFormulas:
    if not asked:
        return CheckedFormulas(results=(), runs=(), stopped="exhausted")
    request = check.request
    try:
        split = [deadline.run(partial(_instances, check, each, deadline)) for each in asked]
    except (OutOfTime, KeyboardInterrupt) as reason:
        unknown = tuple(_unanswered(each) for each in asked)
        return CheckedFormulas(results=unknown, runs=(), stopped=stopped_by(reason))
    atoms = kind_of(check.model.subject).atom_reader(check.model)
    formulas = [
        one
        for each, instances in zip(asked, split, strict=True)
        for one in ([each] if instances is None else instances.checked(atoms))
    ]
    session = _checker(request)(check.model, request, formulas, deadline, fairness_of(check.model, request))
    answers, runs = session.run(progress)
    rest = iter(answers)
    results = tuple(
        _result(each, next(rest))
        if instances is None
        else _quantified_result(instances, list(islice(rest, len(instances.orbits))))
        for each, instances in zip(asked, split, strict=True)
    )
    exceeds = any(each.exceeds_room for each in answers)
    return CheckedFormulas(results=results, runs=tuple(runs), stopped=session.stopped, exceeds_room=exceeds)


def _instances(check: Check, asked: TemporalProperty, deadline: Deadline) -> Instances | None:
    return instances_of(check.model, check.request, asked, deadline) if asked.binders else None


def _checker(request: Request) -> type[FormulaCheck] | type[ReferenceFormulaCheck]:
    if request.engine == "core":
        return FormulaCheck
    from burnside.temporal.by_reference import ReferenceFormulaCheck

    return ReferenceFormulaCheck


def _quantified_result(instances: Instances, answers: Sequence[FormulaAnswer]) -> PropertyResult:
    """It holds if all instances do; what is shown of it belongs to the first that does not."""
    verdicts = [each.verdict for each in answers]
    worst = next((each for each in WORST_FIRST if each in verdicts), None)
    answer = FormulaAnswer(verdict="holds")
    if worst is not None:
        at = verdicts.index(worst)
        values = f"for {instances.shown(instances.orbits[at][0])}"
        why = values if answers[at].why is None else f"{values}: {answers[at].why}"
        answer = replace(answers[at], why=why)
    return replace(_result(instances.asked, answer), instances=instances.results(verdicts))


def unanswered_formulas(formulas: Sequence[Asked], why: str) -> tuple[PropertyResult, ...]:
    return tuple(replace(_unanswered(each), message=why) for each in formulas)


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
