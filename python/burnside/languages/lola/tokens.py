"""The words of a LoLA file. In: its text. Out: tokens with their places, the last one an `end`."""

from __future__ import annotations

import re

from burnside.diagnostics import Diagnostic, InputError, Source
from burnside.languages.shared.lexer import Token

_TOKEN = re.compile(
    r"""
      (?P<skip>     [\s]+ | //[^\n]* | /\*.*?\*/ )
    | (?P<open>     \{ )
    | (?P<quoted>   "[^"\n\x00-\x1f\x7f-\x9f]*" )
    | (?P<number>   [0-9]+ (?= [,;:(){}\s] | \Z ) )
    | (?P<symbol>   [,;:()}] )
    | (?P<name>     (?!"|/\*) [^,;:(){}\s\x00-\x1f\x7f-\x9f]+ )
    | (?P<wrong>    . )
    """,
    re.VERBOSE | re.DOTALL,
)
_BRACE = re.compile(r"[{}]")


def tokenize(source: Source) -> list[Token]:
    tokens, at, text = [], 0, source.text
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None, "the last alternative takes any character"
        kind = match.lastgroup or "wrong"
        if kind == "open":
            at = _after_comment(source, at)
            continue
        if kind == "wrong":
            raise InputError(_complaint(source, at))
        if kind == "quoted":
            tokens.append(_quoted(source, match))
        elif kind != "skip":
            tokens.append(Token(kind, match[0], at, len(match[0])))
        at = match.end()
    tokens.append(Token("end", "the end of the file", len(text.rstrip()), 1))
    return tokens


def _after_comment(source: Source, start: int) -> int:
    depth = 0
    for match in _BRACE.finditer(source.text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    raise InputError(source.diagnostic("the comment that starts here is not closed", start))


def _quoted(source: Source, match: re.Match[str]) -> Token:
    name = match[0][1:-1].strip()
    if not name:
        raise InputError(source.diagnostic("a name in quotes is empty", match.start(), len(match[0])))
    return Token("quoted", name, match.start(), len(match[0]))


def _complaint(source: Source, at: int) -> Diagnostic:
    character = source.text[at]
    if source.text.startswith("/*", at):
        return source.diagnostic("the comment that starts here is not closed", at, 2)
    if character == '"':
        return source.diagnostic("the name that starts here has no closing quote", at)
    return source.diagnostic(f"character U+{ord(character):04X} cannot stand here", at)
