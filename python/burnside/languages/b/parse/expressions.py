"""B's predicates and expressions: ProB's grammar, by precedence climbing. In: tokens, definitions. Out: trees of `syntax`.

Note what surprises: `&` and `or` bind alike, `<=>` binds more strongly than they do, `=>` less; comparisons take whole
expressions; `..` binds more strongly than `|->` and the operators of sets; unary minus more strongly than `**`. `;` and `||`
are operators only in brackets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from burnside.diagnostics import InputError, Source
from burnside.languages.b.parse.cursor import Cursor
from burnside.languages.b.parse.expansion import Macro, Macros, expanded
from burnside.languages.b.parse.lexer import number
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax.expressions import is_predicate
from burnside.languages.shared.chains import chained, chained_height
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier

IN_BRACKETS, IMPLIES, JUNCTION, IFF, COMPARISON, EXPRESSION, POWER = 20, 30, 40, 60, 100, 125, 200
PRECEDENCE = {
    ";": IN_BRACKETS, "||": IN_BRACKETS, "=>": IMPLIES, "&": JUNCTION, "or": JUNCTION, "<=>": IFF,
    **dict.fromkeys(s.COMPARISONS, COMPARISON),
    **dict.fromkeys(
        ("<->", "<<->", "<->>", "<<->>", "+->", "-->", "+->>", "-->>", ">+>", ">->", ">+>>", ">->>"), EXPRESSION
    ),
    **dict.fromkeys(
        ("<+", "+>", "><", "^", "<|", "<<|", "|>", "|>>", "->", "<-", "\\/", "/\\", "/|\\", "\\|/", "|->"), 160
    ),
    "..": 170, "-": 180, "+": 180, "\\": 180, "*": 190, "/": 190, "mod": 190, "**": POWER,
}  # fmt: skip
PREDICATE = IMPLIES
"""The least level of a predicate that stands outside brackets; `EXPRESSION` is that of an expression."""

RUNS = {"+": "+-", "-": "+-", "\\/": ("\\/",), "/\\": ("/\\",), "^": ("^",), "<+": ("<+",)}
"""By operator: those with which it makes a chain (see `chains`)."""
Operand = tuple[s.Expression, Extent]
"""With all that it takes in the text, brackets too."""

OPERATOR_WORDS = frozenset(("or", "mod"))
OF_PREDICATES = frozenset(("=>", "<=>", "&", "or"))
CALLED = s.UNARY_OPERATORS - {"-", "~"}
CALLED_WITH_TWO = frozenset(("prj1", "prj2", "iterate"))
MAYBE_TRUE = (s.Name, s.Application, s.Field, s.Truth, s.Conditional, s.Let)
"""Expressions that may be a truth value."""
COLLECTING = frozenset(("%", "SIGMA", "PI", "UNION", "INTER"))


class ExpressionParser(Cursor):
    height = 0
    """Of the tree of the expression parsed last: chains of operators make deep trees without any nesting of calls."""

    def __init__(self, source: Source, tokens: Sequence[Token], macros: Macros) -> None:
        super().__init__(source, tokens)
        self.macros = macros
        self.shadowed: list[str] = []
        """Names of definitions that mean a bound name here."""

    # What the rest of the parser asks for

    def predicate(self) -> s.Expression:
        start = self.token.offset
        return self.as_predicate(self.tree(PREDICATE), start)

    def expression(self, least: int = EXPRESSION) -> s.Expression:
        start = self.token.offset
        return self.as_expression(self.tree(least), start)

    def expressions(self) -> tuple[s.Expression, ...]:
        """One or more, with commas."""
        found, height = [self.expression()], self.height
        while self.accept(","):
            found.append(self.expression())
            height = max(height, self.height)
        self.height = height
        return tuple(found)

    def as_predicate(self, tree: s.Expression, start: int) -> s.Expression:
        """B has values for truth and predicates, and keeps them apart; like bmoth this reads `b` as `b = TRUE`."""
        if is_predicate(tree):
            return tree
        if isinstance(tree, MAYBE_TRUE) or (isinstance(tree, s.Constant) and tree.word in ("TRUE", "FALSE")):
            self.height += 1
            return s.Binary(tree.at, "=", tree, s.Constant(tree.at, "TRUE"))
        raise InputError(self.extent(start).diagnostic("expected a predicate, this is an expression"))

    def as_expression(self, tree: s.Expression, start: int) -> s.Expression:
        if is_predicate(tree):
            hint = "bool(...) makes a value of a predicate"
            raise InputError(
                self.extent(start).diagnostic("expected an expression, this is a predicate", hint)
            )
        return tree

    # Operators

    def tree(self, least: int) -> s.Expression:
        """What binds at least as strongly as `least`: a predicate or an expression."""
        start = self.token.offset
        left, height = self.prefix(), self.height
        while (level := self.level()) >= least:
            token, operator = self.token, self.token.text
            if level == JUNCTION:
                left, height = self.chain(left, height, start)
            elif operator in RUNS:
                left, height = self.run(left, height, start)
            else:
                of_predicates = operator in OF_PREDICATES
                left = self.sorted_as(of_predicates, left, start)
                self.advance()
                behind = self.token.offset
                self.enter()
                right = self.tree(level if level == POWER else self.above(level))
                self.leave()
                right = self.sorted_as(of_predicates, right, behind)
                height = 1 + max(height, self.height)
                left = s.Binary(self.extent(start), operator, left, right)
                if level == COMPARISON and self.level() == COMPARISON:
                    message = f"'{self.token.text}' after '{operator}' means nothing"
                    raise self.error(message, self.token, "join two comparisons with '&'")
            self.check_depth(height, token)
        self.height = height
        return left

    def above(self, level: int) -> int:
        """The operands of `;` and `||` are expressions of the level that stands outside brackets."""
        return EXPRESSION if level == IN_BRACKETS else level + 1

    def sorted_as(self, of_predicates: bool, tree: s.Expression, start: int) -> s.Expression:
        return self.as_predicate(tree, start) if of_predicates else self.as_expression(tree, start)

    def level(self) -> int:
        token = self.token
        if token.kind == "symbol" or (token.kind == "keyword" and token.text in OPERATOR_WORDS):
            return PRECEDENCE.get(token.text, 0)
        return 0

    def chain(self, left: s.Expression, height: int, start: int) -> tuple[s.Expression, int]:
        operator: Literal["&", "or"] = "&" if self.token.text == "&" else "or"
        operands = [self.as_predicate(left, start)]
        while self.token.text == operator and self.token.kind in ("symbol", "keyword"):
            self.advance()
            behind = self.token.offset
            operands.append(self.as_predicate(self.tree(JUNCTION + 1), behind))
            height = max(height, self.height)
        return s.Chain(self.extent(start), operator, tuple(operands)), height + 1

    def run(self, left: s.Expression, height: int, start: int) -> tuple[s.Expression, int]:
        """Operators that may be chained without depth."""
        level, together = self.level(), RUNS[self.token.text]
        operands = [(self.as_expression(left, start), self.extent(start))]
        operators: list[str] = []
        heights = [height]
        while self.token.kind == "symbol" and self.token.text in together:
            operators.append(self.advance().text)
            behind = self.token.offset
            self.enter()
            right = self.as_expression(self.tree(level + 1), behind)
            self.leave()
            operands.append((right, self.extent(behind)))
            heights.append(self.height)
        # Only numbers are added; what is subtracted again and again may be sets.
        plus = "+" if "+" in operators else s.SUBTRACTED

        def join(operator: str, one: Operand, other: Operand) -> Operand:
            first, last = one[1], other[1]
            at = Extent(first.source, first.offset, last.end - first.offset)
            return s.Binary(at, plus if operator == "+" else operator, one[0], other[0]), at

        return chained(operands, operators, join)[0], chained_height(heights)

    def prefix(self) -> s.Expression:
        token = self.token
        if token.kind == "label":
            self.advance()
            self.enter()
            labelled = self.tree(IFF)
            self.leave()
            self.height += 1
            return s.Labelled(
                self.extent(token.offset), token.text, self.as_predicate(labelled, token.offset)
            )
        if token.text == "-" and token.kind == "symbol":
            self.advance()
            self.enter()
            behind = self.token.offset
            operand = self.as_expression(self.prefix(), behind)
            self.leave()
            self.height += 1
            return s.Unary(self.extent(token.offset), "-", operand)
        return self.postfix(self.primary(), token.offset)

    def postfix(self, base: s.Expression, start: int) -> s.Expression:
        height = self.height
        while self.token.kind == "symbol" and self.token.text in ("(", "[", "~", "'"):
            token = self.token
            self.as_expression(base, start)
            base = self.behind(base, start)
            height = 1 + max(height, self.height)
            self.check_depth(height, token)
        self.height = height
        return base

    def behind(self, base: s.Expression, start: int) -> s.Expression:
        operator = self.advance().text
        self.height = 0
        match operator:
            case "~":
                return s.Unary(self.extent(start), "~", base)
            case "'":
                name = self.identifier("the name of a field")
                return s.Field(self.extent(start), base, name)
        self.enter()
        if operator == "(":
            behind = self.token.offset
            argument = self.paired(self.expressions(), behind)
            self.expect(")")
        else:
            argument = self.expression(IN_BRACKETS)
            self.expect("]")
        self.leave()
        kind = s.Application if operator == "(" else s.Image
        return kind(self.extent(start), base, argument)

    def paired(self, parts: Sequence[s.Expression], start: int) -> s.Expression:
        result = parts[0]
        for part in parts[1:]:
            result = s.Binary(self.extent(start), "|->", result, part)
        self.height += len(parts) - 1
        self.check_depth(self.height, self.token)
        return result

    # Names

    def named(self) -> s.Expression:
        token = self.token
        if token.text in self.macros.table and token.text not in self.shadowed:
            macro = self.macros.table[token.text]
            return expanded(macro, *self.call_of(macro), self.macros)
        name = self.dotted("a name")
        self.height = 1
        if self.is_symbol("$"):
            self.advance()
            if self.token.text != "0":
                raise self.expected("'0'")
            self.advance()
            return s.Name(self.extent(token.offset), name.text, True)
        return s.Name(name.at, name.text, False)

    def call_of(self, macro: Macro) -> tuple[Extent, tuple[s.Expression, ...]]:
        """The use of a definition, with as many arguments as it has parameters."""
        token = self.advance()
        arguments: tuple[s.Expression, ...] = ()
        height = 0
        if macro.parameters:
            wanted = len(macro.parameters)
            if not self.is_symbol("("):
                raise self.expected(
                    f"'(' and {count_of(wanted, 'argument')} of the definition '{token.text}'"
                )
            self.advance()
            self.enter()
            arguments, height = self.arguments_of_definition()
            self.leave()
            self.expect(")")
            if len(arguments) != wanted:
                message = (
                    f"the definition '{token.text}' has {count_of(wanted, 'parameter')}, not {len(arguments)}"
                )
                raise InputError(self.extent(token.offset).diagnostic(message))
        self.height = height + macro.height
        self.check_depth(self.height, token)
        return self.extent(token.offset), arguments

    def arguments_of_definition(self) -> tuple[tuple[s.Expression, ...], int]:
        """Also predicates, as values: where the body needs a predicate, `expansion` turns them back."""
        found: list[s.Expression] = []
        height = 0
        while not found or self.accept(","):
            start = self.token.offset
            tree = self.tree(PREDICATE)
            height = max(height, self.height + 1)
            found.append(s.Truth(self.extent(start), tree) if is_predicate(tree) else tree)
        return tuple(found), height

    def bind(self, names: tuple[Identifier, ...]) -> None:
        """Until `release`, these names are no definitions."""
        self.shadowed.extend(each.text for each in names)

    def release(self, names: tuple[Identifier, ...]) -> None:
        del self.shadowed[len(self.shadowed) - len(names) :]

    # Atoms: see `parse_atoms`

    def primary(self) -> s.Expression:
        token = self.token
        self.height = 1
        if token.kind == "name":
            return self.named()
        if token.kind == "number":
            self.advance()
            return s.Number(self.extent(token.offset), number(self.source, token))
        if token.kind == "string":
            self.advance()
            return s.Text(self.extent(token.offset), token.text)
        if token.kind == "keyword":
            return self.worded(token)
        if token.kind == "symbol":
            return self.bracketed(token)
        raise self.expected("an expression or a predicate")

    def worded(self, token: Token) -> s.Expression:
        raise NotImplementedError

    def bracketed(self, token: Token) -> s.Expression:
        raise NotImplementedError


def count_of(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
