"""High-level nets explored directly and unfolded, and directly against the same model in Murphi.

In: families of high-level nets as they grow; examples that have a twin. Out: two tables, the first drawn too. All runs are
reduced, in processes of their own. Both routes must find the same number of markings.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from burnside.benchmarks.curves import Curve, drawing
from burnside.benchmarks.instances import command
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.families.highlevel import FAMILIES
from burnside.languages.hln.printing import written
from burnside.records import record

SIZES = {
    "philosophers": (6, 8, 10, 12),
    "token ring": (6, 8, 10),
    "shared memory": (5, 10, 20, 30),
    "referendum": (10, 20, 40, 80),
    "airplane": (10, 20, 40),
    "lamport": (2, 3, 4),
    "peterson": (2,),
    "lockstep": (10, 100, 1_000),
}
HOPELESS = 10_000_000
"""Instances beyond which no unfolding is tried."""
MAX_SECONDS = 60
TWINS = (("lamport", "Pid=4", "N=4"), ("digraphs", "Vertex=5", "N=5"), ("graphs", "Vertex=8", "N=8"))
LEAST = 0.5
REPETITIONS = 5


def _drawn(rows: Sequence[Sequence[str]]) -> str:
    """Curves of those families that both routes finished at two sizes."""
    curves = []
    for family in SIZES:
        own = [row for row in rows if row[0].rsplit(" ", 1)[0] == family and row[1] and row[2] and row[4]]
        if len(own) > 1:
            points = [[(float(row[1]), float(row[column])) for row in own] for column in (2, 4)]
            curves.append(Curve(family, points[0], points[1]))
    title = "High-level nets, reduced: whole runs, directly and unfolded"
    return drawing(title, curves, "directly", "unfolded")


ROUTES = TableSpec(
    "highlevel",
    "High-level nets: directly against unfolded",
    named(
        "net | full states | directly: s | MB | unfolded: s | MB | auto: s | MB | auto takes | auto / better"
    ),
    "Fresh processes of `burnside check`, reduced, one thread; seconds of whole runs. Empty: more than "
    f"{MAX_SECONDS} s, or an unfolding of more than {HOPELESS:,} transitions. Lockstep 1000 would have 10^9.",
    draw=_drawn,
)
TWIN = TableSpec(
    "highlevel-murphi",
    "High-level nets directly against their Murphi twins, reduced",
    named("model | orbits | Murphi: µs/orbit | directly: µs/orbit | ratio | target | verdict"),
    f"`explore_seconds` of fresh processes, least of {REPETITIONS}, taken in turn. The ratio is of speeds.",
)


@record
class Run:
    full_states: int
    orbits: int
    seconds: float
    exploring: float
    memory: int
    route: str


def tables() -> Iterator[Table]:
    yield Table(ROUTES, _routes())
    yield Table(TWIN, _twins())


def _routes() -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        for family, sizes in SIZES.items():
            for size in sizes:
                file = Path(folder) / "net.hln"
                file.write_text(written(FAMILIES[family](size)), encoding="utf-8")
                direct = _run(file, "--no-unfold")
                is_hopeless = family == "lockstep" and size**3 > HOPELESS
                unfolded = None if is_hopeless else _run(file, "--unfold")
                auto = _run(file)
                found = [each for each in (direct, unfolded, auto) if each]
                better = min((each.seconds for each in (direct, unfolded) if each), default=None)
                cells = (
                    f"{family} {size}",
                    found[0].full_states if found else None,
                    *_time_and_memory(direct),
                    *_time_and_memory(unfolded),
                    *_time_and_memory(auto),
                    auto.route if auto else None,
                    auto.seconds / better if auto and better else None,
                )
                yield Row(cells, wrong=len({each.full_states for each in found}) > 1)


def _time_and_memory(run: Run | None) -> tuple[float | None, float | None]:
    return (run.seconds, run.memory / 1e6) if run else (None, None)


def _twins() -> Iterator[Row]:
    for name, size, murphi_size in TWINS:
        runs = [
            (
                _run(Path(f"examples/murphi/{name}.m"), "--size", murphi_size),
                _run(Path(f"examples/hln/{name}.hln"), "--size", size, "--no-unfold"),
            )
            for _ in range(REPETITIONS)
        ]
        theirs = [each for each, _ in runs if each]
        ours = [each for _, each in runs if each]
        orbits = {each.orbits for each in (*theirs, *ours)}
        costs = [1e6 * min(each.exploring for each in side) / side[0].orbits for side in (theirs, ours)]
        ratio = costs[0] / costs[1]
        verdict = "met" if ratio >= LEAST else "missed"
        yield Row(
            (f"{name} {murphi_size}", min(orbits), *costs, ratio, f"at least {LEAST}", verdict),
            wrong=len(orbits) > 1,
        )


def _run(file: Path, *options: str) -> Run | None:
    """None where it takes too long."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    limit = ("--max-seconds", str(MAX_SECONDS), "--threads", "1", "--json")
    words = (sys.executable, "-m", "burnside", "check", str(file), *limit, *options)
    try:
        seconds, out = command(words, environment=environment)
    except RuntimeError:
        return None
    found = json.loads(out)
    route = found.get("route") or {}
    return Run(
        found["full_states"],
        found["states"],
        seconds,
        found["explore_seconds"],
        found["peak_memory_bytes"],
        route.get("name", ""),
    )
