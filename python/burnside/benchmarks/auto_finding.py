"""How long `--reduce auto` looks for symmetries of large nets.

In: families of nets with 10,000 to 100,000 places or with tens of thousands of transitions, of all kinds of groups. Out: one
table: what was found, seconds until the group is known or given up, memory. A row is wrong where a group that was found in
full has another order than the family's formula says, or one that was found in part an order that does not divide it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from burnside.benchmarks.apart import apart
from burnside.benchmarks.auto import MEGABYTE, short_order
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.families import build, group_order
from burnside.records import record

BOUND = 10.0
"""Seconds until symmetries are known or given up."""
RUN_LIMIT = 20.0
"""What the user allows for the whole run; half of it is for finding symmetries."""
LIMIT = 120.0
"""Seconds until the process is ended, with those for building the net."""

HUGE_GROUPS = (
    *("lines 1 5000 2 1", "lines 1 20000 2 1", "lines 10 20 100 1", "rwmutex 10000 10", "rwmutex 20000 50"),
    *("servers 100 160", "servers 200 200", "db 60", "db 100", "db 180", "mutex 10000", "mutex 33000"),
    *("graphs 150", "graphs 400", "digraphs 100", "digraphs 300", "teams 100 50", "teams 10 3000"),
    *("mailboxes 10 10 1000", "mailboxes 45 10 1000"),
)
SMALL_GROUPS = (
    *("lines 1 2 25000 2", "lines 4 2 12500 2", "ph 2500", "ph 25000", "railroad 300 100"),
    *("grid 2 100", "grid 3 30", "leafset 30 2", "leafset 56 2"),
)
TRANSITIONS = ("election 8", "election 9", "election 10")
"""Few places, 6,561 to 59,049 transitions, most of them identical to others."""
NO_SYMMETRY = ("sparse 10000 2", "sparse 100000 2")
NETS = (*HUGE_GROUPS, *SMALL_GROUPS, *TRANSITIONS, *NO_SYMMETRY)

FINDING = TableSpec(
    "auto-finding",
    "Finding the symmetries of large nets",
    named("net | places | transitions | arcs | group | generators | found | seconds | MB | verdict"),
    f"From the net in memory until its symmetries are known and certified, in a fresh process, where {RUN_LIMIT:.0f} s are "
    f"allowed for the whole run and so {RUN_LIMIT / 2:.0f} s for the search. `found`: `all`, or `part` where the search was "
    "given up and goes on with those found so far. `MB`: the process at its peak, with Python and the net. Bound: "
    f"{BOUND:.0f} s. Nets: {len(HUGE_GROUPS)} with huge groups, {len(SMALL_GROUPS)} with cyclic or small ones, "
    f"{len(TRANSITIONS)} with many identical transitions, {len(NO_SYMMETRY)} without symmetry.",
)


@record
class Found:
    """What is known of the group of a net, and what it cost."""

    places: int
    transitions: int
    arcs: int
    order: int
    generators: int
    complete: bool
    seconds: float
    memory: int


def tables() -> Iterator[Table]:
    yield Table(FINDING, rows(NETS))


def rows(nets: Iterable[str]) -> Iterator[Row]:
    for words in nets:
        try:
            found = apart(found_in, words, limit=LIMIT)
        except (TimeoutError, RuntimeError) as error:
            yield without_figures(FINDING, words, f"MISSED: {error}")
        else:
            yield row_of(words, found)


def found_in(words: str) -> Found:
    """The work of one row, in this process."""
    from burnside.checking import Check
    from burnside.limits import Deadline
    from burnside.pipeline import model_of, peak_memory
    from burnside.request import Limits, Request

    name, *parameters = words.split()
    net = build(name, parameters)
    model = model_of(net)
    begun = time.perf_counter()
    check = Check.prepared(model, Request(limits=Limits(seconds=RUN_LIMIT)), Deadline(RUN_LIMIT))
    seconds = time.perf_counter() - begun
    group = check.question.group
    sizes = len(net.places), len(net.transitions), net.arcs
    return Found(*sizes, group.order, group.generators, group.complete, seconds, peak_memory())


def row_of(words: str, found: Found) -> Row:
    wrong = wrong_order(words, found)
    verdict = "met" if found.seconds <= BOUND else "MISSED"
    cells = (
        words,
        *(found.places, found.transitions, found.arcs),
        short_order(found.order, complete=found.complete),
        found.generators,
        "all" if found.complete else "part",
        found.seconds,
        found.memory // MEGABYTE,
        f"WRONG: {wrong}" if wrong else verdict,
    )
    return Row(cells, wrong=bool(wrong))


def wrong_order(words: str, found: Found) -> str:
    """Empty where it is right, or nobody knows it."""
    name, *parameters = words.split()
    expected = group_order(name, parameters)
    if expected is None or found.order == expected:
        return ""
    if found.complete:
        return f"expected {short_order(expected)}"
    return f"does not divide {short_order(expected)}" if expected % found.order else ""
