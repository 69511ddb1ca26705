"""Expressions and types, which need each other: quantifiers range over types, types have computed bounds.

The grammar is rumur's with CMurphi's unions, multisets and lists of quantifiers. Note that `!` binds looser than
comparisons, in both checkers: `!a = b` is `!(a = b)`.
"""

from __future__ import annotations

from typing import Literal

from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.cursor import Cursor
from burnside.languages.murphi.lexer import number
from burnside.languages.shared.chains import chained, chained_height
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier

IMPLIES, NOT, COMPARISON, UNARY = 2, 8, 9, 13
PRECEDENCE = {
    "?": 1, "->": IMPLIES, "||": 3, "&&": 4, "|": 5, "^": 6, "&": 7,
    "<": COMPARISON, "<=": COMPARISON, "=": COMPARISON, "==": COMPARISON, "!=": COMPARISON, ">=": COMPARISON,
    ">": COMPARISON, "<<": 10, ">>": 10, "+": 11, "-": 11, "*": 12, "/": 12, "%": 12,
}  # fmt: skip
WITHOUT_ORDER = {IMPLIES, COMPARISON}
"""Levels whose operators do not associate."""
JUNCTIONS = {"&", "|", "&&", "||"}
RUNS = {"+": "+-", "-": "+-", "*": "*"}
"""By operator: those with which it makes a chain (see `chains`)."""


Operand = tuple[s.Expression, Extent]
"""With all that it takes in the text, closing brackets too."""


