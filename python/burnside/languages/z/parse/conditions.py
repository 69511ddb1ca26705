"""Conditions, as they are written on a command line: Z in LaTeX, in Unicode, or in plain letters.

In: a source, and the vocabulary of a specification. Out: tokens, as if the text were LaTeX.

A word that the specification does not use may stand for the mark that has a backslash before it: `dom f`, `x notin S`,
`forall x : S @ x in T`, `s cat t`, `#s`; so may `and or not exists1 if then else let union inter`. Symbols are `=>`, `<=>`,
`/\\`, `\\/`, `&`, `/=`, `<=`, `>=`, `..`, `|->`, `<|`, `|>`, `<<|`, `|>>`, `<->`, `+->`, `-->`, `>->`, `>+>`, `+->>`, `-->>`,
`>->>`, and a backslash before a blank for the difference of sets. Braces are those of sets (but `R^{2}`), and underscores
need no backslash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from burnside.diagnostics import Source
from burnside.languages.shared.lexer import Token
from burnside.languages.z.parse import marks
from burnside.languages.z.parse.marks import Operator
from burnside.languages.z.parse.scanner import DECORATION, Scanner, ending, plain
from burnside.records import record


@record(eq=False, repr=False)
class Vocabulary:
    """What has to be known of a specification to read a condition about it. `names`: all that occur in it."""

    schemas: frozenset[str]
    operators: Mapping[str, Operator]
    names: frozenset[str]


SYMBOLS = {
    "<=>": "\\iff", "=>": "\\implies", "/\\": "\\land", "\\/": "\\lor", "&": "\\land", "/=": "\\neq", "<=": "\\leq",
    ">=": "\\geq", "..": "\\upto", "|->": "\\mapsto", "<|": "\\dres", "|>": "\\rres", "<<|": "\\ndres",
    "|>>": "\\nrres", "<->": "\\rel", "+->": "\\pfun", "-->": "\\fun", ">->": "\\inj", ">+>": "\\pinj",
    "+->>": "\\psurj", "-->>": "\\surj", ">->>": "\\bij", "#": "\\#",
}  # fmt: skip
WORDS = {
    "and": "\\land", "or": "\\lor", "not": "\\lnot", "exists1": "\\exists_1", "if": "\\IF", "then": "\\THEN",
    "else": "\\ELSE", "let": "\\LET", "union": "\\cup", "inter": "\\cap",
}  # fmt: skip
CONSTANTS = frozenset(
    ("\\dom", "\\ran", "\\nat", "\\num", "\\empty", "\\emptyset", "\\bigcup", "\\bigcap", "\\dcat")
)
"""Names of the tool-kit that are no operators, and have a backslash."""

_TOKEN = re.compile(
    rf"""
    (?P<blank>      [\s~]+ | \\[;:,!] )
  | (?P<name>       [A-Za-z](?:[A-Za-z0-9_]|\\_)* )
  | (?P<number>     [0-9]+ )
  | (?P<different>  (?<=\s)!= )
  | (?P<decoration> {DECORATION} )
  | (?P<symbol>     {"|".join(map(re.escape, sorted(SYMBOLS, key=len, reverse=True)))} )
  | (?P<difference>      \\(?=\s) )
  | (?P<brace>      [{{}}] )
  | (?P<mark>       \\(?:exists_1|power_1|[A-Za-z]+|[\#_{{}}]) | == | [@|()\[\]:;,/^+\-*.=<>] )
    """,
    re.VERBOSE,
)
_RUN = re.compile(r"[+\-*.=<>]+")
_SUBSCRIPT = re.compile(r"(?:_[0-9])+\Z")


class ConditionScanner(Scanner):
    def __init__(self, source: Source, vocabulary: Vocabulary) -> None:
        super().__init__(source, dict(vocabulary.operators))
        self.names = vocabulary.names
        self.braces: list[str] = []
        """For every brace that is open, the token that closes it."""
        self.box = "the condition"
        self.condition()

    def condition(self) -> None:
        text, at = self.text, 0
        while at < len(text) and self.error is None:
            found = _TOKEN.match(text, at)
            run = _RUN.match(text, at)
            if run is not None and run[0] in self.operators and run[0] not in marks.TOOLKIT:
                at = self.mark(run[0], at, len(run[0]))
                continue
            if found is None:
                at += self.unicode(at)
                continue
            start, at, written = at, found.end(), found[0]
            match found.lastgroup:
                case "name":
                    at = self.word(written, start)
                case "number":
                    self.apart(start)
                    self.emit("number", written, start, len(written))
                case "decoration":
                    self.emit("decoration", plain(written), start, len(written))
                case "symbol":
                    self.mark(SYMBOLS[written], start, len(written))
                case "mark":
                    self.mark(written, start, len(written))
                case "difference":
                    self.mark("\\setminus", start, 1)
                case "brace":
                    self.brace(written, start)
                case "different":
                    self.wrong("'!=' is no part of Z", start, 2, "'/=' and '\\neq' are")
        if self.error is None:
            self.tokens.append(ending(self.source, ""))

    def word(self, text: str, start: int) -> int:
        """A name, or what it stands for; the offset behind it. `x_1` is a decorated name unless `x\\_1` is known."""
        name = re.sub(r"(?<!\\)_", r"\\_", text)
        if name not in self.names:
            mark = WORDS.get(text, "\\" + text)
            subscript = _SUBSCRIPT.search(text)
            if mark in marks.RESERVED or mark in self.operators or mark in CONSTANTS:
                return self.mark(mark, start, len(text))
            if subscript is not None and subscript.start() > 0:
                return self.word(text[: subscript.start()], start)
        if name not in self.operators and name not in marks.RESERVED:
            self.apart(start)
        self.name(name, start)
        last = self.tokens.pop()
        self.tokens.append(Token(last.kind, last.text, start, len(text)))
        return start + len(text)

    def apart(self, start: int) -> None:
        """Refuse two names side by side, which may lack an operator."""
        last = self.tokens[-1] if self.tokens else None
        if last is None or last.kind not in ("word", "decoration") or last.text.startswith("\\"):
            return
        if self.text[last.end : start].isspace():
            hint = "write f~x or f(x) for an application"
            self.wrong(f"'~' is missing after {last}: two names side by side", last.offset, last.length, hint)

    def brace(self, text: str, start: int) -> None:
        if text == "{":
            grouping = bool(self.tokens) and self.tokens[-1][:2] in (("symbol", "^"), ("symbol", "\\inrel"))
            self.braces.append("}" if grouping else "\\}")
            self.emit("symbol", "{" if grouping else "\\{", start, 1)
        else:
            self.emit("symbol", self.braces.pop() if self.braces else "\\}", start, 1)
