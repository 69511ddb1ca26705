"""Z specifications: the tables of Leuschel and Massart (2010), speed against the same machines in B, and reading.

In: the examples of the project, and the published figures. Out: three tables. A count that differs makes a row wrong; a
missed speed only says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from burnside.benchmarks.b_instances import explored, sizes_of
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.diagnostics import Source
from burnside.languages.options import ReadOptions
from burnside.limits import Deadline
from burnside.progress import Progress
from burnside.records import record
from burnside.request import Request

if TYPE_CHECKING:
    from burnside.checking import Check

REPETITIONS = 5
SPEED_TARGET = 0.5
LINES = 2_000
READING_TARGET = 1.0


@record
class Case:
    """States and edges without reduction and by markers, states by flooding; with the root, as the paper counts states.
    None: not published."""

    title: str
    full: tuple[int, int] | None
    markers: tuple[int, int]
    flood: int | None = None
    orbits: int | None = None
    """Without the root, where markers may merge more."""
    remark: str = ""

    @property
    def exact(self) -> int:
        return self.markers[0] - 1 if self.orbits is None else self.orbits


ROOT = "flooding is published without the root"
PUBLISHED = (
    Case("organisation NAME=3", (29, 149), (12, 55), 12),
    Case("organisation NAME=4", (165, 1_196), (33, 218), 33),
    Case("organisation NAME=5", (733, 6_761), (67, 571), 67),
    Case("organisation NAME=6", (2_191, 23_892), (88, 896), 87, remark=ROOT),
    Case("organisation NAME=7", (6_565, 82_263), (112, 1_326), 112),
    Case("videoshop MAXINT=4 PERSON=2 TITLE=2", (526, 2_733), (178, 953)),
    Case("videoshop MAXINT=4 PERSON=2 TITLE=3", (7_130, 52_533), (862, 6_521)),
    Case("videoshop MAXINT=4 PERSON=3 TITLE=3", (42_345, 334_450), (2_046, 16_938)),
    Case("videoshop MAXINT=4 PERSON=3 TITLE=4", None, (11_477, 122_394), 11_692, orbits=11_692, remark=ROOT),
)
MARKERS = TableSpec(
    "z-markers",
    "Leuschel and Massart 2010, Figures 10 and 11: Z specifications",
    named(
        "specification | states | edges | marker states | marker edges | flooded states | exact | measured states "
        "| measured edges | orbits by nauty, flood | measured marker states | measured marker edges | markers | verdict"
    ),
    "Published figures count ProB's root as a state; here it is added to ours, but not to `exact`, the number of orbits. "
    "`markers`: is it decided that these are exact?",
)


@record
class Twins:
    """One model in Z and in B."""

    z: str
    b: str


TWINS = (
    Twins("organisation NAME=6", "Organisation NAME=6"),
    Twins("videoshop MAXINT=4 PERSON=3 TITLE=3", "VideoShop PERSON=3 TITLE=3"),
    Twins("birthdaybook NAME=8 DATE=2", "BirthdayBook NAME=8 DATE=2"),
    Twins("scheduler PROC=6", "Scheduler1 PROC=6"),
    Twins("filesystem NAME=3 BYTE=3", "FileSystem NAME=3 BYTE=3"),
)
SPEED = TableSpec(
    "z-speed",
    "Specifications in Z against the same in B, without reduction",
    named("specification | states | transitions | Z s | B s | ratio | target | verdict"),
    f"Exploration alone, one thread, median of {REPETITIONS} runs by turns. `ratio`: speed of Z as a part of that of B.",
)
READING = TableSpec(
    "z-reading",
    "Reading Z",
    named("what | lines | parsing s | typing s | lowering s | target of parsing and typing s | verdict"),
    f"Median of {REPETITIONS}. A state with one component and many operations on it.",
)
SPECS = (MARKERS, SPEED, READING)


def tables() -> Iterator[Table]:
    yield Table(MARKERS, marker_rows(PUBLISHED))
    yield Table(SPEED, speed_rows(TWINS))
    yield Table(READING, reading_rows(LINES))


def _file(title: str) -> Path | None:
    name = title.split()[0]
    folders = (Path("examples"), Path(__file__).parents[3] / "examples")
    files = (
        folder / each for folder in folders for each in (f"z/{name}.tex", f"b/{name}.mch", f"b/{name}.ref")
    )
    return next((file for file in files if file.is_file()), None)


def _prepared(title: str, reduce: str) -> Check:
    from burnside import pipeline
    from burnside.checking import Check

    file = _file(title)
    assert file is not None
    request = Request(
        reduce=reduce,
        symmetry="declared",
        threads=1,
        keep_going=True,
        deadlock=False,
        assume_bounds=True,
        self_check="off",
    )
    model = pipeline.read(file, options=ReadOptions(sizes_of(title)))
    return Check.prepared(model, request, Deadline())


def marker_rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        if _file(case.title) is None:
            yield without_figures(MARKERS, case.title, "skipped: it is absent")
            continue
        full = None if case.full is None else explored(_prepared(case.title, "none"))
        orbits = [explored(_prepared(case.title, method)).states for method in ("nauty", "flood")]
        check = _prepared(case.title, "marker")
        marked = check.explore(Progress(), Deadline())
        assert marked.core is not None
        measured = None if full is None else (full.states + 1, full.transitions)
        markers = marked.states + 1, marked.transitions
        is_exact = marked.core.is_exact
        problem = (
            measured != case.full
            or set(orbits) != {case.exact}
            or markers != case.markers
            or (is_exact and orbits[0] != marked.states)
        )
        cells = (
            case.title,
            *(case.full or (None, None)),
            *case.markers,
            case.flood,
            case.exact,
            *(measured or (None, None)),
            " ".join(map(str, orbits)),
            *markers,
            "exact" if is_exact else "not decided",
            "WRONG" if problem else f"equal{f'; {case.remark}' if case.remark else ''}",
        )
        yield Row(cells, wrong=problem)


def speed_rows(twins: Sequence[Twins]) -> Iterator[Row]:
    for each in twins:
        titles = (each.z, each.b)
        if None in [_file(title) for title in titles]:
            yield without_figures(SPEED, each.z, "skipped: an example is absent")
            continue
        checks = {title: _prepared(title, "none") for title in titles}
        seconds: Mapping[str, list[float]] = {title: [] for title in titles}
        counts = {}
        for _ in range(REPETITIONS):
            for title in titles:
                run = explored(checks[title])
                seconds[title].append(run.seconds)
                counts[title] = (run.states, run.transitions)
        ours, theirs = median(seconds[each.z]), median(seconds[each.b])
        is_wrong = counts[each.z] != counts[each.b]
        ratio = theirs / ours
        verdict = "WRONG: counts differ" if is_wrong else "met" if ratio >= SPEED_TARGET else "missed"
        yield Row((each.z, *counts[each.z], ours, theirs, ratio, SPEED_TARGET, verdict), wrong=is_wrong)


def specification(lines: int) -> str:
    """With about so many lines."""
    head = [
        "\\begin{zed} [ITEM] \\end{zed}",
        "\\begin{schema}{Store} kept : ITEM \\pfun \\nat \\end{schema}",
        "\\begin{schema}{Init} Store' \\where kept' = \\emptyset \\end{schema}",
    ]
    operation = """\\begin{schema}{Put%d}
  \\Delta Store \\\\
  item? : ITEM \\\\
  amount? : 0 \\upto 9 \\\\
  total! : \\nat
