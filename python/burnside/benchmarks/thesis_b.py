"""The tables of Spermann 2009 and of Leuschel and Massart for B machines, published against measured.

In: the published figures, below, and the examples they are for. Out: tables in which every count must be the published one,
or the one that its remark explains. Both papers count ProB's artificial root as a state; so do the tables.
Seconds are theirs (2 GHz processors of 2007) beside ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from burnside.benchmarks.b_instances import Explored, explored, machine, missing, prepared
from burnside.benchmarks.measuring import repeated
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Request

MAX_REPEATED_SECONDS = 3.0
"""Counts are the point here: a run of more seconds is not repeated."""

METHODS: Mapping[str, str] = {
    "wo": "none",
    "flood": "flood",
    "hash": "marker",
    "mark": "marker",
    "nausym": "nauty",
}
"""The papers' words for modes, and ours."""


@record
class Published:
    """A cell of a table: states, with the root, and seconds. `remark`: why there are `expected` states instead; None: how
    many depends on the order of the search."""

    model: str
    mode: str
    states: int | None
    seconds: str
    expected: int | None
    remark: str = ""


def _published(modes: str, text: str) -> tuple[Published, ...]:
    """From lines `model | states in each mode | seconds in each mode`, where `-` says that there is none."""
    found: list[Published] = []
    for line in text.strip().splitlines():
        model, states, seconds = (part.strip() for part in line.split("|"))
        for mode, count, time in zip(modes.split(), states.split(), seconds.split(), strict=True):
            if count != "-":
                found.append(Published(model, mode, int(count), time, int(count)))
    return tuple(found)


MODES_1 = "wo flood hash nausym"
TABLE_4_1 = _published(
    MODES_1,
    """
    Scheduler0 PROC=2 | 16 10 10 10 | 0.04 0.03 0.03 0.03
    Scheduler0 PROC=3 | 55 17 17 17 | 0.23 0.08 0.08 0.09
    Scheduler0 PROC=4 | 190 26 26 26 | 1.10 0.24 0.17 0.21
    Scheduler0 PROC=5 | 649 37 37 37 | 5.10 0.94 0.33 0.41
    Scheduler0 PROC=6 | 2188 50 50 50 | 23.08 6.11 0.61 0.76
    Scheduler0 PROC=7 | 7291 65 65 65 | 115.01 55.07 1.00 1.28
    Scheduler1 PROC=2 | 27 14 14 14 | 0.06 0.04 0.03 0.05
    Scheduler1 PROC=3 | 145 29 29 29 | 0.46 0.12 0.10 0.16
    Scheduler1 PROC=4 | 825 51 51 51 | 3.36 0.43 0.25 0.39
    Scheduler1 PROC=5 | 5201 81 81 81 | 27.13 2.28 0.54 0.84
    Scheduler1 PROC=6 | 37009 120 120 120 | 333.82 35.71 0.96 1.61
    Scheduler1 PROC=7 | - - 169 169 | - - 1.66 2.80
    Scheduler1 PROC=10 | - - 386 386 | - - 6.51 11.37
    Scheduler1 PROC=15 | - - 1041 1041 | - - 35.67 67.08
    Scheduler1 PROC=20 | - - 2171 2171 | - - 141.96 257.16
    RussianPostalPuzzle Key=1 | 15 15 15 15 | 0.03 0.03 0.03 0.06
    RussianPostalPuzzle Key=2 | 81 48 48 48 | 0.21 0.14 0.13 0.25
    RussianPostalPuzzle Key=3 | 441 119 119 119 | 1.40 0.54 0.43 0.81
    RussianPostalPuzzle Key=4 | 2325 248 248 248 | 9.36 2.37 1.14 2.23
    RussianPostalPuzzle Key=5 | 11985 459 459 459 | 64.52 15.91 2.58 5.57
    USB TRANSFER=1 | 29 29 29 29 | 0.21 0.21 0.23 1.14
    USB TRANSFER=2 | 694 355 355 355 | 10.69 5.80 7.74 21.97
    USB TRANSFER=3 | 16906 3013 3013 3013 | 1533.54 265.19 208.40 297.43
    """,
)
TABLE_4_2 = _published(
    MODES_1,
    """
    TokenRing Server=2 | 35 19 19 19 | 0.07 0.06 0.05 0.07
    TokenRing Server=3 | 295 60 60 60 | 0.49 0.19 0.16 0.22
    TokenRing Server=4 | 3097 174 141 174 | 6.57 1.44 0.46 0.86
    TokenRing Server=5 | 38521 480 278 480 | 175.61 42.90 0.97 2.96
    TokenRing Server=6 | - - 495 1252 | - - 2.09 9.90
    TokenRing Server=7 | - - 816 3160 | - - 4.27 33.86
    Dining Phil=2 Fork=2 | 21 8 7 8 | 0.07 0.05 0.04 0.05
    Dining Phil=3 Fork=3 | 337 13 11 13 | 1.50 0.18 0.08 0.10
    Dining Phil=4 Fork=4 | 17713 48 17 48 | 145.53 18.13 0.15 0.54
    Towns TOWN=2 | 17 11 11 11 | 0.34 0.20 0.21 0.21
    Towns TOWN=3 | 513 105 105 105 | 67.78 13.45 13.73 13.93
    Towns TOWN=4 | 65537 3045 3011 3045 | - 1721.73 1748.45 1732.03
    """,
)

