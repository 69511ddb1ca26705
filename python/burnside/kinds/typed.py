"""What programs and machines have in common: groups that rename elements of sorts, and the core's graphs of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from burnside.diagnostics import Diagnostic, UsageError
from burnside.engine import Compiled
from burnside.kinds import GroupFacts
from burnside.model import Model
from burnside.outcome import Dropped
from burnside.request import Request
from burnside.semantics import Property
from burnside.symmetry.elements import ElementSymmetry

if TYPE_CHECKING:
    from burnside import _core
    from burnside.graph import StateGraph

SEARCH_ENDED = (
    "the time for finding symmetries was over; the run went on with those that were certified until then"
)


class Restricted(ElementSymmetry, Protocol):
    @property
    def restricted_by(self) -> tuple[str, ...]: ...


def group_facts(symmetry: Restricted, group: _core.ElementGroup) -> GroupFacts:
    return GroupFacts(
        order=group.order,
        acting_order=group.order,
        generators=len(symmetry.generators),
        complete=symmetry.complete,
        restricted_by=symmetry.restricted_by,
        dropped=tuple(Dropped(each.what, each.reason, each.line, each.column) for each in symmetry.refused),
    )


def action_orbits(symmetry: ElementSymmetry, actions: int) -> Sequence[Sequence[int]]:
    from burnside.reference.permutations import point_orbits

    return point_orbits([each.actions for each in symmetry.generators], actions)


def asked_conditions(model: Model, request: Request) -> list[tuple[str, str, Any]]:
    """The invariants and goals of a request: kind, text, and what the model's language makes of the text."""
    asked = [("invariant", "--invariant", text) for text in request.invariants]
    asked += [("goal", "--find", text) for text in request.goals]
    if not asked:
        return []
    if model.condition is None:
        what = type(model.subject).__name__.lower()
        raise UsageError(Diagnostic(f"a {what} that was built has no language to read conditions in"))
    return [(kind, text, model.condition(text, option)) for kind, option, text in asked]


def drawn_graph(
    graph: _core.StateGraph, compiled: Compiled, properties: Mapping[int, Property], *, rooted: bool
) -> StateGraph:
    """The core's graph; `rooted`: starts are steps from a root."""
    from burnside.graph import StateGraph, only_equivalent

    violated: dict[int, list[str]] = defaultdict(list)
    reached: dict[int, list[str]] = defaultdict(list)
    for state, number in graph.judged:
        each = properties[number]
        if each.kind not in ("error", "cover"):
            (reached if each.kind == "goal" else violated)[state].append(each.name)
    return StateGraph(
        [compiled.state(state) for state in graph.states],
        graph.orbit_sizes,
        [(source, compiled.label(label), target) for source, label, target in graph.edges],
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
