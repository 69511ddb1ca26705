"""The words of an expression. In: its text. Out: tokens with their places, the last one an `end`.

Operators that are written in two ways come out in one: `&&` as `and`, `==` as `=`, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from burnside.diagnostics import Diagnostic, InputError, Source
from burnside.records import record

_TOKEN = re.compile(
    r"""
      (?P<skip>   \s+ )
    | (?P<number> [0-9]+ )
    | (?P<name>   [^\W\d][\w.]* )
    | (?P<quoted> "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
    | (?P<mark>   <-> | -> | <= | >= | <> | != | == | && | \|\| | [=<>!+*()-] )
    | (?P<wrong>  . )
    """,
    re.VERBOSE | re.DOTALL,
)
_SAME = {"==": "=", "<>": "!=", "&&": "and", "||": "or", "!": "not", "implies": "->"}
KEYWORDS = frozenset({"and", "or", "not", "implies", "true", "false"})


@record
class Token:
    """`text` is the operator in its first spelling, the number, or the bare name of a place."""

    kind: str
    text: str
    offset: int
    end: int

    def __str__(self) -> str:
        if self.kind == "end":
            return "the end of the expression"
        return f"'{self.text if len(self.text) <= 40 else self.text[:40] + '...'}'"


def tokenize(source: Source) -> Iterator[Token]:
    for match in _TOKEN.finditer(source.text):
        kind, text = match.lastgroup or "wrong", match[0]
        if kind == "wrong":
            raise InputError(_complaint(source, match.start()))
        if kind == "quoted":
            kind, text = "name", re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
        elif kind == "mark" or (kind == "name" and text in KEYWORDS):
            kind, text = "mark", _SAME.get(text, text)
        if kind != "skip":
            yield Token(kind, text, match.start(), match.end())
    end = len(source.text.rstrip())
    yield Token("end", "", end, end + 1)


def is_bare(name: str) -> bool:
    """Can a place of this name be written without quotes?"""
    match = _TOKEN.fullmatch(name)
    return match is not None and match.lastgroup == "name" and name not in KEYWORDS


def quoted(name: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _complaint(source: Source, at: int) -> Diagnostic:
    character = source.text[at]
    if character in "\"'":
        return source.diagnostic("the name that starts here has no closing quote", at)
    shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
    hint = "put names of places that hold more than letters, digits, '_' and '.' in quotes"
    return source.diagnostic(f"character {shown} means nothing here", at, hint=hint)
