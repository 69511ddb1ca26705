"""Operators on multisets. A multiset is the function from what occurs to how often: a set of pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from burnside.reference.sets.failures import undefined
from burnside.reference.sets.values import Value

Bag = frozenset[tuple[Value, int]]


def _made(pairs: Iterable[tuple[Value, int]]) -> Bag:
    """Numbers of equal values are added."""
    counts: dict[Value, int] = {}
    for value, number in pairs:
        if isinstance(value, tuple) and isinstance(value[0], int) and value[0] < 0:
            undefined("no element of a multiset is a pair with a negative number on the left")
        counts[value] = counts.get(value, 0) + number
    if any(number < 0 for number in counts.values()):
        undefined("a multiset would hold something less than no times")
    return frozenset((value, number) for value, number in counts.items() if number)


def _changed(bag: Bag, *changes: Value) -> Bag:
    return _made((*bag, *zip(changes[1::2], changes[::2], strict=True)))


def _scaled(factor: int, bag: Bag) -> Bag:
    if factor < 0:
        undefined("a multiset would hold something less than no times")
    return _made((value, factor * number) for value, number in bag)


def _of_function(function: frozenset[tuple[Value, int]]) -> Bag:
    if len({value for value, _ in function}) < len(function) or any(number < 0 for _, number in function):
        undefined("a multiset is made of one number for each value")
    return _made(function)


def _included(one: Bag, other: Bag) -> bool:
    available = dict(other)
    return all(available.get(value, 0) >= number for value, number in one)


BAG_OPERATORS: dict[str, Callable[..., Value]] = {
    "bag": lambda *changes: _changed(frozenset(), *changes),
    "bag-change": _changed,
    "bag-sum": lambda a, b: _made((*a, *b)),
    "bag-difference": lambda a, b: _made((*a, *((value, -number) for value, number in b))),
    "bag-scaled": _scaled,
    "bag-included": _included,
    "bag-count": lambda bag, value: dict(bag).get(value, 0),
    "bag-size": lambda bag: sum(number for _, number in bag),
    "support": lambda bag: frozenset(value for value, _ in bag),
    "bag-of-set": lambda elements: _made((value, 1) for value in elements),
    "bag-of-function": _of_function,
}
