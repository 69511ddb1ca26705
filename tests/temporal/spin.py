"""What Spin says of a claim or of labels, where it is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

ABSENT = [name for name in ("spin", "gcc") if shutil.which(name) is None]
MAX_SECONDS = 60


def verdicts(folder: Path, text: str, kind: str) -> tuple[str, str] | None:
    """On all runs and on weakly fair ones; None where Spin refuses the model or takes too long. `kind`: claim, accept or
    progress."""
    (folder / "model.pml").write_text(text)
    try:
        return _verdicts(folder, kind)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None


def _verdicts(folder: Path, kind: str) -> tuple[str, str] | None:
    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=True, timeout=MAX_SECONDS
        )
        return done.stdout

    run("spin", "-a", "-o1", "-o2", "-o3", "model.pml")
    compiled = ["-DNP"] if kind == "progress" else []
    run("gcc", "-O0", "-w", "-DNOREDUCE", *compiled, "-o", "pan", "pan.c")
    asked = ["-l" if kind == "progress" else "-a", "-E", *([] if kind == "claim" else ["-A"])]
    found = []
    for fair in ([], ["-f"]):
        said = run("./pan", "-m1000000", *asked, *fair)
        errors = re.search(r"errors: (\d+)", said)
        if errors is None or "max search depth too small" in said:
            return None
        found.append("holds" if errors[1] == "0" else "violated")
    return found[0], found[1]
