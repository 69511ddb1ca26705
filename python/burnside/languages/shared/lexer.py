"""Tokens of a text, and what the lexers of all languages have in common."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from burnside.diagnostics import InputError, Source

MAX_SHOWN = 40
"""Characters of a token that a message shows."""


class Token(NamedTuple):
    """`text` is its meaning: a string without quotes, a symbol in its first spelling, the name of the end. `length` counts
    the characters that are written."""

    kind: str
    text: str
    offset: int
    length: int
    source: Source | None = None
    """Where it is not the text that is parsed: languages with a preprocessor join several files."""

    def __str__(self) -> str:
        match self.kind:
            case "end":
                return self.text or "the end of the text"
            case "string":
                return f'"{self.text}"'
            case "label":
                return f"the label '{self.text}'"
        return f"'{self.text if len(self.text) <= MAX_SHOWN else self.text[:MAX_SHOWN] + '...'}'"

    @property
    def end(self) -> int:
        return self.offset + self.length


def scan(
    source: Source,
    pattern: re.Pattern[str],
    token_of: Callable[[Source, re.Match[str]], Token | None],
    unreadable: Callable[[Source, int], InputError],
) -> list[Token]:
    """The tokens that `token_of` makes of the matches (None for blanks and comments), one after the other; where nothing
    matches, the error that `unreadable` makes."""
    text, at, tokens = source.text, 0, []
    while at < len(text):
        match = pattern.match(text, at)
        if match is None:
            raise unreadable(source, at)
        token = token_of(source, match)
        if token is not None:
            tokens.append(token)
        at = match.end()
    return tokens


def unreadable(source: Source, at: int, language: str, quotes: str) -> InputError:
    """An error at characters that begin no token; `quotes` are those that begin a string."""
    rest = source.text[at : at + 2]
    if rest == "/*":
        return InputError(source.diagnostic("this comment is not closed", at, 2))
    if rest[0] in quotes:
        return InputError(source.diagnostic("this string is not closed", at))
    shown = rest[0] if rest[0].isprintable() else f"\\x{ord(rest[0]):02x}"
    return InputError(source.diagnostic(f"'{shown}' is no part of {language}", at))
