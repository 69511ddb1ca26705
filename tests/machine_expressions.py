"""Random expressions of machines: what every type allows, numbers and predicates. `machine_sets` adds sets and relations.

Everything is well-typed, and undefined now and then. No element of a full sort is named, so nothing depends on which one is
which. Sets stay small because types do; infinite ones stand only where membership alone matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    TEXT,
    Boolean,
    Constructor,
    Element,
    FreeType,
    Integer,
    Pair,
    Set,
    Struct,
    StructField,
    ValueType,
)
from burnside.reference.sets.evaluation import free_names
from burnside.reference.sets.patterns import always_defined

from tests.machine_types import TEXTS, Drawing, count, is_bounded, usual_set

Scope = tuple[e.Name, ...]
Made = Callable[[], e.Expression]

MOST_VALUATIONS = 40
"""Of the names of one quantifier."""


def applied(operator: str, type_: ValueType, *arguments: e.Expression) -> e.Apply:
    return e.Apply(operator, arguments, type_)


def stated(operator: str, *arguments: e.Expression) -> e.Apply:
    return e.Apply(operator, arguments, BOOLEAN)


def number(value: int) -> e.Literal:
    return e.Literal(value, INTEGER)


class Expressions(Drawing):
    doubtful: frozenset[str] = frozenset()
    """Names that are let be something that may be undefined."""

    def expression(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        if depth <= 0:
            return self.leaf(type_, scope)
        choices = [*self.of_any_type(type_, scope, depth - 1), *self.of_type(type_, scope, depth - 1)]
        return self.one(choices)()

    def of_type(self, type_: ValueType, scope: Scope, depth: int) -> list[Made]:
        match type_:
            case Boolean():
                return self.predicates(scope, depth) * 2
            case Integer():
                return self.numbers(scope, depth)
            case Pair(left, right):
                made = lambda: e.pair(  # noqa: E731
                    self.expression(left, scope, depth), self.expression(right, scope, depth)
                )
                return [made] * 2
            case Struct():
                return [lambda: self.record(type_, scope, depth)] * 2
            case FreeType():
                return [lambda: self.constructed(type_, scope, depth)] * 2
            case Set(element):
                return self.sets(element, scope, depth) * 2
            case _:
                return []

    def sets(self, element: ValueType, scope: Scope, depth: int) -> list[Made]:
        raise NotImplementedError

    # Every type

    def leaf(self, type_: ValueType, scope: Scope) -> e.Expression:
        """A name or part of one where there is any, else a literal, else (elements of full sorts) something undefined."""
        known = [part for name in scope for part in parts(name) if e.type_of(part) == type_]
        if known and self.flip(80):
            return self.one(known)
        match type_:
            case Boolean():
                return e.Literal(self.number(0, 1), BOOLEAN)
            case Integer():
                return number(self.number(-1, 3))
            case Element(sort):
                if self.literals and sort.symmetry == "fixed":
                    return e.Literal(self.number(0, sort.size - 1), type_)
                return self.one(known) if known else self.undefined(type_)
            case Pair(left, right):
                return e.pair(self.leaf(left, scope), self.leaf(right, scope))
            case Struct():
                return self.record(type_, scope, 0)
            case FreeType(_, constructors):
                return e.Construct(constructors[0].name, None, type_)
            case Set(element):
                return self.set_leaf(element)
            case _:
                return e.Literal(self.one(TEXTS), TEXT)

    def set_leaf(self, element: ValueType) -> e.Expression:
        if count(element) <= 16 and self.flip(60):
            return usual_set(element)
        return applied("set", Set(element))

    def undefined(self, type_: ValueType) -> e.Expression:
        return applied("first", type_, applied("sequence", Set(Pair(INTEGER, type_))))

    def record(self, type_: Struct, scope: Scope, depth: int) -> e.Expression:
        return applied("record", type_, *(self.expression(each.type, scope, depth) for each in type_.fields))

    def constructed(self, type_: FreeType, scope: Scope, depth: int) -> e.Expression:
        """Seldom from an argument that the constructor is not for."""
        chosen = self.one(type_.constructors)
        argument = type_.argument(chosen.name)
        if argument is None:
            return e.Construct(chosen.name, None, type_)
        value = number(0) if chosen.within is not None and self.flip(70) else None
        return e.Construct(chosen.name, value or self.expression(argument, scope, depth), type_)

    def argument(self, free: FreeType, constructor: Constructor, scope: Scope, depth: int) -> e.Expression:
        """What a value is made of, often guarded by the question whether it is."""
        value = self.expression(free, scope, depth)
        if self.flip(30):
            return e.ArgumentOf(value, constructor.name)
        name = self.fresh("let", free)
        if not self.is_sure(value):
            self.doubtful |= {name.name}
        found = e.ArgumentOf(name, constructor.name)
        other = self.expression(e.type_of(found), scope, 0)
        return e.Let(name, value, e.Conditional(e.IsConstructed(name, constructor.name), found, other))

    def of_any_type(self, type_: ValueType, scope: Scope, depth: int) -> list[Made]:
        choices: list[Made] = [lambda: self.leaf(type_, scope)]
        if self.flip(30):
            choices += [
                lambda: self.conditional(type_, scope, depth),
                lambda: self.let(type_, scope, depth),
            ]
        if not self.tame or self.flip(20) or isinstance(type_, Element):
            choices += [
                lambda: self.application(type_, scope, depth),
                lambda: self.application(type_, scope, depth),
                lambda: self.end_of_sequence(type_, scope, depth),
                lambda: self.part(type_, scope, depth),
            ]
        for free in self.free_types:
            for each in free.constructors:
                if free.argument(each.name) == type_ and self.flip(60):
                    choices.append(partial(self.argument, free, each, scope, depth))
        return choices

    def conditional(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        then, otherwise = (self.expression(type_, scope, depth) for _ in range(2))
        return e.Conditional(self.predicate(scope, depth), then, otherwise)

    def let(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        name = self.fresh("let", self.small_type(20))
        value = self.expression(name.type, scope, depth)
        if not self.is_sure(value):
            self.doubtful |= {name.name}
        return e.Let(name, value, self.expression(type_, (*scope, name), depth))

    def is_sure(self, expression: e.Expression) -> bool:
        """Has it a value, whatever those of its names are?"""
        return always_defined(expression) and self.doubtful.isdisjoint(free_names(expression))

    def sure(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression | None:
        made = self.expression(type_, scope, depth)
        return made if self.is_sure(made) else None

    def application(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        """Preferably of a relation that is there."""
        known = [each for each in names_of(scope) if _ends_in(e.type_of(each), type_)]
        if known and self.flip(80):
            relation = self.one(known)
        else:
            relation = self.expression(Set(Pair(self.atom(), type_)), scope, depth)
        left, _ = sides(e.type_of(relation))
        return applied("apply", type_, relation, self.expression(left, scope, depth))

    def end_of_sequence(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        sequence = self.expression(Set(Pair(INTEGER, type_)), scope, depth)
        return applied(self.one(("first", "last")), type_, sequence)

    def part(self, type_: ValueType, scope: Scope, depth: int) -> e.Expression:
        other = self.atom()
        match self.number(0, 2):
            case 0:
                return applied("left", type_, self.expression(Pair(type_, other), scope, depth))
            case 1:
                return applied("right", type_, self.expression(Pair(other, type_), scope, depth))
            case _:
                struct = Struct((StructField("f", type_), StructField("g", other)))
                return e.Select(self.expression(struct, scope, depth), "f")

    # Numbers

    def numbers(self, scope: Scope, depth: int) -> list[Made]:
        def operation() -> e.Expression:
            operators = ["add", "subtract", "multiply", "add", "subtract"]
            partial = ["divide", "modulo", "modulo"]
            operator = self.one(operators + (partial if not self.tame else []))
            return applied(operator, INTEGER, *(self.expression(INTEGER, scope, depth) for _ in range(2)))

        def power() -> e.Expression:
            base, exponent = self.expression(INTEGER, scope, depth), number(self.number(-1, 3))
            return applied("power", INTEGER, base, exponent if self.flip(70) else self.leaf(INTEGER, scope))

        def extreme() -> e.Expression:
            return applied(self.one(("min", "max")), INTEGER, self.expression(Set(INTEGER), scope, depth))

        def size() -> e.Expression:
            element = self.small_type(30)
            return applied("card", INTEGER, self.expression(Set(element), scope, depth))

        def length() -> e.Expression:
            sequence = self.expression(Set(Pair(INTEGER, self.atom())), scope, depth)
            return applied("size", INTEGER, sequence)

        def fold() -> e.Expression:
            names, condition = self.bound(scope, depth)
            value = self.expression(INTEGER, (*scope, *names), depth)
            return e.Fold(self.one(("sum", "sum", "product")), names, condition, value)

        def negation() -> e.Expression:
            return applied("negate", INTEGER, self.expression(INTEGER, scope, depth))

        partial: list[Made] = [power, extreme, length]
        return [operation, operation, operation, size, size, fold, negation, *(() if self.tame else partial)]

    # Predicates

    def predicate(self, scope: Scope, depth: int) -> e.Expression:
        return self.expression(BOOLEAN, scope, depth)

    def predicates(self, scope: Scope, depth: int) -> list[Made]:
        def connected() -> e.Expression:
            parts = [self.predicate(scope, depth) for _ in range(self.one((2, 2, 2, 3, 1, 0)))]
            return stated(self.one(("and", "or")), *parts)

        def two() -> e.Expression:
            operator = self.one(("implies", "iff"))
            return stated(operator, self.predicate(scope, depth), self.predicate(scope, depth))

        def compared() -> e.Expression:
            operator = self.one(("less", "less-equal"))
            return stated(operator, *(self.expression(INTEGER, scope, depth) for _ in range(2)))

        def equal() -> e.Expression:
            type_ = self.some_type(scope)
            return stated("equal", self.expression(type_, scope, depth), self.expression(type_, scope, depth))

        def member() -> e.Expression:
            type_ = self.some_type(scope)
            return stated("member", self.expression(type_, scope, depth), self.denoted(type_, scope, depth))

        def subset() -> e.Expression:
            type_, operator = self.small_type(20), self.one(("subset", "subset", "strict-subset"))
            part = self.expression(Set(type_), scope, depth)
            whole = self.denoted(type_, scope, depth) if operator == "subset" else None
            return stated(operator, part, whole or self.expression(Set(type_), scope, depth))

        def quantified() -> e.Expression:
            names, condition = self.bound(scope, depth)
            if self.flip():
                return e.Exists(names, condition)
            return e.Forall(names, condition, self.predicate((*scope, *names), depth))

        def negated() -> e.Expression:
            return stated("not", self.predicate(scope, depth))

        def constructed() -> e.Expression:
            free = self.one(self.free_types)
            return e.IsConstructed(self.expression(free, scope, depth), self.one(free.constructors).name)

        choices = [connected, connected, two, compared, equal, equal, member, member, subset, quantified,
                   quantified, negated]  # fmt: skip
        return choices + ([constructed] if self.free_types else [])

    def denoted(self, element: ValueType, scope: Scope, depth: int) -> e.Expression:
        """A set that need not be listed."""
        raise NotImplementedError

    def some_type(self, scope: Scope) -> ValueType:
        """That of something in scope, or any; now and then one that occurs nowhere else."""
        known = [e.type_of(each) for each in names_of(scope)]
        if known and self.flip(50):
            return self.one(known)
        if self.flip(60):
            return self.small_type(40)
        a, b, c = (self.atom() for _ in range(3))
        rare = (Pair(Pair(a, b), a), Pair(Pair(a, b), b), Pair(a, Pair(b, c)), Pair(Pair(a, b), Pair(b, a)))
        return self.one((*map(Set, rare), Set(Pair(a, Set(b))), Set(Pair(a, a)), Set(Pair(INTEGER, b))))

    # Names that are bound by a predicate

    def bound(self, scope: Scope, depth: int, most: int = MOST_VALUATIONS) -> tuple[Scope, e.Expression]:
        """New names, and a condition that says which values to try."""
        names: list[e.Name] = []
        conjuncts: list[e.Expression] = []
        for _ in range(self.one((1, 1, 1, 2))):
            name = self.fresh("q", self.small_type(max(most, 2)))
            most //= count(name.type)
            conjuncts += self.bounds(name, (*scope, *names), depth)
            names.append(name)
        if self.flip(60):
            conjuncts.append(self.predicate((*scope, *names), depth))
        if len(conjuncts) > 2 and self.flip(20):
            conjuncts = [stated("and", *conjuncts[1:]), conjuncts[0]]
        return tuple(names), stated("and", *conjuncts) if len(conjuncts) != 1 else conjuncts[0]

    def bounds(self, name: e.Name, scope: Scope, depth: int) -> list[e.Expression]:
        """Conjuncts that say which values of a name to try; a type with an end need not be bounded."""
        if is_bounded(name.type) and self.flip(25):
            return []
        within = stated("member", name, usual_set(name.type))
        match self.number(0, 5):
            case 0 | 1:
                return [within]
            case 2:
                return [stated("member", name, self.expression(Set(name.type), scope, depth))]
            case 3:
                value = self.expression(name.type, scope, depth)
                return [stated("equal", *((name, value) if self.flip() else (value, name)))]
            case 4 if isinstance(name.type, Set):
                whole = self.expression(name.type, scope, depth)
                low = stated("subset", self.expression(name.type, scope, 0), name)
                return [stated("subset", name, whole), *([low] if self.flip(30) else [])]
            case 5 if isinstance(name.type, Set) and isinstance(name.type.element, Pair):
                return [stated("member", name, self.space(name.type.element, scope, depth))]
            case _:
                return [within]

    def space(self, related: Pair, scope: Scope, depth: int) -> e.Expression:
        raise NotImplementedError


def sides(relation: ValueType) -> tuple[ValueType, ValueType]:
    assert isinstance(relation, Set) and isinstance(relation.element, Pair)
    return relation.element.left, relation.element.right


def parts(name: e.Expression) -> Iterator[e.Expression]:
    """The name, and what its pairs and records are made of."""
    yield name
    match e.type_of(name):
        case Pair(left, right):
            yield from parts(applied("left", left, name))
            yield from parts(applied("right", right, name))
        case Struct(fields):
            for each in fields:
                yield from parts(e.Select(name, each.name))


def names_of(scope: Scope) -> list[e.Expression]:
    return [part for name in scope for part in parts(name)]


def _ends_in(type_: ValueType, right: ValueType) -> bool:
    return isinstance(type_, Set) and isinstance(type_.element, Pair) and type_.element.right == right
