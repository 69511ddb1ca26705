"""The DEFINITIONS of a machine, also from definition files. In: tokens. Out: `Macros`, parsed.

A definition may be an expression, a predicate or a substitution: whichever its body can be read as, in this order. Bodies
may use definitions that come later; cycles are refused. Where one body ends and the next definition begins is decided
before anything is parsed, since only `name ==` after a semicolon shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.languages.b.parse.cursor import Cursor
from burnside.languages.b.parse.expansion import Macro, Macros
from burnside.languages.b.parse.expressions import PREDICATE
from burnside.languages.b.parse.files import Reach
from burnside.languages.b.parse.lexer import CLAUSES, tokenize
from burnside.languages.b.parse.libraries import EXTERNAL_NAMES, LIBRARIES, WITHOUT_EFFECT
from burnside.languages.b.parse.substitutions import SubstitutionParser
from burnside.languages.b.syntax import expressions as s
from burnside.languages.b.syntax.machines import Definition
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import field_names, is_record, record

SETTINGS = (
    "scope_", "SET_PREF_", "ASSERT_LTL", "ASSERT_CTL", "HEURISTIC_FUNCTION", "ANIMATION_", "CUSTOM_GRAPH", "VISB_",
    "FORCE_SYMMETRY_", "SCOPE", "PRETTY_PRINT", "SIMB_", "SEQUENCE_CHART_", "FORGET_STATE_SPACE",
)  # fmt: skip
EXTERNAL = ("EXTERNAL_FUNCTION_", "EXTERNAL_PREDICATE_", "EXTERNAL_SUBSTITUTION_")
OPENING = {
    **dict.fromkeys(("BEGIN", "PRE", "ASSERT", "IF", "CHOICE", "SELECT", "ANY", "LET", "VAR", "WHILE"), 1),
    "CASE": 2,
}
"""How many `END`s each of these words needs."""


def is_setting(name: str) -> bool:
    """Does a definition of this name speak to the checker, not to the machine?"""
    return name == "GOAL" or name.startswith(SETTINGS)


def section_end(tokens: Sequence[Token], start: int) -> int:
    """The index of the token that ends the DEFINITIONS whose word has index `start`."""
    depth, at = 0, start + 1
    while (token := tokens[at]).kind != "end":
        if token.kind == "keyword":
            if token.text == "END":
                if depth == 0:
                    break
                depth -= 1
            elif token.text in CLAUSES and not (token.text == "INVARIANT" and depth):
                break
            depth += OPENING.get(token.text, 0)
        at += 1
    return at


@record(eq=False, repr=False)
class _Entry:
    """A definition whose body is still tokens, with one at the end that is not of it."""

    source: Source
    macro: Macro
    body: Sequence[Token]


class DefinitionReader:
    def __init__(self, reach: Reach) -> None:
        self.reach = reach
        self.macros = Macros()
        self.entries: dict[str, _Entry] = {}
        self.open: list[str] = []
        """Definition files that are being read, as their sources are called."""
        self.done: set[str] = set()

    def read(self, source: Source, tokens: Sequence[Token]) -> None:
        """All definitions in the text of a machine."""
        for at, token in enumerate(tokens):
            if token.text == "DEFINITIONS" and token.kind == "keyword":
                self.section(source, tokens, at + 1, section_end(tokens, at))
        self.mark_external()
        for name in self.in_order():
            self.parse(self.entries[name])

    def settings(self) -> dict[str, Definition]:
        found = {}
        for name, macro in self.macros.table.items():
            usable = macro.refusal is None and not macro.is_external
            if usable and not macro.parameters and is_setting(name) and name in self.entries:
                parts = (macro.name.at, macro.name, (), macro.expression, macro.substitution)
                found[name] = Definition(*parts)
        return found

    # Where definitions begin and end

    def section(self, source: Source, tokens: Sequence[Token], start: int, end: int) -> None:
        cursor = Cursor(source, tokens)
        if start:
            cursor.jump(start)
        while cursor.at < end:
            if cursor.token.kind == "string":
                name = cursor.advance()
                self.include(Extent(source, name.offset, name.length), name.text)
            else:
                self.definition(cursor, end)
            if cursor.at < end:
                cursor.expect(";")

    def definition(self, cursor: Cursor, end: int) -> None:
        name = cursor.identifier("the name of a definition")
        parameters: tuple[Identifier, ...] = ()
        if cursor.accept("("):
            parameters = cursor.identifiers("the name of a parameter")
            cursor.expect(")")
        if not cursor.is_symbol("=="):
            raise cursor.expected("'=='")
        cursor.advance()
        start, at = cursor.at, cursor.at
        while at < end and not self.begins_next(cursor.tokens, at, end):
            if cursor.tokens[at].text == "==" and cursor.tokens[at].kind == "symbol":
                cursor.jump(at)
                raise cursor.error("there is no ';' before this definition", cursor.token)
            at += 1
        stop = cursor.tokens[at]
        body = [*cursor.tokens[start:at], Token("end", "the end of the definition", stop.offset, stop.length)]
        cursor.jump(at)
        self.add(_Entry(cursor.source, Macro(name, parameters), body))

    def begins_next(self, tokens: Sequence[Token], at: int, end: int) -> bool:
        """Is this the semicolon before the next definition, or the last one of all?"""
        if tokens[at].text != ";" or tokens[at].kind != "symbol":
            return False
        if at + 1 >= end or tokens[at + 1].kind == "string":
            return True
        if tokens[at + 1].kind != "name":
            return False
        behind = at + 2
        if tokens[behind].text == "(":
            behind += 1
            while behind < end and (tokens[behind].kind == "name" or tokens[behind].text == ","):
                behind += 1
            behind += tokens[behind].text == ")"
        return behind < end and tokens[behind].text == "==" and tokens[behind].kind == "symbol"

    def add(self, entry: _Entry) -> None:
        name = entry.macro.name
        known = self.entries.get(name.text)
        if known is not None and (self.open or not self.is_from_file(known) or known.source is entry.source):
            if self.open and not self.is_from_file(known):
                return  # The machine's own definition wins over that of a file.
            place = known.macro.name.at
            where = "" if place.source is name.at.source else f" of {place.source.name}"
            message = f"'{name.text}' is already defined in line {place.span.line}{where}"
            raise InputError(name.at.diagnostic(message))
        self.entries[name.text] = entry
        self.macros.table[name.text] = entry.macro

    def is_from_file(self, entry: _Entry) -> bool:
        return entry.source.name in self.done or entry.source.name in self.open

    # Definition files

    def include(self, at: Extent, name: str) -> None:
        found = self.reach.definition_file(name, at)
        if found is None:
            library = name.replace("\\", "/").rsplit("/", 1)[-1]
            if library not in LIBRARIES:
                raise InputError(at.diagnostic(f"there is no definition file '{name}'"))
            for external in EXTERNAL_NAMES:
                known = Macro(Identifier(at, external), (), is_external=True)
                self.macros.table.setdefault(external, known)
            return
        inner = self.reach.read(found, at)
        if inner.name in self.open:
            raise InputError(at.diagnostic(f"the definition file '{name}' includes itself"))
        if inner.name in self.done:
            return
        self.open.append(inner.name)
        tokens = tokenize(inner)
        begin = 1 if tokens[0].text == "DEFINITIONS" else 0
        end = section_end(tokens, begin - 1)
        self.section(inner, tokens, begin, end)
        if tokens[end].kind != "end" and not (tokens[end].text == "END" and tokens[end + 1].kind == "end"):
            raise Cursor(inner, tokens[end:]).expected("the end of the definition file")
        self.open.pop()
        self.done.add(inner.name)

    def mark_external(self) -> None:
        for name in self.entries:
            for prefix in EXTERNAL:
                target = self.macros.table.get(name.removeprefix(prefix))
                if name.startswith(prefix) and target is not None and target.name.text not in WITHOUT_EFFECT:
                    target.is_external = True

    # Bodies

    def in_order(self) -> Iterator[str]:
        """Every definition after those it mentions, as far as that is possible."""
        done: set[str] = set()
        for first in self.entries:
            path = [(first, iter(self.mentioned(first)))] if first not in done else []
            done.add(first)
            while path:
                name, mentioned = path[-1]
                following = next((each for each in mentioned if each not in done), None)
                if following is None:
                    path.pop()
                    yield name
                else:
                    done.add(following)
                    path.append((following, iter(self.mentioned(following))))

    def mentioned(self, name: str) -> list[str]:
        entry = self.entries[name]
        own = {each.text for each in entry.macro.parameters}
        return [each.text for each in entry.body if each.text in self.entries and each.text not in own]

    def parse(self, entry: _Entry) -> None:
        macro = entry.macro
        try:
            self.parse_body(entry)
        except UnsupportedError as error:
            macro.refusal = error
            return
        macro.height = max(_height(macro.expression), _height(macro.substitution))

    def parse_body(self, entry: _Entry) -> None:
        macro, parser = entry.macro, self.body_parser(entry)
        try:
            tree = parser.tree(PREDICATE)
            if parser.token.kind != "end":
                raise parser.expected("an operator or ';'")
        except InputError as error:
            self.parse_as_substitution(entry, error, parser.at)
            return
        if isinstance(tree, s.Name | s.Application):
            # A call of an operation looks like this too.
            try:
                self.parse_as_substitution(entry, InputError("neither"), -1)
            except InputError:
                macro.substitution = None
        macro.expression = tree

    def parse_as_substitution(self, entry: _Entry, error: InputError, reached: int) -> None:
        """Where that fails too, the error is that of the parse that got further."""
        parser = self.body_parser(entry)
        try:
            tree = parser.substitution()
            if parser.token.kind != "end":
                raise parser.expected("an operator or ';'")
        except InputError as other:
            raise (other if parser.at > reached else error) from None
        entry.macro.substitution = tree

    def body_parser(self, entry: _Entry) -> SubstitutionParser:
        parser = SubstitutionParser(entry.source, entry.body, self.macros)
        parser.bind(entry.macro.parameters)
        return parser


def _height(node: Any) -> int:
    """How deep a tree is; none deeper than the parser allows."""
    if type(node) is tuple:
        return max((_height(each) for each in node), default=0)
    if not is_record(node) or isinstance(node, Identifier | Source):
        return 0
    return 1 + max((_height(getattr(node, name)) for name in field_names(node) if name != "at"), default=0)
