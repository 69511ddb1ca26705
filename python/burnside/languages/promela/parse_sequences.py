"""Sequences and blocks of statements, and what the parser remembers while it reads the body of a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from burnside.diagnostics import InputError
from burnside.languages.promela import expressions as e
from burnside.languages.promela import statements as s
from burnside.languages.promela import tree as c
from burnside.languages.promela import types as t
from burnside.languages.promela.names import Inline
from burnside.languages.promela.parse_declarations import DeclarationParser
from burnside.languages.shared.lexer import Token
from burnside.languages.shared.spans import Extent


class SequenceParser(DeclarationParser):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.nodes: list[c.Node] = []
        self.following: list[c.Node] = []
        """What the statement that is being read adds behind itself."""
        self.loops: list[int] = []
        self.loop_count = 0
        self.inlining: list[tuple[Inline, e.Reference | None]] = []
        self.inlined = 0
        self.in_d_step = False
        self.temporary_count = 0
        self.runs: list[tuple[e.Run, Token]] = []
        self.sends: list[tuple[int, Extent]] = []
        """How many values are sent, and where."""
        self.most_fields = 0
        self.exclusive: list[tuple[Extent, Literal["xr", "xs"], t.Variable]] = []

    def channel_created(self, fields: int) -> None:
        self.most_fields = max(self.most_fields, fields)

    # Sequences

    def add_statement(self, statement: s.Statement) -> None:
        self.nodes.append(c.Basic(statement.at, statement))

    @contextmanager
    def new_sequence(self) -> Iterator[list[c.Node]]:
        """Whatever is added inside goes into the list."""
        before, self.nodes = self.nodes, []
        try:
            yield self.nodes
        finally:
            self.nodes = before

    def sequence(self, at: Token) -> c.Sequence:
        """Up to what ends it, which is not taken."""
        self.initial_values = False
        with self.new_sequence() as nodes:
            self.steps()
        if not nodes:
            raise self.error("at least one statement is needed here", at, "use 'skip' to do nothing")
        return c.Sequence(self.extent_of(at), tuple(nodes))

    def steps(self) -> None:
        raise NotImplementedError

    def basic(self, statement: s.Statement) -> c.Basic:
        return c.Basic(statement.at, statement)

    def block(self) -> c.Sequence:
        """`{ ... }`, a scope of its own."""
        opening = self.expect("{")
        self.names.open_block()
        try:
            body = self.sequence(opening)
        finally:
            self.names.close_block()
        self.expect("}")
        return body

    @contextmanager
    def new_loop(self) -> Iterator[int]:
        self.loop_count += 1
        self.loops.append(self.loop_count)
        try:
            yield self.loop_count
        finally:
            self.loops.pop()

    # Checks

    def check_runs(self, tree: e.Expression) -> None:
        """At most one `run`, in Spin only to be computed with in ways that keep its 0 harmless; none in a d_step."""
        found = [each for each in _walk(tree) if isinstance(each, e.Run)]
        if len(found) > 1:
            raise InputError(found[1].at.diagnostic("more than one 'run' in an expression"))
        if found and self.in_d_step:
            raise InputError(found[0].at.diagnostic("'run' cannot be in a d_step", "use atomic"))

    def check_target(self, place: e.Reference) -> None:
        if isinstance(place.type, t.StructType):
            message = f"this is a whole struct '{place.type.name}', not one of its fields"
            raise InputError(place.at.diagnostic(message))


def _walk(tree: Any) -> Iterator[Any]:
    yield tree
    for each in e.children(tree):
        yield from _walk(each)
