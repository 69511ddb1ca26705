"""What the self-check costs: runs with a sample against runs without it.

In: nets, programs and machines of a few tenths of a second and more. Out: one table, `self-check`. Runs alternate, so that
other load on the machine falls on both sides alike, and processor seconds are compared, of which other processes
take none. Counts must be the same with and without; a share above the target only says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any

from burnside.benchmarks import b_instances, instances
from burnside.benchmarks.measuring import family
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.checking import Check
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import record
from burnside.request import Request

MOST_SHARE = 0.03
REPETITIONS = 3
MOMENT = 4.0
"""Seconds to fill with more repetitions: short runs differ more among themselves than by the self-check."""
MOST_REPETITIONS = 15

NETS = ("ph 15", "digraphs 5", "grid 2 5", "db 20")
PROGRAMS = ("german", "peterson N=5", "msi", "graphs N=7")
MACHINES = ("Towns TOWN=4", "Scheduler1 PROC=20", "TicTacToe_SimplerSym", "ArcLabelGraph")
TABLE = TableSpec(
    "self-check",
    "What the self-check costs",
    named(
        "model | kind | states | checked | full checks s | off s | sample s | sample / off | target | verdict"
    ),
    "Reduced by `auto`, one thread. Processor seconds of the exploration, medians of at least three runs that alternate "
    "between `--self-check off` and `sample`, after a warm-up of both; `full` is run once. `checked`: states that "
    "the last sample looked at.",
)


Explorer = Callable[[], Callable[[], Any]]
"""Compiles the model; what it returns is measured."""


@record
class Case:
    """`prepare`: everything up to the exploration, for a kind of self-check."""

    name: str
    kind: str
    prepare: Callable[[str], Explorer]
    missing: str = ""


def tables() -> Iterator[Table]:
    yield Table(TABLE, rows(cases(NETS, PROGRAMS, MACHINES)))


def cases(nets: Sequence[str], programs: Sequence[str], machines: Sequence[str]) -> Iterator[Case]:
    for name in nets:
        yield Case(name, "net", lambda which, name=name: _net(name, which))  # type: ignore[misc]
    for name in programs:
        missing = instances.missing(name)
        yield Case(name, "program", lambda which, name=name: _program(name, which), missing)  # type: ignore[misc]
    for name in machines:
        missing = b_instances.missing(name)
        yield Case(name, "machine", lambda which, name=name: _machine(name, which), missing)  # type: ignore[misc]


def rows(chosen: Iterator[Case]) -> Iterator[Row]:
    for case in chosen:
        yield without_figures(TABLE, case.name, case.missing) if case.missing else _row(case)


def _request(which: str) -> Request:
    return Request(self_check=which, threads=1, keep_going=True)


def _net(name: str, which: str) -> Explorer:
    return _compiling(Check.prepared(Model(family(name), name, "net"), _request(which), Deadline()))


def _program(name: str, which: str) -> Explorer:
    return _compiling(instances.prepared(name, _request(which)))


def _machine(name: str, which: str) -> Explorer:
    return _compiling(b_instances.prepared(name, _request(which)))


def _compiling(check: Check) -> Explorer:
    def explorer() -> Callable[[], Any]:
        handle = check.compiled()
        return lambda: check.explore_compiled(handle, Progress(), Deadline())

    return explorer


@record
class _Run:
    seconds: float
    counts: tuple[int, int]
    checked: int


def _run(explorer: Explorer) -> _Run:
    explore = explorer()
    begun = time.process_time()
    found = explore()
    seconds = time.process_time() - begun
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    return _Run(seconds, (found.states, found.transitions), found.self_checked)


def _row(case: Case) -> Row:
    off, sample = case.prepare("off"), case.prepare("sample")
    first = _run(off)
    _run(sample)
    repetitions = min(MOST_REPETITIONS, max(REPETITIONS, round(MOMENT / max(first.seconds, 1e-3))))
    pairs = [(_run(off), _run(sample)) for _ in range(repetitions)]
    full = _run(case.prepare("full"))
    without = median(each.seconds for each, _ in pairs)
    with_sample = median(each.seconds for _, each in pairs)
    wrong = {each.counts for pair in pairs for each in pair} | {full.counts} != {first.counts}
    ratio = with_sample / without
    verdict = "WRONG: counts differ" if wrong else "met" if ratio <= 1 + MOST_SHARE else "missed"
    states, checked = first.counts[0], pairs[-1][1].checked
    times = (full.seconds, without, with_sample, ratio)
    return Row((case.name, case.kind, states, checked, *times, 1 + MOST_SHARE, verdict), wrong=wrong)
