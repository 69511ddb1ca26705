"""How every kind of model calls the core: settings of a run, methods, and the core's answers as an `Exploration`.

In: a `Plan`, a `Request`, what the core returns in numbers. Out: the same in labels and states of the model; contradictions
that the core's self-check found, in the user's names.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from burnside.contradiction import Contradiction, labels_differ, property_differs, steps_differ
from burnside.diagnostics import Diagnostic, RefusedError
from burnside.exploration import ClaimedTrace, Exploration
from burnside.outcome import Change
from burnside.plan import DEFAULT_ALPHA, Plan

if TYPE_CHECKING:
    from burnside import _core
    from burnside.graph import StateGraph
    from burnside.limits import Deadline
    from burnside.progress import Progress
    from burnside.request import Request
    from burnside.semantics import CheckedProperty, CutName, Semantics


class Compiled(Protocol):
    """A model as the core holds it, and what the core's numbers mean. What has a body here is the same for all kinds."""

    handle: _core.Subject
    group: _core.Group | _core.ElementGroup
    properties: Mapping[int, CheckedProperty]
    starts_are_steps: bool = False
    """Are starts drawn as steps from a root?"""

    def label(self, number: int) -> Any: ...
    def state(self, values: Sequence[int]) -> Any: ...

    def instance_image(
        self, semantics: Semantics[Any, Any, Any], element: Sequence[int], instance: Any
    ) -> Any:
        """What an element of the group makes of an instance of an action."""
        return semantics.permute_instance(self.generator(element), instance)

    def start_label(self, number: int) -> Any:
        """The label of a start."""
        return self.label(number)

    def generator(self, images: Sequence[int]) -> Any: ...

    def cut_names(self) -> Sequence[CutName]:
        """After a run: names of which not all values were tried, because nothing bounds them."""
        return ()

    def method(self, plan: Plan) -> _core.Method:
        return method_of(plan)

    def explore(self, plan: Plan, settings: _core.Settings, progress: Progress) -> Exploration:
        from burnside import _core

        watch = progress.update if progress.wanted else None
        return self.answer(_core.explore(self.handle, self.group, self.method(plan), settings, watch))

    def answer(self, found: _core.Exploration) -> Exploration:
        """What the core found, in labels and states of the model."""
        return exploration_of(found, claims_of(self, found.violations))

    def graph(self, plan: Plan, max_states: int) -> StateGraph:
        """Only its beginning, where it is too large."""
        from burnside import _core

        return drawn_graph(_core.state_graph(self.handle, self.group, self.method(plan), max_states), self)


def settings_of(
    request: Request, deadline: Deadline, *, deadlock: bool, gives_up: bool = False
) -> _core.Settings:
    """`gives_up`: see `Plan`."""
    from burnside import _core

    return _core.Settings(
        order=request.order,
        alpha=DEFAULT_ALPHA if request.alpha is None else request.alpha,
        seed=request.seed or 0,
        threads=request.threads or 1,
        deadlock=deadlock,
        keep_going=request.keep_going,
        max_states=request.limits.states,
        max_seconds=deadline.left,
        max_memory=request.limits.memory_bytes or default_memory(),
        stats=request.stats,
        self_check=request.self_check or "sample",
        gives_up=gives_up,
    )


def default_memory() -> int | None:
    """Three quarters of the machine's memory: an endless model ends with an answer before the machine does."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (ValueError, OSError):
        return None


def method_of(plan: Plan) -> _core.Method:
    from burnside import _core

    return _core.Method(plan.method, plan.guide, plan.selector, plan.budget, plan.prune, rounds=plan.rounds)


def exploration_of(found: _core.Exploration, claims: Mapping[int, ClaimedTrace], **more: Any) -> Exploration:
    """The core's answer; `more` replaces or adds fields."""
    counts = {
        "stopped": found.stopped,
        "states": found.states,
        "transitions": found.transitions,
        "initial_states": found.initial_states,
        "deadlocks": found.deadlocks,
        "depth": found.depth,
        "full_states": found.full_states,
        "expanded": found.expanded,
        "seconds": found.seconds,
        "violating": dict(found.violating),
        "covered": frozenset(found.covered),
        "firings": found.firings,
        "self_checked": found.self_checked,
        "self_check_generators": found.self_check_generators,
        "change": None if found.change is None else _change(*found.change),
        "unlifted": frozenset(found.unlifted),
        "core": found,
    }
    return Exploration(claims=claims, **{**counts, **more})


