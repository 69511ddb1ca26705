"""The examinations of the Model Checking Contest against its verdicts.

In: the contest's nets with property files and verdicts, where the folder `../shared/models/pnml` lies beside the working
directory (or where `BURNSIDE_MODELS` says), up to a number of markings (`BURNSIDE_CONTEST_STATES`). Out: one table: for each
examination, with and without reduction, how many verdicts are right; coloured nets are asked on both routes. A wrong verdict
is an error. Small nets come first. `BURNSIDE_CONTEST_NETS` is a pattern for names (`*-COL-*`). Where `BURNSIDE_CONTEST_LOG`
names a file, a line is added to it for each net and examination, and what stands there already is not run again: a run of
hours can be stopped and go on.
"""

from __future__ import annotations

import csv
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import product
from pathlib import Path

from burnside import pipeline
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.kinds.sums import largest_sums
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.records import record, replace
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
"""Of formulas in files, with the suffix of the file that holds the verdicts."""
BY_NAME: Mapping[str, str] = {
    "ReachabilityDeadlock": "RD",
    "QuasiLiveness": "QL",
    "StableMarking": "SM",
    "Liveness": "L",
    "OneSafe": "OS",
}
"""One question each, the same for all nets."""

REDUCTIONS = ("none", "auto")
ROUTES: Mapping[str, bool | None] = {"direct": False, "unfolded": True}
"""Of coloured nets, with `Request.unfold`."""
NO_ROUTE: Mapping[str, bool | None] = {"-": None}
MAX_SECONDS = 300.0
MAX_STATES = 1_000_000
SHOWN_NETS = 5

CONTEST = TableSpec(
    "contest",
    "Examinations of the Model Checking Contest",
    named(
        "examination | route | reduction | nets | formulas | right | wrong | unknown | limits reached | seconds"
    ),
    "Place/transition and coloured nets with known state spaces of at most a million markings, all formulas of an "
    f"examination in one run; at most {MAX_SECONDS:.0f} s for each net and examination. `right`: as the contest's verdicts "
    "say. Limits are "
    "those because of which something is unknown, with the nets.",
)


@record
class Instance:
    name: str
    folder: Path
    states: int

    @property
    def routes(self) -> Mapping[str, bool | None]:
        return ROUTES if "-COL-" in self.name else NO_ROUTE

    def verdicts(self, examination: str) -> list[Verdict]:
        """In the order of the formulas' numbers."""
        suffix = {**EXAMINATIONS, **BY_NAME}[examination]
        path = self.folder / f"{self.name}-{suffix}.out"
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
    """Nets that are there and whose number of markings is known, small ones first."""
    root = Path(os.environ.get("BURNSIDE_MODELS", "../shared/models/pnml"))
    table = root / "expected.csv"
    if not table.is_file():
        return []
    with table.open(newline="") as file:
        rows = [each for each in csv.DictReader(file) if each["states"].isdecimal()]
    found = [Instance(each["instance"], root / each["instance"], int(each["states"])) for each in rows]
    chosen = [each for each in found if min_states <= each.states <= max_states]
    is_there = [each for each in chosen if (each.folder / "model.pnml").is_file()]
    return sorted(is_there, key=lambda each: each.states)


@record
class Answers:
    """In the order of the questions; `limit`: why some are not known."""

    verdicts: list[Verdict]
    limit: str = ""


def answers(model: Model, properties: Sequence[TemporalProperty | TokenBound], request: Request) -> Answers:
    deadline = Deadline(request.limits.seconds)
    formulas = [each for each in properties if isinstance(each, TemporalProperty)]
    bounds = [each for each in properties if isinstance(each, TokenBound)]
    found: dict[str, Verdict] = {}
    reasons: list[str] = []
    if formulas:
        check = FormulaCheck(model, request, formulas, deadline)
        verdicts, _ = check.run(Progress())
        reasons += [check.stopped, *(each.why or "" for each in verdicts if each.verdict == "unknown")]
        for each, answer in zip(formulas, verdicts, strict=True):
            found[each.name] = None if answer.verdict == "unknown" else answer.verdict == "holds"
    if bounds:
        largest = largest_sums(model, request, [each.places for each in bounds], deadline, Progress())
        reasons.append(largest.stopped)
        for bound, number in zip(bounds, largest.numbers, strict=True):
            found[bound.name] = number if largest.stopped == "exhausted" else None
    return _answers([found[each.name] for each in properties], reasons)


def answer_by_name(model: Model, examination: str, request: Request) -> Answers:
    outcome = pipeline.check(model, replace(request, examinations=(examination,)))
    (found,) = (each for each in outcome.properties if each.name == examination)
    verdict = None if found.verdict == "unknown" else found.verdict == "holds"
    return _answers([verdict], [outcome.stopped, found.message or ""])


