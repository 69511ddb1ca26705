"""Murphi programs by name and sizes, as they stand in tables: `german`, `sem N=16`.

In: such words. Out: an `Instance` with its file, explored in this process (`prepared`, `explored`) or by the
whole command in a fresh one (`whole_run`). Files are the examples of the project, and those of the Murphi
distribution where the folder `../shared/models/murphi` lies beside the working directory (or where
`BURNSIDE_MURPHI_MODELS` says). What is not there is named by `missing`, so that its rows can say so.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from burnside.benchmarks.measuring import MAX_REPEATED_SECONDS, REPETITIONS
from burnside.diagnostics import Diagnostic, UsageError
from burnside.limits import Deadline
from burnside.records import record
from burnside.request import Request

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.exploration import Exploration

LIMIT = 3600.0
"""Seconds for one command, far above what is measured here."""


@record
class Instance:
    """A program in a file, and the constants that are to have other values than there."""

    name: str
    file: Path
    sizes: Mapping[str, int]

    @property
    def text(self) -> str:
        """For a tool that takes no sizes: the file with its constants changed."""
        return resized(self.file.read_text(encoding="utf-8", errors="replace"), self.sizes)


def instance(words: str) -> Instance:
    name, *pairs = words.split()
    file = located(name)
    if file is None:
        raise UsageError(Diagnostic(f"{name}.m is absent", hint=f"it is looked for in {_folders()}"))
    sizes = {constant: int(value) for constant, _, value in (pair.partition("=") for pair in pairs)}
    return Instance(words, file, sizes)


def missing(words: str) -> str:
    """Why there can be no row; empty where there can."""
    name = words.split()[0]
    return "" if located(name) else f"skipped: {name}.m is absent"


def located(name: str) -> Path | None:
    """`sem.m`; in collections also `origin__sem.N8.m`: sizes are the caller's to give."""
    pattern = re.compile(rf"(?:.*__)?{re.escape(name)}(?:\.\w+)?\.m")
    for folder in _folders():
        found = sorted(file for file in folder.glob("*.m") if pattern.fullmatch(file.name))
        if found:
            return found[0]
    return None


def _folders() -> list[Path]:
    examples = [Path("examples"), Path(__file__).parents[3] / "examples"]
    models = os.environ.get("BURNSIDE_MURPHI_MODELS", "../shared/models/murphi")
    return [*(folder / "murphi" for folder in examples), Path(models)]


def resized(text: str, sizes: Mapping[str, int]) -> str:
    for name, value in sizes.items():
        declaration = rf"(?mi)^(\s*(?:const\s+)?(?-i:{re.escape(name)})\s*:\s*)\d+(\s*;)"
        text, changed = re.subn(declaration, rf"\g<1>{value}\g<2>", text)
        if changed != 1:
            raise UsageError(Diagnostic(f"no line of the model gives the constant {name} a number"))
    return text


def prepared(words: str, request: Request) -> Check:
    """Read, with its group certified."""
    from burnside import pipeline
    from burnside.checking import Check

    found = instance(words)
    return Check.prepared(pipeline.read(found.file, "murphi", found.sizes), request, Deadline())


def explored(check: Check) -> Exploration:
    """One run; an interrupt is passed on, where the core would end with what it has."""
    from burnside.progress import Progress

    found = check.explore(Progress(), Deadline(check.request.limits.seconds))
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    return found


@record
class Whole:
    """Fresh processes of `burnside check`: what they answered, and the medians of what they took."""

    states: int
    transitions: int
    full_states: int | None
    seconds: float
    """From start to end of the process, as a user waits."""
    exploring: float


def whole_run(words: str, options: Sequence[str] = (), repetitions: int = REPETITIONS) -> Whole:
    """So many processes, one where it takes long; RuntimeError where one does not end with `holds`."""
    found = instance(words)
    sizes = [part for name, value in found.sizes.items() for part in ("--size", f"{name}={value}")]
    arguments = ("check", str(found.file), *sizes, *options, "--threads", "1", "--json")
    runs = [_fresh(arguments)]
    if runs[0][0] <= MAX_REPEATED_SECONDS:
        runs += [_fresh(arguments) for _ in range(repetitions - 1)]
    counts = {(run["states"], run["transitions"], run["full_states"]) for _, run in runs}
    if len(counts) > 1:
        raise RuntimeError(f"runs differ: {sorted(counts)}")
    exploring = median(run["explore_seconds"] for _, run in runs)
    return Whole(*counts.pop(), median(seconds for seconds, _ in runs), exploring)


def _fresh(arguments: Sequence[str]) -> tuple[float, dict[str, Any]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    seconds, out = command([sys.executable, "-m", "burnside", *arguments], environment=environment)
    return seconds, json.loads(out)


def command(
    words: Sequence[str], *, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> tuple[float, str]:
    """Seconds and output; RuntimeError with the first words of its complaint, TimeoutError beyond the limit."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, cwd=folder, env=environment, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"more than {LIMIT:.0f} s") from None
    seconds = time.perf_counter() - start
    if done.returncode:
        complaint = next(iter(done.stderr.strip().splitlines()), "")
        raise RuntimeError(f"{Path(words[0]).name} ended with code {done.returncode} {complaint}".rstrip())
    return seconds, done.stdout
