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
from burnside.ir.program import Program
from burnside.ir.types import Sort
from burnside.limits import Deadline, OutOfTime
from burnside.records import replace
from burnside.symmetry.points import sort_names
from burnside.symmetry.programs.certifier import Certifier, certify
from burnside.symmetry.programs.dead_stores import without_dead_stores
from burnside.symmetry.programs.mentions import Mentions
from burnside.symmetry.programs.named_search import with_names
from burnside.symmetry.programs.program_search import ProgramSearch, ProgramSymmetry, has_processes
from burnside.symmetry.programs.range_classes import Arguments
from burnside.symmetry.programs.ranges import with_ranges_as_sorts

__all__ = ["Certifier", "ProgramSymmetry", "certify", "find", "program_symmetry"]

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
        return with_names(program, frozenset(broken), arguments or {}, trial, deadline, limit)
    if search:
        try:
            program = with_ranges_as_sorts(
                program, range_names or {}, broken, partial(_moves, deadline.half()), arguments or {}
            )
        except OutOfTime:
            in_time = False
    found = ProgramSearch(program, frozenset(broken), deadline, limit).run(search=search)
    return found if in_time else replace(found, complete=False, in_time=False)


def _moves(deadline: Deadline, program: Program, sort: Sort) -> bool:
    """Is some permutation of this sort's elements a symmetry?"""
    deadline.check()
    if sort.name not in Mentions(program).stored:
        return False
    search = ProgramSearch(program, frozenset(), deadline, deadline)
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
