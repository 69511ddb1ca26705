"""Files of machines: which format an extension means, and reading and writing by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from burnside.diagnostics import Diagnostic, Source, UsageError
from burnside.languages.shared.files import read_source
from burnside.records import record
from burnside.testing.formats import aut, dot, fsm, kiss
from burnside.testing.machine import StateMachine


@record
class Format:
    """`extension`: of its files. `write`: the text of a machine."""

    name: str
    extension: str
    read: Callable[[Source], StateMachine]
    write: Callable[[StateMachine], str]


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.extension: each
        for each in (
            Format("Aldebaran", ".aut", aut.read, aut.written),
            Format("GraphViz", ".dot", dot.read, dot.written),
            Format("mCRL2 and fsmlib", ".fsm", fsm.read, fsm.written),
            Format("KISS2", ".kiss", kiss.read, kiss.written),
        )
    }
)


def read_machine(path: Path) -> StateMachine:
    return format_of(path).read(read_source(path))


def format_of(path: Path) -> Format:
    found = FORMATS.get(path.suffix)
    if found is None:
        known = ", ".join(FORMATS)
        raise UsageError(
            Diagnostic("this is no file of a machine", source=str(path), hint=f"extensions are {known}")
        )
    return found
