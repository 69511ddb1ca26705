"""Z's text as tokens. In: a source. Out: the tokens of its boxes and directives.

Only what stands in the environments `zed`, `schema`, `axdef`, `gendef` and `syntax` is Z; `%%` at the start of a line is
read as if it were not there. The ends of lines, `\\\\` and `\\also`, are tokens of kind `newline` where they separate
something. Directives, and the operator templates of Standard Z, take effect here: from then on, their names are
tokens of kind `infix`, `relation`, ... Tokens of kind `symbol` are reserved.

What is wrong becomes the last token, of kind `wrong`: the parser may find something wrong before it.
"""

from __future__ import annotations

import re

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.shared.lexer import Token
from burnside.languages.z.parse import marks
from burnside.languages.z.parse.marks import Operator

BOX = "|".join(marks.BOXES)
NAME = r"[A-Za-z](?:[A-Za-z0-9]|\\_)*"
DECORATION = r"(?:['!?′₀-₉]|_[0-9])+"

MATH = re.compile(
    rf"""
    (?P<blank>      [\s&~"]+ | \{{\}} | \\[;:,\ !] | [.,](?=\s*(?:\\end\{{(?:{BOX})\}}|\\also)) )
  | (?P<adjacent>   {NAME}(?=(?:{DECORATION})?\s+[A-Za-z0-9]) )
  | (?P<name>       {NAME} )
  | (?P<number>     [0-9]+ )
  | (?P<decoration> {DECORATION} )
  | (?P<newline>    \\\\ | \\also(?![A-Za-z]) )
  | (?P<tab>        \\t(?:[0-9]+|\{{[0-9]+\}}) )
  | (?P<close>      \\end\{{(?:{BOX})\}} )
  | (?P<box>        \\(?:begin|end)(?![A-Za-z])(?:\s*\{{[^}}\n]*\}})? )
  | (?P<mark>       \\(?:exists_1|power_1|[A-Za-z]+|[\#_{{}}]) | ::= | [+\-*.=<>]+ | [@|()\[\]{{}}:;,/^] )
  | (?P<comment>    % )
    """,
    re.VERBOSE,
)
_OPENING = re.compile(rf"\\begin\{{({BOX})\}}|\\end\{{(?:{BOX})\}}")

NORMAL, NEWLINE, AFTER_OPERATOR, SKIPPING, STARTUP = range(5)


