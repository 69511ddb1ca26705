"""Unfolding by its definition (Junttila 2003, L1937), the part that static supports reach: the oracle of `unfolding`.

In: a high-level net. Out: its places with values, its instances, and the place/transition net of both. All values of all
variables are tried, again and again, until no token is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from burnside.ir.highlevel.net import HighLevelNet, Instance, Tokens, Value
from burnside.ir.highlevel.values import order_key, show_instance, show_place
from burnside.net import Arcs, Net
from burnside.records import record
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import candidates, consumed, initial_marking, named, produced

Flow = dict[int, Tokens]
Supports = list[set[Value]]


@record
class Unfolding:
    """`places`: of the high-level net, with a value; `instances`: by transition of `net`."""

    net: Net
    places: tuple[tuple[int, Value], ...]
    instances: tuple[Instance, ...]


def unfolding(net: HighLevelNet) -> Unfolding:
    """Does not end where a support has no end."""
    marking = initial_marking(net)
    supports: Supports = [{value for value, _ in tokens} for tokens in marking]
    while True:
        before = [set(each) for each in supports]
        found = list(_instances(net, before))
        for _, _, gives in found:
            for place, tokens in gives.items():
                supports[place] |= {value for value, _ in tokens}
        if supports == before:
            break
    places = [
        (number, value)
        for number, place in enumerate(net.places)
        for value in sorted(supports[number], key=lambda each: order_key(place.type, each))
    ]
    numbers = {each: number for number, each in enumerate(places)}

    def arcs(flow: Flow) -> Arcs:
        pairs = ((numbers[place, value], count) for place, each in flow.items() for value, count in each)
        return tuple(sorted(pairs))

    found.sort(key=lambda each: _instance_key(net, each[0]))
    low_level = Net(
        name=net.name,
        places=tuple(show_place(net.places[p].name, net.places[p].type, value) for p, value in places),
        initial=tuple(dict(marking[place]).get(value, 0) for place, value in places),
        transitions=tuple(_instance_name(net, each) for each, _, _ in found),
        consumes=tuple(arcs(takes) for _, takes, _ in found),
        produces=tuple(arcs(gives) for _, _, gives in found),
    )
    return Unfolding(low_level, tuple(places), tuple(each for each, _, _ in found))


def _instances(net: HighLevelNet, supports: Supports) -> Iterator[tuple[Instance, Flow, Flow]]:
    """With what they take and give."""
    everything = tuple(frozenset((value, 1) for value in each) for each in supports)
    for number, transition in enumerate(net.transitions):
        of = [tuple(candidates(net, transition, each.type, everything)) for each in transition.variables]
        for values in product(*of):
            _, by_name = named(net, (number, values))
            try:
                if not evaluate(transition.guard, by_name):
                    continue
                takes, gives = consumed(transition, by_name), produced(transition, by_name)
            except Undefined:
                continue
            if all(value in supports[place] for place, tokens in takes.items() for value, _ in tokens):
                yield (number, values), takes, gives


def _instance_key(net: HighLevelNet, instance: Instance) -> tuple[object, ...]:
    number, values = instance
    variables = net.transitions[number].variables
    pairs = zip(variables, values, strict=True)
    return number, tuple(order_key(each.type, value) for each, value in pairs)


def _instance_name(net: HighLevelNet, instance: Instance) -> str:
    transition = net.transitions[instance[0]]
    return show_instance(
        transition.name, [(each.name, each.type) for each in transition.variables], instance[1]
    )
