"""Z's expressions. In: tokens. Out: trees.

Loosest first: `\\IF`; infix generics, to the right; `\\cross`; infix operators by their priorities, to the left; prefix
operators and the relational image; application; postfix operators and selection. `\\lambda`, `\\mu` and `\\LET` stand in
brackets.

What stands in brackets may be an expression, a predicate or a schema. `first` says that whoever asked for an expression
takes a predicate too, which can only be the first thing in it.
"""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.chains import MAX_SPINE, chained
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.parse.cursor import Cursor

Ambiguous = s.Expression | s.Predicate | s.SchemaReference
"""What stands in brackets, until it is known."""

PREDICATES = (
    s.Equality, s.Membership, s.InfixRelation, s.PrefixRelation, s.Truth, s.Not, s.Connected, s.Quantified,
    s.LetPredicate, s.SchemaPredicate,
)  # fmt: skip
MAX_DIGITS = 4000
"""Of a number: Python refuses to read longer ones by itself."""
ATOM_KINDS = frozenset(("word", "number"))
ATOM_SYMBOLS = frozenset(("(", "\\{", "\\langle", "\\lbag", "\\lblot", "\\theta", "\\Delta", "\\Xi"))
LONG_RUNS = tuple(
    map(frozenset, (("+", "-"), ("*",), ("\\cup",), ("\\cap",), ("\\cat",), ("\\comp",), ("\\circ",)))
)
"""Operators that may be regrouped with each other."""
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


Operand = tuple[s.Expression, Extent]
"""With all that it takes in the text, brackets too."""


class _Row:
    """Infix operators of one priority, whose last operand is not complete yet."""

    def __init__(self, priority: int, first: Operand) -> None:
        self.priority = priority
        self.operands = [first]
        self.operators: list[s.Identifier] = []

    def joined(self, last: Operand) -> Operand:
        operands, operators = [*self.operands, last], self.operators
        texts = [each.text for each in operators]
        if len(texts) > MAX_SPINE and any(together.issuperset(texts) for together in LONG_RUNS):
            named = {each.text: each for each in operators}
            return chained(
                operands, texts, lambda text, one, other: _infix(named.get(text, operators[0]), one, other)
            )
        tree = operands[0]
        for operator, operand in zip(operators, operands[1:], strict=True):
            tree = _infix(operator, tree, operand)
        return tree


def _infix(operator: s.Identifier, one: Operand, other: Operand) -> Operand:
    at = Extent(one[1].source, one[1].offset, other[1].end - one[1].offset)
    return s.Infix(at, operator, one[0], other[0]), at


