"""Machines in the core: transitions per second unreduced, memory, and what exact reduction makes of large ones.

In: machines with known counts. Out: two tables, `b-speed` and `b-reduced`. A count that differs makes a row wrong; a missed
target only says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from burnside.benchmarks.b_instances import explored, missing, prepared
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Limits, Request

TRANSITIONS_PER_SECOND = 500_000
REPETITIONS = 3
MAX_UNREDUCED_SECONDS = 60.0
"""Seconds that an unreduced run is given beside a reduced one."""


@record
class Case:
    """A machine and the counts it must give, as ProB counts."""

    model: str
    states: int
    transitions: int


UNREDUCED = (
    Case("Peterson PID=4", 22_282, 89_126),
    Case("ArcLabelGraph", 65_536, 1_114_113),
    Case("TLA_GraphState", 32_768, 409_601),
    Case("flights", 92_320, 133_280),
    Case("Scheduler1 PROC=6", 37_008, 145_926),
)


@record
class Reduced:
    """A machine with its orbits."""

    model: str
    orbits: int | None
    """As published; None: not."""


REDUCED = (
    Reduced("Scheduler1 PROC=20", 2_170),
    Reduced("USB TRANSFER=3", 3_012),
    Reduced("Towns TOWN=4", 3_044),
    Reduced("TokenRing Server=7", 3_159),
    Reduced("Dining Phil=5 Fork=5", None),
)

SPEED = TableSpec(
    "b-speed",
    "Machines explored without reduction",
    named(
        "model | states | transitions | exploring s | transitions per s | target | bits of a state "
        "| bytes of the set per state | values | bytes of values per state | verdict"
    ),
    "One thread, median of three, exploration alone (reading the machine is start-up). Every conjunct of the invariant is "
    "checked in every state. Values are kept once for all states that hold them; their bytes stand beside.",
)
REDUCTION = TableSpec(
    "b-reduced",
    "Machines reduced exactly",
    named("model | group order | orbits | states | exploring s | unreduced states | unreduced s | verdict"),
    f"`--reduce auto --symmetry declared`, one thread, median of three; beside it a run without reduction, once, at most "
    f"{MAX_UNREDUCED_SECONDS:.0f} s of it.",
)


def speed_tables() -> Iterator[Table]:
    yield Table(SPEED, speed_rows(UNREDUCED))


def reduced_tables() -> Iterator[Table]:
    yield Table(REDUCTION, reduced_rows(REDUCED))


def speed_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        why = missing(case.model)
        yield without_figures(SPEED, case.model, why) if why else _speed(case)


def _request(reduce: str, seconds: float | None = None) -> Request:
    limits = Limits(seconds=seconds)
    return Request(
        reduce=reduce, symmetry="declared", threads=1, keep_going=True, deadlock=False, limits=limits
    )


def _speed(case: Case) -> Row:
    from burnside.limits import Deadline
    from burnside.progress import Progress

    check = prepared(case.model, _request("none"))
    runs = [check.explore(Progress(), Deadline(check.request.limits.seconds)) for _ in range(REPETITIONS)]
    last = runs[-1]
    seconds = median(run.seconds for run in runs)
    rate = last.transitions / seconds
    counts = (last.states, last.transitions)
    wrong = (
        ""
        if counts == (case.states, case.transitions)
        else f"WRONG: expected {case.states:,} / {case.transitions:,}"
    )
    verdict = wrong or ("met" if rate >= TRANSITIONS_PER_SECOND else "missed")
    core = last.core
    assert core is not None
    interned, interned_bytes = core.facts["interned"]
    memory = (
        core.packed_bits,
        core.store_bytes / last.states,
        interned,
        interned_bytes / last.states,
    )
    target = f"{TRANSITIONS_PER_SECOND:,}"
    return Row((case.model, *counts, seconds, rate, target, *memory, verdict), wrong=bool(wrong))


def reduced_rows(cases: Sequence[Reduced]) -> Iterator[Row]:
    for case in cases:
        why = missing(case.model)
        yield without_figures(REDUCTION, case.model, why) if why else _reduced(case)


def _reduced(case: Reduced) -> Row:
    check = prepared(case.model, _request("auto"))
    runs = [explored(check) for _ in range(REPETITIONS)]
    seconds = median(run.seconds for run in runs)
    plain = explored(prepared(case.model, _request("none", MAX_UNREDUCED_SECONDS)))
    finished = plain.stopped == "exhausted"
    last = runs[-1]
    wrong = ""
    if case.orbits is not None and last.states != case.orbits:
        wrong = f"WRONG: expected {case.orbits:,} orbits"
    elif finished and plain.states != last.full_states:
        wrong = f"WRONG: orbits add up to {last.full_states}, not {plain.states}"
    verdict = wrong or ("met" if not finished or seconds < plain.seconds else "missed")
    full = "" if last.full_states is None else f"{last.full_states:,}"
    unreduced = (plain.states if finished else f"more than {plain.states:,}", plain.seconds)
    group = f"{check.question.group.order:,}"
    return Row((case.model, group, last.states, full, seconds, *unreduced, verdict), wrong=bool(wrong))
