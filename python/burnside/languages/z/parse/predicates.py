"""Z's predicates, schema expressions and declarations. In: tokens. Out: trees.

Predicates, loosest first: quantifiers and `\\LET`, as far to the right as possible; `\\iff`; `\\implies`, to the right;
`\\lor`; `\\land`; `\\lnot` and `\\pre`; relations, which may be chained. Schema expressions have `\\pipe`, `\\semi`,
`\\hide` and `\\project`, which are looser than `\\iff`. A quantifier behind an operator needs brackets.
"""

from __future__ import annotations

from typing import Literal

from burnside.diagnostics import InputError, UnsupportedError
from burnside.languages.shared.chains import chained
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.parse.expressions import PREDICATES, Ambiguous, ExpressionParser

SchemaOperator = s.Connective | Literal["project", "compose", "pipe"]

QUANTIFIERS: dict[str, s.Quantifier] = {
    "\\forall": "forall", "\\exists": "exists", "\\exists_1": "exists_1"
}  # fmt: skip
CONNECTIVES: dict[str, s.Connective] = {
    "\\iff": "iff", "\\implies": "implies", "\\lor": "or", "\\land": "and"
}  # fmt: skip
SCHEMA_OPERATORS: dict[str, SchemaOperator] = {
    "\\pipe": "pipe", "\\semi": "compose", "\\project": "project", **CONNECTIVES
}  # fmt: skip
LEVELS = {
    "\\pipe": 1,
    "\\semi": 2,
    "\\hide": 3,
    "\\project": 4,
    "\\iff": 5,
    "\\implies": 6,
    "\\lor": 7,
    "\\land": 8,
}
LOOSEST, LOOSEST_CONNECTIVE = 1, 5

_Part = tuple[s.Predicate, Extent]
"""With all that it takes in the text, brackets too."""


