"""Does the cost of a state grow faster than the net? Families of growing size, reduced by search.

In: three families of the thesis. Out: one table: microseconds for each edge and each state, and how they
grew since the smallest net of the family, beside the growth of |P| + |T| + |F|. Sizes are of the net as a
user writes it. The counts of db are checked against their formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.benchmarks.measuring import Prepared, Settings, Timed, family, prepare, timed
from burnside.benchmarks.tables import Row, Table, TableSpec, named

FAMILIES: Mapping[str, Sequence[str]] = {
    "ph": tuple(f"ph {n}" for n in range(10, 17)),
    "db": tuple(f"db {n}" for n in range(8, 21, 2)),
    "grid": ("grid 2 3", "grid 2 4", "grid 2 5", "grid 2 6"),
}
SCALING = TableSpec(
    "scaling",
    "Cost of an edge and of a state as nets grow",
    named(
        "net | size | group order | states | edges | seconds | µs/edge | ns/(edge x size) | µs/state "
        "| growth of size | growth of µs/edge | verdict"
    ),
    "`search` guided by partitions, one thread, medians of three after a warm-up. Size is |P| + |T| + |F|. Every edge "
    "leads to one state that is canonicalised, compared with the stored ones, and perhaps stored; growth is counted "
    "since the first net of the family, and is met while the cost grows no faster than the size.",
)


def tables() -> Iterator[Table]:
    yield Table(SCALING, rows(FAMILIES))


def rows(families: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for nets in families.values():
        first: tuple[int, float] | None = None
        for net in nets:
            prepared = prepare(family(net))
            done = timed(prepared, Settings("search"))
            per_edge = done.seconds / done.exploration.transitions
            first = first or (prepared.size, per_edge)
            yield _row(net, prepared, done, (prepared.size / first[0], per_edge / first[1]))


def _row(net: str, prepared: Prepared, done: Timed, growth: tuple[float, float]) -> Row:
    found = done.exploration
    per_edge = done.seconds / found.transitions
    wrong = _wrong(net, found.states, found.transitions)
    verdict = wrong or ("met" if growth[1] <= growth[0] else "faster than the net")
    counts = (net, prepared.size, prepared.group.order, found.states, found.transitions, done.seconds)
    costs = (1e6 * per_edge, 1e9 * per_edge / prepared.size, 1e6 * done.seconds / found.states)
    return Row((*counts, *costs, *growth, verdict), wrong=bool(wrong))


def _wrong(net: str, states: int, edges: int) -> str:
    """Database managers: 1 + C(n+1, 2) orbits, n + 1 + (2/3)(n - 1) C(n+1, 2) edges between them."""
    name, size, *_ = net.split()
    if name != "db":
        return ""
    n = int(size)
    pairs = n * (n + 1) // 2
    expected = (1 + pairs, n + 1 + 2 * (n - 1) * pairs // 3)
    return "" if (states, edges) == expected else f"WRONG: expected {expected[0]:,} / {expected[1]:,}"
