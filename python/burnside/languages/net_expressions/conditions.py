"""The normal form of conditions: what the core takes, and how it is put together.

A condition is kept together with its negation, both in normal form: `not` swaps them, and nothing is ever
pushed through a tree afterwards. Only `<->` uses both sides twice; `MAX_SIZE` bounds what that can cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd
from typing import Any

from burnside.records import record

MAX_COEFFICIENT = 2**31
MAX_CONSTANT = 2**62
MAX_SIZE = 20_000
"""Comparisons in one condition."""

Core = tuple[Any, ...]
"""As in `_core.pyi`: true, false, not, and, or, `sum + constant <= 0`, `sum + constant = 0`."""

TRUE: Core = ("true",)
FALSE: Core = ("false",)


@record(frozen=False)
class Linear:
    """A sum of places times coefficients, and a constant. `plus` changes its left side: sums may be long."""

    coefficients: dict[int, int]
    offset: int

    @classmethod
    def constant(cls, number: int) -> Linear:
        return cls({}, number)

    @classmethod
    def place(cls, place: int) -> Linear:
        return cls({place: 1}, 0)

    def plus(self, other: Linear, factor: int) -> Linear:
        for place, coefficient in other.coefficients.items():
            total = self.coefficients.get(place, 0) + factor * coefficient
            if total:
                self.coefficients[place] = total
            else:
                self.coefficients.pop(place, None)
        self.offset += factor * other.offset
        return self

    def times(self, factor: int) -> Linear:
        scaled = {place: factor * each for place, each in self.coefficients.items()} if factor else {}
        return Linear(scaled, factor * self.offset)


@record
class Formula:
    """`size` counts comparisons, `depth` the levels of `and` and `or`."""

    core: Core
    size: int = 1
    depth: int = 0


@record
class Condition:
    holds: Formula
    fails: Formula

    @property
    def size(self) -> int:
        return max(self.holds.size, self.fails.size)

    @property
    def depth(self) -> int:
        return max(self.holds.depth, self.fails.depth)


def truth(value: bool) -> Condition:
    condition = Condition(Formula(TRUE, 0), Formula(FALSE, 0))
    return condition if value else negation(condition)


def negation(condition: Condition) -> Condition:
    return Condition(condition.fails, condition.holds)


def from_core(core: Core) -> Condition:
    """A condition that is in normal form already, with its negation."""
    match core:
        case (("<=" | "=") as operator, terms, constant):
            return comparison(operator, Linear(dict(terms), constant))
        case ("not", inner):
            return negation(from_core(inner))
        case (("and" | "or") as operator, parts):
            found = truth(operator == "and")
            for part in parts:
                found = connect(operator, found, from_core(part))
            return found
        case _:
            return truth(core == TRUE)


def connect(operator: str, left: Condition, right: Condition) -> Condition:
    if operator == "or":
        return Condition(_join("or", left.holds, right.holds), _join("and", left.fails, right.fails))
    if operator == "and":
        return negation(connect("or", negation(left), negation(right)))
    if operator == "->":
        return connect("or", negation(left), right)
    both, neither = _join("and", left.holds, right.holds), _join("and", left.fails, right.fails)
    first, second = _join("and", left.holds, right.fails), _join("and", left.fails, right.holds)
    return Condition(_join("or", both, neither), _join("or", first, second))


def connect_all(operator: str, parts: Sequence[Condition]) -> Condition:
    """By `and` or `or`; there may be many."""
    opposite = "and" if operator == "or" else "or"
    holds = _join(operator, *(each.holds for each in parts))
    return Condition(holds, _join(opposite, *(each.fails for each in parts)))


def _join(kind: str, *sides: Formula) -> Formula:
    neutral, absorbing = (TRUE, FALSE) if kind == "and" else (FALSE, TRUE)
    joined = [side for side in sides if side.core != neutral]
    for side in joined:
        if side.core == absorbing:
            return side
    if len(joined) < 2:
        return joined[0] if joined else Formula(neutral, 0)
    parts: list[Core] = []
    size = depth = 0
    for side in joined:
        flat = side.core[0] == kind
        parts.extend(side.core[1] if flat else [side.core])
        size, depth = size + side.size, max(depth, side.depth + (not flat))
    return Formula((kind, parts), size, depth)


def comparison(operator: str, difference: Linear) -> Condition:
    """`difference operator 0`, over whole numbers: `a < b` is `a - b + 1 <= 0`."""
    if operator == "=":
        return _equal(difference)
    if operator == "!=":
        return negation(_equal(difference))
    if operator in ("<", ">="):
        strict = _at_most(Linear(difference.coefficients, difference.offset + 1))
        return strict if operator == "<" else negation(strict)
    loose = _at_most(difference)
    return loose if operator == "<=" else negation(loose)


def _at_most(sum_: Linear) -> Condition:
    if not sum_.coefficients:
        return truth(sum_.offset <= 0)
    opposite = sum_.times(-1)
    return Condition(_bound(sum_), _bound(Linear(opposite.coefficients, opposite.offset + 1)))


def _bound(sum_: Linear) -> Formula:
    """`sum + c <= 0`, divided by what all coefficients have in common; the constant is rounded up."""
    common = gcd(*sum_.coefficients.values())
    return Formula(("<=", _terms(sum_, common), -(-sum_.offset // common)))


def _equal(sum_: Linear) -> Condition:
    if not sum_.coefficients:
        return truth(sum_.offset == 0)
    common = gcd(*sum_.coefficients.values())
    if sum_.offset % common:
        return truth(False)
    if sum_.coefficients[min(sum_.coefficients)] < 0:
        common = -common
    equation: Core = ("=", _terms(sum_, common), sum_.offset // common)
    return Condition(Formula(equation), Formula(("not", equation)))


def _terms(sum_: Linear, divisor: int) -> list[tuple[int, int]]:
    return [(place, coefficient // divisor) for place, coefficient in sorted(sum_.coefficients.items())]


def evaluate(core: Core, marking: Sequence[int]) -> bool:
    match core:
        case ("<=", terms, constant):
            return bool(sum(k * marking[place] for place, k in terms) + constant <= 0)
        case ("=", terms, constant):
            return bool(sum(k * marking[place] for place, k in terms) + constant == 0)
        case ("not", inner):
            return not evaluate(inner, marking)
        case (("and" | "or") as kind, parts):
            several: Callable[[Any], bool] = all if kind == "and" else any
            return several(evaluate(part, marking) for part in parts)
        case _:
            return core == TRUE


def places(core: Core) -> tuple[int, ...]:
    """The places that a condition mentions, sorted."""
    found: set[int] = set()
    pending = [core]
    while pending:
        match pending.pop():
            case ("<=" | "=", terms, _):
                found.update(place for place, _ in terms)
            case ("not", inner):
                pending.append(inner)
            case ("and" | "or", parts):
                pending.extend(parts)
    return tuple(sorted(found))
