"""The group of a program's elements, as the core and people see it.

In: a `ProgramSymmetry`, whose generators are certified. Out: the core's group, the reference engine's generators, `Symmetries`.
"""

from __future__ import annotations

from collections import defaultdict
from math import factorial, prod
from typing import TYPE_CHECKING

from burnside.ir.program import Program
from burnside.symmetry import Generator, Orbits, Symmetries
from burnside.symmetry.programs import ProgramSymmetry
from burnside.symmetry.structure import structure_name

if TYPE_CHECKING:
    from burnside import _core


def element_group(symmetry: ProgramSymmetry) -> _core.ElementGroup:
    from burnside import _core

    points = _points(symmetry.program)
    generators = [list(each.permutation) for each in symmetry.generators]
    kept = _kept(symmetry)
    group = _core.ElementGroup(points, generators, kept)
    # nauty may be asked where the group is everything that its orbits (and what it keeps) allow.
    everything = prod(factorial(len(orbit)) for orbit in _orbits(symmetry))
    return _core.ElementGroup(points, generators, kept, whole=not kept and group.order == everything)


def _points(program: Program) -> int:
    return sum(sort.size for sort in program.sorts)


def _kept(symmetry: ProgramSymmetry) -> list[tuple[int, int]]:
    """Neighbours in sorts that are only rotated: refinement goes along them."""
    kept: list[tuple[int, int]] = []
    first = 0
    for sort in symmetry.program.sorts:
        ring = {(first + at, first + (at + 1) % sort.size) for at in range(sort.size)}
        moves = [g.permutation for g in symmetry.generators if any(g.permutation[a] != a for a, _ in ring)]
        if sort.size > 2 and moves and all({(g[a], g[b]) for a, b in ring} == ring for g in moves):
            kept += sorted(ring)
        first += sort.size
    return kept


def _orbits(symmetry: ProgramSymmetry) -> list[list[int]]:
    leader = list(range(_points(symmetry.program)))

    def find(point: int) -> int:
        while leader[point] != point:
            point = leader[point]
        return point

    for generator in symmetry.generators:
        for point, image in enumerate(generator.permutation):
            a, b = find(point), find(image)
            leader[max(a, b)] = min(a, b)
    orbits: dict[int, list[int]] = defaultdict(list)
    for point in range(len(leader)):
        orbits[find(point)].append(point)
    return list(orbits.values())


def by_sort(symmetry: ProgramSymmetry) -> list[dict[str, tuple[int, ...]]]:
    """The generators as the reference engine takes them: by sort, the images of positions."""
    generators = []
    for each in symmetry.generators:
        images, first = {}, 0
        for sort in symmetry.program.sorts:
            part = each.permutation[first : first + sort.size]
            images[sort.name] = tuple(image - first for image in part)
            first += sort.size
        generators.append(images)
    return generators


def describe(symmetry: ProgramSymmetry, *, model: str, language: str) -> Symmetries:
    group = element_group(symmetry)
    names = [element for sort in symmetry.program.sorts for element in sort.elements]
    orbits: Orbits = tuple(tuple(names[point] for point in orbit) for orbit in _orbits(symmetry))
    return Symmetries(
        model=model,
        language=language,
        order=group.order,
        structure=structure_name([list(each.permutation) for each in symmetry.generators]),
        complete=symmetry.complete,
        generators=tuple(Generator(each.cycles, each.source) for each in symmetry.generators),
        orbits=orbits,
        transition_orbits=(),
        base=tuple(names[point] for point in group.base()),
        transversal_sizes=tuple(group.transversal_sizes()),
        refused=symmetry.refused,
        group=group,
    )
