"""The net families of Junttila 2003, 4.5.1, in the sizes of his Table 4.1, two of his examples, and three shapes of nets
whose groups are large or whose orbits are small.

In: whole numbers, already checked (see the table in `__init__`). Out: a `Net` whose names can be written in
expressions. Indices count from 1; the sections of the railroad count from 0, as in the thesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product

from burnside.net import Arcs, Net


class _Builder:
    """Collects places and transitions by name; every arc has weight 1 unless a place is named twice."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.initial: list[int] = []
        self.transitions: list[str] = []
        self.consumes: list[Arcs] = []
        self.produces: list[Arcs] = []

    def place(self, name: str, tokens: int = 0) -> str:
        self.places[name] = len(self.places)
        self.initial.append(tokens)
        return name

    def transition(self, name: str, consumes: Iterable[str], produces: Iterable[str]) -> None:
        self.transitions.append(name)
        self.consumes.append(self._arcs(consumes))
        self.produces.append(self._arcs(produces))

    def net(self, name: str) -> Net:
        return Net(
            name,
            tuple(self.places),
            tuple(self.initial),
            tuple(self.transitions),
            tuple(self.consumes),
            tuple(self.produces),
        )

    def _arcs(self, names: Iterable[str]) -> Arcs:
        return tuple(sorted(Counter(self.places[name] for name in names).items()))


def philosophers(n: int) -> Net:
    """Dining philosophers who take the left fork first: rotations only, a deadlock when all hold one fork."""
    b = _Builder()
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
    b = _Builder()
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
    b = _Builder()
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
    b = _Builder()
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
    b = _Builder()
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
    b = _Builder()
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
    b = _Builder()
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


def readers_and_writers(readers: int, writers: int) -> Net:
    """Readers read independently of each other; a writer needs all of them to stay away. Few states, a group of the order
    of readers! x writers!."""
    b = _Builder()
    for i in range(1, readers + 1):
        b.place(f"reader_{i}", 1)
        b.place(f"reading_{i}")
        b.place(f"book_{i}", 1)
    for j in range(1, writers + 1):
        b.place(f"writer_{j}", 1)
        b.place(f"writing_{j}")
    for i in range(1, readers + 1):
        b.transition(f"read_{i}", [f"reader_{i}", f"book_{i}"], [f"reading_{i}"])
        b.transition(f"stop_reading_{i}", [f"reading_{i}"], [f"reader_{i}", f"book_{i}"])
    books = [f"book_{i}" for i in range(1, readers + 1)]
    for j in range(1, writers + 1):
        b.transition(f"write_{j}", [f"writer_{j}", *books], [f"writing_{j}"])
        b.transition(f"stop_writing_{j}", [f"writing_{j}"], [f"writer_{j}", *books])
    return b.net(f"rwmutex {readers} {writers}")


def clients_and_servers(clients: int, servers: int) -> Net:
    """A client asks a server, which serves it; one question at a time. Places for each pair, so that one place in
    clients x servers holds a token."""
    b = _Builder()
    b.place("line", 1)
    for c in range(1, clients + 1):
        b.place(f"client_{c}", 1)
    for s in range(1, servers + 1):
        b.place(f"server_{s}", 1)
    for c, s in product(range(1, clients + 1), range(1, servers + 1)):
        b.place(f"asked_{c}_{s}")
        b.place(f"serving_{c}_{s}")
    for c, s in product(range(1, clients + 1), range(1, servers + 1)):
        b.transition(f"ask_{c}_{s}", [f"client_{c}", "line"], [f"asked_{c}_{s}"])
        b.transition(f"serve_{c}_{s}", [f"asked_{c}_{s}", f"server_{s}"], [f"serving_{c}_{s}"])
        answered = [f"client_{c}", f"server_{s}", "line"]
        b.transition(f"answer_{c}_{s}", [f"serving_{c}_{s}"], answered)
    return b.net(f"servers {clients} {servers}")


def lines(kinds: int, copies: int, length: int, moving: int) -> Net:
    """Tokens on lines of places, so many of which have left the start of their line at a time. Lines of one kind are
    interchangeable; those of the next have one place more. Wide states, of which a step changes two places."""
    b = _Builder()
    b.place("permits", moving)
    for kind, copy in product(range(1, kinds + 1), range(1, copies + 1)):
        last = length + kind - 1
        at = [b.place(f"line_{kind}_{copy}_{i}", int(i == 0)) for i in range(last + 1)]
        b.transition(f"leave_{kind}_{copy}", [at[0], "permits"], [at[1]])
        for i in range(1, last):
            b.transition(f"go_{kind}_{copy}_{i}", [at[i]], [at[i + 1]])
        b.transition(f"return_{kind}_{copy}", [at[last]], [at[0], "permits"])
    return b.net(f"lines {kinds} {copies} {length} {moving}")
