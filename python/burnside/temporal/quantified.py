"""Formulas that hold for all values of some names: which values have to be looked at.

In: a property with binders. Out: its `Instances`: one tuple of values of each orbit, and which others follow from it.

Let g be a symmetry of the model that keeps the formula *as a scheme*: its atoms, with the names free in them, are mapped
to themselves. Then the atom for values t holds in a state s if and only if the atom for g t holds in g s; so a run satisfies
the formula for t if and only if its image satisfies the one for g t, and one of them holds if and only if the other does.
Such symmetries are certified as those that keep `exists names. atom`, because certificates compare texts: where the closed
condition is mapped to itself, so is what stands below its quantifiers. (docs/temporal.md)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from burnside.kinds import BoundNames, kind_of
from burnside.outcome import Instance
from burnside.records import record, replace
from burnside.temporal.atoms import (
    ActionPattern,
    Binder,
    Condition,
    Enabled,
    Initial,
    NextAction,
    Patterns,
    Proposition,
)
from burnside.temporal.individuals import fairness_of, followed_parameters, kept_patterns
from burnside.temporal.reading import ModelAtoms, TemporalProperty

if TYPE_CHECKING:
    from burnside.kinds import Moves
    from burnside.limits import Deadline
    from burnside.model import Model
    from burnside.outcome import Verdict
    from burnside.request import Request

MAX_TUPLES = 100_000
"""Of values of all names of a formula together."""

Values = tuple[int, ...]


@record
class Instances:
    """`orbits`: tuples of values that symmetries exchange; the first of each stands for the others."""

    asked: TemporalProperty
    orbits: tuple[tuple[Values, ...], ...]

    def checked(self, atoms: ModelAtoms) -> list[TemporalProperty]:
        """The formula for the first tuple of each orbit."""
        return [
            replace(
                atoms.instantiated(self.asked, orbit[0]), name=f"{self.asked.name} for {self.shown(orbit[0])}"
            )
            for orbit in self.orbits
        ]

    def shown(self, values: Values) -> str:
        return ", ".join(f"{name} = {value}" for name, value in self._named(values).items())

    def results(self, verdicts: Sequence[Verdict]) -> tuple[Instance, ...]:
        return tuple(self._results(verdicts))

    def _results(self, verdicts: Sequence[Verdict]) -> Iterator[Instance]:
        for orbit, verdict in zip(self.orbits, verdicts, strict=True):
            first = self._named(orbit[0])
            yield Instance(first, verdict)
            for each in orbit[1:]:
                yield Instance(self._named(each), verdict, first)

    def _named(self, values: Values) -> dict[str, str]:
        return {
            each.written: each.show(value) for each, value in zip(self.asked.binders, values, strict=True)
        }


def too_many_tuples(asked: TemporalProperty) -> str | None:
    """Why there are too many instances, if there are."""
    total = prod(len(each.values) for each in asked.binders)
    if total <= MAX_TUPLES:
        return None
    return f"the quantified names have {total:,} tuples of values: at most {MAX_TUPLES:,} are possible"


def instances_of(model: Model, request: Request, asked: TemporalProperty, deadline: Deadline) -> Instances:
    is_reduced = request.engine == "core" and request.reduce != "none"
    moves = _moves(model, request, asked, deadline) if is_reduced else ()
    return Instances(asked, _orbits(asked.binders, moves))


def _orbits(binders: Sequence[Binder], moves: Moves) -> tuple[tuple[Values, ...], ...]:
    """Of all tuples of values. An image that is not among them (a name may range over a part of a set) says nothing."""
    leader = {values: values for values in product(*(each.values for each in binders))}

    def find(values: Values) -> Values:
        while leader[values] != values:
            leader[values] = leader[leader[values]]
            values = leader[values]
        return values

    for values in leader:
        for maps in moves:
            image = tuple(one.get(value, value) for one, value in zip(maps, values, strict=True))
            if image in leader:
                leader[find(image)] = find(values)
    orbits: dict[Values, list[Values]] = {}
    for values in leader:
        orbits.setdefault(find(values), []).append(values)
    return tuple(map(tuple, orbits.values()))


def _moves(model: Model, request: Request, asked: TemporalProperty, deadline: Deadline) -> Moves:
    """How generators of the group that keeps the formula as a scheme map values, name by name."""
    kind = kind_of(model.subject)
    atoms = kind.atom_reader(model)
    # Runs must be mapped to runs, so starts to starts.
    scheme: list[Proposition] = [Initial()]
    names = BoundNames([], [])
    for each in (*asked.propositions, *kept_patterns(asked.fairness)):
        conditions = [each.expression] if isinstance(each, Condition) else []
        if isinstance(each, Enabled | NextAction):
            scheme.append(replace(each, patterns=_open_patterns(atoms, each.patterns, asked.binders)))
            conditions = list(_arguments(atoms, each.patterns, asked.binders, names))
        elif not isinstance(each, Condition):
            scheme.append(each)
        for one in conditions:
            mentioned = atoms.mentioned(one, asked.binders)
            names.conditions.append(mentioned)
            scheme.append(Condition(atoms.closed(one, mentioned), f"{each.text} for some values"))
    individuals = followed_parameters(fairness_of(model, request))
    found = kind.formula_question(
        model, request, scheme, deadline, each_instance=bool(individuals), individuals=individuals
    )
    return kind.value_moves(found, asked.binders, names)


def _open_patterns(atoms: ModelAtoms, patterns: Patterns, binders: Sequence[Binder]) -> Patterns:
    """Any value in the place of an argument that depends on the names."""

    def opened(pattern: ActionPattern) -> ActionPattern:
        if pattern.arguments is None:
            return pattern
        kept = [None if one is None or atoms.mentioned(one, binders) else one for one in pattern.arguments]
        return replace(pattern, arguments=tuple(kept))

    return tuple(map(opened, patterns))


def _arguments(
    atoms: ModelAtoms, patterns: Patterns, binders: Sequence[Binder], names: BoundNames
) -> Iterator[Any]:
    """Conditions about arguments that depend on the names. A name alone is moved as values of the parameter are."""
    for pattern in patterns:
        for position, argument in enumerate(pattern.arguments or ()):
            mentioned = () if argument is None else atoms.mentioned(argument, binders)
            if mentioned and atoms.is_name(argument):
                names.arguments.append((mentioned[0], pattern.action, position))
            elif mentioned:
                yield atoms.equals_itself(argument)