ALL_SETUPS = "all {} choices of the middle are explored; ProB takes one of them even without reduction"
UNEXPLAINED = "the rules that give all other counts give fewer here, how many depends on the order"
STORED = "the paper counts stored states here, and stores one choice of the middle; these are orbits"
TABLE_4_3 = (
    Published("TicTacToe_Sym", "wo", 5480, "518.6", 16438, ALL_SETUPS.format(3)),
    Published("TicTacToe_Sym", "flood", 5480, "138.3", 1461, STORED),
    Published("TicTacToe_Sym", "hash", 1401, "139.2", None, UNEXPLAINED),
    Published("TicTacToe_Sym", "nausym", None, "timeout", 1461, "ProB ran out of time"),
    Published("TicTacToe_SimplerSym", "wo", 5480, "97.6", 49312, ALL_SETUPS.format(9)),
    Published("TicTacToe_SimplerSym", "flood", 5480, "26.6", 1450, STORED),
    Published("TicTacToe_SimplerSym", "hash", 1450, "26.7", 1450),
    Published("TicTacToe_SimplerSym", "nausym", 1450, "29.1", 1450),
)

MODES_2 = "wo flood mark"
MARKERS = _published(
    MODES_2,
    """
    RussianPostalPuzzle Key=1 | 15 15 15 | 0.05 0.05 0.05
    RussianPostalPuzzle Key=2 | 81 48 48 | 0.32 0.21 0.21
    RussianPostalPuzzle Key=3 | 441 119 119 | 1.32 0.46 0.34
    RussianPostalPuzzle Key=4 | 2325 248 248 | 8.73 1.90 0.89
    RussianPostalPuzzle Key=5 | 11985 459 459 | 54.06 12.18 2.05
    Scheduler0 PROC=1 | 5 5 5 | 0.01 0.01 0.01
    Scheduler0 PROC=2 | 16 10 10 | 0.07 0.05 0.05
    Scheduler0 PROC=3 | 55 17 17 | 0.28 0.07 0.06
    Scheduler0 PROC=4 | 190 26 26 | 0.98 0.20 0.14
    Scheduler0 PROC=5 | 649 37 37 | 4.52 0.75 0.27
    Scheduler0 PROC=6 | 2188 50 50 | 20.35 4.74 0.48
    Scheduler0 PROC=7 | 7291 65 65 | 114.71 43.47 0.80
    Scheduler1 PROC=1 | 5 5 5 | 0.01 0.01 0.01
    Scheduler1 PROC=2 | 27 14 14 | 0.05 0.06 0.05
    Scheduler1 PROC=3 | 145 29 29 | 0.41 0.11 0.09
    Scheduler1 PROC=4 | 825 51 51 | 2.96 0.34 0.18
    Scheduler1 PROC=5 | 5201 81 81 | 23.93 1.70 0.37
    Scheduler1 PROC=6 | 37009 120 120 | 192.97 13.37 0.70
    Scheduler1 PROC=7 | 297473 169 169 | 941.46 167.95 1.22
    Peterson PID=2 | 49 27 27 | 0.28 0.28 0.15
    Peterson PID=3 | 884 174 174 | 8.80 2.00 1.73
    Peterson PID=4 | 22283 1134 1134 | 861.49 60.13 20.66
    Towns TOWN=1 | 3 3 3 | 0.01 0.01 0.01
    Towns TOWN=2 | 17 11 11 | 0.37 0.33 0.34
    Towns TOWN=3 | 513 105 105 | 63.95 12.78 12.95
    USB TRANSFER=1 | 29 29 29 | 0.21 0.20 0.22
    USB TRANSFER=2 | 694 355 355 | 8.42 4.74 6.17
    USB TRANSFER=3 | 16906 3013 3013 | 605.25 277.59 232.93
    RoundTable Phil=4 | 11809 26 20 | 123.64 5.99 0.15
    ServerFarm USER=8 SERVER=8 | - - 46 | - - 0.77
    ServerFarm USER=9 SERVER=9 | - - 56 | - - 1.16
    """,
)

