"""What an engine cannot do with a machine, as a diagnostic with its place in the model.

In: a word of the core such as `unbounded`, what it is about, and where. Out: an `UnsupportedError`.
"""

from __future__ import annotations

from burnside.diagnostics import Span, UnsupportedError
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.notation import notation_of
from burnside.ir.sets.printing import as_written
from burnside.model import Model


class explained:
    """What an engine cannot list becomes a diagnostic with its place in the model."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        from burnside import _core

        if isinstance(error, _core.MachineError):
            raise complaint(self.model, *error.args) from None
        if isinstance(error, UnsupportedError) and error.diagnostic.source is None:
            found = error.diagnostic
            raise UnsupportedError(self.model.diagnostic(found.message, found.span, found.hint)) from None


COMPLAINTS = {
    "unbounded": "{} cannot be bounded: nothing in the predicate says which values to try",
    "infinite": "an infinite set would have to be listed here",
    "set-too-large": "a set of {} elements would have to be built here",
    "too-many-outcomes": "there are more than {} outcomes of one operation in one state",
    "outcomes-too-large": "the outcomes of one operation in one state have more than {} elements together",
    "too-many-setups": "there are more than {} ways to set up the constants",
    "too-many-turns": "this loop turns more than {} times",
    "too-many-candidates": "too many candidates would have to be tried here",
    "number-too-wide": "the number {} has more than 64 bits",
    "number-too-large": "a number beyond 64 bits would have to be computed here",
}

HINTS = {
    "unbounded": "add a conjunct that bounds it, such as {bounds}",
    "number-too-wide": "--engine reference computes with numbers of any size, slowly",
    "number-too-large": "--engine reference computes with numbers of any size, slowly",
}


def complaint(
    model: Model, what: str, about: str = "", span: tuple[int, int, int, str | None] | None = None
) -> UnsupportedError:
    """What the core cannot do with a machine, in words."""
    place = None if span is None else Span(*span)
    if about.isdigit():
        about = f"{int(about):,}"
    if what == "unbounded":
        about = f"'{as_written(about)}'"
    message = COMPLAINTS.get(what, what).format(about)
    hint = HINTS.get(what, "").format(bounds=_bounds(model))
    return UnsupportedError(model.diagnostic(message, place, hint or None))


def _bounds(model: Model) -> str:
    """What bounds a name in the language of the model."""
    machine = model.subject
    return notation_of(machine).bounds if isinstance(machine, Machine) else "a token of an input arc"
