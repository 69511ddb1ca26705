"""Declarations of symmetry: `client, server`, `node: hypercube`, `server, client: tree(3, 3, 2)`, `node: 1--{2,3}, 2--3`.

In: the text of a declaration, and the processes that exist. Out: `Promise`s. Without a topology, the processes of each
proctype may be permuted in all ways. With one, the automorphisms of a graph may be applied (Donaldson, Miller, Calder 2005,
section 7: topology scalarsets, and associated ones as trees). Vertices are processes: in named graphs in the order of their
pids, in a graph that is written out by their pids.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from burnside.diagnostics import InputError, Source, Span
from burnside.ir.promises import Promise, Topology
from burnside.languages.promela.diagram.instances import Instance
from burnside.languages.promela.macros import Macro, MacroTable
from burnside.languages.promela.model import Model
from burnside.languages.promela.tokens import tokens_of
from burnside.languages.promela.topologies import CLIQUE, GRAPHS, Arc, Request, Rows
from burnside.languages.shared.cursor import Cursor
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Identifier
from burnside.records import record

MAX_DIGITS = 9
EXAMPLE = "1->{2,3}, 2->{1}, 3->{}"


@record
class NamedGraph:
    """`ring`, `grid(2, 3)`."""

    at: Token
    name: str
    rows: Rows

    def __str__(self) -> str:
        rows = "; ".join(", ".join(map(str, row)) for row in self.rows)
        return f"{self.name}({rows})" if rows else self.name


@record
class WrittenGraph:
    """Arcs between pids; `mentioned`: all pids."""

    at: Token
    arcs: tuple[tuple[Token, Token], ...]
    mentioned: tuple[Token, ...]


@record(eq=False)
class Declaration:
    proctypes: tuple[Identifier, ...]
    graph: NamedGraph | WrittenGraph | None
    reader: DeclarationReader

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.proctypes)

    @property
    def span(self) -> Span:
        return self.proctypes[0].at.span

    def promise(self, instances: Sequence[Instance], span: Span) -> Promise:
        """About the processes that exist."""
        groups = [[each for each in instances if each.process.name == name] for name in self.names]
        members = tuple((each.process.name, each.position) for group in groups for each in group)
        return Promise(members, span, self._topology(groups))

    def _topology(self, groups: Sequence[Sequence[Instance]]) -> Topology | None:
        graph = self.graph
        if graph is None:
            return None
        if isinstance(graph, WrittenGraph):
            pids = [each.pid for group in groups for each in group]
            return Topology("the given graph", tuple(self._written(graph, pids)))
        sizes = tuple(map(len, groups))
        request = Request(
            str(graph), self.names, sizes, graph.rows, lambda message: self.reader.error(message, graph.at)
        )
        if graph.name == CLIQUE:
            request.plain()
            return None
        return Topology(str(graph), tuple(dict.fromkeys(GRAPHS[graph.name](request))))

    def _written(self, graph: WrittenGraph, pids: Sequence[int]) -> Iterator[Arc]:
        place = {str(pid): at for at, pid in enumerate(pids)}
        names = " or ".join(self.names)
        known = f"there are: {', '.join(map(str, pids))}" if pids else "there are none"
        for pid in graph.mentioned:
            if pid.text not in place:
                raise self.reader.error(f"no process of {names} has the pid {pid.text}", pid, known)
        if missing := place.keys() - {pid.text for pid in graph.mentioned}:
            first = min(missing, key=int)
            hint = f"{first}->{{}} says that it has no neighbours"
            raise self.reader.error(f"the graph leaves out process {first} of {names}", graph.at, hint)
        yield from dict.fromkeys((place[a.text], place[b.text]) for a, b in graph.arcs)


class DeclarationReader(Cursor):
    """Macros of the model are known: `tree(C1, C2)`."""

    depth_hint = "declarations are not nested"

    def __init__(self, source: Source, model: Model, macros: Mapping[str, Macro]) -> None:
        tokens = list(_without_margin(MacroTable(macros=macros).expanded(tokens_of(source))))
        written = source.text.rstrip() if tokens else source.text
        end = Token("end", "the end of the declaration", len(written), 1, source)
        super().__init__(source, [*tokens, end])
        self.model = model

    def declarations(self) -> list[Declaration]:
        names = [self._proctype()]
        while self.accept(","):
            names.append(self._proctype())
        if not self.accept(":"):
            if self.token.kind != "end":
                raise self.expected("',' or ':'")
            return [Declaration((name,), None, self) for name in names]
        for number, name in enumerate(names):
            if name.text in [each.text for each in names[:number]]:
                raise InputError(name.at.diagnostic(f"proctype '{name.text}' is named twice"))
        graph = self._written() if self.token.kind == "number" else self._named()
        if self.token.kind != "end":
            raise self.expected("the end of the declaration")
        return [Declaration(tuple(names), graph, self)]

    def _proctype(self) -> Identifier:
        name = self.identifier("the name of a proctype")
        if name.text not in self.model.by_name or self.model.by_name[name.text].kind != "proctype":
            names = [each.name for each in self.model.processes if each.kind == "proctype"]
            known = f"there are: {', '.join(names)}" if names else "this model has none"
            raise InputError(name.at.diagnostic(f"there is no proctype '{name.text}'", known))
        return name

    def _named(self) -> NamedGraph:
        at = self.token
        name = self.identifier("the name of a topology, or a graph").text
        if name != CLIQUE and name not in GRAPHS:
            hint = f"known: {', '.join([CLIQUE, *GRAPHS])}; or a graph on pids: {EXAMPLE}"
            raise self.error(f"there is no topology '{name}'", at, hint)
        rows: list[tuple[int, ...]] = []
        if self.accept("("):
            rows.append(self._numbers())
            while self.accept(";"):
                rows.append(self._numbers())
            self.expect(")")
        return NamedGraph(at, name, tuple(rows))

    def _numbers(self) -> tuple[int, ...]:
        found = [self._number("a number")]
        while self.accept(","):
            found.append(self._number("a number"))
        return tuple(int(each.text) for each in found)

    def _number(self, what: str) -> Token:
        if self.token.kind != "number" or len(self.token.text) > MAX_DIGITS:
            raise self.expected(what)
        token = self.advance()
        return token._replace(text=str(int(token.text)))

    def _written(self) -> WrittenGraph:
        at = self.token
        arcs: list[tuple[Token, Token]] = []
        mentioned: list[Token] = []
        while True:
            source = self._number("the pid of a process")
            if not self.is_one_of(("->", "--")):
                raise self.expected("'->' or '--'")
            both_ways = self.advance().text == "--"
            targets = self._targets()
            arcs += [(source, target) for target in targets]
            arcs += [(target, source) for target in targets if both_ways]
            mentioned += [source, *targets]
            if not self.accept(","):
                return WrittenGraph(at, tuple(arcs), tuple(mentioned))

    def _targets(self) -> list[Token]:
        if not self.accept("{"):
            return [self._number("the pid of a process, or '{'")]
        if self.accept("}"):
            return []
        found = [self._number("the pid of a process, or '}'")]
        while self.accept(","):
            found.append(self._number("the pid of a process"))
        self.expect("}")
        return found


def _without_margin(tokens: Iterable[Token]) -> Iterator[Token]:
    """Without the stars at which lines of a long comment begin."""
    begins = False
    for each in tokens:
        if each.kind not in ("newline", "comment") and not (begins and each.text == "*"):
            yield each
        begins = each.kind == "newline"
