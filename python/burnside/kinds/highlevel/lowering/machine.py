"""The machine of a high-level net. In: the net, claims about its markings. Out: `Lowered`.

An instance is enabled where its guard holds, nothing is undefined, and each place holds what is taken. A single token that
is taken is a condition `value : support(place)`, which the core turns into a step of a join; numbers of tokens are compared
only where several are taken from one place. What an instance takes and gives back is left out of what it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from burnside.ir.highlevel import terms as h
from burnside.ir.highlevel.net import Arc, Claim, HighLevelNet, Instance, Marking, Transition
from burnside.ir.highlevel.types import Bag
from burnside.ir.sets import expressions as e
from burnside.ir.sets import machine as m
from burnside.ir.sets.substitutions import SKIP, Assign, Substitution
from burnside.ir.sets.types import INTEGER, Set
from burnside.kinds.highlevel.lowering.terms import Names, Terms, applied, has_maps, number, says
from burnside.kinds.highlevel.lowering.types import Representation
from burnside.records import record

__all__ = ["Lowered", "lowered"]


@record(eq=False)
class Lowered:
    """The machine, and what its values mean."""

    net: HighLevelNet
    machine: m.Machine
    representation: Representation
    terms: Terms

    def marking(self, values: Sequence[Any]) -> Marking:
        pairs = zip(values, self.net.places, strict=True)
        return tuple(self.representation.value(each, Bag(place.type)) for each, place in pairs)

    def instance(self, operation: int, arguments: Sequence[Any]) -> Instance:
        variables = self.net.transitions[operation].variables
        pairs = zip(arguments, variables, strict=True)
        return operation, tuple(self.representation.value(each, of.type) for each, of in pairs)


def lowered(net: HighLevelNet, claims: Sequence[Claim]) -> Lowered:
    representation = Representation(net.sorts)
    terms = Terms(representation, net.places)
    places = terms.places
    initial = tuple(terms.value(each.initial, {}) for each in net.places)
    operations = tuple(_operation(each, terms) for each in net.transitions)
    lowered_claims = tuple(_claim(each, terms) for each in claims)
    machine = m.Machine(
        name=net.name,
        sorts=representation.sorts,
        constants=(),
        properties=(),
        variables=places,
        initialisation=Assign(places, initial) if places else SKIP,
        operations=operations,
        claims=lowered_claims,
        free_types=tuple(representation.unions.values()),
    )
    return Lowered(net, machine, representation, terms)


def _claim(claim: Claim, terms: Terms) -> m.Claim:
    kind: Any = "goal" if claim.kind in ("goal", "stable") else "invariant"
    return m.Claim(kind, claim.name, terms.value(claim.condition, {}), claim.span)


def _operation(transition: Transition, terms: Terms) -> m.Operation:
    parameters = tuple(terms.new_name(each.name, each.type) for each in transition.variables)
    names = {each.name: name for each, name in zip(transition.variables, parameters, strict=True)}
    consumed, produced = _flow(transition.consumes), _flow(transition.produces)
    conditions: list[e.Expression] = [
        condition
        for place, taken in consumed.items()
        for condition in _available(terms.places[place], taken, terms, names)
    ]
    taken = {name for each in consumed.values() for name in _taken(each)}
    conditions += [
        terms.is_value(names[each.name], each.type)
        for each in transition.variables
        if has_maps(each.type) and each.name not in taken
    ]
    conditions += [terms.value(each, names) for each in _conjuncts(transition.guard)]
    conditions += [terms.defined(arc.term, names) for arc in transition.produces if not h.is_total(arc.term)]
    return m.Operation(
        name=transition.name,
        parameters=parameters,
        results=(),
        body=_effect(transition, consumed, produced, terms, names),
        guard=says("and", *conditions) if conditions else e.TRUE,
        span=transition.span,
    )


def _taken(flow: _Flow) -> Iterator[str]:
    """Variables that are tokens or parts of them: their values are of their types."""
    waiting = [value for count, value in flow.tokens if isinstance(count, h.Literal) and count.value > 0]
    while waiting:
        match waiting.pop():
            case h.Variable(name):
                yield name
            case h.Apply("struct" | "list", parts):
                waiting += parts
            case h.Inject(_, value):
                waiting.append(value)


def _conjuncts(guard: h.Term) -> Iterator[h.Term]:
    """All of them have to hold, so it does not matter which one is undefined."""
    match guard:
        case h.Apply("and", parts):
            for part in parts:
                yield from _conjuncts(part)
        case h.Literal(True):
            pass
        case _:
            yield guard


@record
class _Flow:
    """What goes along the arcs between a place and a transition: tokens (number, value), and other multisets."""

    tokens: tuple[tuple[h.Term, h.Term], ...]
    others: tuple[h.Term, ...]


def _flow(arcs: Sequence[Arc]) -> dict[int, _Flow]:
    found: dict[int, list[h.Term]] = defaultdict(list)
    for arc in arcs:
        found[arc.place] += _summands(arc.term)
    return {place: _sorted_out(parts) for place, parts in found.items()}


def _summands(term: h.Term) -> Iterator[h.Term]:
    match term:
        case h.Apply("sum", parts):
            for part in parts:
                yield from _summands(part)
        case _:
            yield term


def _sorted_out(parts: Sequence[h.Term]) -> _Flow:
    tokens, others = [], []
    for part in parts:
        match part:
            case h.Apply("tokens", (count, value)):
                tokens.append((count, value))
            case _:
                others.append(part)
    return _Flow(tuple(tokens), tuple(others))


def _available(place: e.Name, taken: _Flow, terms: Terms, names: Names) -> Iterator[e.Expression]:
    """The place holds what is taken."""
    known = [value for count, value in taken.tokens if isinstance(count, h.Literal) and count.value > 0]
    for value in known:
        token = terms.value(value, names)
        yield says("member", token, applied("support", Set(e.type_of(token)), place))
    if taken.others or len(taken.tokens) != 1 or not _is_one(taken.tokens[0][0]):
        yield says("bag-included", _multiset(taken, place, terms, names), place)


def _is_one(count: h.Term) -> bool:
    return isinstance(count, h.Literal) and count.value == 1


def _multiset(flow: _Flow, place: e.Name, terms: Terms, names: Names) -> e.Expression:
    changes = [part for token in flow.tokens for part in _change(token, 1, terms, names)]
    parts: list[e.Expression] = [applied("bag", place.type, *changes)] if changes else []
    parts += [terms.value(each, names) for each in flow.others]
    return _added(parts)


def _added(parts: Sequence[e.Expression]) -> e.Expression:
    whole = parts[0]
    for part in parts[1:]:
        whole = applied("bag-sum", e.type_of(whole), whole, part)
    return whole


def _change(
    token: tuple[h.Term, h.Term], sign: int, terms: Terms, names: Names
) -> tuple[e.Expression, e.Expression]:
    match token:
        case (h.Literal(int(count)), value):
            return number(sign * count), terms.value(value, names)
        case (count, value):
            found = terms.value(count, names)
            return found if sign > 0 else applied("negate", INTEGER, found), terms.value(value, names)


def _effect(
    transition: Transition,
    consumed: dict[int, _Flow],
    produced: dict[int, _Flow],
    terms: Terms,
    names: Names,
) -> Substitution:
    changed: list[e.Name] = []
    values: list[e.Expression] = []
    for at in sorted({*consumed, *produced}):
        taken, given = _without_common(consumed.get(at, _NOTHING), produced.get(at, _NOTHING))
        if taken == given:
            continue
        place = terms.places[at]
        after: e.Expression = place
        if taken.others:
            others = [terms.value(each, names) for each in taken.others]
            after = applied("bag-difference", place.type, after, _added(others))
        changes = [part for token in taken.tokens for part in _change(token, -1, terms, names)]
        changes += [part for token in given.tokens for part in _change(token, 1, terms, names)]
        if changes:
            after = applied("bag-change", place.type, after, *changes)
        if given.others:
            after = _added([after, *(terms.value(each, names) for each in given.others)])
        changed.append(place)
        values.append(after)
    return Assign(tuple(changed), tuple(values), transition.span) if changed else SKIP


_NOTHING = _Flow((), ())


def _without_common(taken: _Flow, given: _Flow) -> tuple[_Flow, _Flow]:
    """Without what is both taken and given."""
    tokens, more_tokens = _differences(taken.tokens, given.tokens)
    others, more_others = _differences(taken.others, given.others)
    return _Flow(tokens, others), _Flow(more_tokens, more_others)


def _differences(one: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    rest, left = list(other), []
    for each in one:
        if each in rest:
            rest.remove(each)
        else:
            left.append(each)
    return tuple(left), tuple(rest)
