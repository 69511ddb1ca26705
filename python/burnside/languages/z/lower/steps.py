"""From the predicate of a step to a substitution.

In: conjuncts over names before and after a step, and which names are chosen. Out: cases, of which each is a choice of
the names that satisfy it. A disjunction is a choice between its sides, so nothing has to be tried for both at once; what is
hidden is chosen too; what stays as it is needs no choice; what the state schema says of the state before is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count

from burnside.ir.sets import expressions as e
from burnside.ir.sets.copies import names_of, renewed
from burnside.ir.sets.types import BOOLEAN
from burnside.ir.walking import replaced
from burnside.languages.z.lower.meanings import Conjuncts
from burnside.languages.z.lower.toolkit import joined
from burnside.records import record

MAX_CASES = 64
"""A predicate with more is solved as it is."""


@record(eq=False)
class Case:
    """`before`: what it asks of the state before and of parameters. `after`: the rest. `chosen`: names that are left to be
    found. `values`: what the others are equal to."""

    before: Conjuncts
    after: Conjuncts
    chosen: tuple[e.Name, ...]
    values: Mapping[str, e.Expression]


def cases_of(
    conjuncts: Conjuncts,
    chosen: tuple[e.Name, ...],
    unprimed: Mapping[str, e.Name],
    known: frozenset[e.Expression],
    shown: frozenset[str],
    fresh: Callable[[str], str],
) -> list[Case]:
    """`unprimed`: of a chosen name, what it is before the step. `known`: what holds before, as `bare` forms. `shown`: names
    of which each value makes a difference; others need no value where nothing is said of them."""
    split = list(_split(conjuncts, chosen, MAX_CASES))
    if len(split) > MAX_CASES:
        split = [(conjuncts, chosen)]
    found = [_case(*each, unprimed, known, shown, fresh) for each in split]
    return [each for each in found if e.FALSE not in each.before]


def bare(tree: e.Expression) -> e.Expression:
    """With numbers for the names it binds: equal for two copies."""
    numbers = count()
    return renewed(tree, lambda _: f"#{next(numbers)}")


def _split(
    conjuncts: Conjuncts, chosen: tuple[e.Name, ...], most: int
) -> Iterator[tuple[Conjuncts, tuple[e.Name, ...]]]:
    own = {each.name for each in chosen}
    for at, each in enumerate(conjuncts):
        rest = (*conjuncts[:at], *conjuncts[at + 1 :])
        match each:
            case e.Exists(names, condition):
                yield from _split((*rest, *e.conjuncts(condition)), (*chosen, *names), most)
                return
            case e.Apply("or", sides) if own & set(names_of(each)):
                left = most
                for side in sides:
                    for found in _split((*rest, *e.conjuncts(side)), chosen, left):
                        yield found
                        left -= 1
                        if left < 0:
                            return
                return
    yield conjuncts, chosen


def _case(
    conjuncts: Conjuncts,
    chosen: tuple[e.Name, ...],
    unprimed: Mapping[str, e.Name],
    known: frozenset[e.Expression],
    shown: frozenset[str],
    fresh: Callable[[str], str],
) -> Case:
    left = tuple(_without_copies(conjuncts, known))
    names = {each.name for each in chosen}
    values: dict[str, e.Expression] = {}
    # Each round removes one name at least.
    while found := _equation(left, names, unprimed):
        name, value = found
        names.remove(name)
        values = {each: _with_value(own, name, value) for each, own in values.items()} | {name: value}
        left = tuple(_without_copies([_with_value(each, name, value) for each in left], known))
    asked = shown.union(
        *(names_of(each) for each in left if not _is_of_its_type(each)),
        *(names_of(value) for name, value in values.items() if name in shown),
    )
    left = tuple(each for each in left if not _is_of_its_type(each) or asked.intersection(names_of(each)))
    names &= asked
    left += tuple(renewed(each, fresh) for each in _spaces(left, names))
    return Case(
        tuple(each for each in left if names.isdisjoint(names_of(each))),
        tuple(each for each in left if not names.isdisjoint(names_of(each))),
        tuple(each for each in chosen if each.name in names),
        values,
    )


def _is_of_its_type(conjunct: e.Expression) -> bool:
    """`x : \\num`, which bounds nothing."""
    match conjunct:
        case e.Apply("member", (e.Name(), e.Apply("all"))):
            return True
        case _:
            return False


def _without_copies(
    conjuncts: Iterable[e.Expression], known: frozenset[e.Expression]
) -> Iterator[e.Expression]:
    """What says nothing, what is known, and what has been said already are left out."""
    said = set(known)
    for each in conjuncts:
        form = bare(each)
        if form not in said and not _says_nothing(each):
            said.add(form)
            yield each


def _equation(
    conjuncts: Conjuncts, names: set[str], unprimed: Mapping[str, e.Name]
) -> tuple[str, e.Expression] | None:
    """A chosen name, and what it is equal to: the same name before the step, another chosen name, or, where nothing else is
    said of it, a value that is always defined."""
    for at, each in enumerate(conjuncts):
        match each:
            case e.Apply("equal", (left, right)):
                for one, other in ((left, right), (right, left)):
                    if not isinstance(one, e.Name) or one.name not in names:
                        continue
                    if isinstance(other, e.Name) and other.name != one.name:
                        before = unprimed.get(one.name)
                        if other.name in names or (before is not None and before.name == other.name):
                            return one.name, other
                    elif not names & set(names_of(other)) and _is_defined(other):
                        rest = (*conjuncts[:at], *conjuncts[at + 1 :])
                        if all(one.name not in names_of(another) for another in rest):
                            return one.name, other
    return None


def _spaces(conjuncts: Conjuncts, names: set[str]) -> Iterator[e.Expression]:
    """Relations of which only the domain or range is said: what follows is a smaller space to try. `f : X \\pfun Y` and
    `\\dom f = A` make `f : A \\fun Y`; `r : X \\rel Y` and `\\dom r \\subseteq A` make `r : A \\rel Y`."""
    defined = {
        side.name
        for each in conjuncts
        if isinstance(each, e.Apply) and each.operator == "equal"
        for side in each.arguments
        if isinstance(side, e.Name)
    }
    for each in conjuncts:
        match each:
            case e.Apply(
                "member", (e.Name(name) as relation, e.Apply(space, (left, right), type_)), _, span
            ) if name in names - defined and space in (
                "relations",
                "partial-functions",
                "partial-injections",
            ):
                sides = {"domain": left, "range": right}
                for side, bound, operator in _bounds_of(name, conjuncts):
                    sides[side] = bound
                    if operator == "equal" and side == "domain" and space == "partial-functions":
                        space = "total-functions"
                if sides != {"domain": left, "range": right}:
                    smaller = e.Apply(space, (sides["domain"], sides["range"]), type_, span)
                    yield e.Apply("member", (relation, smaller), BOOLEAN, span)


def _bounds_of(name: str, conjuncts: Conjuncts) -> Iterator[tuple[str, e.Expression, str]]:
    """`domain` or `range` of a relation, the set that bounds it, and how."""
    for each in conjuncts:
        match each:
            case e.Apply("equal" | "subset" as operator, (left, right)):
                sides = ((left, right), (right, left)) if operator == "equal" else ((left, right),)
                for one, bound in sides:
                    match one:
                        case e.Apply("domain" | "range" as side, (e.Name(own),)) if own == name:
                            if name not in names_of(bound):
                                yield side, bound, operator


TOTAL = frozenset(
    (
        "set", "sequence", "union", "intersection", "difference", "pair", "left", "right", "domain", "range",
        "override", "domain-restrict", "domain-subtract", "range-restrict", "range-subtract", "card", "record",
        "inverse",
    )
)  # fmt: skip
"""Operators that are defined for all values that exist."""


def _is_defined(value: e.Expression) -> bool:
    match value:
        case e.Literal() | e.Name():
            return True
        case e.Construct(_, None):
            return True
        case e.Apply(operator, arguments) if operator in TOTAL:
            return all(map(_is_defined, arguments))
        case _:
            return False


def _with_value(tree: e.Expression, name: str, value: e.Expression) -> e.Expression:
    def change(node: e.Expression) -> e.Expression | None:
        return value if isinstance(node, e.Name) and node.name == name else None

    return replaced(tree, change)


def _says_nothing(conjunct: e.Expression) -> bool:
    match conjunct:
        case e.Apply("equal", (e.Name(one), e.Name(other))):
            return one == other
        case _:
            return conjunct == e.TRUE


def guards(cases: list[Case]) -> e.Expression:
    """What all cases ask beforehand."""
    if not cases:
        return e.FALSE
    return joined(tuple(each for each in cases[0].before if all(each in one.before for one in cases[1:])))
