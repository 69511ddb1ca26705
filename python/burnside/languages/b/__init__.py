"""Classical B, as ProB reads it. In: a path, or a source. Out: a `Machine`.

`lexer`, `cursor`, `definitions`, `expansion`, `parse_...`, `parser`, `project` make the trees of `syntax`,
`substitution_syntax` and `machine_syntax`. `structure` says what each machine's text can see, `typing_...` how types are
found, `sizes` how large sets are; `lower_drafts`, `lower_expressions`, `lower_binders`, `lower_substitutions`, `lower_calls`
and `lower_machine` go through the trees and give them their meaning.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, Source, option_source
from burnside.ir.sets.expressions import Expression
from burnside.ir.sets.machine import Machine
from burnside.languages.b.lower_machine import MachineLowering
from burnside.languages.b.machine_syntax import Project
from burnside.languages.b.project import load_project, project_of
from burnside.languages.b.structure import Structure
from burnside.records import record

DEEPEST = 10_000
"""Calls of Python functions within each other. The parser refuses deep texts; long sums make deep trees too."""


@record(eq=False, repr=False)
class LoweredMachine:
    """A machine, and what is needed to read conditions in its own words. `notes`: what a user should know of how it was
    read."""

    machine: Machine
    lowering: MachineLowering
    source: Source
    notes: tuple[str, ...] = ()

    def condition(self, text: str, option: str) -> Expression:
        """A predicate over the machine's names and definitions; elements of deferred sets may be named. `option` names
        where it comes from."""
        from burnside.languages.b.definitions import DefinitionReader
        from burnside.languages.b.files import Reach
        from burnside.languages.b.lexer import tokenize
        from burnside.languages.b.parser import parse_predicate

        source = option_source(option, text)
        with _deep(source):
            definitions = DefinitionReader(Reach(Path(self.source.name)))
            definitions.read(self.source, tokenize(self.source))
            return self.lowering.condition(parse_predicate(source, definitions.macros))


def read(path: Path, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()) -> Machine:
    return read_model(path, sizes, allow_path=allow_path).machine


def read_text(source: Source, sizes: Mapping[str, int] | None = None) -> Machine:
    return load(source, sizes).machine


def read_model(
    path: Path, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()
) -> LoweredMachine:
    """`sizes`: of deferred sets and set parameters, of scalar parameters and constants, MININT and MAXINT. `allow_path`:
    folders that the model may read machines and definitions from, besides its own."""
    return _lowered(load_project(path, allow_path), sizes or {})


def load(
    source: Source, sizes: Mapping[str, int] | None = None, *, allow_path: Sequence[Path] = ()
) -> LoweredMachine:
    return _lowered(project_of(source, allow_path), sizes or {})


def _lowered(project: Project, sizes: Mapping[str, int]) -> LoweredMachine:
    source = project.main.source
    with _deep(source):
        lowering = MachineLowering(Structure(project), sizes)
        machine = lowering.machine()
    return LoweredMachine(machine, lowering, source, tuple(lowering.notes))


@contextmanager
def _deep(source: Source) -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))
    try:
        yield
    except RecursionError:
        raise InputError(Diagnostic("expressions are nested too deeply", source.name)) from None
    finally:
        sys.setrecursionlimit(limit)
