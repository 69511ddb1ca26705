"""One question put to one model of any kind: prepare, explore, replay, conclude.

In: a `Model` and a `Request`. Out: a `Check`, whose steps the pipeline calls one after the other, and at the end an
`Outcome`; or a `StateGraph` to draw. What differs between kinds of models is behind `kinds.Question`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from burnside.diagnostics import Diagnostic, RefusedError
from burnside.engine import Compiled, method_refusals, self_checked, settings_of
from burnside.exploration import Exploration
from burnside.kinds import Question, RunFacts, kind_of
from burnside.limits import Deadline
from burnside.outcome import (
    ActionCoverage,
    Cost,
    Coverage,
    Hardness,
    Outcome,
    PropertyResult,
    Reduction,
    SelfCheck,
    Strength,
    Trace,
    Verdict,
    property_verdict,
)
from burnside.plan import (
    Plan,
    PlanInputs,
    after,
    choose,
    refuse_beside_coverability,
    refuse_beside_formulas,
    without_effect,
)
from burnside.progress import Progress
from burnside.records import record, replace
from burnside.request import Request
from burnside.room import check_room
from burnside.semantics import DEADLOCK, CheckedProperty

if TYPE_CHECKING:
    from burnside.graph import StateGraph, StateNames
    from burnside.model import Model
    from burnside.temporal.asking import Asked


NO_FACTS = RunFacts()

UNLIFTED = "a state that violates it was found, but no run to it before the limit"


@record
class Check:
    """Everything that is settled before the first state is explored, and what is made of the answer."""

    model: Model
    request: Request
    question: Question
    plan: Plan
    formulas: tuple[Asked, ...] = ()

    @classmethod
    def prepared(
        cls,
        model: Model,
        request: Request,
        deadline: Deadline,
        formulas: tuple[Asked, ...] = (),
    ) -> Check:
        question = kind_of(model.subject).question(model, request, deadline)
        group = question.group
        plan = choose(request, PlanInputs(acting_order=group.acting_order, typed=group.typed))
        check = cls(model, request, question, plan, formulas)
        if request.fair is not None and not formulas:
            raise without_effect("--fair", "a temporal formula")
        if request.fair_by is not None:
            if request.fair is None:
                raise without_effect("--fair-by", "--fair")
            kind_of(model.subject).atom_reader(model).parameters(request.fair_by)
        if not check.explores:
            (refuse_beside_formulas if formulas else refuse_beside_coverability)(request)
        return check

    @property
    def explores(self) -> bool:
        """Are all states to be explored? Not where only formulas or coverability are asked: these have searches of their
        own."""
        request = self.request
        figures = request.keep_going or request.stats or request.coverage or request.facts
        has_others = bool(self.formulas) or request.asks_coverability
        return figures or bool(self.question.properties) or not has_others

    def explore(self, progress: Progress, deadline: Deadline) -> Exploration:
        with method_refusals(), self.question.explained():
            if self.request.engine == "reference":
                found = self._by_reference(deadline)
            else:
                deadline.check()
                compiled = deadline.run(self.compiled)
                found = self.explore_compiled(compiled, progress, deadline)
        check_room(self.question, found.claims)
        return found

    def compiled(self) -> Compiled:
        found = self.question.compiled()
        if found is None:
            message = "models of this kind are explored by the reference engine only"
            raise RefusedError(Diagnostic(message, source="--engine", hint="use --engine reference"))
        return found

    def explore_compiled(self, compiled: Compiled, progress: Progress, deadline: Deadline) -> Exploration:
        """Explore by the core alone; benchmarks measure this."""
        deadlock = DEADLOCK in self.question.properties
        settings = settings_of(self.request, deadline, deadlock=deadlock, gives_up=self.plan.gives_up)
        with self_checked(self.model.name, compiled, lambda: self.question.semantics):
            return self._bounded(compiled.explore(self.plan, settings, progress))

    def _by_reference(self, deadline: Deadline) -> Exploration:
        from burnside.reference.explorer import explore

        request = self.request
        found = explore(
            self.question.semantics,
            [] if self.plan.method == "none" else self.question.generators(),
            keep_going=request.keep_going,
            order=request.order,
            max_states=request.limits.states,
            max_seconds=deadline.left,
            self_check=request.self_check or "sample",
        )
        return self._bounded(found)

    def _bounded(self, found: Exploration) -> Exploration:
        """All states were explored only where all values were tried, or the user excludes the others."""
        cut = found.stopped == "exhausted" and found.cut_names and not self.request.assume_bounds
        return replace(found, stopped="bounded") if cut else found

    def facts(self, found: Exploration) -> RunFacts:
        return self.question.facts(found, after(self.plan, found.change))

    def judge(self, found: Exploration, facts: RunFacts = NO_FACTS) -> tuple[PropertyResult, ...]:
        """Replay what was found, and say of each property what is known."""
        results = []
        strength = after(self.plan, found.change).strength
        with self.question.explained():
            for number, each in self.question.properties.items():
                if each.kind == "cover":
                    results.append(_cover_result(each, number in found.covered, found.stopped))
                elif each.kind != "assumption":
                    results.append(self._result(number, each, found, facts.strength or strength))
        return tuple(results)

    def _result(
        self, number: int, each: CheckedProperty, found: Exploration, strength: Strength
    ) -> PropertyResult:
        trace: Trace | None = None
        message: str | None = None
        claim = found.claims.get(number)
        if claim is not None and claim.is_missing_start:
            message = claim.failure.message if claim.failure is not None else None
        elif claim is not None:
            from burnside.replay import replay

            trace = replay(self.question.semantics, claim, number)
            message = trace.steps[-1].failure
        verdict: Verdict = property_verdict(
            violated=claim is not None, stopped=found.stopped, strength=strength
        )
        if number in found.unlifted:
            verdict, message = "unknown", UNLIFTED
        return PropertyResult(each.name, each.kind, verdict, trace, message)

    def outcome(
        self, found: Exploration, facts: RunFacts, results: tuple[PropertyResult, ...], cost: Cost
    ) -> Outcome:
        from burnside import __version__

        exhausted = found.stopped == "exhausted"
        return Outcome(
            version=__version__,
            model=self.model.name,
            language=self.model.language,
            engine=self.request.engine,
            stopped=found.stopped,
            states=found.states,
            transitions=found.transitions,
            initial_states=found.initial_states,
            deadlocks=found.deadlocks,
            full_states=found.full_states if facts.orbits_are_whole and exhausted else None,
            depth=found.depth if self.request.order == "bfs" else None,
            reduction=self._reduction(found, facts),
            properties=results,
            facts=facts.named,
            dead_transitions=self.unfired(found) if facts.orbits_are_whole and exhausted else None,
            hardness=_hardness(found.core) if self.request.stats and found.core is not None else None,
            coverage=self._coverage(found, facts.first_actions) if self.request.coverage else None,
            cost=cost,
            notes=self.model.notes + facts.notes,
        )

    def _reduction(self, found: Exploration, facts: RunFacts) -> Reduction:
        group, plan = self.question.group, after(self.plan, found.change)
        return Reduction(
            name=plan.method,
            strength=facts.strength or plan.strength,
            group_order=group.order,
            generators=group.generators,
            complete=group.complete,
            restricted_by=group.restricted_by,
            reason=facts.reason or plan.reason,
            dropped=group.dropped,
            self_check=self._self_check(found),
            changes=() if found.change is None else (found.change,),
        )

    def _self_check(self, found: Exploration) -> SelfCheck | None:
        generators, all_generators = found.self_check_generators
        if self.request.self_check == "off" or (self.request.self_check is None and not all_generators):
            return None
        return SelfCheck(found.self_checked, found.states, generators, all_generators)

    def unfired(self, found: Exploration) -> tuple[str, ...]:
        """Actions that were never enabled. What happens to one happens to those that symmetries exchange it with too."""
        names = self.question.actions
        dead: list[int] = []
        for orbit in self.question.action_orbits():
            if not any(found.firings[number] for number in orbit):
                dead += orbit
        return tuple(names[number] for number in sorted(dead))

    def _coverage(self, found: Exploration, first: Sequence[tuple[str, int]]) -> Coverage:
        """By action, in the order of the model. States stand for orbits, so actions that symmetries exchange are counted
        together: which of them is seen is chance."""
        names = self.question.actions
        orbits: Sequence[Sequence[int]] = [[number] for number in range(len(names))]
        if after(self.plan, found.change).method != "none":
            orbits = self.question.action_orbits()
        actions: dict[int, ActionCoverage] = {}
        for orbit in orbits:
            times = sum(found.firings[number] for number in orbit)
            for number in orbit:
                others = tuple(names[other] for other in orbit if other != number)
                actions[number] = ActionCoverage(names[number], times, others)
        own = tuple(actions[number] for number in range(len(names)))
        properties = self.question.properties
        return Coverage(
            explored=found.expanded,
            violating={properties[number].name: states for number, states in sorted(found.violating.items())},
            actions=tuple(ActionCoverage(name, times) for name, times in first) + own,
        )

    def space(self, max_states: int) -> tuple[StateNames, StateGraph]:
        """The reachability graph, named; only its beginning where it is too large."""
        graph = self.graph(max_states)
        return self.question.names(graph.states), graph

    def graph(self, max_states: int) -> StateGraph:
        if self.plan.strength not in ("canonical", "none"):
            raise RefusedError(
                Diagnostic("a drawing has one state for each orbit, or all", source="--reduce")
            )
        with method_refusals(), self.question.explained():
            compiled = self.question.compiled()
            graph = (
                self._reference_graph(max_states)
                if compiled is None
                else compiled.graph(self.plan, max_states)
            )
        check_room(self.question, self._failures(graph))
        return graph

    def _failures(self, graph: StateGraph) -> set[int]:
        """The properties that steps violate."""
        limits = [number for number, each in self.question.properties.items() if each.kind == "limit"]
        if not limits:
            return set()
        names = {name for found in graph.violated.values() for name in found}
        found = {number for number in limits if self.question.properties[number].name in names}
        failing = dict.fromkeys(state for state, _ in graph.failures)
        for state in failing:
            for step in self.question.semantics.steps(graph.states[state]):
                found |= {each.number for each in step.failures}
        return found

    def _reference_graph(self, max_states: int) -> StateGraph:
        from burnside.reference.explorer import state_graph

        generators = [] if self.plan.method == "none" else self.question.generators()
        return state_graph(self.question.semantics, generators, max_states)


def _cover_result(each: CheckedProperty, covered: bool, stopped: str) -> PropertyResult:
    """Never satisfied is known only at the end, and there is no trace of what did not happen."""
    verdict: Verdict = "holds" if covered else "violated" if stopped == "exhausted" else "unknown"
    message = "never satisfied" if verdict == "violated" else None
    return PropertyResult(each.name, each.kind, verdict, None, message)


def _hardness(core: Any) -> Hardness:
    return Hardness(
        trivial=core.trivial,
        easy=core.easy,
        hard=core.hard,
        canonicalised=core.canonicalised,
        search_nodes=core.search_nodes,
        most_search_nodes=core.most_search_nodes,
    )
