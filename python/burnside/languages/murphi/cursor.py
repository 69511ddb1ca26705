"""A position in the tokens of a Murphi model: semicolons that may be left out, words that are keywords in some places."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from burnside.diagnostics import Source
from burnside.languages.murphi.lexer import tokenize
from burnside.languages.shared import cursor

Item = TypeVar("Item")


class Cursor(cursor.Cursor):
    depth_hint = "blocks within each other count twice, brackets, and operators in a row that cannot be regrouped, once"

    def __init__(self, source: Source) -> None:
        super().__init__(source, tokenize(source))

    def precedes(self, *texts: str) -> bool:
        """Is the token after this one such a symbol?"""
        return self.peek().kind == "symbol" and self.peek().text in texts

    def is_word(self, *words: str) -> bool:
        """A name that may serve as a keyword here."""
        return self.token.kind == "name" and self.token.text.lower() in words

    def expect_do(self) -> None:
        """CMurphi lets a colon stand for `do`."""
        if not (self.accept(":") or self.accept_keyword("do")):
            raise self.expected("'do'")

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