class ExpressionParser(Cursor):
    height = 0
    """Of the tree of the expression parsed last: chains of operators make deep trees without any nesting of calls."""

    def expression(self, least: int = 1) -> s.Expression:
        """What binds at least as strongly as `least`."""
        left, height = self.prefix(), self.height
        while (level := self.level()) >= least:
            token = self.token
            if token.text in JUNCTIONS:
                left, height = self.chain(left, height)
            elif token.text == "?":
                left, height = self.conditional(left, height)
            elif token.text in RUNS:
                left, height = self.run(left, height, level)
            else:
                self.advance()
                right = self.expression(level + 1)
                height = 1 + max(height, self.height)
                operator = "=" if token.text == "==" else token.text
                left = s.Binary(self.extent(left.at.offset), operator, left, right)
                if level in WITHOUT_ORDER and self.level() == level:
                    message = f"'{self.token.text}' after '{token.text}' means nothing"
                    raise self.error(message, self.token, "put one of them in parentheses")
            self.check_depth(height, token)
        self.height = height
        return left

    def level(self) -> int:
        return PRECEDENCE.get(self.token.text, 0) if self.token.kind == "symbol" else 0

    def chain(self, left: s.Expression, height: int) -> tuple[s.Expression, int]:
        operator, operands = self.token.text, [left]
        while self.accept(operator):
            operands.append(self.expression(PRECEDENCE[operator] + 1))
            height = max(height, self.height)
        return s.Chain(self.extent(left.at.offset), operator, tuple(operands)), height + 1

    def run(self, left: s.Expression, height: int, level: int) -> tuple[s.Expression, int]:
        """Operators that may be chained without depth."""
        together = RUNS[self.token.text]
        operands, operators, heights = [(left, self.extent(left.at.offset))], [], [height]
        while self.token.kind == "symbol" and self.token.text in together:
            operators.append(self.advance().text)
            right = self.expression(level + 1)
            operands.append((right, self.extent(right.at.offset)))
            heights.append(self.height)
        return chained(operands, operators, _joined)[0], chained_height(heights)

    def conditional(self, test: s.Expression, height: int) -> tuple[s.Expression, int]:
        self.advance()
        with self.nested():
            then = self.expression()
            height = max(height, self.height)
            self.expect(":")
            otherwise = self.expression()
        at = self.extent(test.at.offset)
        return s.Conditional(at, test, then, otherwise), 1 + max(height, self.height)

    def prefix(self) -> s.Expression:
        token = self.token
        if not self.is_one_of(("!", "-", "+", "~")):
            return self.primary()
        self.advance()
        with self.nested():
            operand = self.expression(NOT if token.text == "!" else UNARY)
        self.height += 1
        if token.text == "-" and isinstance(operand, s.Number):
            return s.Number(self.extent(token.offset), -operand.value)
        return s.Unary(self.extent(token.offset), token.text, operand)

    def primary(self) -> s.Expression:
        token, self.height = self.token, 1
        if token.kind == "number":
            self.advance()
            return s.Number(self.extent_of(token), number(self.source, token))
        if self.is_keyword("true", "false"):
            self.advance()
            return s.Truth(self.extent_of(token), token.text == "true")
        if self.accept("("):
            with self.nested():
                inner = self.expression()
            self.expect(")")
            return inner
        if self.is_keyword("forall", "exists"):
            return self.quantified(token)
        if self.is_keyword("isundefined"):
            self.advance()
            self.expect("(")
            target = self.designator()
            self.expect(")")
            return s.IsUndefined(self.extent(token.offset), target)
        if token.kind != "name":
            raise self.expected("an expression")
        return self.call_or_builtin(token) if self.precedes("(") else self.designator()

    def call_or_builtin(self, token: Token) -> s.Expression:
        match token.text.lower():
            case "ismember":
                return self.is_member(token)
            case "multisetcount":
                return self.count(token)
        return self.call()

    def designator(self) -> s.Expression:
        """A name with any number of fields and indices behind it."""
        start = self.token
        name = self.identifier("a variable")
        result: s.Expression = s.Name(name.at, name.text)
        height = 1
        while True:
            if self.accept("."):
                field = self.identifier("the name of a field")
                result = s.Field(self.extent(start.offset), result, field)
            elif self.accept("["):
                with self.nested():
                    index = self.expression()
                height = max(height, self.height)
                self.expect("]")
                result = s.Element(self.extent(start.offset), result, index)
            else:
                self.height = height
                return result
            height += 1
            self.check_depth(height, self.token)

    def call(self) -> s.Call:
        name = self.identifier("the name of a function")
        self.expect("(")
        arguments = []
        height = 0
        with self.nested():
            while not self.is_symbol(")"):
                arguments.append(self.expression())
                height = max(height, self.height)
                if not self.accept(","):
                    break
        self.height = height + 1
        if not self.is_symbol(")"):
            raise self.expected("',' or ')'")
        self.advance()
        return s.Call(self.extent(name.at.offset), name, tuple(arguments))

    def quantified(self, token: Token) -> s.Expression:
        self.advance()
        quantifier: Literal["forall", "exists"] = "forall" if token.text == "forall" else "exists"
        with self.nested():
            binders = self.binders()
            self.expect_do()
            body = self.expression()
        self.expect_keyword("end", f"end{quantifier}")
        self.height += len(binders)
        return s.Quantified(self.extent(token.offset), quantifier, binders, body)

    def is_member(self, token: Token) -> s.Expression:
        self.advance()
        self.expect("(")
        with self.nested():
            operand = self.expression()
            self.expect(",")
            height = self.height
            type_ = self.type()
        self.height = height + 1
        self.expect(")")
        return s.IsMember(self.extent(token.offset), operand, type_)

    def count(self, token: Token) -> s.Expression:
        self.advance()
        name, bag, test = self.over_bag()
        return s.Count(self.extent(token.offset), name, bag, test)

    def over_bag(self) -> tuple[Identifier, s.Expression, s.Expression]:
        """`(name: bag, test)`."""
        self.expect("(")
        with self.nested():
            name = self.identifier("a name")
            self.expect(":")
            bag = self.designator()
            self.expect(",")
            test = self.expression()
        self.expect(")")
        self.height += 1
        return name, bag, test

    def binders(self) -> tuple[s.Binder, ...]:
        found = [self.binder()]
        while self.semicolons() and self.token.kind == "name":
            found.append(self.binder())
            self.check_depth(len(found), self.token)
        return tuple(found)

    def binder(self) -> s.Binder:
        name = self.identifier("a name")
        if self.accept(":"):
            return s.TypedBinder(name, self.type())
        if not self.accept(":="):
            raise self.expected("':' or ':='")
        low = self.expression()
        self.expect_keyword("to")
        high = self.expression()
        step = self.expression() if self.accept_keyword("by") else None
        return s.RangeBinder(name, low, high, step)

    # Types

    def type(self) -> s.TypeExpression:
        with self.nested():
            return self.type_inside()

    def type_inside(self) -> s.TypeExpression:
        token = self.token
        if self.accept_keyword("boolean"):
            return s.BooleanType(self.extent_of(token))
        if self.is_keyword("enum", "record", "array", "scalarset"):
            self.advance()
            match token.text:
                case "enum":
                    return self.enum_type(token)
                case "record":
                    fields = self.until_end(self.variable_declaration, "end", "endrecord")
                    return s.RecordType(self.extent_of(token), fields)
                case "array":
                    return self.array_type(token)
                case _:
                    self.expect("(")
                    size = self.expression()
                    self.expect(")")
                    return s.ScalarsetType(self.extent(token.offset), size)
        if self.is_word("union") and self.precedes("{"):
            return self.union_type(token)
        if self.is_word("multiset") and self.precedes("["):
            return self.multiset_type(token)
        if self.is_word("real") and self.precedes("("):
            raise self.unsupported("real numbers are not supported", token)
        return self.named_or_range()

    def named_or_range(self) -> s.TypeExpression:
        if self.token.kind in ("keyword", "end") and not self.is_keyword("true", "false", "forall", "exists"):
            raise self.expected("a type")
        low = self.expression()
        if self.accept(".."):
            high = self.expression()
            return s.RangeType(self.extent(low.at.offset), low, high)
        if isinstance(low, s.Name):
            return s.NamedType(low.at, low.text)
        raise self.expected("'..'")

    def enum_type(self, token: Token) -> s.TypeExpression:
        self.expect("{")
        members = []
        while self.token.kind == "name":
            members.append(self.identifier("a name"))
            if not self.accept(","):
                break
        if not self.is_symbol("}"):
            raise self.expected("the name of a value" if not members else "',' or '}'")
        self.advance()
        return s.EnumType(self.extent(token.offset), tuple(members))

    def array_type(self, token: Token) -> s.TypeExpression:
        self.expect("[")
        index = self.type()
        self.expect("]")
        self.expect_keyword("of")
        at = self.extent(token.offset)
        return s.ArrayType(at, index, self.type())

    def union_type(self, token: Token) -> s.TypeExpression:
        self.advance()
        self.expect("{")
        members = [self.type()]
        while self.accept(",") and not self.is_symbol("}"):
            members.append(self.type())
        self.expect("}")
        return s.UnionType(self.extent(token.offset), tuple(members))

    def multiset_type(self, token: Token) -> s.TypeExpression:
        self.advance()
        self.expect("[")
        capacity = self.expression()
        self.expect("]")
        self.expect_keyword("of")
        at = self.extent(token.offset)
        return s.MultisetType(at, capacity, self.type())

    def names(self) -> tuple[Identifier, ...]:
        found = [self.identifier("a name")]
        while self.accept(",") and self.token.kind == "name":
            found.append(self.identifier("a name"))
        return tuple(found)

    def variable_declaration(self) -> s.VariableDeclaration:
        names = self.names()
        self.expect(":")
        return s.VariableDeclaration(names, self.type())


def _joined(operator: str, left: Operand, right: Operand) -> Operand:
    (one, start), (other, end) = left, right
    at = Extent(start.source, start.offset, end.end - start.offset)
    return s.Binary(at, operator, one, other), at
