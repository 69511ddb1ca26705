"""The base class of lowering: spans, and errors at places of the text."""

from __future__ import annotations

from burnside.diagnostics import InputError, Span, UnsupportedError
from burnside.languages.shared.spans import Extent


class LoweringContext:
    def span(self, at: Extent) -> Span:
        return at.span

    def error(self, message: str, at: Extent, hint: str | None = None) -> InputError:
        return InputError(at.diagnostic(message, hint))

    def unsupported(self, message: str, at: Extent, hint: str | None = None) -> UnsupportedError:
        return UnsupportedError(at.diagnostic(message, hint))
