"""From the predicate of a step to a substitution.

In: conjuncts over names before and after a step, and which names are chosen. Out: cases, of which each is a choice of
the names that satisfy it. A disjunction is a choice between its sides, so nothing has to be tried for both at once; what is
hidden is chosen too; what stays as it is needs no choice; what the state schema says of the state before is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from burnside.ir.sets import expressions as e
from burnside.ir.sets.copies import names_of, renewed
from burnside.ir.walking import replaced
from burnside.languages.z.lower.meanings import Conjuncts
from burnside.languages.z.lower.toolkit import joined
from burnside.records import record

MAX_CASES = 64
"""A predicate with more is solved as it is."""


@record(eq=False)
class Case:
    """`before`: what it asks of the state before and of parameters. `after`: the rest. `values`: of the names that stay
    as they are, without those in `chosen`."""

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
) -> list[Case]:
    """`unprimed`: of a chosen name, what it is before the step. `known`: what holds before, as `bare` forms. `shown`: names
    of which each value makes a difference; others need no value where nothing is said of them."""
    split = list(_split(conjuncts, chosen, MAX_CASES))
    if len(split) > MAX_CASES:
        split = [(conjuncts, chosen)]
    found = [_case(*each, unprimed, known, shown) for each in split]
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
) -> Case:
    same = {after: unprimed[after] for after in _unchanged(conjuncts, unprimed)}

    def value(node: e.Expression) -> e.Expression | None:
        return same.get(node.name) if isinstance(node, e.Name) else None

    moved = (replaced(each, value) for each in conjuncts)
    left = tuple(each for each in moved if not _says_nothing(each) and bare(each) not in known)
    asked = shown.union(*(names_of(each) for each in left if not _is_of_its_type(each)))
    left = tuple(each for each in left if not _is_of_its_type(each) or asked.intersection(names_of(each)))
    names = tuple(each for each in chosen if each.name not in same and each.name in asked)
    own = {each.name for each in names}
    return Case(
        tuple(each for each in left if own.isdisjoint(names_of(each))),
        tuple(each for each in left if not own.isdisjoint(names_of(each))),
        names,
        same,
    )


def _unchanged(conjuncts: Conjuncts, unprimed: Mapping[str, e.Name]) -> Iterator[str]:
    """Names of which the predicate says that they are what they were."""
    for each in conjuncts:
        match each:
            case e.Apply("equal", (e.Name() as one, e.Name() as other)):
                for after, before in ((one, other), (other, one)):
                    known = unprimed.get(after.name)
                    if known is not None and known.name == before.name and before.is_state:
                        yield after.name


def _is_of_its_type(conjunct: e.Expression) -> bool:
    """`x : \\num`, which bounds nothing."""
    match conjunct:
        case e.Apply("member", (e.Name(), e.Apply("all"))):
            return True
        case _:
            return False


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
