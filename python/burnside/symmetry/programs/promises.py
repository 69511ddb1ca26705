"""Declared symmetries of processes: does the group that was certified have what the user promises?

Processes move together with what belongs to them: numbers by which others know them, channels. So a promise is not one about
permutations of processes alone: for every automorphism of the declared graph on them (for every permutation, where none is
declared) there is a symmetry that acts like it on these processes. In: what was certified, and promises. Out: refusals for
promises that are not kept, and, where only what is declared is wanted, the symmetries that promises are kept by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import factorial, prod

from burnside.ir.program import Program
from burnside.ir.promises import Promise
from burnside.limits import Deadline, OutOfTime
from burnside.records import record, replace
from burnside.symmetry import Refusal
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.elements import CertifiedGenerator
from burnside.symmetry.points import Images, full, offset
from burnside.symmetry.programs.certifier import Certifier
from burnside.symmetry.programs.program_search import ProgramSymmetry
from burnside.symmetry.restriction import Lifting, common, missing, order, restricted
from burnside.symmetry.structure import UnionFind

MAX_NAMED = 6
"""Processes, or cycles of them, that a refusal names."""


@record
class Declared:
    """What a promise says, as a group on the positions of its members."""

    promise: Promise
    generators: tuple[Images, ...]
    order: int

    @property
    def size(self) -> int:
        return len(self.promise.members)

    def points(self, program: Program) -> list[int]:
        sorts = {each.name: each for each in program.sorts}
        return [offset(program, sorts[name]) + at for name, at in self.promise.members]

    def certified(self, symmetry: ProgramSymmetry) -> list[Images]:
        """What symmetries do to the members."""
        return restricted([each.permutation for each in symmetry.generators], self.points(symmetry.program))

    def shown(self, symmetry: ProgramSymmetry) -> list[Images]:
        """What of the promise is kept."""
        return common(self.size, self.generators, self.certified(symmetry))


def promised(program: Program, deadline: Deadline, broken: Collection[str] = ()) -> list[Declared]:
    """But for what is about sorts that the user wants fixed."""
    return [
        _declared(each, deadline)
        for each in program.promises
        if len(each.members) > 1 and not set(each.sorts) & set(broken)
    ]


def _declared(promise: Promise, deadline: Deadline) -> Declared:
    names = [name for name, _ in promise.members]
    groups = [[at for at, each in enumerate(names) if each == name] for name in promise.sorts]
    if promise.topology is None:
        generators = tuple(each for group in groups for each in full(len(names), group))
        return Declared(promise, generators, prod(factorial(len(group)) for group in groups))
    return Declared(promise, *_automorphisms(names, promise.topology.arcs, deadline))


def _automorphisms(
    colours: Sequence[str], arcs: Sequence[tuple[int, int]], deadline: Deadline
) -> tuple[tuple[Images, ...], int]:
    from burnside import _core

    numbers = {colour: at for at, colour in enumerate(dict.fromkeys(colours))}
    edges = [
        (len(colours) + at, vertex, end) for at, arc in enumerate(arcs) for end, vertex in enumerate(arc)
    ]
    found = _core.graph_automorphisms(
        [numbers[colour] for colour in colours], [len(numbers)] * len(arcs), edges, deadline.left
    )
    if found is None:
        raise OutOfTime
    generators, count = found
    return tuple(map(tuple, generators)), count


def are_kept(symmetry: ProgramSymmetry, promises: Iterable[Declared]) -> bool:
    return all(_refusal(symmetry, each) is None for each in promises)


def with_promises(
    symmetry: ProgramSymmetry, before: ProgramSymmetry, promises: Iterable[Declared]
) -> ProgramSymmetry:
    """With refusals of promises. `before`: the symmetries without the properties that are asked for: these may take
    symmetries without breaking a promise."""
    found = [_refusal(before, each) for each in promises]
    return replace(symmetry, refused=(*symmetry.refused, *(each for each in found if each is not None)))


def _refusal(symmetry: ProgramSymmetry, declared: Declared) -> Refusal | None:
    refused = missing(declared.size, declared.generators, declared.certified(symmetry))
    if not refused:
        return None
    promise = declared.promise
    reason = _reason(symmetry, declared, refused[0])
    return Refusal(promise.title, reason, promise.span.line, promise.span.column)


def _reason(symmetry: ProgramSymmetry, declared: Declared, refused: Images) -> str:
    """Which processes cannot be exchanged, or which automorphism could not be shown, as far as symmetries were found."""
    sorts = {each.name: each for each in symmetry.program.sorts}
    names = [sorts[name].elements[at] for name, at in declared.promise.members]
    degree, shown = len(names), declared.shown(symmetry)
    has_graph = declared.promise.topology is not None
    if not shown and has_graph:
        count = f"of {declared.order:,} automorphisms none but the identity was shown to be a symmetry"
        return f"{count}; {_cycles(refused, names)} was not"
    if not shown:
        return "no two of its processes were shown to be exchangeable"
    wanted, kept = _orbits(degree, declared.generators), _orbits(degree, shown)
    if not has_graph and len(kept) > len(wanted):
        parts = [_listed([names[at] for at in orbit]) for orbit in kept]
        more = f" and {len(parts) - MAX_NAMED} more" if len(parts) > MAX_NAMED else ""
        return f"only these were shown to be exchangeable: {'; '.join(parts[:MAX_NAMED])}{more}"
    kind = "automorphisms" if has_graph else "permutations"
    count = f"of {declared.order:,} {kind} only {order(degree, shown):,} were shown to be symmetries"
    return f"{count}; {_cycles(refused, names)} was not"


def _orbits(points: int, generators: Iterable[Images]) -> list[list[int]]:
    found = UnionFind(points)
    for each in generators:
        for point, image in enumerate(each):
            found.join(point, image)
    return found.members()


def _cycles(permutation: Images, names: Sequence[str]) -> str:
    found = list(cycles(permutation))
    more = f" ... ({len(found)} cycles)" if len(found) > MAX_NAMED else ""
    return cycle_notation(found[:MAX_NAMED], names) + more


def _listed(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= MAX_NAMED else f"{', '.join(names[:MAX_NAMED])}, ..."


def only_promised(
    symmetry: ProgramSymmetry, promises: Iterable[Declared], deadline: Deadline
) -> ProgramSymmetry:
    """Without what is not promised: for each generator of what is promised and shown, a symmetry that acts like it. It is a
    product of certified ones, and certified again."""
    certifier = Certifier(symmetry.program, deadline)
    group = [each.permutation for each in symmetry.generators]
    found: dict[Images, CertifiedGenerator] = {}
    for declared in promises:
        source = f"declared {declared.promise.title}"
        points = declared.points(symmetry.program)
        lifting = Lifting(group, points)
        for wanted in declared.shown(symmetry):
            permutation = lifting.element([points[at] for at in wanted])
            if permutation is not None and certifier.certify(permutation) is None:
                cycles_, actions = certifier.describe(permutation), certifier.action_images(permutation)
                found[permutation] = CertifiedGenerator(permutation, cycles_, source, actions)
    return replace(symmetry, generators=tuple(found.values()), complete=False, order=None)
