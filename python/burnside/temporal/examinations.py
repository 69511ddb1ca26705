"""The examinations of the Model Checking Contest that are asked by name.

In: a net, the outcome of its exploration. Out: for each examination a `PropertyResult` of that name. Which transitions can
fire somewhere answers most of them; whether each can fire again and again is asked as formulas of CTL.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from burnside.diagnostics import option_source
from burnside.exploration import Exploration
from burnside.kinds import NetQuestion, has_places
from burnside.outcome import Outcome, PropertyResult, Verdict
from burnside.plan import without_effect
from burnside.records import replace
from burnside.temporal import formulas as f
from burnside.temporal.atoms import ActionPattern, Enabled
from burnside.temporal.outcomes import CheckedFormulas, check_formulas
from burnside.temporal.reading import TemporalProperty

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.limits import Deadline
    from burnside.model import Model
    from burnside.progress import Progress
    from burnside.request import Request

KIND = "examination"
OF_ALL_STATES = ("QuasiLiveness", "StableMarking", "StateSpace")
OF_DEADLOCKS = ("ReachabilityDeadlock", "Liveness")


def explored_request(model: Model, request: Request) -> Request:
    """The request with what the exploration has to find out for examinations. It ends at the first violation where that is
    an answer to all that is asked."""
    asked = request.examinations
    if not asked:
        return request
    if not has_places(model):
        raise without_effect("--examination", "a net")
    others = request.safe or request.deadlock or request.invariants or request.goals
    is_one_question = len(asked) == 1 and asked[0] not in OF_ALL_STATES and not others
    return replace(
        request,
        safe=request.safe or "OneSafe" in asked,
        deadlock=request.deadlock or any(each in asked for each in OF_DEADLOCKS),
        keep_going=request.keep_going or not is_one_question,
    )


class Examinations:
    """Those of one request, after the exploration. `asked`: the request as the user made it."""

    def __init__(self, check: Check, asked: Request, found: Exploration) -> None:
        self.check, self.asked, self.found = check, asked, found
        self.question = cast(NetQuestion, check.question)
        self.is_complete = found.stopped == "exhausted"
        self.is_whole = check.facts(found).orbits_are_whole
        self.live: CheckedFormulas | None = None

    def added_to(self, outcome: Outcome, progress: Progress, deadline: Deadline) -> Outcome:
        """The outcome of the exploration, with what was asked."""
        only_for_these = {"stable"} | {kind for kind in ("deadlock", "safe") if not getattr(self.asked, kind)}
        self.explored = {each.kind: each for each in outcome.properties}
        self.markings = outcome.full_states
        names = dict.fromkeys(self.asked.examinations)
        results = [self._result(name, progress, deadline) for name in names]
        outcome = replace(
            outcome,
            properties=(
                *(each for each in outcome.properties if each.kind not in only_for_these),
                *results,
            ),
        )
        if self.live is None:
            return outcome
        stopped = self.live.stopped if outcome.exhausted else outcome.stopped
        return replace(outcome, formula_runs=outcome.formula_runs + self.live.runs, stopped=stopped)

    def _result(self, name: str, progress: Progress, deadline: Deadline) -> PropertyResult:
        match name:
            case "ReachabilityDeadlock":
                return self._deadlock(name)
            case "OneSafe":
                return replace(self.explored["safe"], name=name, kind=KIND)
            case "StateSpace":
                return self._known(name, None if self.markings is None else True, value=self.markings)
            case "QuasiLiveness":
                return self._quasi_liveness(name)
            case "StableMarking":
                return self._stable_marking(name)
            case _:
                return self._liveness(name, progress, deadline)

    def _known(
        self, name: str, holds: bool | None, message: str | None = None, **more: Any
    ) -> PropertyResult:
        if holds is None and message is None and not self.is_whole:
            message = "not known where the group moves the initial marking"
        verdict: Verdict = "unknown" if holds is None else "holds" if holds else "violated"
        return PropertyResult(name, KIND, verdict, message=message, **more)

    def _deadlock(self, name: str) -> PropertyResult:
        """Holds where a deadlock can be reached."""
        found = self.explored["deadlock"]
        if found.verdict == "violated":
            return self._known(name, True, witness=found.trace)
        return self._known(name, False if found.verdict == "holds" else None)

    @cached_property
    def _unfired(self) -> frozenset[str] | None:
        """Transitions that were enabled nowhere so far; None where that is not known."""
        return frozenset(self.check.unfired(self.found)) if self.is_whole else None

    def _quasi_liveness(self, name: str) -> PropertyResult:
        """Every transition is enabled somewhere."""
        if self._unfired == frozenset():
            return self._known(name, True)
        if self._unfired is None or not self.is_complete:
            return self._known(name, None)
        dead = next(each for each in self.question.actions if each in self._unfired)
        return self._known(name, False, f"{dead} is never enabled")

    def _stable_marking(self, name: str) -> PropertyResult:
        """Some place always holds the same number."""
        if self._unfired is None:
            return self._known(name, None)
        message = self.question.stable_place(self.found, self._unfired)
        if message is None:
            return self._known(name, False, "every place changes")
        return self._known(name, True, message) if self.is_complete else self._known(name, None)

    def _liveness(self, name: str, progress: Progress, deadline: Deadline) -> PropertyResult:
        """From every marking every transition can become enabled again. Symmetries that fix the initial marking map one
        transition's formula to another's, so one of each orbit is asked."""
        dead = self.explored["deadlock"]
        if dead.verdict == "violated" and self.question.actions:
            return self._known(name, False, "a deadlock can be reached", trace=dead.trace)
        if self.is_complete and self._unfired:
            return self._known(name, False, f"{min(self._unfired)} is never enabled")
        if not self.is_complete:
            return self._known(name, None, "not all markings were explored")
        every = [[number] for number in range(len(self.question.actions))]
        orbits = self.question.action_orbits() if self.is_whole else every
        formulas = tuple(_live(self.question.actions, min(orbit)) for orbit in orbits)
        request = replace(self.check.request, fair=None)
        check = replace(self.check, request=request, formulas=formulas)
        self.live = check_formulas(check, self.found, progress, deadline)
        for verdict in ("violated", "unknown"):
            for each in self.live.results:
                if each.verdict == verdict:
                    return replace(each, name=name, kind=KIND, message=f"{each.name}: {verdict}")
        return self._known(name, True)


def _live(names: Sequence[str], transition: int) -> TemporalProperty:
    name = f"{names[transition]} is live"
    fireable = Enabled((ActionPattern(transition),), f"fireable({names[transition]})")
    return TemporalProperty(
        name=name,
        text=name,
        logic="ctl",
        formula=f.Forall(f.globally(f.Exists(f.finally_(f.Atom(0))))),
        propositions=(fireable,),
        source=option_source("--examination", "Liveness"),
    )
