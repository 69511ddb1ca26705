"""What Spin itself makes of a model: the tables of `pan -d`, and what a verification finds; where `spin` and a C compiler
are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from burnside.records import record

HAS_SPIN = shutil.which("spin") is not None and shutil.which("gcc") is not None
MAX_SECONDS = 120
VERIFYING_SECONDS = 20
"""For a verifier of few states, which may be in a loop for ever."""
MAX_DEPTH = 100_000
PLACE = re.compile(r"\(at depth -?\d+\)")
DUBIOUS = re.compile(r"Error: dubious use of 'else' combined with i/o")
"""Spin says so, and goes on."""

HEADING = re.compile(r"^(proctype|claim) (\S+)$|^(init)$|^(trace|notrace) assertion$")
ROW = re.compile(
    r"^\s+state\s+(?P<source>\d+) -\(tr\s+(?P<move>\d+)\)-> state\s+(?P<target>\d+)\s+"
    r"\[id\s+\d+ tp\s+\d+(?:,\d+)?(?: org\s+(?P<escape>\d+))?\] "
    r"\[(?P<atomic>.)(?P<accept>.)(?P<end>.)(?P<progress>.).\] [^:]*:(?P<line>\d+) => (?P<text>.*)$"
)


@record
class Row:
    source: int
    target: int
    flag: str
    """`A`, `D` or `-`."""
    marks: str
    escape: int
    line: int
    text: str


def tables(model: Path, folder: Path) -> dict[str, list[Row]] | str:
    """For each process its transitions, as Spin prints them; or what Spin complains about."""
    made = complaints(model, folder)
    if not (folder / "pan.c").exists():
        return made
    # Only the tables are printed, so that nothing is gained by optimising.
    complaint = _run(["gcc", "-O0", "-w", "-DNOREDUCE", "-o", "pan", "pan.c"], folder)
    if not (folder / "pan").exists():
        return complaint
    found: dict[str, list[Row]] = {}
    rows: list[Row] = []
    for line in _run(["./pan", "-d"], folder).splitlines():
        heading = HEADING.match(line)
        row = ROW.match(line)
        if heading:
            # Pan prints "trace" for a notrace, and the other way round.
            other = ":notrace:" if heading[4] == "trace" else ":trace:"
            rows = found.setdefault(heading[2] or (":init:" if heading[3] else other), [])
        elif row:
            marks = row["accept"] + row["end"] + row["progress"]
            escape = int(row["escape"] or 0)
            if row["move"] != "0":
                source, target = int(row["source"]), int(row["target"])
                rows.append(Row(source, target, row["atomic"], marks, escape, int(row["line"]), row["text"]))
    return found


@record
class Verified:
    """What a verifier says that explores everything. The start is one of the `transitions`. Both counts are None where the
    search was not completed."""

    states: int | None
    transitions: int | None
    errors: int
    messages: frozenset[str]
    """Of errors, without places; `crash` where the verifier did not come to its end."""


def verified(model: Path, folder: Path) -> Verified | str:
    """Without reductions and optimisations, errors passed over; or what Spin complains about."""
    made = complaints(model, folder)
    if not (folder / "pan.c").exists() or "Error:" in DUBIOUS.sub("", made):
        return made
    options = ["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DVECTORSZ=30000"]
    complaint = _run(["gcc", *options, "-o", "pan", "pan.c"], folder)
    if not (folder / "pan").exists():
        return complaint
    try:
        said = _run(["./pan", "-c0", "-n", "-w20", f"-m{MAX_DEPTH}"], folder, VERIFYING_SECONDS)
    except subprocess.TimeoutExpired:
        return "too long"
    if re.search(r"^error: proctype", said, re.MULTILINE):
        return said
    messages = {PLACE.sub("", each).strip() for each in re.findall(r"^pan:\d+: (.*)$", said, re.MULTILINE)}
    counts = re.search(r"errors: (\d+)\s+(\d+) states, stored", said)
    moved = re.search(r"(\d+) transitions \(= stored\+matched\)", said)
    if counts is None or moved is None:
        return Verified(None, None, 1, frozenset({*messages, "crash"}))
    if "max search depth too small" in said:
        return Verified(None, None, int(counts[1]), frozenset({*messages, "too deep"}))
    return Verified(int(counts[2]), int(moved[1]), int(counts[1]), frozenset(messages))


def complaints(model: Path, folder: Path) -> str:
    """What Spin prints as it makes a verifier. It makes one in spite of some errors."""
    return _run(["spin", "-a", "-o1", "-o2", "-o3", str(model)], folder)


def _run(command: list[str], folder: Path, seconds: float = MAX_SECONDS) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=seconds, check=False)
    return done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
