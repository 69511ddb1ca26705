"""Walking over B's tokens: the ground of the parser. Counts how deep the text is nested, so that depth is refused with a
place and never ends in Python's own limit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.b.lexer import Token
from burnside.languages.b.syntax import Extent, Identifier

MAX_DEPTH = 100
"""Blocks and braces (twice: they take more of the stack), brackets and operators within each other. Everything
behind the parser recurses."""


class Cursor:
    """`token` is the next one; `end` is where the one before it ended."""

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
        """To the token with this index, which is ahead."""
        before = self.tokens[at - 1]
        self.at, self.token, self.end = at, self.tokens[at], before.end

    def is_symbol(self, text: str) -> bool:
        return self.token.text == text and self.token.kind == "symbol"

    def is_one_of(self, texts: Collection[str]) -> bool:
        return self.token.text in texts and self.token.kind == "symbol"

    def is_keyword(self, word: str) -> bool:
        return self.token.text == word and self.token.kind == "keyword"

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
        if self.token.kind != "keyword" or self.token.text not in words:
            raise self.expected(" or ".join(f"'{word}'" for word in words))
        return self.advance()

    def identifier(self, what: str) -> Identifier:
        token = self.token
        if token.kind != "name":
            raise self.expected(what, "this word is reserved" if token.kind == "keyword" else None)
        self.advance()
        return Identifier(Extent(self.source, token.offset, token.length), token.text)

    def identifiers(self, what: str) -> tuple[Identifier, ...]:
        """One or more, with commas, each once."""
        found = [self.identifier(what)]
        while self.accept(","):
            found.append(self.identifier(what))
        seen: set[str] = set()
        for each in found:
            if each.text in seen:
                raise InputError(each.at.diagnostic(f"'{each.text}' is already in this list"))
            seen.add(each.text)
        return tuple(found)

    def dotted(self, what: str) -> Identifier:
        """A name with the names of renamed machines before it, as one text: `m.x`."""
        name = self.identifier(what)
        if not self.is_symbol("."):
            return name
        text = name.text
        while self.is_symbol(".") and self.peek().kind == "name":
            self.advance()
            text += f".{self.advance().text}"
        return Identifier(self.extent(name.at.offset), text)

    def enter(self, levels: int = 1) -> None:
        self.depth += levels
        if self.depth > MAX_DEPTH:
            raise self.too_deep(self.token)

    def leave(self, levels: int = 1) -> None:
        self.depth -= levels

    def check_depth(self, height: int, token: Token) -> None:
        if self.depth + height > MAX_DEPTH:
            raise self.too_deep(token)

    def too_deep(self, token: Token) -> InputError:
        hint = (
            "blocks and braces within each other count twice; brackets, and operators in a row that cannot be regrouped, "
            "once"
        )
        return self.error(f"this is more than {MAX_DEPTH} levels deep", token, hint)

    def extent(self, start: int) -> Extent:
        """From an offset to the end of the token before this one."""
        return Extent(self.source, start, max(1, self.end - start))

    def expected(self, what: str, hint: str | None = None) -> InputError:
        return self.error(f"expected {what}, found {self.token}", self.token, hint)

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return InputError(self.source.diagnostic(message, token.offset, token.length, hint))

    def unsupported(self, message: str, token: Token) -> UnsupportedError:
        return UnsupportedError(self.source.diagnostic(message, token.offset, token.length))
