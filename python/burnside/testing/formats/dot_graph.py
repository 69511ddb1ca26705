"""GraphViz's language: graphs as text.

In: a text. Out: a `Graph`: vertices and arcs with their attributes, in the order of the text. Subgraphs add theirs to
it; what `node [...]` and `edge [...]` say holds for what comes after them, up to the end of the subgraph.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from burnside.diagnostics import InputError, Source, UnsupportedError

PASSED_OVER = r"(?:\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)*+"
"""Never given back: what is in a comment is no token, whatever comes after it."""
TOKEN = re.compile(
    PASSED_OVER
    + r"""(?:(?P<string>"(?:[^"\\]|\\.)*")
      | (?P<name>[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*)
      | (?P<number>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))
      | (?P<arrow>->|--) | (?P<sign>[{}\[\];,=:+]) | (?P<html><) | (?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
NAME = r"""(?:[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*+|[0-9]++|"[^"\\]*+")"""
PLAIN_ARC = re.compile(
    rf"""\s*({NAME})[ \t]*->[ \t]*({NAME})[ \t]*\[[ \t]*label[ \t]*=[ \t]*("[^"\\]*+")[ \t]*\]"""
    r"""(?:[ \t]*;|(?=\s*[\w"}]))"""
)
"""A statement as most tools write it, which is read at once."""
SKIP = re.compile(PASSED_OVER, re.DOTALL)
ESCAPE = re.compile(r'\\([\\"\n])')
KEYWORDS = frozenset({"strict", "graph", "digraph", "node", "edge", "subgraph"})
MAX_DEPTH = 100
MAX_ARCS = 10_000_000
"""Between subgraphs: a short text may mean very many."""


class Token(NamedTuple):
    """`kind`: a group of `TOKEN`."""

    kind: str
    text: str
    offset: int

    def is_sign(self, text: str) -> bool:
        return self.kind == "sign" and self.text == text

    def is_keyword(self, *texts: str) -> bool:
        return self.kind == "name" and self.text.lower() in texts


Attributes = dict[str, Token]
Arc = tuple[Token, Token, Attributes]


class Graph:
    """`vertices`: by name. Labels that `node [...]` gives to all vertices are not among the attributes of a vertex.
    `attributes`: that are assigned to the graph. Of plain arcs, `_named` and `_labelled` have ends and labels as they stand
    in the text, `_crossed` counts arcs between subgraphs."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tokens = _Tokens(source)
        self._token = self._tokens.next()
        self._named: dict[str, Token] = {}
        self._labelled: dict[str, Attributes] = {}
        self._crossed = 0
        self.vertices: dict[str, Attributes] = {}
        self.arcs: list[Arc] = []
        self.attributes: Attributes = {}
        self._read()

    def error(self, message: str, token: Token, hint: str | None = None) -> InputError:
        return InputError(self._source.diagnostic(message, token.offset, max(1, len(token.text)), hint))

    def _read(self) -> None:
        if self._token.is_keyword("strict"):
            self._next()
        kind = self._next()
        if kind.is_keyword("graph"):
            message = "graphs without directions are not supported"
            raise UnsupportedError(self._source.diagnostic(message, kind.offset, 5))
        if not kind.is_keyword("digraph"):
            raise self.error("expected 'digraph'", kind)
        if not self._token.is_sign("{"):
            self._name()
        self._expect("{")
        self._statements(0, {}, {})
        if self._token.kind != "end":
            raise self.error("expected the end of the file", self._token)

    def _statements(self, depth: int, vertex: Attributes, arc: Attributes) -> list[Token]:
        """Up to a closing brace; the vertices that are named. `vertex`, `arc`: attributes of those to come."""
        named: list[Token] = []
        vertex, arc = dict(vertex), dict(arc)
        while True:
            named += self._plain_arcs(vertex, arc)
            token = self._token
            if token.is_sign("}"):
                break
            if token.kind == "end":
                raise self.error("expected '}'", token)
            if token.is_sign(";"):
                self._next()
            elif token.is_keyword("graph", "node", "edge"):
                self._next()
                attributes = self._attributes()
                if token.is_keyword("edge"):
                    arc |= attributes
                elif token.is_keyword("node"):
                    vertex |= {name: value for name, value in attributes.items() if name != "label"}
            else:
                named += self._statement(depth, vertex, arc)
        self._next()
        return named

    def _plain_arcs(self, vertex: Attributes, arc: Attributes) -> list[Token]:
        """Reads as many of them as there are here; their ends."""
        text, at, named = self._source.text, self._token.offset, list[Token]()
        while (found := PLAIN_ARC.match(text, at)) is not None:
            begin = self._named.get(found[1]) or self._plain_name(found, 1)
            end = self._named.get(found[2]) or self._plain_name(found, 2)
            if begin is None or end is None:
                break
            for each in (begin, end):
                if each.text not in self.vertices:
                    self.vertices[each.text] = dict(vertex)
            self.arcs.append((begin, end, self._plain_label(found, arc)))
            named += (begin, end)
            at = found.end()
        if named:
            self._tokens.at = at
            self._token = self._tokens.next()
        return named

    def _plain_name(self, found: re.Match[str], side: int) -> Token | None:
        """None for keywords."""
        text = found[side]
        if text.lower() in KEYWORDS:
            return None
        kind, name = ("string", text[1:-1]) if text[0] == '"' else ("name", text)
        return self._named.setdefault(text, Token(kind, name, found.start(side)))

    def _plain_label(self, found: re.Match[str], arc: Attributes) -> Attributes:
        text = found[3]
        attributes = self._labelled.get(text)
        if attributes is None:
            attributes = self._labelled[text] = {"label": Token("string", text[1:-1], found.start(3))}
        return {**arc, **attributes} if arc else attributes

    def _statement(self, depth: int, vertex: Attributes, arc: Attributes) -> list[Token]:
        first = self._token
        ends = [self._end(depth, vertex, arc)]
        if self._token.is_sign("=") and not (first.is_sign("{") or first.is_keyword("subgraph")):
            self._next()
            self.attributes[first.text] = self._name()
            return []
        while self._token.kind == "arrow":
            arrow = self._next()
            if arrow.text == "--":
                raise self.error("expected '->': the graph is directed", arrow)
            self._declare(ends[-1], vertex)
            ends.append(self._end(depth, vertex, arc))
        own = self._attributes()
        for sources, targets in pairwise(ends):
            self._check_size(first, len(sources), len(targets))
            self.arcs += [(a, b, {**arc, **own}) for a in sources for b in targets]
        self._declare(ends[-1], vertex)
        if len(ends) == 1:
            for token in ends[0]:
                self.vertices[token.text] |= own
        return [token for end in ends for token in end]

    def _check_size(self, place: Token, sources: int, targets: int) -> None:
        if sources == targets == 1:
            return
        self._crossed += sources * targets
        if self._crossed > MAX_ARCS:
            message = f"more than {MAX_ARCS} arcs between subgraphs are not supported"
            raise UnsupportedError(self._source.diagnostic(message, place.offset, max(1, len(place.text))))

    def _declare(self, named: list[Token], attributes: Attributes) -> None:
        for token in named:
            if token.text not in self.vertices:
                self.vertices[token.text] = dict(attributes)

    def _end(self, depth: int, vertex: Attributes, arc: Attributes) -> list[Token]:
        token = self._token
        if token.is_keyword("subgraph"):
            self._next()
            if not self._token.is_sign("{"):
                self._name()
        if self._token.is_sign("{"):
            if depth == MAX_DEPTH:
                raise self.error(f"subgraphs are nested more than {MAX_DEPTH} deep", token)
            self._next()
            return self._statements(depth + 1, vertex, arc)
        found = self._name()
        while self._token.is_sign(":"):
            self._next()
            self._name()
        return [found]

    def _attributes(self) -> Attributes:
        found: Attributes = {}
        while self._token.is_sign("["):
            self._next()
            while not self._token.is_sign("]"):
                name = self._name()
                value = Token("name", "true", name.offset)
                if self._token.is_sign("="):
                    self._next()
                    value = self._name()
                found[name.text] = value
                if self._token.is_sign(",") or self._token.is_sign(";"):
                    self._next()
            self._next()
        return found

    def _name(self) -> Token:
        token = self._next()
        if token.kind not in ("name", "number", "string", "html"):
            raise self.error("expected a name", token)
        while token.kind == "string" and self._token.is_sign("+"):
            self._next()
            more = self._next()
            if more.kind != "string":
                raise self.error("expected a string", more)
            token = Token("string", token.text + more.text, token.offset)
        return token

    def _expect(self, text: str) -> None:
        token = self._next()
        if not token.is_sign(text):
            raise self.error(f"expected '{text}'", token)

    def _next(self) -> Token:
        token = self._token
        if token.kind != "end":
            self._token = self._tokens.next()
        return token


class _Tokens:
    """`at`: where the next one is looked for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.at = 0

    def next(self) -> Token:
        text = self._source.text
        found = TOKEN.match(text, self.at)
        if found is None:
            at = SKIP.match(text, self.at).end()  # type: ignore[union-attr]
            raise InputError(self._source.diagnostic(_unexpected(text, at), at))
        kind = str(found.lastgroup)
        begin, self.at = found.span(kind)
        if kind == "html":
            self.at = _html_end(self._source, begin)
            return Token(kind, text[begin + 1 : self.at - 1], begin)
        if kind == "string":
            inner = text[begin + 1 : self.at - 1]
            return Token(kind, ESCAPE.sub(_unescaped, inner) if "\\" in inner else inner, begin)
        return Token(kind, found[kind], begin)


def _unescaped(escape: re.Match[str]) -> str:
    """GraphViz keeps two backslashes as they are: which one is meant depends on what the string is."""
    return {'"': '"', "\n": ""}.get(escape[1], escape[0])


def _unexpected(text: str, at: int) -> str:
    if text[at] == '"':
        return "this string is not closed"
    if text.startswith("/*", at):
        return "this comment is not closed"
    return f"unexpected character {text[at]!r}"


def _html_end(source: Source, start: int) -> int:
    depth = 0
    for found in re.compile("[<>]").finditer(source.text, start):
        depth += 1 if found[0] == "<" else -1
        if depth == 0:
            return found.end()
    raise InputError(source.diagnostic("this text in angle brackets is not closed", start))
