"""A position in a list of tokens, the base of all parsers.

It counts how deeply the text is nested: too deep is refused with a place, and never ends in Python's own limit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier

MAX_DEPTH = 100
"""Levels of nesting. Everything behind a parser recurses."""


class Cursor:
    """`token` is the next one; `end` is where the one before it ended."""

    depth_hint: ClassVar[str]
    """What counts as a level of nesting, for the message about too many."""

    def __init__(self, source: Source, tokens: Sequence[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.at = 0
        self.token = tokens[0]
        self.end = self.token.offset
        self.depth = 0

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.end = token.offset + token.length
            self.at += 1
            self.token = self.tokens[self.at]
        return token

    def jump(self, at: int) -> None:
        """To the token with this index."""
        self.at, self.token = at, self.tokens[at]
        self.end = self.tokens[at - 1].end if at else self.token.offset

    # Tests of the next token

    def is_symbol(self, text: str) -> bool:
        return self.token.text == text and self.token.kind == "symbol"

    def is_one_of(self, texts: Collection[str]) -> bool:
        return self.token.text in texts and self.token.kind == "symbol"

    def is_keyword(self, *words: str) -> bool:
        return self.token.text in words and self.token.kind == "keyword"

    def accept(self, symbol: str) -> bool:
        if self.is_symbol(symbol):
            self.advance()
            return True
        return False

    def accept_keyword(self, word: str) -> bool:
        if self.is_keyword(word):
            self.advance()
            return True
        return False

    def expect(self, symbol: str) -> Token:
        if not self.is_symbol(symbol):
            raise self.expected(f"'{symbol}'")
        return self.advance()

    def expect_keyword(self, *words: str) -> Token:
        if not self.is_keyword(*words):
            raise self.expected(" or ".join(f"'{word}'" for word in words))
        return self.advance()

    def identifier(self, what: str) -> Identifier:
        token = self.token
        if token.kind != "name":
            raise self.expected(what, "this word is reserved" if token.kind == "keyword" else None)
        self.advance()
        return Identifier(self.extent_of(token), token.text)

    # Depth

    def enter(self, levels: int = 1) -> None:
        self.depth += levels
        self.check_depth(0, self.token)

    def leave(self, levels: int = 1) -> None:
        self.depth -= levels

    @contextmanager
    def nested(self, levels: int = 1) -> Iterator[None]:
        self.enter(levels)
        try:
            yield
        finally:
            self.leave(levels)

    def check_depth(self, height: int, token: Token) -> None:
        if self.depth + height > MAX_DEPTH:
            raise self.error(f"this is more than {MAX_DEPTH} levels deep", token, self.depth_hint)

    # Places and errors

    def extent_of(self, token: Token) -> Extent:
        return Extent(token.source or self.source, token.offset, token.length)

    def extent(self, start: int) -> Extent:
        """From an offset to the end of the token before this one."""
        return Extent(self.source, start, max(1, self.end - start))

    def expected(self, what: str, hint: str | None = None) -> InputError | UnsupportedError:
        return self.error(f"expected {what}, found {self.token}", self.token, hint)

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return InputError(self.extent_of(token).diagnostic(message, hint))

    def unsupported(self, message: str, token: Token) -> UnsupportedError:
        return UnsupportedError(self.extent_of(token).diagnostic(message))
