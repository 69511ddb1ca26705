"""Tables 4.1, 4.3, 4.4 and 4.5 of Junttila 2003, published against measured.

In: the published figures, below. Out: four tables in which every count must be exact: places, transitions,
order of the group, markings, edges, and the trivial share of Tables 4.4 and 4.5 to its printed digits.
Easy shares and search nodes depend on base and selector and are shown only. Seconds are the thesis's
(1 GHz Athlon, rounded up) beside ours. Where the thesis gives markings by a formula, the sum of the orbit
sizes of the reduced run is compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import factorial
from typing import TYPE_CHECKING

from burnside.benchmarks.measuring import MethodSettings, Prepared, Timed, family, prepare, timed
from burnside.benchmarks.tables import Cell, Row, Table, TableSpec, named
from burnside.records import field, record, replace

if TYPE_CHECKING:
    from burnside import _core

MAX_REPEATED_SECONDS = 3.0
"""Counts are the point here: a run of more seconds is not repeated."""


@record
class Unreduced:
    """A row of Table 4.1. Edges are None where markings were counted by a formula only."""

    net: str
    places: int
    transitions: int
    group_order: int
    markings: int
    edges: int | None
    seconds: str = ""
    misprint: str = ""
    """What the thesis prints for the markings, where that is wrong."""


@record
class Reduced:
    """A row of Tables 4.3 to 4.5. Percentages are text: the printed digits are what has to agree."""

    net: str
    markings: int
    edges: int
    seconds: str
    trivial: str = ""
    easy: str = ""
    most_nodes: str = ""
    mean_nodes: str = ""


@record
class Setup:
    """How one of the Tables 4.3 to 4.5 is measured."""

    spec: TableSpec
    settings: MethodSettings
    rows: Sequence[Reduced]
    trivial_is_exact: bool
    selectors: Mapping[str, str] = field(default_factory=dict)
    """Other selectors than the table's, by net."""


UNREDUCED = (
    Unreduced("ph 10", 40, 30, 10, 6_726, 43_480, "1"),
    Unreduced("ph 13", 52, 39, 13, 94_642, 795_353, "4"),
    Unreduced("ph 16", 64, 48, 16, 1_331_714, 13_774_112, "90"),
    Unreduced("db 8", 193, 128, 40_320, 17_497, 81_664, "1"),
    Unreduced("db 9", 244, 162, 362_880, 59_050, 314_946, "3"),
    Unreduced("db 10", 301, 200, 3_628_800, 196_831, 1_181_000, "15"),
    Unreduced("db 20", 1201, 800, factorial(20), 1 + 20 * 3**19, None),
    Unreduced("grid 2 5", 50, 50, 8, 55_447, 688_478, "3"),
    Unreduced("grid 3 3", 54, 54, 48, 70_633, 897_594, "4"),
    Unreduced("grid 5 2", 64, 64, 3_840, 254_475, 3_689_792, "20"),
    Unreduced("graphs 6", 21, 45, 720, 2**15, 245_760, "1", misprint="32,678"),
    Unreduced("graphs 7", 28, 63, 5_040, 2**21, 22_020_096, "86"),
    Unreduced("graphs 8", 36, 84, 40_320, 2**28, None),
    Unreduced("graphs 9", 45, 108, 362_880, 2**36, None),
    Unreduced("digraphs 3", 9, 18, 6, 2**6, 192, "1"),
    Unreduced("digraphs 4", 16, 36, 24, 2**12, 24_576, "1"),
    Unreduced("digraphs 5", 25, 60, 120, 2**20, 10_485_760, "39"),
    Unreduced("digraphs 6", 36, 90, 720, 2**30, None),
)

