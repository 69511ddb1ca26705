"""How a run of a program ends early: the model fails, or an assumption says that the step does not exist."""

from __future__ import annotations

from typing import NoReturn

from burnside.diagnostics import Span
from burnside.records import record


@record
class Failure:
    """The violation of a property (by number), or, where that is None, an error of the model."""

    property: int | None
    message: str
    span: Span | None = None


def told(failure: Failure) -> str:
    """In words, with its place in the user's text where it has one."""
    span = failure.span
    return failure.message + ("" if span is None else f" ({span})")


class Fails(Exception):
    """The model fails here."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Discards(Exception):
    """An assumption does not hold."""


def fail(message: str, span: Span | None = None) -> NoReturn:
    """An error of the model."""
    raise Fails(Failure(None, message, span))
