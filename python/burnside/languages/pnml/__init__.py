"""PNML. In: a path. Out: a `Net` that shows the names given, where distinct, or a `HighLevelNet`.

The core reads the file, as a stream; here its errors get their line, and its numbers their names. What says that it is a
high-level net is left alone by the core, and read by `symmetric`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from burnside import _core
from burnside.diagnostics import Diagnostic, InputError, Span, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages.pnml.names import shown
from burnside.languages.shared.files import line_of_file, unreadable
from burnside.net import Net


def read(path: Path) -> tuple[Net | HighLevelNet, tuple[str, ...]]:
    """The net, and what a user should know of how it was read."""
    try:
        return _net(_core.read_pnml(str(path))), ()
    except _core.HighLevelReadError:
        pass
    except _core.UnsupportedReadError as error:
        raise UnsupportedError(_diagnostic(path, error)) from None
    except _core.ReadError as error:
        raise InputError(_diagnostic(path, error)) from None
    except OSError as error:
        raise unreadable(path, error) from None
    from burnside.languages.pnml import symmetric

    return symmetric.read(path)


def _net(parsed: _core.ParsedNet) -> Net:
    # Each attribute of `parsed` is converted anew whenever it is asked for: once is enough.
    place_ids, place_names = parsed.place_ids, parsed.place_names
    transition_ids = parsed.transition_ids
    places = shown(place_ids, place_names)
    others = place_names if places == tuple(place_ids) else place_ids
    return Net(
        name=parsed.name,
        places=places,
        initial=tuple(parsed.initial),
        transitions=shown(transition_ids, parsed.transition_names),
        consumes=tuple(map(tuple, parsed.consumes)),
        produces=tuple(map(tuple, parsed.produces)),
        aliases=MappingProxyType(_aliases(places, others)),
        place_ids=tuple(place_ids),
        transition_ids=tuple(transition_ids),
    )


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
