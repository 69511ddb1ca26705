"""What expressions are made of: brackets of all kinds, words with arguments, quantifiers, conditionals. In and out: as
`expressions`."""

from __future__ import annotations

from typing import Literal, cast

from burnside.diagnostics import InputError
from burnside.languages.b.parse.expressions import (
    CALLED,
    CALLED_WITH_TWO,
    COLLECTING,
    IN_BRACKETS,
    PREDICATE,
    ExpressionParser,
)
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax.expressions import Binding, is_predicate
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Identifier


class FormulaParser(ExpressionParser):
    """All of B's predicates and expressions."""

    def worded(self, token: Token) -> s.Expression:
        word = token.text
        if word in s.CONSTANTS or word in s.TRUTHS:
            self.advance()
            return s.Constant(self.extent(token.offset), word)
        if word in CALLED:
            return self.call(token)
        if word in CALLED_WITH_TWO:
            return self.call_of_two(token)
        if word in COLLECTING:
            return self.collected(token)
        match word:
            case "not":
                return self.negation(token)
            case "bool":
                return self.truth(token)
            case "rec" | "struct":
                return self.fields(token)
            case "IF":
                return self.conditional(token)
            case "LET":
                return self.let(token)
        raise self.expected("an expression or a predicate")

    def bracketed(self, token: Token) -> s.Expression:
        match token.text:
            case "(":
                return self.parenthesised()
            case "{":
                return self.braced(token)
            case "[":
                return self.sequence(token)
            case "!" | "#":
                return self.quantified(token)
            case "%":
                return self.collected(token)
            case "<>":
                self.advance()
                return s.SequenceDisplay(self.extent(token.offset), ())
            case "{}":
                self.advance()
                return s.SetDisplay(self.extent(token.offset), ())
        raise self.expected("an expression or a predicate")

    # Brackets

    def parenthesised(self) -> s.Expression:
        """A predicate, an expression, or a tuple."""
        self.advance()
        self.enter()
        start = self.token.offset
        inner, height = self.tree(IN_BRACKETS), self.height
        if self.is_symbol(","):
            parts = [self.as_expression(inner, start)]
            while self.accept(","):
                parts.append(self.expression(IN_BRACKETS))
                height = max(height, self.height)
            self.height = height
            inner, height = self.paired(parts, start), self.height
        self.leave()
        self.close(")")
        self.height = height
        return inner

    def close(self, bracket: str) -> None:
        if not self.is_symbol(bracket):
            raise self.expected(f"an operator or '{bracket}'")
        self.advance()

    def braced(self, token: Token) -> s.Expression:
        """A set by its elements, or by a predicate."""
        self.advance()
        self.enter(2)
        tree = self.braced_inside(token)
        self.leave(2)
        self.height += 1
        return tree

    def braced_inside(self, token: Token) -> s.Expression:
        if self.accept("}"):
            self.height = 0
            return s.SetDisplay(self.extent(token.offset), ())
        divider = self.divider_of_names()
        if divider == "|" or (divider == "." and self.has_bar()):
            return self.comprehension(token, has_value=divider == ".")
        elements = self.expressions()
        if self.is_symbol("|"):
            raise self.error("only names may stand before '|' in a set", token)
        self.close("}")
        return s.SetDisplay(self.extent(token.offset), elements)

    def divider_of_names(self) -> str:
        """What follows a list of names that begins here; nothing where there is none."""
        ahead = 0
        while self.peek(ahead).kind == "name":
            behind = self.peek(ahead + 1)
            if behind.kind != "symbol":
                return ""
            if behind.text != ",":
                return behind.text
            ahead += 2
        return ""

    def has_bar(self) -> bool:
        """Is there a `|` before these braces end? Then the dot ends a list of names and is not part of a name."""
        depth, ahead = 0, 0
        while (token := self.peek(ahead)).kind != "end":
            if token.kind == "symbol":
                if token.text in ("(", "[", "{"):
                    depth += 1
                elif token.text in (")", "]", "}"):
                    depth -= 1
                    if depth < 0:
                        return False
                elif token.text == "|" and depth == 0:
                    return True
            ahead += 1
        return False

    def comprehension(self, token: Token, has_value: bool) -> s.Expression:
        names = self.identifiers("a name")
        self.advance()
        self.bind(names)
        condition, value, height = self.predicate(), None, self.height
        if has_value:
            self.expect("|")
            value = self.expression()
            height = max(height, self.height)
        self.release(names)
        self.close("}")
        self.height = height
        return s.Comprehension(self.extent(token.offset), names, condition, value)

    def sequence(self, token: Token) -> s.Expression:
        self.advance()
        if self.accept("]"):
            return s.SequenceDisplay(self.extent(token.offset), ())
        self.enter(2)
        elements = self.expressions()
        self.leave(2)
        self.close("]")
        self.height += 1
        return s.SequenceDisplay(self.extent(token.offset), elements)

    # Words with arguments

    def call(self, token: Token) -> s.Expression:
        self.advance()
        self.expect("(")
        self.enter()
        operand = self.expression(IN_BRACKETS)
        self.leave()
        self.close(")")
        self.height += 1
        return s.Unary(self.extent(token.offset), token.text, operand)

    def call_of_two(self, token: Token) -> s.Expression:
        self.advance()
        self.expect("(")
        self.enter()
        left, height = self.expression(IN_BRACKETS), self.height
        self.expect(",")
        right = self.expression(IN_BRACKETS)
        self.leave()
        self.close(")")
        self.height = 1 + max(height, self.height)
        return s.Binary(self.extent(token.offset), token.text, left, right)

    def negation(self, token: Token) -> s.Expression:
        self.advance()
        predicate = self.predicate_in_brackets()
        self.height += 1
        return s.Unary(self.extent(token.offset), "not", predicate)

    def truth(self, token: Token) -> s.Expression:
        self.advance()
        predicate = self.predicate_in_brackets()
        self.height += 1
        return s.Truth(self.extent(token.offset), predicate)

    def predicate_in_brackets(self) -> s.Expression:
        self.expect("(")
        self.enter()
        predicate = self.predicate()
        self.leave()
        self.close(")")
        return predicate

    def fields(self, token: Token) -> s.Expression:
        self.advance()
        self.expect("(")
        self.enter()
        found, height = [self.field()], self.height
        while self.accept(","):
            found.append(self.field())
            height = max(height, self.height)
        self.leave()
        self.close(")")
        self.height = height + 1
        self.once_each([each.name for each in found], "is a field of this record")
        kind = s.RecordDisplay if token.text == "rec" else s.RecordSet
        return kind(self.extent(token.offset), tuple(found))

    def field(self) -> Binding:
        name = self.identifier("the name of a field")
        self.expect(":")
        return Binding(name, self.expression(IN_BRACKETS))

    def once_each(self, names: list[Identifier], what: str) -> None:
        seen: set[str] = set()
        for name in names:
            if name.text in seen:
                raise InputError(name.at.diagnostic(f"'{name.text}' already {what}"))
            seen.add(name.text)

    # Words and signs that bind names

    def bound_names(self) -> tuple[Identifier, ...]:
        """After a quantifier: `x, y.(` or `(x, y).(`, up to and with the last bracket."""
        if self.accept("("):
            names = self.identifiers("a name")
            self.expect(")")
        else:
            names = self.identifiers("a name")
        self.expect(".")
        self.expect("(")
        return names

    def quantified(self, token: Token) -> s.Expression:
        self.advance()
        names = self.bound_names()
        self.enter()
        self.bind(names)
        body = self.predicate()
        self.release(names)
        self.leave()
        self.close(")")
        self.height += 1
        quantifier: Literal["!", "#"] = "!" if token.text == "!" else "#"
        return s.Quantified(self.extent(token.offset), quantifier, names, body)

    def collected(self, token: Token) -> s.Expression:
        self.advance()
        names = self.bound_names()
        self.enter()
        self.bind(names)
        condition, height = self.predicate(), self.height
        if not self.is_symbol("|"):
            raise self.expected("an operator or '|'")
        self.advance()
        value = self.expression(IN_BRACKETS)
        self.release(names)
        self.leave()
        self.close(")")
        self.height = 1 + max(height, self.height)
        operator = cast(Literal["%", "SIGMA", "PI", "UNION", "INTER"], token.text)
        return s.Collected(self.extent(token.offset), operator, names, condition, value)

    # Blocks that are expressions

    def conditional(self, token: Token) -> s.Expression:
        """From `IF` or `ELSIF`; a chain of them ends with one `END`."""
        self.advance()
        self.enter()
        test, height = self.predicate(), self.height
        self.expect_keyword("THEN")
        then = self.tree(PREDICATE)
        height = max(height, self.height)
        start, behind = token.offset, self.token
        if self.is_keyword("ELSIF"):
            otherwise = self.conditional(behind)
        else:
            self.expect_keyword("ELSE", "ELSIF")
            behind = self.token
            otherwise = self.tree(PREDICATE)
            self.expect_keyword("END")
        if is_predicate(then) is not is_predicate(otherwise):
            message = "one branch is a predicate, the other an expression"
            raise self.error(message, behind)
        self.leave()
        self.height = 1 + max(height, self.height)
        return s.Conditional(self.extent(start), test, then, otherwise)

    def let(self, token: Token) -> s.Expression:
        self.advance()
        self.enter()
        bindings, height = self.bindings(), self.height
        names = tuple(each.name for each in bindings)
        self.bind(names)
        body = self.tree(PREDICATE)
        self.release(names)
        self.expect_keyword("END")
        self.leave()
        self.height = 1 + max(height, self.height)
        return s.Let(self.extent(token.offset), bindings, body)

    def bindings(self) -> tuple[Binding, ...]:
        """`x, y BE x = E & y = F IN`."""
        names = self.identifiers("a name")
        self.expect_keyword("BE")
        self.bind(names)
        predicate = self.predicate()
        self.release(names)
        equations = [equation for part in _conjuncts(predicate) if (equation := _equation(part)) is not None]
        wanted = {each.text for each in names}
        found = [each for each in equations if each.name.text in wanted]
        if len(equations) != len(_conjuncts(predicate)) or len(found) != len(equations):
            message = "each part of this must be an equation 'name = value' for a name of this LET"
            raise InputError(predicate.at.diagnostic(message))
        self.once_each([each.name for each in found], "has a value in this LET")
        missing = [each for each in names if each.text not in {other.name.text for other in found}]
        if missing:
            raise InputError(missing[0].at.diagnostic(f"this LET has no value for '{missing[0].text}'"))
        self.expect_keyword("IN")
        return tuple(found)


def _conjuncts(predicate: s.Expression) -> tuple[s.Expression, ...]:
    if isinstance(predicate, s.Chain) and predicate.operator == "&":
        return tuple(each for part in predicate.operands for each in _conjuncts(part))
    return (predicate,)


def _equation(predicate: s.Expression) -> Binding | None:
    match predicate:
        case s.Binary(_, "=", s.Name(at, text, False), value):
            return Binding(Identifier(at, text), value)
    return None
