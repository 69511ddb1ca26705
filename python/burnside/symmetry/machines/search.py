"""Symmetries of a machine: deferred sets, and elements of enumerated sets that the text uses alike.

In: a `Machine`, the names of sorts whose symmetry is not to be used, whether to search beyond what is declared. Out: a
`MachineSymmetry`, whose generators are certified: each maps the machine's text to itself (`machine_normal`).

Elements of a deferred set have no names, so all of them are alike unless an invariant of the request names one: then the
group is restricted to what keeps it, and the invariant is named.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from burnside.diagnostics import Diagnostic, UsageError
from burnside.ir.nodes import Node
from burnside.ir.sets.expressions import Apply, Literal
from burnside.ir.sets.machine import Machine
from burnside.ir.types import Element, Sort
from burnside.ir.walking import nodes
from burnside.limits import Deadline, OutOfTime
from burnside.records import record, replace
from burnside.symmetry import Refusal
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.elements import CertifiedGenerator
from burnside.symmetry.machines.normal_form import (
    ORDER_OPERATORS,
    Form,
    Renamed,
    carriers,
    claim_form,
    machine_form,
    operation_form,
    ordered_sort,
)
from burnside.symmetry.points import Images, full, offset, on_sort, point_names, sort_names, transposition

MAX_JOINT_PAIRS = 200
"""Pairs of transpositions of two sorts that are tried together."""


@record(kw_only=True)
class MachineSymmetry:
    """`restricted_by`: names of claims that cost symmetries. `complete`: no permutation of elements that could be a symmetry
    is missing."""

    machine: Machine
    generators: tuple[CertifiedGenerator, ...]
    refused: tuple[Refusal, ...] = ()
    restricted_by: tuple[str, ...] = ()
    complete: bool = False
    order: int | None = None
    in_time: bool = True
    """Was everything tried before the time for it was over?"""

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return self.machine.sorts

    @property
    def point_names(self) -> tuple[str, ...]:
        return point_names(self.machine)

    @property
    def telling(self) -> tuple[int, ...]:
        """Nothing is known of that."""
        return ()


def machine_symmetry(
    machine: Machine, *, broken: Sequence[str] = (), search: bool = True, deadline: Deadline | None = None
) -> MachineSymmetry:
    """All symmetries that are declared or, on request, found until the deadline."""
    check_broken(machine, broken)
    deadline = deadline or Deadline()
    certifier = MachineCertifier(machine, deadline)
    generators: list[CertifiedGenerator] = []
    whole, in_time = False, True
    try:
        whole = _find(certifier, generators, broken, search=search)
    except OutOfTime:
        in_time = False
    return MachineSymmetry(
        machine=machine,
        generators=tuple(generators),
        restricted_by=tuple(certifier.restricting),
        complete=whole,
        in_time=in_time,
    )


def _find(
    certifier: MachineCertifier, generators: list[CertifiedGenerator], broken: Sequence[str], *, search: bool
) -> bool:
    """Adds generators; is each sort as symmetric as can be?"""
    machine, whole = certifier.machine, True
    for sort in machine.sorts:
        if sort.size < 2 or sort.name in broken or not _is_stored(machine, sort):
            continue
        if sort.symmetry == "fixed" and not search:
            whole = False
            continue
        declared = sort.symmetry == "full"
        source = f"{'declared ' if declared else 'found: '}{sort.origin} {sort.name}"
        classes = list(_classes(certifier, sort))
        whole &= len(classes) == 1
        certifier.restricting.update(dict.fromkeys(certifier.claims_naming(sort)))
        for members in classes:
            for images in full(sort.size, members):
                generators.append(certifier.admitted(on_sort(machine, sort, images), source))
    if search:
        generators += _joint_exchanges(certifier, frozenset(broken), generators)
    return whole


def certify(machine: Machine, permutation: Images) -> bool:
    """Does it map the machine, with all that is claimed of it, to itself?"""
    return MachineCertifier(machine, Deadline()).is_symmetry(permutation)


def check_broken(machine: Machine, broken: Sequence[str]) -> None:
    """A name after `--break-symmetry` must be that of a set."""
    known = {sort.name for sort in machine.sorts}
    for name in broken:
        if name not in known:
            sets = f"the sets are {sort_names(machine.sorts)}" if machine.sorts else "the model has no sets"
            raise UsageError(Diagnostic(f"there is no set {name!r}", source="--break-symmetry", hint=sets))


class MachineCertifier:
    """Decides what is a symmetry; caches the normal form of the machine, and records which claims forbid a permutation."""

    def __init__(self, machine: Machine, deadline: Deadline) -> None:
        self.machine, self.deadline = machine, deadline
        self.restricting: dict[str, None] = {}
        self._count = _named(machine)
        self._counts = [_named(each) for each in machine.operations]

    @cached_property
    def _form(self) -> Form:
        return machine_form(self.machine, {})

    @cached_property
    def _claims(self) -> list[Form]:
        return [claim_form(each, {}) for each in self.machine.claims]

    def named(self, sort: Sort) -> set[int]:
        """Positions of the elements that the text names."""
        return {position for name, position in self._count if name == sort.name}

    def claims_naming(self, sort: Sort) -> Iterator[str]:
        """Claims that name elements which the rest of the machine does not distinguish by naming them."""
        named = _named(replace(self.machine, claims=()))
        for claim in self.machine.claims:
            if any(each[0] == sort.name and each not in named for each in _named(claim.predicate)):
                yield claim.name

    def signature(self, sort: Sort, position: int) -> Form:
        """Equal for elements that can be exchanged, and cheap."""
        counts = sorted(each[sort.name, position] for each in self._counts)
        return self._count[sort.name, position], tuple(counts)

    def is_symmetry(self, permutation: Images) -> bool:
        self.deadline.check()
        images = self._renamed(permutation)
        if not images:
            return True
        if machine_form(self.machine, images) != self._form:
            return False
        return self._keeps_claims(images)

    def admitted(self, permutation: Images, source: str) -> CertifiedGenerator:
        assert self.is_symmetry(permutation)
        names = point_names(self.machine)
        shown = cycle_notation(cycles(permutation), names)
        return CertifiedGenerator(permutation, shown, source, self._actions(permutation))

    def _keeps_claims(self, images: Renamed) -> bool:
        """Each by itself: a verdict is about one claim, so two that change places are not enough."""
        kept = True
        for claim, form in zip(self.machine.claims, self._claims, strict=True):
            if claim_form(claim, images) != form:
                self.restricting[claim.name] = None
                kept = False
        return kept

    def _renamed(self, permutation: Images) -> dict[tuple[str, int], int]:
        """What the permutation does to the elements that the text names; the others it does not know."""
        images: dict[tuple[str, int], int] = {}
        for sort in self.machine.sorts:
            first = offset(self.machine, sort)
            for position in self.named(sort):
                image = permutation[first + position] - first
                if image != position:
                    images[sort.name, position] = image
        return images

    def _actions(self, permutation: Images) -> Images:
        """Operations with equal forms do the same, so any of them is the image."""
        operations = self.machine.operations
        images = self._renamed(permutation)
        if not images:
            return tuple(range(len(operations)))
        places: dict[Form, list[int]] = defaultdict(list)
        for number, each in enumerate(operations):
            places[operation_form(each, {})].append(number)
        return tuple(places[operation_form(each, images)].pop() for each in operations)


def _is_stored(machine: Machine, sort: Sort) -> bool:
    """Permuting elements that no state knows of changes nothing."""
    types = [type_ for each in machine.state_names for type_ in nodes(each.type)]
    return any(isinstance(each, Element) and each.sort == sort for each in types)


def _named(node: Node) -> Counter[tuple[str, int]]:
    """How often each element, by its sort's name and its position, is named inside. What looks at the order of a sort names
    all of its elements."""
    roots = [node, *(carriers(node) if isinstance(node, Machine) else ())]
    found: Counter[tuple[str, int]] = Counter()
    for each in nodes(*roots):
        match each:
            case Literal(int(value), Element(sort)):
                found[sort.name, value] += 1
            case Apply(operator) if operator in ORDER_OPERATORS:
                sort = ordered_sort(each)
                found.update((sort.name, at) for at in range(sort.size))
    return found


def _classes(certifier: MachineCertifier, sort: Sort) -> Iterator[list[int]]:
    """Elements that can be exchanged with each other: being exchangeable is transitive. Those that the text does not name
    are all alike."""
    named = certifier.named(sort)
    unnamed = [position for position in range(sort.size) if position not in named]
    if unnamed:
        yield unnamed
    classes: list[list[int]] = []
    for position in sorted(named):
        for members in classes:
            swap = on_sort(certifier.machine, sort, transposition(sort.size, members[0], position))
            alike = certifier.signature(sort, members[0]) == certifier.signature(sort, position)
            if alike and certifier.is_symmetry(swap):
                members.append(position)
                break
        else:
            classes.append([position])
    yield from classes


def _joint_exchanges(
    certifier: MachineCertifier, broken: frozenset[str], known: Sequence[CertifiedGenerator]
) -> list[CertifiedGenerator]:
    """Pairs of elements that can be exchanged only together with a pair of another sort, or of the same."""
    machine = certifier.machine
    moved = {point for each in known for point, image in enumerate(each.permutation) if point != image}
    swaps: list[Images] = []
    for sort in machine.sorts:
        first = offset(machine, sort)
        still = [at for at in range(sort.size) if first + at not in moved]
        for a, b in combinations(still, 2):
            if sort.name not in broken and certifier.signature(sort, a) == certifier.signature(sort, b):
                swaps.append(on_sort(machine, sort, transposition(sort.size, a, b)))
    found: list[CertifiedGenerator] = []
    for tried, (one, other) in enumerate(combinations(swaps, 2)):
        if tried == MAX_JOINT_PAIRS:
            break
        both = tuple(other[image] for image in one)
        if all(a == b or other[a] == a for a, b in enumerate(one)) and certifier.is_symmetry(both):
            found.append(certifier.admitted(both, "found: elements that are exchanged together"))
    return found
