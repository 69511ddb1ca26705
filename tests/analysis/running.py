"""Flat programs, run: the oracle that says whether a normal form means what the program means.

Cells and arithmetic are those of the reference interpreter. A node that cannot fail by its own account and fails all the
same raises `Wrong`, which no program may bring about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burnside.ir.analysis import flat
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Element, Optional, Record, Union
from burnside.reference.arithmetic import binary
from burnside.reference.failures import Discards, Fails, fail
from burnside.reference.steps import Label, Result
from burnside.reference.values import (
    Cells,
    State,
    code,
    converted,
    limits,
    normalised,
    normalised_state,
    smallest,
    variables_of,
)
from burnside.semantics import DISCARDED, FIRST_PROPERTY, Failure, Step


class Wrong(Exception):
    """A flat node failed that said it could not."""


class _Left(Exception):
    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class FlatRun:
    def __init__(self, program: Program, state: State) -> None:
        self.program = program
        self.memory = list(state)
        self.cells: dict[str, Cells] = dict(variables_of(program, self.memory))
        self.names: dict[str, int] = {}
        self.covered: set[int] = set()
        self.noted: list[int] = []

    @property
    def state(self) -> State:
        return normalised_state(self.program, self.memory)

    def _fail(self, allowed: bool, why: str) -> None:
        if not allowed:
            raise Wrong(why)
        fail(why, None)

    # Places and values

    def place(self, place: flat.Place) -> Cells:
        cells = self.cells[place.root]
        for step in place.steps:
            if step.index is None:
                cells = cells.component(step.name)
            elif step.kind == "index":
                assert isinstance(cells.type, Array) and step.index.type == cells.type.index
                cells = cells.element(self.value(step.index))
            else:
                at = self.value(step.index)
                if step.fails and not cells.has_entry(at):
                    fail("no entry", None)
                cells = cells.entry(at)
        return cells

    def holds(self, expr: flat.Expr) -> bool:
        return self.value(expr) != 0

    def value(self, expr: flat.Expr) -> int:
        match expr.op:
            case "const":
                return expr.value
            case "name":
                return self.names[expr.name]
            case "never":
                raise Wrong("a value that is never asked for")
            case "load":
                found = self.place(expr.places[0]).value
                if found is None:
                    self._fail(expr.fails, "undefined")
                assert found is not None
                return found
            case "defined":
                return int(self.place(expr.places[0]).value is not None)
            case "same":
                one, other = map(self.place, expr.places)
                return int(normalised(one.type, one.content) == normalised(other.type, other.content))
            case "member":
                source = expr.args[0].type
                assert isinstance(source, Element | Union) and expr.sort is not None
                return int(converted(self.value(expr.args[0]), source, Element(expr.sort)) is not None)
            case "convert":
                found = converted(self.value(expr.args[0]), expr.args[0].type, expr.type)
                if found is None:
                    self._fail(expr.fails, "not of the type")
                assert found is not None
                return found
            case "wrap":
                low, high = limits(expr.type)
                return low + (self.value(expr.args[0]) - low) % (high - low + 1)
            case "lookup":
                assert expr.table is not None
                assert tuple(each.type for each in expr.args) == expr.table.arguments
                entry = expr.table.at([self.value(each) for each in expr.args])
                if entry is None:
                    self._fail(expr.fails, "no entry of a table")
                assert entry is not None
                return entry
            case "not":
                return int(not self.holds(expr.args[0]))
            case "complement":
                return ~self.value(expr.args[0])
            case "and":
                return int(all(self.holds(each) for each in expr.args))
            case "or":
                return int(any(self.holds(each) for each in expr.args))
            case "choice":
                return self.value(expr.args[1 if self.holds(expr.args[0]) else 2])
            case "exists" | "forall" | "count":
                return self._quantified(expr)
        left, right = (self.value(each) for each in expr.args)
        try:
            return binary(expr.op, left, right, None)  # type: ignore[arg-type]
        except Fails:
            if not expr.fails:
                raise Wrong("arithmetic") from None
            raise

    def _quantified(self, expr: flat.Expr) -> int:
        assert expr.binder is not None
        found = []
        for each in list(self.domain(expr.binder.domain)):
            self.names[expr.binder.name] = each
            found.append(self.holds(expr.args[0]))
            if not expr.every and expr.op != "count" and found[-1] == (expr.op == "exists"):
                break
        if expr.op == "count":
            return sum(found)
        return int(any(found) if expr.op == "exists" else all(found))

    def domain(self, domain: flat.Domain) -> Iterable[int]:
        match domain:
            case flat.All(type_):
                low, high = limits(type_)
                return range(low, high + 1)
            case flat.Range(low_, high_, step_, fails):
                first, last, step = self.value(low_), self.value(high_), self.value(step_)
                if step == 0:
                    self._fail(fails, "the step is zero")
                return range(first, last + (1 if step > 0 else -1), step)
            case flat.Positions(bag):
                return list(self.place(bag).positions)

    # Statements

    def block(self, block: flat.Block) -> None:
        for statement in block:
            self.execute(statement)

    def copy(self, target: Cells, source: Cells, allowed: bool) -> None:
        if target.type == source.type:
            target.fill(source.content)
            return
        value = source.value
        if value is None:
            if not isinstance(target.type, Optional):
                self._fail(allowed, "undefined")
            target.fill((0,))
            return
        found = converted(value, source.scalar, target.scalar)
        if found is None:
            self._fail(allowed, "not of the type")
        assert found is not None and not isinstance(target.type, Array | Record | Bag)
        target.fill((code(found, target.type),))

    def execute(self, statement: flat.Statement) -> None:
        match statement:
            case flat.Assign(place, value):
                found = self.value(value)
                target = self.place(place)
                assert target.scalar == value.type
                assert not isinstance(target.type, Array | Record | Bag)
                target.fill((code(found, target.type),))
            case flat.Copy(target, source, converts):
                given = self.place(source)
                copied = Cells.new(given.type)
                copied.fill(given.content)
                self.copy(self.place(target), copied, converts)
            case flat.Fill(place, how):
                cells = self.place(place)
                cells.fill(smallest(cells.type) if how == "clear" else Cells.new(cells.type).content)
            case flat.Declare(name, type_):
                self.cells[name] = Cells.new(type_)
            case flat.Let(name, value):
                self.names[name] = self.value(value)
            case flat.Touch(place):
                self.place(place)
            case flat.If(branches, otherwise):
                self.block(next((each.body for each in branches if self.holds(each.test)), otherwise))
            case flat.For(binder, body):
                for each in list(self.domain(binder.domain)):
                    self.names[binder.name] = each
                    self.block(body)
            case flat.While(before, test, body, limit):
                self._while(before, test, body, limit)
            case flat.Scope(label, body):
                try:
                    self.block(body)
                except _Left as left:
                    if left.label != label:
                        raise
            case flat.Leave(label):
                raise _Left(label)
            case _:
                self._end(statement)

    def _while(self, before: flat.Block, test: flat.Expr, body: flat.Block, limit: int) -> None:
        turns = 0
        while True:
            self.block(before)
            if not self.holds(test):
                return
            if turns == limit:
                fail("too many turns", None)
            self.block(body)
            turns += 1

    def _end(self, statement: flat.Statement) -> None:
        match statement:
            case flat.Fail():
                fail("no result", None)
            case flat.Require(test, number):
                if not self.holds(test):
                    raise (
                        Discards
                        if number is None
                        else Fails(Failure("asserted", number=FIRST_PROPERTY + number))
                    )
            case flat.Cover(test, number):
                if self.holds(test):
                    self.covered.add(FIRST_PROPERTY + number)
            case flat.Note(test, number):
                if not self.holds(test):
                    self.noted.append(FIRST_PROPERTY + number)
            case flat.Add(bag, source):
                given, cells = self.place(source), self.place(bag)
                assert isinstance(cells.type, Bag)
                entry = Cells.new(cells.type.element)
                self.copy(entry, given, True)
                free = next((i for i in range(cells.type.capacity) if not cells.has_entry(i)), None)
                if free is None:
                    fail("full", None)
                cells.put_entry(free, entry.content)
            case flat.Remove(bag, position):
                cells, at = self.place(bag), self.value(position)
                if not cells.has_entry(at):
                    fail("no entry", None)
                cells.put_entry(at, None)
            case flat.RemoveAll(binder, test):
                assert isinstance(binder.domain, flat.Positions)
                cells = self.place(binder.domain.bag)
                gone = []
                for each in list(cells.positions):
                    self.names[binder.name] = each
                    if self.holds(test):
                        gone.append(each)
                for each in gone:
                    cells.put_entry(each, None)


def flat_step(program: Program, action: flat.Action, state: State, label: Label) -> Step | None:
    """What `reference.steps` says of a label of a program without assumptions on states."""
    run = FlatRun(program, state)
    run.names.update((each.name, value) for each, value in zip(action.parameters, label[1], strict=True))
    covered: set[int] = run.covered
    try:
        run.block(action.guard.before)
        if not run.holds(action.guard.value):
            return None
    except Fails as error:
        return Step(label, error.failure, fired=False, covered=frozenset(covered))
    except Discards:
        return None
    run = FlatRun(program, state)
    run.covered = covered
    run.names.update((each.name, value) for each, value in zip(action.parameters, label[1], strict=True))
    result: Result
    try:
        run.block(action.body)
        result = run.state
    except Fails as error:
        result = error.failure
    except Discards:
        return Step(label, DISCARDED, covered=frozenset(run.covered))
    noted = tuple(Failure("noted", number=number) for number in run.noted)
    return Step(label, result, covered=frozenset(run.covered), noted=noted)


def labels(
    program: Program, action: flat.Action, state: State, values: tuple[int, ...] = ()
) -> Iterator[tuple[int, ...]]:
    """All values of the parameters whose domains can be evaluated."""
    if len(values) == len(action.parameters):
        yield values
        return
    run = FlatRun(program, state)
    run.names.update((each.name, value) for each, value in zip(action.parameters, values, strict=False))
    try:
        domain = list(run.domain(action.parameters[len(values)].domain))
    except Fails:
        return
    for value in domain:
        yield from labels(program, action, state, (*values, value))
