"""Boundedness and coverability of a net: search, replay, conclude.

In: a `CoverabilityQuestion`, a request. Out: `CheckedCoverability`: an entry for `--bounded` and one for each `--cover`, and
what the searches took; with them the outcome of an exploration, or one of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from burnside.coverability.found import BackwardFound, Found, backward, forward
from burnside.coverability.question import CoverabilityQuestion
from burnside.diagnostics import contradiction
from burnside.exploration import Exploration
from burnside.limits import Deadline
from burnside.outcome import (
    BackwardRun,
    Boundedness,
    Cost,
    CoverabilityRun,
    Outcome,
    PropertyResult,
    Reduction,
    Trace,
    Verdict,
)
from burnside.records import record, replace
from burnside.replay import ReplayError, replay_steps
from burnside.words import truncated_list

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.progress import Progress
    from burnside.request import Request

BOUNDED, COVERABLE = "boundedness", "coverability"
"""Kinds of properties."""
MAX_SET_NUMBERS = 50_000
"""Of larger minimal coverability sets only the size is shown."""
ONLY_COVERABILITY = (
    "only coverability is asked: states are omega-markings of the minimal coverability set, not markings"
)
NOT_EXPLORED = "the net is not bounded: --max-states N searches a part of its markings"


@record(kw_only=True)
class CheckedCoverability:
    """`is_unbounded`: is it known that the net has infinitely many markings?"""

    results: tuple[PropertyResult, ...]
    run: CoverabilityRun
    is_unbounded: bool
    dead_transitions: tuple[str, ...] | None

    def allows_exploring(self, request: Request) -> bool:
        """Can all states be explored, or is it said where to end?"""
        limits = request.limits
        return not self.is_unbounded or any((limits.states, limits.seconds, limits.memory_bytes))

    def added_to(self, outcome: Outcome) -> Outcome:
        """The outcome of an exploration, with these answers first."""
        dead = outcome.dead_transitions
        return replace(
            outcome,
            properties=self.results + outcome.properties,
            coverability=self.run,
            dead_transitions=self.dead_transitions if dead is None else dead,
            stopped=self.run.stopped if outcome.exhausted else outcome.stopped,
        )

    def alone(self, check: Check, cost: Callable[[Exploration], Cost]) -> Outcome:
        """Where nothing is explored."""
        from burnside.checking import NO_FACTS

        found = Exploration(
            stopped=self.run.stopped,
            states=self.run.markings,
            transitions=self.run.transitions,
            initial_states=1,
            deadlocks=None,
            seconds=self.run.seconds,
        )
        facts = replace(NO_FACTS, orbits_are_whole=False)
        outcome = check.outcome(found, facts, self.results, cost(found))
        return replace(
            outcome,
            depth=self.run.depth,
            reduction=self.run.reduction,
            coverability=self.run,
            dead_transitions=self.dead_transitions,
            cost=replace(outcome.cost, store_bytes=self.run.store_bytes),
            notes=(*outcome.notes, ONLY_COVERABILITY),
        )


def check_coverability(
    question: CoverabilityQuestion, request: Request, deadline: Deadline, progress: Progress
) -> CheckedCoverability:
    by = request.cover_by or "forward"
    found = None
    if request.bounded or by != "backward":
        searched = question if by != "backward" else replace(question, goals=())
        found = forward(searched, request, deadline, progress)
    backwards: list[BackwardFound] = []
    if by != "forward":
        backwards = [
            backward(question, number, request, deadline, progress) for number in range(len(question.goals))
        ]
    results = []
    if request.bounded:
        assert found is not None
        results.append(_boundedness(question, found))
    for number in range(len(question.goals)):
        forwards = None if found is None or by == "backward" else found
        results.append(_covering(question, number, forwards, backwards[number] if backwards else None))
    stopped = _stopped([*([] if found is None else [found.stopped]), *(each.stopped for each in backwards)])
    complete = found is not None and found.stopped == "exhausted"
    dead = None
    if found is not None and complete:
        dead = question.names.transitions(_never_enabled(question, found.firings))
    return CheckedCoverability(
        results=tuple(results),
        run=_run(question, request, found, backwards, stopped),
        is_unbounded=found is not None and found.pump is not None,
        dead_transitions=dead,
    )


def unanswered_coverability(request: Request) -> tuple[PropertyResult, ...]:
    """Where the run ended before the search began."""
    nothing = Boundedness(bounds=None, exact=False)
    bounded = [PropertyResult("bounded", BOUNDED, "unknown", boundedness=nothing)] if request.bounded else []
    covers = [PropertyResult(text.strip(), COVERABLE, "unknown") for text in request.covers]
    return (*bounded, *covers)


def _never_enabled(question: CoverabilityQuestion, firings: Sequence[int]) -> list[int]:
    """What happens to one transition happens to those that symmetries exchange it with too."""
    orbits = question.group.transition_orbits()
    return sorted(number for orbit in orbits if not any(firings[each] for each in orbit) for number in orbit)


def _stopped(reasons: Sequence[str]) -> str:
    """Why not all is known, where that is so."""
    for each in reasons:
        if each not in ("exhausted", "violation"):
            return each
    return "violation" if reasons and all(each == "violation" for each in reasons) else "exhausted"


def _boundedness(question: CoverabilityQuestion, found: Found) -> PropertyResult:
    complete = found.stopped == "exhausted"
    names = question.names
    if found.pump is not None:
        places = [place for place, most in enumerate(found.bounds) if most is None]
        trace, pumped = _pumping_run(question, *found.pump)
        unbounded = names.places(places)
        at_least = "" if complete else "at least "
        return PropertyResult(
            "bounded",
            BOUNDED,
            "violated",
            trace,
            f"{at_least}{_places(unbounded)} without bound",
            boundedness=Boundedness(
                bounds=names.bounds(found.bounds) if complete else None,
                exact=complete,
                unbounded=unbounded,
                pumped=names.places(pumped),
            ),
        )
    most = max((bound for bound in found.bounds if bound is not None), default=0)
    if complete:
        facts = Boundedness(bounds=names.bounds(found.bounds), exact=True)
        where = "a place of the unfolded net" if question.is_unfolded else "a place"
        message = f"at most {most:,} in {where}"
        return PropertyResult("bounded", BOUNDED, "holds", None, message, boundedness=facts)
    if all(bound is not None for bound in found.upper_bounds):
        # Invariants say so, whatever was explored.
        facts = Boundedness(bounds=names.bounds(found.upper_bounds), exact=False)
        message = "by invariants of the net; the bounds are not exact, as the search ended early"
        return PropertyResult("bounded", BOUNDED, "holds", None, message, boundedness=facts)
    return PropertyResult("bounded", BOUNDED, "unknown", boundedness=Boundedness(bounds=None, exact=False))


def _places(names: Sequence[str]) -> str:
    return f"{len(names):,} place{'' if len(names) == 1 else 's'} ({truncated_list(names)})"


def _pumping_run(question: CoverabilityQuestion, run: Sequence[int], start: int) -> tuple[Trace, list[int]]:
    """The run is replayed; its last marking must cover that of the step `start`, and hold more tokens somewhere."""
    markings = _markings(question, run)
    trace = _replayed(question, run, markings)
    first, last = markings[start], markings[-1]
    if start >= len(run) or any(after < before for before, after in zip(first, last, strict=True)):
        raise ReplayError("a run that should be repeated does not lead to a larger marking")
    pumped = [place for place, (before, after) in enumerate(zip(first, last, strict=True)) if before < after]
    if not pumped:
        raise ReplayError("a run that should be repeated adds no tokens")
    return replace(trace, pump_start=start), pumped


def _covering(
    question: CoverabilityQuestion, number: int, forwards: Found | None, backwards: BackwardFound | None
) -> PropertyResult:
    goal = question.goals[number]
    verdicts: list[Verdict] = []
    if forwards is not None:
        is_over = forwards.stopped == "exhausted"
        verdicts.append("violated" if forwards.goals[number] else "holds" if is_over else "unknown")
    if backwards is not None:
        is_over = backwards.stopped == "exhausted"
        verdicts.append("violated" if backwards.run is not None else "holds" if is_over else "unknown")
    if {"holds", "violated"} <= set(verdicts):
        raise contradiction(f"forward and backward search disagree on {goal.text}", question.net.name)
    verdict: Verdict = next((each for each in verdicts if each != "unknown"), "unknown")
    if verdict != "violated":
        return PropertyResult(goal.text, COVERABLE, verdict)
    runs = [] if backwards is None or backwards.run is None else [backwards.run]
    if forwards is not None:
        runs += [run for run in (forwards.runs[number],) if run is not None]
    if not runs:
        message = "the run to it is too long to be shown; --cover-by backward finds a short one"
        return PropertyResult(goal.text, COVERABLE, verdict, None, message)
    run = min(runs, key=len)
    markings = _markings(question, run)
    trace = _replayed(question, run, markings)
    if not goal.expression.evaluate(markings[-1]):
        raise ReplayError(f"its last marking does not cover {goal.text}")
    return PropertyResult(goal.text, COVERABLE, verdict, trace)


def _markings(question: CoverabilityQuestion, run: Sequence[int]) -> list[tuple[int, ...]]:
    """From the initial marking on."""
    net = question.net
    markings = [net.initial]
    for transition in run:
        if not net.is_enabled(markings[-1], transition):
            raise ReplayError(f"{net.transitions[transition]} is not enabled in step {len(markings)}")
        markings.append(net.fire(markings[-1], transition))
    return markings


def _replayed(
    question: CoverabilityQuestion, run: Sequence[int], markings: Sequence[tuple[int, ...]]
) -> Trace:
    return replay_steps(question.semantics, list(zip([None, *run], markings, strict=True)))


def _run(
    question: CoverabilityQuestion,
    request: Request,
    found: Found | None,
    backwards: Sequence[BackwardFound],
    stopped: str,
) -> CoverabilityRun:
    markings = () if found is None else found.markings
    is_shown = (
        found is not None
        and found.stopped == "exhausted"
        and request.bounded
        and len(markings) * len(question.net.places) <= MAX_SET_NUMBERS
    )
    return CoverabilityRun(
        reduction=_reduction(question, request, found),
        stopped=stopped,
        markings=len(markings) if found is not None else sum(each.markings for each in backwards),
        entered=0 if found is None else found.entered,
        transitions=sum(each.steps for each in backwards) if found is None else found.transitions,
        depth=0 if found is None else found.depth,
        set=tuple(question.names.marking(each) for each in markings) if is_shown else None,
        searches=0 if found is None else found.searches,
        given_up=0 if found is None else found.given_up,
        backward=tuple(
            BackwardRun(
                goal=goal.text,
                stopped=each.stopped,
                markings=each.markings,
                steps=each.steps,
                seconds=each.seconds,
            )
            for goal, each in zip(question.goals, backwards, strict=False)
        ),
        store_bytes=None if found is None else found.store_bytes,
        seconds=(0.0 if found is None else found.seconds) + sum(each.seconds for each in backwards),
    )


def _reduction(question: CoverabilityQuestion, request: Request, found: Found | None) -> Reduction:
    group = question.group
    is_reduced = group.acting_order > 1
    reason = "markings are pruned that others cover under a symmetry"
    if not is_reduced:
        reason = (
            "asked for" if request.reduce == "none" else "no symmetry that is kept moves a reachable marking"
        )
        if request.engine == "reference":
            reason = "the reference engine builds the whole tree"
    is_whole = found is None or not found.given_up
    return Reduction(
        name="covering" if is_reduced else "none",
        strength=("canonical" if is_whole else "representative") if is_reduced else "none",
        group_order=group.order,
        generators=group.generator_count,
        complete=group.complete,
        restricted_by=question.restricted_by,
        reason=reason,
    )