class ExpressionParser(Cursor):
    def expression(self) -> s.Expression:
        return self.as_expression(self.ambiguous(first=False))

    def expressions(self) -> tuple[s.Expression, ...]:
        """One or more, with commas."""
        found = [self.expression()]
        while self.accept(","):
            found.append(self.expression())
        return tuple(found)

    def as_expression(self, tree: Ambiguous) -> s.Expression:
        if isinstance(tree, s.SchemaReference):
            return s.SchemaSet(tree.at, tree)
        if isinstance(tree, PREDICATES):
            raise self.error(f"unexpected {self.shown(self.token)} after a predicate in brackets", self.token)
        return tree

    def ambiguous(self, first: bool) -> Ambiguous:
        """An expression with its infix generics and products."""
        start = self.token
        if self.is_symbol("\\IF"):
            return self.conditional()
        left = self.infix(first)
        if self.is_symbol("\\cross"):
            factors = [self.as_expression(left)]
            while self.accept("\\cross"):
                factors.append(self.as_expression(self.infix(first=False)))
            left = s.Product(self.extent(start.offset), tuple(factors))
        if self.token.kind != "generic":
            return left
        left = self.as_expression(left)
        operator = self.operator()
        self.enter()
        if self.is_symbol("\\IF"):
            raise self.expected("an expression", "put brackets around the conditional expression")
        right = self.as_expression(self.ambiguous(first=False))
        self.leave()
        return s.InfixGeneric(self.extent(start.offset), operator, left, right)

    def conditional(self) -> s.Expression:
        start = self.advance().offset
        self.enter()
        test = self.predicate()
        self.expect("\\THEN")
        then = self.expression()
        self.expect("\\ELSE")
        otherwise = self.expression()
        self.leave()
        return s.Conditional(self.extent(start), test, then, otherwise)

    # Infix operators

    def infix(self, first: bool) -> Ambiguous:
        start = self.token
        left = self.prefix(first)
        if self.token.kind not in ("infix", "minus"):
            return left
        operand = self.as_expression(left), self.extent(start.offset)
        waiting: list[_Row] = []
        while self.token.kind in ("infix", "minus"):
            priority = self.operators[self.token.text].priority
            while waiting and waiting[-1].priority > priority:
                operand = waiting.pop().joined(operand)
            if waiting and waiting[-1].priority == priority:
                waiting[-1].operands.append(operand)
            else:
                waiting.append(_Row(priority, operand))
            waiting[-1].operators.append(self.operator())
            behind = self.token
            operand = self.as_expression(self.prefix(first=False)), self.extent(behind.offset)
        while waiting:
            operand = waiting.pop().joined(operand)
        return operand[0]

    # Prefix operators, image, application

    def prefix(self, first: bool) -> Ambiguous:
        token = self.token
        if token.kind == "symbol" and token.text == "\\power":
            self.advance()
            return s.PowerSet(self.extent(token.offset), self.operand())
        if token.kind == "prefix generic":
            operator = self.operator()
            operand = self.operand()
            return s.PrefixGeneric(self.extent(token.offset), operator, operand)
        if token.kind == "minus":
            self.advance()
            at = self.extent_of(token)
            name = s.Identifier(at, s.UNARY_MINUS, self.decoration())
            operand = self.operand()
            return s.Application(self.extent(token.offset), s.Reference(at, name), operand)
        tree = self.postfix(first)
        if self.is_symbol("\\limg"):
            return self.image(self.as_expression(tree), token)
        while self.at_atom():
            tree = self.as_expression(tree)
            argument = self.as_expression(self.postfix(first=False))
            tree = s.Application(self.extent(token.offset), tree, argument)
        return tree

    def operand(self) -> s.Expression:
        """Of a prefix operator: no application, and in Spivey's Z no other prefix operator without brackets."""
        if self.token.kind not in ("prefix generic", "minus") and not self.is_symbol("\\power"):
            return self.as_expression(self.postfix(first=False))
        if not self.standard:
            raise self.expected("an expression", "put brackets around the operand")
        self.enter()
        tree = self.as_expression(self.prefix(first=False))
        self.leave()
        return tree

    def image(self, relation: s.Expression, start: Token) -> s.Expression:
        opening = self.advance()
        self.enter()
        argument = self.as_expression(self.bound_expression()) if self.at_binder() else self.expression()
        self.leave()
        self.expect("\\rimg")
        decoration = self.decoration()
        operator = s.Identifier(self.extent_of(opening), s.IMAGE, decoration)
        return s.Infix(self.extent(start.offset), operator, relation, argument)

    def at_atom(self) -> bool:
        token = self.token
        return token.kind in ATOM_KINDS or (token.kind == "symbol" and token.text in ATOM_SYMBOLS)

    # Postfix operators

    def postfix(self, first: bool) -> Ambiguous:
        start = self.token
        tree = self.atom(first)
        while True:
            token = self.token
            if token.kind == "postfix":
                base = self.as_expression(tree)
                operator = self.operator()
                tree = s.Postfix(self.extent(start.offset), operator, base)
            elif token.kind != "symbol":
                return tree
            elif token.text == ".":
                base = self.as_expression(tree)
                self.advance()
                field = self.selected()
                tree = s.Selection(self.extent(start.offset), base, field)
            elif token.text == "\\bsup" or token.text == "^":
                tree = self.iteration(self.as_expression(tree), start)
            else:
                return tree

    def selected(self) -> s.Identifier | s.Theta:
        if self.is_symbol("\\theta"):
            return self.theta()
        if self.token.kind == "number":
            raise self.unsupported("selection from tuples is not supported", self.token)
        return self.variable_name()

    def iteration(self, base: s.Expression, start: Token) -> s.Expression:
        token = self.advance()
        if token.text == "^":
            self.expect("{")
        self.enter()
        number = self.expression()
        self.leave()
        self.expect("}" if token.text == "^" else "\\esup")
        at = self.extent_of(token)
        iterate = s.Reference(at, s.Identifier(at, s.ITERATION))
        at = self.extent(start.offset)
        return s.Application(at, s.Application(at, iterate, number), base)

    # Atoms

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
                case "\\{":
                    return self.nested_set()
                case "\\langle":
                    return self.sequence()
                case "\\lbag":
                    return self.display("bag", "\\rbag")
                case "\\lblot":
                    self.advance()
                    return self.binding(token.offset, "\\rblot", "==")
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

    def close(self, bracket: str, start: int) -> None:
        if not self.is_symbol(bracket):
            opening = self.source.span(start)
            raise self.expected(
                f"'{bracket}' for the bracket of line {opening.line}, column {opening.column}"
            )
        self.advance()

    def at_binder(self) -> bool:
        return self.is_one_of(("\\lambda", "\\mu", "\\LET"))

    def bound_expression(self, first: bool = False) -> Ambiguous:
        raise NotImplementedError

    # Sets, sequences, bags, bindings

    def nested_set(self) -> s.Expression:
        self.enter()
        tree = self.set_display()
        self.leave()
        return tree

    def set_display(self) -> s.Expression:
        start = self.token.offset
        if not self.at_comprehension():
            return self.display("set", "\\}")
        self.advance()
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

    def display(self, kind: Literal["set", "sequence", "bag"], bracket: str) -> s.Expression:
        start = self.advance().offset
        self.enter()
        elements = () if self.is_symbol(bracket) else self.expressions()
        self.leave()
        self.close(bracket, start)
        return s.Display(self.extent(start), kind, elements)

    def sequence(self) -> s.Expression:
        """`\\langle a, b \\rangle`, or `\\langle x \\bind a, y \\bind b \\rangle`."""
        start, at = self.token.offset, self.at
        self.advance()
        if self.at_word() or self.at_operator_name():
            ahead = 2 if self.peek().kind == "decoration" else 1
            named = self.token.kind not in ("word", "minus")
            if named or self.peek(ahead)[:2] == ("symbol", "\\bind"):
                return self.binding(start, "\\rangle", "\\bind")
        self.jump(at)
        return self.display("sequence", "\\rangle")

    def binding(self, start: int, bracket: str, sign: str) -> s.Binding:
        self.enter()
        entries = [self.binding_entry(sign)]
        while self.accept(","):
            entries.append(self.binding_entry(sign))
        self.leave()
        self.close(bracket, start)
        return s.Binding(self.extent(start), tuple(entries))

    def binding_entry(self, sign: str) -> s.BindingEntry:
        start = self.token.offset
        name = self.declared_name()
        self.expect(sign)
        value = self.expression()
        return s.BindingEntry(self.extent(start), name, value)

    # What the rest of the parser has

    def logic(self) -> Ambiguous:
        raise NotImplementedError

    def predicate(self) -> s.Predicate:
        raise NotImplementedError

    def schema_text(self) -> s.SchemaText:
        raise NotImplementedError
