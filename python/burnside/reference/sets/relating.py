"""Operators on sets and relations that need not be listed.

Entered into the tables of `evaluation`. Where all operands are finite, finite sets come out at once; else a space, of
which membership and images can be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from burnside.ir.sets.expressions import Apply, Comprehension, Expression
from burnside.ir.sets.types import Pair, Set, ValueType, is_finite
from burnside.reference.sets.combined import Domain, Filtered, Inverse, Joined, Mapped
from burnside.reference.sets.denoting import sets
from burnside.reference.sets.evaluation import DENOTED, Environment, denote, evaluate
from burnside.reference.sets.failures import SET_LIMIT, TooLarge, undefined
from burnside.reference.sets.functions import Partial
from burnside.reference.sets.operators import FINITE, checked, closure1, compose
from burnside.reference.sets.quantifiers import Rule, valuations_of
from burnside.reference.sets.spaces import (
    Denoted,
    Everything,
    Numbers,
    Product,
    images,
    in_order,
    is_empty,
    size_of,
)
from burnside.reference.sets.values import Value, all_values

Pairs = frozenset[tuple[Value, Value]]


# Two sets


def _joined(left: Denoted, right: Denoted) -> Denoted:
    return Joined(left, right)


def _met(left: Denoted, right: Denoted) -> Denoted:
    """Listed from the side that is finite, or shorter."""
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        lows = [each for each in (left.low, right.low) if each is not None]
        highs = [each for each in (left.high, right.high) if each is not None]
        return Numbers(max(lows, default=None), min(highs, default=None))
    short, other = (left, right) if isinstance(left, frozenset) else (right, left)
    if not isinstance(short, frozenset) and size_of(other) < size_of(short):
        short, other = other, short
    return _kept(short, other.__contains__)


def _kept(base: Denoted, test: Callable[[Value], bool]) -> Denoted:
    return frozenset(filter(test, base)) if isinstance(base, frozenset) else Filtered(base, test)


def _composed(first: Denoted, second: Denoted) -> Denoted:
    if isinstance(first, frozenset):
        return checked(frozenset((a, c) for a, b in first for c in images(second, b)))
    return Mapped(Domain(first), lambda a: {c for b in images(first, a) for c in images(second, b)})


def _restricted(to: Denoted, relation: Denoted) -> Denoted:
    if isinstance(to, frozenset) and not isinstance(relation, frozenset):
        return checked(frozenset((a, b) for a in to for b in images(relation, a)))
    return _kept(relation, lambda each: each[0] in to)


def _overridden(relation: Denoted, new: Denoted) -> Denoted:
    changed = Domain(new)
    return Joined(_kept(relation, lambda each: each[0] not in changed), new)


def _direct(first: Denoted, second: Denoted) -> Denoted:
    return Mapped(Domain(first), lambda a: [(b, c) for b in images(first, a) for c in images(second, a)])


def _parallel(first: Denoted, second: Denoted) -> Denoted:
    def both(pair: tuple[Value, Value]) -> Iterable[Value]:
        return [(c, d) for c in images(first, pair[0]) for d in images(second, pair[1])]

    return Mapped(Product(Domain(first), Domain(second)), both)


_SYMBOLIC: dict[str, Callable[[Denoted, Denoted], Denoted]] = {
    "union": _joined,
    "intersection": _met,
    "difference": lambda left, right: _kept(left, lambda each: each not in right),
    "compose": _composed,
    "direct-product": _direct,
    "parallel-product": _parallel,
    "domain-restrict": _restricted,
    "domain-subtract": lambda away, relation: _kept(relation, lambda each: each[0] not in away),
    "range-restrict": lambda relation, to: _kept(relation, lambda each: each[1] in to),
    "range-subtract": lambda relation, away: _kept(relation, lambda each: each[1] not in away),
    "override": _overridden,
}


def _two(operator: str) -> Callable[[Apply, Environment], Denoted]:
    finite, symbolic = FINITE[operator], _SYMBOLIC[operator]

    def handler(expression: Apply, environment: Environment) -> Denoted:
        left, right = sets(expression, environment)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            return finite(left, right)
        return symbolic(left, right)

    return handler


DENOTED |= {operator: _two(operator) for operator in FINITE}


# Relations


def _domain(expression: Apply, environment: Environment) -> Denoted:
    (argument,) = expression.arguments
    relation = denote(argument, environment)
    if isinstance(argument, Comprehension) and isinstance(relation, Rule) and _is_pair(argument.value):
        # So that the domain of a function that cannot be listed can be asked for its members.
        return denote(_side(argument, 0), environment)
    if isinstance(relation, Partial):
        return relation.domain()
    if isinstance(relation, Product):
        return frozenset() if is_empty(relation.right) else relation.left
    return frozenset(a for a, _ in relation) if isinstance(relation, frozenset) else Domain(relation)


def _range(expression: Apply, environment: Environment) -> Denoted:
    (argument,) = expression.arguments
    relation = denote(argument, environment)
    if isinstance(argument, Comprehension) and isinstance(relation, Rule) and _is_pair(argument.value):
        return denote(_side(argument, 1), environment)
    if isinstance(relation, Product):
        return frozenset() if is_empty(relation.left) else relation.right
    return frozenset(b for _, b in relation) if isinstance(relation, frozenset) else Domain(Inverse(relation))


def _is_pair(value: Expression) -> bool:
    return isinstance(value, Apply) and value.operator == "pair"


def _side(relation: Comprehension, side: int) -> Comprehension:
    """The comprehension of one side of its pairs; kept with it, so that what is known of it is known again."""
    key = f"side {side}"
    if key not in vars(relation):
        assert isinstance(relation.value, Apply)
        chosen = relation.value.arguments[side]
        vars(relation)[key] = Comprehension(relation.names, relation.condition, chosen, relation.span)
    found: Comprehension = vars(relation)[key]
    return found


def _inverse(expression: Apply, environment: Environment) -> Denoted:
    (relation,) = sets(expression, environment)
    return frozenset((b, a) for a, b in relation) if isinstance(relation, frozenset) else Inverse(relation)


def _identity(expression: Apply, environment: Environment) -> Denoted:
    (base,) = sets(expression, environment)
    return frozenset((a, a) for a in base) if isinstance(base, frozenset) else Mapped(base, lambda a: (a,))


def _image(expression: Apply, environment: Environment) -> Denoted:
    relation, of = sets(expression, environment)
    if isinstance(of, frozenset):
        return checked(frozenset(b for a in of for b in images(relation, a)))
    if isinstance(relation, frozenset):
        return frozenset(b for a, b in relation if a in of)
    return checked(frozenset(b for a in in_order(of) for b in images(relation, a)))


def _projection(side: int) -> Callable[[Apply, Environment], Denoted]:
    def handler(expression: Apply, environment: Environment) -> Denoted:
        left, right = sets(expression, environment)
        return Mapped(Product(left, right), lambda pair: (pair[side],))

    return handler


def _closure(expression: Apply, environment: Environment) -> Denoted:
    relation = evaluate(expression.arguments[0], environment)
    return checked(closure1(relation) | _reflexive(relation, expression.type))


def _iterate(expression: Apply, environment: Environment) -> Denoted:
    relation: Pairs = evaluate(expression.arguments[0], environment)
    times: int = evaluate(expression.arguments[1], environment)
    if times < 0:
        undefined(f"iterate: {times} is negative")
    if times == 0:
        return _reflexive(relation, expression.type)
    seen: dict[Pairs, int] = {}
    found, turn = relation, 1
    while turn < times and found not in seen:
        seen[found] = turn
        found, turn = compose(found, relation), turn + 1
    if turn < times:
        # Powers of a finite relation repeat: what comes after the first repetition is known.
        period = turn - seen[found]
        powers = list(seen)
        return powers[seen[found] - 1 + (times - turn) % period]
    return found


def _reflexive(relation: Pairs, type_: ValueType) -> Pairs:
    """On the whole type where it is finite, else on domain and range of the relation."""
    assert isinstance(type_, Set) and isinstance(type_.element, Pair)
    element = type_.element.left
    if is_finite(element):
        if Everything(element).size() > SET_LIMIT:
            raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")
        return frozenset((each, each) for each in all_values(element))
    return frozenset((each, each) for pair in relation for each in pair)


# Sets of sets


def _parts(argument: Expression, environment: Environment) -> list[Denoted]:
    """The sets that are members of a set of sets; none of them has to be listed."""
    if isinstance(argument, Apply) and argument.operator == "set":
        return sets(argument, environment)
    if isinstance(argument, Comprehension):
        return [denote(argument.value, each) for each in valuations_of(argument, environment)]
    return list(in_order(denote(argument, environment)))


def _general_union(expression: Apply, environment: Environment) -> Denoted:
    parts = _parts(expression.arguments[0], environment)
    finite = [each for each in parts if isinstance(each, frozenset)]
    spaces = [each for each in parts if not isinstance(each, frozenset)]
    together: Denoted = checked(frozenset().union(*finite))
    return reduce(_joined, spaces, together)


def _general_intersection(expression: Apply, environment: Environment) -> Denoted:
    parts = _parts(expression.arguments[0], environment)
    if not parts:
        undefined("the intersection of no sets")
    return reduce(_met, parts)


DENOTED |= {
    "domain": _domain,
    "range": _range,
    "inverse": _inverse,
    "identity": _identity,
    "image": _image,
    "first-projection": _projection(0),
    "second-projection": _projection(1),
    "closure": _closure,
    "iterate": _iterate,
    "general-union": _general_union,
    "general-intersection": _general_intersection,
}
