"""Which names does a predicate bound, by its form?

In: the parameters of an operation, and conjuncts. Out: whether these say which values to try; and what of them to ask
beforehand where only the state after a step bounds a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside.ir.sets import expressions as e
from burnside.ir.sets.copies import names_of
from burnside.ir.sets.types import is_finite
from burnside.languages.z.lower.meanings import Conjuncts
from burnside.languages.z.lower.schemas import exists


def bounds(parameters: Sequence[e.Name], conjuncts: Conjuncts) -> bool:
    """Is every parameter bounded by its type, or by a conjunct?"""
    own = {each.name for each in parameters}
    return all(is_finite(each.type) or _is_bounded(each, own, conjuncts) for each in parameters)


def bounding(parameters: Sequence[e.Name], chosen: tuple[e.Name, ...], conjuncts: Conjuncts) -> Conjuncts:
    """That the chosen names have values, if that may bound a parameter; of the names of which conjuncts say more than which
    infinite set they are in."""
    sought = {each.name for each in parameters if not is_finite(each.type)}
    if not any(_may_bound(sought, each) for each in conjuncts):
        return ()
    loose = {
        each.name for each in chosen if not is_finite(each.type) and not _is_related(each.name, conjuncts)
    }
    left = tuple(each for each in conjuncts if loose.isdisjoint(names_of(each)))
    names = tuple(each for each in chosen if each.name not in loose)
    return exists(names, left) if names else left


def _may_bound(names: set[str], conjunct: e.Expression) -> bool:
    """Not where it mentions them only as operands of what has no inverse: `s' = s \\cat t?` has to be tried for each t?."""
    match conjunct:
        case e.Apply("equal" | "member" | "subset" | "strict-subset" | "less" | "less-equal", sides):
            return any(_reaches(side, names) for side in sides)
        case _:
            return not names.isdisjoint(names_of(conjunct))


INVERTIBLE = frozenset(
    ("add", "subtract", "multiply", "negate", "card", "size", "pair", "record", "set", "sequence")
)


def _reaches(tree: e.Expression, names: set[str]) -> bool:
    match tree:
        case e.Name(name):
            return name in names
        case e.Apply(operator, arguments) if operator in INVERTIBLE:
            return any(_reaches(each, names) for each in arguments)
        case e.Construct(_, argument) if argument is not None:
            return _reaches(argument, names)
        case e.Apply():
            return False
        case _:
            return not names.isdisjoint(names_of(tree))


def _is_bounded(name: e.Name, parameters: set[str], conjuncts: Conjuncts) -> bool:
    """By a finite set that it belongs to, by an equation, or by numbers below and above."""
    below = above = False
    for each in conjuncts:
        match each:
            case e.Apply("member", (e.Name(own), e.Apply("up-from"))) if own == name.name:
                below = True
            case e.Apply("member", (e.Name(own), set_)) if own == name.name:
                if _is_finite_set(set_):
                    return True
            case e.Apply("equal", (left, right)):
                for one, other in ((left, right), (right, left)):
                    if (
                        isinstance(one, e.Name)
                        and one.name == name.name
                        and name.name not in set(names_of(other))
                    ):
                        return True
            case e.Apply("less" | "less-equal", (e.Name(own), limit)) if own == name.name:
                above = above or parameters.isdisjoint(names_of(limit))
            case e.Apply("less" | "less-equal", (limit, e.Name(own))) if own == name.name:
                below = below or parameters.isdisjoint(names_of(limit))
            case _:
                continue
    return below and above


def _is_related(name: str, conjuncts: Conjuncts) -> bool:
    """Does a conjunct compare it with something, not only under a quantifier or a connective?"""
    return any(name in names_of(side) for each in conjuncts for side in _sides(each))


def _sides(conjunct: e.Expression) -> Iterator[e.Expression]:
    match conjunct:
        case e.Apply("member", (element, set_)):
            yield set_
            if _is_finite_set(set_):
                yield element
        case e.Apply("equal" | "subset" | "strict-subset" | "less" | "less-equal", sides):
            yield from sides
        case _:
            return


def _is_finite_set(set_: e.Expression) -> bool:
    match set_:
        case e.Apply("all" | "up-from" | "sequences" | "sequences-1", _):
            return False
        case e.Apply("interval" | "domain" | "range" | "set" | "image", _) | e.Name() | e.Select():
            return True
        case e.Apply("power-set" | "power-set-1" | "product" | "relations" | "records" | "union", parts):
            return all(map(_is_finite_set, parts))
        case e.Apply(operator, parts) if "functions" in operator or "jections" in operator:
            return all(map(_is_finite_set, parts))
        case e.Apply("intersection" | "difference", (left, *_)):
            return _is_finite_set(left)
        case _:
            return False
