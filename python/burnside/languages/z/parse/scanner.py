"""Z's text as tokens. In: a source. Out: the tokens of its boxes and directives.

Only what stands in the environments `zed`, `schema`, `axdef`, `gendef` and `syntax` is Z; a line that begins with `%%` is
read as if these were not there. The ends of lines, `\\\\` and `\\also`, are tokens of kind `newline` where they separate
something. Directives that make names operators take effect here.

What is wrong becomes the last token, of kind `wrong`: the parser may find something wrong before it.
"""

from __future__ import annotations

import re

from burnside.diagnostics import Diagnostic, InputError, Source, UnsupportedError
from burnside.languages.shared.lexer import Token
from burnside.languages.z.parse import marks
from burnside.languages.z.parse.marks import Kind, Operator
from burnside.languages.z.syntax import IMAGE

_BOX = "|".join(marks.BOXES)
_NAME = r"[A-Za-z](?:[A-Za-z0-9]|\\_)*"
_DECORATION = r"(?:['!?]|_[0-9])+"

_PROSE = re.compile(
    rf"^%%(?P<directive>[a-z]+)|^(?P<hidden>%%)|(?P<comment>%[^\n]*)|\\begin\{{(?P<box>{_BOX})\}}",
    re.MULTILINE,
)
_MATH = re.compile(
    rf"""
    (?P<blank>      [\s&~"]+ | \{{\}} | \\[;:,\ !] | [.,](?=\s*(?:\\end\{{(?:{_BOX})\}}|\\also)) )
  | (?P<adjacent>   {_NAME}(?=(?:{_DECORATION})?\s+[A-Za-z0-9]) )
  | (?P<name>       {_NAME} )
  | (?P<number>     [0-9]+ )
  | (?P<decoration> {_DECORATION} )
  | (?P<newline>    \\\\ | \\also(?![A-Za-z]) )
  | (?P<tab>        \\t(?:[0-9]+|\{{[0-9]+\}}) )
  | (?P<close>      \\end\{{(?:{_BOX})\}} )
  | (?P<mark>       \\(?:exists_1|power_1|[A-Za-z]+|[\#_{{}}]) | ::= | [+\-*.=<>]+ | [@|()\[\]{{}}:;,/^] )
  | (?P<string>     \$"[^"\n]*" )
  | (?P<comment>    % )
    """,
    re.VERBOSE,
)

_CLOSE = re.compile(rf"\\end\{{(?:{_BOX})\}}")

DECLARATIONS: dict[str, Kind] = {
    "inop": "infix", "postop": "postfix", "inrel": "relation", "prerel": "prefix relation", "ingen": "generic",
    "pregen": "prefix generic", "ignore": "ignored",
}  # fmt: skip
"""The directives that say how names are written."""
ATTRIBUTES = ("type", "tame")
UNSUPPORTED = ("token",)
MAX_PRIORITY_DIGITS = 9

NORMAL, NEWLINE, AFTER_OPERATOR, SKIPPING, STARTUP = range(5)


