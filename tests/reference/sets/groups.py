"""Groups of machines by definition: all permutations of the sorts that promise them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations as arrangements
from itertools import product

from burnside.ir.sets.machine import Machine
from burnside.kinds.machine.semantics import MachineSemantics
from burnside.reference.orbits import Orbits
from burnside.reference.sets.values import Generator, State


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


def orbit_count(machine: Machine, states: Iterable[State]) -> int:
    """How many orbits a set of states has under all permutations of the full sorts."""
    orbits = Orbits(MachineSemantics(machine), generators(machine))
    return len({orbits.canonical(state) for state in states})
