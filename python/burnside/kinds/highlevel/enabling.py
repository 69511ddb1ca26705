"""The enabled instances of a marking, found from the tokens that are there: for replays, walks and drawings.

In: a net, a marking. Out: the same instances as `reference.highlevel.firing.enabled` gives, which tries all values of all
variables. Each arc of which every instance takes a token is joined in turn; parts of the guard are asked for as soon as
their variables are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from burnside.ir.highlevel.net import HighLevelNet, Instance, Marking, Transition, Value
from burnside.ir.highlevel.terms import Term
from burnside.ir.highlevel.types import domain_size
from burnside.ir.highlevel.values import all_values, order_key
from burnside.records import record
from burnside.reference.highlevel.evaluation import Undefined, evaluate
from burnside.reference.highlevel.firing import is_enabled
from burnside.unfolding.general import given_names, matches
from burnside.unfolding.patterns import Atom, atoms_of, conjuncts, defined_by, variables_in

Values = Mapping[str, Value]
Guard = Sequence[tuple[Term, frozenset[str]]]
"""Its parts, each with the variables that it needs."""


@record(eq=False)
class Join:
    """What is looked at in a transition. `atoms`: with the variables that a token gives values."""

    atoms: tuple[tuple[Atom, frozenset[str]], ...]
    guard: Guard
    variables: tuple[str, ...]


class Enabling:
    """Of one net."""

    def __init__(self, net: HighLevelNet) -> None:
        self.net = net
        self._join = lru_cache(maxsize=None)(self._made)

    def instances(self, marking: Marking) -> Iterator[Instance]:
        """In the order of transitions and of values."""
        for number, transition in enumerate(self.net.transitions):
            join = self._join(number)
            found = {
                tuple(values[name] for name in join.variables)
                for values in self._joined(transition, join.atoms, join.guard, {}, marking)
            }
            enabled = [each for each in found if is_enabled(self.net, marking, (number, each))]
            types = [each.type for each in transition.variables]
            for each in sorted(enabled, key=lambda values: tuple(map(order_key, types, values))):
                yield number, each

    def _made(self, number: int) -> Join:
        transition = self.net.transitions[number]
        atoms = tuple((each, frozenset(given_names(each.term))) for each in atoms_of(transition))
        guard = [(each, frozenset(variables_in(each))) for each in conjuncts(transition.guard)]
        return Join(atoms, guard, tuple(each.name for each in transition.variables))

    def _joined(
        self,
        transition: Transition,
        atoms: Sequence[tuple[Atom, frozenset[str]]],
        guard: Guard,
        values: Values,
        marking: Marking,
    ) -> Iterator[Values]:
        left = [each for each in guard if not each[1] <= values.keys()]
        if not all(_holds(part, values) for part, needs in guard if needs <= values.keys()):
            return
        if not atoms:
            yield from self._completed(transition, left, values)
            return
        chosen = max(atoms, key=lambda each: len(each[1] & values.keys()))
        rest = [each for each in atoms if each is not chosen]
        atom = chosen[0]
        for token, _ in marking[atom.place]:
            more = dict(values)
            if matches(atom.term, token, more):
                yield from self._joined(transition, rest, left, more, marking)

    def _completed(self, transition: Transition, guard: Guard, values: Values) -> Iterator[Values]:
        """With values of the variables that no token gives any."""
        unbound = frozenset(each.name for each in transition.variables) - values.keys()
        if not unbound:
            yield values
            return
        name, candidates = _candidates(transition, guard, values, unbound)
        for value in candidates:
            more = {**values, name: value}
            if all(_holds(part, more) for part, needs in guard if needs <= more.keys()):
                left = [each for each in guard if not each[1] <= more.keys()]
                yield from self._completed(transition, left, more)


def _candidates(
    transition: Transition, guard: Guard, values: Values, unbound: frozenset[str]
) -> tuple[str, Iterator[Value]]:
    """A variable and the values that it may have: by an equation of the guard, else all of its type."""
    for part, _ in guard:
        defined = defined_by(part, unbound)
        if defined is not None:
            name, term = defined
            return name, _value(term, values)
    sizes = {each.name: domain_size(each.type) or 0 for each in transition.variables if each.name in unbound}
    name = min(sizes, key=sizes.__getitem__)
    type_ = next(each.type for each in transition.variables if each.name == name)
    return name, all_values(type_)


def _value(term: Term, values: Values) -> Iterator[Value]:
    try:
        yield evaluate(term, values)
    except Undefined:
        return


def _holds(part: Term, values: Values) -> bool:
    try:
        return bool(evaluate(part, values))
    except Undefined:
        return False
