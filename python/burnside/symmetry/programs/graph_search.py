"""Symmetries from the graph of a program, as many as are certified.

In: the graph, a certifier, points that stay. Out: certified permutations, and whether they generate all automorphisms of
the graph. First nauty is asked without the properties: automorphisms that a property does not allow say which property
costs symmetries. Where one is refused for another reason, its powers and products with other refused ones are tried, then
the points that are to blame are fixed, and nauty is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from burnside.limits import Deadline, OutOfTime
from burnside.records import field, record
from burnside.symmetry.points import Images, composed
from burnside.symmetry.programs.program_graph import Automorphisms, ProgramGraph
from burnside.symmetry.structure import order_of

if TYPE_CHECKING:
    from burnside import _core

MAX_ROUNDS = 8
"""Questions to nauty."""
MAX_TRIES = 40
"""Powers and products that are tried in a round."""
Blame = Callable[[Images], Collection[int]]
"""Points without which a refused permutation might have been admitted; none where it is not known."""


@record(frozen=False, eq=False)
class GraphSearch:
    """`is_symmetry` certifies. `complete`: was the whole group of the graph certified, but for what properties do not
    allow?"""

    graph: ProgramGraph
    is_symmetry: Callable[[Images], bool]
    blame: Blame
    deadline: Deadline
    fixed: set[int] = field(default_factory=set)
    admitted: list[Images] = field(default_factory=list)
    complete: bool = True
    order: int | None = None
    """Of the group, where it is known already."""

    def run(self) -> None:
        properties = False
        for _ in range(MAX_ROUNDS):
            found = self.graph.automorphisms(self.fixed, properties=properties, seconds=self.deadline.left)
            if found is None:
                raise OutOfTime
            refused = self._certify(found)
            if not refused:
                return
            if not properties:
                properties = True
                continue
            self.complete = False
            self._combine(refused)
            blamed = set(self.blame(refused[0])) - self.fixed
            self.fixed |= blamed or {_first_moved(refused[0])}
        self.complete = False

    def _certify(self, found: Automorphisms) -> list[Images]:
        """Admits what it can; the generators that it cannot."""
        refused = [each for each in found.generators if not self.is_symmetry(each)]
        good = [each for each in found.generators if each not in refused]
        if not self.admitted and not refused:
            self.admitted += good
            self.order = found.order
        else:
            self._admit(good)
        return refused

    def _combine(self, refused: Sequence[Images]) -> None:
        """Permutations may be refused that are so only together, or only the first time."""
        for each in _combinations(refused)[:MAX_TRIES]:
            if self.is_symmetry(each):
                self._admit([each])

    def _admit(self, permutations: Sequence[Images]) -> None:
        known = Generated(self.admitted)
        for each in permutations:
            if each not in known:
                known.add(each)
                self.admitted.append(each)


class Generated:
    """The group that permutations generate, which may become more."""

    def __init__(self, generators: Sequence[Images] = ()) -> None:
        self._generators = list(generators)
        self._group: _core.ElementGroup | None = None

    def __contains__(self, permutation: Images) -> bool:
        from burnside import _core

        if not self._generators:
            return permutation == tuple(range(len(permutation)))
        if permutation in self._generators:
            return True
        if self._group is None:
            self._group = _core.ElementGroup(len(permutation), self._generators)
        return self._group.contains(permutation)

    def add(self, permutation: Images) -> None:
        self._generators.append(permutation)
        self._group = None


def _combinations(refused: Sequence[Images]) -> list[Images]:
    unit = tuple(range(len(refused[0])))
    found: dict[Images, None] = {}
    for each in refused:
        order = order_of(dict(enumerate(each)))
        for exponent in (number for number in range(2, order) if order % number == 0):
            found[_power(each, exponent)] = None
    for one, other in combinations(refused, 2):
        found |= {composed(one, other): None, composed(one, inverse(other)): None}
    found.pop(unit, None)
    return list(found)


def _power(permutation: Images, exponent: int) -> Images:
    result = tuple(range(len(permutation)))
    for _ in range(exponent):
        result = composed(result, permutation)
    return result


def inverse(permutation: Images) -> Images:
    result = [0] * len(permutation)
    for point, image in enumerate(permutation):
        result[image] = point
    return tuple(result)


def _first_moved(permutation: Images) -> int:
    return next(point for point, image in enumerate(permutation) if point != image)
