"""The price of `--reduce auto`: whole commands with it against `--reduce none`.

In: nets of the Model Checking Contest with at most a million markings, Murphi programs and B machines, each where it is
found (see `instances` and `b_instances`), and families whose groups are huge or whose orbits are small. Out: one table:
seconds of both, their ratio, what was chosen and when it changed; its last row is the geometric mean. Where orbits were
counted, the sum of their sizes must be the number of states of the unreduced run.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

from burnside.benchmarks import b_instances, instances
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record

LIMIT = 60.0
"""Seconds for one command."""
SHORT = 3.0
"""Runs of fewer seconds are made again; the least counts."""
MAX_MARKINGS = 1_000_000
MAX_RATIO, FREE_SECONDS = 1.5, 1.0
"""What `auto` may cost."""
FAMILIES = (
    *("rwmutex 10 500", "rwmutex 4 1000", "servers 20 40", "servers 100 160"),
    *("lines 1 2 500 2", "lines 2 2 300 2", "lines 4 2 80 2", "lines 8 2 40 2"),
    *("lines 1 500 5 1", "lines 1 100 20 1", "lines 1 5000 2 1", "lines 1 20000 2 1"),
    *("digraphs 5", "graphs 8", "db 10", "ph 16", "grid 2 5", "mutex 12"),
)
AUTO = TableSpec(
    "auto",
    "The price of `--reduce auto`",
    named("model | states | stored | none | auto | ratio | method | changed after | verdict"),
    f"Whole commands, one thread; the lesser of two runs where they take less than {SHORT:.0f} s. `stored`: by `auto`. "
    f"Bound: {MAX_RATIO} times the seconds of `none` and {FREE_SECONDS:.0f} s. `changed after`: stored states, where "
    f"reducing was given up. `>{LIMIT:.0f}`: the run was ended.",
)


@record
class Command:
    """A model as the command line takes it."""

    name: str
    arguments: tuple[str, ...]


@record
class Run:
    seconds: float
    outcome: dict[str, Any]

    @property
    def ended(self) -> bool:
        return bool(self.outcome["stopped"] in ("exhausted", "bounded"))


def tables() -> Iterator[Table]:
    yield Table(AUTO, rows())


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        ratios: list[float] = []
        for command in (*nets(), *murphi(), *machines(), *families(Path(folder))):
            row = row_of(command)
            ratio = row.cells[5]
            if isinstance(ratio, float):
                ratios.append(ratio)
            yield row
        if ratios:
            mean = exp(sum(map(log, ratios)) / len(ratios))
            over = sum(ratio > MAX_RATIO for ratio in ratios)
            verdict = f"{len(ratios)} models, {over} above {MAX_RATIO}"
            yield Row(("geometric mean", None, None, None, None, mean, None, None, verdict))


def nets() -> Iterator[Command]:
    folder = Path(os.environ.get("BURNSIDE_MODELS", "../shared/models/pnml"))
    if not (folder / "expected.csv").is_file():
        return
    with (folder / "expected.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["kind"] == "PT" and row["states"].isdigit() and int(row["states"]) <= MAX_MARKINGS:
                yield Command(row["instance"], (str(folder / row["instance"] / "model.pnml"),))


MURPHI = (
    *("german", "sem N=16", "graphs N=6", "digraphs N=4", "msi", "peterson", "ring", "lamport"),
    *("cache3", "list6", "newlist6", "mcslock1 N=3", "n_peterson N=4", "ldash", "2_peterson", "dek"),
    *("abp", "arbiter", "dp4", "dpnew", "down", "lin", "pingpong", "sets", "sort5"),
)
MACHINES = (
    *("Club", "Dining", "Peterson", "Philosophers", "RoundTable", "RussianPostalPuzzle"),
    *(
        "Scheduler0 PROC=5",
        "Scheduler1 PROC=6",
        "ServerFarm",
        "TicTacToe_Sym",
        "TicTacToe_SimplerSym",
        "TokenRing",
    ),
    *("Towns", "USB", "VideoShop", "CrewAllocation2", "DiningCryptographers", "Jukebox", "GraphIso", "CXCC"),
)


def murphi() -> Iterator[Command]:
    for words in MURPHI:
        if instances.missing(words):
            yield Command(words, ())
            continue
        found = instances.instance(words)
        yield Command(words, (str(found.file), *_sizes(found.sizes.items())))


def machines() -> Iterator[Command]:
    for words in MACHINES:
        if b_instances.missing(words):
            yield Command(words, ())
            continue
        sizes = b_instances.sizes_of(words)
        yield Command(words, (str(b_instances.file_of(words)), *_sizes(sizes.items())))


def families(folder: Path) -> Iterator[Command]:
    from burnside import families as known
    from burnside.languages.pnml.write import write_pnml

    for words in FAMILIES:
        name, *parameters = words.split()
        file = folder / f"{words.replace(' ', '_')}.pnml"
        with file.open("w", encoding="utf-8") as stream:
            write_pnml(known.build(name, parameters), stream)
        yield Command(words, (str(file),))


def _sizes(sizes: Any) -> Sequence[str]:
    return [part for name, value in sizes for part in ("--size", f"{name}={value}")]


def row_of(command: Command) -> Row:
    if not command.arguments:
        return without_figures(AUTO, command.name, "skipped: absent")
    none, auto = measured(command, "none"), measured(command, "auto")
    if none is None or auto is None:
        return without_figures(AUTO, command.name, "refused")
    if min(none.seconds, auto.seconds) < SHORT:
        again = measured(command, "auto"), measured(command, "none")
        auto = min(filter(None, (auto, again[0])), key=lambda run: run.seconds)
        none = min(filter(None, (none, again[1])), key=lambda run: run.seconds)
    reduction = auto.outcome["reduction"]
    changes = reduction["changes"]
    ratio = auto.seconds / none.seconds if none.ended and auto.ended else None
    verdict = "bound kept" if auto.seconds <= MAX_RATIO * none.seconds + FREE_SECONDS else "TOO SLOW"
    if not none.ended:
        verdict = "none did not end"
    full, states = auto.outcome["full_states"], none.outcome["states"]
    wrong = none.ended and auto.ended and full is not None and full != states
    seconds = [run.seconds if run.ended else f">{LIMIT:.0f}" for run in (none, auto)]
    cells = (
        states if none.ended else None,
        auto.outcome["states"],
        *seconds,
        ratio,
        reduction["name"],
        changes[0]["after_states"] if changes else None,
        "WRONG: full states differ" if wrong else verdict,
    )
    return Row((command.name, *cells), wrong=wrong)


def measured(command: Command, reduce: str) -> Run | None:
    """One run of the whole command; None where the model is refused."""
    words = (
        *command.arguments,
        "--reduce",
        reduce,
        "--threads",
        "1",
        "--no-deadlock",
        "--keep-going",
        "--json",
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "burnside", "check", *words, "--max-seconds", f"{LIMIT:.0f}"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    seconds = time.perf_counter() - begun
    # Orders of groups may have more than the 4,300 digits that Python reads.
    sys.set_int_max_str_digits(0)
    return Run(seconds, json.loads(done.stdout)) if done.stdout else None
