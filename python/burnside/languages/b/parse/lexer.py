"""B's text as tokens. In: a source. Out: tokens with their offsets, the last one of kind `end`.

ProB's words and symbols, in ASCII or in Unicode: a token's text is always the ASCII one. Comments are left out, and so are
pragmas (`/*@ ... */`), except labels of predicates and names of files.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.shared.lexer import Token, unreadable

HEADERS = frozenset(("MACHINE", "MODEL", "SYSTEM", "REFINEMENT", "IMPLEMENTATION"))
CLAUSES = frozenset(
    (
        "ABSTRACT_CONSTANTS", "ABSTRACT_VARIABLES", "ASSERTIONS", "CONCRETE_CONSTANTS", "CONCRETE_VARIABLES",
        "CONSTANTS", "CONSTRAINTS", "DEFINITIONS", "EVENTS", "EXTENDS", "FREETYPES", "IMPORTS", "INCLUDES",
        "INITIALISATION", "INITIALIZATION", "INVARIANT", "LOCAL_OPERATIONS", "OPERATIONS", "PROMOTES",
        "PROPERTIES", "REFINES", "SEES", "SETS", "USES", "VALUES", "VARIABLES",
    )
)  # fmt: skip
"""Words that begin a clause."""

KEYWORDS = frozenset(
    (
        "ANY", "ASSERT", "BE", "BEGIN", "BOOL", "CASE", "CHOICE", "DO", "EITHER", "ELSE", "ELSIF", "END", "FALSE",
        "FIN", "FIN1", "IF", "IN", "INT", "INTEGER", "INTER", "LET", "MAXINT", "MININT", "NAT", "NAT1", "NATURAL",
        "NATURAL1", "OF", "OR", "PI", "POW", "POW1", "PRE", "SELECT", "SIGMA", "STRING", "THEN", "TRUE", "UNION",
        "VAR", "VARIANT", "WHEN", "WHERE", "WHILE",
        "bfalse", "bool", "btrue", "card", "closure", "closure1", "conc", "dom", "first", "fnc", "front", "id",
        "inter", "iseq", "iseq1", "iterate", "last", "max", "min", "mod", "not", "or", "perm", "pred", "prj1",
        "prj2", "ran", "rec", "rel", "rev", "seq", "seq1", "size", "skip", "struct", "succ", "tail", "union",
    )
) | HEADERS | CLAUSES  # fmt: skip
"""Names of operators on trees and reals are left to the user."""

UNICODE = {
    "∧": "&", "∨": "or", "¬": "not", "⇒": "=>", "⇔": "<=>", "∀": "!", "∃": "#", "⊤": "btrue", "⊥": "bfalse",
    "∈": ":", "∉": "/:", "⊆": "<:", "⊈": "/<:", "⊂": "<<:", "⊄": "/<<:", "≠": "/=", "≤": "<=", "≥": ">=",
    "∪": "\\/", "∩": "/\\", "∖": "\\", "×": "*", "∗": "*", "ℙ1": "POW1", "ℙ₁": "POW1", "ℙ": "POW",
    "ℕ1": "NATURAL1", "ℕ₁": "NATURAL1", "ℕ": "NATURAL", "ℤ": "INTEGER", "⋃": "UNION", "⋂": "INTER", "∑": "SIGMA",
    "∏": "PI", "λ": "%", "−": "-", "÷": "/", "‥": "..", "·": ".", "⋅": ".", "∣": "|", "∥": "||", "↦": "|->",
    "↔": "<->", "\ue100": "<<->", "\ue101": "<->>", "\ue102": "<<->>", "⇸": "+->", "→": "-->", "⤔": ">+>",
    "↣": ">->", "⤀": "+->>", "↠": "-->>", "⤗": ">+>>", "⤖": ">->>", "◁": "<|", "⩤": "<<|", "◀": "<<|", "▷": "|>",
    "⩥": "|>>", "▶": "|>>", "\ue103": "<+", "⋖": "<+", "⊗": "><", "∼": "~", "⁻¹": "~", "≔": ":=", ":∈": "::",
    "←": "<--", "⇾": "->", "⇽": "<-", "↑": "/|\\", "↓": "\\|/", "⌒": "^", "∅": "{}",
}  # fmt: skip

SYMBOLS = frozenset((
    "/<<:", "<<->>", ">->>", ">+>>", "+->>", "-->>", "<<->", "<->>", "|->", "|>>", "<<|", "<<:", "/<:", "<=>", "<--",
    "<->", "+->", "-->", ">->", ">+>", "/|\\", "\\|/", "::", ":=", "<:", "<=", "<|", "<+", "<-", "<>", "=>", "==",
    ">=", "><", "|>", "||", "/:", "/=", "/\\", "\\/", "**", "->", "+>", "..", "+", "-", "*", "/", "\\", "^", "~",
    "'", "$", "(", ")", "[", "]", "{", "}", "<", ">", "=", ":", ";", ",", ".", "|", "&", "!", "#", "%",
))  # fmt: skip

MAX_DIGITS = 4000
"""Of a number: Python refuses to read longer ones by itself."""


_TOKEN = re.compile(
    r"""
    (?P<blank>   [\s\ufeff]+ | //[^\n]* )
  | (?P<name>    [A-Za-z]\w*[′‘’]* )
  | (?P<comment> /\*.*?\*/ )
  | (?P<real>    [0-9]+\.[0-9]+ )
  | (?P<number>  0x[0-9a-fA-F]+ | [0-9]+ )
  | (?P<string>  "(?:[^"\\\n]|\\.)*" | '''.*?''' )
  | (?P<template> ```.*?``` )
  | (?P<quoted>  `[^`\n]+` )
    """,
    re.VERBOSE | re.DOTALL,
)
"""Symbols are found without it: compiling an alternative of a hundred would cost more than most models."""
_FOREIGN = re.compile(r"[^\W\d_]\w*[′‘’]*")
_PRAGMA = re.compile(r'/\*@\s*(label|file)\s+("[^"]*"|\S+?)\s*\*/', re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}


def tokenize(source: Source) -> list[Token]:
    text, tokens = source.text, []
    at = text.find("\n") if text.startswith("#!") else 0
    at, end, match = at if at >= 0 else len(text), len(text), _TOKEN.match
    while at < end:
        found = match(text, at)
        if found is None:
            tokens.append(_symbol(source, at))
            at = tokens[-1].end
            continue
        kind, start, at = found.lastgroup, at, found.end()
        if kind == "blank":
            continue
        if kind == "name":
            word = found[0]
            tokens.append(Token("keyword" if word in KEYWORDS else "name", word, start, at - start))
        elif (token := _rare(source, kind, found[0], start)) is not None:
            tokens.append(token)
    tokens.append(Token("end", "", len(text), 1))
    return tokens


def _rare(source: Source, kind: str | None, text: str, start: int) -> Token | None:
    length = len(text)
    match kind:
        case "number":
            return Token("number", text, start, length)
        case "string":
            quotes = 3 if text.startswith("'''") else 1
            return Token("string", _ESCAPE.sub(_escaped, text[quotes:-quotes]), start, length)
        case "quoted":
            return Token("name", text[1:-1], start, length)
        case "comment":
            return _pragma(text, start)
        case "template":
            raise UnsupportedError(source.diagnostic("template strings are not supported", start, 3))
        case _:
            raise UnsupportedError(source.diagnostic("real numbers are not supported", start, length))


def _symbol(source: Source, at: int) -> Token:
    """The longest one, or a name in foreign letters."""
    text = source.text
    if not text.startswith("/*", at):
        for length in (5, 4, 3, 2, 1):
            piece = text[at : at + length]
            if piece in SYMBOLS:
                return Token("symbol", piece, at, len(piece))
            meaning = UNICODE.get(piece)
            if meaning is not None:
                return Token("keyword" if meaning in KEYWORDS else "symbol", meaning, at, len(piece))
    found = _FOREIGN.match(text, at)
    if found is None:
        raise unreadable(source, at, "B", '"')
    return Token("name", found[0], at, len(found[0]))


def _pragma(text: str, start: int) -> Token | None:
    found = _PRAGMA.fullmatch(text) if text.startswith("/*@") else None
    if found is None:
        return None
    return Token("label" if found[1] == "label" else "file", found[2].strip('"'), start, len(text))


def _escaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[1], found[0])


def number(source: Source, token: Token) -> int:
    if token.length > MAX_DIGITS:
        message = f"this number has more than {MAX_DIGITS} digits"
        raise InputError(source.diagnostic(message, token.offset, token.length))
    return int(token.text[2:], 16) if token.text.startswith("0x") else int(token.text)
