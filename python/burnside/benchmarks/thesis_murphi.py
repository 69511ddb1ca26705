"""Table 7.1 of Junttila 2003, published against measured.

In: the published figures, below, and the programs they are for. Out: a table in which the canonical count
must be exact. What takes one representative of many (guided by partitions, A7.1, and by the tree of their
refinements, A7.2) may keep more states than there are orbits, never fewer; it is to keep no more than the
thesis's does. Seconds are the thesis's (1 GHz Athlon, rounded up) beside ours.

The thesis gives no sizes for the programs of the Murphi distribution. These are the ones in the headers of
the distribution; unreduced states and rules fired, where the thesis is silent, are from there or from formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from burnside.benchmarks.instances import explored, missing, prepared
from burnside.benchmarks.measuring import repeated
from burnside.benchmarks.tables import Cell, Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Request

MAX_REPEATED_SECONDS = 3.0
"""Counts are the point here: a run of more seconds is not repeated."""


@record
class Kept:
    """States of one column of the table, and its seconds."""

    states: int
    seconds: str


@record
class Published:
    """A row of Table 7.1: A7.3, which is canonical, A7.1 and A7.2; and what else is known."""

    model: str
    canonical: Kept
    by_partition: Kept
    by_tree: Kept
    rules: int | None = None
    """Fired in the canonical run."""
    full_states: int | None = None


@record
class Found:
    """A run of ours."""

    states: int
    transitions: int
    full_states: int | None
    stopped: str
    seconds: float


def _graphs(n: int, canonical: Kept, by_partition: Kept, by_tree: Kept) -> Published:
    """An orbit has half of all edges in the mean, and each is taken away from either end."""
    pairs = n * (n - 1) // 2
    return Published(f"graphs N={n}", canonical, by_partition, by_tree, canonical.states * pairs, 2**pairs)


def _digraphs(n: int, canonical: Kept, by_partition: Kept, by_tree: Kept) -> Published:
    arcs = n * (n - 1)
    rules = canonical.states * arcs // 2
    return Published(f"digraphs N={n}", canonical, by_partition, by_tree, rules, 2**arcs)


PUBLISHED = (
    Published("cache3 ProcCount=5", Kept(31_433, "556"), Kept(31_433, "5"), Kept(31_433, "5"), rules=264_758),
    Published("mcslock1 N=4", Kept(23_636, "33"), Kept(23_644, "2"), Kept(23_636, "2"), full_states=554_221),
    Published("list6 CellCount=5", Kept(23_410, "62"), Kept(23_410, "2"), Kept(23_410, "2"), rules=99_874),
    Published(
        "n_peterson N=7", Kept(163_298, "420"), Kept(163_298, "32"), Kept(163_298, "35"), rules=1_143_086
    ),
    _digraphs(3, Kept(16, "1"), Kept(16, "1"), Kept(16, "1")),
    _digraphs(4, Kept(218, "1"), Kept(228, "1"), Kept(218, "1")),
    _digraphs(5, Kept(9_608, "54"), Kept(9_832, "5"), Kept(9_616, "5")),
    _graphs(5, Kept(34, "1"), Kept(40, "1"), Kept(34, "1")),
    _graphs(6, Kept(156, "5"), Kept(243, "1"), Kept(156, "1")),
    _graphs(7, Kept(1_044, "63"), Kept(1_683, "5"), Kept(1_046, "4")),
    _graphs(8, Kept(12_346, "1556"), Kept(19_601, "99"), Kept(12_376, "67")),
)
# A7.3 did not finish it within an hour: the canonical count is that of Murphi's own reductions.
LONG = (Published("ldash RemoteCount=4", Kept(254_743, ">1h"), Kept(254_755, "356"), Kept(254_743, "354")),)

COLUMNS = named(
    "model | states | orbits | rules fired | seconds | thesis seconds "
    "| by partition | thesis by partition | seconds by partition | thesis seconds by partition "
    "| by tree | thesis by tree | seconds by tree | thesis seconds by tree | verdict"
)
NOTE = (
    "Orbits must be exact (`search`), against A7.3, which uses nauty; rules fired and states of the unreduced "
    "program where they are known. `representative` guided by partitions stands against A7.1, guided by the tree "
    "against A7.2: fewer states than orbits would be wrong, more than in the thesis is `missed`. adash, eadash and "
    "mcslock2 are not measured. One thread; seconds are of the exploration."
)
TABLE = TableSpec("thesis-murphi", "Junttila 2003, Table 7.1: Murphi programs", COLUMNS, NOTE)
LONG_TABLE = TableSpec(
    "thesis-murphi-long",
    "Junttila 2003, Table 7.1: Murphi programs, long row",
    COLUMNS,
    "The row of this table that takes minutes (`burnside bench thesis-murphi-full`). " + NOTE,
)

Run = Callable[[str, Request], Found]


def tables() -> Iterator[Table]:
    yield Table(TABLE, rows(PUBLISHED))


def long_tables() -> Iterator[Table]:
    yield Table(LONG_TABLE, rows(LONG))


def run(model: str, request: Request, max_seconds: float = MAX_REPEATED_SECONDS) -> Found:
    check = prepared(model, request)
    found, seconds = repeated(lambda: explored(check), max_seconds)
    return Found(found.states, found.transitions, found.full_states, found.stopped, seconds)


def rows(published: Sequence[Published], run: Run = run) -> Iterator[Row]:
    for row in published:
        why = missing(row.model)
        yield without_figures(TABLE, row.model, why) if why else _row(row, run)


def _row(row: Published, run: Run) -> Row:
    canonical = run(row.model, _request("search"))
    by_partition = run(row.model, _request("representative", "partition"))
    by_tree = run(row.model, _request("representative", "tree"))
    guided = {"by partition": (by_partition, row.by_partition), "by tree": (by_tree, row.by_tree)}
    wrong = _wrong_orbits(row, canonical)
    wrong += [text for name, (found, _) in guided.items() for text in _impossible(row, name, found)]
    missed = [name for name, (found, kept) in guided.items() if found.states > kept.states]
    verdict = "WRONG: " + ", ".join(wrong) if wrong else "; missed ".join(("exact", *missed))
    cells: list[Cell] = [row.model, canonical.full_states, canonical.states, canonical.transitions]
    cells += [canonical.seconds, row.canonical.seconds]
    for found, kept in guided.values():
        cells += [found.states, kept.states, found.seconds, kept.seconds]
    return Row((*cells, verdict), wrong=bool(wrong))


def _request(reduce: str, guide: str | None = None) -> Request:
    """Deadlocks are no errors here: the graph without edges is one, and ends nothing."""
    return Request(reduce=reduce, guide=guide, symmetry="declared", deadlock=False, threads=1)


def _wrong_orbits(row: Published, found: Found) -> list[str]:
    pairs = {
        "orbits": (found.states, row.canonical.states),
        "rules": (found.transitions, row.rules),
        "states": (found.full_states, row.full_states),
    }
    wrong = [
        f"{name}: expected {value:,}"
        for name, (count, value) in pairs.items()
        if value is not None and count != value
    ]
    return wrong if found.stopped == "exhausted" else [*wrong, f"stopped by {found.stopped}"]


def _impossible(row: Published, name: str, found: Found) -> Iterator[str]:
    if found.stopped != "exhausted":
        yield f"{name} stopped by {found.stopped}"
    elif found.states < row.canonical.states:
        yield f"{name}: fewer states than orbits"
