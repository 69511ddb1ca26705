"""The text of a high-level net as trees. In: a source. Out: a `NetTree`, or one term or type of a command line."""

from __future__ import annotations

import re

from burnside.diagnostics import Source
from burnside.languages.hln import syntax as s
from burnside.languages.hln.parse_terms import TermParser
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.recursion import deep_recursion
from burnside.languages.shared.spans import Identifier

CLASSES = ("ordered", "cyclic", "unordered", "enum")
DECLARATIONS = ("const", "type", "var", "function", "place", "transition", "invariant", "goal")
_NUMBERED = re.compile(r"(.*?)(0|[1-9][0-9]*)", re.DOTALL)


def parse(source: Source) -> s.NetTree:
    with deep_recursion(source):
        return Parser(source).net()


class Parser(TermParser):
    def whole_term(self) -> s.TermTree:
        found = self.term()
        if self.token.kind != "end":
            raise self.expected("the end of the term")
        return found

    def whole_type(self) -> s.TypeTree:
        found = self.type()
        if self.token.kind != "end":
            raise self.expected("the end of the type")
        return found

    def net(self) -> s.NetTree:
        name = None
        if self.token.kind == "name" and self.token.text == "net":
            self.advance()
            name = self.name("the name of the net").text
        declarations: list[s.Declaration] = []
        while self.token.kind != "end":
            declarations.append(self._declaration())
        return s.NetTree(name, tuple(declarations))

    def _declaration(self) -> s.Declaration:
        match self.token.text if self.token.kind == "keyword" else None:
            case "const":
                return self._const()
            case "type":
                return self._type_declaration()
            case "var":
                return self._variables()
            case "function":
                return self._function()
            case "place":
                return self._place()
            case "transition":
                return self._transition()
            case "invariant" | "goal":
                return self._claim()
        raise self.expected(f"a declaration ({', '.join(DECLARATIONS)})")

    def _const(self) -> s.ConstDeclaration:
        start = self.advance().offset
        name = self.name("the name of a constant")
        self.expect("=")
        value = self.term()
        return s.ConstDeclaration(self.extent(start), name, value)

    # Types

    def _type_declaration(self) -> s.TypeDeclaration:
        start = self.advance().offset
        name = self.name("the name of a type")
        self.expect("=")
        is_sort = self.token.kind == "name" and self.token.text in CLASSES
        found = self._sort() if is_sort and self._begins_elements(self.peek()) else self.type()
        return s.TypeDeclaration(self.extent(start), name, found)

    def _begins_elements(self, token: Token) -> bool:
        return token.kind in ("name", "string", "number") or (token.kind == "symbol" and token.text in "{(")

    def _sort(self) -> s.SortTree:
        token = self.advance()
        if self.accept("{"):
            names = self.listed(lambda: self.field_name("an element"), "}")
            return s.SortTree(self.extent(token.offset), token.text, names)
        return s.SortTree(self.extent(token.offset), token.text, self._range())

    def _range(self) -> s.ElementRange:
        start = self.token
        if self.is_name() and self.peek().text == "..":
            return self._named_range()
        with self.nested():
            low = self._sum()
            high = self._sum() if self.accept("..") else None
        at = self.extent(start.offset)
        return s.ElementRange(at, "", None if high is None else low, low if high is None else high)

    def _named_range(self) -> s.ElementRange:
        """`p1 .. p3`, or `a .. N` of constants."""
        first = self.name("an element")
        self.expect("..")
        low = _NUMBERED.fullmatch(first.text)
        if low is None or self.token.kind == "number":
            with self.nested():
                high = self._sum()
            at = self.extent(first.at.offset)
            return s.ElementRange(at, "", s.Name(first.at, first.text), high)
        last = self.name("an element")
        at = self.extent(first.at.offset)
        high_name = _NUMBERED.fullmatch(last.text)
        if high_name is None or high_name[1] != low[1] or len(low[2]) > 9 or len(high_name[2]) > 9:
            hint = "as in p1 .. p3; other elements are listed in braces"
            raise self.error(
                "the ends of a range differ in a number at their end", self.tokens[self.at - 1], hint
            )
        ends = (s.Number(first.at, int(low[2])), s.Number(last.at, int(high_name[2])))
        return s.ElementRange(at, low[1], *ends)

    # Variables and functions

    def _variables(self) -> s.VariableDeclaration:
        start = self.advance().offset
        names = self._names("the name of a variable")
        self.expect(":")
        found = self.type()
        return s.VariableDeclaration(self.extent(start), names, found)

    def _names(self, what: str) -> tuple[Identifier, ...]:
        names = [self.name(what)]
        while self.accept(","):
            names.append(self.name(what))
        return tuple(names)

    def _function(self) -> s.FunctionDeclaration | s.TableDeclaration:
        start = self.advance().offset
        name = self.name("the name of a function")
        if self.accept(":"):
            return self._table(start, name)
        if not self.accept("("):
            raise self.expected("'(' or ':'")
        parameters = self.listed(self._typed_parameter, ")")
        self.expect(":")
        result = self.type()
        self.expect("=")
        body = self.term()
        return s.FunctionDeclaration(self.extent(start), name, parameters, result, body)

    def _typed_parameter(self) -> tuple[Identifier, s.TypeTree]:
        name = self.name("a parameter")
        self.expect(":")
        return name, self.type()

    def _table(self, start: int, name: Identifier) -> s.TableDeclaration:
        source = self.type()
        self.expect("->")
        target = self.type()
        self.expect("=")
        self.expect("{")
        entries: list[s.TableEntry] = []
        while not self.accept("}"):
            if entries:
                self.expect(",")
            entries.append(self._entry())
        return s.TableDeclaration(self.extent(start), name, source, target, tuple(entries))

    def _entry(self) -> s.TableEntry:
        start, elements = self.token.offset, []
        is_rest = self.accept_keyword("else")
        while not is_rest:
            first = self.field_name("an element or 'else'")
            last = self.field_name("an element") if self.accept("..") else None
            elements.append((first, last))
            if not self.accept(","):
                break
        self.expect("->")
        image = self.field_name("an element")
        return s.TableEntry(self.extent(start), None if is_rest else tuple(elements), image)

    # The net

    def _place(self) -> s.PlaceDeclaration:
        start = self.advance().offset
        names = self._names("the name of a place")
        self.expect(":")
        found = self.type()
        initial = self.term() if self.accept("=") else None
        return s.PlaceDeclaration(self.extent(start), names, found, initial)

    def _transition(self) -> s.TransitionDeclaration:
        start = self.advance().offset
        name = self.name("the name of a transition")
        parameters = self.listed(self._parameter, ")") if self.accept("(") else ()
        clauses: list[s.ArcTree | s.TermTree] = []
        while self.is_keyword("in", "out", "test", "guard"):
            if self.accept_keyword("guard"):
                clauses.append(self.term())
                continue
            direction = self.advance().text
            clauses.append(self._arc(direction))
            while self.accept(","):
                clauses.append(self._arc(direction))
        if self.token.kind != "end" and not self.is_keyword(*DECLARATIONS):
            raise self.expected("in, out, test, guard or the next declaration")
        return s.TransitionDeclaration(self.extent(start), name, parameters, tuple(clauses))

    def _parameter(self) -> tuple[Identifier, s.TypeTree | None]:
        name = self.name("a variable")
        return name, self.type() if self.accept(":") else None

    def _arc(self, direction: str) -> s.ArcTree:
        place = self.name("a place")
        term = self.term() if self.accept(":") else None
        return s.ArcTree(self.extent(place.at.offset), direction, place, term)

    def _claim(self) -> s.ClaimDeclaration:
        token = self.advance()
        name = None
        if self.token.kind == "string" and self.peek().text == ":" and self.peek().kind == "symbol":
            name = self.advance().text
            self.advance()
        condition = self.term()
        return s.ClaimDeclaration(self.extent(token.offset), token.text, name, condition)
