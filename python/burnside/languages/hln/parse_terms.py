"""Terms of the text. In: tokens. Out: trees of terms.

From the loosest: `<->`; `->`, to the right; `or`; `xor`; `and`; `not`; comparisons, `has` and `is`; `+ - ++`; `* / %`;
`n'v`; `x.f`, `x[i]`, `x as f`. Quantifiers and `if` reach as far to the right as they can. Between `<` and `>` stands
nothing looser than a sum, as `>` ends the struct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from burnside.languages.hln import syntax as s
from burnside.languages.hln.parse_types import TypeParser
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Identifier

COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
CONVERSIONS = ("set", "multiset", "union", "and", "or")
"""Keywords that are operators where a bracket follows."""


class TermParser(TypeParser):
    in_struct = False
    """Would a `>` end a struct here?"""

    def term(self) -> s.TermTree:
        with self.nested():
            return self._iff()

    def bracketed(self) -> s.TermTree:
        with self._within(struct=False):
            return self.term()

    @contextmanager
    def _within(self, *, struct: bool) -> Iterator[None]:
        before, self.in_struct = self.in_struct, struct
        try:
            yield
        finally:
            self.in_struct = before

    # Rows of operators

    def _row(self, operand: Callable[[], s.TermTree], is_operator: Callable[[Token], bool]) -> s.TermTree:
        start = self.token.offset
        operands, operators = [operand()], []
        while self.token.kind in ("symbol", "keyword") and is_operator(self.token):
            operators.append(self.advance().text)
            operands.append(operand())
        if not operators:
            return operands[0]
        return s.Chain(self.extent(start), tuple(operands), tuple(operators))

    def _iff(self) -> s.TermTree:
        return self._row(self._implies, lambda token: token.text == "<->")

    def _implies(self) -> s.TermTree:
        start = self.token.offset
        left = self._or()
        if not self.is_symbol("->"):
            return left
        self.advance()
        with self.nested():
            right = self._implies()
        return s.Chain(self.extent(start), (left, right), ("->",))

    def _or(self) -> s.TermTree:
        return self._row(self._xor, lambda token: token.text == "or")

    def _xor(self) -> s.TermTree:
        return self._row(self._and, lambda token: token.text == "xor")

    def _and(self) -> s.TermTree:
        return self._row(self._not, lambda token: token.text == "and")

    def _not(self) -> s.TermTree:
        if not self.is_keyword("not"):
            return self._comparison()
        token = self.advance()
        with self.nested():
            operand = self._not()
        return s.Not(self.extent(token.offset), operand)

    def _comparison(self) -> s.TermTree:
        start = self.token.offset
        left = self._sum()
        if self.accept_keyword("is"):
            alternative = self.name("an alternative of the union")
            found: s.TermTree = s.Is(self.extent(start), left, alternative)
        elif self.is_one_of(COMPARISONS) or self.is_keyword("has"):
            operator = self.advance().text
            right = self._sum()
            found = s.Compared(self.extent(start), operator, left, right)
        else:
            return left
        if self.is_one_of(COMPARISONS) or self.is_keyword("has", "is"):
            raise self.error(
                "comparisons do not chain", self.token, "put one of them in brackets, or use 'and'"
            )
        return found

    def _sum(self) -> s.TermTree:
        return self._row(self._product, lambda token: token.text in ("+", "-", "++"))

    def _product(self) -> s.TermTree:
        return self._row(self._tokens, lambda token: token.text in ("*", "/", "%"))

    def _tokens(self) -> s.TermTree:
        start = self.token.offset
        count = self._postfix()
        if not self.accept("'"):
            return count
        value = self._postfix()
        return s.Tokens(self.extent(start), count, value)

    # What follows a value

    def _postfix(self) -> s.TermTree:
        start, levels = self.token.offset, 0
        found = self._atom()
        while True:
            if self.accept("."):
                name = self.field_name("a field")
                found = s.Member(self.extent(start), found, name)
            elif self.is_symbol("["):
                found = self._index(start, found)
            elif self.accept_keyword("as"):
                alternative = self.name("an alternative of the union")
                found = s.As(self.extent(start), found, alternative)
            else:
                return found
            levels += 1
            self.check_depth(levels, self.token)

    def _index(self, start: int, of: s.TermTree) -> s.TermTree:
        self.expect("[")
        if self.accept("."):
            name = self.field_name("a field")
            self.expect(":=")
            value = self.bracketed()
            self.expect("]")
            return s.WithField(self.extent(start), of, name, value)
        index = self.bracketed()
        assigned = self.bracketed() if self.accept(":=") else None
        if not self.is_symbol("]"):
            raise self.expected("']'" if assigned is not None else "']' or ':='")
        self.advance()
        return s.Index(self.extent(start), of, index, assigned)

    # Values

    def _atom(self) -> s.TermTree:
        token = self.token
        if token.kind == "number":
            self.advance()
            return s.Number(self.extent_of(token), int(token.text))
        if self.is_name():
            return self._named()
        if self.is_keyword("true", "false", "dot", "err"):
            self.advance()
            return s.Word(self.extent_of(token), token.text)
        if self.is_keyword("all"):
            return self._all()
        if self.is_keyword(*CONVERSIONS) and self.peek().text == "(":
            return self._named()
        if token.text == "if" and token.kind == "keyword":
            return self._conditional()
        if self.is_keyword("forall", "exists"):
            if self.in_struct:
                hint = "put it in brackets: between < and > stands nothing looser than a sum"
                raise self.expected("a field", hint)
            return self._quantified()
        if self.is_symbol("("):
            return self._brackets()
        if self.accept("["):
            with self._within(struct=False):
                parts = self.listed(self.term, "]")
            return s.ListDisplay(self.extent(token.offset), parts)
        if self.is_symbol("{"):
            with self._within(struct=False):
                return self._braces()
        if self.is_symbol("<"):
            return self._struct()
        reserved = token.kind == "keyword"
        raise self.expected("a term", f'a name is written "{token.text}"' if reserved else None)

    def _named(self) -> s.TermTree:
        token = self.advance()
        name = Identifier(self.extent_of(token), token.text)
        is_quoted = token.kind == "string"
        if not self.is_symbol("("):
            return s.Name(name.at, name.text)
        self.advance()
        type_ = None
        with self._within(struct=False):
            if name.text == "element" and not is_quoted:
                type_ = self.type()
                if not self.is_symbol(")"):
                    self.expect(",")
            arguments = self.listed(self.term, ")")
        return s.Call(self.extent(token.offset), name, arguments, is_quoted, type_)

    def _all(self) -> s.TermTree:
        token = self.advance()
        type_ = None
        if self.accept("("):
            type_ = self.type()
            self.expect(")")
        return s.All(self.extent(token.offset), type_)

    def _brackets(self) -> s.TermTree:
        token = self.advance()
        inner = self.bracketed()
        if self.accept(":"):
            type_ = self.type()
            inner = s.Typed(self.extent(token.offset), inner, type_)
        if not self.is_symbol(")"):
            raise self.expected("')'")
        self.advance()
        return inner

    def _conditional(self) -> s.TermTree:
        token = self.advance()
        test = self.bracketed()
        self.expect_keyword("then")
        then = self.bracketed()
        self.expect_keyword("else")
        with self.nested():
            otherwise = self._sum() if self.in_struct else self.term()
        return s.If(self.extent(token.offset), test, then, otherwise)

    def _quantified(self) -> s.TermTree:
        token = self.advance()
        names = [self.name("a name")]
        while self.accept(","):
            names.append(self.name("a name"))
        self.expect(":")
        type_ = self.type()
        self.expect(".")
        with self.nested(len(names)):
            body = self.term()
        return s.Quantified(self.extent(token.offset), token.text, tuple(names), type_, body)

    # Braces: sets, maps, multisets

    def _braces(self) -> s.TermTree:
        token = self.advance()
        if self.is_name() and self.peek().text == ":" and self.peek().kind == "symbol":
            return self._comprehension(token)
        if self.accept("}"):
            return s.BraceDisplay(self.extent(token.offset), ())
        first = self._key()
        if self.is_symbol("|"):
            return self._multiset(token, first)
        if self.accept("->"):
            pairs = [(first, self._key())]
            while self.accept(","):
                key = self._key()
                self.expect("->")
                pairs.append((key, self._key()))
            self._close_braces("',' or '}'")
            return s.MapDisplay(self.extent(token.offset), tuple(pairs))
        parts = [first]
        while self.accept(","):
            parts.append(self._key())
        self._close_braces("',' or '}'" if len(parts) > 1 else "',', '->', '|' or '}'")
        return s.BraceDisplay(self.extent(token.offset), tuple(parts))

    def _key(self) -> s.TermTree:
        """What binds tighter than `->`."""
        with self.nested():
            return self._or()

    def _close_braces(self, what: str) -> None:
        if not self.accept("}"):
            raise self.expected(what)

    def _comprehension(self, token: Token) -> s.TermTree:
        name = self.name("a name")
        self.expect(":")
        type_ = self.type()
        if not self.is_one_of(("|", "->")):
            raise self.expected("'|' or '->'")
        kind = "set" if self.advance().text == "|" else "map"
        body = self.term()
        self._close_braces("'}'")
        return s.Comprehension(self.extent(token.offset), kind, name, type_, body)

    def _multiset(self, token: Token, first: s.TermTree) -> s.TermTree:
        if not (isinstance(first, s.Tokens) and isinstance(first.value, s.Name)):
            hint = "a multiset is {n'x | x: T}, a set {x: T | p}"
            raise self.error("expected n'x before '|'", self.token, hint)
        self.advance()
        name = self.name("a name")
        if name.text != first.value.text:
            message = f"this has to be '{first.value.text}', the name before '|'"
            raise self.error(message, self.tokens[self.at - 1])
        self.expect(":")
        type_ = self.type()
        self._close_braces("'}'")
        return s.Comprehension(self.extent(token.offset), "bag", name, type_, first.count)

    # Structs

    def _struct(self) -> s.TermTree:
        token = self.advance()
        with self._within(struct=True):
            fields = self.listed(self._field_value, ">")
        names, parts = tuple(name for name, _ in fields), tuple(part for _, part in fields)
        return s.StructDisplay(self.extent(token.offset), names, parts)

    def _field_value(self) -> tuple[Identifier | None, s.TermTree]:
        has_name = (self.is_name() or self.token.kind == "number") and self.peek().text == ":"
        name = self.field_name("a field") if has_name else None
        if has_name:
            self.expect(":")
        with self.nested():
            return name, self._sum()
