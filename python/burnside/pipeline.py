"""The straight list of passes, one line each: the file to read first.

In: a file and a `Request`. Out: an `Outcome` (`check`), `Symmetries` (`symmetries`), or a graph (`space`).
The command line and the Python API call these three and nothing else.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, RefusedError, UsageError
from burnside.net import Net
from burnside.outcome import Cost, Hardness, Outcome, PropertyResult, Reduction, property_verdict
from burnside.plan import DEFAULT_ALPHA, Facts, Plan, choose, refuse_untyped, validate
from burnside.properties import Properties, properties_of
from burnside.report.progress import Progress
from burnside.request import Request
from burnside.symmetry import Symmetries
from burnside.symmetry.nets import (
    RestrictedGroup,
    Scope,
    core_net,
    fixed_markings,
    net_symmetries,
    restricted_group,
)
from burnside.trace import claimed, replay

if TYPE_CHECKING:
    from burnside import _core
    from burnside.reference.nets import ReferenceResult

    Exploration = _core.Exploration | ReferenceResult


@dataclass(frozen=True)
class Model:
    """A net that was read, and what it is called in reports."""

    net: Net
    name: str
    language: str
    deadlock_is_error: bool = False


def read(
    path: str | PathLike[str], language: str | None = None, sizes: Mapping[str, int] | None = None
) -> Model:
    from burnside import languages

    net = languages.read(path, language)
    chosen = languages.language_of(Path(path), language)
    for name in sizes or {}:
        hint = "a place/transition net has no sorts and no constants"
        raise UsageError(
            Diagnostic(f"nothing in {fspath(path)} has the size {name!r}", source="--size", hint=hint)
        )
    return Model(net, fspath(path), chosen.name, chosen.deadlock_is_error)


def model_of(net: Net) -> Model:
    """A net that was built rather than read."""
    return Model(net, net.name, "net")


def check(model: Model, request: Request, progress: Progress | None = None) -> Outcome:
    start = time.perf_counter()
    validate(request)
    refuse_untyped(request)
    properties = properties_of(model.net, request, deadlock_is_error=model.deadlock_is_error)
    handle = core_net(model.net)
    restricted = restricted_group(handle, _scope(model.net, request), properties.expressions)
    plan = choose(request, _facts(restricted.group))
    run = _Run(model, request, properties, handle, restricted, plan)
    exploration = _explore(run, progress or Progress())
    results = _judge(run, exploration)
    return _outcome(run, exploration, results, time.perf_counter() - start)


def symmetries(model: Model, request: Request) -> Symmetries:
    """The group under which `check` would explore for the same request, described."""
    validate(request)
    properties = properties_of(model.net, request, deadlock_is_error=False)
    scope = _scope(model.net, request)
    return net_symmetries(model.net, scope, properties.expressions, model=model.name, language=model.language)


def group(model: Model, request: Request) -> _core.Group:
    """The group alone, for those who want its orbits by number."""
    return restricted_group(core_net(model.net), _scope(model.net, request), ()).group


def space(model: Model, request: Request, max_states: int) -> _core.ReachabilityGraph:
    """The (reduced) reachability graph; refused where it has more states than asked for."""
    from burnside import _core

    validate(request)
    refuse_untyped(request)
    handle = core_net(model.net)
    used = restricted_group(handle, _scope(model.net, request), ()).group
    plan = choose(request, _facts(used))
    if plan.strength == "representative":
        raise RefusedError(Diagnostic("a drawing has one state for each orbit, or all", source="--reduce"))
    try:
        graph = _core.reachability_graph(handle, used, _method(plan), max_states)
    except ValueError as error:
        raise RefusedError(Diagnostic(str(error), source=model.name)) from None
    if not graph.complete:
        raise RefusedError(
            Diagnostic(
                f"the state space has more than {max_states:,} states: too many to draw",
                source=model.name,
                hint="raise --max-states, or draw a smaller instance",
            )
        )
    return graph


@dataclass(frozen=True)
class _Run:
    """Everything that is settled before the first state is explored."""

    model: Model
    request: Request
    properties: Properties
    handle: _core.Net
    restricted: RestrictedGroup
    plan: Plan

    @property
    def group(self) -> _core.Group:
        return self.restricted.group


def _scope(net: Net, request: Request) -> Scope:
    """Nothing is searched for where nothing would be used."""
    unused = request.reduce == "none" or request.symmetry == "declared"
    return Scope(fixed_markings(request.fixing, net), declared_only=unused)


def _facts(group: _core.Group) -> Facts:
    return Facts(acting_order=group.acting_order)


def _method(plan: Plan) -> _core.Method:
    from burnside import _core

    try:
        return _core.Method(plan.method, plan.guide, plan.selector, plan.budget, plan.prune)
    except ValueError as error:
        raise RefusedError(Diagnostic(str(error), source="--reduce")) from None


def _explore(run: _Run, progress: Progress) -> Exploration:
    try:
        return _by_reference(run) if run.request.engine == "reference" else _by_core(run, progress)
    except ValueError as error:
        # The core says in words why a method does not fit this group.
        raise RefusedError(Diagnostic(str(error), source="--reduce")) from None
    finally:
        progress.close()


def _by_core(run: _Run, progress: Progress) -> Exploration:
    from burnside import _core

    request, properties = run.request, run.properties
    return _core.explore(
        run.handle,
        run.group,
        _method(run.plan),
        order=request.order,
        alpha=DEFAULT_ALPHA if request.alpha is None else request.alpha,
        seed=request.seed or 0,
        threads=request.threads or 1,
        deadlock=properties.checks("deadlock"),
        safe=properties.checks("safe"),
        invariants=[each.core for each in properties.invariants],
        goals=[each.core for each in properties.goals],
        keep_going=request.keep_going,
        max_states=request.limits.states,
        max_seconds=request.limits.seconds,
        max_memory=request.limits.memory_bytes or _default_memory(),
        stats=request.stats,
        progress=progress.update if progress.wanted else None,
    )


def _default_memory() -> int | None:
    """Three quarters of the machine's memory: an unbounded net ends with an answer before the machine does."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (ValueError, OSError):
        return None


