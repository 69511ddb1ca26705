"""Temporal formulas of one question, answered: grouped by their symmetries, checked by the core, every run replayed.

In: a model, a request, properties without quantified names. Out: for each a `FormulaAnswer`, and what each run of the
core took. Formulas whose groups agree share one run, so that states are expanded once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, islice
from typing import TYPE_CHECKING, Any

from burnside.diagnostics import RefusedError
from burnside.engine import Compiled, method_refusals, settings_of
from burnside.kinds import kind_of
from burnside.kinds.formulas import Atom, AtomPlace, FormulaQuestion
from burnside.limits import Deadline, OutOfTime, stopped_by
from burnside.outcome import Change, FormulaRun, Reduction
from burnside.plan import Plan, PlanInputs, choose
from burnside.progress import Progress
from burnside.records import record, replace
from burnside.temporal import formulas as f
from burnside.temporal.answers import UNKNOWN, FormulaAnswer, Judge
from burnside.temporal.atoms import Fairness, Proposition
from burnside.temporal.individuals import Individuals, followed_parameters, kept_patterns
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.shapes import is_path_formula, negated_possibility, normalised
from burnside.temporal.tables import table_of

if TYPE_CHECKING:
    from burnside import _core
    from burnside.kinds import GroupFacts
    from burnside.model import Model
    from burnside.request import Request

MAX_SHARED_STATES = 100_000
"""Formulas with different symmetries share a space up to this size: it takes about a second."""
MAX_SHARED_FACTOR = 4
"""Larger spaces are shared up to so many times the space of one formula under its own symmetries."""

TIME_IS_OVER = ("max-seconds", "interrupted")
"""What ends a run and all that would come after it."""


@record
class _Group:
    """Formulas that are checked together, by number, and the question that keeps all their propositions."""

    numbers: tuple[int, ...]
    propositions: tuple[Proposition, ...]
    fairness: tuple[Fairness, ...]
    question: FormulaQuestion

    def explored(self, asked: TemporalProperty) -> TemporalProperty:
        """In terms of the model that is explored: numbers may have turned out to be names there."""
        return replace(asked, propositions=tuple(map(self._explored_atom, asked.propositions)))

    def explored_fairness(self) -> tuple[Fairness, ...]:
        patterns = (self._explored_atom(each) for each in kept_patterns(self.fairness))
        return tuple(
            each if each.patterns is None else replace(each, patterns=next(patterns).patterns)
            for each in self.fairness
        )

    def _explored_atom(self, atom: Atom) -> Atom:
        return self.question.explored(atom, self.question.places[self.propositions.index(atom)])


class FormulaCheck:
    """The formulas of one question. `fairness`: what is assumed of runs, beside what the formulas say themselves. `stopped`,
    after a run: why some have no answer, as in `Outcome`."""

    keep_edges = True
    """As long as the memory limit allows it; otherwise they are fired again whenever they are needed."""

    def __init__(
        self,
        model: Model,
        request: Request,
        asked: Sequence[TemporalProperty],
        deadline: Deadline,
        fairness: tuple[Fairness, ...] = (),
    ) -> None:
        self.model, self.request, self.deadline = model, request, deadline
        combined = kind_of(model.subject).combined
        self.asked = [combined(model, normalised(each)) for each in asked]
        self.fairness = fairness
        self._invert_possibilities()
        self.stopped = "exhausted"

    def _invert_possibilities(self) -> None:
        """Where runs begin in one state, whether some run has a property is found out on the fly, as for all runs."""
        negations = [negated_possibility(each.formula) for each in self.asked]
        self._inverted: set[int] = set()
        if all(each is None for each in negations):
            return
        semantics = kind_of(self.model.subject).semantics_of(self.model.subject)
        if len(list(islice(semantics.run_starts(), 2))) == 1:
            for number, negation in enumerate(negations):
                if negation is not None:
                    self.asked[number] = replace(self.asked[number], formula=negation)
                    self._inverted.add(number)

    def run(self, progress: Progress) -> tuple[list[FormulaAnswer], list[FormulaRun]]:
        """Formulas that make the same assumptions are first checked all together, under the symmetries that keep all of
        them: then states are expanded once. Only where that space is large are they grouped by the symmetries that each of
        them keeps, which are more."""
        self._answers: dict[int, FormulaAnswer] = {}
        self._runs: list[FormulaRun] = []
        alike: dict[tuple[Fairness, ...], list[int]] = {}
        for number, each in enumerate(self.asked):
            alike.setdefault(each.fairness, []).append(number)
        try:
            for numbers in alike.values():
                rest = self._check_together(tuple(numbers), progress, MAX_SHARED_STATES)
                self._check_by_groups(rest, progress)
        except (OutOfTime, KeyboardInterrupt) as reason:
            self.stopped = stopped_by(reason)
        return [self._answers.get(number, UNKNOWN) for number in range(len(self.asked))], self._runs

    def _check_together(
        self, numbers: tuple[int, ...], progress: Progress, max_shared: int
    ) -> tuple[int, ...]:
        """Which of them have no answer, because the space of all together is larger than this."""
        most = self.request.limits.states
        if len(numbers) == 1 or self.request.reduce == "none":
            return numbers
        try:
            group = self._group(numbers)
        except RefusedError:
            return numbers
        is_smaller = most is None or most > max_shared
        return self._check(group, progress, max_shared if is_smaller else most)

    def _check_by_groups(self, numbers: tuple[int, ...], progress: Progress) -> None:
        """As soon as a group of formulas has a large space all the same, all others try to share one that is larger: some
        groups of enormous order leave the space as it is."""
        waiting, may_share = self._groups(numbers), True
        while waiting:
            group, *waiting = waiting
            self._check(group, progress, self.request.limits.states)
            states = self._runs[-1].states
            if may_share and len(waiting) > 1 and states > MAX_SHARED_STATES:
                may_share = False
                rest = tuple(number for each in waiting for number in each.numbers)
                left = self._check_together(rest, progress, MAX_SHARED_FACTOR * states)
                waiting = waiting if left == rest else self._groups(left)

    def _check(self, group: _Group, progress: Progress, max_states: int | None) -> tuple[int, ...]:
        """Which have no answer because of this limit, where the user's is another one."""
        self.deadline.check()
        found, run = self._answer(group, progress, max_states)
        if found is None:
            # Where a step fails this is in vain; where a condition of one formula has no value, the others have answers.
            for number in group.numbers:
                self._check(self._group((number,)), progress, self.request.limits.states)
            return ()
        if run.stopped == "max-states" and max_states != self.request.limits.states:
            answered = [answer.verdict != "unknown" for answer in found]
            self._answers.update(compress(zip(group.numbers, found, strict=True), answered))
            if any(answered):
                names, nodes = (tuple(compress(each, answered)) for each in (run.formulas, run.nodes))
                self._runs.append(replace(run, formulas=names, nodes=nodes))
            return tuple(number for number in group.numbers if number not in self._answers)
        self._answers.update(zip(group.numbers, found, strict=True))
        self._runs.append(run)
        if run.stopped != "exhausted":
            self.stopped = run.stopped
        if run.stopped in TIME_IS_OVER:
            raise OutOfTime if run.stopped == "max-seconds" else KeyboardInterrupt
        return ()

    def _groups(self, numbers: tuple[int, ...]) -> list[_Group]:
        """Formulas by their group of symmetries: those that share it go together, if all of them together have it too."""
        if len(numbers) > 1 and self.request.reduce == "none":
            try:
                return [self._group(numbers)]
            except RefusedError:
                pass
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

    def _group(self, numbers: tuple[int, ...], request: Request | None = None) -> _Group:
        """All of them make the same assumptions."""
        fairness = self.asked[numbers[0]].fairness + self.fairness
        asked = [one for number in numbers for one in self.asked[number].propositions]
        propositions = tuple(dict.fromkeys([*asked, *kept_patterns(fairness)]))
        kind, each_instance = kind_of(self.model.subject), any(each.each for each in fairness)
        question = self.deadline.run(
            lambda: kind.formula_question(
                self.model,
                request or self.request,
                propositions,
                self.deadline,
                each_instance=each_instance,
                individuals=followed_parameters(fairness),
            )
        )
        return _Group(numbers, propositions, fairness, question)

    def _answer(
        self, group: _Group, progress: Progress, max_states: int | None, given_up: Reduction | None = None
    ) -> tuple[list[FormulaAnswer] | None, FormulaRun]:
        """No answers where something failed that may be a condition of one formula, and no matter to the others."""
        question = group.question.question
        facts = question.group
        plan = choose(self.request, PlanInputs(acting_order=facts.acting_order, typed=facts.typed))
        if given_up is not None:
            plan = replace(plan, method="none", gives_up=False)
        with method_refusals(), question.explained():
            compiled = self.deadline.run(question.compiled)
            assert compiled is not None
            report = self._report(group, compiled, plan, progress, max_states)
            if report.stopped == "price":
                unreduced = self._group(group.numbers, replace(self.request, reduce="none"))
                given_up = _given_up(plan, facts, report)
                return self._answer(unreduced, progress, max_states, given_up)
            fairness = group.explored_fairness()
            judge = Judge(self.request, question, fairness, compiled, plan, report, self.deadline)
            answers = None
            if not report.has_failed or len(group.numbers) == 1:
                answers = [
                    (judge.possible if number in self._inverted else judge.answer)(
                        group.explored(self.asked[number]), found
                    )
                    for number, found in zip(group.numbers, report.answers, strict=True)
                ]
        run = FormulaRun(
            formulas=tuple(self.asked[number].name for number in group.numbers),
            reduction=given_up
            or Reduction(
                name=plan.method,
                strength=plan.strength,
                group_order=facts.order,
                generators=facts.generators,
                complete=facts.complete,
                restricted_by=facts.restricted_by,
                reason=plan.reason,
                dropped=facts.dropped,
            ),
            stopped="bounded" if judge.is_cut and report.stopped == "exhausted" else report.stopped,
            states=report.states,
            edges=report.edges,
            nodes=tuple(each.nodes for each in report.answers),
            store_bytes=report.bytes,
            edge_bytes=report.edge_bytes,
            edges_kept=report.keeps_edges,
            seconds=report.seconds,
        )
        return answers, run

    def _report(
        self, group: _Group, compiled: Compiled, plan: Plan, progress: Progress, max_states: int | None
    ) -> _core.TemporalReport:
        from burnside import _core

        request = replace(self.request, limits=replace(self.request.limits, states=max_states))
        table = _AtomTable(group.question.places)
        formulas = [self._formula(self.asked[number], group.propositions, table) for number in group.numbers]
        return _core.check_formulas(
            compiled.handle,
            compiled.group,
            compiled.method(plan),
            settings_of(request, self.deadline, deadlock=False, gives_up=plan.gives_up),
            table.state_atoms,
            formulas,
            _classifier(group.question, compiled) if group.question.classes else None,
            progress.update if progress.wanted else None,
            individuals=self._individuals(group, compiled),
            constants=group.question.constants,
            keep_edges=self.keep_edges,
        )

    def _individuals(self, group: _Group, compiled: Compiled) -> Individuals | None:
        if not group.fairness:
            return None
        return Individuals(group.explored_fairness(), group.question, compiled)

    def _formula(
        self, asked: TemporalProperty, propositions: Sequence[Proposition], table: _AtomTable
    ) -> _core.FormulaTable:
        from burnside.temporal.automata import given_automaton

        sources = [table.source(propositions.index(each)) for each in asked.propositions]
        is_linear, stutters = is_path_formula(asked.formula), asked.ends == "stutter"
        refused = f.refused_by(asked.formula)
        body = table_of(asked.formula) if refused is None else given_automaton(refused)
        return is_linear, stutters, body, sources


def _given_up(plan: Plan, facts: GroupFacts, report: _core.TemporalReport) -> Reduction:
    change = Change(report.states, report.seconds, "none", True, "symmetry took longer than it saved")
    return Reduction(
        name="none",
        strength="none",
        group_order=facts.order,
        generators=facts.generators,
        complete=facts.complete,
        restricted_by=facts.restricted_by,
        reason=f"{plan.method} was given up",
        dropped=facts.dropped,
        changes=(change,),
    )


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
    return group.fairness, frozenset(_hashable(each) for each in generators)


def _hashable(generator: Any) -> object:
    """Lists of images are long, and a text of them takes long to make."""
    if isinstance(generator, list | tuple):
        are_numbers = set(map(type, generator)) == {int}
        return tuple(generator if are_numbers else map(_hashable, generator))
    return generator if isinstance(generator, int | str) else repr(generator)


def _classifier(question: FormulaQuestion, compiled: Compiled) -> Any:
    def classify(label: int, state: Sequence[int]) -> int:
        return question.class_of(compiled.state(state), compiled.label(label))

    return classify
