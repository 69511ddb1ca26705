"""PNML place/transition nets. In: a path. Out: a `Net` that shows the names given, where distinct.

The core reads the file, as a stream; here its errors get their line, and its numbers their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError, Span, UnsupportedError
from burnside.languages.shared.files import line_of_file, unreadable
from burnside.net import Net


def read(path: Path) -> Net:
    try:
        parsed = _core.read_pnml(str(path))
    except _core.UnsupportedReadError as error:
        raise UnsupportedError(_diagnostic(path, error)) from None
    except _core.ReadError as error:
        raise InputError(_diagnostic(path, error)) from None
    except OSError as error:
        raise unreadable(path, error) from None
    return _net(parsed)


def _net(parsed: _core.ParsedNet) -> Net:
    # Each attribute of `parsed` is converted anew whenever it is asked for: once is enough.
    place_ids, place_names = parsed.place_ids, parsed.place_names
    transition_ids = parsed.transition_ids
    places = _shown(place_ids, place_names)
    others = place_names if places == tuple(place_ids) else place_ids
    return Net(
        name=parsed.name,
        places=places,
        initial=tuple(parsed.initial),
        transitions=_shown(transition_ids, parsed.transition_names),
        consumes=tuple(map(tuple, parsed.consumes)),
        produces=tuple(map(tuple, parsed.produces)),
        aliases=MappingProxyType(_aliases(places, others)),
        place_ids=tuple(place_ids),
        transition_ids=tuple(transition_ids),
    )


def _shown(ids: Sequence[str], names: Sequence[str | None]) -> tuple[str, ...]:
    """The names, where everything has one and no two are the same; else the ids."""
    present = [name for name in names if name is not None]
    return tuple(present) if len(set(present)) == len(ids) else tuple(ids)


def _aliases(shown: Sequence[str], others: Sequence[str | None]) -> dict[str, int]:
    """The other names, those that mean one place and are not shown for another."""
    taken, count = set(shown), Counter(others)
    return {
        other: number
        for number, other in enumerate(others)
        if other is not None and other not in taken and count[other] == 1
    }


def _diagnostic(path: Path, error: _core.ReadError) -> Diagnostic:
    message, line, column, hint = error.args
    if line < 1:
        return Diagnostic(message, str(path), hint=hint)
    return Diagnostic(message, str(path), Span(line, column), line_of_file(path, line), hint)
