"""Boolean combinations of conditions as one condition.

In: a formula. Out: the same formula with fewer atoms: what is said of the state between two temporal operators
is one condition. Its automaton is smaller, and more symmetries keep it: an exchange of p and q keeps `p = 1 & q = 1`, and
neither part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from burnside.records import replace
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Condition, Proposition
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty

TEXT_WIDTH = 120
"""Of what a combination is called."""


class Combining:
    """What can be combined, and how, is said by a kind of models."""

    def __init__(self, propositions: Sequence[Proposition]) -> None:
        self.propositions = list(propositions)

    def is_part(self, proposition: Proposition) -> bool:
        """May it be part of a combination?"""
        raise NotImplementedError

    def joined(self, formula: f.Formula, text: str) -> Condition | bool | None:
        """A combination of parts as a condition; what it always is; None where that would be too large."""
        raise NotImplementedError

    def combined(self, asked: TemporalProperty) -> TemporalProperty:
        formula = self._whole(asked.formula)
        used = f.atoms_of(formula)
        return replace(
            asked,
            formula=f.renumbered(formula, {number: at for at, number in enumerate(used)}),
            propositions=tuple(self.propositions[number] for number in used),
        )

    def _whole(self, formula: f.Formula) -> f.Formula:
        """Combines what can be, from the outside in."""
        if self._is_combination(formula):
            return self._one(formula)
        if isinstance(formula, f.And | f.Or):
            parts = [each for each in formula.operands if self._is_combination(each)]
            others = [self._whole(each) for each in formula.operands if not self._is_combination(each)]
            joined = [self._one(type(formula)(tuple(parts)))] if parts else []
            return type(formula)((*joined, *others))
        return f.with_children(formula, [self._whole(each) for each in f.children(formula)])

    def _is_combination(self, formula: f.Formula) -> bool:
        match formula:
            case f.Atom(number):
                return self.is_part(self.propositions[number])
            case f.Constant():
                return True
            case f.Not() | f.And() | f.Or():
                return all(map(self._is_combination, f.children(formula)))
            case _:
                return False

    def _one(self, formula: f.Formula) -> f.Formula:
        """An atom for a combination; the combination itself where it would be too large."""
        if isinstance(formula, f.And | f.Or) and len(formula.operands) == 1:
            return self._one(formula.operands[0])
        if isinstance(formula, f.Atom | f.Constant):
            return formula
        shown = show_formula(formula, lambda number: self.propositions[number].text)
        found = self.joined(formula, shorten(shown, TEXT_WIDTH, placeholder=" ..."))
        if found is None:
            return formula
        if isinstance(found, bool):
            return f.Constant(found)
        if found not in self.propositions:
            self.propositions.append(found)
        return f.Atom(self.propositions.index(found))
