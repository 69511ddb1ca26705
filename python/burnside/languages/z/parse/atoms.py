"""What Z's expressions are made of: names, numbers, and what stands in brackets.

In: tokens. Out: trees. Behind `\\{`, the tokens are searched for a colon: `\\{ x, y : A \\}` and `\\{ x, y \\}` begin alike.
The name of a schema by itself is a declaration there.
"""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.lexer import Token
from burnside.languages.z import syntax as s
from burnside.languages.z.parse.expressions import PREDICATES, Ambiguous, ExpressionParser

MAX_DIGITS = 4000
"""Of a number: Python refuses to read longer ones by itself."""
GREEK_SYMBOLS = (("symbol", "\\Delta"), ("symbol", "\\Xi"))
NAME_KINDS = frozenset(
    (
        "word",
        "decoration",
        "infix",
        "minus",
        "relation",
        "generic",
        "postfix",
        "prefix generic",
        "prefix relation",
    )
)
NAME_SYMBOLS = frozenset((",", "\\_", "\\limg", "\\rimg", "\\inrel", "{", "}"))
"""What lists of declared names are made of."""


class AtomParser(ExpressionParser):
    def atom(self, first: bool) -> Ambiguous:
        token = self.token
        if token.kind == "word":
            if token.text in self.schemas:
                return self.schema_reference()
            name = self.name("an expression")
            parameters = self.actual_parameters() if self.is_symbol("[") else ()
            return s.Reference(self.extent(token.offset), name, parameters)
        if token.kind == "number":
            self.advance()
            if token.length > MAX_DIGITS:
                raise self.error(f"this number has more than {MAX_DIGITS} digits", token)
            return s.Number(self.extent_of(token), int(token.text))
        if token.kind == "symbol":
            match token.text:
                case "(":
                    return self.bracketed(first)
                case "\\{" | "\\langle" | "\\lbag" | "\\lblot":
                    self.enter()
                    tree = self.display(token)
                    self.leave()
                    return tree
                case "\\theta":
                    return self.theta()
                case "\\Delta" | "\\Xi":
                    return self.schema_reference()
                case "\\lambda" | "\\mu" | "\\LET":
                    raise self.expected("an expression", f"put brackets around '{token.text} ...'")
        hint = "sequences stand in '\\langle ... \\rangle'" if token[:2] == ("relation", "<") else None
        raise self.expected("an expression", hint)

    def theta(self) -> s.Theta:
        start = self.advance().offset
        schema = self.schema_name()
        decoration = self.decoration()
        renames = self.renames()
        return s.Theta(self.extent(start), schema, decoration, renames)

    def bracketed(self, first: bool) -> Ambiguous:
        """`(E)`, `(E, F)`, `(\\_ + \\_)`, and, if `first`, `(P)`."""
        start = self.advance().offset
        if self.at_operator_name() and (self.token.kind != "minus" or self.closes_after_minus()):
            name = self.operator_name()
            self.close(")", start)
            parameters = self.actual_parameters() if self.is_symbol("[") else ()
            return s.Reference(self.extent(start), name, parameters)
        self.enter()
        bound = self.at_binder()
        tree: Ambiguous
        if bound:
            tree = self.bound_expression(first)
        elif first:
            tree = self.logic()
        else:
            tree = self.ambiguous(first=False)
        if self.is_symbol(",") and not bound and not isinstance(tree, PREDICATES):
            self.advance()
            elements = (self.as_expression(tree), *self.expressions())
            self.close(")", start)
            self.leave()
            return s.Tuple(self.extent(start), elements)
        self.close(")", start)
        self.leave()
        return tree

    def closes_after_minus(self) -> bool:
        ahead = 2 if self.peek().kind == "decoration" else 1
        return self.peek(ahead)[:2] == ("symbol", ")")

    # Sets, sequences, bags, bindings

    def display(self, opening: Token) -> s.Expression:
        start = opening.offset
        match opening.text:
            case "\\{":
                if self.at_comprehension():
                    return self.comprehension()
                return self.elements("set", "\\}")
            case "\\lbag":
                return self.elements("bag", "\\rbag")
            case "\\lblot":
                self.advance()
                return self.binding(start, "\\rblot", "==")
        if self.at_binding():
            self.advance()
            return self.binding(start, "\\rangle", "\\bind")
        return self.elements("sequence", "\\rangle")

    def elements(self, kind: Literal["set", "sequence", "bag"], bracket: str) -> s.Display:
        start = self.advance().offset
        elements = () if self.is_symbol(bracket) else self.expressions()
        if kind == "set" and self.is_one_of(("|", "@", ":")):
            hint = "a set of what has a property begins with declarations: \\{ x : S | P \\}"
            raise self.expected("',' or '\\}'", hint)
        self.close(bracket, start)
        return s.Display(self.extent(start), kind, elements)

    def comprehension(self) -> s.Comprehension:
        start = self.advance().offset
        text = self.schema_text()
        value = self.expression() if self.accept("@") else None
        self.close("\\}", start)
        return s.Comprehension(self.extent(start), text, value)

    def at_comprehension(self) -> bool:
        """At `\\{`: whether declarations follow."""
        at, tokens = self.at + 1, self.tokens
        token = tokens[at]
        if (token.kind == "word" and token.text in self.schemas) or token[:2] in GREEK_SYMBOLS:
            self.advance()
            self.schema_reference()
            found = self.is_one_of((";", "|", "@", "\\}"))
            self.jump(at - 1)
            return found
        while token.kind in NAME_KINDS or (token.kind == "symbol" and token.text in NAME_SYMBOLS):
            at += 1
            token = tokens[at]
        return token.kind == "symbol" and token.text == ":"

    def at_binding(self) -> bool:
        """At `\\langle`: whether a name and `\\bind` follow."""
        token = self.peek()
        if token.kind in ("word", "minus"):
            return self.peek(3 if self.peek(2).kind == "decoration" else 2)[:2] == ("symbol", "\\bind")
        if token.kind in ("prefix relation", "prefix generic"):
            return self.peek(3 if self.peek(2).kind == "decoration" else 2)[:2] == ("symbol", "\\_")
        return token[:2] == ("symbol", "\\_")

    def binding(self, start: int, bracket: str, sign: str) -> s.Binding:
        entries = [self.binding_entry(sign)]
        while self.accept(","):
            entries.append(self.binding_entry(sign))
        self.close(bracket, start)
        return s.Binding(self.extent(start), tuple(entries))

    def binding_entry(self, sign: str) -> s.BindingEntry:
        start = self.token.offset
        name = self.declared_name()
        self.expect(sign)
        value = self.expression()
        return s.BindingEntry(self.extent(start), name, value)
