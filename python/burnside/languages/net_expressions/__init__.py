"""Conditions on markings, for `--invariant` and `--find`. In: text, a net. Out: an `Expression` for the core.

    p1 + 2 * p2 <= 1 and not "a-b" = 0 -> (q.1 > 0 or true)

From loose to tight: `<->`; `->` or `implies` (to the right); `or`, `||`; `and`, `&&`; `not`, `!`; one of
`= == != <> < <= > >=`; `+ -`; `*`; unary minus. Sums are linear. The parser keeps its operators on a list of
its own, so depth costs no stack, and builds the normal form at once, as `conditions` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import islice

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.net_expressions import conditions
from burnside.languages.net_expressions.conditions import Condition, Core, Linear
from burnside.languages.net_expressions.tokens import KEYWORDS, is_bare, quoted, tokenize
from burnside.languages.shared.lexer import Token
from burnside.net import Net
from burnside.records import field, record

MAX_DEPTH = 100
"""Parentheses within parentheses, and `and` within `or` within `and`: the core walks these by recursion."""

BINARY = {
    "<->": 1, "->": 2, "or": 3, "and": 4,
    "=": 6, "!=": 6, "<": 6, "<=": 6, ">": 6, ">=": 6,
    "+": 7, "-": 7, "*": 8,
}  # fmt: skip
PREFIX = {"not": 5, "-": 9}
COMPARISON = 6


@record
class Expression:
    """In normal form: negations at equations only, `and` and `or` flat, sums merged and sorted."""

    text: str = field(compare=False)
    core: Core = field(hash=False, repr=False)
    places: tuple[int, ...] = field(repr=False)

    def evaluate(self, marking: Sequence[int]) -> bool:
        return conditions.evaluate(self.core, marking)


def parse_expression(text: str, net: Net, source: str = "--invariant") -> Expression:
    return read_expression(Source(source, text), net)


def read_expression(source: Source, net: Net) -> Expression:
    return read_comparisons(source, net)[0]


@record
class Comparison:
    """A comparison of the text, and the places in it where it starts and ends."""

    condition: Condition
    start: int
    end: int


def read_comparisons(source: Source, net: Net) -> tuple[Expression, Sequence[Comparison]]:
    """With the comparisons that it is made of, for complaints about one of them."""
    parser = _Parser(source, net)
    core = parser.whole().holds.core
    return Expression(source.text.strip(), core, conditions.places(core)), parser.comparisons


def place_number(token: Token, source: Source, net: Net) -> int:
    """The place that a name means, or a complaint with a proposal."""
    number = net.place_numbers.get(token.text)
    if number is None:
        message, advice = f"there is no place {token}", _advice(net, token, source.text)
        raise InputError(source.diagnostic(message, token.offset, token.length, advice))
    return number


def enabledness(net: Net, transitions: Sequence[int], text: str) -> Expression:
    """Some of the transitions can fire."""
    able = []
    for transition in transitions:
        enough = (
            Linear.constant(weight).plus(Linear.place(place), -1)
            for place, weight in net.consumes[transition]
        )
        able.append(conditions.connect_all("and", [conditions.comparison("<=", each) for each in enough]))
    found = conditions.connect_all("or", able)
    return Expression(text, found.holds.core, conditions.places(found.holds.core))


@record
class _Operator:
    """A pending operator or, with strength 0, an open parenthesis."""

    token: Token
    strength: int
    prefix: bool = False


@record
class _Operand:
    value: Linear | Condition
    start: int
    end: int


class _Parser:
    """Operator precedence with explicit stacks (Dijkstra's shunting yard)."""

    def __init__(self, source: Source, net: Net) -> None:
        self.source = source
        self.net = net
        self.operators: list[_Operator] = []
        self.operands: list[_Operand] = []
        self.comparisons: list[Comparison] = []
        self.depth = 0

    def whole(self) -> Condition:
        wants_operand = True
        for token in tokenize(self.source):
            wants_operand = self.operand(token) if wants_operand else self.operator(token)
        (result,) = self.operands
        if not isinstance(result.value, Condition):
            raise self.not_a_condition(result)
        return result.value

    def operand(self, token: Token) -> bool:
        """Take a token where a value must start; say whether one is still wanted."""
        if token.kind == "number":
            return self.push(Linear.constant(self.number(token)), token)
        if token.kind == "name":
            return self.push(Linear.place(self.place(token)), token)
        if token.text in ("true", "false"):
            return self.push(conditions.truth(token.text == "true"), token)
        if token.text == "(":
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.error(f"parentheses are nested more than {MAX_DEPTH} deep", token)
            self.operators.append(_Operator(token, 0))
            return True
        if token.text in PREFIX:
            self.operators.append(_Operator(token, PREFIX[token.text], prefix=True))
            return True
        raise self.error(f"expected a place, a number or '(', found {token}", token)

    def operator(self, token: Token) -> bool:
        """Take a token behind a value; say whether another value is wanted."""
        if token.text in BINARY and token.kind == "symbol":
            strength = BINARY[token.text]
            self.reduce_while(strength + 1 if token.text == "->" else strength)
            self.operators.append(_Operator(token, strength))
            return True
        if token.text == ")" or token.kind == "end":
            self.reduce_while(1)
            self.close(token)
            return False
        raise self.error(f"expected an operator, found {token}", token, _small(token))

    def close(self, token: Token) -> None:
        if token.kind == "end":
            if self.operators:
                raise self.error("this parenthesis is not closed", self.operators[-1].token)
            return
        if not self.operators:
            raise self.error("this parenthesis closes nothing", token)
        opened = self.operators.pop().token
        self.depth -= 1
        self.operands[-1] = _Operand(self.operands[-1].value, opened.offset, token.end)

    def push(self, value: Linear | Condition, token: Token) -> bool:
        self.operands.append(_Operand(value, token.offset, token.end))
        return False

    def reduce_while(self, strength: int) -> None:
        while self.operators and self.operators[-1].strength >= strength:
            operator = self.operators.pop()
            if operator.prefix:
                self.reduce_prefix(operator.token)
            else:
                self.reduce_binary(operator.token)

    def reduce_prefix(self, token: Token) -> None:
        operand = self.operands.pop()
        value: Linear | Condition
        if token.text == "not":
            value = conditions.negation(self.condition(operand))
        else:
            value = self.linear(operand).times(-1)
        self.operands.append(_Operand(value, token.offset, operand.end))

    def reduce_binary(self, token: Token) -> None:
        right, left = self.operands.pop(), self.operands.pop()
        strength = BINARY[token.text]
        value: Linear | Condition
        if strength < COMPARISON:
            value = self.connect(token, self.condition(left), self.condition(right))
        elif strength == COMPARISON:
            value = self.compare(token, left, right)
        elif token.text == "*":
            value = self.product(left, right)
        else:
            value = self.linear(left).plus(self.linear(right), -1 if token.text == "-" else 1)
        self.operands.append(_Operand(value, left.start, right.end))

    def connect(self, token: Token, left: Condition, right: Condition) -> Condition:
        result = conditions.connect(token.text, left, right)
        if result.size > conditions.MAX_SIZE:
            raise self.error(f"the normal form has more than {conditions.MAX_SIZE} comparisons", token)
        if result.depth > MAX_DEPTH:
            raise self.error(f"the condition is nested more than {MAX_DEPTH} deep", token)
        return result

    def compare(self, token: Token, left: _Operand, right: _Operand) -> Condition:
        if isinstance(left.value, Condition):
            message = f"the left side of '{token.text}' is a condition, not a number"
            raise self.error(message, token, "join two comparisons with 'and', two conditions with '<->'")
        difference = self.linear(left).plus(self.linear(right), -1)
        self.check_range(difference, left.start, right.end)
        found = conditions.comparison(token.text, difference)
        self.comparisons.append(Comparison(found, left.start, right.end))
        return found

    def product(self, left: _Operand, right: _Operand) -> Linear:
        first, second = self.linear(left), self.linear(right)
        if second.coefficients and first.coefficients:
            message = "the product of two places is not supported: sums must be linear"
            raise UnsupportedError(self.source.diagnostic(message, left.start, right.end - left.start))
        factor, sum_ = (second, first) if first.coefficients else (first, second)
        result = sum_.times(factor.offset)
        self.check_range(result, left.start, right.end)
        return result

    def check_range(self, sum_: Linear, start: int, end: int) -> None:
        largest = max(map(abs, sum_.coefficients.values()), default=0)
        if largest > conditions.MAX_COEFFICIENT:
            raise self.error_at("a coefficient is beyond 2^31", start, end)
        if abs(sum_.offset) > conditions.MAX_CONSTANT:
            raise self.error_at("a constant is beyond 2^62", start, end)

    def place(self, token: Token) -> int:
        return place_number(token, self.source, self.net)

    def number(self, token: Token) -> int:
        if len(token.text.lstrip("0")) > 20:
            raise self.error("a constant is beyond 2^62", token)
        return int(token.text)

    def condition(self, operand: _Operand) -> Condition:
        if not isinstance(operand.value, Condition):
            raise self.not_a_condition(operand)
        return operand.value

    def linear(self, operand: _Operand) -> Linear:
        if not isinstance(operand.value, Linear):
            raise self.error_at("expected a number of tokens, found a condition", operand.start, operand.end)
        return operand.value

    def not_a_condition(self, operand: _Operand) -> InputError:
        text = self.source.text[operand.start : operand.end]
        hint = f"compare it: {text} > 0" if len(text) <= 60 else None
        message = "expected a condition, found a number of tokens"
        return self.error_at(message, operand.start, operand.end, hint)

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return self.error_at(message, token.offset, token.end, hint)

    def error_at(self, message: str, start: int, end: int, hint: str | None = None) -> InputError:
        return InputError(self.source.diagnostic(message, start, max(1, end - start), hint))


def _advice(net: Net, token: Token, text: str) -> str | None:
    """What may have been meant: a name that needs quotes, a keyword, or a name much like this one."""
    names = list(islice(net.place_numbers, 20_000))
    for name in names:
        start = text.find(name)
        if 0 <= start <= token.offset < start + len(name) and not is_bare(name):
            return f"names that hold operators or blanks need quotes: {quoted(name)}"
    if _small(token):
        return _small(token)
    close = get_close_matches(token.text[:100], names, n=3, cutoff=0.5)
    shown = [name if is_bare(name) else quoted(name) for name in close]
    return f"did you mean {' or '.join(shown)}?" if shown else None


def _small(token: Token) -> str | None:
    small = token.text.lower()
    return f"keywords are lower-case: {small}" if token.kind == "name" and small in KEYWORDS else None
