"""Walking over the tokens: the ground of the parser. Counts how deep the text is nested, so that depth is refused with a
place and never ends in Python's own limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.murphi.lexer import Token, tokenize
from burnside.languages.murphi.syntax import Extent, Identifier

MAX_DEPTH = 100
"""Blocks (twice: their trees are deeper), brackets and operators within each other. Nobody writes more; everything behind
the parser recurses."""

Item = TypeVar("Item")


class Cursor:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokenize(source)
        self.at = 0
        self.depth = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def peek(self, ahead: int = 1) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def is_symbol(self, *texts: str) -> bool:
        return self.token.kind == "symbol" and self.token.text in texts

    def precedes(self, *texts: str) -> bool:
        """Is the token after this one such a symbol?"""
        return self.peek().kind == "symbol" and self.peek().text in texts

    def is_keyword(self, *words: str) -> bool:
        return self.token.kind == "keyword" and self.token.text in words

    def is_word(self, *words: str) -> bool:
        """A name that may serve as a keyword here."""
        return self.token.kind == "name" and self.token.text.lower() in words

    def accept(self, symbol: str) -> bool:
        if self.is_symbol(symbol):
            self.at += 1
            return True
        return False

    def accept_keyword(self, *words: str) -> bool:
        if self.is_keyword(*words):
            self.at += 1
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

    def expect_do(self) -> None:
        """CMurphi lets a colon stand for `do`."""
        if not (self.accept(":") or self.accept_keyword("do")):
            raise self.expected("'do'")

    def identifier(self, what: str) -> Identifier:
        if self.token.kind != "name":
            raise self.expected(what)
        token = self.advance()
        return Identifier(Extent(token.offset, token.length), token.text)

    def string(self) -> str | None:
        return self.advance().text if self.token.kind == "string" else None

    def semicolons(self) -> bool:
        found = False
        while self.accept(";"):
            found = True
        return found

    def until_end(self, item: Callable[[], Item], *words: str) -> tuple[Item, ...]:
        """Items, with semicolons between them or not, up to one of the words that end them."""
        items = []
        self.semicolons()
        while not self.at_end(*words):
            items.append(item())
            self.semicolons()
        self.advance()
        return tuple(items)

    def at_end(self, *words: str) -> bool:
        return self.is_keyword(*words) or self.is_word(*words)

    @contextmanager
    def nested(self, levels: int = 1) -> Iterator[None]:
        self.depth += levels
        self.check_depth(0, self.token)
        try:
            yield
        finally:
            self.depth -= levels

    def check_depth(self, height: int, token: Token) -> None:
        if self.depth + height > MAX_DEPTH:
            message = f"this is more than {MAX_DEPTH} levels deep"
            hint = "blocks within each other count twice, brackets, and operators in a row that cannot be regrouped, once"
            raise self.error(message, token, hint)

    def extent(self, start: int) -> Extent:
        """From an offset to the end of the token before this one."""
        return Extent(start, max(1, self.tokens[max(0, self.at - 1)].end - start))

    def expected(self, what: str) -> InputError:
        return self.error(f"expected {what}, found {self.token}", self.token)

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return InputError(self.source.diagnostic(message, token.offset, token.length, hint))

    def unsupported(self, message: str, token: Token) -> UnsupportedError:
        return UnsupportedError(self.source.diagnostic(message, token.offset, token.length))
