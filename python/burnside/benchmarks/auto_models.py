"""Models on which the price of `--reduce auto` is measured, each as the command line takes it.

In: the collections, where they are found: nets of the Model Checking Contest (`../shared/models/pnml`, or where
`BURNSIDE_MODELS` says), Murphi programs (`../shared/models/murphi`, `BURNSIDE_MURPHI_MODELS`), B machines
(`../shared/models/b`, `BURNSIDE_B_MODELS`). Every row of their `expected.csv` is taken, of nets those with at most a million
markings. In any case the examples of the project and families of nets. Out: `Command`s, by sort.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from burnside import families as known_families
from burnside.benchmarks import b_instances, instances
from burnside.records import record

MAX_MARKINGS = 1_000_000

HUGE_GROUPS = (
    *("rwmutex 4 1000", "rwmutex 10 500", "rwmutex 16 500", "rwmutex 20 100"),
    *("servers 20 40", "servers 60 80", "servers 40 400", "servers 100 160"),
    *("lines 1 500 5 1", "lines 1 500 4 2", "lines 1 100 20 1", "lines 1 5000 2 1", "lines 1 20000 2 1"),
    *("mailboxes 10 3 100", "mailboxes 12 4 100"),
)
"""Readers and writers, clients and servers, wide states with a symmetric group of degree 500 and more, and groups that move
places which are never marked."""
SMALL_ORBITS = (
    *("leafset 16 2", "leafset 24 2", "leafset 16 3"),
    *("lines 1 2 500 2", "lines 1 2 1000 2", "lines 2 2 300 2"),
    *("lines 4 2 80 2", "lines 4 2 200 2", "lines 4 2 250 2", "lines 8 2 40 2"),
    *("election 5", "election 7", "election 8", "election 9", "election 10"),
)
"""Crashes in leaf sets, wide states with groups of order 2, 4, 16 and 256, and elections by lot."""
NO_ORBITS = (
    "sparse 1000 2",
    "sparse 200 3",
    "sparse 300 3",
    "sparse 1000 2 2",
    "sparse 200 3 6",
    "sparse 250 3 40",
)
"""Without symmetry, or where hardly a state is moved by it."""
LARGE_ORBITS = (
    *(
        "digraphs 5",
        "graphs 7",
        "graphs 8",
        "db 10",
        "db 12",
        "mutex 12",
        "mutex 18",
        "teams 3 5",
        "teams 4 4",
    ),
    *("ph 16", "ph 18", "grid 2 5", "grid 2 6", "grid 3 3", "railroad 16 4"),
)
FAMILIES = (*HUGE_GROUPS, *SMALL_ORBITS, *NO_ORBITS, *LARGE_ORBITS)

MURPHI_EXAMPLES = ("german", "sem N=16", "graphs N=6", "digraphs N=4", "msi", "peterson", "ring", "lamport")
B_EXAMPLES = (
    *("Club", "Dining", "Philosophers", "RoundTable", "RussianPostalPuzzle", "Scheduler0 PROC=5"),
    *("Scheduler1 PROC=6", "ServerFarm", "TicTacToe_Sym", "TicTacToe_SimplerSym", "TokenRing", "USB"),
    *("VideoShop", "Jukebox"),
)


@record
class Command:
    """A model as the command line takes it; without arguments where it is absent."""

    name: str
    arguments: tuple[str, ...]


def nets() -> Iterator[Command]:
    folder = Path(os.environ.get("BURNSIDE_MODELS", "../shared/models/pnml"))
    for row in _expected(folder):
        if row["kind"] == "PT" and row["states"].isdigit() and int(row["states"]) <= MAX_MARKINGS:
            yield _in_file(row["instance"], folder / row["instance"] / "model.pnml")


def programs() -> Iterator[Command]:
    for words in MURPHI_EXAMPLES:
        if instances.missing(words):
            yield Command(words, ())
        else:
            found = instances.instance(words)
            yield Command(words, (str(found.file), *_size_options(found.sizes)))
    folder = Path(os.environ.get("BURNSIDE_MURPHI_MODELS", "../shared/models/murphi"))
    for row in _expected(folder):
        yield _in_file(row["model"].removesuffix(".m"), folder / row["model"])


def machines() -> Iterator[Command]:
    """With `--assume-bounds`, as the counts of the collection are meant, so that runs of all machines are exhaustive."""
    for words in B_EXAMPLES:
        if b_instances.missing(words):
            yield Command(words, ())
        else:
            options = _size_options(b_instances.sizes_of(words))
            yield Command(words, (str(b_instances.file_of(words)), *options, "--assume-bounds"))
    folder = Path(os.environ.get("BURNSIDE_B_MODELS", "../shared/models/b"))
    for row in _expected(folder):
        yield _in_file(row["model"].removesuffix(".mch"), folder / row["model"], "--assume-bounds")


def families(folder: Path, names: tuple[str, ...] = FAMILIES) -> Iterator[Command]:
    """Written to that folder, each when it is its turn."""
    from burnside.languages.pnml.write import write_pnml

    for words in names:
        name, *parameters = words.split()
        file = folder / f"{words.replace(' ', '_')}.pnml"
        with file.open("w", encoding="utf-8") as stream:
            write_pnml(known_families.build(name, parameters), stream)
        yield Command(words, (str(file),))


def _in_file(name: str, file: Path, *options: str) -> Command:
    return Command(name, (str(file), *options) if file.is_file() else ())


def _expected(folder: Path) -> Iterator[dict[str, str]]:
    table = folder / "expected.csv"
    if table.is_file():
        with table.open(encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines)


def _size_options(sizes: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(part for name, value in sizes.items() for part in ("--size", f"{name}={value}"))
