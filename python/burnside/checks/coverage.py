"""What a run has covered: states explored and open, states that violate, how often each action was enabled.

In: an exploration by either engine, in numbers. Out: `Coverage`, by name. Everything is counted on the stored states, of
which there is one for each orbit where the reduction is canonical. There, which of several actions that symmetries
exchange is seen is chance, so these are counted together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside.ir.sets.machine import INITIALISATION, SETUP
from burnside.outcome import ActionCoverage, Coverage
from burnside.reference.orbits import point_orbits

if TYPE_CHECKING:
    from burnside.ir.program import Program
    from burnside.ir.sets.machine import Machine


def machine_coverage(
    machine: Machine, exploration: Any, images: Sequence[Sequence[int]], violating: Mapping[str, int]
) -> Coverage:
    """With set-ups and initialisations among the operations, as in ProB: the numbers add up to the transitions."""
    operations = machine.operations
    firings = list(exploration.firings)
    later = exploration.transitions - exploration.initial_states - sum(firings)
    first = [(SETUP, exploration.initial_states), (INITIALISATION, later)]
    if not machine.has_setup:
        first = [(INITIALISATION, exploration.initial_states)]
    orbits = [[number] for number in range(len(first))]
    for orbit in point_orbits(images, len(operations)):
        orbits.append([len(first) + number for number in orbit])
    names = [*(name for name, _ in first), *(each.name for each in operations)]
    return _coverage(names, [*(times for _, times in first), *firings], orbits, exploration, violating)


def program_coverage(
    program: Program, exploration: Any, images: Sequence[Sequence[int]], violating: Mapping[str, int]
) -> Coverage:
    names = [each.name for each in program.actions]
    return _coverage(names, exploration.firings, point_orbits(images, len(names)), exploration, violating)


def net_coverage(
    names: Sequence[str], exploration: Any, orbits: Sequence[Sequence[int]], violating: Mapping[str, int]
) -> Coverage:
    return _coverage(names, exploration.firings, orbits, exploration, violating)


def _coverage(
    names: Sequence[str],
    firings: Sequence[int],
    orbits: Sequence[Sequence[int]],
    exploration: Any,
    violating: Mapping[str, int],
) -> Coverage:
    """By action, in the order of the model."""
    found: dict[int, ActionCoverage] = {}
    for orbit in orbits:
        times, members = sum(firings[each] for each in orbit), [names[each] for each in orbit]
        for at, number in enumerate(orbit):
            others = (*members[:at], *members[at + 1 :])
            found[number] = ActionCoverage(names[number], times, others)
    actions = tuple(found[number] for number in range(len(names)))
    return Coverage(explored=exploration.expanded, violating=violating, actions=actions)