class Scanner:
    def __init__(self, source: Source, operators: dict[str, Operator] | None = None) -> None:
        self.source = source
        self.text = source.text
        self.operators = dict(marks.TOOLKIT if operators is None else operators)
        self.tokens: list[Token] = []
        self.error: InputError | UnsupportedError | None = None
        self.state = STARTUP
        self.line_end = Token("newline", "\\\\", 0, 2)
        self.boxes = 0

    def specification(self) -> None:
        """Scan a whole file."""
        at = 0
        while self.error is None:
            found = _PROSE.search(self.text, at)
            if found is None:
                break
            at = found.end()
            if found["box"] is not None:
                self.boxes += 1
                self.emit("begin", found["box"], found.start(), at - found.start())
                at = self.math(at, len(self.text), found)
            elif found["directive"] is not None:
                at = self.directive(found)
        if self.error is None:
            self.tokens.append(Token("end", "the end of the file", len(self.text), 1))

    def math(self, at: int, end: int, box: re.Match[str] | None) -> int:
        """Scan Z up to the end of its box, or to `end`; the offset behind it."""
        text, match = self.text, _MATH.match
        while at < end:
            found = match(text, at, end)
            if found is None:
                self.wrong(f"{text[at]!r} is no part of Z", at)
                return end
            kind, start, at = found.lastgroup, at, found.end()
            if kind == "blank":
                continue
            if kind == "name":
                self.name(found[0], start)
            elif kind == "mark":
                self.mark(found[0], start)
            elif kind == "decoration" or kind == "number":
                self.emit(kind, found[0], start, at - start)
            elif kind == "newline":
                self.line_end = Token("newline", found[0], start, at - start)
                self.state = SKIPPING if self.state in (AFTER_OPERATOR, SKIPPING) else NEWLINE
            elif kind == "comment":
                at = self.behind_comment(start)
            elif kind == "close":
                self.emit("close", found[0][5:-1], start, at - start)
                return at
            elif not self.rare(kind, found[0], start):
                return end
        if box is not None and end == len(text):
            line = self.source.span(box.start()).line
            self.wrong(f"the box '{box['box']}' of line {line} is not closed", max(0, len(text.rstrip()) - 1))
        return end

    def rare(self, kind: str | None, text: str, start: int) -> bool:
        if kind == "adjacent":
            hint = "write f~x or f(x) for an application, S~\\\\ or ';' between two predicates"
            self.wrong(f"two names side by side: '~' is missing after '{text}'", start, len(text), hint)
            return False
        if kind == "tab":
            if self.state in (STARTUP, NEWLINE, SKIPPING):
                return True
            hint = "it stands after '\\\\\\\\', '\\\\also', '\\\\where' or at the start of a box"
            self.wrong(f"'{text}' is not at the start of a line", start, len(text), hint)
            return False
        self.wrong("a string is no part of Z", start, len(text))
        return False

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
        elif text in marks.RESERVED:
            self.emit("symbol", text, start, len(text))
        else:
            self.emit("word", text, start, len(text))

    def mark(self, text: str, start: int) -> None:
        length = len(text)
        if text in marks.RESERVED:
            self.emit("symbol", marks.SPELLINGS.get(text, text), start, length)
            return
        if text not in self.operators:
            text = marks.NAMES.get(text, text)
        operator = self.operators.get(text)
        self.emit("word" if operator is None else operator.kind, text, start, length)

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
        self.fail(self.source.diagnostic(message, start, length, hint), start, length)

    def fail(self, diagnostic: Diagnostic, start: int, length: int) -> None:
        self.error = InputError(diagnostic)
        self.tokens.append(Token("wrong", self.text[start : start + length], start, length))

    # Directives

    def directive(self, found: re.Match[str]) -> int:
        """Read the line of a directive; the offset of its end."""
        word, start, at = found["directive"], found.start(), found.end()
        end = self.behind_comment(at) if self.text.startswith("%", at) else self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        if word == "unchecked":
            return self.skip_box(end)
        if word in UNSUPPORTED:
            self.error = UnsupportedError(
                self.source.diagnostic(f"%%{word} is not supported", start, at - start)
            )
            self.tokens.append(Token("wrong", found[0], start, at - start))
        elif word in ("pname", "debug", "line"):
            pass
        elif word in ATTRIBUTES or word in DECLARATIONS:
            names = self.names(at, end)
            if self.error is None and not names:
                self.wrong(f"expected the names that %%{word} is about", start, at - start)
            elif self.error is None and word in ATTRIBUTES:
                self.tokens += (
                    Token("directive", word, start, at - start),
                    *names,
                    Token("directive", "", end, 1),
                )
            elif self.error is None:
                self.declare(word, names, start)
        else:
            known = ", ".join(
                sorted(f"%%{each}" for each in (*DECLARATIONS, *ATTRIBUTES, "unchecked", "pname", "line"))
            )
            hint = f"directives are {known}; a comment begins with one '%'"
            self.wrong(f"'%%{word}' is no directive", start, at - start, hint)
        return end

    def names(self, at: int, end: int) -> list[Token]:
        """The names and numbers of a directive."""
        found: list[Token] = []
        while at < end and self.error is None:
            match = _MATH.match(self.text, at, end)
            if match is None:
                self.wrong(f"{self.text[at]!r} is no part of a directive", at)
                break
            kind, text, start, at = match.lastgroup, match[0], at, match.end()
            if kind == "comment":
                break
            if (
                kind == "number"
                or kind in ("name", "adjacent")
                or (kind == "mark" and text not in marks.RESERVED)
            ):
                found.append(Token("number" if kind == "number" else "word", text, start, at - start))
            elif text == "\\rimg" and found and found[-1].text == "\\limg":
                limg = found.pop()
                found.append(Token("word", IMAGE, limg.offset, at - limg.offset))
            elif text == "\\limg":
                found.append(Token("word", text, start, at - start))
            elif kind != "blank":
                self.wrong(f"'{text}' cannot stand in a directive", start, at - start)
        return found

    def declare(self, word: str, names: list[Token], start: int) -> None:
        priority = 0
        if word == "inop":
            last = names.pop()
            if last.kind != "number" or not names:
                message = "expected names and their priority, a number"
                self.wrong(message, last.offset, last.length, "%%inop \\foo \\bar 3")
                return
            priority = int(last.text[:MAX_PRIORITY_DIGITS])
        for name in names:
            if name.kind == "number":
                self.wrong("expected a name, found a number", name.offset, name.length)
                return
            kind: Kind = "minus" if name.text == marks.MINUS else DECLARATIONS[word]
            self.operators[name.text] = Operator(kind, priority)

    def skip_box(self, at: int) -> int:
        """Behind the next box, whatever stands in it."""
        found = _CLOSE.search(self.text, at)
        return len(self.text) if found is None else found.end()
