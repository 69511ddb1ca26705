"""Strongly connected components, and those in which a fair run can stay for ever.

In: a graph by successors. Out: sets of nodes. Weak constraints are sets of which a component has to hold a node; strong
ones are pairs: where a component has a node of the first set, it has to have one of the second (Streett; Emerson and
Lei 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from burnside.records import record

Successors = Callable[[int], Iterable[int]]


@record(eq=False)
class Acceptance:
    """What a run has to do again and again. Each test is on nodes."""

    visited: tuple[Callable[[int], bool], ...]
    pairs: tuple[tuple[Callable[[int], bool], Callable[[int], bool]], ...] = ()

    def missing(self, component: Iterable[int]) -> bool:
        nodes = list(component)
        return not all(any(map(test, nodes)) for test in self.visited)

    def unanswered(self, component: Iterable[int]) -> list[Callable[[int], bool]]:
        """First sides of pairs that are met, and their second sides are not."""
        nodes = list(component)
        return [
            first for first, second in self.pairs if any(map(first, nodes)) and not any(map(second, nodes))
        ]

    def goals(self, component: Iterable[int]) -> Iterator[Callable[[int], bool]]:
        """What a cycle through this component has to visit."""
        nodes = list(component)
        yield from self.visited
        yield from (second for first, second in self.pairs if any(map(first, nodes)))


def accepting_components(
    nodes: Iterable[int], successors: Successors, acceptance: Acceptance
) -> Iterator[frozenset[int]]:
    """Components such that a run through all of their nodes, again and again, is accepted. Where a pair is unanswered, no
    run may visit its first side for ever, so what is left without it is looked at again."""
    waiting = [frozenset(nodes)]
    while waiting:
        inside = waiting.pop()
        for component in components(inside, successors):
            if not _has_cycle(component, successors) or acceptance.missing(component):
                continue
            unanswered = acceptance.unanswered(component)
            if not unanswered:
                yield component
            else:
                waiting.append(
                    frozenset(node for node in component if not any(test(node) for test in unanswered))
                )


def _has_cycle(component: frozenset[int], successors: Successors) -> bool:
    return len(component) > 1 or any(node in successors(node) for node in component)


def components(inside: frozenset[int], successors: Successors) -> Iterator[frozenset[int]]:
    """Of the graph on these nodes alone (Tarjan 1972, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []
    is_open: set[int] = set()
    work: list[tuple[int, Iterator[int]]] = []

    def enter(node: int) -> None:
        order[node] = low[node] = len(order)
        open_.append(node)
        is_open.add(node)
        work.append((node, iter([each for each in successors(node) if each in inside])))

    for root in inside:
        if root not in order:
            enter(root)
        while work:
            node, rest = work[-1]
            for each in rest:
                if each not in order:
                    enter(each)
                    break
                if each in is_open:
                    low[node] = min(low[node], order[each])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    found = set()
                    while node not in found:
                        found.add(open_.pop())
                    is_open.difference_update(found)
                    yield frozenset(found)


def reaching(targets: Iterable[int], predecessors: Sequence[Iterable[int]]) -> set[int]:
    """The nodes from which a target can be reached."""
    found = set(targets)
    waiting = list(found)
    while waiting:
        for each in predecessors[waiting.pop()]:
            if each not in found:
                found.add(each)
                waiting.append(each)
    return found


def shortest_path(
    starts: Iterable[int], successors: Successors, is_goal: Callable[[int], bool]
) -> list[int] | None:
    """Nodes from a start to a goal, both included."""
    parent: dict[int, int | None] = dict.fromkeys(starts)
    level = list(parent)
    while level:
        following: list[int] = []
        for node in level:
            if is_goal(node):
                path = [node]
                while (before := parent[path[-1]]) is not None:
                    path.append(before)
                return path[::-1]
            for each in successors(node):
                if each not in parent:
                    parent[each] = node
                    following.append(each)
        level = following
    return None
