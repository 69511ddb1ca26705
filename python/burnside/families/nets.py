"""The net families of Junttila 2003, 4.5.1, in the sizes of his Table 4.1, and two of his examples.

In: whole numbers, already checked (see the table in `__init__`). Out: a `Net` whose names can be written in
expressions. Indices count from 1; the sections of the railroad count from 0, as in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations, product

from burnside.families.builder import NetBuilder
from burnside.net import Net


def philosophers(n: int) -> Net:
    """Dining philosophers who take the left fork first: rotations only, a deadlock when all hold one fork."""
    b = NetBuilder()
    for i in range(1, n + 1):
        b.place(f"thinking_{i}", 1)
        b.place(f"has_left_{i}")
        b.place(f"eating_{i}")
        b.place(f"fork_{i}", 1)
    for i in range(1, n + 1):
        left, right = f"fork_{i}", f"fork_{i % n + 1}"
        b.transition(f"take_left_{i}", [f"thinking_{i}", left], [f"has_left_{i}"])
        b.transition(f"take_right_{i}", [f"has_left_{i}", right], [f"eating_{i}"])
        b.transition(f"release_{i}", [f"eating_{i}"], [f"thinking_{i}", left, right])
    return b.net(f"ph {n}")


def database(n: int) -> Net:
    """Jensen's database managers: one updates and tells the others, who acknowledge.

    Messages not in use have no place of their own: Table 4.1 counts 3n^2 + 1 places.
    """
    b = NetBuilder()
    managers = range(1, n + 1)
    others = {s: [r for r in managers if r != s] for s in managers}
    b.place("passive", 1)
    for s in managers:
        b.place(f"inactive_{s}", 1)
        b.place(f"waiting_{s}")
        b.place(f"performing_{s}")
    for s, r in permutations(managers, 2):
        for kind in ("sent", "received", "acked"):
            b.place(f"{kind}_{s}_{r}")
    for s in managers:
        sent, acked = [f"sent_{s}_{r}" for r in others[s]], [f"acked_{s}_{r}" for r in others[s]]
        b.transition(f"update_{s}", [f"inactive_{s}", "passive"], [f"waiting_{s}", *sent])
        b.transition(f"finish_{s}", [f"waiting_{s}", *acked], [f"inactive_{s}", "passive"])
    for s, r in permutations(managers, 2):
        working = [f"received_{s}_{r}", f"performing_{r}"]
        b.transition(f"receive_{s}_{r}", [f"sent_{s}_{r}", f"inactive_{r}"], working)
        b.transition(f"acknowledge_{s}_{r}", working, [f"acked_{s}_{r}", f"inactive_{r}"])
    return b.net(f"db {n}")


def grid(d: int, n: int) -> Net:
    """n^d agents, critical only where no neighbour is: markings are the independent sets of the grid."""
    b = NetBuilder()
    agents = list(product(range(1, n + 1), repeat=d))
    names = {agent: "_".join(map(str, agent)) for agent in agents}
    for name in names.values():
        b.place(f"idle_{name}", 1)
        b.place(f"critical_{name}")
    for agent, name in names.items():
        watched = [f"idle_{names[other]}" for other in _neighbours(agent, n)]
        b.transition(f"enter_{name}", [f"idle_{name}", *watched], [f"critical_{name}", *watched])
        b.transition(f"leave_{name}", [f"critical_{name}"], [f"idle_{name}"])
    return b.net(f"grid {d} {n}")


def _neighbours(agent: tuple[int, ...], n: int) -> Iterable[tuple[int, ...]]:
    for axis, at in enumerate(agent):
        for moved in (at - 1, at + 1):
            if 1 <= moved <= n:
                yield (*agent[:axis], moved, *agent[axis + 1 :])


def graphs(n: int) -> Net:
    """Every undirected graph on n vertices is a marking: start complete, delete edges.

    The gadgets `end_*` never fire, as no vertex holds a token; they tie an edge to its two ends, so that the
    symmetries are those of the vertices. One transition for each end agrees with the counts of the thesis.
    """
    b = NetBuilder()
    vertices = range(1, n + 1)
    for v in vertices:
        b.place(f"vertex_{v}")
    for v, w in combinations(vertices, 2):
        b.place(f"edge_{v}_{w}", 1)
    for v, w in combinations(vertices, 2):
        edge = f"edge_{v}_{w}"
        b.transition(f"delete_{v}_{w}", [edge], [])
        b.transition(f"end_{v}_{w}_at_{v}", [f"vertex_{v}", edge], [])
        b.transition(f"end_{v}_{w}_at_{w}", [f"vertex_{w}", edge], [])
    return b.net(f"graphs {n}")


def digraphs(n: int) -> Net:
    """As `graphs`, for directed graphs without self-loops; two different gadgets distinguish source and target."""
    b = NetBuilder()
    vertices = range(1, n + 1)
    for v in vertices:
        b.place(f"vertex_{v}")
    for v, w in permutations(vertices, 2):
        b.place(f"edge_{v}_{w}", 1)
    for v, w in permutations(vertices, 2):
        edge = f"edge_{v}_{w}"
        b.transition(f"delete_{v}_{w}", [edge], [])
        b.transition(f"source_{v}_{w}", [f"vertex_{v}", edge], [])
        b.transition(f"target_{v}_{w}", [f"vertex_{w}"], [edge])
    return b.net(f"digraphs {n}")


def railroad(sections: int = 6, trains: int = 2) -> Net:
    """Trains on a ring, spread evenly, never in the same or adjacent sections (Junttila 2003, Example 3.1).

    Section i may be entered (`signal_i`) while neither it nor the section after it holds a train: so the
    train in section i keeps the signals i and i-1, and gives i-1 back when it leaves.
    """
    b = NetBuilder()
    starts = [x * sections // trains for x in range(trains)]
    for x, start in enumerate(starts, 1):
        for i in range(sections):
            b.place(f"train_{x}_in_{i}", int(i == start))
    held = {place % sections for start in starts for place in (start, start - 1)}
    for i in range(sections):
        b.place(f"signal_{i}", int(i not in held))
    for x in range(1, trains + 1):
        for i in range(sections):
            after, before = (i + 1) % sections, (i - 1) % sections
            b.transition(
                f"go_{x}_{i}",
                [f"train_{x}_in_{i}", f"signal_{after}"],
                [f"train_{x}_in_{after}", f"signal_{before}"],
            )
    return b.net(f"railroad {sections} {trains}")


def mutex(n: int) -> Net:
    """Junttila 2003, Example 2.1: "nobody is critical" is a token that the critical process holds."""
    b = NetBuilder()
    b.place("free", 1)
    for i in range(1, n + 1):
        b.place(f"noncritical_{i}", 1)
        b.place(f"trying_{i}")
        b.place(f"critical_{i}")
    for i in range(1, n + 1):
        b.transition(f"try_{i}", [f"noncritical_{i}"], [f"trying_{i}"])
        b.transition(f"enter_{i}", [f"trying_{i}", "free"], [f"critical_{i}"])
        b.transition(f"leave_{i}", [f"critical_{i}"], [f"noncritical_{i}", "free"])
    return b.net(f"mutex {n}")