def _change(after_states: int, seconds: float, restarted: bool, factor: float, orbit: float | None) -> Change:
    reason = "no state was finished" if orbit is None else _price(factor, orbit)
    return Change(after_states, seconds, "none", restarted, reason)


def _price(factor: float, orbit: float) -> str:
    times = f"{factor:,.1f} times as long as" if factor < 1e4 else "far longer than"
    members = f"{orbit:,.1f}" if orbit < 1e6 else f"{orbit:.0e}"
    return f"symmetry took {times} all the rest, and orbits have {members} members"


def claims_of(
    compiled: Compiled, found: Iterable[tuple[int, Sequence[tuple[Any, Sequence[int]]], int | None]]
) -> dict[int, ClaimedTrace]:
    """The core's violations; of each property the first."""
    claims: dict[int, ClaimedTrace] = {}
    for number, steps, failing in found:
        if number not in claims:
            shown = shown_steps(compiled, steps)
            claims[number] = ClaimedTrace(shown, None if failing is None else compiled.label(failing))
    return claims


def shown_steps(compiled: Compiled, steps: Sequence[tuple[int, Sequence[int]]]) -> list[tuple[Any, Any]]:
    """Steps from a start on, in labels and states of the model."""
    starts = [(compiled.start_label(label), compiled.state(state)) for label, state in steps[:1]]
    return starts + [(compiled.label(label), compiled.state(state)) for label, state in steps[1:]]


def drawn_graph(graph: _core.StateGraph, compiled: Compiled) -> StateGraph:
    """The core's graph, in labels and states of the model."""
    from burnside.graph import StateGraph, edge_label, only_equivalent

    violated: dict[int, list[str]] = defaultdict(list)
    reached: dict[int, list[str]] = defaultdict(list)
    for state, number in graph.judged:
        each = compiled.properties[number]
        if each.kind not in ("error", "cover"):
            (reached if each.kind == "goal" else violated)[state].append(each.name)
    rooted = compiled.starts_are_steps
    sequences = dict(graph.sequences)
    return StateGraph(
        [compiled.state(state) for state in graph.states],
        graph.orbit_sizes,
        [
            (source, edge_label([compiled.label(each) for each in sequences.get(at, [label])]), target)
            for at, (source, label, target) in enumerate(graph.edges)
        ],
        initial=frozenset(range(graph.initial)),
        deadlocks=frozenset(graph.deadlocks),
        redirected=graph.redirected,
        equivalent_initial=only_equivalent(graph.starts, graph.redirected_starts),
        starts=[(compiled.label(label), state) for label, state in graph.starts] if rooted else (),
        redirected_starts=graph.redirected_starts if rooted else (),
        failures=[(state, compiled.label(label)) for state, label in graph.failures],
        violated=violated,
        reached=reached,
        explored=graph.explored,
    )


@contextmanager
def method_refusals() -> Iterator[None]:
    """The core says in words why a method does not fit a group."""
    from burnside import _core

    try:
        yield
    except _core.MethodError as error:
        raise RefusedError(Diagnostic(str(error), source="--reduce")) from None


class self_checked:
    """Inside, a failed self-check of the core becomes a `ContradictionError`."""

    def __init__(
        self, source: str, compiled: Compiled, semantics: Callable[[], Semantics[Any, Any, Any]]
    ) -> None:
        self.source, self.compiled, self.semantics = source, compiled, semantics

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        from burnside import _core

        if isinstance(error, _core.SelfCheckError):
            found: _core.Contradiction = error.args[0]
            raise _named(found, self.compiled, self.semantics()).error(self.source) from None


def _named(
    found: _core.Contradiction, compiled: Compiled, semantics: Semantics[Any, Any, Any]
) -> Contradiction:
    return Contradiction(
        generator=semantics.show_generator(compiled.generator(found.generator)),
        state=semantics.show_state(compiled.state(found.state)),
        image=semantics.show_state(compiled.state(found.image)),
        difference=_difference(found, compiled, semantics),
    )


def _difference(found: _core.Contradiction, compiled: Compiled, semantics: Semantics[Any, Any, Any]) -> str:
    violated = None
    if found.property is not None:
        violated = semantics.properties[found.property].name
    actions = [semantics.show_label(compiled.label(label)) for label in found.labels]
    if found.effect is not None:
        return steps_differ(actions[0], found.effect, violated, found.enabled, in_state=found.in_state)
    if violated is None:
        return labels_differ(*actions)
    what = "covered" if found.what == "cover" else "violated or reached"
    return property_differs(violated, what, in_state=found.in_state)
