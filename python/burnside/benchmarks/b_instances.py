"""B machines that are measured, by name and sizes: the examples of the project, and machines of ProB's collection where
the folder `../shared/models/b` lies beside the working directory (or where `BURNSIDE_B_MODELS` says).

In: words such as `Scheduler1 PROC=5`. Out: the machine, and a check of it that is ready to run. What is not there is
named by `missing`, so that its rows can say so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.diagnostics import Diagnostic, UsageError
from burnside.limits import Deadline
from burnside.records import record
from burnside.request import Request

if TYPE_CHECKING:
    from burnside.checking import Check
    from burnside.ir.sets.machine import Machine

EXTENSIONS = (".mch", ".ref")


@record
class Explored:
    """What is kept of a run."""

    states: int
    transitions: int
    full_states: int | None
    stopped: str
    seconds: float


def located(name: str) -> Path | None:
    examples = (Path("examples"), Path(__file__).parents[3] / "examples")
    models = os.environ.get("BURNSIDE_B_MODELS", "../shared/models/b")
    folders = (*(folder / "b" for folder in examples), Path(models))
    files = (folder / f"{name}{extension}" for folder in folders for extension in EXTENSIONS)
    return next((file for file in files if file.is_file()), None)


def missing(words: str) -> str:
    """Why there can be no row; empty where there can."""
    name = words.split()[0]
    return "" if located(name) else f"skipped: {name}.mch is absent"


def sizes_of(words: str) -> dict[str, int]:
    pairs = (pair.partition("=") for pair in words.split()[1:])
    return {name: int(value) for name, _, value in pairs}


def file_of(words: str) -> Path:
    name = words.split()[0]
    file = located(name)
    if file is None:
        raise UsageError(Diagnostic(f"{name}.mch is absent", hint="it is looked for in examples/b"))
    return file


def machine(words: str) -> Machine:
    from burnside.languages import b

    return b.read(file_of(words), sizes_of(words))


def prepared(words: str, request: Request) -> Check:
    """Read, with its group certified."""
    from burnside import pipeline
    from burnside.checking import Check

    return Check.prepared(pipeline.read(file_of(words), "b", sizes_of(words)), request, Deadline())


def explored(check: Check) -> Explored:
    """One run; an interrupt is passed on, where the core would end with what it has."""
    from burnside.progress import Progress

    found = check.explore(Progress(), Deadline(check.request.limits.seconds))
    if found.stopped == "interrupted":
        raise KeyboardInterrupt
    return Explored(found.states, found.transitions, found.full_states, found.stopped, found.seconds)
