"""Places in a text, as trees carry them."""

from __future__ import annotations

from typing import NamedTuple

from burnside.diagnostics import Diagnostic, Source, Span
from burnside.records import record


class Extent(NamedTuple):
    """A part of a source: an offset into it and a length. A model may be read from several sources."""

    source: Source
    offset: int
    length: int

    @property
    def end(self) -> int:
        return self.offset + self.length

    @property
    def span(self) -> Span:
        return self.source.span(self.offset, self.length)

    def diagnostic(self, message: str, hint: str | None = None) -> Diagnostic:
        return self.source.diagnostic(message, self.offset, self.length, hint)

    def seen_from(self, other: Extent) -> str:
        """`12:3`, with the name of the file where that is not the file of the other place."""
        span = self.span
        where = f"{span.line}:{span.column}"
        return where if self.source is other.source else f"{self.source.name}:{where}"


@record(eq=False, repr=False)
class Identifier:
    """A name where it is declared or bound, or one that is no expression: a field, an operation, a machine."""

    at: Extent
    text: str
