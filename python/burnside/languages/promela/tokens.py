"""Characters of a Promela text to tokens, before the preprocessor.

In: a source. Out: tokens with their places. Ends of lines are tokens (`newline`), since directives and implied semicolons
need them; comments and continued lines are blanks. What is no token of Promela becomes one of kind `other`: it is an error
only where the parser meets it, not in text that `#if` skips.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source
from burnside.languages.shared.lexer import Token

PATTERN = re.compile(
    r"""
      (?P<newline> \r?\n | \r)
    | (?P<blank> (?: [ \t\f\v\0] | \\[ \t]*\r?\n )+ )
    | (?P<comment> /\*.*?\*/ | //(?: \\\r?\n | [^\n] )* )
    | (?P<unclosed> /\* )
    | (?P<name> [A-Za-z_][A-Za-z_0-9]* )
    | (?P<number> [0-9]+ )
    | (?P<string> " (?: \\. | [^"\\\n] )* " )
    | (?P<character> ' (?: \\. | [^'\\\n] ) ' )
    | (?P<symbol> \#\# | :: | <-> | <> | \[\] | -> | -- | \+\+ | << | >> | <= | >= | == | != | !! | \?\? | && | \|\|
        | \.\.(?:\.)? | /\\ | \\/ | [-+*/%&^|~!<>=?:;,.(){}\[\]@\#] )
    | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)

ESCAPES = {"n": 10, "r": 13, "t": 9, "f": 12}


def tokens_of(source: Source) -> list[Token]:
    """All tokens of one file, the last of kind `newline`."""
    found: list[Token] = []
    text, at = source.text, 0
    while at < len(text):
        match = PATTERN.match(text, at)
        assert match is not None, "every character is at least `other`"
        kind, written = match.lastgroup, match.group()
        start, at = at, match.end()
        if kind == "unclosed":
            raise InputError(source.diagnostic("this comment is not closed", start, 2))
        if kind is None or kind == "blank":
            continue
        if kind == "comment":
            if "\n" in written and written.startswith("/*"):
                # The compiler's preprocessor, which Spin uses, keeps the ends of lines: a semicolon may be implied there.
                found.append(Token("comment", "", start, len(written), source))
            continue
        if kind == "string":
            found.append(Token(kind, written[1:-1], start, len(written), source))
        elif kind == "character":
            code = ESCAPES.get(written[2], ord(written[2])) if written[1] == "\\" else ord(written[1])
            found.append(Token("number", str(code), start, len(written), source))
        else:
            found.append(Token(kind, written, start, len(written), source))
    found.append(Token("newline", "\n", len(text), 1, source))
    return found
