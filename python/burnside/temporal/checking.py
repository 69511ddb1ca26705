"""Temporal formulas of one question, answered: grouped by their symmetries, checked by the core, every run replayed.

In: a model, a request, properties without quantified names. Out: for each a `FormulaAnswer`, and what each run of the
core took. Formulas whose groups agree share one run, so that states are expanded once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from burnside.diagnostics import RefusedError
from burnside.engine import Compiled, settings_of, shown_steps
from burnside.kinds import kind_of
from burnside.kinds.formulas import AtomPlace, FormulaQuestion
from burnside.limits import Deadline
from burnside.outcome import FormulaRun, Trace, Verdict
from burnside.plan import Plan, PlanInputs, choose
from burnside.progress import Progress
from burnside.records import record, replace
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Fairness, NextAction, Proposition
from burnside.temporal.individuals import Individuals, kept_patterns
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.replaying import Lasso, replay_run
from burnside.temporal.tables import table_of

if TYPE_CHECKING:
    from burnside import _core
    from burnside.model import Model
    from burnside.request import Limits, Request

MAX_SHARED_STATES = 100_000
"""Formulas with different symmetries share a space up to this size: it takes about a second."""


@record(kw_only=True)
class FormulaAnswer:
    """`why`: what is to say of a verdict that is not known, or of how a loop closes."""

    verdict: Verdict
    trace: Trace | None = None
    why: str | None = None


@record
class _Group:
    """Formulas that are checked together, by number, and the question that keeps all their propositions."""

    numbers: tuple[int, ...]
    propositions: tuple[Proposition, ...]
    fairness: tuple[Fairness, ...]
    question: FormulaQuestion


class FormulaCheck:
    """The formulas of one question. `fairness`: what is assumed of runs, beside what the formulas say themselves."""

    def __init__(
        self,
        model: Model,
        request: Request,
        asked: Sequence[TemporalProperty],
        deadline: Deadline,
        fairness: tuple[Fairness, ...] = (),
    ) -> None:
        self.model, self.request, self.asked, self.deadline = model, request, asked, deadline
        self.fairness = fairness

    def run(self, progress: Progress) -> tuple[list[FormulaAnswer], list[FormulaRun]]:
        """Formulas that make the same assumptions are first checked all together, under the symmetries that keep all of
        them: then states are expanded once. Only where that space is large are they grouped by the symmetries that each of
        them keeps, which are more."""
        self._answers: dict[int, FormulaAnswer] = {}
        self._runs: list[FormulaRun] = []
        alike: dict[tuple[Fairness, ...], list[int]] = {}
        for number, each in enumerate(self.asked):
            alike.setdefault(each.fairness, []).append(number)
        for numbers in alike.values():
            rest = tuple(numbers)
            if len(rest) > 1 and self.request.reduce != "none":
                rest = self._check_together(rest, progress)
            for group in self._groups(rest):
                self._check(group, progress, self.request.limits)
        return [self._answers[number] for number in range(len(self.asked))], self._runs

    def _check_together(self, numbers: tuple[int, ...], progress: Progress) -> tuple[int, ...]:
        """Which of them have no answer, because the space of all together is large."""
        asked = self.request.limits
        limits = replace(asked, states=min(MAX_SHARED_STATES, asked.states or MAX_SHARED_STATES))
        try:
            group = self._group(numbers)
        except RefusedError:
            return numbers
        run = self._check(group, progress, limits)
        if run.stopped != "max-states" or run.states > (asked.states or run.states):
            return ()
        return tuple(number for number in numbers if self._answers[number].verdict == "unknown")

    def _check(self, group: _Group, progress: Progress, limits: Limits) -> FormulaRun:
        found, run = self._answer(group, progress, limits)
        self._answers.update(zip(group.numbers, found, strict=True))
        self._runs.append(run)
        return run

    def _groups(self, numbers: tuple[int, ...]) -> list[_Group]:
        """Formulas by their group of symmetries: those that share it go together, if all of them together have it too."""
        single = [self._group((number,)) for number in numbers]
        by_group: dict[object, list[_Group]] = {}
        for each in single:
            by_group.setdefault(_signature(each), []).append(each)
        found: list[_Group] = []
        for signature, members in by_group.items():
            numbers = tuple(number for each in members for number in each.numbers)
            together = members[0] if len(members) == 1 else self._group(numbers)
            found += [together] if _signature(together) == signature else members
        return found

    def _group(self, numbers: tuple[int, ...]) -> _Group:
        """All of them make the same assumptions."""
        fairness = self.asked[numbers[0]].fairness + self.fairness
        asked = [one for number in numbers for one in self.asked[number].propositions]
        propositions = tuple(dict.fromkeys([*asked, *kept_patterns(fairness)]))
        kind, each_instance = kind_of(self.model.subject), any(each.each for each in fairness)
        question = self.deadline.run(
            lambda: kind.formula_question(
                self.model, self.request, propositions, self.deadline, each_instance=each_instance
            )
        )
        return _Group(numbers, propositions, fairness, question)

    def _answer(
        self, group: _Group, progress: Progress, limits: Limits
    ) -> tuple[list[FormulaAnswer], FormulaRun]:
        from burnside import _core

        question = group.question.question
        facts = question.group
        plan = choose(self.request, PlanInputs(acting_order=facts.acting_order, typed=facts.typed))
        compiled = question.compiled()
        assert compiled is not None
        table = _AtomTable(group.question.places)
        formulas = [self._formula(self.asked[number], group.propositions, table) for number in group.numbers]
        individuals = self._individuals(group, compiled)
        has_classes = bool(group.question.classes)
        with question.explained():
            report = _core.check_formulas(
                compiled.handle,
                compiled.group,
                compiled.method(plan),
                settings_of(replace(self.request, limits=limits), self.deadline, deadlock=False),
                table.state_atoms,
                formulas,
                _classifier(group.question, compiled) if has_classes else None,
                progress.update if progress.wanted else None,
                individuals=individuals,
                constants=group.question.constants,
            )
            answers = [
                self._answered(self.asked[number], found, report, group, compiled, plan)
                for number, found in zip(group.numbers, report.answers, strict=True)
            ]
        run = FormulaRun(
            formulas=tuple(self.asked[number].name for number in group.numbers),
            method=plan.method,
            group_order=facts.order,
            restricted_by=facts.restricted_by,
            stopped=report.stopped,
            states=report.states,
            edges=report.edges,
            nodes=tuple(each.nodes for each in report.answers),
            store_bytes=report.bytes,
            seconds=report.seconds,
        )
        return answers, run

    def _individuals(self, group: _Group, compiled: Compiled) -> Individuals | None:
        if not group.fairness:
            return None
        question = group.question
        patterns = [
            None
            if each.patterns is None
            else question.classes[question.places[group.propositions.index(one)].number]
            for each in group.fairness
            for one in (NextAction(each.patterns or (), each.text),)
        ]
        return Individuals(group.fairness, patterns, question, compiled)

    def _formula(
        self, asked: TemporalProperty, propositions: Sequence[Proposition], table: _AtomTable
    ) -> _core.FormulaTable:
        sources = [table.source(propositions.index(each)) for each in asked.propositions]
        formula, linear = asked.formula, is_path_formula(asked)
        return linear, asked.ends == "stutter", table_of(formula), sources

    def _answered(
        self,
        asked: TemporalProperty,
        found: _core.TemporalAnswer,
        report: _core.TemporalReport,
        group: _Group,
        compiled: Compiled,
        plan: Plan,
    ) -> FormulaAnswer:
        if found.holds is None:
            return FormulaAnswer(verdict="unknown", why=found.why)
        if report.has_failed:
            failed = "a step fails, or a condition of the formula has no value, in some state"
            return FormulaAnswer(verdict="unknown", why=failed)
        is_guess = plan.strength == "approximate" and (found.holds or found.run is None)
        if is_guess or report.lacks_witnesses:
            return FormulaAnswer(verdict="unknown", why="different states may have been merged")
        if found.holds:
            return FormulaAnswer(verdict="holds")
        trace: Trace | None = None
        why: str | None = None
        if found.run is not None:
            lasso = _lasso(found.run, compiled)
            semantics = group.question.question.semantics
            replayed = replace(asked, fairness=group.fairness)
            trace = replay_run(semantics, lasso, replayed, is_path_formula(asked))
            if found.run.rounds > 1:
                why = _closing(found.run, semantics, compiled)
        return FormulaAnswer(verdict="violated", trace=trace, why=why)


def is_path_formula(asked: TemporalProperty) -> bool:
    """Must it hold on every run? Otherwise it is a formula about states."""
    return not any(isinstance(each, f.Exists | f.Forall) for each in f.subformulas(asked.formula))


class _AtomTable:
    """The state atoms that the core is asked for, each once."""

    def __init__(self, places: Sequence[AtomPlace]) -> None:
        self.places = places
        self.state_atoms: list[tuple[str, int]] = []

    def source(self, proposition: int) -> tuple[str, int]:
        place = self.places[proposition]
        mask = 1 << place.number
        if place.what == "taken":
            return "taken", mask
        atom = (place.what, mask if place.what == "enabled" else place.number)
        if atom not in self.state_atoms:
            self.state_atoms.append(atom)
        return "state", self.state_atoms.index(atom)


def _signature(group: _Group) -> object:
    """Equal for equal assumptions and equal groups, mostly: where it is not, formulas are checked in runs of their own."""
    generators = group.question.question.generators()
    return group.fairness, frozenset(repr(each) for each in generators)


def _classifier(question: FormulaQuestion, compiled: Compiled) -> Any:
    def classify(label: int, state: Sequence[int]) -> int:
        return question.class_of(compiled.state(state), compiled.label(label))

    return classify


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
