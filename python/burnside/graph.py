"""An explored graph as data, and what its states and labels are called. `report.spaces` draws it.

In: states and labels of a model. Out: a `StateGraph`, and `StateNames`, which kinds of models refine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from burnside.records import field, record
from burnside.semantics import Semantics
from burnside.words import wrapped


@record
class LabelSequence:
    """What an edge is called that goes through transient states, which are not drawn."""

    labels: tuple[Any, ...]


def edge_label(labels: Sequence[Any]) -> Any:
    """The label of an edge, or several."""
    return labels[0] if len(labels) == 1 else LabelSequence(tuple(labels))


@record
class StateGraph:
    """A (reduced) reachability graph; states have numbers, an edge is (from, label, to)."""

    states: Sequence[Any]
    orbit_sizes: Sequence[int]
    edges: Sequence[tuple[int, Any, int]]
    initial: frozenset[int] = frozenset({0})
    deadlocks: frozenset[int] = frozenset()
    redirected: Sequence[bool] = ()
    """By edge: does it lead to a state that is only equivalent to the one drawn?"""
    equivalent_initial: frozenset[int] = frozenset()
    """Of the initial states, those that are only equivalent to an initial state."""
    starts: Sequence[tuple[Any, int]] = ()
    """(label, state) where making an initial state is a step: the graph then has a root."""
    redirected_starts: Sequence[bool] = ()
    """By start, as `redirected`."""
    failures: Sequence[tuple[int, Any]] = ()
    """(from, label): steps that fail."""
    violated: Mapping[int, Sequence[str]] = field(default={})
    """By state: the properties it violates."""
    reached: Mapping[int, Sequence[str]] = field(default={})
    """By state: the goals it satisfies."""
    explored: int | None = None
    """How many states, the first ones, have all their successors here; None: all."""

    @property
    def reduced(self) -> bool:
        return any(size != 1 for size in self.orbit_sizes)

    @property
    def complete(self) -> bool:
        return self.explored is None or self.explored == len(self.states)

    def is_open(self, number: int) -> bool:
        return self.explored is not None and number >= self.explored

    def flagged_edges(self) -> Iterator[tuple[tuple[int, Any, int], bool]]:
        """Edges, each with whether it leads to a state that is only equivalent to its target."""
        return zip(self.edges, self.redirected or [False] * len(self.edges), strict=True)

    def flagged_starts(self) -> Iterator[tuple[tuple[Any, int], bool]]:
        return zip(self.starts, self.redirected_starts or [False] * len(self.starts), strict=True)


def only_equivalent(starts: Sequence[tuple[Any, int]], redirected: Sequence[bool]) -> frozenset[int]:
    """The states that stand for initial ones and that no start (label, state) leads to itself."""
    exact = {state for (_, state), elsewhere in zip(starts, redirected, strict=True) if not elsewhere}
    return frozenset(state for _, state in starts if state not in exact)


class StateNames:
    """What drawings call states and labels. `common`: words that all of several drawn states share, which are said once."""

    noun = "state"

    def __init__(self, semantics: Semantics[Any, Any, Any], states: Iterable[Any] = ()) -> None:
        self.semantics = semantics
        words = [frozenset(self.words(state)) for state in states]
        self.common: frozenset[str] = frozenset.intersection(*words) if len(words) > 1 else frozenset()

    @property
    def name(self) -> str:
        return self.semantics.name

    @property
    def note(self) -> str:
        """What else the caption says, if anything."""
        return f"the same in all boxes: {', '.join(sorted(self.common))}" if self.common else ""

    def words(self, state: Any) -> Sequence[str]:
        return [f"{name}={value}" for name, value in self.semantics.show_state(state).items()]

    def own_words(self, state: Any) -> list[str]:
        return [word for word in self.words(state) if word not in self.common]

    def lines(self, state: Any) -> Sequence[str]:
        return list(wrapped(self.own_words(state) or ["as said below"]))

    def record(self, state: Any) -> Mapping[str, object]:
        return self.semantics.show_state(state)

    def action(self, label: Any) -> str:
        if isinstance(label, LabelSequence):
            return "; ".join(map(self.action, label.labels))
        return self.semantics.show_label(label)

    def operation(self, label: Any) -> str:
        """What the label is an instance of; of several, the first one."""
        label = label.labels[0] if isinstance(label, LabelSequence) else label
        number = self.semantics.action(label)
        return self.action(label) if number is None else self.semantics.actions[number]