def _by_reference(run: _Run) -> Exploration:
    from burnside.reference import nets

    request, properties = run.request, run.properties
    return nets.explore(
        run.model.net,
        [] if run.plan.method == "none" else [each[:2] for each in run.group.generators()],
        order=request.order,
        deadlock=properties.checks("deadlock"),
        safe=properties.checks("safe"),
        invariants=[each.evaluate for each in properties.invariants],
        goals=[each.evaluate for each in properties.goals],
        keep_going=request.keep_going,
        max_states=request.limits.states,
        max_seconds=request.limits.seconds,
    )


def _judge(run: _Run, exploration: Exploration) -> tuple[PropertyResult, ...]:
    """Replay what was found, and say of each property what is known."""
    net = run.model.net
    found = {number: claimed(steps) for number, steps in reversed(exploration.violations)}
    results = []
    for each in run.properties.checked:
        steps = found.get(each.number)
        trace = None if steps is None else replay(net, steps, each.violated_by)
        verdict = property_verdict(
            violated=trace is not None, stopped=exploration.stopped, strength=run.plan.strength
        )
        results.append(PropertyResult(each.name, each.kind, verdict, trace))
    return tuple(results)


def _outcome(
    run: _Run, exploration: Exploration, results: tuple[PropertyResult, ...], seconds: float
) -> Outcome:
    from burnside import __version__

    net = run.model.net
    # All states of an orbit are reachable only where the group fixes the initial one (Junttila 2003, 2.13).
    known_by_name = run.group.fixes(net.initial)
    exhausted = exploration.stopped == "exhausted"
    return Outcome(
        version=__version__,
        model=run.model.name,
        language=run.model.language,
        engine=run.request.engine,
        stopped=exploration.stopped,
        states=exploration.states,
        transitions=exploration.transitions,
        initial_states=exploration.initial_states,
        deadlocks=exploration.deadlocks,
        full_states=exploration.full_states if known_by_name and exhausted else None,
        depth=exploration.depth if run.request.order == "bfs" else None,
        reduction=_reduction(run),
        properties=results,
        bounds=dict(zip(net.places, exploration.bounds, strict=True)) if known_by_name else None,
        largest_total=exploration.largest_total,
        dead_transitions=_dead(net, exploration) if known_by_name and exhausted else None,
        hardness=_hardness(run, exploration),
        cost=_cost(exploration, seconds),
        notes=tuple(_notes(exploration, known_by_name=known_by_name)),
    )


def _reduction(run: _Run) -> Reduction:
    return Reduction(
        name=run.plan.method,
        strength=run.plan.strength,
        group_order=run.group.order,
        generators=len(run.group.generators()),
        complete=run.group.complete,
        restricted_by=run.restricted.restricted_by,
        reason=run.plan.reason,
    )


def _dead(net: Net, exploration: Exploration) -> tuple[str, ...]:
    return tuple(name for name, fired in zip(net.transitions, exploration.fired, strict=True) if not fired)


def _hardness(run: _Run, exploration: Exploration) -> Hardness | None:
    from burnside import _core

    if not run.request.stats or not isinstance(exploration, _core.Exploration):
        return None
    return Hardness(
        trivial=exploration.trivial,
        easy=exploration.easy,
        hard=exploration.hard,
        canonicalised=exploration.canonicalised,
        search_nodes=exploration.search_nodes,
        most_search_nodes=exploration.most_search_nodes,
    )


def _cost(exploration: Exploration, seconds: float) -> Cost:
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


def _notes(exploration: Exploration, *, known_by_name: bool) -> Sequence[str]:
    notes = []
    if exploration.stopped == "overflow":
        notes.append("a place would hold more than 2^64 - 1 tokens: the net is most likely unbounded")
    if not known_by_name:
        notes.append(
            "the group moves the initial marking: the number of full states, the bounds of single places "
            "and the dead transitions are not known"
        )
    return notes
