"""Whole runs against rumur, from the text of a model to the verdict.

In: programs and what reduces them. Out: one table: seconds of rumur, of gcc on what rumur wrote, and of what
gcc made, together against seconds of a fresh `burnside check`. Both use one thread, check the same
invariants and deadlocks, and must count the same states and rules. rumur is a rival and never needed: where
it or gcc is absent, the rows say so.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from burnside.benchmarks.instances import Whole, command, instance, missing, whole_run
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record

UNREDUCED = ("--reduce", "none")
EXACT = ("--reduce", "auto", "--symmetry", "declared")


@record
class Case:
    """A program, how both reduce it, what both must count, and how many times faster burnside is to be."""

    model: str
    options: Sequence[str]
    symmetry: str
    """rumur's: off, heuristic or exhaustive."""
    states: int
    rules: int
    target: float


CASES = (
    Case("german", UNREDUCED, "off", 1_105_434, 5_922_288, 8),
    Case("german", EXACT, "exhaustive", 28_088, 150_584, 20),
    Case("german", EXACT, "heuristic", 28_088, 150_584, 3),
    Case("sem N=16", UNREDUCED, "off", 589_824, 5_505_024, 20),
)
RACE = TableSpec(
    "murphi-race",
    "Whole runs of Murphi programs: burnside against rumur",
    named(
        "model | reduction | rumur's reduction | states | rules fired | rumur s | gcc s | running s "
        "| together s | burnside s | ratio | target | verdict"
    ),
    "Everything a user waits for, one thread. rumur: writing the verifier, `gcc -O3`, running it, once. burnside: a "
    "fresh process of `burnside check`, the median of three. The states and rules of both must be as expected. "
    "rumur's `heuristic` reduction finds all orbits of german, but need not do so elsewhere.",
)


@record
class Rival:
    """What rumur took, step by step, and what it counted."""

    writing: float
    compiling: float
    running: float
    states: int
    rules: int

    @property
    def seconds(self) -> float:
        return self.writing + self.compiling + self.running


def tables() -> Iterator[Table]:
    yield Table(RACE, rows(CASES))


Ours = Callable[[str, Sequence[str]], Whole]
Theirs = Callable[[str, str], Rival]


def rows(cases: Sequence[Case], ours: Ours = whole_run, theirs: Theirs | None = None) -> Iterator[Row]:
    for case in cases:
        why = missing(case.model) or ("" if theirs else _absent())
        yield without_figures(RACE, case.model, why) if why else _raced(case, ours, theirs or rumur)


def _absent() -> str:
    return next((f"skipped: {tool} is absent" for tool in ("rumur", "gcc") if not shutil.which(tool)), "")


def _raced(case: Case, run: Ours, rival: Theirs) -> Row:
    ours = run(case.model, case.options)
    wrong = _wrong(case, "burnside", ours.states, ours.transitions)
    try:
        theirs = rival(instance(case.model).text, case.symmetry)
    except (RuntimeError, TimeoutError) as error:
        nothing = (None, None, None, None, ours.seconds, None)
        return Row((*_facts(case, ours), *nothing, _target(case), wrong or f"no race: {error}"), bool(wrong))
    wrong = wrong or _wrong(case, "rumur", theirs.states, theirs.rules)
    ratio = theirs.seconds / ours.seconds
    taken = (theirs.writing, theirs.compiling, theirs.running, theirs.seconds, ours.seconds, ratio)
    verdict = wrong or ("met" if ratio >= case.target else "missed")
    return Row((*_facts(case, ours), *taken, _target(case), verdict), wrong=bool(wrong))


def _facts(case: Case, ours: Whole) -> tuple[str, str, str, int, int]:
    reduction = "none" if case.options == UNREDUCED else "exact"
    return case.model, reduction, case.symmetry, ours.states, ours.transitions


def _target(case: Case) -> str:
    return f"{case.target:g}"


def _wrong(case: Case, who: str, states: int, rules: int) -> str:
    if (states, rules) == (case.states, case.rules):
        return ""
    return f"WRONG: {who} has {states:,} / {rules:,}, expected {case.states:,} / {case.rules:,}"


def rumur(text: str, symmetry: str) -> Rival:
    """RuntimeError where it does not end with a clean verdict."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.m").write_text(text, encoding="utf-8")
        options = ("--threads", "1", "--symmetry-reduction", symmetry, "--output-format", "machine-readable")
        writing, _ = command(("rumur", *options, "--output", "model.c", "model.m"), folder=folder)
        compiling, _ = command(_compiler(), folder=folder)
        running, out = command((str(folder / "model"),), folder=folder)
    states, rules = counts(out)
    return Rival(writing, compiling, running, states, rules)


def _compiler() -> tuple[str, ...]:
    """As rumur's manual has it: on x86-64 the verifier swaps 16 bytes at once."""
    wide = ("-mcx16",) if platform.machine().lower() in ("x86_64", "amd64") else ()
    return ("gcc", "-std=c11", "-O3", *wide, "-o", "model", "model.c", "-lpthread")


def counts(report: str) -> tuple[int, int]:
    """States and rules fired, from what a verifier says in XML."""
    summary = ElementTree.fromstring(report.encode()).find("summary")
    if summary is None or summary.get("errors") != "0":
        raise RuntimeError("rumur found an error")
    return int(summary.get("states", "0")), int(summary.get("rules_fired", "0"))
