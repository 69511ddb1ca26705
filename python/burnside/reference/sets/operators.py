"""Operators whose operands all have values: numbers, finite sets, relations. `sequences` has its own.

In: values. Out: a value, or `Undefined` with a sentence for the user; the evaluator adds the place.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.reference.sets.bags import BAG_OPERATORS
from burnside.reference.sets.failures import SET_LIMIT, TooLarge, undefined
from burnside.reference.sets.sequences import SEQUENCE_OPERATORS
from burnside.reference.sets.values import EMPTY, RecordValue, Value, image_table

Relation = frozenset[tuple[Value, Value]]
BIT_LIMIT = 100_000


def _divide(a: int, b: int) -> int:
    if b == 0:
        undefined(f"{a} is divided by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _modulo(a: int, b: int) -> int:
    if a < 0 or b <= 0:
        undefined(f"{a} mod {b}: the first number must not be negative, the second one must be positive")
    return a % b


def _power(a: int, b: int) -> int:
    if b < 0:
        undefined(f"{a} ** {b}: the exponent must not be negative")
    if a.bit_length() * b > BIT_LIMIT and abs(a) > 1:
        raise TooLarge(f"{a} ** {b} has too many digits")
    return int(a**b)


# Relations


def compose(first: Relation, second: Relation) -> Relation:
    table = image_table(second)
    return checked(frozenset((a, c) for a, b in first for c in table.get(b, ())))


def closure1(relation: Relation) -> Relation:
    """By adding one more step until nothing is new."""
    closed, new = relation, relation
    while new:
        new = compose(new, relation) - closed
        closed = checked(closed | new)
    return closed


def _direct_product(first: Relation, second: Relation) -> Relation:
    table = image_table(second)
    return checked(frozenset((a, (b, c)) for a, b in first for c in table.get(a, ())))


def _as_function(relation: Relation) -> Relation:
    return frozenset((a, frozenset(images)) for a, images in image_table(relation).items())


def _as_relation(function: Relation) -> Relation:
    return checked(frozenset((a, b) for a, images in function for b in images))


def checked(found: frozenset[Value]) -> frozenset[Value]:
    if len(found) > SET_LIMIT:
        raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")
    return found


STRICT: dict[str, Callable[..., Value]] = {
    "less": lambda a, b: a < b,
    "less-equal": lambda a, b: a <= b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": _divide,
    "modulo": _modulo,
    "power": _power,
    "negate": lambda a: -a,
    "set": lambda *elements: frozenset(elements),
    "pair": lambda a, b: (a, b),
    "left": lambda pair: pair[0],
    "right": lambda pair: pair[1],
    "closure1": closure1,
    "as-function": _as_function,
    "as-relation": _as_relation,
    "record": lambda *values: RecordValue(values),
    **SEQUENCE_OPERATORS,
    **BAG_OPERATORS,
}

FINITE: dict[str, Callable[[frozenset[Value], frozenset[Value]], frozenset[Value]]] = {
    "union": lambda a, b: checked(a | b),
    "intersection": lambda a, b: a & b,
    "difference": lambda a, b: a - b,
    "compose": compose,
    "direct-product": _direct_product,
    "parallel-product": lambda r, s: (
        checked(frozenset(((a, c), (b, d)) for a, b in r for c, d in s))
        if len(r) * len(s) <= SET_LIMIT
        else _refuse()
    ),
    "domain-restrict": lambda s, r: frozenset(each for each in r if each[0] in s),
    "domain-subtract": lambda s, r: frozenset(each for each in r if each[0] not in s),
    "range-restrict": lambda r, s: frozenset(each for each in r if each[1] in s),
    "range-subtract": lambda r, s: frozenset(each for each in r if each[1] not in s),
    "override": lambda r, s: _override(r, s),
}
"""Of two finite sets; what the same operators mean for others, `denoting` says."""


def _refuse() -> frozenset[Value]:
    raise TooLarge(f"a set would have more than {SET_LIMIT:,} elements")


def _override(relation: Relation, new: Relation) -> Relation:
    if not new:
        return relation
    if not relation:
        return new or EMPTY
    changed = {a for a, _ in new}
    return checked(frozenset(each for each in relation if each[0] not in changed) | new)
