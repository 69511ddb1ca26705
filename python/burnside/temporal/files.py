"""Files of properties. In: a path, a model. Out: named formulas over it.

    # a comment: a line that begins with '# ' or '//'
    ltl no-starvation: G (waiting_1 = 1 -> F critical_1 = 1)
    ctl reset: AG EF
      idle_1 = 1
    [ProB's way]
    G not(deadlock)

`ltl NAME:` and `ctl NAME:` begin a line; the formula goes on in lines that are indented. `[NAME]`, alone in its line,
is ProB's heading: the lines up to the next entry are a formula of LTL. A file that begins with '<' is one of the Model
Checking Contest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from burnside.diagnostics import Diagnostic, InputError, Source, UsageError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.kinds import kind_of
from burnside.languages.shared.files import check_readable, read_source, unreadable
from burnside.model import Model
from burnside.net import Net
from burnside.records import record, replace
from burnside.request import Logic
from burnside.temporal.contest import TokenBound, read_contest
from burnside.temporal.reading import TemporalProperty, read_formula

_ENTRY = re.compile(r"(?P<logic>ltl|ctl)[ \t]+(?P<name>[^:\n]*[^:\s])[ \t]*:")
_HEADING = re.compile(r"\[(?P<name>[^\[\]\n]*)\][ \t]*\r?$")
_IGNORED = re.compile(r"\s*(?:$|//)|#(?:\s|$)")


def read_properties(path: Path, model: Model) -> tuple[TemporalProperty | TokenBound, ...]:
    check_readable(path)
    found: tuple[TemporalProperty | TokenBound, ...]
    if _is_xml(path):
        net = model.subject
        if not isinstance(net, Net | HighLevelNet):
            message = "properties of the contest speak of places and transitions, and this model has none"
            raise UsageError(Diagnostic(message, str(path)))
        found = read_contest(path, net)
    else:
        found = tuple(_properties(replace(read_source(path), origin=str(path)), model))
    if not found:
        raise InputError(Diagnostic("there is no property in this file", str(path)))
    return found


def _is_xml(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")
    except OSError as error:
        raise unreadable(path, error) from None


@record(eq=False)
class _Entry:
    """A named formula. `lines`: its text, from the line with its name on; the first begins in `column`."""

    logic: Logic
    name: str
    line: int
    column: int
    lines: list[str]
    is_heading: bool


def _properties(source: Source, model: Model) -> Iterator[TemporalProperty]:
    reader = kind_of(model.subject).atom_reader
    for entry in _entries(source):
        text = source.placed("\n".join(entry.lines).rstrip(), entry.line, entry.column)
        yield read_formula(model, text, reader(model), entry.logic, entry.name)


def _entries(source: Source) -> list[_Entry]:
    found: list[_Entry] = []
    for number, line in enumerate(source.text.split("\n"), start=1):
        entry, heading = _ENTRY.match(line), _HEADING.match(line)
        if entry is not None:
            logic: Logic = "ctl" if entry["logic"] == "ctl" else "ltl"
            column, text = entry.end() + 1, line[entry.end() :]
            found.append(_Entry(logic, entry["name"].strip(), number, column, [text], False))
        elif heading is not None:
            found.append(_Entry("ltl", heading["name"].strip(), number, 1, [""], True))
        elif _IGNORED.match(line):
            if found:
                found[-1].lines.append("")
        elif found and (found[-1].is_heading or line[0].isspace()):
            found[-1].lines.append(line)
        else:
            message = "expected 'ltl NAME: FORMULA', 'ctl NAME: FORMULA' or '[NAME]'"
            hint = "a formula goes on in lines that are indented" if found else None
            raise InputError(
                source.diagnostic(message, source.line_starts[number - 1], len(line.rstrip()), hint)
            )
    _check_names(source, found)
    return found


def _check_names(source: Source, entries: list[_Entry]) -> None:
    names: set[str] = set()
    for each in entries:
        at = source.line_starts[each.line - 1]
        if not each.name:
            raise InputError(source.diagnostic("this property has no name", at))
        if each.name in names:
            raise InputError(source.diagnostic(f"there are two properties '{each.name}'", at))
        names.add(each.name)
