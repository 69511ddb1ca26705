"""Orbits of states, written out in full.

In: the semantics of a model and generators of a group of its symmetries. Out: for each state the one that stands for its
orbit (the smallest), and the members of the orbit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from burnside.diagnostics import RefusedError, contradiction
from burnside.semantics import Generator, Judgement, Label, Semantics, State

ORBIT_LIMIT = 1_000_000


def orbit(
    semantics: Semantics[State, Label, Generator],
    generators: Sequence[Generator],
    state: State,
    limit: int = ORBIT_LIMIT,
) -> set[State]:
    """All images of a state. Generators are enough: in a finite group inverses are powers."""
    found, waiting = {state}, [state]
    while waiting:
        current = waiting.pop()
        new = {semantics.permute(generator, current) for generator in generators} - found
        found |= new
        waiting += new
        if len(found) > limit:
            raise RefusedError(f"an orbit has more than {limit:,} states: too many for the reference engine")
    return found


class Orbits(Generic[State, Label, Generator]):
    """All orbits seen so far. Nothing is believed of generators that can be certified."""

    def __init__(
        self, semantics: Semantics[State, Label, Generator], generators: Sequence[Generator]
    ) -> None:
        for generator in generators:
            if reason := semantics.certify(generator):
                raise contradiction(f"a generator is no symmetry of the model: {reason}")
        self.semantics, self.generators = semantics, generators
        self.smallest: dict[State, State] = {}
        self.members: dict[State, set[State]] = {}

    def canonical(self, state: State) -> State:
        """The state that stands for the orbit."""
        if state not in self.smallest:
            members = orbit(self.semantics, self.generators, state)
            smallest = min(members, key=self.semantics.order)
            self.members[smallest] = members
            self.smallest.update(dict.fromkeys(members, smallest))
        return self.smallest[state]

    def judgement(self, canonical: State) -> Judgement:
        """Of an orbit; where its members differ the reduction would be wrong: a contradiction."""
        found = self.semantics.judge(canonical)
        for member in self.members[canonical]:
            if member != canonical and self.semantics.judge(member).verdict != found.verdict:
                raise contradiction("a property distinguishes equivalent states")
        return found
