"""Symmetries of a program: declared ones, and found ones. Whatever proposes them, `certify` admits them.

In: a `Program`, the names of sorts whose symmetry is not to be used, whether to search beyond what is declared. Out: a
`ProgramSymmetry`: the program (rewritten, where numbers turned out to be names), and generators of a certified group.

A property that distinguishes elements restricts the group to what keeps it, and is named; everything else that contradicts
a declared symmetry is a refusal, because the user promised what cannot be shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from burnside.diagnostics import Diagnostic, UsageError
from burnside.ir import expressions as e
from burnside.ir.analysis.paths import Path
from burnside.ir.program import Program
from burnside.ir.types import NUMBERS, Element, Sort, Type, Union
from burnside.ir.walking import nodes
from burnside.limits import Deadline, OutOfTime
from burnside.records import field, record, replace
from burnside.symmetry import Refusal
from burnside.symmetry.elements import CertifiedGenerator
from burnside.symmetry.points import (
    Images,
    full,
    identity,
    mirrored,
    offset,
    on_sort,
    renaming,
    rotation,
    sort_names,
    transposition,
)
from burnside.symmetry.programs.certifier import KINDS, Certifier, certify
from burnside.symmetry.programs.dead_stores import without_dead_stores
from burnside.symmetry.programs.graph_search import Generated, GraphSearch
from burnside.symmetry.programs.joint_proposals import proposals
from burnside.symmetry.programs.mentions import Mentions, signatures
from burnside.symmetry.programs.names import NumberNames, find_names
from burnside.symmetry.programs.point_names import program_point_names
from burnside.symmetry.programs.program_graph import ProgramGraph
from burnside.symmetry.programs.range_classes import Arguments
from burnside.symmetry.programs.ranges import with_ranges_as_sorts

__all__ = ["Certifier", "ProgramSymmetry", "certify", "find", "program_symmetry"]


@record(kw_only=True)
class ProgramSymmetry:
    """`refused`: declared symmetries that could not be shown. `restricted_by`: names of properties that cost symmetries.
    `complete`: no permutation of elements that could be a symmetry is missing."""

    program: Program
    generators: tuple[CertifiedGenerator, ...]
    refused: tuple[Refusal, ...] = ()
    restricted_by: tuple[str, ...] = ()
    complete: bool = False
    order: int | None = field(default=None, compare=False)
    """Of the group that the generators generate, where it is known."""
    in_time: bool = True
    """Was everything tried before the time for it was over?"""
    whole_starts: bool = True
    """Was it shown that the start states are whole orbits?"""
    trap: int | None = None
    """The property that is violated where numbers, taken for names, are not those that were expected: an exploration that
    violates it says nothing of what is behind, and is to be repeated with a longer trial."""
    defined: frozenset[Path] | None = None
    """Slots of the state that are never undefined, where that was found out on the way."""

    @property
    def sorts(self) -> tuple[Sort, ...]:
        return self.program.sorts

    @property
    def point_names(self) -> tuple[str, ...]:
        return program_point_names(self.program)

    @property
    def telling(self) -> tuple[int, ...]:
        """In programs with processes: processes and channels. Numbers are held here and there, and often nowhere."""
        if not has_processes(self.program):
            return ()
        indexing = Mentions(self.program).indexing
        indexed = [sort for sort in self.sorts if sort.name in indexing]
        first = {sort.name: offset(self.program, sort) for sort in indexed}
        return tuple(first[sort.name] + at for sort in indexed for at in range(sort.size))


MAX_PERMUTED = 4096
"""Elements of one sort: a group takes memory that grows with the square of it."""

MAX_GRAPH_POINTS = 500
"""Elements of all sorts of a program without processes, up to which its graph is asked for more than is declared or found
sort by sort."""

RangeNames = Mapping[tuple[int, int], str]
"""What the user calls a range of numbers, by its bounds."""


def program_symmetry(
    program: Program,
    *,
    broken: Sequence[str] = (),
    search: bool = True,
    range_names: RangeNames | None = None,
    arguments: Arguments | None = None,
    trial: int | None = 1,
    deadline: Deadline | None = None,
    limit: Deadline | None = None,
) -> ProgramSymmetry:
    """All symmetries that are declared, as far as they are certified until the limit, or, on request, found until the
    deadline. `arguments`: properties that are about arguments of actions. `trial`: how much longer than usual to look
    which numbers processes use like names; None: they stay numbers."""
    check_broken(program, broken, range_names)
    deadline, limit = deadline or Deadline(), limit or Deadline()
    in_time = True
    if search and has_processes(program):
        program = without_dead_stores(program)
        return _with_names(program, frozenset(broken), arguments or {}, trial, deadline, limit)
    if search:
        try:
            program = with_ranges_as_sorts(
                program, range_names or {}, broken, partial(_moves, deadline.half()), arguments or {}
            )
        except OutOfTime:
            in_time = False
    found = _Search(program, frozenset(broken), deadline, limit).run(search=search)
    return found if in_time else replace(found, complete=False, in_time=False)


def _with_names(
    program: Program,
    broken: frozenset[str],
    arguments: Arguments,
    trial: int | None,
    deadline: Deadline,
    limit: Deadline,
) -> ProgramSymmetry:
    """With those numbers as names that some symmetry moves; the others stay numbers."""
    in_time, found = True, None
    try:
        names = None if trial is None else find_names(program, arguments, broken, trial, deadline.half())
        if names is not None:
            found, is_whole = _named_symmetry(names, broken, deadline, limit)
            if not is_whole:
                other, _ = _named_symmetry(names.without_gaps(), broken, deadline, limit)
                found = max(found, other, key=_order)
    except OutOfTime:
        in_time = False
    if found is None:
        found = _Search(program, broken, deadline, limit).run(search=True)
    return found if in_time else replace(found, complete=False, in_time=False)


def _named_symmetry(
    names: NumberNames, broken: frozenset[str], deadline: Deadline, limit: Deadline
) -> tuple[ProgramSymmetry | None, bool]:
    """None where no symmetry moves any of the names. And: was all certified that the graph allows?"""
    moved = _moved_in_graph(names, broken, deadline)
    is_whole = True
    while moved:
        # Where the certifier refuses what the graph allows, fewer are moved.
        named = names.named(moved)
        if named is None:
            break
        found = _Search(named, broken, deadline, limit).run(search=True)
        certified = _moved_sorts(found)
        if names.chosen(certified) == names.chosen(moved):
            return replace(found, trap=names.trap), is_whole and found.complete
        moved, is_whole = certified, False
    return None, is_whole


def _order(found: ProgramSymmetry | None) -> int:
    if found is None:
        return 0
    if found.order is None:
        return Generated([each.permutation for each in found.generators]).order
    return found.order


def _moved_in_graph(names: NumberNames, broken: frozenset[str], deadline: Deadline) -> set[str]:
    """The sorts that automorphisms of the program's graph move, if all numbers are named that may be names, or if only those
    are that are tied to processes and channels: tables of what is only counted or ordered have traps, which may hide a
    symmetry."""
    found: set[str] = set()
    named = names.named()
    while named is not None:
        fixed = _Search(named, broken, deadline, deadline)._fixed_points()
        graph = ProgramGraph(named).automorphisms(fixed, properties=False, seconds=deadline.left)
        if graph is None:
            raise OutOfTime
        more = {name for each in graph.generators for name in renaming(named, each).moved}
        numbers = _number_sorts(named)
        old = {sort.name for sort in named.sorts} - numbers
        found = more if not found or more & old > found & old else found
        if found & old:
            return found
        # Sorts that share a variable with one that is tied are named with it.
        fewer = names.named(_linked_sorts(named))
        named = fewer if fewer is not None and _number_sorts(fewer) < numbers else None
    return found


def _number_sorts(program: Program) -> set[str]:
    return {sort.name for sort in program.sorts if sort.origin == NUMBERS}


def _linked_sorts(program: Program) -> set[str]:
    """Sorts of numbers that a table ties to processes or channels: identities, rather than amounts."""
    found: set[str] = set()
    for node in nodes(program):
        if isinstance(node, e.Table):
            sorts = {sort for type_ in (*node.arguments, node.result) for sort in _sorts_of(type_)}
            if any(sort.origin != NUMBERS for sort in sorts):
                found |= {sort.name for sort in sorts if sort.origin == NUMBERS}
    return found


def _sorts_of(type_: Type) -> tuple[Sort, ...]:
    match type_:
        case Element(sort):
            return (sort,)
        case Union(sorts):
            return sorts
    return ()


def _moved_sorts(found: ProgramSymmetry) -> set[str]:
    return {name for each in found.generators for name in renaming(found.program, each.permutation).moved}


def _moves(deadline: Deadline, program: Program, sort: Sort) -> bool:
    """Is some permutation of this sort's elements a symmetry?"""
    deadline.check()
    if sort.name not in Mentions(program).stored:
        return False
    search = _Search(program, frozenset(), deadline, deadline)
    search.find_in(sort)
    return bool(search.generators)


