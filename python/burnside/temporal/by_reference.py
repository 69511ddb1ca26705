"""Temporal formulas answered by the reference engine, on the unreduced model.

In: a model, a request, properties. Out: as of `FormulaCheck`, from definitions alone; the runs that it shows are
replayed all the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any

from burnside.exploration import ClaimedTrace
from burnside.kinds import kind_of
from burnside.limits import Deadline, OutOfTime, alarm, stopped_by
from burnside.outcome import FormulaRun, Reduction
from burnside.progress import Progress
from burnside.records import replace
from burnside.reference.temporal import check_runs
from burnside.reference.temporal.runs import Runs, TooManyStates
from burnside.replay import replay, replay_steps
from burnside.semantics import Failure, Semantics
from burnside.temporal.answers import LIMIT, RUN_ENDS, UNKNOWN, FormulaAnswer, cut_answer, is_certain
from burnside.temporal.atoms import Fairness
from burnside.temporal.formulas import Ends
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.replaying import Lasso, replay_run
from burnside.temporal.shapes import is_path_formula

if TYPE_CHECKING:
    from burnside.model import Model
    from burnside.request import Request

UNREDUCED = Reduction("none", "none", 1, 0, True, reason="the reference engine answers formulas unreduced")


def unreduced_semantics(model: Model, request: Request, deadline: Deadline) -> Semantics[Any, Any, Any]:
    return kind_of(model.subject).question(model, replace(request, reduce="none"), deadline).semantics


class ReferenceFormulaCheck:
    """The formulas of one question, as `FormulaCheck`."""

    def __init__(
        self,
        model: Model,
        request: Request,
        asked: Sequence[TemporalProperty],
        deadline: Deadline,
        fairness: tuple[Fairness, ...] = (),
    ) -> None:
        self.request, self.deadline = request, deadline
        self.asked = [replace(each, fairness=each.fairness + fairness) for each in asked]
        self.semantics = unreduced_semantics(model, request, deadline)
        self.stopped = "exhausted"
        self._graphs: dict[Ends, Runs[Any, Any]] = {}

    def run(self, progress: Progress) -> tuple[list[FormulaAnswer], list[FormulaRun]]:
        begun = time.perf_counter()
        answers: list[FormulaAnswer] = []
        left = self.deadline.left
        try:
            with alarm(inf if left is None else left):
                for each in self.asked:
                    answers.append(self._answer(each))
        except (OutOfTime, KeyboardInterrupt) as reason:
            self.stopped = stopped_by(reason)
        except TooManyStates:
            self.stopped = "max-states"
        answers += [UNKNOWN] * (len(self.asked) - len(answers))
        graph = next(iter(self._graphs.values()), None)
        run = FormulaRun(
            formulas=tuple(each.name for each in self.asked),
            reduction=UNREDUCED,
            stopped=self.stopped,
            states=0 if graph is None else len(graph.states),
            edges=0 if graph is None else len(graph.edges),
            seconds=time.perf_counter() - begun,
        )
        return answers, [run]

    def _answer(self, asked: TemporalProperty) -> FormulaAnswer:
        runs = self._runs(asked.ends)
        wrong = self._failure(runs)
        if wrong is not None:
            return wrong
        found = check_runs(runs, asked)
        if found.failure is not None and found.lasso is not None:
            return self._failed(found.lasso.steps, found.failure)
        cut = [] if self.request.assume_bounds else self.semantics.cut_names()
        if found.holds:
            return cut_answer(cut) if cut else FormulaAnswer(verdict="holds")
        assert found.lasso is not None
        lasso = Lasso(found.lasso.steps, found.lasso.loop)
        if cut and not is_certain(asked, asked.fairness, loops=lasso.loop is not None):
            return cut_answer(cut)
        is_path = is_path_formula(asked.formula)
        trace = replay_run(self.semantics, lasso, asked, is_path)
        ends = is_path and lasso.loop is None
        return FormulaAnswer(verdict="violated", trace=trace, why=RUN_ENDS if ends else None)

    def _runs(self, ends: Ends) -> Runs[Any, Any]:
        if ends not in self._graphs:
            self._graphs[ends] = Runs(self.semantics, ends, self.request.limits.states)
        return self._graphs[ends]

    def _failure(self, runs: Runs[Any, Any]) -> FormulaAnswer | None:
        """Where a step fails, or a property of the model has no value, the model is wrong, and formulas have no answer."""
        for steps, label, failure in self.semantics.start_failures():
            trace = replay(self.semantics, ClaimedTrace(steps, label), failure.number)
            return FormulaAnswer(verdict="unknown", trace=trace, why=trace.steps[-1].failure)
        judged = (
            (state, failure)
            for state in range(len(runs.states))
            for failure in self.semantics.judge(runs.states[state]).failures
        )
        for state, failure in chain(runs.failures, judged):
            return self._failed(runs.path_to(state), failure)
        return None

    def _failed(self, steps: Sequence[tuple[Any, Any]], failure: Failure) -> FormulaAnswer:
        trace, why = replay_steps(self.semantics, steps), failure.describe()
        shown = (*trace.steps[:-1], replace(trace.steps[-1], failure=why))
        known = self.semantics.properties.get(failure.number)
        exceeds = known is not None and known.kind == LIMIT
        trace = replace(trace, steps=shown)
        return FormulaAnswer(verdict="unknown", trace=trace, why=why, exceeds_room=exceeds)
