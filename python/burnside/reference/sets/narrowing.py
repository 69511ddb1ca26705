"""Functions that are built point by point: what the conjuncts imply before all points are chosen.

In: the conjuncts in which one function is all that is sought. Out: `pruning`, a test that says of some chosen points that no
function with them is wanted; `required`, which images a point may have where an equation or a membership says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.ir.sets.expressions import Apply, Expression, Forall, Name, conjuncts
from burnside.reference.sets.evaluation import Environment, denote, evaluate, free_names, holds
from burnside.reference.sets.failures import SET_LIMIT, TROUBLES, NotListed, Undefined, Unknown
from burnside.reference.sets.functions import Partial, Prune, Require
from burnside.reference.sets.patterns import is_pattern, read_off
from burnside.reference.sets.spaces import INFINITY, listed, size_of
from burnside.reference.sets.values import Value


def pruning(
    name: str, predicates: Sequence[Expression], environment: Environment, undefined: bool
) -> Prune | None:
    tests = [each for each in predicates if _applies(each, name)]
    if not tests:
        return None

    def prune(chosen: Partial) -> bool:
        trial = {**environment, name: chosen}
        for test in tests:
            try:
                if not holds(test, trial):
                    return True
            except Undefined:
                if not undefined:
                    return True
            except (Unknown, NotListed):
                continue
        return False

    return prune


def _applies(expression: object, name: str) -> bool:
    """Does it apply the function anywhere? Then a few points may be enough to know it."""
    if isinstance(expression, Apply) and expression.operator in ("apply", "member", "image"):
        at = 1 if expression.operator == "member" else 0
        function = expression.arguments[at]
        if isinstance(function, Name) and function.name == name:
            return True
    if isinstance(expression, tuple):
        return any(_applies(each, name) for each in expression)
    return hasattr(expression, "__record_fields__") and any(
        _applies(getattr(expression, each), name)
        for each in expression.__record_fields__
        if each not in ("type", "span")
    )


def required(name: str, predicates: Sequence[Expression], environment: Environment) -> Require | None:
    """From `f(x) = E`, `f(x) : S` with a finite S, and the same under `!x.(P => ..)`, where f is not in P, E or S."""
    prescriptions = [
        each
        for predicate in predicates
        for each in _prescriptions(predicate, name)
        if not _is_endless(each, environment)
    ]
    if not prescriptions:
        return None

    def images(point: Value) -> frozenset[Value] | None:
        found: frozenset[Value] | None = None
        for names, condition, argument, image, is_set in prescriptions:
            bound: Environment = {}
            try:
                if read_off(argument, point, names, environment, bound):
                    inner = {**environment, **bound}
                    if condition is None or holds(condition, inner):
                        space = denote(image, inner) if is_set else frozenset([evaluate(image, inner)])
                        if size_of(space) <= SET_LIMIT:
                            found = listed(space) if found is None else found & listed(space)
            except TROUBLES:
                continue
        return found

    return images


def _is_endless(prescription: _Prescription, environment: Environment) -> bool:
    """Is it membership in an infinite set? That prescribes nothing."""
    names, _, _, image, is_set = prescription
    if not is_set or not names.isdisjoint(free_names(image)):
        return False
    try:
        return size_of(denote(image, environment)) == INFINITY
    except TROUBLES:
        return False


_Prescription = tuple[frozenset[str], Expression | None, Expression, Expression, bool]
"""The names that are quantified, their condition, the argument as a pattern of them, the image, or a set it lies in."""


def _prescriptions(predicate: Expression, function: str) -> Iterator[_Prescription]:
    match predicate:
        case Forall(names, condition, body) if function not in free_names(condition):
            bound = frozenset(each.name for each in names)
            for each in conjuncts(body):
                for argument, image, is_set in _sides(each, function):
                    if is_pattern(argument, bound) and bound <= free_names(argument):
                        yield bound, condition, argument, image, is_set
        case _:
            for argument, image, is_set in _sides(predicate, function):
                yield frozenset(), None, argument, image, is_set


def _sides(predicate: Expression, function: str) -> Iterator[tuple[Expression, Expression, bool]]:
    match predicate:
        case Apply("equal" | "member" as operator, (left, right)):
            is_set = operator == "member"
            for applied, image in ((left, right),) if is_set else ((left, right), (right, left)):
                match applied:
                    case Apply("apply", (Name(name), argument)) if name == function:
                        if function not in free_names(argument) | free_names(image):
                            yield argument, image, is_set
