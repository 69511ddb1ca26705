"""Declared symmetries of processes: does the group that was certified have what the user promises?

Processes move together with what belongs to them: numbers by which others know them, channels. So a promise is not one about
permutations of processes alone: for every permutation of them there is a symmetry that acts like it on these processes. In:
what was certified, and promises. Out: refusals for promises that are not kept, and, where only what is declared is wanted,
the symmetries that promises are kept by.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import factorial

from burnside.ir.program import Program
from burnside.ir.promises import Promise
from burnside.limits import Deadline, OutOfTime
from burnside.records import replace
from burnside.symmetry import Refusal
from burnside.symmetry.elements import CertifiedGenerator
from burnside.symmetry.points import Images, offset
from burnside.symmetry.programs.certifier import Certifier
from burnside.symmetry.programs.program_graph import ProgramGraph
from burnside.symmetry.programs.search import ProgramSymmetry

MAX_NAMED = 6
"""Processes that a refusal names."""


def with_promises(symmetry: ProgramSymmetry, before: ProgramSymmetry) -> ProgramSymmetry:
    """With refusals of the promises of the program. `before`: the symmetries without the properties that are asked for:
    these may take symmetries without breaking a promise."""
    found = [_refusal(before, each) for each in symmetry.program.promises]
    return replace(symmetry, refused=(*symmetry.refused, *(each for each in found if each is not None)))


def are_kept(symmetry: ProgramSymmetry) -> bool:
    return all(_refusal(symmetry, each) is None for each in symmetry.program.promises)


def _refusal(symmetry: ProgramSymmetry, promise: Promise) -> Refusal | None:
    program = symmetry.program
    points = _points(program, promise)
    if len(points) < 2:
        return None
    place = {point: at for at, point in enumerate(points)}
    restricted = [
        [place[each.permutation[point]] for point in points]
        for each in symmetry.generators
        if all(each.permutation[point] in place for point in points)
    ]
    order = _order(len(points), restricted)
    if order == factorial(len(points)):
        return None
    reason = _reason(program, promise, restricted, order)
    return Refusal(f"proctype {promise.sort}", reason, promise.span.line, promise.span.column)


def _points(program: Program, promise: Promise) -> list[int]:
    sort = next(each for each in program.sorts if each.name == promise.sort)
    return [offset(program, sort) + at for at in promise.elements]


def _order(points: int, generators: Sequence[Sequence[int]]) -> int:
    from burnside import _core

    moving = [list(each) for each in generators if list(each) != list(range(points))]
    return int(_core.ElementGroup(points, moving).order) if moving else 1


def _reason(program: Program, promise: Promise, restricted: Sequence[Sequence[int]], order: int) -> str:
    """Which processes cannot be exchanged, as far as symmetries were found."""
    from burnside.reference.permutations import point_orbits

    sort = next(each for each in program.sorts if each.name == promise.sort)
    names = [sort.elements[at] for at in promise.elements]
    orbits = point_orbits([tuple(each) for each in restricted], len(names))
    if len(orbits) == 1:
        return f"of {factorial(len(names)):,} permutations only {order:,} were shown to be symmetries"
    if len(orbits) == len(names):
        return "no two of its processes were shown to be exchangeable"
    shown = [_listed([names[at] for at in orbit]) for orbit in orbits]
    more = f" and {len(shown) - MAX_NAMED} more" if len(shown) > MAX_NAMED else ""
    return f"only these were shown to be exchangeable: {'; '.join(shown[:MAX_NAMED])}{more}"


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MAX_NAMED else f"{', '.join(names[:MAX_NAMED])}, ..."


def only_promised(symmetry: ProgramSymmetry, deadline: Deadline) -> ProgramSymmetry:
    """Without what is not promised: for each exchange of two neighbours a symmetry that does it, and leaves the other
    processes of that type where they are."""
    certifier = Certifier(symmetry.program, deadline)
    graph = ProgramGraph(symmetry.program)
    found: dict[Images, CertifiedGenerator] = {}
    for promise in symmetry.program.promises:
        points = _points(symmetry.program, promise)
        for a, b in pairwise(points):
            others = [point for point in points if point not in (a, b)]
            swap = _exchange(graph, certifier, (a, b), others, deadline)
            if swap is not None:
                source = f"declared proctype {promise.sort}"
                found[swap] = CertifiedGenerator(
                    swap, certifier.describe(swap), source, certifier.action_images(swap)
                )
    return replace(symmetry, generators=tuple(found.values()), complete=False)


def _exchange(
    graph: ProgramGraph,
    certifier: Certifier,
    pair: tuple[int, int],
    fixed: Sequence[int],
    deadline: Deadline,
) -> Images | None:
    candidates = graph.automorphisms(fixed, seconds=deadline.left)
    if candidates is None:
        raise OutOfTime
    a, b = pair
    for each in candidates.generators:
        if each[a] == b and certifier.is_symmetry(each) and _keeps_properties(certifier, graph.program, each):
            return each
    return None


def _keeps_properties(certifier: Certifier, program: Program, permutation: Images) -> bool:
    numbers = range(len(program.properties))
    return all(certifier.property(permutation, number) is None for number in numbers)
