"""Diagnostics: one value with a place, one family of exceptions.

In: a message, a span in a source, a hint. Out: text with file, line, column, the line and a caret. Everything a user
can cause ends here and leaves with exit code 2 (input); what only a bug can cause is a `ContradictionError`, exit code 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from burnside.exit_codes import CONTRADICTION, UNKNOWN, WRONG
from burnside.records import field, record

REPORT = "this is a bug in burnside, no verdict is given; please report it with the model and the command"


@record
class Span:
    """A place in a source text; line and column count from 1, `length` characters are underlined."""

    line: int
    column: int
    length: int = 1
    source: str | None = None
    """Where it is not the model's own file: the name of another, or an option and its text."""

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}"
        return place if self.source is None else f"{place} of {self.source}"


@record
class Diagnostic:
    """One complaint. `source` names the file or option, `text` is the offending line where it is known."""

    message: str
    source: str | None = None
    span: Span | None = None
    text: str | None = None
    hint: str | None = None

    def render(self) -> str:
        place = self.source or ""
        if self.span is not None:
            place = (
                f"{place}:{self.span.line}:{self.span.column}"
                if place
                else f"{self.span.line}:{self.span.column}"
            )
        lines = [f"{place}: error: {self.message}" if place else f"error: {self.message}"]
        if self.span is not None and self.text is not None:
            shown, offset = _window(self.text, self.span.column)
            caret = " " * (self.span.column - 1 - offset) + "^" * max(1, min(self.span.length, len(shown)))
            number = str(self.span.line)
            lines += [f"  {number} | {shown}", f"  {' ' * len(number)} | {caret}"]
        if self.hint:
            lines.append(f"  = help: {self.hint}")
        return "\n".join(lines)


def _window(text: str, column: int, width: int = 120) -> tuple[str, int]:
    """The part of a long line that holds `column`, tabs and control characters as single blanks, and its offset."""
    text = "".join(c if c.isprintable() else " " for c in text.rstrip("\r\n"))
    if len(text) <= width:
        return text, 0
    offset = max(0, column - 1 - width // 2)
    return text[offset : offset + width], offset


class BurnsideError(Exception):
    """Everything burnside raises on purpose. `exit_code` is what the command line ends with."""

    exit_code = WRONG

    def __init__(self, diagnostic: Diagnostic | str) -> None:
        self.diagnostic = diagnostic if isinstance(diagnostic, Diagnostic) else Diagnostic(diagnostic)
        super().__init__(self.diagnostic.message)

    def __str__(self) -> str:
        return self.diagnostic.render()


class InputError(BurnsideError):
    """The model is wrong: it does not parse, or means nothing."""


class UnsupportedError(BurnsideError):
    """The model may be right, burnside cannot do it (yet): said by name, with its place."""


class UsageError(BurnsideError):
    """The call is wrong: an option, a name on the command line, an output that cannot be written."""


class RefusedError(BurnsideError):
    """The requested reduction would give wrong answers, or cost without bound, on this model: refused with the reason."""


class TimeError(BurnsideError):
    """A limit on time was reached before anything could be said of the model."""

    exit_code = UNKNOWN


class LimitError(BurnsideError):
    """A limit on size was reached before there was an answer."""

    exit_code = UNKNOWN


class ContradictionError(BurnsideError):
    """burnside contradicts itself: a bug, never the user's fault. No verdict is given."""

    exit_code = CONTRADICTION


def contradiction(what: str, source: str | None = None) -> ContradictionError:
    """One that says what to do about it."""
    return ContradictionError(Diagnostic(f"internal error: {what}", source, hint=REPORT))


@record
class Source:
    """A text with a name, able to point at itself."""

    name: str
    text: str = field(repr=False)
    origin: str | None = field(default=None, repr=False)
    """What places in it say of where they are (`Span.source`)."""
    whole: Source | None = field(default=None, repr=False, compare=False)
    """What this is a part of: lines and columns are the same, and diagnostics show its lines."""

    @cached_property
    def line_starts(self) -> Sequence[int]:
        starts = [0]
        starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        return starts

    def span(self, offset: int, length: int = 1) -> Span:
        from bisect import bisect_right

        line = bisect_right(self.line_starts, offset)
        return Span(line, offset - self.line_starts[line - 1] + 1, length, self.origin)

    def line(self, number: int) -> str:
        if self.whole is not None:
            return self.whole.line(number)
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]

    def part(self, start: int, end: int) -> Source:
        """The text between two offsets alone, at the same line and column."""
        place = self.span(start)
        return self.placed(self.text[start:end], place.line, place.column)

    def placed(self, text: str, line: int, column: int) -> Source:
        """A text that stands, or is taken to stand, at this line and column."""
        before = "\n" * (line - 1) + " " * (column - 1)
        return Source(self.name, before + text, self.origin, self.whole or self)

    def diagnostic(self, message: str, offset: int, length: int = 1, hint: str | None = None) -> Diagnostic:
        span = self.span(min(offset, len(self.text)), length)
        return Diagnostic(message, self.name, span, self.line(span.line), hint)


def option_source(option: str, text: str) -> Source:
    """What the user wrote on the command line."""
    return Source(option, text, f"{option} {text}")


def option_of(origin: str) -> tuple[str, str] | None:
    """The option and its text, where a place is in one."""
    option, blank, text = origin.partition(" ")
    return (option, text) if option.startswith("--") and blank else None
