"""The group on the elements of sorts, for the core and for reports.

In: what is known of the symmetries of a program or a machine, with certified generators. Out: the core's group, the
reference engine's generators, `Symmetries`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import factorial, prod
from typing import TYPE_CHECKING, Protocol

from burnside.ir.types import Sort
from burnside.records import record
from burnside.symmetry import Generator, Orbits, Refusal, Symmetries
from burnside.symmetry.group import SymmetryGroup
from burnside.symmetry.points import Images, identity
from burnside.symmetry.relations import MAX_POINTS, is_product_of_symmetric_groups, kept_relations
from burnside.symmetry.structure import UnionFind, structure_name

if TYPE_CHECKING:
    from burnside import _core


@record
class CertifiedGenerator:
    """A certified permutation of points, in cycle notation too, and its source. `actions`: the image of each action (or
    operation), by number; what is known of one action (that it never happens) holds of its images too."""

    permutation: Images
    cycles: str
    source: str
    actions: Images

    def keeps_arguments(self, action: int) -> bool:
        """Is the image of an instance of the action one with the permuted arguments, in the same places?"""
        return True

    def keeps(self, action: int) -> bool:
        """Is the image of an instance of the action the same action with the permuted arguments?"""
        return self.actions[action] == action and self.keeps_arguments(action)


class ElementSymmetry(Protocol):
    """What is known of a program's or a machine's symmetries."""

    @property
    def sorts(self) -> tuple[Sort, ...]: ...
    @property
    def generators(self) -> Sequence[CertifiedGenerator]: ...
    @property
    def refused(self) -> tuple[Refusal, ...]: ...
    @property
    def complete(self) -> bool: ...
    @property
    def order(self) -> int | None:
        """Of the group, where it is known."""
        ...

    @property
    def point_names(self) -> tuple[str, ...]: ...
    @property
    def telling(self) -> Sequence[int]:
        """Points that tell states apart."""
        ...


def element_group(symmetry: ElementSymmetry) -> _core.ElementGroup:
    """The core's group. Where the generators show that it is everything that its orbits allow, that is passed on: the core
    need not find out, and can use nauty for labellings."""
    from burnside import _core

    points = sum(sort.size for sort in symmetry.sorts)
    if not symmetry.generators:
        return _core.ElementGroup(points, [], whole=True, order=1, telling=symmetry.telling)
    orbits = [orbit for orbit in _orbits(symmetry) if len(orbit) > 1]
    exchanged = sorted(
        {at for each in symmetry.generators for at in range(len(each.actions)) if not each.keeps(at)}
    )
    order = symmetry.order
    generators = [list(each.permutation) for each in symmetry.generators]
    is_full = all(_is_everything(symmetry, orbit) for orbit in orbits)
    if not is_full and points <= MAX_POINTS:
        order = _core.ElementGroup(points, generators).order if order is None else order
        is_full = is_product_of_symmetric_groups(orbits, order)
    if is_full:
        exchanges = [_exchange(points, *pair) for orbit in orbits for pair in pairwise(orbit)]
        order = prod(factorial(len(orbit)) for orbit in orbits)
        return _core.ElementGroup(points, exchanges, whole=True, order=order, exchanged=exchanged)
    kept = _kept(symmetry)
    rings = {point for pair in kept for point in pair}
    whole = all(_is_everything(symmetry, orbit) or _is_ring(symmetry, orbit, rings) for orbit in orbits)
    if not whole and order is not None:
        kept, whole = kept_relations(points, generators, orbits, order, kept)
    return _core.ElementGroup(
        points,
        generators,
        kept,
        whole=whole,
        order=order,
        exchanged=exchanged,
        telling=symmetry.telling,
    )


def _is_ring(symmetry: ElementSymmetry, orbit: list[int], rings: set[int]) -> bool:
    """Are all rotations of the orbit, alone, in the group, and nothing else of it?"""
    return set(orbit) <= rings and any(
        _moved(each.permutation) == len(orbit) == _cycle_length(each.permutation, orbit[0])
        for each in symmetry.generators
    )


def _is_everything(symmetry: ElementSymmetry, orbit: list[int]) -> bool:
    """Are all permutations of the orbit, alone, in the group? They are if all its transpositions are; with (a b) and (b c)
    also (a c) is in the group, and with (a b) and g also (g(a) g(b))."""
    alike = UnionFind(len(identity(symmetry)))
    others = []
    for each in symmetry.generators:
        moved = [point for point in orbit if each.permutation[point] != point]
        if len(moved) == 2 and _moved(each.permutation) == 2:
            alike.join(*moved)
        elif moved:
            others.append(each.permutation)
    grows = True
    while grows:
        grows = False
        for g in others:
            for point in orbit:
                grows |= alike.join(g[point], g[alike.find(point)])
    return len({alike.find(point) for point in orbit}) == 1


def _moved(permutation: Sequence[int]) -> int:
    return sum(point != image for point, image in enumerate(permutation))


def _cycle_length(permutation: Sequence[int], start: int) -> int:
    length, point = 1, permutation[start]
    while point != start:
        length, point = length + 1, permutation[point]
    return length


def _exchange(points: int, a: int, b: int) -> list[int]:
    images = list(range(points))
    images[a], images[b] = b, a
    return images


def _kept(symmetry: ElementSymmetry) -> list[tuple[int, int]]:
    """Neighbours in sorts that are only rotated: refinement goes along them."""
    kept: list[tuple[int, int]] = []
    first = 0
    for sort in symmetry.sorts:
        ring = {(first + at, first + (at + 1) % sort.size) for at in range(sort.size)}
        moves = [g.permutation for g in symmetry.generators if any(g.permutation[a] != a for a, _ in ring)]
        if sort.size > 2 and moves and all({(g[a], g[b]) for a, b in ring} == ring for g in moves):
            kept += sorted(ring)
        first += sort.size
    return kept


def _orbits(symmetry: ElementSymmetry) -> list[list[int]]:
    orbits = UnionFind(len(identity(symmetry)))
    for generator in symmetry.generators:
        for point, image in enumerate(generator.permutation):
            orbits.join(point, image)
    return orbits.members()


def by_sort(symmetry: ElementSymmetry) -> list[dict[str, tuple[int, ...]]]:
    """The generators as the reference engine takes them: by sort, the images of positions."""
    return [sort_images(symmetry.sorts, each.permutation) for each in symmetry.generators]


def sort_images(sorts: Sequence[Sort], permutation: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """A permutation of points, by sort."""
    images, first = {}, 0
    for sort in sorts:
        part = permutation[first : first + sort.size]
        images[sort.name] = tuple(image - first for image in part)
        first += sort.size
    return images


def show_permutation(sorts: Sequence[Sort], images: Mapping[str, Sequence[int]]) -> str:
    """The cycles of a permutation by sorts."""
    from burnside.symmetry.cycles import cycle_notation, cycles

    moved = [sort for sort in sorts if sort.name in images]
    return "".join(cycle_notation(cycles(images[sort.name]), sort.elements) for sort in moved)


def describe(
    symmetry: ElementSymmetry, group: _core.ElementGroup, *, model: str, language: str
) -> Symmetries:
    """`group`: what `element_group` makes of it."""
    names = symmetry.point_names
    orbits: Orbits = tuple(tuple(names[point] for point in orbit) for orbit in _orbits(symmetry))
    return Symmetries(
        model=model,
        language=language,
        order=group.order,
        structure=structure_name([list(each.permutation) for each in symmetry.generators], group.order),
        complete=symmetry.complete,
        generators=tuple(Generator(each.cycles, each.source) for each in symmetry.generators),
        orbits=orbits,
        transition_orbits=(),
        base=tuple(names[point] for point in group.base()),
        transversal_sizes=tuple(group.transversal_sizes()),
        refused=symmetry.refused,
        group=SymmetryGroup(names, tuple(each.permutation for each in symmetry.generators), group.order),
    )
