"""To whom runs are fair: the individuals of fairness constraints, as the core asks for them.

In: constraints, the model under the symmetries that keep them. Out: `Individuals`, whose methods the core calls, once for
each label and each permutation. An individual is a constraint, or, where the constraint is about each instance of an
action by itself, an instance under a constraint, or a value of a parameter; a symmetry renames the instance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Literal

from burnside.kinds import kind_of
from burnside.semantics import Individual
from burnside.temporal.atoms import Fairness, NextAction

if TYPE_CHECKING:
    from burnside.engine import Compiled
    from burnside.kinds.formulas import FormulaQuestion
    from burnside.model import Model
    from burnside.request import Request

NO_PARTNERS: tuple[tuple[int, ...], ...] = ()

Key = tuple[int, Hashable]
"""The constraint, and the individual; None where the constraint is about all instances together."""


def fairness_of(model: Model, request: Request) -> tuple[Fairness, ...]:
    """Of `--fair`: to every process, where the model has processes, otherwise to every action with every tuple of parameters
    by itself; or, by `--fair-by`, to every value of a parameter."""
    if request.fair is None:
        return ()
    strength: Literal["weak", "strong"] = "strong" if request.fair == "strong" else "weak"
    text, reader = f"--fair {strength}", kind_of(model.subject).atom_reader(model)
    if request.fair_by is not None:
        text += f" --fair-by {request.fair_by}"
        positions, partners = reader.parameters(request.fair_by), NO_PARTNERS
    else:
        positions, partners = reader.actors()
    found = Fairness(
        strength=strength, patterns=None, each=True, text=text, positions=positions, partners=partners
    )
    return (found,)


def kept_patterns(constraints: Sequence[Fairness]) -> list[NextAction]:
    """What symmetries must keep so that they keep the constraints, as propositions."""
    return [NextAction(each.patterns, each.text) for each in constraints if each.patterns is not None]


def followed_parameters(constraints: Sequence[Fairness]) -> tuple[tuple[int, int], ...]:
    """Actions and positions of parameters whose values are individuals."""
    return tuple(dict.fromkeys(one for each in constraints for one in each.parameters))


class Individuals:
    def __init__(
        self, constraints: Sequence[Fairness], question: FormulaQuestion, compiled: Compiled
    ) -> None:
        """The constraints are in terms of the question's model."""
        self.constraints = constraints
        self.semantics, self.compiled = question.question.semantics, compiled
        self.numbers: dict[Key, int] = {}
        self.keys: list[Key] = []
        self.seen: dict[Key, tuple[Hashable, int]] = {}
        """An instance in which an individual acts, and the position of its parameter: what a symmetry makes of the one shows
        what it makes of the other."""

    def acting(self, label: int, state: list[int]) -> list[tuple[int, bool, bool]]:
        """Who acts, whether fairness to him is strong, and whether he can act where the step can happen."""
        step, source = self.compiled.label(label), self.compiled.state(state)
        found: list[tuple[int, bool, bool]] = []
        for number, constraint in enumerate(self.constraints):
            is_strong = constraint.strength == "strong"
            for each in self.semantics.acting(constraint, source, [step]):
                key = number, each.who
                if each.position is not None:
                    self.seen.setdefault(key, (self.semantics.instance(step), each.position))
                found.append((self._number(key), is_strong, each.is_able))
        return found

    def image(self, element: list[int], individual: int) -> int:
        number, who = self.keys[individual]
        if who is None:
            return individual
        if not isinstance(who, Individual):
            image = self.compiled.instance_image(self.semantics, element, who)
            return self._number((number, image))
        instance, position = self.seen[number, who]
        image = self.compiled.instance_image(self.semantics, element, instance)
        moved = self.semantics.individual(image, position)
        self.seen.setdefault((number, moved), (image, position))
        return self._number((number, moved))

    def _number(self, key: Key) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return self.numbers[key]
