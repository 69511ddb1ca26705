"""Murphi's text as tokens. In: a source. Out: tokens with their offsets, the last one of kind `end`.

Keywords may be in any case, names are case-sensitive (rumur's `var-case.m`). Where the two checkers read a literal
differently, this follows rumur: `010` is eight, and `\\"` in a string is a quote.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.ir.arithmetic import MAX_NUMBER
from burnside.languages.shared.lexer import Token, scan, unreadable

KEYWORDS = frozenset(
    (
        "alias", "array", "assert", "begin", "boolean", "by", "case", "clear", "const", "do", "else", "elsif",
        "end", "endalias", "endexists", "endfor", "endforall", "endfunction", "endif", "endprocedure",
        "endrecord", "endrule", "endruleset", "endstartstate", "endswitch", "endwhile", "enum", "error",
        "exists", "false", "for", "forall", "function", "if", "invariant", "isundefined", "of", "procedure",
        "put", "record", "return", "rule", "ruleset", "scalarset", "startstate", "switch", "then", "to", "true",
        "type", "undefine", "var", "while",
    )
)  # fmt: skip
"""Reserved by both checkers. What only one of them reserves (`choose`, `cover`, `union`, ...) is a keyword where it can be
nothing else, and a name elsewhere."""

UNICODE = {
    "≔": ":=", "≥": ">=", "→": "->", "≤": "<=", "≠": "!=", "⇒": "==>", "¬": "!", "∧": "&&", "∨": "||",
    "÷": "/", "∕": "/", "−": "-", "×": "*", "∀": "forall", "∃": "exists",
}  # fmt: skip

_TOKEN = re.compile(
    r"""
    (?P<blank>   [ \t\r\n\f\v]+ | --[^\n]* | /\*.*?\*/ )
  | (?P<real>    [0-9]+\.[0-9]+ )
  | (?P<number>  0[xX][0-9a-fA-F]+ | 0[bB][01]+ | [0-9]+ )
  | (?P<name>    [A-Za-z_][A-Za-z_0-9]* )
  | (?P<string>  ["“](?:\\.|[^"”\\])*["”] )
  | (?P<symbol>  ==> | := | \.\. | >= | >> | -> | <= | << | != | == | && | \|\| | [-^~&!|:=><%+;{},\[\].()*?] | /(?!\*) )
  | (?P<unicode> [≔≥→≤≠⇒¬∧∨÷∕−×∀∃] )
    """,
    re.VERBOSE | re.DOTALL,
)


def tokenize(source: Source) -> list[Token]:
    tokens = scan(source, _TOKEN, _token, _unreadable)
    tokens.append(Token("end", "", len(source.text), 1))
    return tokens


def _token(source: Source, match: re.Match[str]) -> Token | None:
    text, offset, length = match[0], match.start(), len(match[0])
    match match.lastgroup:
        case "blank":
            return None
        case "name":
            word = text.lower()
            return Token(*("keyword", word) if word in KEYWORDS else ("name", text), offset, length)
        case "string":
            return Token("string", re.sub(r"\\([\"”\\])", r"\1", text[1:-1]), offset, length)
        case "unicode":
            meaning = UNICODE[text]
            return Token("keyword" if meaning in KEYWORDS else "symbol", meaning, offset, length)
        case "number":
            return Token("number", text, offset, length)
        case "real":
            raise UnsupportedError(source.diagnostic("real numbers are not supported", offset, length))
        case _:
            return Token("symbol", text, offset, length)


def _unreadable(source: Source, at: int) -> InputError:
    return unreadable(source, at, "Murphi", '"“')


def number(source: Source, token: Token) -> int:
    """The value of a literal: decimal, `0x` hexadecimal, `0b` binary, `0` octal."""
    text = token.text.lower()
    base = 16 if text.startswith("0x") else 2 if text.startswith("0b") else 8 if text.startswith("0") else 10
    if base == 8 and set(text) & set("89"):
        message = f"{text} is no number: a leading zero makes it octal"
        raise InputError(source.diagnostic(message, token.offset, token.length))
    significant = text[2:] if base in (2, 16) else text
    if len(significant.lstrip("0")) > 64 or int(significant, base) > MAX_NUMBER:
        message = "this number is beyond 64 bits (with sign)"
        raise InputError(source.diagnostic(message, token.offset, token.length))
    return int(significant, base)
