"""Case distinctions: conjuncts that are no conjunctions, taken apart so that in each case more is known.

In: a predicate. Out: `branches`, its cases, with names that are new in them; `may_bound`, whether to split it is of any use
where nothing bounds a name. `planning/cases.rs` has the same rule.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from burnside.ir.sets.expressions import (
    Apply,
    Comprehension,
    Conditional,
    Exists,
    Expression,
    IsConstructed,
    Let,
    Name,
)
from burnside.ir.sets.types import BOOLEAN
from burnside.reference.sets.evaluation import free_names
from burnside.reference.sets.patterns import always_defined

MAX_CASES = 256
"""Into so many cases one condition is split at most where nothing bounds a name."""


class Branch(NamedTuple):
    """Of a solution, all conditions of one branch hold for some values of the new names."""

    conditions: tuple[Expression, ...]
    names: tuple[Name, ...] = ()


def negated(predicate: Expression) -> Expression:
    return Apply("not", (predicate,), BOOLEAN)


def equal(left: Expression, right: Expression) -> Expression:
    return Apply("equal", (left, right), BOOLEAN)


def opened(predicate: Expression, undefined: bool) -> Branch | None:
    """What binds names, as one branch in which they are sought, too. `undefined`: does it matter what is?"""
    match predicate:
        case Exists(names, condition):
            return Branch((condition,), names)
        case Apply("member", (element, Comprehension(names, condition, value))):
            return Branch((equal(element, value), condition), names)
        case Let(name, value, body) if not undefined or always_defined(value):
            return Branch((equal(name, value), body), (name,))
        case _:
            return None


def cases(predicate: Expression) -> list[Branch]:
    """None where it cannot be split."""
    match predicate:
        case Apply("or", parts):
            return [Branch((each,)) for each in parts]
        case Apply("implies", (left, right)):
            return [Branch((negated(left),)), Branch((right,))]
        case Apply("iff", (left, right)):
            return [Branch((left, right)), Branch((negated(left), negated(right)))]
        case Conditional(test, then, otherwise):
            return [Branch((test, then)), Branch((negated(test), otherwise))]
        case _:
            return []


def may_bound(predicate: Expression, truth: bool, sought: AbstractSet[str]) -> bool:
    """Does it contain a comparison that, being true (or false), may bound a sought name?"""
    if free_names(predicate).isdisjoint(sought):
        return False

    def either(part: Expression) -> bool:
        return may_bound(part, True, sought) or may_bound(part, False, sought)

    match predicate:
        case Exists(_, condition):
            return truth and may_bound(condition, True, sought)
        case Conditional(test, then, otherwise):
            return either(test) or may_bound(then, truth, sought) or may_bound(otherwise, truth, sought)
        case Let(_, _, body):
            return may_bound(body, truth, sought)
        case Apply("and" | "or", parts):
            return any(may_bound(each, truth, sought) for each in parts)
        case Apply("not", (inner,)):
            return may_bound(inner, not truth, sought)
        case Apply("implies", (left, right)):
            return may_bound(left, not truth, sought) or may_bound(right, truth, sought)
        case Apply("iff", parts):
            return any(map(either, parts))
        case Apply("less" | "less-equal"):
            return True
        case Apply("equal" | "member" | "subset" | "strict-subset") | IsConstructed():
            return truth
        case _:
            return False