BY_MARKING = (
    Reduced("ph 10", 684, 4_421, "1", "7.71", "0.50", "9", "1.38"),
    Reduced("ph 13", 7_282, 61_193, "1", "2.85", "0.00", "12", "2.09"),
    Reduced("ph 16", 83_311, 861_696, "15", "1.04", "0.01", "15", "2.98"),
    Reduced("db 8", 37, 177, "1", "0", "6.21", "66", "24.98"),
    Reduced("db 9", 46, 250, "1", "0", "4.80", "132", "39.49"),
    Reduced("db 10", 56, 341, "1", "0", "3.81", "259", "60.36"),
    Reduced("db 20", 211, 2_681, "172", "0", "0.86", "40152", "1844.12"),
    Reduced("grid 2 5", 7_471, 92_982, "1", "0", "3.88", "7", "2.07"),
    Reduced("grid 3 3", 2_103, 26_994, "1", "0", "1.59", "46", "12.14"),
    Reduced("grid 5 2", 288, 4_253, "1", "0", "1.03", "278", "126.94"),
    Reduced("graphs 6", 156, 1_170, "1", "0", "0.09", "313", "109.76"),
    Reduced("graphs 7", 1_044, 10_962, "3", "0", "0.01", "1413", "272.48"),
    Reduced("graphs 8", 12_346, 172_844, "82", "0", "0.00", "8770", "580.28"),
    Reduced("graphs 9", 274_668, 4_944_024, "5036", "0", "0.00", "70017", "226.80"),
    Reduced("digraphs 3", 16, 48, "1", "29.17", "22.92", "2", "1.17"),
    Reduced("digraphs 4", 218, 1_308, "1", "0", "4.05", "7", "3.15"),
    Reduced("digraphs 5", 9_608, 96_080, "2", "0", "0.09", "27", "7.97"),
    Reduced("digraphs 6", 1_540_944, 23_114_160, "929", "0", "0.00", "93", "17.19"),
)

BY_PARTITION = (
    Reduced("ph 10", 684, 4_421, "1", "98.76", "1.24"),
    Reduced("ph 13", 7_282, 61_193, "4", "99.997", "0.003"),
    Reduced("ph 16", 83_311, 861_696, "66", "99.91", "0.09"),
    Reduced("db 8", 37, 177, "1", "0", "100"),
    Reduced("db 9", 46, 250, "1", "0", "100"),
    Reduced("db 10", 56, 341, "1", "0", "100"),
    Reduced("db 20", 211, 2_681, "27", "0", "100"),
    Reduced("grid 2 5", 7_471, 92_982, "9", "90.86", "8.71", "2", "1.19"),
    Reduced("grid 3 3", 2_103, 26_994, "4", "60.82", "33.22", "16", "1.86"),
    Reduced("grid 5 2", 288, 4_253, "1", "2.26", "72.00", "15", "2.30"),
    Reduced("graphs 6", 156, 1_170, "1", "11.11", "57.78", "40", "3.31"),
    Reduced("graphs 7", 1_044, 10_962, "1", "24.70", "50.58", "196", "3.18"),
    Reduced("graphs 8", 12_346, 172_844, "15", "40.52", "42.95", "535", "3.71"),
    Reduced("graphs 9", 274_668, 4_944_024, "586", "57.46", "33.92", "2045", "3.02"),
    Reduced("digraphs 3", 16, 48, "1", "77.08", "22.92"),
    Reduced("digraphs 4", 218, 1_308, "1", "78.29", "21.18", "3", "2.29"),
    Reduced("digraphs 5", 9_608, 96_080, "7", "89.15", "10.22", "10", "1.52"),
    Reduced("digraphs 6", 1_540_944, 23_114_160, "2404", "95.68", "4.05", "34", "1.10"),
)

# The thesis's nauty did not finish db 20 and digraphs 6 within a day: their counts are those of Table 4.4.
BY_NAUTY = (
    Reduced("ph 10", 684, 4_421, "8", "98.76", "", "3", "3.00"),
    Reduced("ph 13", 7_282, 61_193, "201", "99.997", "", "3", "3.00"),
    Reduced("ph 16", 83_311, 861_696, "4866", "99.91", "", "3", "3.00"),
    Reduced("db 8", 37, 177, "87", "0", "", "36", "18.09"),
    Reduced("db 9", 46, 250, "278", "0", "", "45", "24.11"),
    Reduced("db 10", 56, 341, "877", "0", "", "55", "31.12"),
    Reduced("db 20", 211, 2_681, ">24h"),
    Reduced("grid 2 5", 7_471, 92_982, "2303", "90.86", "", "8", "3.13"),
    Reduced("grid 3 3", 2_103, 26_994, "1498", "60.82", "", "10", "3.52"),
    Reduced("grid 5 2", 288, 4_253, "920", "2.26", "", "21", "5.71"),
    Reduced("graphs 6", 156, 1_170, "3", "11.11", "", "21", "5.47"),
    Reduced("graphs 7", 1_044, 10_962, "38", "24.70", "", "28", "5.29"),
    Reduced("graphs 8", 12_346, 172_844, "1053", "40.52", "", "36", "4.83"),
    Reduced("graphs 9", 274_668, 4_944_024, "49916", "57.46", "", "45", "4.26"),
    Reduced("digraphs 3", 16, 48, "1", "77.08", "", "4", "3.09"),
    Reduced("digraphs 4", 218, 1_308, "2", "78.29", "", "8", "3.23"),
    Reduced("digraphs 5", 9_608, 96_080, "243", "89.15", "", "13", "3.23"),
    Reduced("digraphs 6", 1_540_944, 23_114_160, ">24h"),
)

