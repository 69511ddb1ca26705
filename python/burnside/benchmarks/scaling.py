"""Does the cost of a state grow faster than the net? Families of growing size, reduced by search.

In: three families of the thesis. Out: one table: microseconds for each edge and each state, and how they
grew since the smallest net of the family, beside the growth of |P| + |T| + |F|. Sizes are of the net as a
user writes it. The counts of db are checked against their formulas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.benchmarks.measuring import MethodSettings, Prepared, Timed, family, prepare, timed
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.records import astuple, record

FAMILIES: Mapping[str, Sequence[str]] = {
    "ph": tuple(f"ph {n}" for n in range(10, 17)),
    "db": tuple(f"db {n}" for n in range(8, 21, 2)),
    "grid": ("grid 2 4", "grid 2 5", "grid 2 6"),
}
SCALING = TableSpec(
    "scaling",
    "Cost of an edge and of a state as nets grow",
    named(
        "net | size | group order | states | edges | seconds | µs/edge | ns/(edge x size) | µs/state "
        "| size grew | µs/edge grew | µs/state grew | verdict"
    ),
    "`search` guided by partitions, one thread, medians of three or more after a warm-up. Size is |P| + |T| + |F|. "
    "Growth counts from the first net of the family: `met` where neither the cost of an edge nor that of a stored "
    "state grew faster than the size, `met by edge` where that is so for an edge alone: a state of a larger "
    "net has more edges, too.",
)


def tables() -> Iterator[Table]:
    yield Table(SCALING, rows(FAMILIES))


def rows(families: Mapping[str, Sequence[str]]) -> Iterator[Row]:
    for nets in families.values():
        first: UnitCosts | None = None
        for net in nets:
            prepared = prepare(family(net))
            done = timed(prepared, MethodSettings("search"))
            cost = _cost(prepared, done)
            first = first or cost
            yield _row(net, prepared, done, cost.since(first))


@record
class UnitCosts:
    """Of one net; or how much more than another's."""

    size: float
    edge: float
    state: float

    def since(self, first: UnitCosts) -> UnitCosts:
        return UnitCosts(self.size / first.size, self.edge / first.edge, self.state / first.state)

    @property
    def verdict(self) -> str:
        if self.edge > self.size:
            return "faster than the net"
        return "met" if self.state <= self.size else "met by edge"


def _cost(prepared: Prepared, done: Timed) -> UnitCosts:
    found = done.exploration
    return UnitCosts(prepared.size, done.seconds / found.transitions, done.seconds / found.states)


def _row(net: str, prepared: Prepared, done: Timed, growth: UnitCosts) -> Row:
    found = done.exploration
    cost = _cost(prepared, done)
    wrong = _wrong(net, found.states, found.transitions)
    counts = (net, prepared.size, prepared.group.order, found.states, found.transitions, done.seconds)
    costs = (1e6 * cost.edge, 1e9 * cost.edge / cost.size, 1e6 * cost.state)
    return Row((*counts, *costs, *astuple(growth), wrong or growth.verdict), wrong=bool(wrong))


def _wrong(net: str, states: int, edges: int) -> str:
    """Database managers: 1 + C(n+1, 2) orbits, n + 1 + (2/3)(n - 1) C(n+1, 2) edges between them."""
    name, size, *_ = net.split()
    if name != "db":
        return ""
    n = int(size)
    pairs = n * (n + 1) // 2
    expected = (1 + pairs, n + 1 + 2 * (n - 1) * pairs // 3)
    return "" if (states, edges) == expected else f"WRONG: expected {expected[0]:,} / {expected[1]:,}"
