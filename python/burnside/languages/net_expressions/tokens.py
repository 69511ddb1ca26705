"""The words of an expression. In: its text. Out: tokens with their places, the last one an `end`.

Operators that are written in two ways come out in one: `&&` as `and`, `==` as `=`, and so on.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source
from burnside.languages.shared.lexer import Token, scan

_TOKEN = re.compile(
    r"""
      (?P<skip>   \s+ )
    | (?P<number> [0-9]+ )
    | (?P<name>   [^\W\d][\w.]* )
    | (?P<quoted> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
    | (?P<symbol> <-> | -> | <= | >= | <> | != | == | && | \|\| | [=<>!+*()-] )
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_MARKINGS = re.compile(rf"{_TOKEN.pattern} | (?P<mark> [:,] )", re.VERBOSE | re.DOTALL)
_SAME = {"==": "=", "<>": "!=", "&&": "and", "||": "or", "!": "not", "implies": "->"}
KEYWORDS = frozenset({"and", "or", "not", "implies", "true", "false"})


def tokenize(source: Source, *, markings: bool = False) -> list[Token]:
    """With `markings` also the tokens `:` and `,` (of kind `mark`)."""
    tokens = scan(source, _IN_MARKINGS if markings else _TOKEN, _token, _unreadable)
    tokens.append(Token("end", "the end of the expression", len(source.text.rstrip()), 1))
    return tokens


def _token(source: Source, match: re.Match[str]) -> Token | None:
    kind, text, length = match.lastgroup or "", match[0], len(match[0])
    if kind == "skip":
        return None
    if kind == "quoted":
        kind, text = "name", re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    elif kind == "symbol" or (kind == "name" and text in KEYWORDS):
        kind, text = "symbol", _SAME.get(text, text)
    return Token(kind, text, match.start(), length)


def is_bare(name: str) -> bool:
    """Can a place of this name be written without quotes?"""
    match = _TOKEN.fullmatch(name)
    return match is not None and match.lastgroup == "name" and name not in KEYWORDS


def quoted(name: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _unreadable(source: Source, at: int) -> InputError:
    character = source.text[at]
    if character in "\"'":
        return InputError(source.diagnostic("the name that starts here has no closing quote", at))
    shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    hint = "put names of places that hold more than letters, digits, '_' and '.' in quotes"
    return InputError(source.diagnostic(f"character {shown} means nothing here", at, hint=hint))