def _answers(verdicts: list[Verdict], reasons: Iterable[str]) -> Answers:
    if "interrupted" in reasons:
        raise KeyboardInterrupt
    known = ("", "exhausted", "violation")
    limit = next((each for each in reasons if each not in known), "no reason given")
    return Answers(verdicts, limit if None in verdicts else "")


@record
class Result:
    """One examination of one net, as a line of the log."""

    net: str
    examination: str
    route: str
    reduction: str
    right: int
    wrong: int
    unknown: int
    limit: str
    seconds: float

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.net, self.examination, self.route, self.reduction

    @property
    def cells(self) -> tuple[str, ...]:
        counts = (self.right, self.wrong, self.unknown)
        return (*self.key, *map(str, counts), self.limit, f"{self.seconds:.3f}")


def tables() -> Iterator[Table]:
    pattern = os.environ.get("BURNSIDE_CONTEST_NETS", "*")
    found = instances(int(os.environ.get("BURNSIDE_CONTEST_STATES", MAX_STATES)))
    chosen = [each for each in found if fnmatchcase(each.name, pattern)]
    log = os.environ.get("BURNSIDE_CONTEST_LOG")
    yield Table(CONTEST, rows(results(chosen, None if log is None else Path(log))))


def results(chosen: Sequence[Instance], log: Path | None) -> Iterator[Result]:
    done = _logged(log)
    for net in chosen:
        for examination in (*EXAMINATIONS, *BY_NAME):
            for route, reduction in product(net.routes, REDUCTIONS):
                known = done.get((net.name, examination, route, reduction))
                found = known or _result(net, examination, route, reduction)
                if found is None:
                    continue
                if known is None:
                    _add_to(log, found)
                yield found


def _logged(log: Path | None) -> dict[tuple[str, str, str, str], Result]:
    if log is None or not log.is_file():
        return {}
    with log.open(newline="") as file:
        lines = [
            Result(net, asked, route, reduction, int(right), int(wrong), int(unknown), limit, float(seconds))
            for net, asked, route, reduction, right, wrong, unknown, limit, seconds in csv.reader(file)
        ]
    return {each.key: each for each in lines}


def _add_to(log: Path | None, result: Result) -> None:
    if log is not None:
        with log.open("a", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(result.cells)
    if result.wrong or result.unknown or result.seconds > MAX_SECONDS / 10:
        print(f"  {' '.join(result.cells)}", file=sys.stderr, flush=True)


def _result(net: Instance, examination: str, route: str, reduction: str) -> Result | None:
    """None where the net has no such examination."""
    request = Request(reduce=reduction, unfold=net.routes[route], limits=Limits(seconds=MAX_SECONDS))
    expected = net.verdicts(examination)
    properties = net.properties(examination)
    if not expected or (examination in EXAMINATIONS and len(expected) != len(properties)):
        return None
    begun = time.perf_counter()
    model = model_of(net.folder)
    if examination in BY_NAME:
        found = answer_by_name(model, examination, request)
    else:
        found = answers(model, properties, request)
    seconds = time.perf_counter() - begun
    pairs = list(zip(expected, found.verdicts, strict=True))
    unknown = sum(verdict is None for _, verdict in pairs)
    wrong = sum(verdict is not None and verdict != wanted for wanted, verdict in pairs)
    right = len(pairs) - unknown - wrong
    return Result(net.name, examination, route, reduction, right, wrong, unknown, found.limit, seconds)


def rows(found: Iterable[Result]) -> Iterator[Row]:
    """By examination, route and reduction, when all nets are done."""
    groups: dict[tuple[str, str, str], list[Result]] = {}
    for each in found:
        groups.setdefault((each.examination, each.route, each.reduction), []).append(each)
    for key, members in groups.items():
        right, wrong, unknown = (
            sum(getattr(each, what) for each in members) for what in ("right", "wrong", "unknown")
        )
        seconds = round(sum(each.seconds for each in members), 1)
        counts = (len(members), right + wrong + unknown, right, wrong, unknown)
        yield Row((*key, *counts, _limits(members), seconds), wrong > 0)


def _limits(members: Sequence[Result]) -> str:
    nets: dict[str, list[str]] = {}
    for each in members:
        if each.unknown:
            nets.setdefault(each.limit, []).append(each.net)
    texts = [
        f"{limit}: {', '.join(names[:SHOWN_NETS])}"
        + (f" and {len(names) - SHOWN_NETS} more" if len(names) > SHOWN_NETS else "")
        for limit, names in nets.items()
    ]
    return "; ".join(texts)
