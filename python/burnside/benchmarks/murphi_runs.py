"""Programs in the core: does a fully symmetric one grow like a polynomial, and how large is a stored state?

In: programs with known counts. Out: two tables: `murphi-sem` (whole runs of a semaphore for N processes, whose
orbits are 2N + 1 of 2^N + N 2^(N-1) states) and `murphi-memory` (bytes beside the packed state). A count
that differs makes a row wrong; a missed target only says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log

from burnside.benchmarks.instances import Whole, explored, missing, prepared, whole_run
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Request

SIZES = (8, 16, 32, 64)
MOST_EXPONENT = 5.0
MOST_SECONDS = 2.0
"""Of the whole run of the largest."""
BYTES_PER_STATE = 16.0


@record
class Case:
    """A run and the counts it must give."""

    model: str
    reduce: str
    states: int
    edges: int

    @property
    def request(self) -> Request:
        return Request(reduce=self.reduce, symmetry="declared", threads=1)


MEMORY_CASES = (
    Case("german", "none", 1_105_434, 5_922_288),
    Case("german", "search", 28_088, 150_584),
    Case("sem N=16", "none", 589_824, 5_505_024),
)
SEM = TableSpec(
    "murphi-sem",
    "A semaphore for N processes, reduced",
    named(
        "model | states | orbits | edges | exploring s | whole run s | exponent, exploring | exponent, whole run "
        "| target | verdict"
    ),
    "Fresh processes of `burnside check`, one thread, medians of three. There are 2N + 1 orbits. An exponent is the "
    "logarithm of the growth of seconds since the row above, to the base of the growth of N: where it stays bounded, "
    "seconds grow like a polynomial.",
)
MEMORY = TableSpec(
    "murphi-memory",
    "Memory of the visited set, programs",
    named("model | method | states | bits of a state | bytes of the set | bytes beside | target | verdict"),
    "Bytes held by the visited set when the search ends, everything included, divided by the states stored, less the "
    "packed bits of the state itself.",
)


def sem_tables() -> Iterator[Table]:
    yield Table(SEM, sem_rows(SIZES))


def memory_tables() -> Iterator[Table]:
    yield Table(MEMORY, memory_rows(MEMORY_CASES))


def sem_rows(sizes: Sequence[int], run: Callable[[str], Whole] = whole_run) -> Iterator[Row]:
    before: tuple[int, Whole] | None = None
    for size in sizes:
        name = f"sem N={size}"
        if why := missing(name):
            yield without_figures(SEM, name, why)
            continue
        done = run(name)
        growth = None if before is None else _exponents(*before, size, done)
        yield _sem_row(name, size, done, growth, largest=size == max(sizes))
        before = size, done


def _exponents(smaller: int, before: Whole, size: int, now: Whole) -> tuple[float, float]:
    base = log(size / smaller)
    return log(now.exploring / before.exploring) / base, log(now.seconds / before.seconds) / base


def _sem_row(name: str, size: int, done: Whole, growth: tuple[float, float] | None, *, largest: bool) -> Row:
    found = (done.full_states, done.states, done.transitions)
    expected = (2**size + size * 2 ** (size - 1), 2 * size + 1, 3 * size * (size + 1) // 2)
    wrong = "" if found == expected else "WRONG: expected " + " / ".join(f"{each:,}" for each in expected)
    met = (growth is None or max(growth) < MOST_EXPONENT) and not (largest and done.seconds >= MOST_SECONDS)
    targets = [f"exponents < {MOST_EXPONENT:g}"] if growth else []
    targets += [f"{MOST_SECONDS:g} s"] if largest else []
    verdict = wrong or ("" if not targets else "met" if met else "missed")
    cells = (name, *found, done.exploring, done.seconds, *(growth or (None, None)), ", ".join(targets))
    return Row((*cells, verdict), wrong=bool(wrong))


def memory_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        if why := missing(case.model):
            yield without_figures(MEMORY, case.model, why)
            continue
        found = explored(prepared(case.model, case.request))
        core = found.core
        assert core is not None
        beside = core.store_bytes / found.states - core.packed_bits / 8
        right = (found.states, found.transitions) == (case.states, case.edges)
        met = "met" if beside <= BYTES_PER_STATE else "missed"
        verdict = met if right else f"WRONG: expected {case.states:,} / {case.edges:,}"
        cells = (case.model, case.reduce, found.states, core.packed_bits, core.store_bytes, beside)
        yield Row((*cells, f"{BYTES_PER_STATE:.0f}", verdict), wrong=not right)
