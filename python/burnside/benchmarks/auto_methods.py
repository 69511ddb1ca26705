"""Every exact method on a spread of nets: the measurement behind `--reduce auto`.

In: families of the thesis in several sizes, and nets of the Model Checking Contest where the folder
`../shared/models/pnml` lies beside the working directory (or where `BURNSIDE_MODELS` says). Out: one table:
seconds of each method, the fastest, and what `auto` takes. All methods must find the same number of orbits.
Each run has a process of its own and a limit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from burnside.benchmarks.apart import apart
from burnside.benchmarks.measuring import MethodSettings, family, method_of_auto, prepare, timed
from burnside.benchmarks.tables import Cell, Row, Table, TableSpec, named
from burnside.net import Net
from burnside.records import record

LIMIT = 20.0
"""Seconds for one run."""
GRACE = 5.0
"""More for a process to start and to end by itself."""
MAX_REPEATED_SECONDS = 3.0
FAILED = "failed"
METHODS = {
    "none": MethodSettings("none", max_seconds=LIMIT),
    "search": MethodSettings("search", max_seconds=LIMIT),
    "by marking": MethodSettings("search", "marking", max_seconds=LIMIT),
    "nauty": MethodSettings("nauty", max_seconds=LIMIT),
    "minimise": MethodSettings("minimise", max_seconds=LIMIT),
    "compare": MethodSettings("compare", max_seconds=LIMIT),
    "flood": MethodSettings("flood", max_seconds=LIMIT),
}
FAMILIES = (
    *("ph 6", "ph 10", "ph 13", "ph 16", "railroad 20 3", "grid 2 4", "grid 2 5", "grid 3 3", "grid 5 2"),
    *("digraphs 4", "digraphs 5", "graphs 6", "graphs 7", "graphs 8"),
    *("mutex 6", "mutex 12", "db 6", "db 10", "db 15"),
)
# Small, medium and large groups; few and many places that move; small and large nets.
CONTEST = (
    "Murphy-PT-D1N010",
    "PGCD-PT-D02N006",
    "CircularTrains-PT-012",
    "DatabaseWithMutex-PT-02",
    "JoinFreeModules-PT-0003",
    "LamportFastMutEx-PT-3",
    "CloudOpsManagement-PT-00002by00001",
    "BART-PT-002",
    "NQueens-PT-05",
    "Philosophers-PT-000010",
    "Anderson-PT-04",
    "PermAdmissibility-PT-01",
    "SharedMemory-PT-000005",
    "HexagonalGrid-PT-110",
    "Sudoku-PT-AN03",
    "GPUForwardProgress-PT-04a",
    "Raft-PT-02",
    "Dekker-PT-010",
    "CloudDeployment-PT-2a",
    "Referendum-PT-0010",
    "AutonomousCar-PT-03a",
    "Railroad-PT-005",
    "AirplaneLD-PT-0010",
    "Parking-PT-104",
    "IBM319-PT-none",
    "StigmergyElection-PT-04a",
    "RwMutex-PT-r0010w0100",
    "SieveSingleMsgMbox-PT-d0m04",
    "Peterson-PT-2",
    "TokenRing-PT-010",
)
AUTO = TableSpec(
    "auto-methods",
    "Methods, and what `--reduce auto` takes",
    (
        *named("net | size | acting order | states | orbits"),
        *METHODS,
        *named("fastest | auto | auto/fastest | verdict"),
    ),
    "Seconds of each exact method, one thread: medians of three after a warm-up, single runs above "
    f"{MAX_REPEATED_SECONDS:.0f} s, `>{LIMIT:.0f}` beyond the limit, `refused` where the method does not take the group. "
    "`search` is guided by partitions. Size is |P| + |T| + |F|; the acting order counts the elements of "
    "the group that differ on markings. The fastest is named among those that reduce, unless nothing moves a marking.",
)


@record
class Finding:
    """What one method gave on one net."""

    seconds: float
    states: int
    full_states: int | None
    stopped: str


Answer = Finding | str
"""Or why there is none."""


def tables() -> Iterator[Table]:
    yield Table(AUTO, rows([*FAMILIES, *contest_files()]))


def contest_files() -> list[str]:
    folder = Path(os.environ.get("BURNSIDE_MODELS", "../shared/models/pnml"))
    files = (folder / name / "model.pnml" for name in CONTEST)
    return [str(file) for file in files if file.is_file()]


def rows(nets: Sequence[str], methods: Sequence[str] = tuple(METHODS)) -> Iterator[Row]:
    for each in nets:
        net = net_of(each)
        prepared = prepare(net)
        facts = (_shown_name(each), prepared.size, prepared.group.acting_order)
        answers = {
            method: answered(measure, each, method) if method in methods else "not run" for method in METHODS
        }
        yield row_of(facts, answers, method_of_auto(net), acting=prepared.group.acting_order > 1)


def net_of(name: str) -> Net:
    """A family in words, or a file."""
    from burnside.languages import read

    if not name.endswith(".pnml"):
        return family(name)
    net = read(name)
    assert isinstance(net, Net)
    return net


def _shown_name(name: str) -> str:
    return Path(name).parent.name if name.endswith(".pnml") else name


def answered(measure: Callable[[str, str], Answer], model: str, method: str) -> Answer:
    """What a measurement in a process of its own gave, if it ended in time."""
    # A warm-up and three runs, none of them longer than that; or one that may reach the limit.
    try:
        found = apart(measure, model, method, limit=max(LIMIT, 4 * MAX_REPEATED_SECONDS) + GRACE)
    except TimeoutError:
        return f">{LIMIT:.0f}"
    except RuntimeError:
        return FAILED
    return f">{LIMIT:.0f}" if isinstance(found, Finding) and found.stopped != "exhausted" else found


def measure(net: str, method: str) -> Answer:
    """In a process of its own."""
    prepared = prepare(net_of(net))
    try:
        done = timed(prepared, METHODS[method], MAX_REPEATED_SECONDS)
    except ValueError:  # the method does not take this group
        return "refused"
    found = done.exploration
    return Finding(done.seconds, found.states, found.full_states, found.stopped)


def row_of(facts: Sequence[Cell], answers: dict[str, Answer], auto: str, *, acting: bool) -> Row:
    found = {method: answer for method, answer in answers.items() if isinstance(answer, Finding)}
    reducing = {method: each for method, each in found.items() if method != "none" or not acting}
    fastest = min(reducing, key=lambda method: reducing[method].seconds, default=None)
    ratio = found[auto].seconds / found[fastest].seconds if fastest and auto in found else None
    wrong = "WRONG: a method failed" if FAILED in answers.values() else _disagreement(found)
    seconds = [answer if isinstance(answer, str) else answer.seconds for answer in answers.values()]
    counts = (_only(found, "full"), _only(found, "orbits"))
    return Row((*facts, *counts, *seconds, fastest, auto, ratio, wrong or "same orbits"), wrong=bool(wrong))


def _only(found: dict[str, Finding], what: str) -> int | None:
    """The number that all agree on, from the first that has it."""
    if what == "full":
        return next((each.full_states for each in found.values() if each.full_states is not None), None)
    return next((each.states for method, each in found.items() if method != "none"), None)


def _disagreement(found: dict[str, Finding]) -> str:
    orbits = {each.states for method, each in found.items() if method != "none"}
    full = {each.full_states for each in found.values()} - {None}
    if len(orbits) > 1:
        return "WRONG: orbits " + ", ".join(f"{count:,}" for count in sorted(orbits))
    return "WRONG: full states differ" if len(full) > 1 else ""
