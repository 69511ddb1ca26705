"""A position in the tokens of a Z text: names, decorations, operators as names, references to schemas."""

from __future__ import annotations

from collections.abc import Mapping

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.shared import cursor
from burnside.languages.shared.lexer import MAX_SHOWN, Token
from burnside.languages.z import syntax as s
from burnside.languages.z.parse.marks import Operator
from burnside.languages.z.parse.scanner import Scanner

GREEK = ("\\Delta", "\\Xi")


class Cursor(cursor.Cursor):
    depth_hint = "brackets, sets, quantifiers and operators within each other count as one level each"

    def __init__(self, source: Source, scanner: Scanner, schemas: set[str], standard: bool = False) -> None:
        super().__init__(source, scanner.tokens)
        self.scanner = scanner
        self.operators: Mapping[str, Operator] = scanner.operators
        self.standard = standard
        """Whether the text is Standard Z where that differs from Spivey's."""
        self.schemas = schemas
        """Names that are schemas from here on."""
        self.references: dict[int, tuple[s.SchemaReference, int]] = {}
        """Those that have been read, and where the text goes on, by the index of their first token."""

    # Errors

    def expected(self, what: str, hint: str | None = None) -> InputError | UnsupportedError:
        if self.token.kind == "wrong":
            assert self.scanner.error is not None
            return self.scanner.error
        hint = hint or self.scanner.hint_at(self.token.offset)
        return self.error(f"expected {what}, found {self.shown(self.token)}", self.token, hint)

    def shown(self, token: Token) -> str:
        """As it is written."""
        if token.kind == "end":
            return token.text or "the end"
        if token.kind == "directive" and not token.text:
            return "the end of a directive"
        written = self.source.text[token.offset : token.end]
        if token.kind == "newline":
            return f"the end of a line ('{written}')"
        return f"'{written if len(written) <= MAX_SHOWN else written[:MAX_SHOWN] + '...'}'"

    # Names

    def at_word(self) -> bool:
        """At a name that is no schema."""
        return self.token.kind == "word" and self.token.text not in self.schemas

    def at_schema(self) -> bool:
        token = self.token
        return token.text in self.schemas if token.kind == "word" else self.is_one_of(GREEK)

    def decoration(self) -> str:
        return self.advance().text if self.token.kind == "decoration" else ""

    def name(self, what: str) -> s.Identifier:
        """A name that is no operator."""
        token = self.token
        if not self.at_word():
            raise self.expected(what, "this is the name of a schema" if token.kind == "word" else None)
        self.advance()
        decoration = self.decoration()
        return s.Identifier(self.extent(token.offset), token.text, decoration)

    def operator(self) -> s.Identifier:
        """The operator at the cursor, as a name."""
        token = self.advance()
        if token.kind == "symbol":  # \inrel{name}
            self.expect("{")
            name = self.name("the name of a relation")
            self.expect("}")
            return s.Identifier(self.extent(token.offset), name.base, name.decoration)
        decoration = self.decoration()
        return s.Identifier(self.extent(token.offset), token.text, decoration)

    def at_relation(self) -> bool:
        return self.token.kind == "relation" or self.is_symbol("\\inrel")

    def at_operator_name(self) -> bool:
        """At `\\_ + \\_`, `\\disjoint \\_`, `-`, ..."""
        token = self.token
        if token.kind in ("prefix relation", "prefix generic"):
            ahead = 2 if self.peek().kind == "decoration" else 1
            return self.peek(ahead)[:2] == ("symbol", "\\_")
        return token.kind == "minus" or self.is_symbol("\\_")

    def operator_name(self) -> s.Identifier:
        start, kind = self.token.offset, self.token.kind
        if kind == "minus":
            self.advance()
            return s.Identifier(self.extent(start), s.UNARY_MINUS, self.decoration())
        if kind in ("prefix relation", "prefix generic"):
            name = self.operator()
            self.expect("\\_")
            return s.Identifier(self.extent(start), name.base, name.decoration)
        self.expect("\\_")
        if self.accept("\\limg"):
            self.expect("\\_")
            self.expect("\\rimg")
            decoration = self.decoration()
            return s.Identifier(self.extent(start), s.IMAGE, decoration)
        if self.token.kind not in ("infix", "minus", "generic", "postfix") and not self.at_relation():
            hint = "directives declare operators, such as '%%inop \\foo 3' and '%%inrel \\bar'"
            raise self.expected("an infix or postfix operator", hint)
        postfix = self.token.kind == "postfix"
        name = self.operator()
        if not postfix:
            self.expect("\\_")
        return s.Identifier(self.extent(start), name.base, name.decoration)

    def declared_name(self) -> s.Identifier:
        """A name or an operator, as declarations have them."""
        return self.operator_name() if self.at_operator_name() else self.name("a name")

    def declared_names(self) -> tuple[s.Identifier, ...]:
        found = [self.declared_name()]
        while self.accept(","):
            found.append(self.declared_name())
        return tuple(found)

    def variable_name(self) -> s.Identifier:
        """A name, or an operator in brackets."""
        if not self.is_symbol("("):
            return self.name("a name")
        self.advance()
        name = self.operator_name()
        self.expect(")")
        return name

    # Schemas

    def schema_name(self) -> str:
        """`S`, `\\Delta S`, `\\Xi S`. Behind a Greek letter any name is one."""
        token = self.token
        if self.is_one_of(GREEK):
            self.advance()
            if self.token.kind != "word":
                raise self.expected(f"the name of a schema after '{token.text}'")
            return f"{token.text} {self.advance().text}"
        if token.kind != "word":
            raise self.expected("the name of a schema")
        return self.advance().text

    def renames(self) -> tuple[s.Rename, ...]:
        """`[new/old, ...]`, or nothing."""
        if not self.accept("["):
            return ()
        found = [self.rename()]
        while self.accept(","):
            found.append(self.rename())
        self.expect("]")
        return tuple(found)

    def rename(self) -> s.Rename:
        start = self.token.offset
        new = self.declared_name()
        self.expect("/")
        old = self.declared_name()
        return s.Rename(self.extent(start), new, old)

    def schema_reference(self) -> s.SchemaReference:
        """Where a set may begin with it, it is looked at before it is read: so it is remembered."""
        known = self.references.get(self.at)
        if known is not None:
            self.jump(known[1])
            return known[0]
        at, start = self.at, self.token.offset
        name = self.schema_name()
        decoration = self.decoration()
        parameters: tuple[s.Expression, ...] = ()
        if self.is_symbol("[") and not self.at_renames():
            parameters = self.actual_parameters()
        renames = self.renames()
        reference = s.SchemaReference(self.extent(start), name, decoration, parameters, renames)
        self.references[at] = reference, self.at
        return reference

    def at_renames(self) -> bool:
        """At `[`: whether a name and `/` follow."""
        at = self.at
        self.advance()
        try:
            self.declared_name()
            return self.is_symbol("/")
        except InputError:
            return False
        finally:
            self.jump(at)

    def actual_parameters(self) -> tuple[s.Expression, ...]:
        self.expect("[")
        found = self.expressions()
        self.expect("]")
        return found

    def expressions(self) -> tuple[s.Expression, ...]:
        raise NotImplementedError
