"""Which values the numbers of a class have: from the text of the program, and from what a trial has seen.

In: classes of slots, observed values. Out: for each class that may be names, a `Naming`: its values, cut where ranges of
the program begin and end. Each piece is a sort, and whatever holds numbers of the class holds elements of the sorts in its
range. So what was outside of a range is outside of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from burnside.ir.program import Program
from burnside.ir.types import NUMBERS, Element, Scalar, Sort, Union, sorts_of
from burnside.records import record
from burnside.symmetry.programs.names.classes import NameClasses
from burnside.symmetry.programs.names.computations import wrapped
from burnside.symmetry.programs.range_classes import STATE, Slot

MAX_NAMES = 256


@record
class Naming:
    """`pieces`: sorts with the numbers that their elements stand for, ascending."""

    pieces: tuple[tuple[Sort, tuple[int, ...]], ...]

    @cached_property
    def values(self) -> tuple[int, ...]:
        return tuple(value for _, values in self.pieces for value in values)

    @cached_property
    def sorts(self) -> tuple[Sort, ...]:
        return tuple(sort for sort, _ in self.pieces)

    @cached_property
    def type(self) -> Element | Union:
        return self._type(self.sorts)

    def _type(self, sorts: tuple[Sort, ...]) -> Element | Union:
        return Element(sorts[0]) if len(sorts) == 1 else Union(sorts)

    def between(self, low: int | None, high: int | None) -> Element | Union | None:
        """The type of the values in a range; None where there are none."""
        sorts = tuple(
            sort
            for sort, values in self.pieces
            if (low is None or low <= values[0]) and (high is None or values[-1] <= high)
        )
        return self._type(sorts) if sorts else None

    def numbers(self, type_: Scalar) -> tuple[int, ...]:
        """What the values of one of these types stand for, by position."""
        known = dict(self.pieces)
        return tuple(value for sort in sorts_of(type_) for value in known[sort])

    def position(self, number: int, type_: Scalar) -> int | None:
        """Which value of one of these types stands for a number; None where none does."""
        if type_ not in self._positions:
            self._positions[type_] = {value: at for at, value in enumerate(self.numbers(type_))}
        return self._positions[type_].get(number)

    @cached_property
    def _positions(self) -> dict[Scalar, dict[int, int]]:
        return {}


def naming(label: str, values: Iterable[int], ranges: Iterable[tuple[int, int]], taken: set[str]) -> Naming:
    cuts = sorted({cut for low, high in ranges for cut in (low, high + 1)})
    pieces: list[list[int]] = []
    last: int | None = None
    for value in sorted(values):
        if last is None or any(last < cut <= value for cut in cuts):
            pieces.append([])
        pieces[-1].append(value)
        last = value
    found = []
    for piece in pieces:
        name, number = label, 1
        while name in taken:
            number += 1
            name = f"{label} ({number})"
        taken.add(name)
        found.append((Sort(name, tuple(map(str, piece)), "fixed", NUMBERS), tuple(piece)))
    return Naming(tuple(found))


class ClassValues:
    """`observed`: values of slots of the state, and of computations' results."""

    def __init__(self, program: Program, found: NameClasses, observed: Mapping[Slot, Iterable[int]]) -> None:
        self._program, self._found = program, found
        self._values: dict[Slot, set[int]] = {}
        for source in (found.known, observed):
            for slot, values in source.items():
                self.of(slot).update(values)
        for root in list(found.classes.roots()):
            self.of(root).update(found.classes.facts(root).constants)
        for slot, type_ in found.wraps:
            assert type_.low is not None and type_.high is not None
            own = self.of(slot)
            own.update([wrapped(each, type_.low, type_.high) for each in own])

    def of(self, slot: Slot) -> set[int]:
        return self._values.setdefault(self._found.classes.root(slot), set())

    def candidates(self, at_least: int = 2) -> list[Slot]:
        """Roots of classes that may be names: a state or a label holds them, and they have several values, but not too many.
        Points of control are such: where a process has a branch for each of several others, exchanging these goes with
        exchanging the branches."""
        classes = self._found.classes
        bound = {classes.root(slot) for slot in self._found.known if slot[0] != "table"}
        found = []
        for root in classes.roots():
            facts = classes.facts(root)
            is_held = facts.stored or root in bound
            if is_held and not facts.computed and at_least <= len(self.of(root)) <= MAX_NAMES:
                found.append(root)
        return found

    def namings(self, roots: Iterable[Slot]) -> dict[Slot, Naming]:
        taken = {sort.name for sort in self._program.sorts}
        return {
            root: naming(self.label(root), self.of(root), self._found.classes.facts(root).ranges, taken)
            for root in roots
            if self.of(root)
        }

    def label(self, root: Slot) -> str:
        """The first variable that holds such numbers."""
        for slot in self._found.classes.members(root):
            if slot[0] == STATE:
                return str(slot[1])
        return "numbers"
