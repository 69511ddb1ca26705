"""Expressions and formulas. In: tokens. Out: resolved trees; names are looked up as they are read.

The precedences are those of Spin's grammar. It keeps `empty`, `nempty`, `full` and `nfull` out of negations and comparisons,
since its partial order reduction needs that; in formulas and options we read them everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela.parse_references import PREDEFINED, ReferenceParser
from burnside.languages.promela.places import scalars
from burnside.languages.promela.types import CHAN, StructType, Variable
from burnside.languages.shared.chains import chained
from burnside.languages.shared.cursor import MAX_DEPTH
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent

LEVELS: tuple[tuple[str, ...], ...] = (
    ("->", "<->"), ("||",), ("&&",), ("U", "V", "W"), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
"""From loose to tight; all are grouped from left to right. The first and the fourth are in formulas only."""
PRECEDENCE = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}
ASSOCIATIVE = ("||", "&&", "|", "^", "&", "+", "*")
"""Long rows of these are made shallow; on numbers of 32 bits that wrap around, `+` and `-` are among them."""
TEMPORAL_OPERATORS = ("->", "<->", "||", "&&", "U", "V", "W")
SPELLINGS = {"\\/": "||", "/\\": "&&"}
WORDS = {
    "U": "U", "until": "U", "stronguntil": "U", "V": "V", "R": "V", "release": "V", "W": "W", "weakuntil": "W",
    "implies": "->", "equivalent": "<->",
}  # fmt: skip
PREFIXES = {"always": "[]", "eventually": "<>", "X": "X", "next": "X"}
PROBES = ("empty", "nempty", "full", "nfull")
OPPOSITES = {"empty": "nempty", "nempty": "empty", "full": "nfull", "nfull": "full"}
EMBEDDED_C = ("c_code", "c_decl", "c_expr", "c_state", "c_track")

Tree = e.Expression | e.Temporal
"""What is read inside a formula: conditions without temporal operators stay expressions until the end."""


class ExpressionParser(ReferenceParser):
    in_formula = False
    probes_anywhere = False
    in_angles = False
    """Inside `?<...>`, where `>` closes."""

    # Expressions

    def expression(self) -> e.Expression:
        """Its value is a number; no `empty(q)` and the like in it."""
        tree = self.full_expression()
        if not self.probes_anywhere and _has_probe(tree):
            raise self.probe_refused(tree)
        return tree

    def full_expression(self) -> e.Expression:
        """As a statement or assertion: `empty(q)` and the like may be joined by `&&` and `||`."""
        tree = self.number(self.any_expression())
        self.check_height(tree)
        return tree

    def check_height(self, tree: e.Expression | e.Formula) -> None:
        """What comes behind recurses over the tree."""
        level: list[Any] = [tree]
        height = 0
        while level:
            height += 1
            if height + self.depth > MAX_DEPTH:
                message = f"this is more than {MAX_DEPTH} levels deep"
                raise InputError(tree.at.diagnostic(message, self.depth_hint))
            level = [child for each in level for child in e.children(each)]

    def number(self, tree: Tree) -> e.Expression:
        if isinstance(tree, e.Temporal):
            # Spin reads `<> x > 2` as `(<> x) > 2`, and then as nonsense.
            hint = f"put all that '{tree.operator}' is meant for in parentheses"
            message = f"'{tree.operator}' cannot be here: this needs a number"
            raise InputError(tree.at.diagnostic(message, hint))
        if isinstance(tree, e.Reference):
            if isinstance(tree.type, StructType):
                raise InputError(
                    tree.at.diagnostic(f"this is a whole struct '{tree.type.name}', not one of its fields")
                )
            if tree.variable.name == "_":
                raise InputError(tree.at.diagnostic("'_' can only be written, not read"))
        return tree

    def probe_refused(self, tree: e.Expression) -> InputError:
        """With the place and the name of the first one inside."""
        found = next(_probes(tree))
        hint = f"use '{OPPOSITES[found.operator]}' for its negation, and '&&' and '||' only"
        return InputError(
            found.at.diagnostic(f"'{found.operator}' cannot be negated, compared or computed with", hint)
        )

    def any_expression(self) -> Tree:
        """Possibly a whole struct, as arguments are; in a formula, possibly temporal.

        Operators wait on a stack until a looser one comes, so that a long expression needs no deep recursion."""
        start = self.token
        operands: list[Tree] = [self.unary()]
        waiting: list[str] = []
        while (operator := self.operator()) is not None:
            while waiting and PRECEDENCE[waiting[-1]] > PRECEDENCE[operator]:
                self.reduce(start, operands, waiting)
            waiting.append(operator)
            operands.append(self.unary())
        while waiting:
            self.reduce(start, operands, waiting)
        return operands[0]

    def operator(self) -> str | None:
        """The binary operator that comes next, taken, in its one spelling."""
        token = self.token
        is_word = token.kind == "name" and token.text in WORDS
        if self.in_formula and (is_word or self.is_one_of(("->", "<->"))):
            self.advance()
            return WORDS.get(token.text, token.text)
        if token.kind != "symbol" or (token.text == ">" and self.in_angles):
            return None
        operator = SPELLINGS.get(token.text, token.text)
        if operator not in PRECEDENCE or operator in ("->", "<->"):
            return None
        self.advance()
        return operator

    def reduce(self, start: Token, operands: list[Tree], waiting: list[str]) -> None:
        """Join the operands of the operators of one precedence that wait last, from left to right."""
        count = 1
        level = PRECEDENCE[waiting[-1]]
        while count < len(waiting) and PRECEDENCE[waiting[-1 - count]] == level:
            count += 1
        run, several = waiting[-count:], operands[-count - 1 :]
        del waiting[-count:], operands[-count - 1 :]
        if (len(set(run)) == 1 and run[0] in ASSOCIATIVE) or set(run) == {"+", "-"}:
            operands.append(chained(several, run, lambda operator, a, b: self.joined(start, operator, a, b)))
            return
        tree = several[0]
        for operator, operand in zip(run, several[1:], strict=True):
            tree = self.joined(start, operator, tree, operand)
        operands.append(tree)

    def joined(self, start: Token, operator: str, left: Tree, right: Tree) -> Tree:
        at = self.from_token(start)
        if isinstance(left, e.Temporal) or isinstance(right, e.Temporal):
            if operator not in TEMPORAL_OPERATORS:
                temporal = left if isinstance(left, e.Temporal) else cast(e.Temporal, right)
                self.number(temporal)
            return e.Temporal(at, cast(Any, operator), (_formula(left), _formula(right)))
        if operator in TEMPORAL_OPERATORS and operator not in ("&&", "||"):
            return e.Temporal(at, cast(Any, operator), (_formula(left), _formula(right)))
        left, right = self.number(left), self.number(right)
        if operator not in ("&&", "||", "==", "!="):
            for side in (left, right):
                self.no_channel(side)
        if operator not in ("&&", "||") and not self.probes_anywhere:
            for side in (left, right):
                if _has_probe(side):
                    raise self.probe_refused(side)
        return e.Binary(at, cast(e.BinaryOperator, operator), left, right)

    def no_channel(self, tree: e.Expression) -> None:
        if isinstance(tree, e.Reference) and tree.type == CHAN:
            raise InputError(tree.at.diagnostic("nothing can be computed with a channel"))

    def unary(self) -> Tree:
        token = self.token
        with self.nested():
            if self.in_formula and (operator := self.temporal_prefix()) is not None:
                operand = self.unary()
                return e.Temporal(self.from_token(token), cast(Any, operator), (_formula(operand),))
            if self.is_one_of(("!", "-", "~")):
                self.advance()
                operand = self.unary()
                if isinstance(operand, e.Temporal) and token.text == "!":
                    return e.Temporal(self.from_token(token), "!", (operand,))
                value = self.number(operand)
                if _has_probe(value) and not self.probes_anywhere:
                    raise self.probe_refused(value)
                return e.Unary(self.from_token(token), cast(Any, token.text), value)
            return self.primary()

    def temporal_prefix(self) -> str | None:
        """`[]`, `<>`, `always`, ...: taken, if there is one."""
        if self.is_one_of(("[]", "<>")):
            return self.advance().text
        if self.token.kind == "name" and self.token.text in PREFIXES:
            return PREFIXES[self.advance().text]
        return None

    def primary(self) -> Tree:
        token = self.token
        match token.kind:
            case "number":
                self.advance()
                return e.Number(self.extent_of(token), self.value_of(token))
            case "name":
                return self.named(token)
            case "keyword":
                return self.keyword_operand(token)
        if not self.accept("("):
            raise self.expected("an expression")
        with self.nested():
            tree = self.inside_parentheses(token)
        self.expect(")")
        return tree

    def inside_parentheses(self, opening: Token) -> Tree:
        with self.outside_angles():
            tree = self.any_expression()
            if self.in_formula or not self.is_symbol("->"):
                return tree
            self.advance()
            test, then = self.number(tree), self.expression()
            self.expect(":")
            otherwise = self.expression()
            return e.Conditional(self.from_token(opening), test, then, otherwise)

    @contextmanager
    def outside_angles(self) -> Iterator[None]:
        before, self.in_angles = self.in_angles, False
        try:
            yield
        finally:
            self.in_angles = before

    def value_of(self, token: Token) -> int:
        """As Spin reads numbers: C's int."""
        if len(token.text) > 18:
            raise self.error("this number does not fit into 32 bits", token)
        return (int(token.text) + (1 << 31)) % (1 << 32) - (1 << 31)

    def named(self, token: Token) -> Tree:
        at = self.extent_of(token)
        symbol = self.names.symbol(token.text)
        if symbol is not None:
            self.advance()
            return e.Number(at, symbol, token.text)
        if token.text in self.names.processes and self.names.find(token.text) is None:
            return self.remote(token)
        if token.text in PREDEFINED and self.names.find(token.text) is None:
            self.advance()
            return e.Predefined(at, cast(e.PredefinedName, token.text))
        if token.text in self.names.inlines:
            raise self.error(f"the inline '{token.text}' can only be a statement", token)
        reference = self.reference()
        if self.is_one_of(("?", "??")) and self.peek().text == "[":
            return self.poll(reference, token)
        return reference

    def poll(self, channel: e.Reference, start: Token) -> e.Poll:
        self.check_channel(channel)
        anywhere = self.advance().text == "??"
        self.expect("[")
        with self.outside_angles():
            patterns = self.patterns()
        self.expect("]")
        return e.Poll(self.from_token(start), channel, anywhere, patterns)

    def keyword_operand(self, token: Token) -> e.Expression:
        at = self.extent_of(token)
        match token.text:
            case "true" | "skip" | "false":
                self.advance()
                return e.Number(at, int(token.text != "false"))
            case "timeout" | "np_":
                self.advance()
                return e.Predefined(at, cast(e.PredefinedName, token.text))
            case "len" | "empty" | "nempty" | "full" | "nfull":
                self.advance()
                self.expect("(")
                channel = self.channel()
                self.expect(")")
                return e.ChannelQuery(self.from_token(token), cast(Any, token.text), channel)
            case "enabled" | "pc_value" | "get_priority":
                self.advance()
                self.expect("(")
                with self.nested(), self.outside_angles():
                    operand = self.expression()
                self.expect(")")
                return e.Enabled(self.from_token(token), cast(Any, token.text), operand)
            case "run":
                return self.run(token)
        if token.text in EMBEDDED_C:
            raise self.unsupported(f"embedded C ('{token.text}') is not supported", token)
        raise self.expected("an expression")

    def run(self, token: Token) -> e.Expression:
        raise self.error("'run' can only be used in a process", token)

    # Remote references

    def remote(self, token: Token) -> e.Expression:
        """`P[pid]@label`, `P@label`, `P[pid]:variable`, `P:variable`."""
        self.advance()
        process = self.names.processes[token.text]
        pid = None
        if self.accept("["):
            with self.nested():
                pid = self.expression()
            self.expect("]")
        if self.accept("@"):
            label = self.identifier("a label")
            if label.text not in process.labels:
                raise InputError(label.at.diagnostic(f"'{process.name}' has no label '{label.text}'"))
            return e.RemoteLabel(self.from_token(token), process.name, pid, label.text)
        if not self.accept(":"):
            raise self.expected(f"'@' or ':' behind the proctype '{token.text}'")
        variable_token = self.token
        if variable_token.kind != "name":
            raise self.expected("a local variable")
        known = [each for each in (*process.parameters, *process.locals) if each.name == variable_token.text]
        if not known:
            raise self.error(f"'{process.name}' has no local '{variable_token.text}'", variable_token)
        self.advance()
        variable = known[0]
        index = self.index(variable_token, variable.size)
        path: list[e.FieldAccess] = []
        while self.is_symbol("."):
            path.append(self.field(path[-1].field.type if path else variable.type, self.advance()))
        place = e.Reference(self.from_token(variable_token), variable, index, tuple(path))
        self.number(place)
        return e.RemoteVariable(self.from_token(token), process.name, pid, place)

    # Lists

    def arguments(self) -> list[e.Expression]:
        """One or more, structs written out as their scalars."""
        found = self.argument()
        while self.accept(","):
            found += self.argument()
        return found

    def argument(self) -> list[e.Expression]:
        tree = self.any_expression()
        if isinstance(tree, e.Reference) and isinstance(tree.type, StructType):
            return list(scalars(tree))
        value = self.number(tree)
        if _has_probe(value) and not self.probes_anywhere:
            raise self.probe_refused(value)
        return [value]

    def patterns(self) -> tuple[e.Pattern, ...]:
        """`x, 1, eval(y)`, also as `m(x, y)` and in parentheses."""
        found: list[e.Pattern] = []
        with self.nested():
            if self.accept("("):
                found += self.patterns()
                self.expect(")")
                return tuple(found)
            found += self.pattern()
            if self.accept(","):
                found += self.patterns()
            elif self.accept("("):
                found += self.patterns()
                self.expect(")")
        self.check_distinct(found)
        return tuple(found)

    def check_distinct(self, patterns: list[e.Pattern]) -> None:
        seen: dict[Variable, Extent] = {}
        for each in patterns:
            if isinstance(each, e.Stored) and each.target.index is None and not each.target.path:
                variable = each.target.variable
                if variable in seen:
                    raise InputError(each.at.diagnostic(f"'{variable.name}' takes two fields of one message"))
                seen[variable] = each.at

    def pattern(self) -> list[e.Pattern]:
        token = self.token
        if self.accept_keyword("eval"):
            self.expect("(")
            with self.nested(), self.outside_angles():
                value = self.expression()
            self.expect(")")
            return [e.Matched(self.from_token(token), value)]
        if token.kind == "number" or self.is_keyword("true", "false", "skip") or self.is_symbol("-"):
            negative = self.accept("-")
            if negative and self.token.kind != "number":
                raise self.expected("a number")
            number = self.primary()
            assert isinstance(number, e.Number)
            at = self.from_token(token)
            return [e.Matched(at, e.Number(at, -number.value) if negative else number)]
        if token.kind == "name" and self.names.symbol(token.text) is not None:
            return [e.Matched(self.extent_of(token), self.number(self.named(token)))]
        if token.kind == "name" and token.text == "_":
            self.advance()
            return [e.Ignored(self.extent_of(token))]
        if token.kind != "name":
            raise self.expected("a variable, a constant or 'eval(...)'")
        return [e.Stored(each.at, each) for each in scalars(self.reference())]

    # Formulas and lone expressions

    def formula(self) -> e.Formula:
        self.in_formula = self.probes_anywhere = True
        try:
            formula = _formula(self.any_expression())
            self.check_height(formula)
            return formula
        finally:
            self.in_formula = self.probes_anywhere = False


def _formula(tree: Tree | e.Formula) -> e.Formula:
    if isinstance(tree, e.Temporal | e.Atom):
        return tree
    if isinstance(tree, e.Reference) and isinstance(tree.type, StructType):
        raise InputError(
            tree.at.diagnostic(f"this is a whole struct '{tree.type.name}', not one of its fields")
        )
    return e.Atom(tree.at, tree)


def _has_probe(tree: e.Expression) -> bool:
    return next(_probes(tree), None) is not None


def _probes(tree: e.Expression) -> Iterator[e.ChannelQuery]:
    """Those that Spin's grammar would keep out: joined by `&&` and `||` only, as deeper ones were refused before."""
    if isinstance(tree, e.ChannelQuery) and tree.operator != "len":
        yield tree
    elif isinstance(tree, e.Binary) and tree.operator in ("&&", "||"):
        yield from _probes(tree.left)
        yield from _probes(tree.right)
