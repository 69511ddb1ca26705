"""Files of machines: which format an extension means, and reading and writing by it.

What is written is read back as the same machine, with the names of its states, the order of actions and edges, initial
states, outputs and accepting states; what a format cannot say is refused by name. `write_machine(..., fit=True)` first
changes names and orders that are in the way, and says so. Labels of a transition system become inputs and outputs by a
declared split (`burnside.testing.splits`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from burnside.diagnostics import Diagnostic, Source, UsageError
from burnside.languages.shared.files import check_readable, read_source
from burnside.output_files import writing_atomically
from burnside.records import record
from burnside.testing.formats import aut, dot, fsm, kiss
from burnside.testing.formats.fitting import Notes
from burnside.testing.machine import StateMachine
from burnside.testing.splits import Split, read_split

LINES = 10_000
"""That are written at a time: a machine may have tens of millions of edges."""


@record
class Format:
    """`extensions`: of its files. `lines`: of the text of a machine. `fit`: a machine that can be written, where only names
    and orders are in the way, and what was changed."""

    name: str
    extensions: tuple[str, ...]
    read: Callable[[Source, Split | None], StateMachine]
    lines: Callable[[StateMachine], Iterator[str]]
    fit: Callable[[StateMachine], tuple[StateMachine, Notes]]

    def write(self, machine: StateMachine) -> str:
        """UnsupportedError where what is written would not be read back as the same machine."""
        return "\n".join(self.lines(machine)) + "\n"


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        extension: each
        for each in (
            Format("Aldebaran", (".aut",), aut.read, aut.lines, aut.fitted),
            Format("GraphViz", (".dot", ".gv"), dot.read, dot.lines, dot.fitted),
            Format("mCRL2 and fsmlib", (".fsm",), fsm.read, fsm.lines, fsm.fitted),
            Format("KISS2", (".kiss", ".kiss2"), kiss.read, kiss.lines, kiss.fitted),
        )
        for extension in each.extensions
    }
)
"""By extension."""


def read_machine(path: str | PathLike[str], split: Split | str | None = None) -> StateMachine:
    """`split`: how labels say inputs and outputs, where the format has labels only: a preset or a regular expression, see
    `burnside.testing.splits`."""
    path = Path(path)
    found = format_of(path)
    declared = read_split(split) if isinstance(split, str) else split
    check_readable(path)
    return found.read(read_source(path), declared)


def write_machine(machine: StateMachine, path: str | PathLike[str], *, fit: bool = False) -> Notes:
    """The file appears whole or not at all. `fit`: with other names and orders where the format needs them; what was changed
    is returned."""
    found = format_of(Path(path))
    machine, notes = found.fit(machine) if fit else (machine, ())
    lines = found.lines(machine)
    with writing_atomically(path) as file:
        while some := list(islice(lines, LINES)):
            file.write(("\n".join(some) + "\n").encode())
    return notes


def format_of(path: Path) -> Format:
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(FORMATS)
        raise UsageError(
            Diagnostic("this is no file of a machine", source=str(path), hint=f"extensions are {known}")
        )
    return found
