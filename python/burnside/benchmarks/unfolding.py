"""Unfolding of high-level nets as they grow.

In: families of high-level nets. Out: one table: how large the unfolded net is, how long it takes to make it and to write it
as PNML, and the memory of a process that does both; for small nets also how much longer the evaluator takes, by which
transitions are unfolded that the core does not know. Numbers of instances are checked against formulas.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from burnside.benchmarks.apart import apart
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.families.highlevel import FAMILIES
from burnside.languages.pnml.write import write_pnml
from burnside.pipeline import peak_memory
from burnside.records import record
from burnside.unfolding import unfold

SIZES = {
    "philosophers": (2_000, 20_000, 200_000),
    "token ring": (20, 46, 100),
    "shared memory": (70, 223, 707),
    "referendum": (5_000, 50_000, 500_000),
}
"""With about ten thousand, a hundred thousand and a million instances."""
SMALL = 20_000
"""Instances that the evaluator is asked for."""
MAX_SECONDS = 600.0

TABLE = TableSpec(
    "unfolding",
    "Unfolding of high-level nets",
    named(
        "net | places | transitions | arcs | seconds | µs/transition | writing: s | memory: MB | by the evaluator: x"
    ),
    "One process for each net, one thread. `seconds` without the time of writing; memory of the whole process, in which the "
    "net is unfolded and written. The last column: how many times as long the reference evaluator takes.",
)


@record
class Measured:
    places: int
    transitions: int
    arcs: int
    seconds: float
    writing: float
    memory: int
    slower: float | None


def tables() -> Iterator[Table]:
    yield Table(TABLE, rows())


def rows() -> Iterator[Row]:
    for family, sizes in SIZES.items():
        for size in sizes:
            done = apart(measured, family, size, limit=MAX_SECONDS)
            cells = (
                f"{family} {size}",
                done.places,
                done.transitions,
                done.arcs,
                done.seconds,
                1e6 * done.seconds / done.transitions,
                done.writing,
                done.memory / 1e6,
                done.slower,
            )
            yield Row(cells, wrong=done.transitions != instances(family, size))


def measured(family: str, size: int) -> Measured:
    net = FAMILIES[family](size)
    begun = time.perf_counter()
    found = unfold(net).net
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    with open(os.devnull, "w", encoding="utf-8") as file:  # noqa: PTH123
        write_pnml(found, file)
    writing = time.perf_counter() - begun
    memory, slower = peak_memory(), None
    if len(found.transitions) <= SMALL:
        begun = time.perf_counter()
        unfold(net, general=True)
        slower = (time.perf_counter() - begun) / seconds
    counts = len(found.places), len(found.transitions), found.arcs
    return Measured(*counts, seconds, writing, memory, slower)


def instances(family: str, size: int) -> int:
    """By formula."""
    match family:
        case "philosophers":
            return 5 * size
        case "token ring":
            return size + size * (size - 1) ** 2
        case "shared memory":
            return 2 * size * size + size
        case _:
            return 2 * size + 1
