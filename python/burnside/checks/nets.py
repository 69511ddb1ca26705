"""A question put to a place/transition net."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnside.checks import Facts
from burnside.checks.coverage import net_coverage
from burnside.checks.engine import default_memory, method_of
from burnside.checks.self_checking import Naming, self_checked
from burnside.diagnostics import Diagnostic, RefusedError
from burnside.limits import Deadline
from burnside.model import Model
from burnside.net import Net
from burnside.outcome import Coverage, PropertyResult, Reduction, property_verdict
from burnside.plan import DEFAULT_ALPHA, Plan, choose, refuse_for_nets
from burnside.plan import Facts as PlanFacts
from burnside.properties import Properties, properties_of
from burnside.records import record
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
    from burnside.report.spaces import Names, StateGraph

    NetExploration = _core.Exploration | ReferenceResult


@record
class NetCheck:
    """The net as the core holds it, its group restricted to what keeps the properties, and the method chosen."""

    model: Model
    request: Request
    properties: Properties
    handle: _core.Net
    restricted: RestrictedGroup
    plan: Plan

    @classmethod
    def prepared(cls, model: Model, request: Request) -> NetCheck:
        refuse_for_nets(request)
        net = model.net
        properties = properties_of(net, request, deadlock_is_error=model.deadlock_is_error)
        handle = core_net(net)
        restricted = restricted_group(handle, _scope(net, request), properties.expressions)
        plan = choose(request, _plan_facts(restricted.group))
        return cls(model, request, properties, handle, restricted, plan)

    @property
    def group(self) -> _core.Group:
        return self.restricted.group

    def reduction(self, exploration: object) -> Reduction:
        return Reduction(
            name=self.plan.method,
            strength=self.plan.strength,
            group_order=self.group.order,
            generators=len(self.group.generators()),
            complete=self.group.complete,
            restricted_by=self.restricted.restricted_by,
            reason=self.plan.reason,
        )

    def explore(self, progress: Progress, deadline: Deadline) -> NetExploration:
        if self.request.engine == "reference":
            return self._by_reference(deadline)
        from burnside import _core

        request, properties = self.request, self.properties
        with self_checked(self.model.name, self._naming):
            return _core.explore(
                self.handle,
                self.group,
                method_of(self.plan),
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
                max_seconds=deadline.left,
                max_memory=request.limits.memory_bytes or default_memory(),
                stats=request.stats,
                self_check=request.self_check or "sample",
                progress=progress.update if progress.wanted else None,
            )

    def _naming(self) -> Naming:
        net = self.model.net
        names = {each.number: each.name for each in self.properties.checked}
        return Naming(
            net.places,
            lambda marking: {net.places[at]: str(tokens) for at, tokens in enumerate(marking) if tokens},
            net.transitions.__getitem__,
            names.__getitem__,
        )

    def _by_reference(self, deadline: Deadline) -> NetExploration:
        from burnside.reference import nets

        request, properties = self.request, self.properties
        return nets.explore(
            self.model.net,
            [] if self.plan.method == "none" else [each[:2] for each in self.group.generators()],
            order=request.order,
            deadlock=properties.checks("deadlock"),
            safe=properties.checks("safe"),
            invariants=[each.evaluate for each in properties.invariants],
            goals=[each.evaluate for each in properties.goals],
            keep_going=request.keep_going,
            max_states=request.limits.states,
            max_seconds=deadline.left,
            self_check=request.self_check or "sample",
            names={each.number: each.name for each in properties.checked},
        )

    def judge(self, exploration: NetExploration) -> tuple[PropertyResult, ...]:
        """Replay what was found, and say of each property what is known."""
        found = {number: claimed(steps) for number, steps in reversed(exploration.violations)}
        results = []
        for each in self.properties.checked:
            steps = found.get(each.number)
            trace = None if steps is None else replay(self.model.net, steps, each.violated_by)
            verdict = property_verdict(
                violated=trace is not None, stopped=exploration.stopped, strength=self.plan.strength
            )
            results.append(PropertyResult(each.name, each.kind, verdict, trace))
        return tuple(results)

    def facts(self, exploration: NetExploration) -> Facts:
        net = self.model.net
        # All states of an orbit are reachable only where the group fixes the initial one (Junttila 2003, 2.13).
        whole = self.group.fixes(net.initial)
        exhausted = exploration.stopped == "exhausted"
        return Facts(
            orbits_are_whole=whole,
            bounds=dict(zip(net.places, exploration.bounds, strict=True)) if whole else None,
            largest_total=exploration.largest_total,
            dead_actions=_dead(net, exploration) if whole and exhausted else None,
            coverage=self._coverage(exploration) if self.request.coverage else None,
            notes=tuple(_notes(exploration, whole=whole)),
        )

    def _coverage(self, exploration: NetExploration) -> Coverage:
        names = {each.number: each.name for each in self.properties.checked}
        violating = {names[number]: count for number, count in exploration.violating}
        transitions = self.model.net.transitions
        alone = [[number] for number in range(len(transitions))]
        orbits = alone if self.plan.method == "none" else self.group.transition_orbits()
        return net_coverage(transitions, exploration, orbits, violating)


def described(model: Model, request: Request) -> Symmetries:
    refuse_for_nets(request)
    properties = properties_of(model.net, request, deadlock_is_error=False)
    return net_symmetries(
        model.net,
        _scope(model.net, request),
        properties.expressions,
        model=model.name,
        language=model.language,
    )


def group_of(model: Model, request: Request) -> _core.Group:
    """The group alone."""
    return restricted_group(core_net(model.net), _scope(model.net, request), ()).group


def space_of(model: Model, request: Request, max_states: int) -> tuple[Names, StateGraph]:
    """The reachability graph, named; only its beginning where it is too large."""
    from burnside import _core
    from burnside.report.spaces import NetNames, StateGraph

    refuse_for_nets(request)
    net, handle = model.net, core_net(model.net)
    used = restricted_group(handle, _scope(net, request), ()).group
    plan = choose(request, _plan_facts(used))
    if plan.strength == "representative":
        raise RefusedError(Diagnostic("a drawing has one state for each orbit, or all", source="--reduce"))
    try:
        graph = _core.reachability_graph(handle, used, method_of(plan), max_states)
    except _core.TooLargeError as error:
        raise RefusedError(Diagnostic(str(error), source=model.name)) from None
    return NetNames(net), StateGraph(
        graph.markings,
        graph.orbit_sizes,
        graph.edges,
        deadlocks=frozenset(graph.deadlocks),
        redirected=graph.redirected,
        equivalent_initial=frozenset({0}) if any(graph.redirected_starts) else frozenset(),
        explored=graph.explored,
    )


def _scope(net: Net, request: Request) -> Scope:
    """Nothing is searched for where nothing would be used."""
    unused = request.reduce == "none" or request.symmetry == "declared"
    return Scope(fixed_markings(request.fixing, net), declared_only=unused)


def _plan_facts(group: _core.Group) -> PlanFacts:
    return PlanFacts(acting_order=group.acting_order)


def _dead(net: Net, exploration: NetExploration) -> tuple[str, ...]:
    return tuple(name for name, fired in zip(net.transitions, exploration.fired, strict=True) if not fired)


def _notes(exploration: NetExploration, *, whole: bool) -> Sequence[str]:
    notes = []
    if exploration.stopped == "overflow":
        notes.append("a place would hold more than 2^64 - 1 tokens: the net is most likely unbounded")
    if not whole:
        notes.append(
            "the group moves the initial marking: the number of full states, the bounds of single places "
            "and the dead transitions are not known"
        )
    return notes
