"""Boolean combinations of conditions and of enabled transitions as one condition on places."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.kinds.combining import Combining
from burnside.languages.net_expressions import MAX_DEPTH, Expression, conditions, enabledness
from burnside.net import Net
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Condition, Enabled, Proposition


class NetCombining(Combining):
    def __init__(self, net: Net, propositions: Sequence[Proposition]) -> None:
        super().__init__(propositions)
        self.net = net

    def is_part(self, proposition: Proposition) -> bool:
        return isinstance(proposition, Condition | Enabled)

    def joined(self, formula: f.Formula, text: str) -> Condition | bool | None:
        found = self._condition(formula)
        if found is None:
            return None
        core = found.holds.core
        if core in (conditions.TRUE, conditions.FALSE):
            return core == conditions.TRUE
        return Condition(Expression(text, core, conditions.places(core)), text)

    def _condition(self, formula: f.Formula) -> conditions.Condition | None:
        """In normal form; None where that would be too large."""
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
