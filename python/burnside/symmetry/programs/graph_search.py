"""Symmetries from the graph of a program, as many as are certified.

In: the graph, a certifier, points that stay. Out: certified permutations, and whether they generate all automorphisms of
the graph. First nauty is asked without the properties: automorphisms that a property does not allow say which property
costs symmetries. Where one is refused for another reason, its powers and products with other refused ones are tried, then
the points that are to blame are fixed, and nauty is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations

from burnside.limits import Deadline, OutOfTime
from burnside.records import field, record
from burnside.symmetry.points import Images, composed
from burnside.symmetry.programs.program_graph import Automorphisms, ProgramGraph
from burnside.symmetry.structure import order_of

MAX_ROUNDS = 8
"""Questions to nauty."""
MAX_TRIES = 40
"""Powers and products that are tried in a round."""
MAX_POINTS = 2000
"""Beyond that, nothing is done to certify fewer permutations."""

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
        few = few_generators(found)
        if all(map(self.is_symmetry, few)):
            self._admit(few)
            return []
        refused: list[Images] = []
        for each in found.generators:
            if self.is_symmetry(each):
                self._admit([each])
            else:
                refused.append(each)
        return refused

    def _combine(self, refused: Sequence[Images]) -> None:
        """Permutations may be refused that are so only together, or only the first time."""
        for each in _combinations(refused)[:MAX_TRIES]:
            if self.is_symmetry(each):
                self._admit([each])

    def _admit(self, permutations: Sequence[Images]) -> None:
        for each in permutations:
            if not generates(self.admitted, each):
                self.admitted.append(each)


def generates(generators: Sequence[Images], permutation: Images) -> bool:
    from burnside import _core

    if not generators:
        return permutation == tuple(range(len(permutation)))
    return _core.ElementGroup(len(permutation), generators).contains(permutation)


def few_generators(found: Automorphisms) -> list[Images]:
    """Of the same group. nauty finds as many as a chain of stabilisers is long; two are often enough: one of them, and the
    product of all."""
    given = list(found.generators)
    if len(given) < 3 or len(given[0]) > MAX_POINTS:
        return given
    everything = given[0]
    for each in given[1:]:
        everything = composed(everything, each)
    few = [everything]
    for each in given:
        if not generates(few, each):
            few.append(each)
    few.append(few.pop(0))
    return few


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
