"""Bounds of the numbers in solutions of a conjunction.

In: comparisons of sums in which some names are sought. Out: for each of these the smallest and the largest number that it
may be, as far as the sums say; also for the sizes of sets and sequences that are sought. Bounds are passed on from sum to
sum until nothing changes, or for a number of rounds: what is found is always right, never too narrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from burnside.ir.sets.expressions import Apply, Expression, Name, type_of
from burnside.ir.sets.types import Integer
from burnside.reference.sets.evaluation import Environment, evaluate, free_names
from burnside.reference.sets.failures import NotListed, Unknown
from burnside.reference.sets.spaces import Numbers

ROUNDS = 30

Term = tuple[str, str]
"""What is bounded: a number ("value", name) or how many elements there are ("size", name)."""


class Sum(NamedTuple):
    """`constant` + the terms, each times its factor; as a constraint: not above zero."""

    constant: int
    factors: dict[Term, int]


class NoSolution(Exception):
    """There is no solution."""


Bounds = dict[Term, Numbers]


def is_comparison(predicate: Expression) -> bool:
    """May `constraints` find something?"""
    match predicate:
        case Apply("less" | "less-equal") | Apply("not", (Apply("less" | "less-equal"),)):
            return True
        case Apply("equal", (left, _)):
            return _is_number(left)
        case _:
            return False


def constraints(predicate: Expression, sought: Mapping[str, Name], environment: Environment) -> list[Sum]:
    """What a comparison says; nothing where it is none, or not between sums. `Undefined` where a known part of it is."""
    match predicate:
        case Apply("not", (Apply("less", (left, right)),)):
            return _below(right, left, 0, sought, environment)
        case Apply("not", (Apply("less-equal", (left, right)),)):
            return _below(right, left, 1, sought, environment)
        case Apply("less", (left, right)):
            return _below(left, right, 1, sought, environment)
        case Apply("less-equal", (left, right)):
            return _below(left, right, 0, sought, environment)
        case Apply("equal", (left, right)) if _is_number(left):
            return [
                *_below(left, right, 0, sought, environment),
                *_below(right, left, 0, sought, environment),
            ]
        case _:
            return []


def _is_number(expression: Expression) -> bool:
    return isinstance(type_of(expression), Integer)


def within(
    value: Expression, numbers: Numbers, sought: Mapping[str, Name], environment: Environment
) -> list[Sum]:
    """What membership in an interval says."""
    total = _sum(value, sought, environment)
    if total is None or not total.factors:
        return []
    found = []
    if numbers.high is not None:
        found.append(Sum(total.constant - numbers.high, total.factors))
    if numbers.low is not None:
        found.append(_scaled(Sum(total.constant - numbers.low, total.factors), -1))
    return found


def _below(
    left: Expression, right: Expression, by: int, sought: Mapping[str, Name], environment: Environment
) -> list[Sum]:
    """left + by <= right"""
    first, second = _sum(left, sought, environment), _sum(right, sought, environment)
    if first is None or second is None:
        return []
    total = _added(first, _scaled(second, -1))
    return [Sum(total.constant + by, total.factors)] if total.factors else []


def _sum(expression: Expression, sought: Mapping[str, Name], environment: Environment) -> Sum | None:
    """None where it is no sum of sought numbers, times numbers that are written down, and known ones."""
    if free_names(expression).isdisjoint(sought):
        try:
            return Sum(evaluate(expression, environment), {})
        except (NotListed, Unknown):
            return None
    match expression:
        case Name(name):
            return Sum(0, {("value", name): 1})
        case Apply("size" | "card", (Name(name),)):
            return Sum(0, {("size", name): 1})
        case Apply("negate", (inner,)):
            found = _sum(inner, sought, environment)
            return found and _scaled(found, -1)
        case Apply("add" | "subtract" | "multiply" as operator, (left, right)):
            if operator == "multiply" and free_names(left) and free_names(right):
                return None
            first, second = _sum(left, sought, environment), _sum(right, sought, environment)
            return None if first is None or second is None else _combined(operator, first, second)
        case _:
            return None


def _combined(operator: str, first: Sum, second: Sum) -> Sum | None:
    if operator == "add":
        return _added(first, second)
    if operator == "subtract":
        return _added(first, _scaled(second, -1))
    if not first.factors:
        return _scaled(second, first.constant)
    return None if second.factors else _scaled(first, second.constant)


def _scaled(total: Sum, by: int) -> Sum:
    factors = {term: factor * by for term, factor in total.factors.items()} if by else {}
    return Sum(total.constant * by, factors)


def _added(first: Sum, second: Sum) -> Sum:
    factors = dict(first.factors)
    for term, factor in second.factors.items():
        factors[term] = factors.get(term, 0) + factor
    return Sum(first.constant + second.constant, {term: factor for term, factor in factors.items() if factor})


def bounded(sums: Iterable[Sum]) -> Bounds:
    """The bounds of all terms; `NoSolution` where one has none left."""
    sums = list(sums)
    found: Bounds = {
        term: Numbers(0 if term[0] == "size" else None, None) for each in sums for term in each.factors
    }
    for _ in range(ROUNDS):
        before = dict(found)
        for each in sums:
            _narrow(each, found)
        if found == before:
            break
    return found


def _narrow(constraint: Sum, found: Bounds) -> None:
    """Each term is at most what is left when all others are as small as they can be."""
    if not constraint.factors and constraint.constant > 0:
        raise NoSolution
    least = {term: _least(found[term], factor) for term, factor in constraint.factors.items()}
    for term, factor in constraint.factors.items():
        others = [low for other, low in least.items() if other != term]
        if None in others:
            continue
        room = -constraint.constant - sum(low for low in others if low is not None)
        old = found[term]
        if factor > 0:
            high = room // factor
            new = Numbers(old.low, high if old.high is None else min(old.high, high))
        else:
            low = -(room // -factor)
            new = Numbers(low if old.low is None else max(old.low, low), old.high)
        if new.size() == 0:
            raise NoSolution
        found[term] = new


def _least(numbers: Numbers, factor: int) -> int | None:
    end = numbers.low if factor > 0 else numbers.high
    return None if end is None else factor * end
