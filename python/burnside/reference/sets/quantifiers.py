"""What binds names: quantifiers, comprehensions, sums and products over the solutions of a condition.

Entered into the tables of `evaluation`. A comprehension denotes a `Rule`, which is solved for one member or for all of them,
as the use demands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import prod

from burnside.ir.sets.expressions import Apply, Comprehension, Exists, Expression, Fold, Forall, Name, type_of
from burnside.ir.sets.types import BOOLEAN
from burnside.reference.sets.evaluation import DENOTED_NODES, NODES, Environment, evaluate, holds
from burnside.reference.sets.failures import (
    TROUBLES,
    NotListed,
    Trouble,
    Undefined,
    worse,
)
from burnside.reference.sets.operators import checked
from burnside.reference.sets.patterns import always_defined, is_pattern, read_off
from burnside.reference.sets.solving import Solution, bound, solutions
from burnside.reference.sets.spaces import Denoted, Space
from burnside.reference.sets.values import Value, ordered

MOST_TRIED = 10_000
"""Candidates for the members of a comprehension that might be undefined."""
WANTED = "a member"
"""A name that no language has: what an expression that is no pattern is to be equal to."""


def _forall(expression: Forall, environment: Environment) -> bool:
    trouble: Trouble | None = None
    for solution in solutions(expression.names, expression.condition, environment):
        try:
            if not _body(expression, solution):
                return False
        except TROUBLES as error:
            trouble = worse(trouble, error)
    if trouble is not None:
        raise trouble
    return True


def _body(expression: Forall, solution: Solution) -> bool:
    """`not condition or body`"""
    if solution.trouble is None:
        return holds(expression.body, solution.environment)
    if bound(expression.names, solution):
        try:
            if holds(expression.body, solution.environment):
                return True
        except TROUBLES as error:
            raise worse(solution.trouble, error) from None
    raise solution.trouble


def _exists(expression: Exists, environment: Environment) -> bool:
    return _any(solutions(expression.names, expression.condition, environment))


def _any(found: Iterable[Solution]) -> bool:
    trouble: Trouble | None = None
    for solution in found:
        if solution.trouble is None:
            return True
        trouble = worse(trouble, solution.trouble)
    if trouble is not None:
        raise trouble
    return False


def valuations_of(
    expression: Comprehension | Fold, environment: Environment, most: int | None = None
) -> Iterator[Environment]:
    """All for which the condition holds; it must not be undefined for any."""
    for solution in solutions(expression.names, expression.condition, environment, most=most):
        if solution.trouble is not None:
            raise solution.trouble
        yield solution.environment


def _fold(expression: Fold, environment: Environment) -> int:
    values = [evaluate(expression.value, each) for each in valuations_of(expression, environment)]
    return sum(values) if expression.operator == "sum" else prod(values)


class Rule(Space):
    """The set that a comprehension denotes."""

    def __init__(self, expression: Comprehension, environment: Environment) -> None:
        self.expression, self.environment = expression, environment
        self.members: frozenset[Value] | None = None

    def all_members(self, most: int | None = None) -> frozenset[Value]:
        if self.members is None:
            found = valuations_of(self.expression, self.environment, most)
            self.members = checked(frozenset(evaluate(self.expression.value, each) for each in found))
        return self.members

    def __contains__(self, value: Value) -> bool:
        if self.members is not None:
            return value in self.members
        return _any(self._solutions(self.expression.value, value))

    def size(self) -> int | float:
        return len(self.all_members())

    def __iter__(self) -> Iterator[Value]:
        return iter(ordered(self.all_members()))

    def images(self, left: Value) -> Iterable[Value]:
        value = self.expression.value
        if not (isinstance(value, Apply) and value.operator == "pair"):
            return [b for a, b in self.all_members() if a == left]
        found = set()
        for solution in self._solutions(value.arguments[0], left):
            if solution.trouble is not None:
                raise solution.trouble
            found.add(evaluate(value.arguments[1], solution.environment))
        return found

    def _solutions(self, target: Expression, value: Value) -> Iterator[Solution]:
        """The valuations for which the target has this value."""
        names = {each.name: each for each in self.expression.names}
        if not is_pattern(target, names.keys()):
            equation = Apply("equal", (target, Name(WANTED, type_of(target))), BOOLEAN)
            condition = Apply("and", (self.expression.condition, equation), BOOLEAN)
            return solutions(self.expression.names, condition, {**self.environment, WANTED: value})
        found: Environment = {}
        if not read_off(target, value, names.keys(), self.environment, found):
            return iter(())
        environment = {**self.environment, **found}
        rest = [each for name, each in names.items() if name not in found]
        if rest:
            return solutions(rest, self.expression.condition, environment)
        return self._tested(environment)

    def _tested(self, environment: Environment) -> Iterator[Solution]:
        try:
            if holds(self.expression.condition, environment):
                yield Solution(environment, None)
        except TROUBLES as error:
            yield Solution(environment, error)


def _comprehension(expression: Comprehension, environment: Environment) -> frozenset[Value]:
    try:
        return Rule(expression, environment).all_members()
    except Undefined as error:
        error.span = error.span or expression.span
        raise
    except NotListed as error:
        raise error.at(expression.span) from None


def _denoted(expression: Comprehension, environment: Environment) -> Denoted:
    """Undefined as a whole where it is for one valuation, and then nothing can be asked of it; so it is listed first, unless
    it is always defined. Of what has too many candidates only members are asked."""
    rule = Rule(expression, environment)
    if not always_defined(expression):
        with suppress(NotListed):
            return rule.all_members(MOST_TRIED)
    return rule


NODES |= {Forall: _forall, Exists: _exists, Fold: _fold, Comprehension: _comprehension}
DENOTED_NODES |= {Comprehension: _denoted}