def find(program: Program, *, range_names: RangeNames | None = None) -> ProgramSymmetry:
    """With everything that can be found."""
    return program_symmetry(program, range_names=range_names)


def check_broken(program: Program, broken: Sequence[str], range_names: RangeNames | None = None) -> None:
    """A name after `--break-symmetry` must be that of a sort. (Ranges are sorts only once they are found.)"""
    known = {sort.name for sort in program.sorts} | set((range_names or {}).values())
    for name in broken:
        if name not in known and not _is_range(name):
            movable = [sort for sort in program.sorts if sort.size > 1]
            sorts = f"the sorts are {sort_names(movable)}" if movable else "the model has no sorts"
            raise UsageError(Diagnostic(f"there is no sort {name!r}", source="--break-symmetry", hint=sorts))


def _is_range(name: str) -> bool:
    low, dots, high = name.partition("..")
    return bool(dots) and all(part.lstrip("-").isdecimal() for part in (low, high))


@record(frozen=False)
class _Search:
    """Goes through the sorts one by one, then tries elements of several sorts together."""

    program: Program
    broken: frozenset[str]
    deadline: Deadline
    limit: Deadline
    generators: list[CertifiedGenerator] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    restricted_by: dict[str, None] = field(default_factory=dict)
    whole: bool = True
    whole_starts: bool = True
    order: int | None = None

    def __post_init__(self) -> None:
        self.certifier = Certifier(self.program, self.deadline)
        self.mentions = Mentions(self.program)

    def run(self, *, search: bool) -> ProgramSymmetry:
        """Where the time is over, with what was certified until then."""
        in_time = True
        try:
            self._find(search=search)
        except OutOfTime:
            in_time = False
        return ProgramSymmetry(
            program=self.program,
            generators=tuple(self.generators),
            refused=tuple(self.refused),
            restricted_by=tuple(self.restricted_by),
            complete=self.whole and not self.refused and in_time,
            in_time=in_time,
            whole_starts=self.whole_starts,
            order=self.order,
            defined=self.certifier.defined,
        )

    def _find(self, *, search: bool) -> None:
        """First what is declared, which has all the time of the run."""
        sorts = [each for each in self.program.sorts if each.size > 1 and each.name not in self.broken]
        self.certifier.deadline = self.limit
        for sort in sorts:
            if sort.symmetry == "full":
                self._declared(sort)
            elif sort.symmetry == "cyclic":
                self._rotations(sort, f"declared {sort.origin} {sort.name}")
        self.certifier.deadline = self.deadline
        fixed = [each for each in sorts if each.symmetry == "fixed" and each.name in self.mentions.stored]
        if not search:
            self.whole &= not fixed
        elif has_processes(self.program):
            self.whole &= self._find_by_graph()
        else:
            for sort in fixed:
                self.find_in(sort)
            self._find_joint()
            self._find_by_graph()

    # One sort

    def _declared(self, sort: Sort) -> None:
        source = f"declared {sort.origin} {sort.name}"
        if sort.size > MAX_PERMUTED:
            reason = f"it has {sort.size} elements, and at most {MAX_PERMUTED} can be permuted"
            self.refused.append(Refusal(f"{sort.origin} {sort.name}", reason, 1, 1))
            return
        wanted = [on_sort(self.program, sort, images) for images in full(sort.size, range(sort.size))]
        for permutation in wanted:
            refused = self.certifier.actions(permutation)
            if refused is not None:
                refusal = self.certifier.refusal(permutation, refused)
                what = f"{sort.origin} {sort.name}"
                self.refused.append(Refusal(what, refusal.reason, refusal.line, refusal.column))
                # Some of its elements may be exchangeable all the same.
                self._classes(sort, source)
                return
        if all(self._keeps_properties(permutation) for permutation in wanted):
            # Start states that are no whole orbits cost nothing but the number of states of the unreduced program.
            self.whole_starts &= all(self.certifier.starts(each) is None for each in wanted)
            self._admit(wanted, source)
        else:
            self._classes(sort, source)

    def find_in(self, sort: Sort) -> None:
        kind = "range" if sort.origin == "range" else f"{sort.origin}"
        source = f"found: {kind} {sort.name}"
        classes = self._classes(sort, source)
        if len(classes) > 1 and sort.size > 2 and sort.origin == "range":
            self._rotations(sort, source)

    def _rotations(self, sort: Sort, source: str) -> None:
        """Rotations, by as little as possible; a mirror image too where it is one."""
        declared = source.startswith("declared")
        for by in (by for by in range(1, sort.size) if sort.size % by == 0):
            permutation = on_sort(self.program, sort, rotation(sort.size, by))
            refused = self.certifier.behaviour(permutation)
            if refused is not None and declared:
                what = f"{sort.origin} {sort.name}"
                refusal = self.certifier.refusal(permutation, refused)
                self.refused.append(Refusal(what, refusal.reason, refusal.line, refusal.column))
                return
            if refused is None and self._keeps_properties(permutation):
                self._admit([permutation], source)
                break
        self.whole &= declared and sort.size < 3
        if not declared:
            mirror = on_sort(self.program, sort, mirrored(sort.size))
            if self._is_symmetry(mirror):
                self._admit([mirror], source)

    def _classes(self, sort: Sort, source: str) -> list[list[int]]:
        """Elements that can be exchanged with each other: being exchangeable is transitive."""
        alike = signatures(self.program, sort)
        classes: list[list[int]] = []
        for element in self.mentions.appearing(sort):
            for members in classes:
                if alike[members[0]] != alike[element]:
                    continue
                swap = on_sort(self.program, sort, transposition(sort.size, members[0], element))
                if self._is_symmetry(swap):
                    members.append(element)
                    break
            else:
                classes.append([element])
        for members in classes:
            self._admit([on_sort(self.program, sort, each) for each in full(sort.size, members)], source)
        self.whole &= len(classes) == 1
        return classes

    def _is_symmetry(self, permutation: Images) -> bool:
        self.deadline.check()
        return self.certifier.is_symmetry(permutation) and self._keeps_properties(permutation)

    def _keeps_properties(self, permutation: Images) -> bool:
        """Records which properties do not allow it."""
        kept = True
        for number, each in enumerate(self.program.properties):
            if self.certifier.property(permutation, number) is not None:
                self.restricted_by[each.name or each.kind] = None
                kept = False
        return kept

    def _admit(self, permutations: Sequence[Images], source: str) -> None:
        known = {each.permutation for each in self.generators}
        for each in permutations:
            if each in known:
                continue
            certifier = self.certifier
            actions = certifier.action_images(each)
            self.generators.append(CertifiedGenerator(each, certifier.describe(each), source, actions))

    # Several sorts

    def _find_joint(self) -> None:
        moved = {
            point
            for each in self.generators
            for point, image in enumerate(each.permutation)
            if point != image
        }
        for permutation in proposals(self.program, self.broken, frozenset(moved)):
            self.deadline.check()
            if self._is_symmetry(permutation):
                self._admit([permutation], "found: elements of several sorts together")

    # The graph of the program

    def _find_by_graph(self) -> bool:
        """Are all automorphisms of the graph certified, but for what properties do not allow?"""
        if not has_processes(self.program) and len(identity(self.program)) > MAX_GRAPH_POINTS:
            return False
        graph = ProgramGraph(self.program)
        found = GraphSearch(graph, self._is_symmetry, self._blamed, self.deadline, self._fixed_points())
        try:
            found.run()
        finally:
            known = Generated([each.permutation for each in self.generators])
            self.order = found.order if not self.generators else None
            new = (
                found.admitted
                if not self.generators
                else [each for each in found.admitted if each not in known]
            )
            self._admit(new, "found: program graph")
        return found.complete

    def _fixed_points(self) -> set[int]:
        """Elements that are not to be permuted, or that nothing knows of."""
        fixed: set[int] = set()
        for sort in self.program.sorts:
            first = offset(self.program, sort)
            known: set[int] = set()
            if sort.name not in self.broken and sort.size <= MAX_PERMUTED:
                known = set(self.mentions.known(sort))
            fixed |= {first + at for at in range(sort.size) if at not in known}
        return fixed

    def _blamed(self, permutation: Images) -> set[int]:
        """The sorts whose elements are ordered or computed with somewhere, if that is why it is refused."""
        moved = renaming(self.program, permutation).moved
        blamed = {name for name in moved if not self._may_move(frozenset([name]))}
        if not blamed and not self._may_move(moved):
            blamed = {name for name in moved if self._may_move(moved - {name})} or set(moved)
        return {
            offset(self.program, sort) + at
            for sort in self.program.sorts
            if sort.name in blamed
            for at in range(sort.size)
        }

    def _may_move(self, sorts: frozenset[str]) -> bool:
        """Does nothing order or compute with their elements?"""
        return all(self.certifier._operations(sorts, kind) is None for kind in KINDS)


def has_processes(program: Program) -> bool:
    return any(each.actor is not None for each in program.actions)
