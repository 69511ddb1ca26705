"""Operators on sets which need not be listed, such as membership, and those that build spaces.

Entered into the tables of `evaluation`. `relating` has the operators on sets and relations.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.ir.sets.expressions import Apply, type_of
from burnside.ir.sets.types import Element, Integer, Set, Sort
from burnside.reference.sets.evaluation import (
    CLOSED,
    DENOTED,
    LOOKING,
    Environment,
    denote,
    evaluate,
    notation_in,
)
from burnside.reference.sets.failures import Undefined, undefined
from burnside.reference.sets.functions import Functions, Relations
from burnside.reference.sets.spaces import (
    INFINITY,
    Denoted,
    Everything,
    Numbers,
    Permutations,
    Product,
    Rows,
    Sequences,
    Space,
    Subsets,
    cardinality,
    images,
    is_subset,
    listed,
    size_of,
)
from burnside.reference.sets.values import Point, Value, all_values, count_values


def sets(expression: Apply, environment: Environment) -> list[Denoted]:
    return [denote(each, environment) for each in expression.arguments]


# Questions


def _member(expression: Apply, environment: Environment) -> bool:
    value, space = expression.arguments
    return evaluate(value, environment) in denote(space, environment)


def _subset(expression: Apply, environment: Environment) -> bool:
    left, right = sets(expression, environment)
    return is_subset(left, right)


def _strict_subset(expression: Apply, environment: Environment) -> bool:
    left, right = sets(expression, environment)
    return is_subset(left, right) and not is_subset(right, left)


def _card(expression: Apply, environment: Environment) -> int:
    (found,) = sets(expression, environment)
    size = cardinality(found)
    return int(size) if size < INFINITY else len(listed(found))


def _extreme(expression: Apply, environment: Environment) -> int:
    (found,) = sets(expression, environment)
    if not size_of(found):
        undefined(f"the empty set has no {expression.operator}")
    if isinstance(found, Numbers):
        end = found.low if expression.operator == "min" else found.high
        if end is not None:
            return end
    values = listed(found)
    if not values:
        undefined(f"the empty set has no {expression.operator}")
    return int(min(values) if expression.operator == "min" else max(values))


def _application(expression: Apply, environment: Environment) -> Value:
    function, argument = expression.arguments
    value = evaluate(argument, environment)
    found = tuple(images(denote(function, environment), value))
    if len(found) == 1:
        return found[0]
    problem = "for which it has more than one value" if found else "which is not in its domain"

    def message() -> str:
        notation = notation_in(environment)
        shown = notation.value(value, type_of(argument))
        return f"{notation.expression(function)} is applied to {shown}, {problem}"

    raise Undefined(message, expression.span)


def _position(expression: Apply, environment: Environment) -> Value:
    return evaluate(expression.arguments[0], environment).position


def _element_at(expression: Apply, environment: Environment) -> Value:
    sort, position = _sort(expression), evaluate(expression.arguments[0], environment)
    if not 0 <= position < sort.size:
        undefined(f"{sort.name} has no element number {position}")
    return Point(sort.name, position)


def _shift(expression: Apply, environment: Environment) -> Value:
    element, by = (evaluate(each, environment) for each in expression.arguments)
    return Point(element.sort, (element.position + by) % _sort(expression).size)


def _sort(expression: Apply) -> Sort:
    assert isinstance(expression.type, Element)
    return expression.type.sort


LOOKING |= {
    "member": _member,
    "subset": _subset,
    "strict-subset": _strict_subset,
    "card": _card,
    "min": _extreme,
    "max": _extreme,
    "apply": _application,
    "position": _position,
    "element-at": _element_at,
    "shift": _shift,
}


# Spaces

SMALL = 1000
"""Types with so few values are listed at once."""


def _all(expression: Apply, environment: Environment) -> Denoted:
    assert isinstance(expression.type, Set)
    element = expression.type.element
    if count_values(element) <= SMALL:
        # Kept with the expression, as all values that depend on nothing are.
        values = vars(expression)[CLOSED] = frozenset(all_values(element))
        return values
    return Numbers(None, None) if isinstance(element, Integer) else Everything(element)


def _up_from(expression: Apply, environment: Environment) -> Denoted:
    return Numbers(evaluate(expression.arguments[0], environment), None)


def _interval(expression: Apply, environment: Environment) -> Denoted:
    low, high = (evaluate(each, environment) for each in expression.arguments)
    return Numbers(low, high)


def _made(kind: Callable[..., Space], **settings: object) -> Callable[[Apply, Environment], Denoted]:
    return lambda expression, environment: kind(*sets(expression, environment), **settings)


def _rows(expression: Apply, environment: Environment) -> Denoted:
    return Rows(tuple(sets(expression, environment)))


DENOTED |= {
    "all": _all,
    "up-from": _up_from,
    "interval": _interval,
    "product": _made(Product),
    "power-set": _made(Subsets),
    "power-set-1": _made(Subsets, least=1),
    "relations": _made(Relations),
    "total-relations": _made(Relations, total=True),
    "surjective-relations": _made(Relations, onto=True),
    "total-surjective-relations": _made(Relations, total=True, onto=True),
    "partial-functions": _made(Functions),
    "total-functions": _made(Functions, total=True),
    "partial-injections": _made(Functions, injective=True),
    "total-injections": _made(Functions, total=True, injective=True),
    "partial-surjections": _made(Functions, onto=True),
    "total-surjections": _made(Functions, total=True, onto=True),
    "partial-bijections": _made(Functions, injective=True, onto=True),
    "total-bijections": _made(Functions, total=True, injective=True, onto=True),
    "sequences": _made(Sequences),
    "sequences-1": _made(Sequences, least=1),
    "injective-sequences": _made(Sequences, injective=True),
    "injective-sequences-1": _made(Sequences, injective=True, least=1),
    "permutations": _made(Permutations),
    "records": _rows,
}
