"""The text of a high-level net as tokens. In: a source. Out: tokens with their offsets, the last one of kind `end`.

Keywords are lower-case. A name that is a keyword, or holds other characters than letters, digits and `_`, stands in double
quotes. What can be written in several ways comes out in one: `&&` as `and`, `==` as `=`, `=>` as `->`.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source
from burnside.languages.shared.lexer import Token, scan, unreadable

KEYWORDS = frozenset(
    (
        "all", "and", "as", "bool", "const", "dot", "else", "err", "exists", "false", "forall", "function", "goal",
        "guard", "has", "if", "in", "invariant", "is", "list", "map", "multiset", "nat", "not", "or", "out",
        "place", "set", "struct", "test", "then", "transition", "true", "type", "union", "var", "xor",
    )
)  # fmt: skip

SAME = {"==": "=", "&&": "and", "&": "and", "||": "or", "!": "not", "=>": "->", "<=>": "<->"}

_TOKEN = re.compile(
    r"""
    (?P<blank>  \s+ | --[^\n]* )
  | (?P<number> [0-9]+ )
  | (?P<name>   [^\W\d]\w* )
  | (?P<string> "(?:[^"\\\n]|\\.)*" )
  | (?P<symbol> <=> | <-> | -> | => | <= | >= | != | == | := | \+\+ | \.\. | && | \|\| | [-+*/%=<>(){}\[\],.:|'!&] )
    """,
    re.VERBOSE,
)

MAX_NUMBER = 2**62
"""Of a literal."""


def tokenize(source: Source) -> list[Token]:
    tokens = scan(source, _TOKEN, _token, _unreadable)
    tokens.append(Token("end", "", len(source.text.rstrip()), 1))
    return tokens


def _token(source: Source, match: re.Match[str]) -> Token | None:
    kind, text, offset, length = match.lastgroup or "", match[0], match.start(), len(match[0])
    if kind == "blank":
        return None
    if kind == "string":
        text = re.sub(r"\\(.)", lambda each: "\n" if each[1] == "n" else each[1], text[1:-1])
    elif kind == "symbol" and text in SAME:
        text = SAME[text]
    if kind in ("name", "symbol") and text in KEYWORDS:
        kind = "keyword"
    if kind == "number" and (len(text) > 20 or int(text) > MAX_NUMBER):
        raise InputError(source.diagnostic("numbers are at most 2^62", offset, length))
    return Token(kind, text, offset, length)


def _unreadable(source: Source, at: int) -> InputError:
    return unreadable(source, at, "the text of a high-level net", '"')


_BARE = re.compile(r"[^\W\d]\w*")


def quoted(name: str) -> str:
    """The name as it is written: in quotes where it has to be."""
    if _BARE.fullmatch(name) and name not in KEYWORDS:
        return name
    return '"' + re.sub(r'(["\\])', r"\\\1", name).replace("\n", r"\n") + '"'