\\where
  item? \\notin \\dom kept \\land \\# kept < 5 \\\\
  (\\forall other : \\dom kept @ kept~other \\leq 9) \\\\
  kept' = kept \\oplus \\{ item? \\mapsto amount? \\} \\\\
  total! = \\# \\{ other : \\dom kept' | kept'(other) > amount? \\} + amount?
\\end{schema}
"""
    count = (lines - len(head)) // operation.count("\n")
    return "\n".join([*head, *(operation % number for number in range(count))])


def reading_rows(lines: int) -> Iterator[Row]:
    from burnside.languages.z.lower.machine import MachineLowering
    from burnside.languages.z.lower.roles import AskedRoles
    from burnside.languages.z.parse import parse
    from burnside.languages.z.typing import check

    text = specification(lines)
    runs = []
    for _ in range(REPETITIONS):
        source = Source("store.tex", text)
        begun = time.perf_counter()
        tree = parse(source)
        parsed = time.perf_counter()
        checked = check(tree, source)
        typed = time.perf_counter()
        MachineLowering(checked, {}, AskedRoles(), "store.tex").machine("store")
        runs.append((parsed - begun, typed - parsed, time.perf_counter() - typed))
    parsing, typing, lowering = (median(each) for each in zip(*runs, strict=True))
    verdict = "met" if parsing + typing < READING_TARGET else "missed"
    yield Row(("operations", text.count("\n") + 1, parsing, typing, lowering, READING_TARGET, verdict))
