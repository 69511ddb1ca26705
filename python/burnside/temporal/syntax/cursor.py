"""A position in the tokens of a formula, and formulas with their height and size, which are bounded as they are built."""

from __future__ import annotations

from collections.abc import Iterable

from burnside.diagnostics import InputError, Source
from burnside.languages.shared import cursor
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent
from burnside.records import record
from burnside.temporal.formulas import Formula
from burnside.temporal.syntax.lexer import tokenize

MAX_SIZE = 20_000
"""Operators and atoms of one formula, once equivalences and quantifiers are written out."""

OPENING = {"(": ")", "[": "]"}


@record
class Part:
    """A formula, how deep it is, and how many operators and atoms it has."""

    formula: Formula
    height: int = 0
    size: int = 1


class FormulaCursor(cursor.Cursor):
    depth_hint = "brackets, prefix operators and chains of U, W, R, S, T or '=>' count as levels"

    def __init__(self, source: Source, *, single_quotes: bool) -> None:
        super().__init__(source, tokenize(source, single_quotes=single_quotes))

    def is_connective(self, *words: str) -> bool:
        return self.token.kind == "connective" and self.token.text in words

    def is_name(self, *words: str) -> bool:
        return self.token.kind == "name" and self.token.text in words

    def closing(self, at: int) -> int | None:
        """The index of the token that closes the bracket with this index."""
        expected: list[str] = []
        for index in range(at, len(self.tokens)):
            token = self.tokens[index]
            if token.kind != "symbol":
                continue
            if token.text in OPENING:
                expected.append(OPENING[token.text])
            elif token.text in OPENING.values():
                if token.text != expected.pop():
                    return None
                if not expected:
                    return index
        return None

    def close(self, opened: Token) -> None:
        if not self.accept(OPENING[opened.text]):
            if self.token.kind == "end":
                raise self.error("this bracket is not closed", opened)
            raise self.expected(f"an operator or '{OPENING[opened.text]}'", self.advice())

    def built(self, token: Token, formula: Formula, parts: Iterable[Part]) -> Part:
        """A formula made of these parts, each as often as it is used. `token` is blamed where that is too much."""
        inner = tuple(parts)
        part = Part(formula, 1 + max(each.height for each in inner), 1 + sum(each.size for each in inner))
        self.check_depth(part.height, token)
        if part.size > MAX_SIZE:
            message = f"written out, the formula has more than {MAX_SIZE:,} operators and atoms"
            raise self.error(message, token)
        return part

    def part_of(self, first: int, end: int) -> Extent:
        """From the token with one index to before the one with the other, without blanks."""
        start = self.tokens[first].offset
        return Extent(self.source, start, max(1, self.tokens[end - 1].end - start) if end > first else 1)

    def written(self, token: Token) -> str:
        """In the user's spelling."""
        return self.source.text[token.offset : token.end]

    def expected(self, what: str, hint: str | None = None) -> InputError:
        found = str(self.token) if self.token.kind == "end" else f"'{self.written(self.token)}'"
        return self.error(f"expected {what}, found {found}", self.token, hint)

    def advice(self) -> str | None:
        """What may have been meant by something that cannot stand where it is."""
        before = self.tokens[self.at - 1] if self.at else None
        if before is not None and before.kind == "prefix":
            return f"'{before.text}' is read as operators; in braces, {{{before.text}}}, it is a name"
        return None

    def refused(self, message: str, at: Extent, hint: str | None = None) -> InputError:
        return InputError(at.diagnostic(message, hint))
