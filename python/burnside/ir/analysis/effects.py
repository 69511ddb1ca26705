"""What a statement reads and writes, and how it can end: computed once for each statement.

In: a flat program. Out: `Effects`. Reads and writes are `Access`es to paths; a write says how it writes, because some ways
of writing may change places with each other (`commuting`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.accumulation import accumulated, extreme
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.analysis.paths import Known, Path, PathStep, known_index, path_of
from burnside.records import field, record

Kind = Literal["read", "write", "set", "accumulate", "add"]
PRESENCE = "presence"
"""Of an entry, as if it were a field: no write to the entry's content touches it, but every write to its bag does."""
ERROR: Literal["error"] = "error"
ASSUME: Literal["assumption"] = "assumption"
End = str | int
"""How a step may end early: by an error of the model, by an assumption, or by an asserted property, which has a number."""


@record
class Access:
    """`set` writes the value `key`, `accumulate` combines what is there with a value by the operation `key`, `add` puts an
    entry into a bag. `different`: of the names in the path, which names they certainly differ from."""

    path: Path
    kind: Kind
    key: object = None
    different: frozenset[tuple[str, str]] = frozenset()
    span: Span | None = field(default=None, compare=False)


@record(frozen=False)
class Effects:
    """`covers`: it may observe something that is kept whatever comes after it: a property that is covered, or noted to be
    violated. `inside`: local variables and names that exist only inside; `names`: those that are used. `leaves`: labels of
    scopes around it."""

    accesses: dict[Access, None] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    ends: set[End] = field(default_factory=set)
    covers: bool = False
    leaves: set[str] = field(default_factory=set)
    inside: set[str] = field(default_factory=set)

    def include(self, other: Effects) -> None:
        self.accesses.update(other.accesses)
        self.names |= other.names
        self.ends |= other.ends
        self.covers |= other.covers
        self.leaves |= other.leaves
        self.inside |= other.inside

    @property
    def outer(self) -> Iterator[Access]:
        """Accesses to what exists outside."""
        return (each for each in self.accesses if each.path.root not in self.inside)

    @property
    def writes(self) -> Iterator[Access]:
        return (each for each in self.outer if each.kind != "read")

    @property
    def observes(self) -> bool:
        """Can it be noticed other than by what it writes?"""
        return bool(self.ends or self.covers or self.leaves)


def frozen_locals(program: flat.Program) -> frozenset[str]:
    """Local variables that are written once, as a whole, where they are declared: as good as names."""
    writes: dict[str, int] = {}
    first: set[str] = set()
    for part in (*program.starts, *program.actions):
        for block in walking.action_blocks(part):
            _count_writes(block, writes, first)
    for each in (*program.properties, program.proper_end):
        if each is not None and each.code is not None:
            _count_writes(each.code.before, writes, first)
    return frozenset(name for name in first if writes[name] == 1)


def _count_writes(block: Block, writes: dict[str, int], first: set[str]) -> None:
    before: flat.Statement | None = None
    for statement in block:
        for place in written_places(statement):
            writes[place.root] = writes.get(place.root, 0) + 1
            if before == flat.Declare(place.root, place.type) and not place.steps:
                first.add(place.root)
        for inner in walking.blocks(statement):
            _count_writes(inner, writes, first)
        before = statement


def written_places(statement: flat.Statement) -> Iterator[Place]:
    """By the statement itself."""
    match statement:
        case flat.Assign(place) | flat.Copy(place) | flat.Fill(place) | flat.Add(place) | flat.Remove(place):
            yield place
        case flat.RemoveAll(flat.Binder(_, _, flat.Positions(bag))):
            yield bag


