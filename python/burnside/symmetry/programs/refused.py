"""The exception that the checks of a program raise, and that `certify` turns into a `Refusal`."""

from __future__ import annotations

from burnside.diagnostics import Span


class Refused(Exception):
    """The reason, and the nearest place in the user's text."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span

    def near(self, span: Span | None) -> Refused:
        """The same, at a place further out if none is known yet."""
        return Refused(self.reason, span) if self.span is None else self
