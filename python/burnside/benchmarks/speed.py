"""Speed, memory and threads of the explorer, against the targets.

In: nets of the thesis. Out: four tables: `speed` (unreduced edges per second, and the largest reduced net),
`memory` (bytes beside the packed marking), `threads` (two against one in the same run) and `startup`
(the answer to `--version`). A count that differs makes a row wrong; a missed speed only says so.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from statistics import median

from burnside.benchmarks.host import usable_cores
from burnside.benchmarks.measuring import (
    MAX_REPEATED_SECONDS,
    REPETITIONS,
    MethodSettings,
    Prepared,
    explore,
    family,
    median_seconds,
    prepare,
    timed,
)
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.records import record, replace

EDGES_PER_SECOND = 3e6
BYTES_PER_MARKING = 24.0
TWO_THREADS = 1.6
DIGRAPHS_6_SECONDS = 120.0
START_SECONDS = 0.3


@record
class Case:
    """A run and the counts it must give."""

    net: str
    method: str
    states: int
    edges: int

    @property
    def settings(self) -> MethodSettings:
        return MethodSettings(self.method)

    def verdict(self, found: Sequence[tuple[int, int]]) -> str:
        """Empty where every run agrees."""
        expected = (self.states, self.edges)
        return "" if set(found) == {expected} else f"WRONG: expected {self.states:,} / {self.edges:,}"


PH_16 = Case("ph 16", "none", 1_331_714, 13_774_112)
PH_16_REDUCED = Case("ph 16", "search", 83_311, 861_696)
GRAPHS_8 = Case("graphs 8", "search", 12_346, 172_844)
DIGRAPHS_5 = Case("digraphs 5", "search", 9_608, 96_080)
DIGRAPHS_6 = Case("digraphs 6", "search", 1_540_944, 23_114_160)

SPEED_CASES = (PH_16, DIGRAPHS_6)
MEMORY_CASES = (
    PH_16,
    Case("db 10", "none", 196_831, 1_181_000),
    Case("grid 5 2", "none", 254_475, 3_689_792),
    Case("digraphs 5", "none", 1_048_576, 10_485_760),
    PH_16_REDUCED,
)
THREAD_CASES = (PH_16, PH_16_REDUCED, GRAPHS_8, DIGRAPHS_5, DIGRAPHS_6)

SPEED = TableSpec(
    "speed",
    "Speed of exploration, one thread",
    named("net | method | states | edges | seconds | edges/s | states/s | target | verdict"),
    "The whole state space, one thread; the median of three runs after a warm-up, a single run where one takes more "
    f"than {MAX_REPEATED_SECONDS:.0f} s.",
)
MEMORY = TableSpec(
    "memory",
    "Memory of the visited set",
    named("net | method | states | bits of a marking | bytes of the set | bytes beside | target | verdict"),
    "Bytes held by the visited set when the search ends, everything included, divided by the states stored, less the "
    "packed bits of the marking itself.",
)
THREADS = TableSpec(
    "threads",
    "Two threads against one",
    named("net | method | states | edges | seconds, 1 thread | 2 threads | ratio | target | verdict"),
    "One and two threads by turns in one run, medians of three (single runs where one takes more than "
    f"{MAX_REPEATED_SECONDS:.0f} s). The counts must be the same.",
)
STARTUP = TableSpec(
    "startup",
    "Start of the command",
    named("command | seconds | Python alone | target | verdict"),
    "A new process each time, interpreter included; medians of three after a warm-up.",
)


def speed_tables() -> Iterator[Table]:
    yield Table(SPEED, speed_rows(SPEED_CASES))


def memory_tables() -> Iterator[Table]:
    yield Table(MEMORY, memory_rows(MEMORY_CASES))


def thread_tables() -> Iterator[Table]:
    yield Table(THREADS, thread_rows(THREAD_CASES))


def startup_tables() -> Iterator[Table]:
    yield Table(STARTUP, startup_rows())


def speed_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        done = timed(prepare(family(case.net)), case.settings)
        found = done.exploration
        rate = found.transitions / done.seconds
        if case.method == "none":
            target, met = f"{EDGES_PER_SECOND:,.0f} edges/s", rate >= EDGES_PER_SECOND
        else:
            target, met = f"{DIGRAPHS_6_SECONDS:.0f} s", done.seconds < DIGRAPHS_6_SECONDS
        wrong = case.verdict([(found.states, found.transitions)])
        counts = (case.net, case.method, found.states, found.transitions)
        figures = (done.seconds, round(rate), round(found.states / done.seconds), target)
        yield Row((*counts, *figures, wrong or _met(met)), wrong=bool(wrong))


def memory_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        found = explore(prepare(family(case.net)), case.settings)
        beside = found.store_bytes / found.states - found.packed_bits / 8
        wrong = case.verdict([(found.states, found.transitions)])
        cells = (case.net, case.method, found.states, found.packed_bits, found.store_bytes, beside)
        target = f"{BYTES_PER_MARKING:.0f}"
        verdict = wrong or _met(beside <= BYTES_PER_MARKING)
        yield Row((*cells, target, verdict), wrong=bool(wrong))


@record
class _Duel:
    """Seconds of one and of two threads, and the counts of all runs."""

    one: float
    two: float
    counts: Sequence[tuple[int, int]]


def thread_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        duel = _duel(prepare(family(case.net)), case.settings)
        ratio = duel.one / duel.two
        wrong = case.verdict(duel.counts)
        verdict = wrong or _doubt(ratio) or _met(ratio >= TWO_THREADS)
        counts = (case.net, case.method, *duel.counts[0])
        yield Row((*counts, duel.one, duel.two, ratio, f"{TWO_THREADS}", verdict), wrong=bool(wrong))


def _doubt(ratio: float) -> str:
    """Why a ratio says nothing about the explorer."""
    if usable_cores() < 2:
        return "not measurable: one core"
    return "in doubt: more than 2, one thread was disturbed" if ratio > 2 else ""


def _duel(prepared: Prepared, settings: MethodSettings) -> _Duel:
    """Alternating, so that other load on the computer affects both."""
    both = [replace(settings, threads=threads) for threads in (1, 2)]
    runs = [[explore(prepared, each)] for each in both]
    if runs[0][0].seconds <= MAX_REPEATED_SECONDS:
        again = [[explore(prepared, each) for each in both] for _ in range(REPETITIONS)]
        runs = [list(column) for column in zip(*again, strict=True)]
    one, two = (median(run.seconds for run in column) for column in runs)
    return _Duel(one, two, [(run.states, run.transitions) for column in runs for run in column])


def startup_rows() -> Iterator[Row]:
    alone = median_seconds(lambda: _python("pass"))
    for option in ("--version", "--help"):
        seconds = median_seconds(partial(_python, f"from burnside.cli import main; main([{option!r}])"))
        cells = (f"burnside {option}", seconds, alone, f"{START_SECONDS} s")
        yield Row((*cells, _met(seconds < START_SECONDS)))


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def _met(met: bool) -> str:
    return "met" if met else "missed"
