"""Types of the text, and the position in its tokens that all parsing shares. In: tokens. Out: trees of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from burnside.diagnostics import Source
from burnside.languages.hln import syntax as s
from burnside.languages.hln.lexer import tokenize
from burnside.languages.shared import cursor
from burnside.languages.shared.spans import Identifier

Item = TypeVar("Item")
CONSTRUCTORS = {"list": 1, "set": 1, "multiset": 1, "map": 2}


class TypeParser(cursor.Cursor):
    depth_hint = "brackets within each other count, and operators in a row that cannot be regrouped"

    def __init__(self, source: Source) -> None:
        super().__init__(source, tokenize(source))

    # Names

    def is_name(self) -> bool:
        return self.token.kind in ("name", "string")

    def name(self, what: str) -> Identifier:
        if not self.is_name():
            hint = f'this word is reserved; the name is written "{self.token.text}"'
            raise self.expected(what, hint if self.token.kind == "keyword" else None)
        token = self.advance()
        return Identifier(self.extent_of(token), token.text)

    def field_name(self, what: str) -> Identifier:
        """Of fields without names: their numbers."""
        if self.token.kind == "number":
            token = self.advance()
            return Identifier(self.extent_of(token), token.text)
        return self.name(what)

    def listed(self, item: Callable[[], Item], end: str) -> tuple[Item, ...]:
        """Items with commas between them, up to and with the symbol that ends them; none at all is possible."""
        found: list[Item] = []
        while not self.is_symbol(end):
            if found and not self.accept(","):
                raise self.expected(f"',' or '{end}'")
            found.append(item())
        self.advance()
        return tuple(found)

    # Types

    def type(self) -> s.TypeTree:
        with self.nested():
            return self._type()

    def _type(self) -> s.TypeTree:
        token = self.token
        if self.is_keyword("bool", "nat", "dot"):
            self.advance()
            return s.TypeName(self.extent_of(token), token.text, is_keyword=True)
        if self.is_keyword(*CONSTRUCTORS):
            return self._constructed()
        if self.is_keyword("struct", "union"):
            self.advance()
            self.expect("(")
            item = self._field if token.text == "struct" else self._alternative
            fields = self.listed(item, ")")
            return s.FieldsType(self.extent(token.offset), token.text, fields)
        name = self.name("a type")
        return s.TypeName(name.at, name.text, is_keyword=False)

    def _constructed(self) -> s.TypeOf:
        token = self.advance()
        self.expect("(")
        parts = [self.type()]
        for _ in range(CONSTRUCTORS[token.text] - 1):
            self.expect(",")
            parts.append(self.type())
        self.expect(")")
        return s.TypeOf(self.extent(token.offset), token.text, tuple(parts))

    def _field(self) -> s.FieldTree:
        """`name: type`, or a type."""
        start = self.token.offset
        has_name = (self.is_name() or self.token.kind == "number") and self.peek().text == ":"
        name = self.field_name("a field") if has_name else None
        if has_name:
            self.expect(":")
        found = self.type()
        return s.FieldTree(self.extent(start), name, found)

    def _alternative(self) -> s.FieldTree:
        """`name: type`, or a name."""
        name = self.name("an alternative")
        found = self.type() if self.accept(":") else None
        return s.FieldTree(self.extent(name.at.offset), name, found)
