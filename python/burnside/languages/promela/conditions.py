"""Conditions of `#if` and `#elif`: C's constant expressions over numbers, macros and `defined`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnside.languages.promela.macros import MacroTable, refused
from burnside.languages.shared.lexer import Token

MAX_DEPTH = 50

LEVELS: tuple[tuple[str, ...], ...] = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip

APPLIED: dict[str, Callable[[int, int], int]] = {
    "||": lambda a, b: int(bool(a or b)),
    "&&": lambda a, b: int(bool(a and b)),
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: a << min(max(b, 0), 63),
    ">>": lambda a, b: a >> min(max(b, 0), 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def truth(tokens: Sequence[Token], at: Token, table: MacroTable) -> bool:
    """Of what stands behind `#if`; `at` is the place of the directive."""
    return Condition(table.expanded(_without_defined(tokens, at, table)), at).whole() != 0


def _without_defined(tokens: Sequence[Token], at: Token, table: MacroTable) -> list[Token]:
    """`defined NAME` and `defined(NAME)` as 1 or 0, before macros are expanded."""
    result: list[Token] = []
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.kind != "name" or token.text != "defined":
            result.append(token)
            continue
        rest = [each.text for each in tokens[position : position + 3]]
        if len(rest) == 3 and rest[0] == "(" and rest[2] == ")":
            name, position = rest[1], position + 3
        elif rest:
            name, position = rest[0], position + 1
        else:
            raise refused("'defined' needs the name of a macro", token)
        value = str(int(name in table.macros))
        result.append(Token("number", value, token.offset, token.length, token.source))
    return result


class Condition:
    def __init__(self, tokens: list[Token], at: Token) -> None:
        self.tokens = [token for token in tokens if token.kind not in ("newline", "comment")]
        self.directive = at
        self.at = 0

    def whole(self) -> int:
        value = self.choice(0)
        if self.at < len(self.tokens):
            raise self.error(f"this condition does not go on with {self.tokens[self.at]}")
        return value

    def error(self, message: str) -> Exception:
        token = self.tokens[self.at] if self.at < len(self.tokens) else self.directive
        return refused(message, token)

    def accept(self, *texts: str) -> str | None:
        if self.at < len(self.tokens) and self.tokens[self.at].text in texts:
            self.at += 1
            return self.tokens[self.at - 1].text
        return None

    def choice(self, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise self.error(f"this condition is nested more than {MAX_DEPTH} deep")
        test = self.level(0, depth)
        if not self.accept("?"):
            return test
        then = self.choice(depth + 1)
        if not self.accept(":"):
            raise self.error("expected ':' in this condition")
        otherwise = self.choice(depth + 1)
        return then if test else otherwise

    def level(self, level: int, depth: int) -> int:
        if level == len(LEVELS):
            return self.operand(depth)
        value = self.level(level + 1, depth)
        while operator := self.accept(*LEVELS[level]):
            right = self.level(level + 1, depth)
            value = self.applied(operator, value, right)
            # As the compiler's preprocessor: 64 bits.
            value = (value + (1 << 63)) % (1 << 64) - (1 << 63)
        return value

    def applied(self, operator: str, left: int, right: int) -> int:
        if operator in APPLIED:
            return APPLIED[operator](left, right)
        if right == 0:
            raise self.error("division by zero in this condition")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if operator == "/" else left - right * quotient

    def operand(self, depth: int) -> int:
        if depth > MAX_DEPTH:
            raise self.error(f"this condition is nested more than {MAX_DEPTH} deep")
        if operator := self.accept("!", "-", "~", "+"):
            value = self.operand(depth + 1)
            return {"!": int(not value), "-": -value, "~": ~value, "+": value}[operator]
        if self.accept("("):
            value = self.choice(depth + 1)
            if not self.accept(")"):
                raise self.error("expected ')' in this condition")
            return value
        if self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token.kind == "number" and len(token.text) < 20:
                self.at += 1
                return int(token.text)
            if token.kind == "name":
                self.at += 1
                return 0
        raise self.error("expected a number or the name of a macro in this condition")
