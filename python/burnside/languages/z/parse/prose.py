"""The text around boxes: directives, comments, environments that are no boxes. In: a source. Out: a `FileScanner`, whose
tokens are those of the whole file.
"""

from __future__ import annotations

import re

from burnside.diagnostics import Source
from burnside.languages.shared.lexer import Token
from burnside.languages.z.parse import marks
from burnside.languages.z.parse.marks import Kind, Operator
from burnside.languages.z.parse.scanner import BOX, MATH, Scanner, ending
from burnside.languages.z.syntax import IMAGE

_PROSE = re.compile(
    rf"""
    ^%%(?P<directive>[a-z]+) | ^(?P<hidden>%%) | (?P<comment>%[^\n]*)
  | \\begin\{{(?P<box>{BOX})\}} | \\begin[ \t]*\{{(?P<other>[^}}\n]*)\}}
    """,
    re.MULTILINE | re.VERBOSE,
)
_SKIPPED = re.compile(rf"^%%|%[^\n]*|(?P<close>\\end\{{(?:{BOX})\}})", re.MULTILINE)
_STANDARD = re.compile(r"\\begin\{zsection\}|^\\SECTION", re.MULTILINE)
_TEMPLATE = re.compile(
    r"""
    \\(?P<category>function|relation|generic)(?![A-Za-z])
    [\s~]* (?P<priority>[0-9]+)? [\s~]* (?P<association>\\(?:left|right)assoc(?![A-Za-z]))?
    [\s~]* \( (?P<items> [^()]* ) \)
    """,
    re.VERBOSE,
)

DECLARATIONS: dict[str, Kind] = {
    "inop": "infix", "postop": "postfix", "inrel": "relation", "prerel": "prefix relation", "ingen": "generic",
    "pregen": "prefix generic", "ignore": "ignored",
}  # fmt: skip
"""The directives that say how names are written."""
ATTRIBUTES = ("type", "tame")
WITHOUT_EFFECT = ("pname", "debug", "line")
"""How names are shown, and lines counted."""
KINDS: dict[tuple[str, str], Kind] = {
    ("function", "_x_"): "infix", ("function", "_x"): "postfix", ("relation", "_x_"): "relation",
    ("relation", "x_"): "prefix relation", ("generic", "_x_"): "generic", ("generic", "x_"): "prefix generic",
}  # fmt: skip
"""Of operators, by the category and the form of their templates."""
MAX_PRIORITY_DIGITS = 9


