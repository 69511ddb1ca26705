"""The base of lowering: drafts, scopes, unique names, type constraints, errors that name both places.

A machine is gone through twice. First every tree becomes a *draft*: names are found, types are terms with holes, every
constraint between them is unified at once or, for overloaded operators, as soon as one side is known. When all is read,
a hole that is not filled is an error, and drafts *build* the expressions of `ir.sets`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from burnside.diagnostics import Source
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Element,
    Pair,
    Set,
    Sort,
    Struct,
    StructField,
    ValueType,
)
from burnside.languages.b.resolve.names import Known, KnownLocal, Scope
from burnside.languages.b.resolve.terms import (
    NUMBER,
    Basic,
    Clash,
    Given,
    Hole,
    PairOf,
    RecordOf,
    SetOf,
    Term,
    holes,
    resolved,
    show,
    unify,
)
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record

Action = Callable[[], s.Substitution]
"""A substitution that is built once all types are known."""


@record(eq=False)
class Draft:
    """An expression, its type as far as it is known, and how it is built once that is all known."""

    at: Extent
    term: Term
    build: Callable[[], e.Expression]


@record(eq=False)
class Overload:
    """An operator whose meaning waits for a type. `attempt` says whether it could decide."""

    at: Extent
    operator: str
    attempt: Callable[[], bool]


@record(eq=False)
class Declared:
    """Something whose type must be known in the end."""

    name: str
    term: Term
    at: Extent


_BASIC: dict[str, ValueType] = {"INTEGER": INTEGER, "BOOL": BOOLEAN, "STRING": TEXT}


TREE_WORDS = frozenset(
    (
        "tree", "btree", "const", "top", "sons", "prefix", "postfix", "sizet", "mirror", "rank", "father", "son", "subtree",
        "arity", "bin", "left", "right", "infix",
    )
)  # fmt: skip


class DraftContext(LoweringContext):
    def __init__(self, source: Source) -> None:
        self.source = source
        """The main file: only its places are known to those who come after."""
        self.scope = Scope()
        self.taken: set[str] = set()
        self.overloads: list[Overload] = []
        self.declared: list[Declared] = []
        self.sorts: dict[str, Sort] = {}
        self.numbers = (-1, 3)
        self.notes: list[str] = []
        self.before_variables = False
        """Is a text being read that holds before variables have values?"""

    # Scopes and names

    @contextmanager
    def within(self, scope: Scope) -> Iterator[Scope]:
        outer, self.scope = self.scope, scope
        try:
            yield scope
        finally:
            self.scope = outer

    @contextmanager
    def inner(self) -> Iterator[Scope]:
        with self.within(Scope(self.scope)) as scope:
            yield scope

    def fresh(self, name: str) -> str:
        """A name that nothing else in the machine has: with a number behind `#`, which is not shown to users. Definitions
        have marked the names they bind in the same way."""
        candidate = name = plain(name)
        number = 1
        while candidate in self.taken:
            number += 1
            candidate = f"{name}#{number}"
        self.taken.add(candidate)
        return candidate

    def bind(self, name: Identifier, *, writable: bool = False) -> KnownLocal:
        """A new local name in the present scope."""
        if name.text in self.scope.names:
            first = self.scope.names[name.text].at
            raise self.error(f"'{plain(name.text)}' is declared twice", name.at, _first(first, name.at))
        known = KnownLocal(self.fresh(name.text), Hole(), writable, name.at)
        self.scope.names[name.text] = known
        self.declared.append(Declared(plain(name.text), known.term, name.at))
        return known

    def bind_all(self, names: tuple[Identifier, ...], *, writable: bool = False) -> tuple[KnownLocal, ...]:
        return tuple(self.bind(name, writable=writable) for name in names)

    def find(self, name: str, at: Extent) -> Known:
        known = self.scope.find(name)
        if known is None and name in TREE_WORDS:
            raise self.unsupported(f"'{name}' is not supported: of trees, only tree(S) is", at)
        if known is None:
            meant = self.scope.like(name)
            hint = f"did you mean '{meant}'?" if meant else None
            raise self.error(f"there is no '{name}' here", at, hint)
        return known

    def local(self, known: KnownLocal) -> e.Name:
        return e.Name(known.name, self.type_of(known.term), span=self.span(known.at))

    def locals(self, known: tuple[KnownLocal, ...]) -> tuple[e.Name, ...]:
        return tuple(map(self.local, known))

    # Types

    def equate(self, left: Term, right: Term, at: Extent, message: Callable[[], str]) -> None:
        try:
            unify(left, right, at)
        except Clash as clash:
            raise self.error(message(), at, _reasons(clash, at)) from None

    def expect(self, draft: Draft, term: Term, what: str, at: Extent | None = None) -> None:
        """`what` says whose type it is. `at` is the construct that requires it, kept as the reason."""
        try:
            unify(draft.term, term, at or draft.at)
        except Clash as clash:
            message = f"{what} must be {describe(term)}, this is {describe(draft.term)}"
            if clash.is_endless:
                message = "this would have a type that is a part of itself"
            raise self.error(message, draft.at, _reasons(clash, draft.at)) from None

    def overload(self, at: Extent, operator: str, attempt: Callable[[], bool]) -> None:
        if not attempt():
            self.overloads.append(Overload(at, operator, attempt))

    def settle(self) -> None:
        """Decide overloaded operators until nothing more can be decided."""
        progress = True
        while progress and self.overloads:
            waiting = [each for each in self.overloads if not each.attempt()]
            progress = len(waiting) < len(self.overloads)
            self.overloads = waiting

    def check_all_typed(self) -> None:
        self.settle()
        for each in sorted(self.declared, key=lambda each: each.at.offset):
            if next(holes(each.term), None) is not None:
                found = resolved(each.term)
                known = "" if isinstance(found, Hole) else f", only that it is {describe(found)}"
                hint = f"say what it is, as in '{each.name} : S'"
                raise self.error(f"nothing says what type '{each.name}' has{known}", each.at, hint)
        for overload in self.overloads:
            raise self.error(
                f"nothing says what '{overload.operator}' is applied to here",
                overload.at,
                "say of what type one of its operands is",
            )
        self.declared.clear()

    def type_of(self, term: Term) -> ValueType:
        """Of a term without holes. A hole that is left belongs to no name: it is the type of elements that are not there, as
        in `{} = {}`, and any type will do."""
        term = resolved(term)
        match term:
            case Basic(name):
                return _BASIC[name]
            case Given(name):
                return Element(self.sorts[name])
            case SetOf(element):
                return Set(self.type_of(element))
            case PairOf(left, right):
                return Pair(self.type_of(left), self.type_of(right))
            case RecordOf(names, types):
                fields = zip(names, types, strict=True)
                return Struct(tuple(StructField(name, self.type_of(each)) for name, each in fields))
            case _:
                return BOOLEAN


def term_of(type_: ValueType) -> Term:
    """The inverse of `DraftContext.type_of`."""
    match type_:
        case Element(sort):
            return Given(sort.name)
        case Set(element):
            return SetOf(term_of(element))
        case Pair(left, right):
            return PairOf(term_of(left), term_of(right))
        case Struct(fields):
            return RecordOf(tuple(each.name for each in fields), tuple(term_of(each.type) for each in fields))
        case _:
            return next(Basic(name) for name, found in _BASIC.items() if found == type_)


def plain(name: str) -> str:
    """As the user wrote it."""
    return name.partition("#")[0]


def describe(term: Term) -> str:
    """In words where a type is hardly known, else as B writes it."""
    match resolved(term):
        case Hole():
            return "of some type"
        case SetOf(element) as found:
            inner = resolved(element)
            if isinstance(inner, Hole):
                return "a set"
            if isinstance(inner, PairOf) and isinstance(resolved(inner.right), Hole):
                return "a sequence" if resolved(inner.left) == NUMBER else "a relation"
            return show(found)
        case PairOf(left, right) as found:
            unknown = isinstance(resolved(left), Hole) and isinstance(resolved(right), Hole)
            return "a pair" if unknown else show(found)
        case found:
            return show(found)


MAX_EXCERPT = 40


def excerpt(at: Extent, longest: int = MAX_EXCERPT) -> str:
    """The text at a place, on one line, without comments, cut where it is long."""
    from re import DOTALL, sub

    text = at.source.text[at.offset : at.offset + at.length]
    text = " ".join(sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=DOTALL).split())
    return text if len(text) <= longest else text[: longest - 3].rstrip() + "..."


def _first(first: Extent, at: Extent) -> str:
    return f"the first time at {first.seen_from(at)}"


def _reasons(clash: Clash, at: Extent) -> str | None:
    """Where the two types that disagree come from, as far as that is another place than the complaint's."""
    reasons = []
    for term, places in ((clash.left, clash.left_places), (clash.right, clash.right_places)):
        place = next((each for each in places if not _encloses(each, at)), None)
        if place is not None:
            reasons.append(f"{show(term)} because of '{excerpt(place)}' at {place.seen_from(at)}")
    return "; ".join(reasons) or None


def _encloses(outer: Extent, inner: Extent) -> bool:
    end = inner.offset + inner.length
    return (
        outer.source is inner.source and outer.offset <= inner.offset and end <= outer.offset + outer.length
    )
