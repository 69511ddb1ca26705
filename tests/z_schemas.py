"""The schema calculus of Z on sets of bindings (Spivey 1992, section 3.8).

A schema is the set of all bindings over its signature that satisfy it. A predicate may be undefined for a binding: these
bindings are a set of their own, and connectives are those of Kleene, as in the language of sets (`ir.sets.expressions`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from burnside.records import record

from tests.z_values import Binding, NotListed, Value, binding, listed

Carrier = Callable[[Any], Value]
"""From a type to the set of its values."""
MOST_BINDINGS = 100_000


@record(eq=False)
class Schema:
    """`types`: of the components, by name."""

    types: Mapping[str, Any]
    true: frozenset[Binding]
    undefined: frozenset[Binding] = frozenset()

    def renamed(self, new: Callable[[str], str]) -> Schema:
        def of(these: frozenset[Binding]) -> frozenset[Binding]:
            return frozenset(binding({new(name): value for name, value in each}) for each in these)

        types = {new(name): type_ for name, type_ in self.types.items()}
        return Schema(types, of(self.true), of(self.undefined))


def all_bindings(types: Mapping[str, Any], carrier: Carrier) -> Iterator[Binding]:
    sets = [listed(carrier(type_)) for type_ in types.values()]
    size = 1
    for each in sets:
        size *= len(each)
    if size > MOST_BINDINGS:
        raise NotListed
    for values in product(*sets):
        yield binding(dict(zip(types, values, strict=True)))


def part(each: Binding, names: Iterable[str]) -> Binding:
    kept = frozenset(names)
    return Binding(pair for pair in each if pair[0] in kept)


def joined(one: Schema, other: Schema) -> Schema:
    """The conjunction: bindings that agree on what both have."""
    shared = one.types.keys() & other.types.keys()
    by_shared: dict[Binding, list[Binding]] = {}
    for each in other.true | other.undefined:
        by_shared.setdefault(part(each, shared), []).append(each)
    true, undefined = set(), set()
    for mine in one.true | one.undefined:
        for yours in by_shared.get(part(mine, shared), ()):
            both = binding({**dict(mine), **dict(yours)})
            (true if mine in one.true and yours in other.true else undefined).add(both)
    return Schema({**one.types, **other.types}, frozenset(true), frozenset(undefined))


def extended(one: Schema, types: Mapping[str, Any], carrier: Carrier) -> Schema:
    """With further components, which may be anything."""
    more = {name: type_ for name, type_ in types.items() if name not in one.types}
    return joined(one, Schema(more, frozenset(all_bindings(more, carrier)))) if more else one


def negated(one: Schema, carrier: Carrier) -> Schema:
    everything = frozenset(all_bindings(one.types, carrier))
    return Schema(one.types, everything - one.true - one.undefined, one.undefined)


def either(one: Schema, other: Schema, carrier: Carrier) -> Schema:
    one, other = extended(one, other.types, carrier), extended(other, one.types, carrier)
    true = one.true | other.true
    return Schema({**one.types, **other.types}, true, (one.undefined | other.undefined) - true)


def hidden(one: Schema, names: Iterable[str]) -> Schema:
    gone = frozenset(names)
    left = {name: type_ for name, type_ in one.types.items() if name not in gone}
    true = frozenset(part(each, left) for each in one.true)
    return Schema(left, true, frozenset(part(each, left) for each in one.undefined) - true)


def only_once(one: Schema, names: Iterable[str]) -> Schema:
    """For each binding of the others, there are values of these names exactly once."""
    gone = frozenset(names)
    left = {name: type_ for name, type_ in one.types.items() if name not in gone}
    undefined = frozenset(part(each, left) for each in one.undefined)
    found = Counter(part(each, left) for each in one.true)
    true = frozenset(each for each, times in found.items() if times == 1)
    return Schema(left, true - undefined, undefined)


def sequenced(first: Schema, then: Schema, out: str, into: str) -> Schema:
    """Composition (`'` and nothing) and piping (`!` and `?`): what one hands on, the other takes."""
    joints = {
        name: name.removesuffix(out) + into
        for name in first.types
        if name.endswith(out) and name.removesuffix(out) + into in then.types
    }
    between = {name: f"{name} between" for name in joints}
    back = {joints[name]: between[name] for name in joints}
    both = joined(
        first.renamed(lambda name: between.get(name, name)), then.renamed(lambda name: back.get(name, name))
    )
    return hidden(both, between.values())
