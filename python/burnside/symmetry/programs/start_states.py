"""Are the start states of a program whole orbits? Found out by making them, where there are not too many.

Where they are, every member of a reachable orbit is reachable (Junttila 2003, Thm 2.13): the orbit sizes add up to the
number of states of the unreduced program.
"""

from __future__ import annotations

from burnside.reference.steps import labels_of, start_steps
from burnside.reference.values import permuted, width
from burnside.symmetry.elements import by_sort
from burnside.symmetry.programs import ProgramSymmetry

MAX_CELLS = 200_000
"""Of all start states together."""


def starts_are_whole(symmetry: ProgramSymmetry) -> bool:
    """False where it is not so, or not known."""
    program = symmetry.program
    cells = sum(width(each.type) for each in program.variables)
    if labels_of(program, starts=True) * max(1, cells) > MAX_CELLS:
        return False
    found = {step.result for step in start_steps(program) if isinstance(step.result, tuple)}
    return all(
        permuted(program, generator, state) in found for generator in by_sort(symmetry) for state in found
    )
