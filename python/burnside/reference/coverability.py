"""Coverability by the definitions: the tree of Karp and Miller (1969), and backward search (Abdulla et al. 1996).

In: a `Net`. Out: omega-markings of which the maximal ones are the minimal coverability set, and runs. No pruning but one: a
marking that was followed before is not followed again. Omega is `inf`, so that numbers are added and compared as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import inf
from typing import Any

from burnside.net import Net
from burnside.records import record

OMEGA = inf

Marking = tuple[float, ...]
"""Whole numbers and `OMEGA`."""


@record
class Node:
    """A node of the tree; `repeated`: the first ancestor from which the way here was repeated, to set omegas."""

    marking: Marking
    parent: Node | None
    transition: int | None
    repeated: Node | None = None

    def ancestors(self) -> Iterator[Node]:
        """From the node itself to the root."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def run(self) -> list[int]:
        """The transitions that lead here."""
        return [each.transition for each in self.ancestors() if each.transition is not None][::-1]


def karp_miller(net: Net) -> Iterator[Node]:
    """The nodes of the tree, breadth first. It is finite, and enormous."""
    waiting = [Node(tuple(net.initial), None, None)]
    followed: set[Marking] = set()
    for node in waiting:
        yield node
        if node.marking not in followed:
            followed.add(node.marking)
            waiting += [_successor(net, node, each) for each in net.enabled(node.marking)]  # type: ignore[arg-type]


def _successor(net: Net, node: Node, transition: int) -> Node:
    marking: Marking = net.fire(node.marking, transition)  # type: ignore[arg-type]
    repeated = None
    for ancestor in node.ancestors():
        if is_covered(ancestor.marking, marking) and ancestor.marking != marking:
            repeated = repeated or ancestor
            pairs = zip(ancestor.marking, marking, strict=True)
            marking = tuple(OMEGA if before < after else after for before, after in pairs)
    return Node(marking, node, transition, repeated)


def is_covered(below: Sequence[float], above: Sequence[float]) -> bool:
    return all(x <= y for x, y in zip(below, above, strict=True))


def maximal(markings: Iterable[Marking]) -> set[Marking]:
    """Those that no other covers."""
    different = set(markings)
    return {
        each
        for each in different
        if not any(each != other and is_covered(each, other) for other in different)
    }


def minimal(markings: Iterable[Marking]) -> set[Marking]:
    """Those that cover no other."""
    different = set(markings)
    return {
        each
        for each in different
        if not any(each != other and is_covered(other, each) for other in different)
    }


def images(marking: Marking, elements: Iterable[Sequence[int]]) -> set[Marking]:
    """Of a marking under permutations of the places, each given by its images."""
    found = set()
    for element in elements:
        moved: list[float] = [0] * len(marking)
        for place, image in enumerate(element):
            moved[image] = marking[place]
        found.add(tuple(moved))
    return found


def covers_symmetrically(below: Marking, above: Marking, elements: Iterable[Sequence[int]]) -> bool:
    """Junttila 2003, Def. 3.25, over all elements of the group."""
    return any(is_covered(below, each) for each in images(above, elements))


def predecessor(net: Net, marking: Marking, transition: int) -> Marking:
    """The least marking from which the transition leads to one that covers the marking."""
    needed = dict(net.consumes[transition])
    effect = {place: -weight for place, weight in needed.items()}
    for place, weight in net.produces[transition]:
        effect[place] = effect.get(place, 0) + weight
    return tuple(
        max(needed.get(place, 0), tokens - effect.get(place, 0)) for place, tokens in enumerate(marking)
    )


def backward(
    net: Net, goal: Iterable[Marking], check: Callable[[int], object] = lambda _: None
) -> list[int] | None:
    """A run to a marking that covers one of `goal`; None where there is none. `check` is called with the number of markings
    that are known, again and again."""
    runs: dict[Marking, list[int]] = {each: [] for each in minimal(goal)}
    waiting = list(runs)
    while waiting:
        check(len(runs))
        for marking in waiting:
            if is_covered(marking, net.initial):
                return runs[marking]
        new = {}
        for marking in waiting:
            for transition in range(len(net.transitions)):
                new[predecessor(net, marking, transition)] = [transition, *runs[marking]]
        waiting = [each for each in minimal(new) if not any(is_covered(other, each) for other in runs)]
        runs |= {each: new[each] for each in waiting}
    return None


def minimal_markings(core: Any, places: int) -> set[Marking]:
    """Of an upward-closed condition, as `conditions` writes it: every marking that satisfies it covers one of these."""
    match core:
        case ("<=", terms, constant):
            return _least(places, [(place, -k) for place, k in terms], constant)
        case ("not", ("=", terms, 0)):
            return _least(places, terms, 1)
        case ("or", parts):
            return minimal(each for part in parts for each in minimal_markings(part, places))
        case ("and", parts):
            choices = product(*(minimal_markings(part, places) for part in parts))
            return minimal(tuple(map(max, zip(*each, strict=True))) for each in choices)
        case _:
            return {(0,) * places} if core == ("true",) else set()


def _least(places: int, terms: Sequence[tuple[int, int]], bound: int) -> set[Marking]:
    """The markings for which the sum of the terms is at least the bound, and that need each token for it."""
    if bound <= 0:
        return {(0,) * places}
    found = set()
    ranges = [range(-(-bound // k) + 1) for _, k in terms]
    for numbers in product(*ranges):
        if sum(k * number for (_, k), number in zip(terms, numbers, strict=True)) >= bound:
            marking = [0] * places
            for (place, _), number in zip(terms, numbers, strict=True):
                marking[place] = number
            found.add(tuple(marking))
    return minimal(found)
