"""Random sets, relations, functions and sequences: the other half of `machine_expressions`."""

from __future__ import annotations

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import INTEGER, Integer, Pair, Set, Struct, ValueType

from tests.machine_expressions import Expressions, Made, Scope, applied, number, stated
from tests.machine_types import count, is_bounded, usual_set

SPACES = tuple(name for name in e.OPERATORS if name.endswith(("relations", "functions", "jections")))
SEQUENCES = ("sequences", "sequences-1", "injective-sequences", "injective-sequences-1", "permutations")
FINITE_SEQUENCES = SEQUENCES[2:]

MOST_SUBSETS = 6
"""Elements of a set of which all subsets are listed."""


class Sets(Expressions):
    def sets(self, element: ValueType, scope: Scope, depth: int) -> list[Made]:
        whole = Set(element)

        def listed() -> e.Expression:
            members = [self.expression(element, scope, depth) for _ in range(self.one((0, 1, 1, 2, 3)))]
            return applied("set", whole, *members)

        def joined() -> e.Expression:
            operator = self.one(("union", "intersection", "difference"))
            one, other = (self.expression(whole, scope, depth) for _ in range(2))
            return applied(operator, whole, one, other)

        def comprehension() -> e.Expression:
            return self.comprehension(element, scope, depth)

        def flattened() -> e.Expression:
            operator = "general-union" if self.tame else self.one(("general-union", "general-intersection"))
            return applied(operator, whole, self.expression(Set(whole), scope, depth))

        def side() -> e.Expression:
            other, is_left = self.atom(), self.flip()
            pair = Pair(element, other) if is_left else Pair(other, element)
            relation = self.expression(Set(pair), scope, depth)
            return applied("domain" if is_left else "range", whole, relation)

        def image() -> e.Expression:
            left = self.atom()
            relation = self.expression(Set(Pair(left, element)), scope, depth)
            return applied("image", whole, relation, self.expression(Set(left), scope, depth))

        choices: list[Made] = [listed, joined, joined, comprehension, comprehension]
        if count(element) <= 40:
            choices += [side, image]
        if count(element) <= MOST_SUBSETS:
            choices.append(flattened)
        match element:
            case Integer():
                choices += [lambda: self.interval(scope)] * 2
            case Set(inner):
                choices += self.sets_of_sets(inner, scope, depth)
            case Pair():
                choices += self.relations(element, scope, depth) * 2
            case Struct():
                choices.append(lambda: self.records(element, scope, depth))
        return choices

    def comprehension(self, element: ValueType, scope: Scope, depth: int) -> e.Expression:
        """With the name itself as value where its type has few values, else with any value of the type."""
        if count(element) <= 40 and self.flip(60):
            name = self.fresh("q", element)
            conjuncts = [
                *self.bounds(name, scope, depth),
                self.predicate((*scope, name), depth),
            ]
            return e.Comprehension((name,), stated("and", *conjuncts), name)
        names, condition = self.bound(scope, depth)
        return e.Comprehension(names, condition, self.expression(element, (*scope, *names), depth))

    def interval(self, scope: Scope) -> e.Expression:
        """Its ends are names or literals: what is computed may be large."""
        ends = number(self.number(-1, 1)), self.leaf(INTEGER, scope)
        return applied("interval", Set(INTEGER), *(ends if self.flip(80) else ends[::-1]))

    def records(self, type_: Struct, scope: Scope, depth: int) -> e.Expression:
        sets = [self.expression(Set(each.type), scope, depth) for each in type_.fields]
        return applied("records", Set(type_), *sets)

    def sets_of_sets(self, inner: ValueType, scope: Scope, depth: int) -> list[Made]:
        if count(inner) > MOST_SUBSETS:
            return []

        def subsets() -> e.Expression:
            base = self.expression(Set(inner), scope, depth)
            return applied(self.one(("power-set", "power-set", "power-set-1")), Set(Set(inner)), base)

        choices: list[Made] = [subsets, subsets]
        if isinstance(inner, Pair):
            pair = inner
            choices += [lambda: self.space(pair, scope, depth)] * 2
        return choices

    def space(self, related: Pair, scope: Scope, depth: int) -> e.Expression:
        """A set of relations, all of them, or of sequences."""
        if isinstance(related.left, Integer) and self.flip(30):
            base = self.expression(Set(related.right), scope, depth)
            return applied(self.one(FINITE_SEQUENCES), Set(Set(related)), base)
        ends = (self.expression(Set(each), scope, depth) for each in (related.left, related.right))
        return applied(self.one(SPACES), Set(Set(related)), *ends)

    # Where only membership matters

    def denoted(self, element: ValueType, scope: Scope, depth: int) -> e.Expression:
        whole = Set(element)
        if self.flip(60):
            return self.expression(whole, scope, depth)
        match element:
            case Set(Pair(Integer(), item)) if self.flip(40):
                return applied(self.one(SEQUENCES), whole, self.denoted(item, scope, depth - 1))
            case Set(Pair(left, right)) if self.flip(60):
                ends = (self.denoted(each, scope, depth - 1) for each in (left, right))
                return applied(self.one(SPACES), whole, *ends)
            case Set(inner):
                base = self.denoted(inner, scope, depth - 1)
                return applied(self.one(("power-set", "power-set-1")), whole, base)
            case Pair(left, right):
                ends = (self.denoted(each, scope, depth - 1) for each in (left, right))
                return applied("product", whole, *ends)
            case Struct(fields):
                return applied(
                    "records", whole, *(self.denoted(each.type, scope, depth - 1) for each in fields)
                )
            case Integer() if self.flip():
                return applied("up-from", whole, self.leaf(INTEGER, scope))
            case _:
                return applied("all", whole)

    # Relations

    def relations(self, pair: Pair, scope: Scope, depth: int) -> list[Made]:
        left, right, whole = pair.left, pair.right, Set(pair)

        def same() -> e.Expression:
            return self.expression(whole, scope, depth)

        def of(type_: ValueType) -> e.Expression:
            return self.expression(Set(type_), scope, depth)

        def product() -> e.Expression:
            return applied("product", whole, of(left), of(right))

        def inverse() -> e.Expression:
            return applied("inverse", whole, of(Pair(right, left)))

        def composed() -> e.Expression:
            between = self.atom()
            return applied("compose", whole, of(Pair(left, between)), of(Pair(between, right)))

        def on_domain() -> e.Expression:
            operator = self.one(("domain-restrict", "domain-subtract"))
            return applied(operator, whole, self.restriction(left, scope, depth), same())

        def on_range() -> e.Expression:
            operator = self.one(("range-restrict", "range-subtract"))
            return applied(operator, whole, same(), self.restriction(right, scope, depth))

        def override() -> e.Expression:
            return applied("override", whole, same(), same())

        def function() -> e.Expression:
            """A lambda."""
            name = self.fresh("q", left)
            inner = (*scope, name)
            conjuncts = self.bounds(name, scope, depth)
            if self.flip(40):
                conjuncts.append(self.predicate(inner, depth))
            value = e.pair(name, self.expression(right, inner, depth))
            return e.Comprehension((name,), stated("and", *conjuncts), value)

        choices: list[Made] = [product, inverse, composed, on_domain, on_range, override]
        if count(left) <= 20:
            choices += [function, function]
        if left == right:
            choices += self.endorelations(pair, scope, depth)
        if isinstance(left, Integer):
            choices += self.sequences(pair, scope, depth) * (1 if self.tame else 2)
        choices += self.products(pair, scope, depth) * 4
        match right:
            case Set(inner):
                choices.append(lambda: applied("as-function", whole, of(Pair(left, inner))))
        if count(right) <= 4:
            choices.append(lambda: applied("as-relation", whole, of(Pair(left, Set(right)))))
        return choices

    def restriction(self, element: ValueType, scope: Scope, depth: int) -> e.Expression:
        return (
            self.denoted(element, scope, depth)
            if self.flip(30)
            else self.expression(Set(element), scope, depth)
        )

    def endorelations(self, pair: Pair, scope: Scope, depth: int) -> list[Made]:
        whole = Set(pair)

        def identity() -> e.Expression:
            return applied("identity", whole, self.expression(Set(pair.left), scope, depth))

        def closure() -> e.Expression:
            is_small = not is_bounded(pair.left) or count(pair.left) <= 40
            operator = self.one(("closure", "closure1")) if is_small else "closure1"
            return applied(operator, whole, self.expression(whole, scope, depth))

        def iterated() -> e.Expression:
            times = number(self.number(-1 if not self.tame else 0, 3))
            return applied("iterate", whole, self.expression(whole, scope, depth), times)

        return [identity, closure, closure, iterated]

    def products(self, pair: Pair, scope: Scope, depth: int) -> list[Made]:
        """Operators that take pairs apart or make them."""
        whole, left, right = Set(pair), pair.left, pair.right
        choices: list[Made] = []

        def of(operator: str, *types: ValueType) -> Made:
            return lambda: applied(
                operator, whole, *(self.expression(Set(each), scope, depth) for each in types)
            )

        match left, right:
            case Pair(a, b), Pair(c, d):
                choices.append(of("parallel-product", Pair(a, c), Pair(b, d)))
        match right:
            case Pair(a, b):
                choices.append(of("direct-product", Pair(left, a), Pair(left, b)))
        match left:
            case Pair(a, b):
                choices += [of("first-projection", a, b)] if a == right else []
                choices += [of("second-projection", a, b)] if b == right else []
        return choices

    def sequences(self, pair: Pair, scope: Scope, depth: int) -> list[Made]:
        whole, item = Set(pair), pair.right

        def same() -> e.Expression:
            return self.expression(whole, scope, depth)

        def one() -> e.Expression:
            return self.expression(item, scope, depth)

        def listed() -> e.Expression:
            return applied("sequence", whole, *(one() for _ in range(self.one((0, 1, 1, 2, 2, 3)))))

        def partial() -> e.Expression:
            match self.number(0, 6):
                case 0:
                    return applied("concat", whole, same(), same())
                case 1:
                    return applied("prepend", whole, one(), same())
                case 2:
                    return applied("append", whole, same(), one())
                case 3:
                    return applied(self.one(("reverse", "tail", "front")), whole, same())
                case 4 | 5:
                    return applied(self.one(("take", "drop")), whole, same(), self.leaf(INTEGER, scope))
                case _:
                    many = self.expression(Set(Pair(INTEGER, whole)), scope, depth)
                    return applied("general-concat", whole, many)

        return [listed, listed] if self.tame and self.flip(60) else [listed, partial, partial, partial]


def usual_member(name: e.Name) -> e.Expression:
    return stated("member", name, usual_set(name.type))