class Scanner:
    """One text, with the operators that it declares."""

    def __init__(self, source: Source, operators: dict[str, Operator]) -> None:
        self.source = source
        self.text = source.text
        self.operators = operators
        self.tokens: list[Token] = []
        self.error: InputError | UnsupportedError | None = None
        self.state = STARTUP
        self.line_end = Token("newline", "\\\\", 0, 2)
        self.box = ""
        """Which one this is in, with its line."""
        self.unclosed: int | None = None
        """Where a box begins that is most likely not closed: the next one begins before any ends."""

    def open_box(self, found: re.Match[str]) -> int:
        """Scan a box; the offset behind it."""
        name, start = found["box"], found.start()
        self.box = f"the box '{name}' of line {self.source.span(start).line}"
        following = _OPENING.search(self.text, found.end())
        if following is None or following[1]:
            self.unclosed = start
        self.emit("begin", name, start, found.end() - start)
        return self.math(found.end())

    def math(self, at: int) -> int:
        """Scan Z up to the end of its box; the offset behind it."""
        text, match, end = self.text, MATH.match, len(self.text)
        while at < end:
            found = match(text, at)
            if found is None:
                length = self.unicode(at)
                if not length:
                    return end
                at += length
                continue
            kind, start, at = found.lastgroup, at, found.end()
            if kind == "blank":
                continue
            if kind == "name":
                self.name(found[0], start)
            elif kind == "mark":
                at = self.mark(found[0], start, at - start)
            elif kind == "number":
                self.emit(kind, found[0], start, at - start)
            elif kind == "decoration":
                self.emit(kind, plain(found[0]), start, at - start)
            elif kind == "newline":
                self.line_end = Token("newline", found[0], start, at - start)
                self.state = SKIPPING if self.state in (AFTER_OPERATOR, SKIPPING) else NEWLINE
            elif kind == "comment":
                at = self.behind_comment(start)
            elif kind == "close":
                self.emit("close", found[0][5:-1], start, at - start)
                return at
            else:
                self.rare(kind, found[0], start)
            if self.error is not None:
                return end
        self.wrong(f"{self.box} is not closed", max(0, len(text.rstrip()) - 1))
        return end

    def rare(self, kind: str | None, text: str, start: int) -> None:
        if kind == "adjacent":
            hint = "write f~x or f(x) for an application, '\\\\' or ';' between two predicates"
            self.wrong(f"'~' is missing after '{text}': two names side by side", start, len(text), hint)
        elif kind == "box":
            known = text.startswith("\\begin") and text[6:].strip(" {}") in marks.BOXES
            inside = "a box cannot stand in another" if known else f"'{text}' is no part of Z"
            self.wrong(f"{inside}, and {self.box} is not closed", start, len(text))
        elif self.state not in (STARTUP, NEWLINE, SKIPPING):
            hint = "it may stand after '\\\\', '\\also' or '\\where', and at the start of a box"
            self.wrong(f"'{text}' is not at the start of a line", start, len(text), hint)

    def unicode(self, at: int) -> int:
        """Scan a mark that is one character, or has a subscript; its length, or 0."""
        character = self.text[at]
        if self.text.startswith("₁", at + 1) and character in marks.WITH_SUBSCRIPT:
            self.mark(marks.WITH_SUBSCRIPT[character], at, 2)
            return 2
        if character in marks.UNICODE:
            self.mark(marks.UNICODE[character], at, 1)
            return 1
        shown = character if character.isprintable() else f"\\x{ord(character):02x}"
        self.wrong(f"'{shown}' is no part of Z", at)
        return 0

    def behind_comment(self, start: int) -> int:
        """`%%` at the start of a line is nothing, other `%` begin a comment."""
        text = self.text
        if text.startswith("%%", start) and (start == 0 or text[start - 1] == "\n"):
            return start + 2
        end = text.find("\n", start)
        return len(text) if end < 0 else end

    def name(self, text: str, start: int) -> None:
        operator = self.operators.get(text)
        if operator is not None:
            self.emit(operator.kind, text, start, len(text))
        else:
            self.emit("symbol" if text in marks.RESERVED else "word", text, start, len(text))

    def mark(self, text: str, start: int, length: int) -> int:
        """Add the token that a mark stands for; the offset behind it."""
        if text in marks.RESERVED:
            self.emit("symbol", marks.SPELLINGS.get(text, text), start, length)
        else:
            if text not in self.operators:
                text = marks.NAMES.get(text, text)
            operator = self.operators.get(text)
            self.emit("word" if operator is None else operator.kind, text, start, length)
        return start + length

    def emit(self, kind: str, text: str, start: int, length: int) -> None:
        """Add a token, and an end of line before it where one separates something."""
        if kind == "ignored":
            return
        if kind in marks.BINARY_KINDS or (kind == "symbol" and text in marks.BINARY_SYMBOLS):
            self.state = AFTER_OPERATOR
        elif kind == "begin" or text == "\\where":
            self.state = STARTUP
        elif self.state == NEWLINE and kind != "close":
            self.tokens.append(self.line_end)
            self.state = NORMAL
        elif kind != "decoration":
            self.state = NORMAL
        self.tokens.append(Token(kind, text, start, length))

    def wrong(self, message: str, start: int, length: int = 1, hint: str | None = None) -> None:
        hint = self.hint_at(start) or hint
        self.fail(InputError(self.source.diagnostic(message, start, length, hint)), start, length)

    def hint_at(self, offset: int) -> str | None:
        """What is likely to be wrong with the box as a whole."""
        inside = self.unclosed is not None and offset > self.unclosed
        return f"{self.box} seems not to be closed" if inside else None

    def unsupported(self, message: str, start: int, length: int) -> None:
        self.fail(UnsupportedError(self.source.diagnostic(message, start, length)), start, length)

    def fail(self, error: InputError | UnsupportedError, start: int, length: int) -> None:
        if self.error is None:
            self.error = error
            self.tokens.append(Token("wrong", self.text[start : start + length], start, length))


def plain(decoration: str) -> str:
    """`′₁` is `'_1`."""
    if decoration.isascii():
        return decoration
    text = decoration.replace("′", "'")
    return re.sub("[₀-₉]", lambda found: "_" + found[0].translate(marks.SUBSCRIPTS), text)


def ending(source: Source, what: str) -> Token:
    return Token("end", what, len(source.text), 1)