LONG = frozenset({"graphs 9", "digraphs 6"})
"""Minutes each, where the search is not guided by partitions."""

COLUMNS = named(
    "net | markings | edges | trivial % | thesis trivial % | easy % | thesis easy % | most nodes | thesis most nodes "
    "| mean nodes | thesis mean nodes | seconds | thesis seconds | verdict"
)
INDICATIVE = (
    "Easy shares and search nodes depend on base and selector, which the thesis does not give: they are shown, "
    "not compared. Seconds include the classification of every marking (`--stats`)."
)


def _spec(number: str, title: str, note: str) -> TableSpec:
    return TableSpec(f"thesis-{number}", f"Junttila 2003, Table {number}: {title}", COLUMNS, note)


TABLE_1 = TableSpec(
    "thesis-4.1",
    "Junttila 2003, Table 4.1: the nets, no reduction",
    named("net | places | transitions | group order | markings | edges | seconds | thesis seconds | verdict"),
    "Every count is exact or the row is wrong. Where no edges are given, the thesis counts markings by a formula, and "
    "so do we: by the orbit sizes of the reduced run, whose seconds stand here.",
)
TABLE_3 = _spec(
    "4.3",
    "search guided by the marking",
    "Markings and edges must be exact. The selector is the thesis's, the largest value of least frequency; db 20 takes "
    "the least value, as its tree is too wide otherwise. graphs 9 and digraphs 6: see the long table. "
    + INDICATIVE,
)
TABLE_4 = _spec(
    "4.4",
    "search guided by equitable partitions",
    "Markings, edges and the trivial share must be exact, the share to its printed digits. " + INDICATIVE,
)
TABLE_5 = _spec(
    "4.5",
    "nauty",
    "Markings, edges and the trivial share must be exact, the share to its printed digits; nauty does not "
    "distinguish easy from hard markings. graphs 9 and digraphs 6: see the long table. " + INDICATIVE,
)


def _long(spec: TableSpec) -> TableSpec:
    note = "The rows of this table that take minutes (`burnside bench thesis-nets-full`). " + INDICATIVE
    return TableSpec(f"{spec.name}-long", f"{spec.title}, long rows", spec.columns, note)


MARKING = Setup(
    TABLE_3,
    MethodSettings("search", "marking", "max-min-frequency", stats=True),
    BY_MARKING,
    trivial_is_exact=False,
    selectors={"db 20": "min"},
)
PARTITION = Setup(
    TABLE_4, MethodSettings("search", "partition", stats=True), BY_PARTITION, trivial_is_exact=True
)
NAUTY = Setup(TABLE_5, MethodSettings("nauty", stats=True), BY_NAUTY, trivial_is_exact=True)

SPECS = (TABLE_1, TABLE_3, TABLE_4, TABLE_5)
LONG_SPECS = (_long(TABLE_3), _long(TABLE_5))


class _Runs:
    """Each run once: Table 4.1 takes the large ones from Table 4.4."""

    def __init__(self) -> None:
        self._nets: dict[str, Prepared] = {}
        self._done: dict[tuple[str, MethodSettings], Timed] = {}

    def prepared(self, net: str) -> Prepared:
        if net not in self._nets:
            self._nets[net] = prepare(family(net))
        return self._nets[net]

    def timed(self, net: str, settings: MethodSettings) -> Timed:
        if (net, settings) not in self._done:
            self._done[net, settings] = timed(self.prepared(net), settings, MAX_REPEATED_SECONDS)
        return self._done[net, settings]


