"""To whom runs are fair: the individuals of fairness constraints, as the core asks for them.

In: constraints, the model under the symmetries that keep them. Out: `Individuals`, whose methods the core calls, once for
each label and each permutation. An individual is a constraint, or, where the constraint is about each instance of an
action by itself, an instance under a constraint; a symmetry renames the instance.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from burnside.temporal.atoms import Fairness, NextAction

if TYPE_CHECKING:
    from burnside.engine import Compiled
    from burnside.kinds.formulas import FormulaQuestion

Key = tuple[int, Hashable]
"""The constraint, and the instance; None where the constraint is about all instances together."""


def kept_patterns(constraints: Sequence[Fairness]) -> list[NextAction]:
    """What symmetries must keep so that they keep the constraints, as propositions."""
    return [NextAction(each.patterns, each.text) for each in constraints if each.patterns is not None]


class Individuals:
    def __init__(
        self, constraints: Sequence[Fairness], question: FormulaQuestion, compiled: Compiled
    ) -> None:
        """The constraints are in terms of the question's model."""
        self.constraints = constraints
        self.semantics, self.compiled = question.question.semantics, compiled
        self.numbers: dict[Key, int] = {}
        self.keys: list[Key] = []

    def acting(self, label: int, state: list[int]) -> list[tuple[int, bool]]:
        step, source = self.compiled.label(label), self.compiled.state(state)
        found: list[tuple[int, bool]] = []
        for number, constraint in enumerate(self.constraints):
            patterns = constraint.patterns
            if patterns is None or any(self.semantics.matches(each, source, step) for each in patterns):
                instance = self.semantics.instance(step) if constraint.each else None
                found.append((self._number((number, instance)), constraint.strength == "strong"))
        return found

    def image(self, element: list[int], individual: int) -> int:
        constraint, instance = self.keys[individual]
        if instance is None:
            return individual
        image = self.compiled.instance_image(self.semantics, element, instance)
        return self._number((constraint, image))

    def _number(self, key: Key) -> int:
        if key not in self.numbers:
            self.numbers[key] = len(self.keys)
            self.keys.append(key)
        return self.numbers[key]
