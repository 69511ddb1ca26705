"""The formulas of the Model Checking Contest against its verdicts.

In: the contest's nets with property files and verdicts, where the folder `../shared/models/pnml` lies beside the working
directory (or where `BURNSIDE_MODELS` says), up to a number of markings (`BURNSIDE_CONTEST_STATES`). Out: one table: for each
examination, with and without reduction, how many verdicts are right. A wrong one is an error.
"""

from __future__ import annotations

import csv
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from burnside import pipeline
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.kinds.net.sums import largest_sums
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import record
from burnside.request import Limits, Request
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.contest import TokenBound
from burnside.temporal.files import read_properties
from burnside.temporal.reading import TemporalProperty

Verdict = bool | int | None
"""A bound is a number; None is not known."""

EXAMINATIONS: Mapping[str, str] = {
    "ReachabilityCardinality": "RC",
    "ReachabilityFireability": "RF",
    "CTLCardinality": "CTLC",
    "CTLFireability": "CTLF",
    "LTLCardinality": "LTLC",
    "LTLFireability": "LTLF",
    "UpperBounds": "UB",
}
"""With the suffix of the file that holds the verdicts."""

MAX_SECONDS = 300.0
MAX_STATES = 1_000_000

CONTEST = TableSpec(
    "contest",
    "Formulas of the Model Checking Contest",
    named("examination | reduction | nets | formulas | right | wrong | unknown | seconds"),
    "Place/transition nets with known state spaces of at most a million markings, all formulas of an examination in one "
    f"run; at most {MAX_SECONDS:.0f} s for each net and examination. `right`: as the contest's verdicts say.",
)


@record
class Instance:
    name: str
    folder: Path
    states: int

    def verdicts(self, examination: str) -> list[Verdict]:
        """In the order of the formulas' numbers."""
        path = self.folder / f"{self.name}-{EXAMINATIONS[examination]}.out"
        if not path.is_file():
            return []
        found = sorted(re.findall(r"^FORMULA (\S+) (TRUE|FALSE|\d+) ", path.read_text(), re.MULTILINE))
        return [int(value) if value.isdecimal() else value == "TRUE" for _, value in found]

    def properties(self, examination: str) -> Sequence[TemporalProperty | TokenBound]:
        """In the order of their ids, by which the verdicts are numbered: ids name the year of a formula too."""
        path = self.folder / f"{examination}.xml"
        found = read_properties(path, model_of(self.folder)) if path.is_file() else ()
        return sorted(found, key=lambda each: each.name)


@lru_cache(maxsize=4)
def model_of(folder: Path) -> Model:
    return pipeline.read(folder / "model.pnml")


def instances(max_states: int, min_states: int = 0) -> list[Instance]:
    """Nets whose number of markings is known, small ones first."""
    root = Path(os.environ.get("BURNSIDE_MODELS", "../shared/models/pnml"))
    table = root / "expected.csv"
    if not table.is_file():
        return []
    with table.open(newline="") as file:
        rows = [each for each in csv.DictReader(file) if each["kind"] == "PT" and each["states"].isdecimal()]
    found = [Instance(each["instance"], root / each["instance"], int(each["states"])) for each in rows]
    return sorted(
        (each for each in found if min_states <= each.states <= max_states), key=lambda each: each.states
    )


def answers(
    model: Model, properties: Sequence[TemporalProperty | TokenBound], request: Request
) -> list[Verdict]:
    deadline = Deadline(request.limits.seconds)
    formulas = [each for each in properties if isinstance(each, TemporalProperty)]
    bounds = [each for each in properties if isinstance(each, TokenBound)]
    found: dict[str, Verdict] = {}
    if formulas:
        verdicts, _ = FormulaCheck(model, request, formulas, deadline).run(Progress())
        for each, answer in zip(formulas, verdicts, strict=True):
            found[each.name] = None if answer.verdict == "unknown" else answer.verdict == "holds"
    if bounds:
        largest = largest_sums(model, request, [each.places for each in bounds], deadline, Progress())
        for bound, number in zip(bounds, largest.numbers, strict=True):
            found[bound.name] = number if largest.stopped == "exhausted" else None
    return [found[each.name] for each in properties]


def tables() -> Iterator[Table]:
    yield Table(CONTEST, rows(instances(int(os.environ.get("BURNSIDE_CONTEST_STATES", MAX_STATES)))))


def rows(chosen: Sequence[Instance]) -> Iterator[Row]:
    for examination in EXAMINATIONS:
        for reduction in ("none", "auto"):
            yield _row(chosen, examination, reduction)


def _row(chosen: Sequence[Instance], examination: str, reduction: str) -> Row:
    request = Request(reduce=reduction, limits=Limits(seconds=MAX_SECONDS))
    nets = right = wrong = unknown = 0
    begun = time.perf_counter()
    for each in chosen:
        expected, properties = each.verdicts(examination), each.properties(examination)
        if not properties or len(expected) != len(properties):
            continue
        nets += 1
        for wanted, found in zip(expected, answers(model_of(each.folder), properties, request), strict=True):
            unknown += found is None
            right += found is not None and found == wanted
            wrong += found is not None and found != wanted
    seconds = round(time.perf_counter() - begun, 1)
    formulas = right + wrong + unknown
    return Row((examination, reduction, nets, formulas, right, wrong, unknown, seconds), wrong > 0)