def tables() -> Iterator[Table]:
    """What `thesis-nets` runs: all but the long rows of Tables 4.3 and 4.5."""
    runs = _Runs()
    yield Table(TABLE_1, unreduced_rows(UNREDUCED, runs.prepared, runs.timed))
    for setup in (MARKING, PARTITION, NAUTY):
        rows = [row for row in setup.rows if setup is PARTITION or row.net not in LONG]
        yield Table(setup.spec, reduced_rows(setup, rows, runs.timed))


def long_tables() -> Iterator[Table]:
    runs = _Runs()
    for setup in (MARKING, NAUTY):
        rows = [row for row in setup.rows if row.net in LONG]
        yield Table(_long(setup.spec), reduced_rows(setup, rows, runs.timed))


Run = Callable[[str, MethodSettings], Timed]


def unreduced_rows(
    published: Sequence[Unreduced], prepared: Callable[[str], Prepared], run: Run
) -> Iterator[Row]:
    for row in published:
        found = prepared(row.net)
        done = run(row.net, PARTITION.settings if row.edges is None else MethodSettings("none"))
        exploration = done.exploration
        counts = (
            len(found.net.places),
            len(found.net.transitions),
            found.group.order,
            exploration.full_states,
            None if row.edges is None else exploration.transitions,
        )
        expected = (row.places, row.transitions, row.group_order, row.markings, row.edges)
        wrong = _differences(TABLE_1.columns[1:6], counts, expected, exploration.stopped)
        remark = f"the thesis misprints {row.misprint} markings" if row.misprint else ""
        cells = (row.net, *counts, done.seconds, row.seconds, _verdict(wrong, remark))
        yield Row(cells, wrong=bool(wrong))


def reduced_rows(setup: Setup, published: Sequence[Reduced], run: Run) -> Iterator[Row]:
    for row in published:
        settings = replace(setup.settings, selector=setup.selectors.get(row.net, setup.settings.selector))
        done = run(row.net, settings)
        wrong = _wrong_in(setup, row, done.exploration)
        remark = "" if settings == setup.settings else f"selector {settings.selector}"
        verdict = _verdict(wrong, remark)
        yield Row((*_reduced_cells(setup, row, done), row.seconds, verdict), wrong=bool(wrong))


def _wrong_in(setup: Setup, row: Reduced, found: _core.Exploration) -> list[str]:
    counts, expected = (found.states, found.transitions), (row.markings, row.edges)
    wrong = _differences(("markings", "edges"), counts, expected, found.stopped)
    if setup.trivial_is_exact and row.trivial:
        share = _printed(row.trivial)
        if _share(found.trivial, found, row.trivial) != share:
            wrong.append(f"trivial: expected {share}")
    return wrong


def _reduced_cells(setup: Setup, row: Reduced, done: Timed) -> Iterator[Cell]:
    found = done.exploration
    yield from (row.net, found.states, found.transitions)
    yield from (_share(found.trivial, found, row.trivial), row.trivial)
    yield from (_share(found.easy, found, row.easy) if setup.settings.method == "search" else None, row.easy)
    yield from (found.most_search_nodes, row.most_nodes)
    yield from (found.search_nodes / found.canonicalised if found.canonicalised else None, row.mean_nodes)
    yield done.seconds


def _share(part: int, found: _core.Exploration, printed: str) -> str:
    """A percentage of the edges, with as many digits as the thesis prints for it, two at least."""
    return f"{100 * part / max(1, found.transitions):.{_decimals(printed)}f}"


def _printed(percentage: str) -> str:
    """The thesis prints a share of nothing as 0."""
    return f"{float(percentage):.{_decimals(percentage)}f}"


def _decimals(printed: str) -> int:
    return max(2, len(printed.partition(".")[2]))


def _differences(
    names: Sequence[str], counts: Sequence[int | None], expected: Sequence[int | None], stopped: str
) -> list[str]:
    pairs = zip(names, counts, expected, strict=True)
    wrong = [
        f"{name}: expected {value:,}" for name, count, value in pairs if value is not None and count != value
    ]
    return wrong if stopped == "exhausted" else [*wrong, f"stopped by {stopped}"]


def _verdict(wrong: Sequence[str], remark: str) -> str:
    verdict = "WRONG: " + ", ".join(wrong) if wrong else "exact"
    return f"{verdict} ({remark})" if remark else verdict
