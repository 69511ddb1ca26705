"""Is a machine well formed? In: a machine. Out: nothing, or an `InputError` that says what is wrong.

For machines that were built in Python: languages check what they read. Operators have their number of arguments, and
arguments of the right types, names are in scope and have one type, what is assigned may be assigned. `problems` is the
oracle for the tests of everything that makes machines.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, cast, get_args

from burnside.diagnostics import Diagnostic, InputError
from burnside.ir.checking.failures import Wrong, items, kind_of, number, one_of, refuse, text
from burnside.ir.checking.types import Types
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking_operators import applied
from burnside.ir.sets.machine import Claim, ClaimKind, CutRule, Machine, NotationName, Operation
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    Boolean,
    Constructor,
    Element,
    FreeType,
    Integer,
    Multiset,
    Pair,
    Recursion,
    Set,
    Struct,
    StructField,
    Text,
    ValueType,
    show_type,
)

Scope = dict[str, e.Name]
CLAIMS: tuple[str, ...] = get_args(ClaimKind)
NOTATIONS: tuple[str, ...] = get_args(NotationName)
CUT_RULES: tuple[str, ...] = get_args(CutRule)
DEMANDS = ("assertion", "precondition")


def check_machine(machine: Machine) -> None:
    """`InputError` for the first thing that is wrong."""
    name = machine.name if isinstance(machine.name, str) else None
    try:
        problem = next(_Checker(machine).problems(), None)
    except Wrong as wrong:
        problem = wrong.reason
    except RecursionError:
        problem = "expressions or substitutions are nested too deeply"
    if problem is not None:
        raise InputError(Diagnostic(problem, name))


def problems(machine: Machine) -> tuple[str, ...]:
    """All that is wrong, as far as one thing does not hide another."""
    try:
        return tuple(_Checker(machine).problems())
    except Wrong as wrong:
        return (wrong.reason,)


class _Checker:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.types = Types(machine.sorts)
        self.bound: set[str] = set()
        self.known_types: dict[int, ValueType] = {}
        self.free_types: dict[str, FreeType] = {}
        self.defined: str | None = None
        """The free type whose definition is looked at."""

    def problems(self) -> Iterator[str]:
        machine = self.machine
        text(machine.name, "the name of the machine")
        one_of(machine.notation, NOTATIONS, "the notation")
        text(machine.start_title, "the title of the initialisation")
        one_of(machine.cut_rule, CUT_RULES, "the rule for cut domains")
        for each in items(machine.free_types, "the free types"):
            yield from self.free_type(each)
        constants = self.state_names(machine.constants, "the constants")
        state = {**constants, **self.state_names(machine.variables, "the variables")}
        if len(state) < len(machine.state_names):
            yield "two state names are alike"
        self.bound = set(state)
        for conjunct in items(machine.properties, "the properties"):
            yield from self.predicate(conjunct, constants)
        for claim in items(machine.claims, "the claims"):
            yield from self.claim(claim, state)
        yield from self.substitution(machine.initialisation, state, frozenset())
        names = [self.operation_name(each) for each in items(machine.operations, "the operations")]
        if len(set(names)) < len(names):
            yield "two operations have one name"
        for operation in machine.operations:
            yield from self.operation(operation, state)
        bounds = items(machine.numbers, "MININT and MAXINT")
        if len(bounds) != 2 or number(bounds[0], "MININT") > number(bounds[1], "MAXINT"):
            yield "MININT and MAXINT are no range of numbers"

    def state_names(self, names: Any, what: str) -> Scope:
        found: Scope = {}
        for each in items(names, what):
            self.name(each)
            if not each.is_state:
                refuse(f"{each.name} is not marked as part of the state")
            found[each.name] = each
        return found

    def claim(self, claim: Any, state: Scope) -> Iterator[str]:
        if not isinstance(claim, Claim):
            refuse(f"{kind_of(claim)} is no claim")
        one_of(claim.kind, CLAIMS, "the kind of a claim")
        text(claim.name, "the name of a claim")
        yield from self.predicate(claim.predicate, state)

    def operation_name(self, operation: Any) -> str:
        if not isinstance(operation, Operation):
            refuse(f"{kind_of(operation)} is no operation")
        return text(operation.name, "the name of an operation")

    def operation(self, operation: Operation, state: Scope) -> Iterator[str]:
        parameters = items(operation.parameters, "the parameters")
        results = items(operation.results, "the results")
        yield from self.binding(parameters + results)
        inner = state | {each.name: each for each in parameters}
        yield from self.predicate(operation.guard, inner)
        inner |= {each.name: each for each in results}
        yield from self.substitution(operation.body, inner, _names(results))

    def name(self, name: Any) -> None:
        if not isinstance(name, e.Name):
            refuse(f"{kind_of(name)} is no name")
        self.type(name.type, text(name.name, "a name"))

    def binding(self, names: Any) -> Iterator[str]:
        for name in items(names, "the names that are bound"):
            self.name(name)
            if name.name in self.bound:
                yield f"{name.name} is bound twice"
            if name.is_state:
                yield f"the local name {name.name} is marked as part of the state"
            self.bound.add(name.name)

    # Types

    def type(self, type_: Any, what: str) -> None:
        if id(type_) in self.known_types:
            return
        match type_:
            case Boolean() | Text() | Integer(None, None):
                pass
            case Element(sort):
                self.types.known_sort(sort)
            case Pair(left, right):
                self.type(left, what)
                self.type(right, what)
            case Set(element) | Multiset(element):
                self.type(element, what)
            case Struct(fields):
                names = [self.field(each, what) for each in items(fields, "the fields of a record")]
                if names != sorted(set(names)):
                    refuse(f"the fields of {what} are not in the order of their names, each once")
            case FreeType(name):
                if self.free_types.get(name) != type_:
                    refuse(f"the type of {what} is no free type of the machine")
            case Recursion(name):
                if name != self.defined:
                    refuse(f"{name} stands outside of its definition")
                return
            case _:
                refuse(f"the type of {what} is {kind_of(type_)}, which is no type of values")
        if self.defined is None:
            self.known_types[id(type_)] = type_

    def free_type(self, free: Any) -> Iterator[str]:
        """Types that it is built from come before it."""
        if not isinstance(free, FreeType):
            refuse(f"{kind_of(free)} is no free type")
        name = text(free.name, "the name of a free type")
        if name in self.free_types or name in {each.name for each in self.machine.sorts}:
            yield f"two types are called {name}"
        if number(free.depth, f"the depth of {name}") < 1:
            yield f"no value of {name} would be tried"
        constructors = items(free.constructors, f"the constructors of {name}")
        names = [self.constructor(each, name) for each in constructors]
        if len(set(names)) < len(names):
            yield f"two constructors of {name} have one name"
        self.free_types[name] = free
        if not _has_values(free):
            refuse(f"{name} has no values")
        for each in constructors:
            if each.within is not None:
                yield from self.carrier(free, each)

    def constructor(self, constructor: Any, of: str) -> str:
        if not isinstance(constructor, Constructor):
            refuse(f"{kind_of(constructor)} is no constructor")
        name = text(constructor.name, f"the name of a constructor of {of}")
        if constructor.argument is not None:
            self.defined = of
            self.type(constructor.argument, name)
            self.defined = None
        elif constructor.within is not None:
            refuse(f"{name} takes no argument")
        return name

    def carrier(self, free: FreeType, constructor: Constructor) -> Iterator[str]:
        """What arguments belong to."""
        self.defined = free.name
        yield from self.expression(constructor.within, {})
        self.defined = None
        assert constructor.argument is not None
        if e.type_of(cast(e.Expression, constructor.within)) != Set(constructor.argument):
            yield f"what {constructor.name} is made of has another type than its argument"

    def field(self, field: Any, what: str) -> str:
        if not isinstance(field, StructField):
            refuse(f"{kind_of(field)} is no field of a record")
        self.type(field.type, what)
        return text(field.name, f"the name of a field of {what}")

    # Expressions

    def predicate(self, node: Any, scope: Scope) -> Iterator[str]:
        yield from self.expression(node, scope)
        if e.type_of(node) != BOOLEAN:
            yield f"a predicate is wanted, and {kind_of(node)} of type {show_type(e.type_of(node))} found"

    def expression(self, node: Any, scope: Scope) -> Iterator[str]:
        match node:
            case e.Literal(value, type_):
                self.type(type_, "a literal")
                if not _fits(value, type_):
                    yield f"{value!r} is no {show_type(type_)}"
            case e.Name(name):
                if text(name, "a name") not in scope:
                    yield f"{name} is not in scope"
                elif (scope[name].type, scope[name].is_state) != (node.type, node.is_state):
                    yield f"{name} has another type than where it was bound"
            case e.Apply(operator, arguments, type_):
                self.type(type_, f"what {operator} gives")
                for each in items(arguments, "the arguments"):
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
                self.name(name)
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
            case e.Construct(constructor, argument, type_):
                self.type(type_, f"what {constructor} gives")
                if argument is not None:
                    yield from self.expression(argument, scope)
                wanted = self.argument_type(type_, constructor)
                given = None if argument is None else e.type_of(argument)
                if given != wanted:
                    yield f"the argument of {constructor} has another type"
            case e.IsConstructed(value, constructor):
                yield from self.expression(value, scope)
                self.argument_type(e.type_of(value), constructor)
            case e.ArgumentOf(value, constructor):
                yield from self.expression(value, scope)
                if self.argument_type(e.type_of(value), constructor) is None:
                    refuse(f"{constructor} takes no argument")
            case _:
                yield f"{kind_of(node)} is no expression"

    def argument_type(self, type_: Any, constructor: Any) -> ValueType | None:
        name = text(constructor, "the name of a constructor")
        if not isinstance(type_, FreeType) or name not in (each.name for each in type_.constructors):
            refuse(f"no constructor {name}")
        return type_.argument(name)

    def inner(self, names: Any, scope: Scope) -> Generator[str, None, Scope]:
        yield from self.binding(names)
        return scope | {each.name: each for each in names}

    # Substitutions. `locals_`: names that may be assigned beside the variables.

    def substitution(self, node: Any, scope: Scope, locals_: frozenset[str]) -> Iterator[str]:
        match node:
            case s.Assign(names, values):
                yield from self.assignment(names, values, scope, locals_)
            case s.Parallel(parts) | s.Sequence(parts):
                for part in items(parts, "the parts"):
                    yield from self.substitution(part, scope, locals_)
            case s.Choose(names, condition, body):
                inner = yield from self.inner(names, scope)
                yield from self.predicate(condition, inner)
                yield from self.substitution(body, inner, locals_)
            case s.Alternatives(branches, otherwise):
                yield from self.branches(branches, otherwise, scope, locals_)
            case s.If(branches, otherwise):
                yield from self.branches(branches, otherwise, scope, locals_)
                if otherwise is None:
                    yield "a choice has no other branch"
            case s.Demand(kind, condition, body):
                one_of(kind, DEMANDS, "what is demanded")
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
            case _:
                yield f"{kind_of(node)} is no substitution"

    def branches(
        self,
        branches: Any,
        otherwise: s.Substitution | None,
        scope: Scope,
        locals_: frozenset[str],
    ) -> Iterator[str]:
        for branch in items(branches, "the branches"):
            if not isinstance(branch, s.Branch):
                refuse(f"{kind_of(branch)} is no branch")
            yield from self.predicate(branch.condition, scope)
            yield from self.substitution(branch.body, scope, locals_)
        if otherwise is not None:
            yield from self.substitution(otherwise, scope, locals_)

    def assignment(
        self,
        names: Any,
        values: Any,
        scope: Scope,
        locals_: frozenset[str],
    ) -> Iterator[str]:
        if len(items(names, "what is assigned to")) != len(items(values, "the values")):
            yield f"{len(values)} values for {len(names)} names"
        writable = _names(self.machine.variables) | locals_
        for name, value in zip(names, values, strict=False):
            self.name(name)
            yield from self.expression(name, scope)
            yield from self.expression(value, scope)
            if name.name not in writable:
                yield f"{name.name} may not be assigned"
            if e.type_of(value) != name.type:
                yield f"{name.name} is assigned a value of another type"


def _names(names: tuple[e.Name, ...]) -> frozenset[str]:
    return frozenset(each.name for each in names)


def _has_values(free: FreeType) -> bool:
    """May all constructors but one need a value of the type first?"""

    def builds(type_: ValueType | None) -> bool:
        match type_:
            case Recursion():
                return False
            case Pair(left, right):
                return builds(left) and builds(right)
            case Struct(fields):
                return all(builds(each.type) for each in fields)
            case _:
                return True

    return any(builds(each.argument) for each in free.constructors)


def _fits(value: int | str, type_: ValueType) -> bool:
    match type_:
        case Boolean():
            return isinstance(value, int) and value in (0, 1)
        case Integer():
            return isinstance(value, int)
        case Element(sort):
            return isinstance(value, int) and 0 <= value < sort.size
        case Text():
            return isinstance(value, str)
        case _:
            return False
