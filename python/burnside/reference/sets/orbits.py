"""Orbits of states of machines, written out in full.

In: generators, each a permutation of the elements of some sorts. Out: for each state the one that stands for its orbit (the
smallest), and the size of the orbit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations as arrangements
from itertools import product

from burnside.diagnostics import RefusedError
from burnside.ir.sets.machine import Machine
from burnside.reference.orbits import ORBIT_LIMIT
from burnside.reference.sets.values import Generator, State, permuted_state, state_order


def permutations(machine: Machine) -> list[Generator]:
    """All permutations of the sorts that promise all of them."""
    full = [sort for sort in machine.sorts if sort.symmetry == "full"]
    choices = product(*(arrangements(range(sort.size)) for sort in full))
    return [dict(zip((sort.name for sort in full), chosen, strict=True)) for chosen in choices]


def generators(machine: Machine) -> list[Generator]:
    """Of the same group: neighbours are exchanged."""
    found: list[Generator] = []
    for sort in machine.sorts:
        if sort.symmetry == "full":
            for i in range(sort.size - 1):
                images = list(range(sort.size))
                images[i], images[i + 1] = i + 1, i
                found.append({sort.name: images})
    return found


def orbit(generators: Sequence[Generator], state: State) -> set[State]:
    """All images of a state. Generators are enough: in a finite group inverses are powers."""
    found, waiting = {state}, [state]
    while waiting:
        current = waiting.pop()
        new = {permuted_state(current, generator) for generator in generators} - found
        found |= new
        waiting += new
        if len(found) > ORBIT_LIMIT:
            raise RefusedError(
                f"an orbit has more than {ORBIT_LIMIT:,} states: too many for the reference engine"
            )
    return found


def orbit_count(machine: Machine, states: Iterable[State]) -> int:
    """How many orbits a set of states has under all permutations of the full sorts."""
    orbits = Orbits(generators(machine))
    return len({orbits.canonical(state) for state in states})


class Orbits:
    """Remembers every orbit met: which state stands for it, and its members."""

    def __init__(self, generators: Sequence[Generator]) -> None:
        self.generators = generators
        self.smallest: dict[State, State] = {}
        self.members: dict[State, set[State]] = {}

    def canonical(self, state: State) -> State:
        if not self.generators:
            return state
        if state not in self.smallest:
            members = orbit(self.generators, state)
            smallest = min(members, key=state_order)
            self.members[smallest] = members
            self.smallest.update(dict.fromkeys(members, smallest))
        return self.smallest[state]

    def size(self, canonical: State) -> int:
        return len(self.members[canonical]) if self.generators else 1
