"""References to variables, their elements and fields. In: tokens. Out: a `Reference`, its names looked up."""

from __future__ import annotations

from burnside.diagnostics import InputError, UnsupportedError
from burnside.languages.promela import expressions as e
from burnside.languages.promela.names import Names
from burnside.languages.promela.types import Field, ScalarType, StructType, Type, Variable, sink
from burnside.languages.shared.cursor import Cursor
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent

PREDEFINED = ("_pid", "_nr_pr", "_last", "_priority")


class ReferenceParser(Cursor):
    depth_hint = "parentheses, operators before their operand, indices and blocks count as levels"

    names: Names

    def expression(self) -> e.Expression:
        raise NotImplementedError

    def expected(self, what: str, hint: str | None = None) -> InputError | UnsupportedError:
        if self.token.kind != "other":
            return super().expected(what, hint)
        if self.token.text in "\"'":
            return self.error("this string is not closed", self.token)
        return self.error(f"{self.token} is no part of Promela", self.token)

    def reference(self) -> e.Reference:
        """A variable and what follows it; it may be a whole struct, but no whole array."""
        place = self.place()
        is_array = place.path[-1].field.size if place.path else place.variable.size
        has_index = place.path[-1].index if place.path else place.index
        if is_array is not None and has_index is None:
            name = place.path[-1].field.name if place.path else place.variable.name
            raise InputError(place.at.diagnostic(f"'{name}' is an array, and has no index here"))
        return place

    def place(self) -> e.Reference:
        """As `reference`, but a whole array is allowed at its end."""
        token = self.token
        variable = self.variable()
        index = self.index(token, variable.size)
        path: list[e.FieldAccess] = []
        type_, needs_index = variable.type, variable.size is not None and index is None
        while self.is_symbol("."):
            dot = self.advance()
            if needs_index:
                raise self.error("an array has no index here", token)
            step = self.field(type_, dot)
            path.append(step)
            type_, needs_index = step.field.type, step.field.size is not None and step.index is None
        return e.Reference(self.from_token(token), variable, index, tuple(path))

    def variable(self) -> Variable:
        token = self.token
        if token.kind != "name":
            raise self.expected("a variable")
        if token.text == "_":
            self.advance()
            return sink(self.extent_of(token))
        found = self.names.find(token.text)
        if found is None:
            raise self.unknown(token)
        self.advance()
        return found

    def unknown(self, token: Token) -> InputError:
        role = self.names.role(token.text)
        if role is not None:
            return self.error(f"expected a variable, '{token.text}' is {role}", token)
        if token.text in PREDEFINED:
            return self.error(f"'{token.text}' can only be read", token)
        return self.error(f"'{token.text}' is not declared", token, self.similar(token.text))

    def similar(self, name: str) -> str | None:
        from difflib import get_close_matches

        process = self.names.process
        known = {*self.names.variables, *(n for block in (process.blocks if process else ()) for n in block)}
        close = get_close_matches(name, sorted(known), 1)
        return f"did you mean '{close[0]}'?" if close else None

    def index(self, token: Token, size: int | None) -> e.Expression | None:
        if not self.is_symbol("["):
            return None
        if size is None:
            raise self.error(f"'{token.text}' is no array", token)
        self.advance()
        with self.nested():
            index = self.expression()
        self.expect("]")
        return index

    def field(self, type_: Type, dot: Token) -> e.FieldAccess:
        token = self.token
        if token.kind not in ("name", "keyword"):
            raise self.expected("the name of a field")
        if not isinstance(type_, StructType):
            raise self.error("this is no struct, and has no fields", dot)
        found: Field | None = next((each for each in type_.fields if each.name == token.text), None)
        if found is None:
            names = ", ".join(each.name for each in type_.fields)
            raise self.error(f"'{type_.name}' has no field '{token.text}'", token, f"there are: {names}")
        self.advance()
        return e.FieldAccess(self.extent_of(token), found, self.index(token, found.size))

    def channel(self) -> e.Reference:
        reference = self.reference()
        self.check_channel(reference)
        return reference

    def check_channel(self, reference: e.Reference) -> None:
        if not isinstance(reference.type, ScalarType) or reference.type.name != "chan":
            what = reference.type.name
            raise InputError(reference.at.diagnostic(f"this is no channel, but of type '{what}'"))

    def from_token(self, start: Token) -> Extent:
        """From a token to the one before this; only the first where they are not in one piece of text."""
        last = self.tokens[self.at - 1] if self.at else start
        if last.source is start.source and last.end > start.offset:
            return Extent(start.source or self.source, start.offset, last.end - start.offset)
        return self.extent_of(start)
