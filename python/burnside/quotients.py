"""The quotient of a model as an object: a Kripke structure with one state for each orbit.

In: an explored graph, what its states are called, the group. Out: a `Quotient`. A state is an orbit, shown as the member
that was stored; it stands for `orbit_size` states, and `stabiliser_order` elements of the group fix it, so that the product
of the two is the order of the group. An edge says what that member can do and to which orbit this leads. Propositions are
kept by the group, so they hold in all members of an orbit or in none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from burnside.outcome import readable
from burnside.records import field, record

if TYPE_CHECKING:
    from burnside.graph import StateGraph, StateNames
    from burnside.symmetry import Symmetries


@record
class QuotientState:
    """An orbit. `values`: of the member that was stored, by name; of a net, the marked places. `explored`: are its edges
    known? `satisfies`: propositions and goals."""

    number: int
    values: Mapping[str, object]
    orbit_size: int
    stabiliser_order: int
    initial: bool
    deadlock: bool
    explored: bool
    violates: tuple[str, ...]
    satisfies: tuple[str, ...]

    @property
    def is_fixed(self) -> bool:
        """Is it an orbit of one state, which no symmetry moves?"""
        return self.orbit_size == 1


@record
class QuotientEdge:
    """`equivalent`: does the action lead to another member of the orbit than the one that was stored?"""

    source: int
    action: str
    target: int
    equivalent: bool


@record
class QuotientStart:
    """The step that makes an initial state, where that is a step."""

    action: str
    target: int
    equivalent: bool


@record(kw_only=True, eq=False)
class Quotient:
    """`full_states`: of the unreduced model; None where only a part was explored, or where orbits may hold states that
    cannot be reached."""

    model: str
    language: str
    group_order: int
    propositions: tuple[str, ...] = ()
    full_states: int | None = None
    names: StateNames = field(repr=False)
    graph: StateGraph = field(repr=False)
    describe: Callable[[], Symmetries | None] = field(repr=False)

    @cached_property
    def symmetries(self) -> Symmetries | None:
        """The group; None where this kind of model has no description of it."""
        return self.describe()

    @cached_property
    def states(self) -> tuple[QuotientState, ...]:
        graph = self.graph
        return tuple(
            QuotientState(
                number=number,
                values=self.names.record(state),
                orbit_size=graph.orbit_sizes[number],
                stabiliser_order=self.group_order // graph.orbit_sizes[number],
                initial=number in graph.initial,
                deadlock=number in graph.deadlocks,
                explored=not graph.is_open(number),
                violates=tuple(graph.violated.get(number, ())),
                satisfies=tuple(graph.reached.get(number, ())),
            )
            for number, state in enumerate(graph.states)
        )

    @cached_property
    def edges(self) -> tuple[QuotientEdge, ...]:
        return tuple(
            QuotientEdge(source, self.names.action(label), target, equivalent)
            for (source, label, target), equivalent in self.graph.flagged_edges()
        )

    @cached_property
    def starts(self) -> tuple[QuotientStart, ...]:
        return tuple(
            QuotientStart(self.names.action(label), target, equivalent)
            for (label, target), equivalent in self.graph.flagged_starts()
        )

    @cached_property
    def failures(self) -> tuple[tuple[int, str], ...]:
        """Steps that fail: a state, and what was tried."""
        return tuple((state, self.names.action(label)) for state, label in self.graph.failures)

    @property
    def fixed_points(self) -> tuple[QuotientState, ...]:
        """The states that every element of the group fixes."""
        return tuple(state for state in self.states if state.is_fixed)

    def __len__(self) -> int:
        return len(self.graph.states)

    def __repr__(self) -> str:
        full = "" if self.full_states is None else f" of {readable(self.full_states, '')} states"
        orbits = f"{len(self)} orbit{'' if len(self) == 1 else 's'}{full}"
        edges = len(self.graph.edges)
        order = readable(self.group_order, "")
        return f"Quotient({self.model!r}: {orbits}, {edges} edge{'' if edges == 1 else 's'}, group of order {order})"
