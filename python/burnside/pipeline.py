"""The straight list of passes, one line each: the file to read first.

In: a file and a `Request`. Out: an `Outcome` (`check`), `Symmetries` (`symmetries`), or a graph (`space`).
The command line and the Python API call these three and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnside.checks import Check, NothingExplored, check_of, kind_of
from burnside.diagnostics import Diagnostic, RefusedError
from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.limits import Deadline, OutOfTime
from burnside.model import Model
from burnside.net import Net
from burnside.outcome import Cost, Hardness, Outcome, PropertyResult, Reduction, SelfCheck
from burnside.plan import validate
from burnside.records import replace
from burnside.report.progress import Progress
from burnside.request import Request
from burnside.symmetry import Symmetries

if TYPE_CHECKING:
    from burnside import _core
    from burnside.report.spaces import Names, StateGraph


def read(
    path: str | PathLike[str],
    language: str | None = None,
    sizes: Mapping[str, int] | None = None,
    folders: Sequence[Path] = (),
) -> Model:
    from burnside import languages

    chosen = languages.language_of(Path(path), language)
    found = languages.load(path, language, sizes, folders)
    habit = chosen.deadlock_is_error
    return Model(found.subject, fspath(path), chosen.name, habit, found.condition, found.notes)


def model_of(subject: Net | Program | Machine) -> Model:
    """A model that was built rather than read, so nobody has checked it yet."""
    if isinstance(subject, Program):
        from burnside.ir.checking import check_program

        check_program(subject)
    elif isinstance(subject, Machine):
        from burnside.ir.sets.checking import check_machine

        check_machine(subject)
    return Model(subject, subject.name, type(subject).__name__.lower())


def check(
    model: Model, request: Request, progress: Progress | None = None, deadline: Deadline | None = None
) -> Outcome:
    """`deadline`: where the clock was started before the model was read."""
    start = time.perf_counter()
    validate(request)
    deadline = deadline or Deadline(request.limits.seconds)
    try:
        prepared = deadline.run(lambda: check_of(model, request, deadline))
        exploration = _explore(prepared, progress or Progress(), deadline)
    except (OutOfTime, KeyboardInterrupt) as reason:
        return unanswered(model, request, stopped_by(reason), time.perf_counter() - start)
    results = prepared.judge(exploration)
    return _outcome(model, request, prepared, exploration, results, time.perf_counter() - start)


def stopped_by(reason: OutOfTime | KeyboardInterrupt) -> str:
    return "max-seconds" if isinstance(reason, OutOfTime) else "interrupted"


def unanswered(model: Model, request: Request, stopped: str, seconds: float) -> Outcome:
    """Where a run ended before its first state: nothing is known of any property."""
    from burnside import __version__

    asked = Request(
        reduce="none",
        engine=request.engine,
        order=request.order,
        deadlock=request.deadlock,
        safe=request.safe,
        invariants=request.invariants,
        goals=request.goals,
    )
    nothing = NothingExplored(stopped)
    return Outcome(
        version=__version__,
        model=model.name,
        language=model.language,
        engine=request.engine,
        stopped=stopped,
        states=0,
        transitions=0,
        initial_states=0,
        deadlocks=0,
        full_states=None,
        depth=0 if request.order == "bfs" else None,
        reduction=Reduction(
            name="none",
            strength="canonical",
            group_order=1,
            generators=0,
            complete=False,
            restricted_by=(),
            reason="the run ended before symmetries were known",
        ),
        properties=check_of(model, asked, Deadline()).judge(nothing),
        bounds=None,
        largest_total=None,
        dead_transitions=None,
        cost=_cost(nothing, seconds),
        notes=model.notes,
    )


def symmetries(model: Model, request: Request) -> Symmetries:
    """The group under which `check` would explore for the same request, described."""
    validate(request)
    found: Symmetries = kind_of(model).described(model, request)
    return found


def group(model: Model, request: Request) -> _core.Group:
    """The group of a net alone, for those who want its orbits by number."""
    from burnside.checks.nets import group_of

    return group_of(model, request)


def space(
    model: Model, request: Request, max_states: int, *, partial: bool = False
) -> tuple[Names, StateGraph]:
    """The (reduced) reachability graph; refused where it has more states than asked for, unless a part will do."""
    validate(request)
    with _method_refusals():
        names, graph = kind_of(model).space_of(model, request, max_states)
    if graph.explored < len(graph.markings) and not partial:
        raise RefusedError(
            Diagnostic(
                f"the state space has more than {max_states:,} states: too many to draw",
                source=model.name,
                hint="raise --max-states, draw a smaller instance, or the beginning with --partial",
            )
        )
    return names, graph


def _explore(prepared: Check, progress: Progress, deadline: Deadline) -> Any:
    try:
        with _method_refusals():
            return prepared.explore(progress, deadline)
    finally:
        progress.close()


@contextmanager
def _method_refusals() -> Iterator[None]:
    """The core says in words why a method does not fit a group."""
    from burnside import _core

    try:
        yield
    except _core.MethodError as error:
        raise RefusedError(Diagnostic(str(error), source="--reduce")) from None


def _outcome(
    model: Model,
    request: Request,
    prepared: Check,
    exploration: Any,
    results: tuple[PropertyResult, ...],
    seconds: float,
) -> Outcome:
    from burnside import __version__

    facts = prepared.facts(exploration)
    exhausted = exploration.stopped == "exhausted"
    return Outcome(
        version=__version__,
        model=model.name,
        language=model.language,
        engine=request.engine,
        stopped=exploration.stopped,
        states=exploration.states,
        transitions=exploration.transitions,
        initial_states=exploration.initial_states,
        deadlocks=exploration.deadlocks,
        full_states=exploration.full_states if facts.orbits_are_whole and exhausted else None,
        depth=exploration.depth if request.order == "bfs" else None,
        reduction=replace(prepared.reduction(exploration), self_check=_self_check(request, exploration)),
        properties=results,
        bounds=facts.bounds,
        largest_total=facts.largest_total,
        dead_transitions=facts.dead_actions,
        hardness=_hardness(request, exploration),
        coverage=facts.coverage,
        cut_domains=facts.cut_domains,
        bounds_assumed=request.assume_bounds,
        cost=_cost(exploration, seconds),
        notes=model.notes + facts.notes,
    )


def _self_check(request: Request, exploration: Any) -> SelfCheck | None:
    generators, all_generators = exploration.self_check_generators
    if request.self_check == "off" or (request.self_check is None and not all_generators):
        return None
    return SelfCheck(exploration.self_checked, exploration.states, generators, all_generators)


def _hardness(request: Request, exploration: Any) -> Hardness | None:
    if not request.stats or not hasattr(exploration, "search_nodes"):
        return None
    return Hardness(
        trivial=exploration.trivial,
        easy=exploration.easy,
        hard=exploration.hard,
        canonicalised=exploration.canonicalised,
        search_nodes=exploration.search_nodes,
        most_search_nodes=exploration.most_search_nodes,
    )


def _cost(exploration: Any, seconds: float) -> Cost:
    return Cost(
        seconds=seconds,
        explore_seconds=exploration.seconds,
        peak_memory_bytes=_peak_memory(),
        store_bytes=getattr(exploration, "store_bytes", None),
        packed_bits=getattr(exploration, "packed_bits", None),
    )


def _peak_memory() -> int:
    """Of this process since it started."""
    import resource
    import sys

    # What the kernel counts for this program alone; ru_maxrss may still remember the process it came from.
    with suppress(OSError), Path("/proc/self/status").open() as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
