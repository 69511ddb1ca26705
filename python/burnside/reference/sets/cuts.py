"""Cut domains: which values are tried of a name that nothing bounds.

The rule is that of docs/b.md, and of `planning/opening.rs` in the core: the first number among the names that are left lies
between the bounds that it has and MININT or MAXINT; where there is no number, the first name that is a member of, or
included in, a set without end takes its values from the part of that set with such numbers, sequences with at most MAXINT
elements. Names whose values were not all tried are kept in a `Cuts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.ir.sets.expressions import Name
from burnside.ir.sets.types import Integer
from burnside.records import replace
from burnside.reference.sets.bounds import Bounds
from burnside.reference.sets.combined import Joined
from burnside.reference.sets.functions import Functions, Relations
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Numbers,
    Product,
    Rows,
    Sequences,
    Subsets,
    size_of,
)

CUTS = "cut domains"
"""The name, which no language has, under which an environment keeps its `Cuts`."""


class Cuts:
    """The numbers that are tried where nothing bounds a name of a constant, a parameter or a choice, and the names of
    which that left out values."""

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
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
            return name, _between(bounds.get(("value", name.name), Numbers()), cuts.numbers)
    for name in sought.values():
        for other, space in spaces:
            part = implementable(space, cuts.numbers) if other.name == name.name else space
            if other.name == name.name and size_of(part) < INFINITY:
                cuts.record(name)
                return name, part
    return None


def prescribed_functions(spaces: Sequence[Candidates], numbers: Numbers) -> Iterator[Candidates]:
    """Functions to a set without end. Where conjuncts say what all points have as images, nothing of it is cut."""
    for name, space in spaces:
        if isinstance(space, Functions) and size_of(space.left) < INFINITY == size_of(space.right):
            yield name, implementable(space, numbers)


def _between(given: Numbers, usual: Numbers) -> Numbers:
    return Numbers(
        usual.low if given.low is None else given.low, usual.high if given.high is None else given.high
    )


def implementable(space: Denoted, numbers: Numbers) -> Denoted:
    """With implementable numbers and lengths where there is no end."""
    if size_of(space) < INFINITY:
        return space
    match space:
        case Numbers():
            return _between(space, numbers)
        case Functions(left, right):
            left, tried = implementable(left, numbers), implementable(right, numbers)
            return replace(space, left=left, right=tried, whole=right)
        case Relations(left, right) | Product(left, right) | Joined(left, right):
            return replace(space, left=implementable(left, numbers), right=implementable(right, numbers))
        case Subsets(base):
            return replace(space, base=implementable(base, numbers))
        case Rows(fields):
            return replace(space, fields=tuple(implementable(each, numbers) for each in fields))
        case Sequences(base, _, most, injective):
            longest = numbers.high if most is None and not injective else most
            return replace(space, base=implementable(base, numbers), most=longest)
        case _:
            return space
