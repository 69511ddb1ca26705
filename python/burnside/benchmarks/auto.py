"""The price of `--reduce auto`: whole commands with it against `--reduce none`.

In: models of every sort (see `auto_models`), each of which is explored to its end by both. Out: one table: seconds of both,
their ratio, what was chosen, and why and when it changed; its last rows are geometric means. A row is wrong where a run that
knows `full_states` has another number of them than the unreduced run has states, where a canonical run does not know them,
or where verdicts differ.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

from burnside.benchmarks import auto_models
from burnside.benchmarks.auto_models import Command
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.outcome import READABLE_DIGITS, readable
from burnside.records import record

LIMIT = 60.0
"""Seconds for one command."""
GRACE = 60.0
"""Seconds after the limit until a command that has not ended by itself is killed."""
SHORT = 3.0
"""Runs of fewer seconds are made again; the least counts."""
LONG = 1.0
"""Below so many seconds of `none` a command is mostly the start of Python."""
MAX_RATIO, FREE_SECONDS = 1.5, 1.0
"""What `auto` may cost."""
MEGABYTE = 1 << 20

AUTO = TableSpec(
    "auto",
    "The price of `--reduce auto`",
    named(
        "model | states | stored | none | auto | ratio | method | why, and when it changed | group | MB | verdict"
    ),
    f"Whole commands, one thread; the lesser of two runs where one takes less than {SHORT:.0f} s. `stored` and `MB` "
    f"(at the peak): by `auto`. Bound: {MAX_RATIO} times the seconds of `none` and {FREE_SECONDS:.0f} s. `>{LIMIT:.0f}`: "
    f"the run was ended; ratios count it with {LIMIT:.0f} s, so where `none` did not end they are upper bounds. `method`: "
    "with its strength where orbits are not exact. Nets: all of the contest's with at most a million markings; Murphi and "
    f"B: all of the collections, and examples; families: {len(auto_models.HUGE_GROUPS)} with huge groups, "
    f"{len(auto_models.SMALL_ORBITS)} with small orbits, {len(auto_models.NO_ORBITS)} with hardly any, "
    f"{len(auto_models.LARGE_ORBITS)} with large orbits. Most models are so small that both commands are mostly the start "
    f"of Python, and have a ratio near 1; the mean of rows in which `none` takes at least {LONG:.0f} s says what `auto` "
    "saves.",
)


@record
class Run:
    """One command; `outcome` is None where it did not say anything, because it was killed or failed."""

    seconds: float
    outcome: Mapping[str, Any] | None
    failure: str = ""

    @property
    def ended(self) -> bool:
        return self.outcome is not None and self.outcome["stopped"] in ("exhausted", "bounded")

    @property
    def counted_seconds(self) -> float:
        """A run that was ended counts with the limit."""
        return self.seconds if self.ended else LIMIT


@record
class Pair:
    """Both runs of a model, and the row they make."""

    none: Run
    auto: Run
    row: Row

    @property
    def ratio(self) -> float | None:
        return ratio_of(self.none, self.auto)

    @property
    def is_above_bound(self) -> bool:
        return above_bound(self.none, self.auto)

    @property
    def is_reduced(self) -> bool:
        outcome = self.auto.outcome
        return outcome is not None and outcome["reduction"]["name"] != "none"


def tables() -> Iterator[Table]:
    yield Table(AUTO, rows())


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from rows_of(
            {
                "nets of the contest": auto_models.nets(),
                "Murphi programs": auto_models.programs(),
                "B machines": auto_models.machines(),
                "families": auto_models.families(Path(folder)),
            }
        )


def rows_of(sorts: Mapping[str, Iterable[Command]]) -> Iterator[Row]:
    """A row for each model, then the means."""
    measured_by_sort: dict[str, list[Pair]] = {}
    for sort, commands in sorts.items():
        measured_by_sort[sort] = []
        for command in commands:
            measured = pair_of(command)
            if isinstance(measured, Row):
                yield measured
                continue
            measured_by_sort[sort].append(measured)
            yield measured.row
    every = [pair for pairs in measured_by_sort.values() for pair in pairs]
    for sort, pairs in measured_by_sort.items():
        yield from _mean(f"geometric mean: {sort}", pairs)
    yield from _mean("geometric mean: all", every)
    long = [pair for pair in every if pair.none.counted_seconds >= LONG]
    yield from _mean(f"geometric mean: none takes at least {LONG:.0f} s", long)


def _mean(name: str, pairs: Sequence[Pair]) -> Iterator[Row]:
    ratios = [pair.ratio for pair in pairs if pair.ratio is not None]
    if not ratios:
        return
    mean = exp(sum(map(log, ratios)) / len(ratios))
    reduced = sum(pair.is_reduced for pair in pairs)
    over = sum(pair.is_above_bound for pair in pairs)
    verdict = f"{len(pairs)} models, {reduced} reduced to the end; {over} above the bound"
    yield Row((name, *(None,) * 4, mean, *(None,) * 4, verdict))


def pair_of(command: Command) -> Pair | Row:
    """A row alone where there is nothing to compare."""
    if not command.arguments:
        return without_figures(AUTO, command.name, "skipped: absent")
    none, auto = measured(command, "none"), measured(command, "auto")
    if none.failure and auto.failure:
        return without_figures(AUTO, command.name, f"refused: {none.failure}")
    if auto.seconds < SHORT:
        auto = min(auto, measured(command, "auto"), key=_seconds)
    if none.seconds < SHORT:
        none = min(none, measured(command, "none"), key=_seconds)
    return Pair(none, auto, row_of(command.name, none, auto))


def _seconds(run: Run) -> float:
    return run.seconds


def row_of(name: str, none: Run, auto: Run) -> Row:
    wrong = what_is_wrong(none, auto)
    states = none.outcome["states"] if none.outcome is not None and none.ended else None
    seconds = [run.seconds if run.ended else f">{LIMIT:.0f}" for run in (none, auto)]
    figures: tuple[Any, ...] = (None,) * 5
    if auto.outcome is not None:
        stored = auto.outcome["states"] if auto.ended else None
        reduction = auto.outcome["reduction"]
        megabytes = auto.outcome["peak_memory_bytes"] // MEGABYTE
        figures = (
            stored,
            method_of(reduction),
            why(reduction),
            short_order(reduction["group_order"], complete=reduction["complete"]),
            megabytes,
        )
    stored, *rest = figures
    verdict = f"WRONG: {wrong}" if wrong else speed_verdict(none, auto)
    cells = (name, states, stored, *seconds, ratio_of(none, auto), *rest, verdict)
    return Row(cells, wrong=bool(wrong))


def ratio_of(none: Run, auto: Run) -> float | None:
    return auto.counted_seconds / none.counted_seconds if none.ended or auto.ended else None


def above_bound(none: Run, auto: Run) -> bool:
    """Where neither ended, nothing is known."""
    if not auto.ended:
        return none.ended
    return auto.seconds > MAX_RATIO * none.counted_seconds + FREE_SECONDS


def speed_verdict(none: Run, auto: Run) -> str:
    if not auto.ended:
        return "AUTO DID NOT END" if none.ended else "neither ended"
    if above_bound(none, auto):
        return "TOO SLOW"
    return "bound kept" if none.ended else "none did not end"


def what_is_wrong(none: Run, auto: Run) -> str:
    """Empty where all that must agree does."""
    if none.failure or auto.failure:
        return f"{'none' if none.failure else 'auto'} failed: {none.failure or auto.failure}"
    if none.outcome is None or auto.outcome is None or not (none.ended and auto.ended):
        return ""
    full, states = auto.outcome["full_states"], none.outcome["states"]
    if full is not None and full != states:
        return f"full states are {full:,}, not {states:,}"
    reduction = auto.outcome["reduction"]
    if (
        full is None
        and auto.outcome["stopped"] == "exhausted"
        and reduction["strength"] in ("none", "canonical")
    ):
        return "the orbits are not counted"
    if auto.outcome["states"] > states:
        return "more states are stored than there are"
    verdicts = [[each["verdict"] for each in run["properties"]] for run in (none.outcome, auto.outcome)]
    return "" if verdicts[0] == verdicts[1] else "verdicts differ"


def method_of(reduction: Mapping[str, Any]) -> str:
    """With its strength where that is less than canonical."""
    name, strength = str(reduction["name"]), reduction["strength"]
    return name if name == "none" or strength == "canonical" else f"{name} ({strength})"


def why(reduction: Mapping[str, Any]) -> str:
    """Why this method; where it was given up, when, and what followed."""
    changes = [
        f"given up after {each['after_states']:,} states, {each['seconds']:.1f} s, "
        + ("begun again" if each["restarted"] else "gone on")
        for each in reduction["changes"]
    ]
    return "; ".join(changes) if changes else str(reduction["reason"])


def short_order(order: int, *, complete: bool = True) -> int | str:
    """At least so many where not all symmetries were looked for; of long numbers the leading digits."""
    if not complete:
        return f"at least {readable(order)}"
    return order if order < 10**READABLE_DIGITS else readable(order)


def measured(command: Command, reduce: str) -> Run:
    """One run of the whole command."""
    options = ("--reduce", reduce, "--threads", "1", "--no-deadlock", "--keep-going", "--json")
    words = (*command.arguments, *options, "--max-seconds", f"{LIMIT:.0f}")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    begun = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "burnside", "check", *words],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
            timeout=LIMIT + GRACE,
        )
    except subprocess.TimeoutExpired:
        return Run(LIMIT + GRACE, None)
    seconds = time.perf_counter() - begun
    if not done.stdout:
        lines = done.stderr.strip().splitlines() or [f"code {done.returncode}"]
        return Run(seconds, None, lines[0])
    # Orders of groups may have more than the 4,300 digits that Python reads.
    sys.set_int_max_str_digits(0)
    return Run(seconds, json.loads(done.stdout))
