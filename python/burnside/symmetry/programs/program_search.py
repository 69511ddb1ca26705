"""Certified symmetries of one program as it is: declared ones, those of one sort after the other, and those of its graph.

In: a program. Out: a `ProgramSymmetry`: generators of a certified group, and what was refused. Elements of a sort that can
be exchanged are found by trying; elements of several sorts together, by proposals and by nauty on the graph of the program.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.analysis.paths import Path
from burnside.ir.program import Program
from burnside.ir.types import Sort
from burnside.limits import Deadline, OutOfTime
from burnside.records import field, record
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
    transposition,
)
from burnside.symmetry.programs.certifier import KINDS, Certifier
from burnside.symmetry.programs.graph_search import Generated, GraphSearch
from burnside.symmetry.programs.joint_proposals import proposals
from burnside.symmetry.programs.mentions import Mentions, signatures
from burnside.symmetry.programs.point_names import program_point_names
from burnside.symmetry.programs.program_graph import ProgramGraph


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


@record(frozen=False)
class ProgramSearch:
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
        found = GraphSearch(graph, self._is_symmetry, self._blamed, self.deadline, self.fixed_points())
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

    def fixed_points(self) -> set[int]:
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
