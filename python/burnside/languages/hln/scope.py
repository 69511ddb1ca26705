"""What names in terms stand for, and how large terms get when abbreviations are written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from burnside.ir.highlevel.terms import Binding, Term, Variable, type_of
from burnside.ir.highlevel.types import TokenType
from burnside.languages.hln import syntax as s
from burnside.languages.shared.spans import Identifier
from burnside.records import record

MAX_TERM_HEIGHT = 200
MAX_TERM_SIZE = 200_000


@record
class Function:
    """An abbreviation: its body is lowered anew for each call."""

    parameters: tuple[tuple[str, TokenType], ...]
    result: TokenType
    body: s.TermTree


@record
class Table:
    """A function from one sort to another."""

    name: str
    source: TokenType
    target: TokenType
    images: tuple[int, ...]


@record
class Measure:
    """Of a term as a tree."""

    height: int
    size: int
    free: frozenset[str]


class Measures:
    """Terms share parts, so each part is measured once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Term, Measure]] = {}

    def of(self, term: Term) -> Measure:
        known = self._known.get(id(term))
        if known is not None:
            return known[1]
        height, size, free = 0, 1, frozenset[str]()
        for child in term.children():
            inner = self.of(child)
            height, size = max(height, inner.height), size + inner.size
            free |= inner.free
        match term:
            case Variable(name):
                free = frozenset((name,))
            case Binding(_, variable, body):
                free = self.of(body).free - {variable.name}
        measure = Measure(height + 1, size, free)
        self._known[id(term)] = term, measure
        return measure


class Scope:
    """`values`: what names stand for. `shared`: variables that are declared for the net; those that are mentioned are
    collected in `used`, with where they are mentioned first."""

    def __init__(
        self,
        values: Mapping[str, Term],
        shared: Mapping[str, TokenType] | None = None,
        free: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self.values = dict(values)
        self.shared = shared or {}
        self.used: dict[str, int] = {}
        self.free = dict(free or {})
        """Of names that stand for terms with other names in them: which ones."""

    def find(self, name: str, offset: int) -> Term | None:
        found = self.values.get(name)
        if found is not None or name not in self.shared:
            return found
        self.used[name] = min(offset, self.used.get(name, offset))
        return Variable(name, self.shared[name])

    def type(self, name: str) -> TokenType | None:
        found = self.values.get(name)
        return self.shared.get(name) if found is None else type_of(found)

    def names(self) -> list[str]:
        return [*self.values, *self.shared]

    @contextmanager
    def binding(self, name: Identifier, type_: TokenType) -> Iterator[Variable]:
        """A bound name. It gets another name where its own would capture one in what other names stand for."""
        written = name.text
        taken = {each for key, names in self.free.items() if key != written for each in names}
        unique, number = written, 0
        while unique in taken:
            number += 1
            unique = f"{written}_{number}"
        variable = Variable(unique, type_, name.at.span)
        before, free = self.values.get(written), self.free.get(written)
        self.values[written] = Variable(unique, type_)
        if unique != written or written in self.free:
            self.free[written] = frozenset((unique,))
        try:
            yield variable
        finally:
            if before is None:
                del self.values[written]
            else:
                self.values[written] = before
            if free is None:
                self.free.pop(written, None)
            else:
                self.free[written] = free
