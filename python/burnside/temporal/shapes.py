"""What kind of formula a formula is: about one run, about states, or both.

In: a `TemporalProperty`. Out: the same question in the form that engines answer: a formula without path quantifiers, which
must hold on every run, or one that is true or false in a state.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.records import replace
from burnside.temporal import formulas as f
from burnside.temporal.atoms import NextAction, Proposition
from burnside.temporal.reading import TemporalProperty

TEMPORAL = f.Next | f.Until | f.Release | f.Yesterday | f.Since | f.Trigger | f.Matches


def is_path_formula(formula: f.Formula) -> bool:
    """Does it speak of one run? It has no path quantifiers then."""
    return not any(isinstance(each, f.Exists | f.Forall) for each in f.subformulas(formula))


def is_state_formula(formula: f.Formula, propositions: Sequence[Proposition]) -> bool:
    """Does its truth depend on the state alone?"""
    match formula:
        case f.Exists() | f.Forall():
            return True
        case f.Atom(number):
            return not isinstance(propositions[number], NextAction)
        case f.Next() | f.Until() | f.Release() | f.Yesterday() | f.Since() | f.Trigger() | f.Matches():
            return False
        case _:
            return all(is_state_formula(each, propositions) for each in f.children(formula))


def normalised(asked: TemporalProperty) -> TemporalProperty:
    """A property holds if every run from an initial state satisfies it. So `A p` is `p` where p has no path quantifiers:
    that can be searched for on the fly. A formula about runs with path quantifiers inside is made one about states."""
    match asked.formula:
        case f.Forall(operand) if is_path_formula(operand):
            return replace(asked, formula=operand)
        case f.Not(f.Exists(operand)) if is_path_formula(operand):
            return replace(asked, formula=f.Not(operand))
        case formula if is_path_formula(formula) or is_state_formula(formula, asked.propositions):
            return asked
        case formula:
            return replace(asked, formula=f.Forall(formula))


def negated_possibility(formula: f.Formula) -> f.Formula | None:
    """Of `E p`, where p has no path quantifiers: `not p`. Where runs begin in one state, `E p` holds if and only if not all
    runs satisfy that, and a run that violates it shows why."""
    match formula:
        case f.Exists(operand) if is_path_formula(operand):
            return f.Not(operand)
        case _:
            return None


def path_formulas(asked: TemporalProperty) -> list[f.Formula]:
    """What needs an automaton of its own: the formula, or the operands of its path quantifiers, in which atoms stand for
    subformulas about states. Of one operator over states, none is needed."""
    if is_path_formula(asked.formula):
        return [f.refused_by(asked.formula) or f.Not(asked.formula)]
    found: list[f.Formula] = []
    for each in f.subformulas(asked.formula):
        if isinstance(each, f.Exists | f.Forall):
            path = _with_atoms(each.operand, asked.propositions, {})
            is_simple = all(not isinstance(one, TEMPORAL) for one in f.subformulas(path) if one is not path)
            if not is_simple:
                found.append(path if isinstance(each, f.Exists) else f.Not(path))
    return found


def _with_atoms(
    formula: f.Formula, propositions: Sequence[Proposition], known: dict[f.Formula, f.Atom]
) -> f.Formula:
    if is_state_formula(formula, propositions):
        return known.setdefault(formula, f.Atom(len(propositions) + len(known)))
    operands = tuple(_with_atoms(each, propositions, known) for each in f.children(formula))
    return f.with_children(formula, operands)