GRAPHS: Mapping[str, str] = {
    "Scheduler0 PROC=3": "4/6.0/2 6/8.0/10 8/12.0/8 10/14.3/19 12/18.0/15 14/20.0/5",
    "Scheduler1 PROC=3": "20/37.0/11 25/46.0/29 30/55.0/33 35/63.7/12 40/71.7/6 45/81.0/3",
    "RussianPostalPuzzle Key=2": "40/72.0/4 45/80.6/101",
    "USB TRANSFER=1": "6/5.0/1 35/65.0/31 45/81.0/806",
    "TokenRing Server=3": "3/3.0/6 16/30.9/66 20/36.7/111",
    "Scheduler0 PROC=2": "4/6.0/2 6/8.0/9 8/12.0/3 10/14.0/9",
    "Scheduler0 PROC=4": "4/6.0/2 6/8.0/11 8/12.0/9 10/14.7/27 12/18.2/30 14/21.5/30 16/24.0/12",
    "Scheduler0 PROC=5": (
        "4/6.0/2 6/8.0/12 8/12.0/10 10/14.7/30 12/18.5/40 14/21.8/52 16/25.2/49 18/28.0/21"
    ),
    "Scheduler0 PROC=6": (
        "4/6.0/2 6/8.0/13 8/12.0/11 10/14.7/33 12/18.5/44 14/22.0/65 16/25.5/79 18/29.1/72 20/32.0/32"
    ),
    "Scheduler0 PROC=7": (
        "4/6.0/2 6/8.0/14 8/12.0/12 10/14.7/36 12/18.5/48 14/22.0/71 16/25.8/95 18/29.4/111 20/33.0/99 "
        "22/36.0/45"
    ),
}
"""Tables C.1 and C.2: vertices, edges in the mean, graphs."""

