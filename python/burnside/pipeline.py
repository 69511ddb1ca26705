"""The straight list of passes, one line each: the file to read first.

In: a file and a `Request`. Out: an `Outcome` (`check`), `Symmetries` (`symmetries`), a graph (`space`), or the
place/transition net of a high-level one (`unfold`). The command line and the Python API call these and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnside.checking import NO_FACTS, Check
from burnside.diagnostics import BurnsideError, Diagnostic, RefusedError, UsageError
from burnside.exploration import Exploration
from burnside.kinds import built_reader, kind_of
from burnside.limits import Deadline, OutOfTime, stopped_by
from burnside.model import Model, Subject
from burnside.outcome import Cost, Outcome
from burnside.plan import validate
from burnside.progress import Progress
from burnside.racing import explored, may_race
from burnside.records import replace
from burnside.request import Limits, Request
from burnside.room import TooLittleRoom
from burnside.symmetry import Symmetries

if TYPE_CHECKING:
    from burnside.coverability.checking import CheckedCoverability
    from burnside.graph import StateGraph, StateNames
    from burnside.languages.options import ReadOptions
    from burnside.net import Net
    from burnside.quotients import Quotient
    from burnside.temporal.asking import Asked
    from burnside.temporal.outcomes import CheckedFormulas


def read(
    path: str | PathLike[str],
    language: str | None = None,
    sizes: Mapping[str, int] | None = None,
    options: ReadOptions | None = None,
) -> Model:
    """`sizes`: besides those of `options`."""
    from burnside import languages

    options = options or languages.DEFAULT_OPTIONS
    if sizes:
        options = replace(options, sizes={**options.sizes, **sizes})
    return _with_room(languages.load(path, language, options))


TRIED_STATES = {"bfs": 20_000, "dfs": 200_000}
"""How many states are explored to find out whether the room of a model is enough; depth first, most of them are successors
of others that are never come to."""
TRIED_SECONDS = 2.0


def _with_room(model: Model) -> Model:
    """Where the layout of a model is a guess, one that is large enough for the first states, and for some that are far from
    the start."""
    orders = ["dfs", "bfs"]
    while model.larger is not None and orders:
        trial = Request(
            reduce="none",
            deadlock=False,
            self_check="off",
            order=orders[-1],
            limits=Limits(states=TRIED_STATES[orders[-1]], seconds=TRIED_SECONDS),
            threads=1,
        )
        try:
            _checked(replace(model, formulas=()), trial, Progress(), Deadline(TRIED_SECONDS))
        except TooLittleRoom as reason:
            model = reason.model
        except BurnsideError:
            # It will be seen again where the model is checked.
            break
        else:
            orders.pop()
    return model


def model_of(subject: Subject) -> Model:
    """A model that was built rather than read, so no front end has checked it."""
    kind_of(subject).check_built(subject)
    return Model(subject, subject.name, type(subject).__name__.lower(), expressions=built_reader(subject))


def check(
    model: Model, request: Request, progress: Progress | None = None, deadline: Deadline | None = None
) -> Outcome:
    """`deadline`: where the clock was started before the model was read."""
    validate(request)
    deadline = deadline or Deadline(request.limits.seconds)
    progress = progress or Progress()
    while True:
        try:
            outcome = _tried(model, request, deadline)
            if outcome is None:
                outcome = _checked(model, request, progress, deadline)
        except TooLittleRoom as reason:
            model = reason.model
        else:
            return replace(
                outcome, properties=tuple(each for each in outcome.properties if each.kind != "limit")
            )


def _tried(model: Model, request: Request, deadline: Deadline) -> Outcome | None:
    """The error of a model that creates more and more of something, which a search in breadth would come to last."""
    if not model.is_crowded or request.keep_going or request.order != "bfs":
        return None
    most = TRIED_STATES["dfs"]
    limits = replace(request.limits, states=min(most, request.limits.states or most))
    outcome = _checked(model, replace(request, order="dfs", limits=limits), Progress(), deadline)
    return outcome if outcome.verdict == "violated" else None


def _checked(model: Model, request: Request, progress: Progress, deadline: Deadline) -> Outcome:
    start = time.perf_counter()
    try:
        formulas = deadline.run(lambda: _formulas(model, request))
        asked = _explored(model, request)
        covered = None
        if may_race(model, asked):
            prepared, found = explored(model, asked, formulas, progress, deadline)
        else:
            prepared = deadline.run(lambda: Check.prepared(model, asked, deadline, formulas))
            covered = _check_coverability(model, request, progress, deadline)
            if covered is not None and not covered.allows_exploring(request):
                return _unexplored(prepared, request, covered, time.perf_counter() - start)
            found = _explore(prepared, progress, deadline) if prepared.explores else None
    except (OutOfTime, KeyboardInterrupt) as reason:
        return unanswered(model, request, stopped_by(reason), time.perf_counter() - start)
    answered = _check_formulas(prepared, found, progress, deadline) if formulas else None
    if found is None:
        return _alone(prepared, covered, answered, lambda run: _cost(run, time.perf_counter() - start))
    facts = prepared.facts(found)
    results = prepared.judge(found, facts)
    outcome = prepared.outcome(found, facts, results, _cost(found, time.perf_counter() - start))
    outcome = outcome if answered is None else answered.added_to(outcome)
    outcome = outcome if covered is None else covered.added_to(outcome)
    return _examined(prepared, request, found, outcome, progress, deadline)


def _alone(
    prepared: Check,
    covered: CheckedCoverability | None,
    answered: CheckedFormulas | None,
    cost: Callable[[Exploration], Cost],
) -> Outcome:
    """Where not all states are explored."""
    if covered is not None:
        outcome = covered.alone(prepared, cost)
        return outcome if answered is None else answered.added_to(outcome)
    assert answered is not None
    return answered.alone(prepared, cost)


def _unexplored(prepared: Check, request: Request, covered: CheckedCoverability, seconds: float) -> Outcome:
    """Of an unbounded net: what else was asked has no answer, where no limit says how much is to be explored."""
    from burnside.coverability.checking import NOT_EXPLORED
    from burnside.temporal.outcomes import unanswered_formulas

    outcome = covered.alone(prepared, lambda run: _cost(run, seconds))
    if not prepared.explores and not prepared.formulas:
        return outcome
    nothing = Exploration(stopped="unbounded", firings=[0] * len(prepared.question.actions))
    unknown = tuple(replace(each, message=NOT_EXPLORED) for each in prepared.judge(nothing))
    formulas = unanswered_formulas(prepared.formulas, NOT_EXPLORED)
    outcome = replace(
        outcome, properties=outcome.properties + unknown + formulas, notes=(*outcome.notes, NOT_EXPLORED)
    )
    return _examined(prepared, request, nothing, outcome, Progress(), Deadline())


def unanswered(model: Model, request: Request, stopped: str, seconds: float) -> Outcome:
    """Where a run ended before its first state: nothing is known of any property."""
    asked = Request(
        reduce="none",
        engine=request.engine,
        order=request.order,
        deadlock=request.deadlock,
        safe=request.safe,
        invariants=request.invariants,
        goals=request.goals,
        bounded=request.bounded,
        covers=request.covers,
        formulas=request.formulas,
        property_files=request.property_files,
        cycles=request.cycles,
        examinations=request.examinations,
    )
    prepared = Check.prepared(model, _explored(model, asked), Deadline(), _formulas(model, asked))
    nothing = Exploration(stopped=stopped)
    outcome = prepared.outcome(nothing, NO_FACTS, prepared.judge(nothing), _cost(nothing, seconds))
    if prepared.formulas:
        outcome = _check_formulas(prepared, nothing, Progress(), Deadline()).added_to(outcome)
    if request.asks_coverability:
        from burnside.coverability.checking import unanswered_coverability

        outcome = replace(outcome, properties=unanswered_coverability(request) + outcome.properties)
    outcome = _examined(prepared, asked, nothing, outcome, Progress(), Deadline())
    reason = "the run ended before symmetries were known"
    reduction = replace(
        outcome.reduction, strength="canonical", complete=False, reason=reason, self_check=None
    )
    return replace(outcome, reduction=reduction)


def symmetries(model: Model, request: Request) -> Symmetries:
    """The group under which `check` would explore for the same request, described."""
    validate(request)
    while True:
        try:
            return kind_of(model.subject).symmetries(model, request)
        except TooLittleRoom as reason:
            model = reason.model


def unfold(model: Model, transitions: int | None, deadline: Deadline) -> Net:
    """LimitError where it has more transitions, OutOfTime by the deadline."""
    from burnside.ir.highlevel.net import HighLevelNet
    from burnside.unfolding import Limits as UnfoldingLimits
    from burnside.unfolding import unfold as unfolded

    if not isinstance(model.subject, HighLevelNet):
        raise UsageError(_nothing_to_unfold(model))
    limits = UnfoldingLimits() if transitions is None else UnfoldingLimits(transitions)
    return unfolded(model.subject, limits, source=model.name, deadline=deadline).net


def _nothing_to_unfold(model: Model) -> Diagnostic:
    from burnside.net import Net

    if isinstance(model.subject, Net):
        return Diagnostic("this is a place/transition net: there is nothing to unfold", model.name)
    hint = "burnside check explores it as it is"
    return Diagnostic(
        f"only high-level nets can be unfolded, and this is {model.language}", model.name, hint=hint
    )


def space(
    model: Model, request: Request, max_states: int, *, partial: bool = False
) -> tuple[StateNames, StateGraph]:
    """The (reduced) reachability graph; refused where it has more states than asked for, unless a part will do."""
    found = quotient(model, request, max_states, partial=partial)
    return found.names, found.graph


def quotient(model: Model, request: Request, max_states: int, *, partial: bool = False) -> Quotient:
    """The same with all that is known of it. Goals of the model are propositions too."""
    from burnside.quotients import Quotient

    validate(request)
    while True:
        try:
            check = Check.prepared(model, request, Deadline())
            names, graph = check.space(max_states)
            break
        except TooLittleRoom as reason:
            model = reason.model
    if not graph.complete and not partial:
        raise RefusedError(
            Diagnostic(
                f"the state space has more than {max_states:,} states: too many to draw",
                source=model.name,
                hint="raise --max-states, draw a smaller instance, or the beginning with --partial",
            )
        )
    question = check.question
    is_whole = graph.complete and question.orbits_are_whole(check.plan)
    return Quotient(
        model=model.name,
        language=model.language,
        group_order=question.group.order,
        propositions=tuple(each.name for each in question.properties.values() if each.kind == "goal"),
        full_states=sum(graph.orbit_sizes) if is_whole else None,
        names=names,
        graph=graph,
        describe=question.described,
    )


def first_states(model: Model, request: Request, max_states: int) -> tuple[Model, Sequence[Any]]:
    """Of the unreduced model, in the order in which they are found; the model, as it had to be laid out for them."""
    whole = replace(request, reduce="none")
    validate(whole)
    while True:
        try:
            return model, Check.prepared(model, whole, Deadline()).graph(max_states).states
        except TooLittleRoom as reason:
            model = reason.model


def _explore(prepared: Check, progress: Progress, deadline: Deadline) -> Exploration:
    try:
        return prepared.explore(progress, deadline)
    finally:
        progress.close()


def _formulas(model: Model, request: Request) -> tuple[Asked, ...]:
    if not (model.formulas or request.formulas or request.property_files or request.cycles):
        return ()
    from burnside.temporal.asking import formulas_of

    return formulas_of(model, request)


def _explored(model: Model, request: Request) -> Request:
    if not request.examinations:
        return request
    from burnside.temporal.examinations import explored_request

    return explored_request(model, request)


def _examined(
    prepared: Check,
    request: Request,
    found: Exploration,
    outcome: Outcome,
    progress: Progress,
    deadline: Deadline,
) -> Outcome:
    if not request.examinations:
        return outcome
    from burnside.temporal.examinations import Examinations

    begun = time.perf_counter()
    try:
        outcome = Examinations(prepared, request, found).added_to(outcome, progress, deadline)
    finally:
        progress.close()
    more = time.perf_counter() - begun
    return replace(outcome, cost=replace(outcome.cost, seconds=outcome.cost.seconds + more))


def _check_coverability(
    model: Model, request: Request, progress: Progress, deadline: Deadline
) -> CheckedCoverability | None:
    if not request.asks_coverability:
        return None
    from burnside.coverability.checking import check_coverability
    from burnside.kinds import coverability_question

    question = deadline.run(lambda: coverability_question(model, request))
    try:
        return check_coverability(question, request, deadline, progress)
    finally:
        progress.close()


def _check_formulas(
    prepared: Check, found: Exploration | None, progress: Progress, deadline: Deadline
) -> CheckedFormulas:
    from burnside.temporal.outcomes import check_formulas

    try:
        return check_formulas(prepared, found, progress, deadline)
    finally:
        progress.close()


def _cost(found: Exploration, seconds: float) -> Cost:
    return Cost(
        seconds=seconds,
        explore_seconds=found.seconds,
        peak_memory_bytes=peak_memory(),
        store_bytes=None if found.core is None else found.core.store_bytes,
        packed_bits=None if found.core is None else found.core.packed_bits,
    )


def peak_memory() -> int:
    """Of this process since it started."""
    import resource
    import sys

    # What the kernel counts for this program alone; ru_maxrss may still include the parent process.
    with suppress(OSError), Path("/proc/self/status").open() as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
