"""Formulas as tokens. In: a source. Out: tokens with their offsets, the last one of kind `end`.

`{...}` is one token, whatever is in it: the model's own language reads that. Words of operator letters (`G`, `AG`, `XXX`)
are of kind `prefix`, `U W R S T` of kind `binary`; connectives come out in one spelling each. A character that formulas have
no use for is a token too: it may be part of an argument, which is not read here.
"""

from __future__ import annotations

import re
from functools import cache

from burnside.diagnostics import InputError, Source
from burnside.languages.shared.lexer import Token

PREFIX_LETTERS = frozenset("AEGFXYOH")
BINARY_LETTERS = frozenset("UWRST")
FAIRNESS = frozenset(("WF", "SF", "WEF", "SEF"))

SPELLINGS = {
    "not": "not", "!": "not", "~": "not",
    "and": "and", "&": "and", "&&": "and", "/\\": "and",
    "or": "or", "|": "or", "||": "or", "\\/": "or",
    "=>": "implies", "->": "implies", "implies": "implies",
    "<=>": "iff", "<->": "iff",
}  # fmt: skip
"""Connectives: as they are written, and what they mean."""


@cache
def _token_pattern(quoted: str) -> re.Pattern[str]:
    """`quoted` matches a name in quotes."""
    return re.compile(
        rf"""
          (?P<blank>  \s+ )
        | (?P<word>   is-fireable\b | [^\W\d]\w* )
        | (?P<number> [0-9]+ )
        | (?P<quoted> {quoted} )
        | (?P<symbol> <=> | <-> | => | -> | <= | >= | <> | != | /= | == | && | \|\| | /\\ | \\/ | \[\] | \.\. | . )
        """,
        re.VERBOSE | re.DOTALL,
    )


_DOUBLE, _SINGLE = r'"(?:[^"\\]|\\.)*"', r"'(?:[^'\\]|\\.)*'"
_CONDITION = re.compile(r'[^{}"]+|"(?:[^"\\\n]|\\.)*"|[{}"]', re.DOTALL)


def tokenize(source: Source, *, single_quotes: bool) -> list[Token]:
    """`single_quotes`: may they enclose names? (In B a quote is an operator.)"""
    pattern = _token_pattern(f"{_DOUBLE} | {_SINGLE}" if single_quotes else _DOUBLE)
    text, at, tokens = source.text, 0, []
    while at < len(text):
        if text[at] == "{":
            end = _closing(source, at)
            tokens.append(Token("condition", text[at + 1 : end], at, end + 1 - at))
            at = end + 1
            continue
        found = pattern.match(text, at)
        assert found is not None  # a symbol may be any character
        if found.lastgroup != "blank":
            tokens.append(_token(found))
        at = found.end()
    tokens.append(Token("end", "the end of the formula", len(text.rstrip()) or len(text), 1))
    return tokens


def _token(found: re.Match[str]) -> Token:
    text, start, length = found[0], found.start(), len(found[0])
    match found.lastgroup:
        case "word":
            return Token(*_word(text), start, length)
        case "quoted":
            return Token("quoted", re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL), start, length)
        case "symbol" if text in SPELLINGS:
            return Token("connective", SPELLINGS[text], start, length)
        case kind:
            return Token(kind or "", text, start, length)


def _word(text: str) -> tuple[str, str]:
    if text in SPELLINGS:
        return "connective", SPELLINGS[text]
    if text in FAIRNESS:
        return "fairness", text
    if PREFIX_LETTERS.issuperset(text):
        return "prefix", text
    return ("binary" if text in BINARY_LETTERS else "name"), text


def _closing(source: Source, start: int) -> int:
    """Where the brace that opens here is closed. Braces within strings do not count."""
    depth = 0
    for found in _CONDITION.finditer(source.text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    raise InputError(source.diagnostic("this brace is not closed", start))
