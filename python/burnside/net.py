"""Place/transition nets: what every net language is read into, and all that symmetry and the core see of it.

A `Net` is plain frozen data: names, an initial marking, and for each transition what it consumes and produces.
Places and transitions are numbers 0, 1, ... everywhere behind the readers; names come back only in reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from burnside.records import field, record

MAX_TOKENS = 2**64 - 1
"""Token counts and weights are 64-bit; readers refuse more, the explorer stops with `overflow`."""

Arcs = tuple[tuple[int, int], ...]
"""(place, weight) pairs, sorted by place, weights at least 1."""


@record
class Net:
    """N = (P, T, F, W, M0), Junttila 2003, 3.1."""

    name: str
    places: tuple[str, ...]
    initial: tuple[int, ...]
    transitions: tuple[str, ...]
    consumes: tuple[Arcs, ...] = field(repr=False)
    produces: tuple[Arcs, ...] = field(repr=False)
    aliases: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Further names of places that expressions may use (the ids of PNML, where names are shown)."""
    place_ids: tuple[str, ...] = field(default=(), repr=False, compare=False)
    transition_ids: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """What the file calls places and transitions (PNML), and other files that belong to it; empty where it has no ids."""

    @cached_property
    def place_numbers(self) -> Mapping[str, int]:
        return {**self.aliases, **{name: number for number, name in enumerate(self.places)}}

    @cached_property
    def transition_numbers(self) -> Mapping[str, int]:
        """By name; by id where no other transition has that name."""
        by_id = {name: number for number, name in enumerate(self.transition_ids)}
        return {**by_id, **{name: number for number, name in enumerate(self.transitions)}}

    @property
    def arcs(self) -> int:
        return sum(map(len, self.consumes)) + sum(map(len, self.produces))

    def is_enabled(self, marking: Sequence[int], transition: int) -> bool:
        return all(marking[place] >= weight for place, weight in self.consumes[transition])

    def enabled(self, marking: Sequence[int]) -> list[int]:
        return [t for t in range(len(self.transitions)) if self.is_enabled(marking, t)]

    def fire(self, marking: Sequence[int], transition: int) -> tuple[int, ...]:
        """The marking after firing an enabled transition."""
        after = list(marking)
        for place, weight in self.consumes[transition]:
            after[place] -= weight
        for place, weight in self.produces[transition]:
            after[place] += weight
        return tuple(after)
