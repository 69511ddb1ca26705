"""What the core's answers to formulas mean: every run is replayed, every doubt makes an answer `unknown`.

In: the report of a run of the core, for formulas that were checked together. Out: `FormulaAnswer`s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from burnside.engine import Compiled, settings_of, shown_steps
from burnside.exploration import ClaimedTrace
from burnside.limits import Deadline
from burnside.outcome import Trace, Verdict
from burnside.plan import Plan
from burnside.progress import Progress
from burnside.records import record, replace
from burnside.replay import replay, replay_steps
from burnside.room import check_room
from burnside.semantics import ERROR, CutName, Semantics
from burnside.temporal.atoms import Condition, Fairness, Initial, NextAction
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.replaying import Lasso, replay_run
from burnside.temporal.shapes import is_path_formula

if TYPE_CHECKING:
    from burnside import _core
    from burnside.kinds import Question
    from burnside.request import Request

LIMIT = "limit"
"""The kind of a property that says whether the layout of a model has room."""
NO_RUN = "no run from here satisfies it"
RUN_ENDS = "the run ends here: no step is possible"


@record(kw_only=True)
class FormulaAnswer:
    """`why`: what is to say of a verdict that is not known, or of how a run ends. `trace`: a run that violates the
    formula, or to a state in which the model is wrong. `witness`: one that shows that something is possible."""

    verdict: Verdict
    trace: Trace | None = None
    why: str | None = None
    witness: Trace | None = None
    exceeds_room: bool = False
    """Is there no answer because the layout of the model has too little room?"""


UNKNOWN = FormulaAnswer(verdict="unknown")


def _inverted(answer: FormulaAnswer, semantics: Semantics[Any, Any, Any]) -> FormulaAnswer:
    """The answer to `E p`, given that to `A not p`. That no run satisfies p, none shows: the trace is only the start."""
    if answer.verdict == "violated":
        return FormulaAnswer(verdict="holds", witness=answer.trace)
    if answer.verdict == "unknown":
        return answer
    start = next(iter(semantics.run_starts()))
    return FormulaAnswer(verdict="violated", trace=replay_steps(semantics, start), why=NO_RUN)


class Judge:
    """What the core's answers to the formulas of one run mean."""

    def __init__(
        self,
        request: Request,
        question: Question,
        fairness: tuple[Fairness, ...],
        compiled: Compiled,
        plan: Plan,
        report: _core.TemporalReport,
        deadline: Deadline,
    ) -> None:
        self.request, self.question, self.fairness = request, question, fairness
        self.compiled, self.plan, self.report, self.deadline = compiled, plan, report, deadline
        self.is_cut = bool(compiled.cut_names()) and not request.assume_bounds

    def possible(self, asked: TemporalProperty, found: _core.TemporalAnswer) -> FormulaAnswer:
        """Of `E p`, where `asked` says the contrary; there is one start, if all values were tried."""
        if self.is_cut:
            return cut_answer(self.compiled.cut_names())
        return _inverted(self.answer(asked, found), self.question.semantics)

    def answer(self, asked: TemporalProperty, found: _core.TemporalAnswer) -> FormulaAnswer:
        if found.holds is None:
            return FormulaAnswer(verdict="unknown", why=found.why)
        if self.report.has_failed:
            return self._failed()
        # A run that is replayed refutes a formula about runs, whatever was merged on the way to it.
        is_shown = found.run is not None and not found.holds and is_path_formula(asked.formula)
        is_guess = self.plan.strength == "approximate" and not is_shown
        if is_guess or self.report.lacks_witnesses:
            return FormulaAnswer(verdict="unknown", why="different states may have been merged")
        if found.holds:
            return cut_answer(self.compiled.cut_names()) if self.is_cut else FormulaAnswer(verdict="holds")
        return self._refuted(asked, found.run)

    def _refuted(self, asked: TemporalProperty, run: _core.TemporalRun | None) -> FormulaAnswer:
        loops, is_decided = (
            run is not None and run.loop_start is not None,
            run is not None and run.decided is not None,
        )
        if self.is_cut and not is_certain(asked, self.fairness, loops=loops, is_decided=is_decided):
            return cut_answer(self.compiled.cut_names())
        if run is None:
            return FormulaAnswer(verdict="violated")
        semantics = self.question.semantics
        is_path = is_path_formula(asked.formula)
        replayed = replace(asked, fairness=self.fairness)
        trace = replay_run(semantics, _lasso(run, self.compiled), replayed, is_path)
        why: str | None = None
        if run.decided is not None:
            why = "violated here, whatever follows"
        elif run.rounds > 1:
            why = _closing(run, semantics, self.compiled)
        elif run.loop_start is None and is_path:
            why = RUN_ENDS
        return FormulaAnswer(verdict="violated", trace=trace, why=why)

    def _failed(self) -> FormulaAnswer:
        """Explores once more, for a run to a state in which something goes wrong. Conditions of formulas are goals, so that
        those without a value are found too."""
        settings = settings_of(replace(self.request, keep_going=True), self.deadline, deadlock=False)
        found = self.compiled.explore(self.plan, settings, Progress())
        check_room(self.question, found.claims)
        for number, claim in found.claims.items():
            if (claim.failing is not None and not self._goes_on(claim, number)) or (
                number == ERROR and claim.steps
            ):
                trace = replay(self.question.semantics, claim, number)
                exceeds = self.question.properties[number].kind == LIMIT
                why = trace.steps[-1].failure
                return FormulaAnswer(verdict="unknown", trace=trace, why=why, exceeds_room=exceeds)
        why = "a step fails, or a condition of the formula has no value, in some state"
        return FormulaAnswer(verdict="unknown", why=why)

    def _goes_on(self, claim: ClaimedTrace, number: int) -> bool:
        """Does the step that violates the property violate it on its way only?"""
        semantics = self.question.semantics
        steps = list(semantics.step(claim.steps[-1][1] if claim.steps else None, claim.failing))
        notes = any(each.number == number for step in steps for each in step.noted)
        return notes and not any(semantics.mistakes(step) for step in steps)


def is_certain(
    asked: TemporalProperty, fairness: Sequence[Fairness], *, loops: bool, is_decided: bool = False
) -> bool:
    """Is a run that violates the formula believed where not all values were tried? More steps may be possible then. An
    endless run stays one, and violates what says nothing of what is enabled; but whether it is fair depends on that, unless
    all its continuations violate the formula."""
    speaks_of_states = all(isinstance(each, Condition | NextAction | Initial) for each in asked.propositions)
    return is_path_formula(asked.formula) and speaks_of_states and (is_decided or (loops and not fairness))


def cut_answer(cut: Sequence[CutName]) -> FormulaAnswer:
    names = ", ".join(f"'{name}'" for name, _ in cut)
    return FormulaAnswer(verdict="unknown", why=f"not all values of {names} were tried")


def _lasso(run: _core.TemporalRun, compiled: Compiled) -> Lasso[Any, Any]:
    steps = shown_steps(compiled, run.steps)
    if run.loop_start is not None and run.closing is not None:
        steps.append((compiled.label(run.closing), steps[run.loop_start][1]))
    return Lasso(tuple(steps), run.loop_start, run.decided)


def _closing(run: _core.TemporalRun, semantics: Any, compiled: Compiled) -> str:
    assert run.loop_start is not None
    steps = len(run.steps) - run.loop_start
    shown = semantics.show_generator(compiled.generator(run.holonomy))
    return f"loop of {steps // run.rounds} steps closes after {steps}: {shown}"