class EffectAnalysis:
    """Computes effects, and caches those of statements: a flat program is never changed."""

    def __init__(self, frozen: frozenset[str] = frozenset()) -> None:
        self.frozen = frozen
        self._known: dict[tuple[int, frozenset[tuple[str, str]]], tuple[flat.Statement, Effects]] = {}

    def of_block(self, block: Block, different: frozenset[tuple[str, str]] = frozenset()) -> Effects:
        effects = Effects()
        for statement in block:
            effects.include(self.of(statement, different))
            different = self._learnt(statement, different)
        return effects

    def _learnt(
        self, statement: flat.Statement, different: frozenset[tuple[str, str]]
    ) -> frozenset[tuple[str, str]]:
        """A test that must hold for the step to go on says which names differ."""
        match statement:
            case flat.Require(test):
                return self.distinct_names(test, True, different)
            case flat.If((flat.Branch(test, body),), ()) if body and isinstance(body[-1], flat.Leave):
                return self.distinct_names(test, False, different)
        return different

    def of(self, statement: flat.Statement, different: frozenset[tuple[str, str]] = frozenset()) -> Effects:
        key = id(statement), different
        if key not in self._known:
            self._known[key] = statement, self._compute(statement, different)
        return self._known[key][1]

    def of_expr(self, expr: Expr, different: frozenset[tuple[str, str]] = frozenset()) -> Effects:
        effects = Effects()
        self._read(expr, effects, different, None)
        return effects

    # Expressions

    def _read(
        self, expr: Expr, effects: Effects, different: frozenset[tuple[str, str]], span: Span | None
    ) -> None:
        span = expr.span or span
        if walking.can_fail(expr):
            effects.ends.add(ERROR)
        waiting = [expr]
        while waiting:
            each = waiting.pop()
            if each.op == "name":
                effects.names.add(each.name)
            for place in each.places:
                self._access(effects, place, "read", different, span)
            if each.binder is not None:
                self._read_bag(each.binder.domain, effects, different, span)
                effects.inside.add(each.binder.name)
            waiting.extend(walking.operands(each))

    def _read_bag(
        self,
        domain: flat.Domain,
        effects: Effects,
        different: frozenset[tuple[str, str]],
        span: Span | None,
    ) -> None:
        if isinstance(domain, flat.Positions):
            self._access(effects, domain.bag, "read", different, span)

    def _access(
        self,
        effects: Effects,
        place: Place,
        kind: Kind,
        different: frozenset[tuple[str, str]],
        span: Span | None,
        key: object = None,
    ) -> None:
        if kind == "read" and place.root in self.frozen and not place.steps:
            effects.names.add(place.root)  # reading what never changes is like using a name
            return
        effects.accesses.setdefault(self._accessed(path_of(place, self.frozen), kind, different, span, key))

    def _accessed(
        self,
        path: Path,
        kind: Kind,
        different: frozenset[tuple[str, str]],
        span: Span | None,
        key: object = None,
    ) -> Access:
        names = path.names
        known = frozenset(pair for pair in different if pair[0] in names)
        return Access(path, kind, key, known, span)

    def _reach(
        self, effects: Effects, place: Place, different: frozenset[tuple[str, str]], span: Span | None
    ) -> None:
        """A place that is not read is found all the same: entries on the way must be there."""
        for at, step in enumerate(place.steps, 1):
            if step.fails:
                entry = Place(place.root, place.type, place.is_state, place.steps[:at])
                presence = path_of(entry, self.frozen).then(PathStep("field", PRESENCE))
                effects.accesses.setdefault(self._accessed(presence, "read", different, span))
                effects.ends.add(ERROR)

    def distinct_names(
        self, test: Expr, truth: bool, different: frozenset[tuple[str, str]]
    ) -> frozenset[tuple[str, str]]:
        """With the pairs of names that differ if the test has come out like this."""
        match test.op:
            case "not":
                return self.distinct_names(test.args[0], not truth, different)
            case "and" | "or" if (test.op == "and") == truth:
                for part in test.args:
                    different = self.distinct_names(part, truth, different)
            case "=" | "!=" if (test.op == "!=") == truth:
                one, other = (known_index(each, self.frozen) for each in test.args)
                match one, other:
                    case Known(name=str(a)), Known(name=str(b)) if a and b:
                        return different | {(a, b), (b, a)}
        return different

    # Statements

    def _compute(self, statement: flat.Statement, different: frozenset[tuple[str, str]]) -> Effects:
        effects = Effects()
        span = getattr(statement, "span", None)
        for expr in walking.statement_exprs(statement):
            self._read(expr, effects, different, span)
        match statement:
            case flat.Assign(place, value):
                self._assign(statement, place, value, effects, different)
            case flat.Copy(target, source, converts):
                self._access(effects, source, "read", different, span)
                self._access(effects, target, "write", different, span)
                self._reach(effects, target, different, span)
                _fails_if(effects, converts or source.fails)
            case flat.Fill(place, how):
                self._access(effects, place, "set", different, span, how)
                self._reach(effects, place, different, span)
            case flat.Declare(name):
                effects.inside.add(name)
            case flat.Let(name):
                effects.inside.add(name)
            case flat.Touch(place):
                self._reach(effects, place, different, span)
            case flat.If():
                self._if(statement, effects, different)
            case flat.For(binder, body):
                self._read_bag(binder.domain, effects, different, span)
                _fails_if(effects, walking.domain_can_fail(binder.domain))
                effects.include(self.of_block(body, different))
                effects.inside.add(binder.name)
            case flat.While(before, _, body):
                effects.ends.add(ERROR)
                effects.include(self.of_block(before, different))
                effects.include(self.of_block(body, different))
            case flat.Scope(label, body):
                effects.include(self.of_block(body, different))
                effects.leaves.discard(label)
            case flat.Leave(label):
                effects.leaves.add(label)
            case flat.Fail():
                effects.ends.add(ERROR)
            case flat.Require(_, number):
                effects.ends.add(ASSUME if number is None else number)
            case flat.Cover() | flat.Note():
                effects.covers = True
            case flat.Add(bag, source):
                self._access(effects, source, "read", different, span)
                self._access(effects, bag, "add", different, span)
                effects.ends.add(ERROR)
            case flat.Remove(bag):
                self._access(effects, bag, "read", different, span)
                self._access(effects, bag, "write", different, span)
                effects.ends.add(ERROR)
            case flat.RemoveAll(binder):
                assert isinstance(binder.domain, flat.Positions)
                self._access(effects, binder.domain.bag, "read", different, span)
                self._access(effects, binder.domain.bag, "write", different, span)
                _fails_if(effects, binder.domain.bag.fails)
                effects.inside.add(binder.name)
        return effects

    def _assign(
        self,
        statement: flat.Assign,
        place: Place,
        value: Expr,
        effects: Effects,
        different: frozenset[tuple[str, str]],
    ) -> None:
        found = accumulated(place, value)
        if found is None:
            key = self.fixed_value(value)
            if key is not None:
                self._access(effects, place, "set", different, statement.span, key)
            else:
                self._access(effects, place, "write", different, statement.span)
            self._reach(effects, place, different, statement.span)
            return
        # The value that is there is combined, not read: other turns that combine likewise do not mind.
        how, operands = found
        effects.accesses.clear()
        for expr in (*operands, *place.exprs):
            self._read(expr, effects, different, statement.span)
        self._access(effects, place, "accumulate", different, statement.span, how)
        self._reach(effects, place, different, statement.span)

    def fixed_value(self, value: Expr) -> Known | Path | None:
        """A value that is the same wherever its names mean the same and, for a place, nothing writes to it."""
        known = known_index(value, self.frozen)
        if isinstance(known, Known):
            return known
        if value.op == "load":
            path = path_of(value.places[0], self.frozen)
            return path if path.is_exact else None
        return None

    def _if(self, statement: flat.If, effects: Effects, different: frozenset[tuple[str, str]]) -> None:
        found = extreme(statement)
        if found is not None:
            how, place, value = found
            effects.accesses.clear()
            for expr in (value, *place.exprs):
                self._read(expr, effects, different, statement.span)
            self._access(effects, place, "accumulate", different, statement.span, how)
            self._reach(effects, place, different, statement.span)
            return
        for branch in statement.branches:
            inner = self.distinct_names(branch.test, True, different)
            effects.include(self.of_block(branch.body, inner))
            different = self.distinct_names(branch.test, False, different)
        effects.include(self.of_block(statement.otherwise, different))


def _fails_if(effects: Effects, fails: bool) -> None:
    if fails:
        effects.ends.add(ERROR)
