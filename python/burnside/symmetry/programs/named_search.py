"""Symmetries of programs in which numbers are used like names.

In: a program with processes. Out: a `ProgramSymmetry`, of the program with those numbers as names that some symmetry moves;
the others stay numbers.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir.program import Program
from burnside.ir.types import NUMBERS, sorts_of
from burnside.ir.walking import nodes
from burnside.limits import Deadline, OutOfTime
from burnside.records import replace
from burnside.symmetry.points import (
    renaming,
)
from burnside.symmetry.programs.graph_search import Generated
from burnside.symmetry.programs.names import NumberNames, find_names
from burnside.symmetry.programs.program_graph import ProgramGraph
from burnside.symmetry.programs.program_search import ProgramSearch, ProgramSymmetry
from burnside.symmetry.programs.range_classes import Arguments


def with_names(
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
        found = ProgramSearch(program, broken, deadline, limit).run(search=True)
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
        found = ProgramSearch(named, broken, deadline, limit).run(search=True)
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
        fixed = ProgramSearch(named, broken, deadline, deadline).fixed_points()
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
            sorts = {sort for type_ in (*node.arguments, node.result) for sort in sorts_of(type_)}
            if any(sort.origin != NUMBERS for sort in sorts):
                found |= {sort.name for sort in sorts if sort.origin == NUMBERS}
    return found


def _moved_sorts(found: ProgramSymmetry) -> set[str]:
    return {name for each in found.generators for name in renaming(found.program, each.permutation).moved}
