"""The mathematical tool-kit of Z (Spivey 1992, chapter 4), from its definitions, on the values of `z_values`.

Functions raise `Undefined` outside of their domains, sequences and bags included: `squash`, for one, is defined on
functions only. Relations do not hold outside of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, combinations

from tests.z_values import (
    Space,
    Undefined,
    Value,
    bag,
    counts_of,
    cross,
    domain,
    inverse,
    is_bag,
    is_functional,
    is_injective,
    is_sequence,
    items_of,
    listed,
    member,
    plain,
    power,
    range_,
    same,
    sequence,
    sequences,
    subset,
    within,
)

Carrier = Callable[[], Value]


def divided(top: int, bottom: int) -> tuple[int, int]:
    """Rounded towards minus infinity; the rest has the sign of the divisor."""
    if bottom == 0:
        raise Undefined("division by zero")
    return divmod(top, bottom)


def extreme(numbers: Value, which: Callable[[frozenset[int]], int]) -> int:
    found = listed(numbers)
    if not found:
        raise Undefined("the extreme of no numbers")
    return which(found)


def successor(number: int) -> int:
    if number < 0:
        raise Undefined("no natural number")
    return number + 1


def composed(first: Value, then: Value) -> frozenset[Value]:
    return frozenset((x, z) for x, y in listed(first) for other, z in listed(then) if y == other)


def transitive(relation: Value) -> frozenset[Value]:
    found: frozenset[Value] = plain(relation)
    while (more := found | composed(found, found)) != found:
        found = more
    return found


def identity(set_: Value) -> Space:
    return Space(
        lambda pair: same(pair[0], pair[1]) and member(pair[0], set_),
        lambda: ((each, each) for each in listed(set_)),
    )


def iterated(times: int, relation: Value, carrier: Carrier) -> Value:
    if times < 0:
        return iterated(-times, inverse(relation), carrier)
    if times == 0:
        return plain(identity(carrier()))
    found = plain(relation)
    for _ in range(times - 1):
        found = composed(found, relation)
    return found


def without(sequence_: Value, part: Callable[[list[Value]], Value]) -> Value:
    """Part of a sequence that is not empty."""
    found = items_of(sequence_)
    if not found:
        raise Undefined("an empty sequence")
    return part(found)


def squashed(function: Value) -> frozenset[Value]:
    if not is_functional(function) or not all(place > 0 for place in domain(function)):
        raise Undefined("no function on positive numbers")
    return sequence(item for _, item in sorted(listed(function), key=lambda pair: pair[0]))


def filtered(sequence_: Value, kept: Value) -> frozenset[Value]:
    return sequence([item for item in items_of(sequence_) if member(item, kept)])


def extracted(places: Value, sequence_: Value) -> frozenset[Value]:
    kept = enumerate(items_of(sequence_), 1)
    return sequence([item for place, item in kept if member(place, places)])


def scaled(times: int, bag_: Value) -> frozenset[Value]:
    if times < 0:
        raise Undefined("no natural number")
    return bag({each: times * count for each, count in counts_of(bag_).items()})


def bag_sum(one: Value, other: Value, sign: int) -> frozenset[Value]:
    mine, yours = counts_of(one), counts_of(other)
    return bag({each: mine.get(each, 0) + sign * yours.get(each, 0) for each in mine.keys() | yours.keys()})


def counted(items: list[Value]) -> frozenset[Value]:
    return bag({each: items.count(each) for each in items})


FUNCTIONS: Mapping[str, Callable[..., Value]] = {
    "(-)": lambda a: -a,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "\\div": lambda a, b: divided(a, b)[0],
    "\\mod": lambda a, b: divided(a, b)[1],
    "succ": successor,
    "\\upto": lambda a, b: frozenset(range(a, b + 1)),
    "min": lambda s: extreme(s, min),
    "max": lambda s: extreme(s, max),
    "\\cup": lambda a, b: plain(a) | plain(b),
    "\\cap": lambda a, b: plain(a) & plain(b),
    "\\setminus": lambda a, b: frozenset(each for each in plain(a) if not member(each, b)),
    "\\bigcup": lambda family: frozenset(chain.from_iterable(plain(family))),
    "\\#": lambda s: len(plain(s)),
    "first": lambda a, b: a,
    "second": lambda a, b: b,
    "\\mapsto": lambda a, b: (a, b),
    "\\dom": domain,
    "\\ran": range_,
    "\\dres": lambda s, r: frozenset(pair for pair in listed(r) if member(pair[0], s)),
    "\\ndres": lambda s, r: frozenset(pair for pair in listed(r) if not member(pair[0], s)),
    "\\rres": lambda r, s: frozenset(pair for pair in listed(r) if member(pair[1], s)),
    "\\nrres": lambda r, s: frozenset(pair for pair in listed(r) if not member(pair[1], s)),
    "\\inv": inverse,
    "_(|_|)": lambda r, s: frozenset(y for x, y in listed(r) if member(x, s)),
    "\\oplus": lambda r, s: frozenset(pair for pair in plain(r) if pair[0] not in domain(s)) | plain(s),
    "\\comp": composed,
    "\\circ": lambda r, s: composed(s, r),
    "\\plus": transitive,
    "\\cat": lambda s, t: sequence(items_of(s) + items_of(t)),
    "head": lambda s: without(s, lambda items: items[0]),
    "last": lambda s: without(s, lambda items: items[-1]),
    "tail": lambda s: without(s, lambda items: sequence(items[1:])),
    "front": lambda s: without(s, lambda items: sequence(items[:-1])),
    "rev": lambda s: sequence(items_of(s)[::-1]),
    "\\filter": filtered,
    "\\extract": extracted,
    "squash": squashed,
    "\\dcat": lambda s: sequence(chain.from_iterable([items_of(each) for each in items_of(s)])),
    "\\bcount": lambda bag_, each: counts_of(bag_).get(plain(each), 0),
    "\\uplus": lambda a, b: bag_sum(a, b, 1),
    "\\uminus": lambda a, b: bag_sum(a, b, -1),
    "\\otimes": scaled,
    "items": lambda s: counted(items_of(s)),
}
"""Of one argument, or of both parts of a pair."""

ON_CARRIERS: Mapping[str, Callable[[Value, Carrier], Value]] = {
    "\\bigcap": lambda family, all_: (
        frozenset.intersection(*plain(family)) if listed(family) else plain(all_())
    ),
    "\\star": lambda relation, all_: transitive(relation) | plain(identity(all_())),
}
"""Their values depend on the whole type."""

CURRIED: Mapping[str, Callable[[Value, Value, Carrier], Value]] = {
    "iter": lambda times, relation, all_: iterated(times, relation, all_),
    "count": lambda bag_, each, _: FUNCTIONS["\\bcount"](bag_, each),
}


def _are_sequences(*values: Value) -> bool:
    return all(map(is_sequence, values))


def is_prefix(one: Value, other: Value) -> bool:
    return _are_sequences(one, other) and items_of(other)[: len(items_of(one))] == items_of(one)


def is_suffix(one: Value, other: Value) -> bool:
    if not _are_sequences(one, other):
        return False
    return is_prefix(*(sequence(items_of(each)[::-1]) for each in (one, other)))


def is_segment(one: Value, other: Value) -> bool:
    if not _are_sequences(one, other):
        return False
    part, whole = items_of(one), items_of(other)
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def is_contained(one: Value, other: Value) -> bool:
    if not (is_bag(one) and is_bag(other)):
        return False
    return all(count <= counts_of(other).get(each, 0) for each, count in counts_of(one).items())


def is_disjoint(family: Value) -> bool:
    return is_functional(family) and all(
        not (plain(one) & plain(other)) for (_, one), (_, other) in combinations(listed(family), 2)
    )


RELATIONS: Mapping[str, Callable[[Value, Value], bool]] = {
    "\\neq": lambda a, b: not same(a, b),
    "\\notin": lambda a, s: not member(a, s),
    "\\subseteq": subset,
    "\\subset": lambda a, b: subset(a, b) and not same(a, b),
    "<": lambda a, b: a < b,
    "\\leq": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "\\geq": lambda a, b: a >= b,
    "\\prefix": is_prefix,
    "\\suffix": is_suffix,
    "\\inseq": is_segment,
    "\\inbag": lambda each, bag_: is_bag(bag_) and plain(each) in domain(bag_),
    "\\subbageq": is_contained,
    "\\partition": lambda family, whole: (
        is_disjoint(family) and frozenset(chain.from_iterable(range_(plain(family)))) == plain(whole)
    ),
}

PREDICATES: Mapping[str, Callable[[Value], bool]] = {"\\disjoint": is_disjoint}


# Generic sets


def _functions(*kinds: str) -> Callable[[Value, Value], Space]:
    def made(left: Value, right: Value) -> Space:
        conditions: dict[str, Callable[[Value], bool]] = {
            "functional": is_functional,
            "injective": is_injective,
            "total": lambda r: domain(r) == plain(left),
            "onto": lambda r: range_(r) == plain(right),
        }
        return within(power(cross(left, right)), *(conditions[each] for each in kinds))

    return made


SPACES: Mapping[str, Callable[[Value, Value], Space]] = {
    "\\rel": _functions(),
    "\\pfun": _functions("functional"),
    "\\ffun": _functions("functional"),
    "\\fun": _functions("functional", "total"),
    "\\pinj": _functions("functional", "injective"),
    "\\finj": _functions("functional", "injective"),
    "\\inj": _functions("functional", "injective", "total"),
    "\\psurj": _functions("functional", "onto"),
    "\\surj": _functions("functional", "total", "onto"),
    "\\bij": _functions("functional", "injective", "total", "onto"),
}


def is_not_empty(value: Value) -> bool:
    return bool(listed(value))


def all_sequences(set_: Value, longest: int | None) -> Space:
    """Only those up to a length can be listed."""
    elements = None if longest is None else lambda: sequences(set_, longest)
    return Space(lambda value: is_sequence(value) and subset(range_(value), set_), elements)


def all_bags(set_: Value) -> Space:
    return Space(lambda value: is_bag(value) and subset(domain(value), set_))
