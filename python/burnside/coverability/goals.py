"""What `--cover` asks for: a marking, or an upward-closed condition.

In: a text, a net. Out: a `CoverGoal`. A marking is written `2 p + q`, or `p:2, q:1`; it is the condition that these places
hold so many tokens or more. Of the conditions of `--invariant` and `--find`, those are taken that stay true where tokens are
added: comparisons of the kind `p + 2 * q >= 3`, `and`, `or`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.net_expressions import (
    Comparison,
    Expression,
    conditions,
    place_number,
    read_comparisons,
)
from burnside.languages.net_expressions.conditions import Condition, Core, Linear
from burnside.languages.net_expressions.tokens import tokenize
from burnside.languages.shared.lexer import Token
from burnside.net import Net
from burnside.records import record

OPTION = "--cover"
OF_MARKINGS = frozenset({"+", "*"})
"""Symbols that markings may be written with; any other is of conditions."""
WANTED = "expected a marking such as 2 p + q or p:2, q:1, or a condition such as p + q >= 3"


@record
class CoverGoal:
    """`text` as the user wrote it."""

    text: str
    expression: Expression


def read_goal(text: str, net: Net) -> CoverGoal:
    source = Source(OPTION, text)
    tokens = tokenize(source, markings=True)
    if all(each.kind != "symbol" or each.text in OF_MARKINGS for each in tokens):
        core = _MarkingReader(source, tokens, net).whole().holds.core
        return CoverGoal(text.strip(), Expression(text.strip(), core, conditions.places(core)))
    expression, comparisons = read_comparisons(source, net)
    wrong = not_upward_closed(expression.core)
    if wrong is not None:
        raise UnsupportedError(_refusal(source, wrong, comparisons))
    return CoverGoal(text.strip(), expression)


def not_upward_closed(core: Core) -> Core | None:
    """The first comparison that more tokens can make false."""
    match core:
        case ("<=", terms, _):
            return core if any(k > 0 for _, k in terms) else None
        case ("not", ("=", terms, constant)):
            # A sum of numbers that are not negative is not 0: then it is at least 1.
            return None if constant == 0 and all(k > 0 for _, k in terms) else core
        case ("=", _, _):
            return core
        case ("and" | "or", parts):
            return next((wrong for part in parts if (wrong := not_upward_closed(part)) is not None), None)
        case _:
            return None


def _refusal(source: Source, wrong: Core, comparisons: Sequence[Comparison]) -> Any:
    for each in comparisons:
        if wrong in _atoms(each.condition):
            message = "more tokens can make this false, so covering does not say whether it can be reached"
            hint = "--cover takes p >= n and p + q >= n, joined by and, or; --find takes any condition"
            return source.diagnostic(message, each.start, each.end - each.start, hint)
    return source.diagnostic("more tokens can make this false", 0, max(1, len(source.text)))


def _atoms(condition: Condition) -> list[Core]:
    """A comparison and its negation, as far as they are single comparisons."""
    return [condition.holds.core, condition.fails.core]


class _MarkingReader:
    """Terms `2 p`, `2 * p`, `p`, `p : 2`, with `+` or `,` between them."""

    def __init__(self, source: Source, tokens: Sequence[Token], net: Net) -> None:
        self.source, self.tokens, self.net = source, tokens, net
        self.at = 0
        self.wanted: dict[int, int] = {}

    def whole(self) -> Condition:
        self.term()
        while self.token.kind != "end":
            if self.token.text not in ("+", ","):
                raise self.error(f"expected '+' or ',', found {self.token}", self.token)
            self.at += 1
            self.term()
        found = conditions.truth(True)
        for place, tokens in sorted(self.wanted.items()):
            enough = conditions.comparison("<=", Linear.constant(tokens).plus(Linear.place(place), -1))
            found = conditions.connect("and", found, enough)
        return found

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def term(self) -> None:
        tokens = self.number() if self.token.kind == "number" else None
        if tokens is not None and self.token.text == "*":
            self.at += 1
        name = self.token
        if name.kind != "name":
            what = WANTED if self.at == 0 else f"expected a place, found {name}"
            raise self.error(what, name)
        place = place_number(name, self.source, self.net)
        self.at += 1
        if tokens is None and self.token.text == ":":
            self.at += 1
            if self.token.kind != "number":
                raise self.error(f"expected a number of tokens, found {self.token}", self.token)
            tokens = self.number()
            if place in self.wanted:
                raise self.error(f"{name} is given twice", name)
        self.wanted[place] = self.wanted.get(place, 0) + (1 if tokens is None else tokens)
        if self.wanted[place] > conditions.MAX_CONSTANT:
            raise self.error("a number is beyond 2^62", name)

    def number(self) -> int:
        token = self.token
        if len(token.text.lstrip("0")) > 20 or int(token.text) > conditions.MAX_CONSTANT:
            raise self.error("a number is beyond 2^62", token)
        self.at += 1
        return int(token.text)

    def error(self, message: str, token: Token) -> InputError:
        return InputError(self.source.diagnostic(message, token.offset, max(1, token.length)))
