"""Enabled instances and firing, by Junttila 2003, Def 5.3. In: a net and a marking. Out: instances, the next marking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from burnside.ir.highlevel.net import Arc, HighLevelNet, Instance, Marking, Tokens, Transition
from burnside.ir.highlevel.types import (
    Bag,
    Field,
    ListOf,
    MapOf,
    SetOf,
    Struct,
    TokenType,
    Union,
    domain_size,
)
from burnside.ir.highlevel.values import all_values, bag
from burnside.reference.highlevel.evaluation import Undefined, Values, evaluate

Value = Any


def initial_marking(net: HighLevelNet) -> Marking:
    return tuple(evaluate(each.initial, {}) for each in net.places)


def enabled(net: HighLevelNet, marking: Marking) -> Iterator[Instance]:
    """In the order of transitions and of values."""
    for number, transition in enumerate(net.transitions):
        for values in product(
            *(candidates(net, transition, each.type, marking) for each in transition.variables)
        ):
            if is_enabled(net, marking, (number, values)):
                yield number, values


def is_enabled(net: HighLevelNet, marking: Marking, instance: Instance) -> bool:
    transition, values = named(net, instance)
    try:
        if not evaluate(transition.guard, values):
            return False
        produced(transition, values)
        taken = consumed(transition, values)
    except Undefined:
        return False
    return all(_covers(marking[place], tokens) for place, tokens in taken.items())


def fire(net: HighLevelNet, marking: Marking, instance: Instance) -> Marking:
    """The marking after an enabled instance."""
    transition, values = named(net, instance)
    after = list(marking)
    for place, tokens in consumed(transition, values).items():
        after[place] = bag((*after[place], *((value, -number) for value, number in tokens)))
    for place, tokens in produced(transition, values).items():
        after[place] = bag((*after[place], *tokens))
    return tuple(after)


def consumed(transition: Transition, values: Values) -> dict[int, Tokens]:
    """What an instance takes, by place. `Undefined` where the term of an arc is."""
    return _flow(transition.consumes, values)


def produced(transition: Transition, values: Values) -> dict[int, Tokens]:
    return _flow(transition.produces, values)


def _flow(arcs: Iterable[Arc], values: Values) -> dict[int, Tokens]:
    flow: dict[int, Tokens] = {}
    for arc in arcs:
        flow[arc.place] = bag((*flow.get(arc.place, ()), *evaluate(arc.term, values)))
    return flow


def named(net: HighLevelNet, instance: Instance) -> tuple[Transition, Values]:
    transition = net.transitions[instance[0]]
    names = (each.name for each in transition.variables)
    return transition, dict(zip(names, instance[1], strict=True))


def _covers(tokens: Tokens, less: Tokens) -> bool:
    available = dict(tokens)
    return all(available.get(value, 0) >= number for value, number in less)


def candidates(
    net: HighLevelNet, transition: Transition, type_: TokenType, marking: Marking
) -> Iterable[Value]:
    """All values of a finite type. A variable of another type stands in the inscription of an arc from a place (`unbound`),
    so it is a part of a token there."""
    if domain_size(type_) is not None:
        return all_values(type_)
    found: dict[Value, None] = {}
    for arc in transition.consumes:
        for token, _ in marking[arc.place]:
            found.update(dict.fromkeys(_parts(net.places[arc.place].type, token, type_)))
    return found


def _parts(type_: TokenType, value: Value, wanted: TokenType) -> Iterator[Value]:
    """The parts of a value that are of a type, itself among them."""
    if type_ == wanted:
        yield value
    for part_type, part in _directly_inside(type_, value):
        yield from _parts(part_type, part, wanted)


def _directly_inside(type_: TokenType, value: Value) -> Iterator[tuple[TokenType, Value]]:
    match type_:
        case ListOf(element) | SetOf(element):
            yield from ((element, each) for each in value)
        case Bag(element):
            yield from ((element, each) for each, _ in value)
        case MapOf(key, image):
            for each in value:
                yield from ((key, each[0]), (image, each[1]))
        case Struct(fields):
            yield from ((field.type, each) for field, each in zip(fields, value, strict=True))
        case Union(alternatives):
            chosen: Field = alternatives[value[0]]
            yield chosen.type, value[1]
