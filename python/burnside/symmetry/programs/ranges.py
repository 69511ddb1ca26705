"""Ranges of numbers that are used like names: as indices, stored, compared for equality, nothing else.

In: a program. Out: the program in which each such range whose numbers can be permuted is a sort of its own, of the symmetry
kind `fixed` and the origin `range`: which permutations are symmetries is for the search to say, as for enumerations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from burnside.ir.program import Program
from burnside.ir.types import Sort
from burnside.symmetry.programs.range_classes import Arguments, Slot, SlotClasses, classes
from burnside.symmetry.programs.range_rewriting import Chosen, rewritten
from burnside.symmetry.programs.tables import MAX_VALUES, with_tables

Bounds = tuple[int, int]


def with_ranges_as_sorts(
    program: Program,
    names: Mapping[Bounds, str],
    broken: Collection[str],
    moves: Callable[[Program, Sort], bool],
    arguments: Arguments,
) -> Program:
    """`names`: what the user calls a range. `moves` decides whether a sort is worth it: one class is tried at a time.
    Arithmetic is written out as tables only in ranges that become sorts."""
    tabled = with_tables(program)
    good = _good_ranges(tabled, names, broken, moves, arguments)
    if not good:
        return program
    tabled = with_tables(program, good.__contains__)
    found = classes(tabled, arguments)
    chosen: Chosen = {}
    for root, bounds in _candidates(found):
        sort = _sort(tabled, names, bounds, chosen)
        if _label(names, bounds) in broken or sort.name in broken:
            continue
        if moves(rewritten(tabled, found, {root: (sort, bounds[0])}), sort):
            chosen[root] = sort, bounds[0]
    return rewritten(tabled, found, chosen) if chosen else program


def _good_ranges(
    program: Program,
    names: Mapping[Bounds, str],
    broken: Collection[str],
    moves: Callable[[Program, Sort], bool],
    arguments: Arguments,
) -> set[Bounds]:
    found = classes(program, arguments)
    good: set[Bounds] = set()
    for root, bounds in _candidates(found):
        sort = _sort(program, names, bounds, {})
        if bounds in good or _label(names, bounds) in broken:
            continue
        if moves(rewritten(program, found, {root: (sort, bounds[0])}), sort):
            good.add(bounds)
    return good


def _candidates(found: SlotClasses) -> list[tuple[Slot, Bounds]]:
    """Classes of one range, in states, with which nothing computes, compared with no number outside of it."""
    result = []
    for root in found.roots():
        facts = found.facts(root)
        if facts.computed or not facts.stored or len(facts.ranges) != 1:
            continue
        ((low, high),) = facts.ranges
        if 1 < high - low + 1 <= MAX_VALUES and all(low <= each <= high for each in facts.constants):
            result.append((root, (low, high)))
    return result


def _label(names: Mapping[Bounds, str], bounds: Bounds) -> str:
    return names.get(bounds, f"{bounds[0]}..{bounds[1]}")


def _sort(program: Program, names: Mapping[Bounds, str], bounds: Bounds, chosen: Chosen) -> Sort:
    label = _label(names, bounds)
    taken = {sort.name for sort in program.sorts} | {sort.name for sort, _ in chosen.values()}
    name, number = label, 1
    while name in taken:
        number += 1
        name = f"{label} ({number})"
    elements = tuple(str(each) for each in range(bounds[0], bounds[1] + 1))
    return Sort(name, elements, "fixed", "range")
