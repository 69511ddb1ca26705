"""Is a machine well formed? In: a machine. Out: what is wrong with it, in words; nothing where all is well.

An oracle for the tests of everything that makes machines: operators have their number of arguments and arguments of the
right types, names are in scope and have one type, what is assigned may be assigned. Users' mistakes are found earlier, by
the languages.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking_operators import applied
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import (
    INTEGER,
    Boolean,
    Element,
    Integer,
    Struct,
    Text,
    ValueType,
)

Scope = dict[str, e.Name]


def problems(machine: Machine) -> tuple[str, ...]:
    return tuple(_Checker(machine).problems())


class _Checker:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.bound: set[str] = set()

    def problems(self) -> Iterator[str]:
        machine = self.machine
        constants: Scope = {each.name: each for each in machine.constants}
        state: Scope = {each.name: each for each in machine.state_names}
        if len(state) < len(machine.state_names):
            yield "two state names are alike"
        self.bound = set(state)
        for each in machine.state_names:
            if not each.is_state:
                yield f"{each.name} is not marked as part of the state"
        for conjunct in machine.properties:
            yield from self.predicate(conjunct, constants)
        for claim in machine.claims:
            yield from self.predicate(claim.predicate, state)
        yield from self.substitution(machine.initialisation, state, frozenset())
        for operation in machine.operations:
            yield from self.binding(operation.parameters + operation.results)
            inner = state | {each.name: each for each in operation.parameters}
            yield from self.predicate(operation.guard, inner)
            inner |= {each.name: each for each in operation.results}
            yield from self.substitution(operation.body, inner, _names(operation.results))

    def binding(self, names: tuple[e.Name, ...]) -> Iterator[str]:
        for name in names:
            if name.name in self.bound:
                yield f"{name.name} is bound twice"
            if name.is_state:
                yield f"the local name {name.name} is marked as part of the state"
            self.bound.add(name.name)

    # Expressions

    def predicate(self, node: e.Expression, scope: Scope) -> Iterator[str]:
        yield from self.expression(node, scope)
        if not isinstance(e.type_of(node), Boolean):
            yield f"{node!r} is no predicate"

    def expression(self, node: e.Expression, scope: Scope) -> Iterator[str]:
        match node:
            case e.Literal(value, type_):
                if not _fits(value, type_):
                    yield f"{value!r} is no {type_!r}"
            case e.Name(name):
                if name not in scope:
                    yield f"{name} is not in scope"
                elif (scope[name].type, scope[name].is_state) != (node.type, node.is_state):
                    yield f"{name} has another type than where it was bound"
            case e.Apply(operator, arguments, type_):
                for each in arguments:
                    yield from self.expression(each, scope)
                yield from applied(operator, arguments, type_)
            case e.Forall(names, condition, body):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
                yield from self.predicate(body, inner)
            case e.Exists(names, condition):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
            case e.Comprehension(names, condition, value):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
                yield from self.expression(value, inner)
            case e.Fold(operator, names, condition, value):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
                yield from self.expression(value, inner)
                if operator not in ("sum", "product") or e.type_of(value) != INTEGER:
                    yield f"{operator} is no fold of numbers"
            case e.Conditional(test, then, otherwise):
                yield from self.predicate(test, scope)
                yield from self.expression(then, scope)
                yield from self.expression(otherwise, scope)
                if e.type_of(then) != e.type_of(otherwise):
                    yield "branches of different types"
            case e.Let(name, value, body):
                yield from self.expression(value, scope)
                if e.type_of(value) != name.type:
                    yield f"{name.name} is let be of another type"
                inner = yield from self.inner((name,), scope)
                yield from self.expression(body, inner)
            case e.Select(record, name):
                yield from self.expression(record, scope)
                struct = e.type_of(record)
                if not isinstance(struct, Struct) or name not in (each.name for each in struct.fields):
                    yield f"no field {name}"

    def inner(self, names: tuple[e.Name, ...], scope: Scope) -> Generator[str, None, Scope]:
        yield from self.binding(names)
        return scope | {each.name: each for each in names}

    # Substitutions. `locals_`: names that may be assigned beside the variables.

    def substitution(self, node: s.Substitution, scope: Scope, locals_: frozenset[str]) -> Iterator[str]:
        match node:
            case s.Assign(names, values):
                yield from self.assignment(names, values, scope, locals_)
            case s.Parallel(parts) | s.Sequence(parts):
                for part in parts:
                    yield from self.substitution(part, scope, locals_)
            case s.Choose(names, condition, body):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
                yield from self.substitution(body, inner, locals_)
            case s.Alternatives(branches, otherwise):
                yield from self.branches(branches, otherwise, scope, locals_)
            case s.If(branches, otherwise):
                yield from self.branches(branches, otherwise, scope, locals_)
            case s.Demand(_, condition, body):
                yield from self.predicate(condition, scope)
                yield from self.substitution(body, scope, locals_)
            case s.Local(names, body):
                inner = yield from self.inner(names, scope)
                yield from self.substitution(body, inner, locals_ | _names(names))
            case s.While(test, body, invariant, variant):
                yield from self.predicate(test, scope)
                yield from self.predicate(invariant, scope)
                yield from self.expression(variant, scope)
                if e.type_of(variant) != INTEGER:
                    yield "a variant that is no number"
                yield from self.substitution(body, scope, locals_)

    def branches(
        self,
        branches: tuple[s.Branch, ...],
        otherwise: s.Substitution | None,
        scope: Scope,
        locals_: frozenset[str],
    ) -> Iterator[str]:
        for branch in branches:
            yield from self.predicate(branch.condition, scope)
            yield from self.substitution(branch.body, scope, locals_)
        if otherwise is not None:
            yield from self.substitution(otherwise, scope, locals_)

    def assignment(
        self,
        names: tuple[e.Name, ...],
        values: tuple[e.Expression, ...],
        scope: Scope,
        locals_: frozenset[str],
    ) -> Iterator[str]:
        if len(names) != len(values):
            yield f"{len(values)} values for {len(names)} names"
        writable = _names(self.machine.variables) | locals_
        for name, value in zip(names, values, strict=False):
            yield from self.expression(name, scope)
            yield from self.expression(value, scope)
            if name.name not in writable:
                yield f"{name.name} may not be assigned"
            if e.type_of(value) != name.type:
                yield f"{name.name} is assigned a value of another type"


def _names(names: tuple[e.Name, ...]) -> frozenset[str]:
    return frozenset(each.name for each in names)


def _fits(value: int | str, type_: ValueType) -> bool:
    match type_:
        case Boolean():
            return value in (0, 1)
        case Integer():
            return isinstance(value, int)
        case Element(sort):
            return isinstance(value, int) and 0 <= value < sort.size
        case Text():
            return isinstance(value, str)
        case _:
            return False