COLUMNS = named(
    "model | mode | method | published | states | transitions | seconds | published seconds | verdict"
)
NOTE = (
    "States are counted with ProB's artificial root, as the papers do; transitions with set-ups and initialisations. "
    "Symmetry is that of the deferred sets. Deadlocks are no errors, and exploration goes on after a goal. "
    "One thread; seconds are of the exploration."
)
SPERMANN_1 = TableSpec(
    "thesis-b-4.1",
    "Spermann 2009, Table 4.1: B machines",
    COLUMNS,
    NOTE + " The mode `canon` of the thesis, which misses symmetries, is not rebuilt.",
)
SPERMANN_2 = TableSpec("thesis-b-4.2", "Spermann 2009, Table 4.2: symmetric constants", COLUMNS, NOTE)
SPERMANN_3 = TableSpec(
    "thesis-b-4.3", "Spermann 2009, Tables 4.3 and 4.4: noughts and crosses", COLUMNS, NOTE
)
LEUSCHEL = TableSpec(
    "thesis-b-markers",
    "Leuschel and Massart, Table 1: symmetry markers",
    COLUMNS,
    NOTE
    + " `Dining 2` of the paper is four philosophers at one table (RoundTable); the server farm stands in its text. Volvo, "
    "which has no symmetric set, is not among the examples.",
)
GRAPH_SIZES = TableSpec(
    "thesis-b-graphs",
    "Spermann 2009, Tables C.1 and C.2: sizes of state graphs",
    named("model | transitions | vertices/edges/graphs | of burnside | verdict"),
    "The graphs that ProB 1.2.7 gave to nauty, one for each transition of the reduced space: how many have so many "
    "vertices, and edges in the mean. Drawn anew from states of the reference engine. burnside's own graphs differ where a "
    "value holds an empty set, for which they have no vertex but the one that all empty sets share.",
)
SPECS = (SPERMANN_1, SPERMANN_2, SPERMANN_3, LEUSCHEL, GRAPH_SIZES)

Run = Callable[[str, Request], Explored]


def tables() -> Iterator[Table]:
    yield Table(SPERMANN_1, rows(SPERMANN_1, TABLE_4_1))
    yield Table(SPERMANN_2, rows(SPERMANN_2, TABLE_4_2))
    yield Table(SPERMANN_3, rows(SPERMANN_3, TABLE_4_3))
    yield Table(LEUSCHEL, rows(LEUSCHEL, MARKERS))
    yield Table(GRAPH_SIZES, graph_rows(GRAPHS))


def run(model: str, request: Request, max_seconds: float = MAX_REPEATED_SECONDS) -> Explored:
    check = prepared(model, request)
    found, seconds = repeated(lambda: explored(check), max_seconds)
    return Explored(found.states, found.transitions, found.full_states, found.stopped, seconds)


def rows(spec: TableSpec, published: Sequence[Published], run: Run = run) -> Iterator[Row]:
    for each in published:
        why = missing(each.model)
        yield without_figures(spec, each.model, why) if why else _row(each, run)


def _row(each: Published, run: Run) -> Row:
    method = METHODS[each.mode]
    request = Request(reduce=method, symmetry="declared", deadlock=False, keep_going=True, threads=1)
    found = run(each.model, request)
    states = found.states + 1
    verdict = _verdict(each, states, found.stopped)
    cells = (each.model, each.mode, method, each.states, states, found.transitions)
    return Row((*cells, found.seconds, each.seconds, verdict), wrong=verdict.startswith("WRONG"))


def _verdict(each: Published, states: int, stopped: str) -> str:
    if stopped != "exhausted":
        return f"WRONG: stopped by {stopped}"
    if each.expected is not None and states != each.expected:
        return f"WRONG: expected {each.expected:,}"
    if states == each.states:
        return "equal"
    return f"differs: {each.remark}" if each.states is not None else each.remark


def graph_rows(published: Mapping[str, str]) -> Iterator[Row]:
    from burnside.benchmarks.state_graphs import core_lines, lines

    for model, text in published.items():
        if why := missing(model):
            yield without_figures(GRAPH_SIZES, model, why)
            continue
        found = lines(machine(model))
        shown = " ".join(map(str, found))
        own = " ".join(map(str, core_lines(prepared(model, Request(reduce="nauty", symmetry="declared")))))
        verdict = "equal" if shown == text else f"WRONG: expected {text}"
        graphs = sum(line.graphs for line in found)
        yield Row((model, graphs, shown, "the same" if own == shown else own, verdict), wrong=shown != text)
