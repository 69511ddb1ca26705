"""Whole runs against Spin, from the text of a model to the verdict.

In: Promela models with sizes. Out: three tables: seconds of `spin -a`, of gcc and of the verifier, together
against seconds of a fresh `burnside check`. Unreduced, both must count the same states; reduced, Spin has its partial order
reduction and burnside its symmetries; and how both grow with the size, with a drawing. Spin is a rival and never needed:
where it or gcc is absent, the rows say so.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from json import loads
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from burnside.benchmarks.curves import Curve, drawing
from burnside.benchmarks.instances import command
from burnside.benchmarks.spin_models import FAMILIES, MODELS, SpinModel, located
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record

FULL = ("sem N=16", "clients_servers CLIENTS=6 SERVERS=3 LENGTH=3")
REDUCED = (
    "sem N=19",
    "readers_writers READERS=8 WRITERS=8",
    "allocator N=6",
    "clients_servers CLIENTS=6 SERVERS=3 LENGTH=3",
    "star N=9",
)
FULL_TARGET, REDUCED_TARGET = 1.0, 10.0
COLUMNS = (
    "model | states of Spin | states of burnside | spin s | gcc s | running s | together s | burnside s | exploring s "
    "| ratio | target | verdict"
)
UNREDUCED_RACE = TableSpec(
    "spin-race",
    "Whole runs of Promela models, unreduced: burnside against Spin",
    named(COLUMNS),
    "Everything a user waits for, one thread, once. Spin: `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOREDUCE -DNOFAIR`, "
    "`./pan -m10000000 -w26`. burnside: a fresh process of `burnside check --reduce none`. States must be equal.",
)
REDUCED_RACE = TableSpec(
    "spin-race-reduced",
    "Time to the verdict: burnside with symmetries against Spin with partial order reduction",
    named(COLUMNS),
    "As above, but Spin reduces by partial orders (`spin -a`, `gcc -O2 -DSAFETY -DNOFAIR`), burnside by the symmetries that "
    "it finds, which is part of its time.",
)
GROWTH_COLUMNS = (
    "family | size | full states | states of Spin | orbits | Spin s | burnside s | ratio | verdict"
)


def drawn(rows: Sequence[Sequence[str]]) -> str:
    """The families of a stored table as curves."""
    curves = []
    for name in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == name and row[6]]
        points = [[(float(row[2]), float(row[at])) for row in own] for at in (5, 6)]
        if own:
            curves.append(Curve(name, *points))
    return drawing(
        "Seconds from the text of a model to the verdict", curves, "Spin, partial orders", "burnside"
    )


GROWTH = TableSpec(
    "spin-race-growth",
    "How the time to the verdict grows: burnside with symmetries, Spin with partial order reduction",
    named(GROWTH_COLUMNS),
    "As above, for the sizes of five symmetric families. The drawing has both axes logarithmic.",
    drawn,
)


@record
class Rival:
    """What Spin took, step by step, and how many states it stored."""

    writing: float
    compiling: float
    running: float
    states: int
    verdict: str

    @property
    def seconds(self) -> float:
        return self.writing + self.compiling + self.running


def tables() -> Iterator[Table]:
    yield Table(UNREDUCED_RACE, rows(UNREDUCED_RACE, FULL, reduced=False))
    yield Table(REDUCED_RACE, rows(REDUCED_RACE, REDUCED, reduced=True))
    yield Table(GROWTH, growth_rows())


def growth_rows() -> Iterator[Row]:
    for name, sizes in FAMILIES.items():
        for each in sizes:
            model = SpinModel(name, each, 0, None)
            size = " ".join(f"{macro}={value}" for macro, value in each)
            if (missing := _missing(model)) is not None:
                yield Row((name, size, *(None,) * (len(GROWTH.columns) - 3), f"skipped: {missing} is absent"))
                continue
            seconds, answer = _ours(model, reduced=True)
            theirs = spin(model, reduced=True)
            taken = theirs.seconds, seconds, theirs.seconds / seconds
            agree = "as expected" if answer["verdict"] == theirs.verdict else "WRONG: verdicts differ"
            counts = answer["full_states"], theirs.states, answer["states"]
            yield Row((name, size, *counts, *taken, agree), wrong=agree.startswith("WRONG"))


def _missing(model: SpinModel) -> str | None:
    """What a row needs and is absent."""
    absent = next((tool for tool in ("spin", "gcc") if not shutil.which(tool)), None)
    return absent or (f"{model.name}.pml" if located(model) is None else None)


def rows(spec: TableSpec, names: Sequence[str], *, reduced: bool) -> Iterator[Row]:
    for model in MODELS:
        if str(model) not in names:
            continue
        if (missing := _missing(model)) is not None:
            yield without_figures(spec, str(model), f"skipped: {missing} is absent")
        else:
            yield _raced(model, reduced)


def _raced(model: SpinModel, reduced: bool) -> Row:
    seconds, answer = _ours(model, reduced)
    theirs = spin(model, reduced)
    wanted = model.reduced if reduced else model.states
    wrong = ""
    if (answer["full_states"], theirs.states) != (model.states, wanted):
        wrong = f"WRONG: {answer['full_states']:,} and {theirs.states:,}"
    ratio, target = theirs.seconds / seconds, REDUCED_TARGET if reduced else FULL_TARGET
    taken = (
        theirs.writing,
        theirs.compiling,
        theirs.running,
        theirs.seconds,
        seconds,
        answer["explore_seconds"],
    )
    verdict = wrong or ("met" if ratio >= target else "missed")
    cells = (str(model), theirs.states, answer["states"], *taken, ratio, f"{target:g}", verdict)
    return Row(cells, wrong=bool(wrong))


def _ours(model: SpinModel, reduced: bool) -> tuple[float, dict[str, Any]]:
    sizes = [part for name, value in model.sizes for part in ("--size", f"{name}={value}")]
    method = "auto" if reduced else "none"
    options = ("--reduce", method, "--keep-going", "--threads", "1", "--json")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    words = [sys.executable, "-m", "burnside", "check", str(located(model)), *sizes, *options]
    try:
        seconds, out = command(words, environment=environment)
    except RuntimeError as error:
        raise RuntimeError(f"{model}: {error}") from None
    return seconds, loads(out)


def spin(model: SpinModel, reduced: bool) -> Rival:
    plain = () if reduced else ("-o1", "-o2", "-o3")
    options = ("-DSAFETY", "-DNOFAIR", *(() if reduced else ("-DNOREDUCE",)))
    file = located(model)
    assert file is not None
    with TemporaryDirectory() as name:
        folder = Path(name)
        writing, _ = command(("spin", "-a", *plain, *model.macros, str(file.resolve())), folder=folder)
        compiling, _ = command(("gcc", "-O2", "-w", *options, "-o", "pan", "pan.c"), folder=folder)
        running, out = command((str(folder / "pan"), "-c0", "-m10000000", "-w26"), folder=folder)
    found, errors = re.search(r"([\d.e+]+) states, stored", out), re.search(r"errors: (\d+)", out)
    verdict = "unknown" if errors is None else "holds" if errors[1] == "0" else "violated"
    return Rival(writing, compiling, running, int(float(found[1])) if found else 0, verdict)
