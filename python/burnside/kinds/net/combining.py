"""Boolean combinations of conditions as one condition.

In: a formula over a net. Out: the same formula with fewer atoms: what is said of the marking between two temporal operators
is one condition. Its automaton is smaller, and more symmetries keep it: an exchange of p and q keeps `p = 1 & q = 1`, and
neither part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from burnside.languages.net_expressions import MAX_DEPTH, Expression, conditions, enabledness
from burnside.net import Net
from burnside.records import replace
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Condition, Enabled, Proposition
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty

TEXT_WIDTH = 120
"""Of what a combination is called."""


def combined(net: Net, asked: TemporalProperty) -> TemporalProperty:
    combining = _Combining(net, asked.propositions)
    formula = combining.whole(asked.formula)
    used = f.atoms_of(formula)
    return replace(
        asked,
        formula=f.renumbered(formula, {number: at for at, number in enumerate(used)}),
        propositions=tuple(combining.propositions[number] for number in used),
    )


class _Combining:
    def __init__(self, net: Net, propositions: Sequence[Proposition]) -> None:
        self.net, self.propositions = net, list(propositions)

    def whole(self, formula: f.Formula) -> f.Formula:
        """Combines what can be, from the outside in."""
        if self._is_condition(formula):
            return self._one(formula)
        if isinstance(formula, f.And | f.Or):
            parts = [each for each in formula.operands if self._is_condition(each)]
            others = [self.whole(each) for each in formula.operands if not self._is_condition(each)]
            joined = [self._one(type(formula)(tuple(parts)))] if parts else []
            return type(formula)((*joined, *others))
        return f.with_children(formula, [self.whole(each) for each in f.children(formula)])

    def _is_condition(self, formula: f.Formula) -> bool:
        match formula:
            case f.Atom(number):
                return isinstance(self.propositions[number], Condition | Enabled)
            case f.Constant():
                return True
            case f.Not() | f.And() | f.Or():
                return all(map(self._is_condition, f.children(formula)))
            case _:
                return False

    def _one(self, formula: f.Formula) -> f.Formula:
        """An atom for a Boolean combination; the combination itself where its normal form would be too large."""
        if isinstance(formula, f.And | f.Or) and len(formula.operands) == 1:
            return self._one(formula.operands[0])
        if isinstance(formula, f.Atom | f.Constant):
            return formula
        found = self._condition(formula)
        if found is None:
            return formula
        core = found.holds.core
        if core in (conditions.TRUE, conditions.FALSE):
            return f.Constant(core == conditions.TRUE)
        shown = show_formula(formula, lambda number: self.propositions[number].text)
        text = shorten(shown, TEXT_WIDTH, placeholder=" ...")
        proposition = Condition(Expression(text, core, conditions.places(core)), text)
        if proposition not in self.propositions:
            self.propositions.append(proposition)
        return f.Atom(self.propositions.index(proposition))

    def _condition(self, formula: f.Formula) -> conditions.Condition | None:
        match formula:
            case f.Constant(value):
                return conditions.truth(value)
            case f.Atom(number):
                return conditions.from_core(self._core(self.propositions[number]))
            case f.Not(operand):
                found = self._condition(operand)
                return None if found is None else conditions.negation(found)
            case f.And(operands) | f.Or(operands):
                is_conjunction = isinstance(formula, f.And)
                joined = conditions.truth(is_conjunction)
                for each in operands:
                    part = self._condition(each)
                    if part is None:
                        return None
                    joined = conditions.connect("and" if is_conjunction else "or", joined, part)
                    if joined.size > conditions.MAX_SIZE or joined.depth > MAX_DEPTH:
                        return None
                return joined
            case _:
                raise ValueError(f"no condition: {formula}")

    def _core(self, proposition: Proposition) -> conditions.Core:
        if isinstance(proposition, Enabled):
            transitions = [each.action for each in proposition.patterns]
            return enabledness(self.net, transitions, proposition.text).core
        assert isinstance(proposition, Condition)
        core: conditions.Core = proposition.expression.core
        return core