class FileScanner(Scanner):
    def __init__(self, source: Source) -> None:
        super().__init__(source, dict(marks.TOOLKIT))
        self.has_boxes = False
        self.standard = _STANDARD.search(source.text) is not None
        """Whether this is Standard Z, which defines schemas by `==`."""
        self.file()

    def file(self) -> None:
        at = 0
        while self.error is None and (found := _PROSE.search(self.text, at)) is not None:
            at = found.end()
            if found["box"] is not None:
                self.has_boxes = True
                at = self.open_box(found)
            elif found["directive"] is not None:
                at = self.directive(found)
            elif found["other"] is not None:
                self.environment(found["other"], found.start(), found.end())
        if self.error is None:
            self.tokens.append(ending(self.source, "the end of the file"))

    def environment(self, name: str, start: int, end: int) -> None:
        """Refuse one whose name is almost that of a box: the text would mean something else without it."""
        meant = next((box for box in marks.BOXES if _is_slip(name, box)), None)
        if meant is not None and not re.search(rf"\\newenvironment\*?\{{{re.escape(name)}\}}", self.text):
            hint = f"write \\begin{{{meant}}}"
            self.wrong(f"'{self.text[start:end]}' begins no box of Z", start, end - start, hint)

    # Directives

    def directive(self, found: re.Match[str]) -> int:
        """Read the line of a directive; the offset of its end."""
        word, start, at = found["directive"], found.start(), found.end()
        length = at - start
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        if word == "unchecked":
            return self.skip_box(end)
        if word in ATTRIBUTES or word in DECLARATIONS:
            names = self.names(at, end)
            if self.error is not None:
                return end
            if not names:
                self.wrong(f"expected names after '%%{word}'", start, length)
            elif word in DECLARATIONS:
                self.declare(word, names)
            else:
                self.tokens += (
                    Token("directive", word, start, length), *names, Token("directive", "", end, 1)
                )  # fmt: skip
        elif word == "token":
            self.unsupported("the directive '%%token' is not supported", start, length)
        elif word not in WITHOUT_EFFECT:
            known = ", ".join(
                f"%%{each}" for each in sorted((*DECLARATIONS, *ATTRIBUTES, "unchecked", "pname"))
            )
            hint = f"directives are {known}; a comment begins with one '%'"
            self.wrong(f"'%%{word}' is no directive", start, length, hint)
        return end

    def skip_box(self, at: int) -> int:
        """Behind the next box, whatever stands in it."""
        while (found := _SKIPPED.search(self.text, at)) is not None:
            at = found.end()
            if found["close"] is not None:
                return at
        return len(self.text)

    def names(self, at: int, end: int) -> list[Token]:
        """The names and numbers of a directive."""
        found: list[Token] = []
        while at < end and self.error is None:
            match = MATH.match(self.text, at, end)
            if match is None:
                self.wrong(f"{self.text[at]!r} is no part of a directive", at)
                break
            kind, text, start, at = match.lastgroup, match[0], at, match.end()
            if kind == "comment":
                break
            if text == "\\rimg" and found and found[-1].text == "\\limg":
                opening = found.pop()
                found.append(Token("word", IMAGE, opening.offset, at - opening.offset))
            elif kind == "number" or text == "\\limg":
                found.append(Token("number" if kind == "number" else "mark", text, start, at - start))
            elif kind in ("name", "adjacent", "mark") and text not in marks.RESERVED:
                found.append(Token("word", text, start, at - start))
            elif kind != "blank":
                self.wrong(f"'{text}' is no name that a directive may declare", start, at - start)
        return found

    def declare(self, word: str, names: list[Token]) -> None:
        priority = 0
        if word == "inop":
            last = names.pop()
            if last.kind != "number" or not names:
                hint = "a priority is a number, as in %%inop \\foo 3"
                self.wrong("expected the priority of these operators", last.end, 1, hint)
                return
            priority = int(last.text[:MAX_PRIORITY_DIGITS]) * marks.PRIORITY_STEP
        for name in names:
            if name.kind != "word" or name.text == IMAGE:
                self.wrong(f"expected a name, found {name}", name.offset, name.length)
                return
            self.operator(name.text, Operator(DECLARATIONS[word], priority))

    def operator(self, name: str, operator: Operator) -> None:
        if name == marks.MINUS:
            operator = Operator("minus", operator.priority)
        self.operators[name] = operator

    # Templates of Standard Z

    def mark(self, text: str, start: int, length: int) -> int:
        if text in ("\\function", "\\relation", "\\generic") and text not in self.operators:
            found = _TEMPLATE.match(self.text, start)
            if found is not None:
                self.template(found)
                return found.end()
        return super().mark(text, start, length)

    def template(self, found: re.Match[str]) -> None:
        """`\\relation (\\_ \\foo \\_)` declares an operator, as a paragraph. It becomes one token."""
        items = re.findall(rf"\\_|{NAME_OR_MARK}|[^\s~]", found["items"])
        names = [item for item in items if item != "\\_"]
        form = "".join("_" if item == "\\_" else "x" for item in items)
        kind = KINDS.get((found["category"], form))
        start, length = found.start(), len(found[0])
        if (
            kind is None
            or names[0] in marks.RESERVED
            or (found["association"] == "\\rightassoc" and kind == "infix")
        ):
            self.unsupported("operators of this form are not supported", start, length)
            return
        self.operator(names[0], Operator(kind, int((found["priority"] or "0")[:MAX_PRIORITY_DIGITS])))
        self.emit("template", found[0], start, length)


NAME_OR_MARK = r"[A-Za-z](?:[A-Za-z0-9]|\\_)*|\\[A-Za-z]+(?:_[0-9])?|[+\-*.=<>]+"


def _is_slip(name: str, box: str) -> bool:
    """Whether one letter, blanks or capitals are all that is between them."""
    written = name.strip().lower().rstrip("*")
    if written == box:
        return True
    longer, shorter = sorted((written, box), key=len, reverse=True)
    if len(longer) == len(shorter) + 1:
        return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
    swapped = [box[:i] + box[i + 1] + box[i] + box[i + 2 :] for i in range(len(box) - 1)]
    return written in swapped
