"""Boolean combinations of conditions on markings as one term."""

from __future__ import annotations

from math import prod

from burnside.ir.highlevel.terms import Apply, Binding, Literal, Term, is_total
from burnside.ir.highlevel.types import BOOLEAN, domain_size
from burnside.ir.walking import nodes
from burnside.kinds.combining import Combining
from burnside.temporal import formulas as f
from burnside.temporal.atoms import Condition, Proposition

MAX_SIZE = 10_000
"""Of a combination: operators, each as many times as values are gone through around it."""


class HighLevelCombining(Combining):
    """Conditions that always have a value. Others are evaluated only where that matters to the formula."""

    def is_part(self, proposition: Proposition) -> bool:
        return isinstance(proposition, Condition) and is_total(proposition.expression)

    def joined(self, formula: f.Formula, text: str) -> Condition | bool | None:
        term = self._term(formula)
        if isinstance(term, Literal):
            return bool(term.value)
        return None if _size(term) > MAX_SIZE else Condition(term, text)

    def _term(self, formula: f.Formula) -> Term:
        match formula:
            case f.Constant(value):
                return Literal(value, BOOLEAN)
            case f.Atom(number):
                proposition = self.propositions[number]
                assert isinstance(proposition, Condition)
                term: Term = proposition.expression
                return term
            case f.Not(operand):
                return Apply("not", (self._term(operand),), BOOLEAN)
            case f.And(operands):
                return Apply("and", tuple(map(self._term, operands)), BOOLEAN)
            case f.Or(operands):
                return Apply("or", tuple(map(self._term, operands)), BOOLEAN)
            case _:
                raise ValueError(f"no condition: {formula}")


def _size(term: Term) -> int:
    """At least as many comparisons as it takes."""
    values = [domain_size(each.variable.type) or 1 for each in nodes(term) if isinstance(each, Binding)]
    return sum(1 for _ in nodes(term)) * prod(values)
