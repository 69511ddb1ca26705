"""Machines against ProB and against TLC (through tlc4b), with symmetry off and on.

In: machines and their counts. Out: one table. ProB is judged by the CPU seconds that it says model checking took, against
the CPU seconds of our exploration, start-up of both left out; TLC by whole runs of both. The rivals are Java and Prolog
programs that are not required: `PROB_HOME` says where `probcli` is, `TLC4B_HOME` where tlc4b's jars are; where one is
absent, its rows say so.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from burnside.benchmarks.b_instances import file_of, missing, prepared, sizes_of
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Request

REPETITIONS = 3
SHORT = 5.0
"""Seconds; what takes longer is run once."""
LIMIT = 180.0
"""Seconds for one run of a rival; where it takes longer, the ratio is at least what they make."""


@record
class Case:
    """A machine, the options that give a rival the same sizes, and what must be counted without reduction."""

    model: str
    states: int | None
    """None: too many to be counted one by one, so the race is with symmetry alone."""
    size: int = 2
    """Of deferred sets whose size the text leaves open."""


CASES = (
    Case("Peterson PID=4", 22_282, 4),
    Case("ArcLabelGraph", 65_536),
    Case("TLA_GraphState", 32_768, 5),
    Case("flights", 92_320),
    Case("Scheduler1 PROC=6", 37_008, 6),
    Case("Scheduler1 PROC=12", None, 12),
)
PROB, TLC = 100.0, 10.0
"""How many times faster burnside is to be."""

RACE = TableSpec(
    "b-race",
    "Machines: burnside against ProB and TLC",
    named(
        "model | symmetry | rival | states | rival's states | rival s | burnside s | ratio | target | verdict"
    ),
    "One thread. ProB: the CPU seconds of its model checking, as it says (`-mc`, invariants and deadlocks off; symmetry: "
    "nauty), against the CPU seconds of all threads of our exploration with all invariants on, from the compiled machine to "
    "the counts, nothing remembered from an earlier run. Reading, compiling and finding symmetries are start-up, as for "
    "ProB. TLC: the whole run of tlc4b (invariants and deadlocks off; its own symmetry sets) against a fresh process "
    "of `burnside check`, in seconds on the clock. With symmetry: `--reduce auto` with the symmetries that are found. "
    "Medians of three; of a rival that takes more than five seconds, one run. TLC does not count set-up states as ProB and "
    "burnside do.",
)


def tables() -> Iterator[Table]:
    yield Table(RACE, rows(CASES))


def rows(cases: Sequence[Case]) -> Iterator[Row]:
    for case in cases:
        for symmetry in (False, True) if case.states else (True,):
            for rival in ("ProB", "TLC"):
                why = missing(case.model) or _absent(rival)
                yield without_figures(RACE, case.model, why) if why else _raced(case, symmetry, rival)


def _absent(rival: str) -> str:
    variable = {"ProB": "PROB_HOME", "TLC": "TLC4B_HOME"}[rival]
    if variable not in os.environ or not shutil.which("java"):
        return f"skipped: {rival} is absent ({variable}, java)"
    return ""


def _raced(case: Case, symmetry: bool, rival: str) -> Row:
    states, exploring = _explored(case, symmetry)
    ours = exploring if rival == "ProB" else _whole(case, symmetry)
    target = PROB if rival == "ProB" else TLC
    facts = (case.model, "on" if symmetry else "off", rival, states)
    try:
        counted, theirs = _repeated(prob if rival == "ProB" else tlc, case, symmetry)
    except RuntimeError as error:
        return Row((*facts, None, None, ours, None, f"{target:g}", f"no race: {error}"))
    except TimeoutError:
        verdict = "met" if LIMIT / ours >= target else "not known"
        bounds = (f"more than {LIMIT:.0f}", ours, f"more than {LIMIT / ours:.3g}")
        return Row((*facts, None, *bounds, f"{target:g}", verdict))
    wrong = "" if symmetry or states == case.states else f"WRONG: expected {case.states:,} states"
    ratio = theirs / ours
    verdict = wrong or ("met" if ratio >= target else "missed")
    return Row((*facts, counted, theirs, ours, ratio, f"{target:g}", verdict), wrong=bool(wrong))


def _repeated(
    run: Callable[[Case, bool], tuple[int, float]], case: Case, symmetry: bool
) -> tuple[int, float]:
    counted, seconds = run(case, symmetry)
    if seconds > SHORT:
        return counted, seconds
    return counted, median([seconds, *(run(case, symmetry)[1] for _ in range(REPETITIONS - 1))])


def _explored(case: Case, symmetry: bool) -> tuple[int, float]:
    """States, and CPU seconds of the exploration."""
    from burnside.limits import Deadline
    from burnside.progress import Progress

    request = Request(reduce="auto" if symmetry else "none", threads=1, keep_going=True, deadlock=False)
    check = prepared(case.model, request)
    seconds = []
    for _ in range(REPETITIONS):
        handle = check.compiled()
        begun = time.process_time()
        found = check.explore_compiled(handle, Progress(), Deadline(check.request.limits.seconds))
        seconds.append(time.process_time() - begun)
    return found.states, median(seconds)


def _whole(case: Case, symmetry: bool) -> float:
    sizes = [part for name, value in sizes_of(case.model).items() for part in ("--size", f"{name}={value}")]
    reduce = ("--reduce", "auto" if symmetry else "none")
    words = [sys.executable, "-m", "burnside", "check", str(file_of(case.model)), *sizes, *reduce]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    runs = (_run([*words, "--keep-going", "--no-deadlock"], environment)[0] for _ in range(REPETITIONS))
    return median(runs)


def prob(case: Case, symmetry: bool) -> tuple[int, float]:
    """States and CPU seconds of model checking, as ProB says."""
    preferences = {
        "SYMMETRY_MODE": "nauty" if symmetry else "off",
        "MAX_OPERATIONS": 100_000,
        "MAX_INITIALISATIONS": 100_000,
        "TIME_OUT": 100_000,
        "DEFAULT_SETSIZE": case.size,
    }
    said = [word for name, value in preferences.items() for word in ("-p", name, str(value))]
    home = Path(os.environ["PROB_HOME"])
    with _copied(case) as file:
        words = [str(home / "probcli"), str(file), "-mc", "10000000", "-nodead", "-noinv", "-noass", *said]
        _, out = _run(words, os.environ, file.parent)
    return _number(r"States analysed: (\d+)", out), _number(r"Model Checking Time: (\d+) ms", out) / 1000


def tlc(case: Case, symmetry: bool) -> tuple[int, float]:
    """States and seconds of the whole run."""
    jars = str(Path(os.environ["TLC4B_HOME"]) / "*")
    options = ["-default_setsize", str(case.size), "-nodead", "-noinv", *(["-symmetry"] if symmetry else [])]
    with _copied(case) as file:
        seconds, out = _run(
            ["java", "-cp", jars, "de.tlc4b.TLC4B", *options, str(file)], os.environ, file.parent
        )
    if "Result: NoError" not in out:
        raise RuntimeError(f"TLC says {next(iter(re.findall(r'Result: (.*)', out)), 'nothing')}")
    return _number(r"States analysed: (\d+)", out), seconds


class _copied:
    """The machine with what it refines, in a folder of its own: tlc4b writes beside it. Sizes are put into the text."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.folder = TemporaryDirectory()

    def __enter__(self) -> Path:
        source = file_of(self.case.model)
        target = Path(self.folder.name)
        for file in source.parent.glob(f"{source.stem[:5]}*"):
            if file.suffix in (".mch", ".ref"):
                text = file.read_text(encoding="utf-8", errors="replace")
                for name, value in sizes_of(self.case.model).items():
                    text = re.sub(rf"scope_{name} == \d+", f"scope_{name} == {value}", text)
                    # tlc4b does not look for the set of a refinement in what it refines.
                    text = re.sub(r"REFINEMENT (\w+)\s+REFINES \w+", rf"MACHINE \1\nSETS {name}", text)
                (target / file.name).write_text(text, encoding="utf-8")
        return (target / source.name).rename(target / f"{source.stem}.mch")

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _run(
    words: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> tuple[float, str]:
    start = time.perf_counter()
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment,
            timeout=LIMIT,
            check=False,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"more than {LIMIT:.0f} s") from None
    return time.perf_counter() - start, done.stdout


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError("it does not say what it found")
    return int(found.group(1))
