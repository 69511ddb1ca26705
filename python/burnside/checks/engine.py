"""What both kinds of checks ask of the core in the same way."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from burnside.plan import Plan

if TYPE_CHECKING:
    from burnside import _core
    from burnside.report.spaces import StateGraph


def method_of(plan: Plan) -> _core.Method:
    from burnside import _core

    return _core.Method(plan.method, plan.guide, plan.selector, plan.budget, plan.prune, rounds=plan.rounds)


def never_enabled(
    names: Sequence[str], firings: Sequence[int], images: Sequence[Sequence[int]]
) -> tuple[str, ...]:
    """The actions that were not, by how often each was. What happens to one action happens to its images too (`images`: by
    generator, of each action): where symmetries exchange actions, a reduced run sees only some of them."""
    known = [times > 0 for times in firings]
    waiting = [number for number, each in enumerate(known) if each]
    while waiting:
        number = waiting.pop()
        for image in {each[number] for each in images}:
            if not known[image]:
                known[image] = True
                waiting.append(image)
    return tuple(name for name, happened in zip(names, known, strict=True) if not happened)


def space_graph(graph: _core.StateGraph, judged: Mapping[int, tuple[str, str]]) -> StateGraph:
    """The core's graph of a program or machine; `judged`: kind and name of a property by its number."""
    from burnside.report.spaces import StateGraph

    violated: dict[int, list[str]] = defaultdict(list)
    reached: dict[int, list[str]] = defaultdict(list)
    for state, number in graph.judged:
        kind, name = judged.get(number, ("", ""))
        if kind:
            (reached if kind == "goal" else violated)[state].append(name)
    return StateGraph(
        graph.states,
        graph.orbit_sizes,
        graph.edges,
        initial=frozenset(range(graph.initial)),
        deadlocks=frozenset(graph.deadlocks),
        redirected=graph.redirected,
        equivalent_initial=only_equivalent(graph.starts, graph.redirected_starts),
        failures=graph.failures,
        violated=violated,
        reached=reached,
        explored=graph.explored,
    )


def only_equivalent(starts: Sequence[tuple[int, int]], redirected: Sequence[bool]) -> frozenset[int]:
    """The states that stand for initial ones and that no start (label, state) leads to itself."""
    exact = {state for (_, state), elsewhere in zip(starts, redirected, strict=True) if not elsewhere}
    return frozenset(state for _, state in starts if state not in exact)


def default_memory() -> int | None:
    """Three quarters of the machine's memory: an endless model ends with an answer before the machine does."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
    except (ValueError, OSError):
        return None