class PredicateParser(ExpressionParser):
    def predicate(self) -> s.Predicate:
        return self.as_predicate(self.logic())

    def as_predicate(self, tree: Ambiguous) -> s.Predicate:
        """What has just been read, as a predicate."""
        if isinstance(tree, PREDICATES):
            return tree
        if isinstance(tree, s.SchemaReference):
            return s.SchemaPredicate(tree.at, tree)
        if isinstance(tree, s.Let) and is_schema(tree):
            body = tree.body.schema if isinstance(tree.body, s.SchemaSet) else tree.body
            return s.LetPredicate(tree.at, tree.definitions, self.as_predicate(body))
        raise self.expected_relation(tree)

    def expected_relation(self, tree: Ambiguous) -> InputError | UnsupportedError:
        token = self.token
        if token.kind == "symbol" and token.text == ":":
            return self.expected(
                "a relation", "variables are declared in the upper part of a box, or after '\\forall'"
            )
        if token.kind == "symbol" and token.text == "==":
            return self.expected("a relation", "'=' compares, '==' defines")
        if isinstance(tree, s.Reference) and not tree.parameters:
            hint = f"'{tree.name.text}' is no schema, as far as the text above says"
            return self.expected("a relation such as '=' or '\\in'", hint)
        return self.expected("a relation such as '=' or '\\in'")

    def logic(self) -> Ambiguous:
        """A predicate. In brackets it may turn out to be an expression."""
        token = self.token
        if token.kind == "symbol" and token.text in QUANTIFIERS:
            self.advance()
            self.enter()
            text = self.schema_text()
            self.expect("@")
            body = self.predicate()
            self.leave()
            return s.Quantified(self.extent(token.offset), QUANTIFIERS[token.text], text, body)
        if self.is_symbol("\\LET"):
            self.advance()
            self.enter()
            definitions = self.definitions()
            self.expect("@")
            body = self.predicate()
            self.leave()
            return s.LetPredicate(self.extent(token.offset), definitions, body)
        return self.junction(LOOSEST_CONNECTIVE)

    def junction(self, least: int) -> Ambiguous:
        start = self.token.offset
        tree = self.junct()
        while (level := self.level()) >= least:
            text = self.token.text
            left = self.as_predicate(tree), self.extent(start)
            if text == "\\land" or text == "\\lor":
                tree = self.run(left, text)
                continue
            self.advance()
            self.enter()
            behind = self.token.offset
            right = self.as_predicate(self.junction(level if text == "\\implies" else level + 1))
            self.leave()
            tree = _connected(CONNECTIVES[text], left, (right, self.extent(behind)))[0]
        if 0 < level < LOOSEST_CONNECTIVE:
            raise self.error(f"'{self.token.text}' joins schemas, and here stands a predicate", self.token)
        return tree

    def run(self, left: _Part, text: str) -> s.Predicate:
        """`P \\land Q \\land ...`, however long."""
        parts, level = [left], LEVELS[text]
        while self.is_symbol(text):
            self.advance()
            start = self.token.offset
            right = self.as_predicate(self.junction(level + 1))
            parts.append((right, self.extent(start)))
        connective = CONNECTIVES[text]
        return chained(parts, [text] * (len(parts) - 1), lambda _, a, b: _connected(connective, a, b))[0]

    def level(self) -> int:
        return LEVELS.get(self.token.text, 0) if self.token.kind == "symbol" else 0

    def junct(self) -> Ambiguous:
        token = self.token
        if token.kind == "prefix relation":
            relation = self.operator()
            operand = self.expression()
            return s.PrefixRelation(self.extent(token.offset), relation, operand)
        if token.kind == "symbol":
            match token.text:
                case "\\lnot":
                    self.advance()
                    self.enter()
                    negated = self.as_predicate(self.junct())
                    self.leave()
                    return s.Not(self.extent(token.offset), negated)
                case "\\pre":
                    return self.precondition()
                case "true" | "false":
                    self.advance()
                    return s.Truth(self.extent_of(token), token.text == "true")
                case "\\forall" | "\\exists" | "\\exists_1" | "\\LET":
                    raise self.expected("a predicate", f"put brackets around '{token.text} ...'")
                case "[":
                    raise self.expected("a predicate", "a schema in brackets is no predicate: give it a name")
        tree = self.ambiguous(first=True)
        return self.comparison(tree, token) if self.at_comparison() else tree

    def precondition(self) -> s.Predicate:
        start = self.advance()
        self.enter()
        schema = self.junct()
        self.leave()
        if not isinstance(schema, s.SchemaReference):
            if not isinstance(schema, PREDICATES):
                self.as_predicate(schema)
            hint = "give the schema a name: S \\defs ..."
            raise self.error("the operand of '\\pre' is not the name of a schema", start, hint)
        at = self.extent(start.offset)
        return s.SchemaPredicate(at, s.Precondition(at, schema))

    # Relations

    def at_comparison(self) -> bool:
        return self.token.kind == "relation" or self.is_one_of(("=", "\\in", "\\inrel"))

    def comparison(self, tree: Ambiguous, start: Token) -> s.Predicate:
        left, at = self.as_expression(tree), self.extent(start.offset)
        parts: list[_Part] = []
        while self.at_comparison():
            sign = self.operator() if self.at_relation() else self.advance().text
            behind = self.token.offset
            right = self.expression()
            to = self.extent(behind)
            both = Extent(at.source, at.offset, to.end - at.offset)
            if isinstance(sign, s.Identifier):
                parts.append((s.InfixRelation(both, sign, left, right), both))
            elif sign == "=":
                parts.append((s.Equality(both, left, right), both))
            else:
                parts.append((s.Membership(both, left, right), both))
            left, at = right, to
        return chained(parts, ["and"] * (len(parts) - 1), lambda _, a, b: _connected("and", a, b))[0]

    # Declarations

    def schema_text(self) -> s.SchemaText:
        """Declarations, and predicates behind `|`, with semicolons."""
        start = self.token.offset
        declarations = [self.declaration()]
        while self.text_separator():
            declarations.append(self.declaration())
        predicates = []
        if self.accept("|"):
            predicates.append(self.predicate())
            while self.text_separator():
                predicates.append(self.predicate())
        return s.SchemaText(self.extent(start), tuple(declarations), tuple(predicates))

    def text_separator(self) -> bool:
        """Skip `;`, or the end of a line where these separate outside of boxes too."""
        if self.standard and self.token.kind == "newline":
            self.advance()
            return True
        return self.accept(";")

    def declaration(self) -> s.Declaration | s.Inclusion:
        start = self.token.offset
        if self.at_schema():
            schema = self.schema_reference()
            return s.Inclusion(schema.at, schema)
        names = self.declared_names()
        if not self.is_symbol(":"):
            hint = (
                f"'{names[0].text}' is no schema, as far as the text above says" if len(names) == 1 else None
            )
            raise self.expected("':'", hint)
        self.advance()
        set = self.expression()
        return s.Declaration(self.extent(start), names, set)

    def definitions(self) -> tuple[s.LetDefinition, ...]:
        found: list[s.LetDefinition] = []
        while not found or self.accept(";"):
            start = self.token.offset
            name = self.variable_name()
            self.expect("==")
            value = self.expression()
            found.append(s.LetDefinition(self.extent(start), name, value))
        return tuple(found)

    def bound_expression(self, first: bool = False) -> Ambiguous:
        """`\\lambda`, `\\mu` or `\\LET`; the last of which has a predicate as its body, if `first`."""
        word = self.advance()
        start = word.offset
        if word.text == "\\LET":
            definitions = self.definitions()
            self.expect("@")
            tree = self.logic() if first else self.expression()
            if isinstance(tree, PREDICATES):
                return s.LetPredicate(self.extent(start), definitions, tree)
            return s.Let(self.extent(start), definitions, self.as_expression(tree))
        text = self.schema_text()
        if word.text == "\\mu":
            value = self.expression() if self.accept("@") else None
            return s.Mu(self.extent(start), text, value)
        self.expect("@")
        body = self.expression()
        return s.Lambda(self.extent(start), text, body)

    # Schema expressions

    def schema_expression(self) -> s.SchemaExpression:
        token = self.token
        if token.kind == "symbol" and token.text in QUANTIFIERS:
            self.advance()
            self.enter()
            text = self.schema_text()
            self.expect("@")
            schema = self.schema_expression()
            self.leave()
            return s.SchemaQuantified(self.extent(token.offset), QUANTIFIERS[token.text], text, schema)
        return self.schema_operators(LOOSEST)

    def schema_operators(self, least: int) -> s.SchemaExpression:
        start = self.token.offset
        tree = self.schema_operand()
        while (level := self.level()) >= least:
            text = self.advance().text
            if text == "\\hide":
                bracket = self.expect("(").offset
                names = self.declared_names()
                self.close(")", bracket)
                tree = s.SchemaHide(self.extent(start), tree, names)
                continue
            self.enter()
            right = self.schema_operators(level if text == "\\implies" else level + 1)
            self.leave()
            tree = s.SchemaBinary(self.extent(start), SCHEMA_OPERATORS[text], tree, right)
        return tree

    def schema_operand(self) -> s.SchemaExpression:
        token = self.token
        if self.at_schema():
            return self.schema_reference()
        if token.kind == "word":
            hint = "schemas are defined before they are used in schema expressions"
            raise self.expected(f"a schema, and '{token.text}' is none", hint)
        if token.kind != "symbol" or token.text not in ("\\lnot", "\\pre", "[", "("):
            brackets = f"put brackets around '{token.text} ...'" if self.is_one_of(QUANTIFIERS) else None
            raise self.expected("a schema", brackets)
        self.advance()
        self.enter()
        tree: s.SchemaExpression
        match token.text:
            case "\\lnot":
                operand = self.schema_operand()
                tree = s.SchemaNot(self.extent(token.offset), operand)
            case "\\pre":
                operand = self.schema_operand()
                tree = s.Precondition(self.extent(token.offset), operand)
            case "[":
                text = self.schema_text()
                self.close("]", token.offset)
                tree = s.SchemaText(self.extent(token.offset), text.declarations, text.predicates)
            case _:
                tree = self.schema_expression()
                self.close(")", token.offset)
        self.leave()
        return tree


def is_schema(tree: s.Let) -> bool:
    """`(\\LET x == E @ S)` may be a predicate still."""
    body: s.Expression = tree
    while isinstance(body, s.Let):
        body = body.body
    return isinstance(body, s.SchemaSet)


def _connected(connective: s.Connective, one: _Part, other: _Part) -> _Part:
    at = Extent(one[1].source, one[1].offset, other[1].end - one[1].offset)
    return s.Connected(at, connective, one[0], other[0]), at
