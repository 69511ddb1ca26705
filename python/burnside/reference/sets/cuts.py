"""Cut domains: which values are tried of a name that nothing bounds.

The rule is that of docs/b.md, and of `planning/opening.rs` in the core: the first number among the names that are left lies
between the bounds that it has and MININT or MAXINT (`Limits` has another rule, too); where there is no number, the first
name that is a member of, or included in, a set without end takes its values from the part of that set with such numbers,
sequences with at most MAXINT elements, and values of recursive free types up to their depth. Names whose values were not
all tried are kept in a `Cuts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from burnside.ir.sets.expressions import Name
from burnside.ir.sets.types import FreeType, Integer
from burnside.records import replace
from burnside.reference.sets.bounds import Bounds
from burnside.reference.sets.combined import Joined
from burnside.reference.sets.free_types import Built, built, by_type, levels
from burnside.reference.sets.functions import Functions, Relations
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Everything,
    Numbers,
    Product,
    Rows,
    Sequences,
    Subsets,
    size_of,
)

CUTS = "cut domains"
"""The name, which no language has, under which an environment keeps its `Cuts`."""


class Limits(NamedTuple):
    """The numbers that are tried where nothing bounds a name: the implementable ones. `from_lower_bound`: where there is a
    lower bound, that number is tried also where it is larger."""

    low: int
    high: int
    from_lower_bound: bool = False

    def between(self, given: Numbers) -> Numbers:
        """Those between bounds."""
        low = self.low if given.low is None else given.low
        high = max(self.high, low) if self.from_lower_bound else self.high
        return Numbers(low, high if given.high is None else given.high)


class Cuts:
    """What is tried where nothing bounds a name of a constant, a parameter or a choice, and the names of which that left
    out values."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.names: dict[str, Name] = {}

    def record(self, name: Name) -> None:
        self.names.setdefault(name.name, name)


Candidates = tuple[Name, Denoted]


def cut_candidates(
    spaces: Sequence[Candidates], sought: Mapping[str, Name], bounds: Bounds, cuts: Cuts
) -> Candidates | None:
    """The name that is cut and what is tried of it; `spaces` says of names what they are members of."""
    for name in sought.values():
        if isinstance(name.type, Integer):
            cuts.record(name)
            return name, cuts.limits.between(bounds.get(("value", name.name), Numbers()))
    for name in sought.values():
        for other, space in spaces:
            part = implementable(space, cuts.limits) if other.name == name.name else space
            if other.name == name.name and size_of(part) < INFINITY:
                cuts.record(name)
                return name, part
    return None


def prescribed_functions(spaces: Sequence[Candidates], limits: Limits) -> Iterator[Candidates]:
    """Functions to a set without end. Where conjuncts say what all points have as images, nothing of it is cut."""
    for name, space in spaces:
        if isinstance(space, Functions) and size_of(space.left) < INFINITY == size_of(space.right):
            yield name, implementable(space, limits)


def implementable(space: Denoted, limits: Limits) -> Denoted:
    """With implementable numbers and lengths where there is no end."""
    if size_of(space) < INFINITY:
        return space
    match space:
        case Numbers():
            return limits.between(space)
        case Everything(FreeType() as free):
            return _values_of(free, limits)
        case Everything(type_) if not isinstance(by_type(type_), Everything):
            return implementable(by_type(type_), limits)
        case Built(free, arguments):
            return Built(free, tuple(implementable(each, limits) for each in arguments))
        case Functions(left, right):
            left, tried = implementable(left, limits), implementable(right, limits)
            return replace(space, left=left, right=tried, whole=right)
        case Relations(left, right) | Product(left, right) | Joined(left, right):
            return replace(space, left=implementable(left, limits), right=implementable(right, limits))
        case Subsets(base):
            return replace(space, base=implementable(base, limits))
        case Rows(fields):
            return replace(space, fields=tuple(implementable(each, limits) for each in fields))
        case Sequences(base, _, most, injective):
            longest = limits.high if most is None and not injective else most
            return replace(space, base=implementable(base, limits), most=longest)
        case _:
            return space


def _values_of(free: FreeType, limits: Limits) -> Denoted:
    """Kept with the type."""
    known: dict[Limits, Denoted] = vars(free).setdefault("values that are tried", {})
    if limits not in known:
        whole = built(free)
        known[limits] = (
            implementable(whole, limits)
            if isinstance(whole, Built)
            else levels(free, lambda each: implementable(each, limits))
        )
    return known[limits]
