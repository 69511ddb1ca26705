"""How a run of a program or of a substitution ends early: the model fails, or an assumption rules the step out."""

from __future__ import annotations

from typing import NoReturn

from burnside.diagnostics import Span
from burnside.semantics import Failure


class Fails(Exception):
    """The model fails here."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Discards(Exception):
    """An assumption does not hold."""


def fail(message: str, span: Span | None = None) -> NoReturn:
    """An error of the model."""
    raise Fails(Failure(message, span))
