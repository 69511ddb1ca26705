"""Automata of path formulas. In: a formula of LTL with past. Out: a core `Automaton` that accepts the runs where it holds.

Finite maximal runs are read as infinite ones that repeat their last state. With *strong next* there is no next position at
the end, as in ProB, and an atom is needed that is true at the last state and its repetitions; with *stuttering* the
repetitions are positions like others, as for Spin and the Model Checking Contest.
"""

from __future__ import annotations

from burnside import _core
from burnside.diagnostics import InputError, RefusedError, Source
from burnside.records import record
from burnside.temporal import formulas as f
from burnside.temporal.syntax import OpaqueAtoms, parse_formula
from burnside.temporal.tables import table_of

ENDED = "deadlock"
"""The atom that is true where a finite run has ended."""


@record(eq=False)
class FormulaAutomaton:
    """The automaton of a formula without a model; `atoms` are the texts of its atoms, by number."""

    text: str
    atoms: tuple[str, ...]
    strong_next: bool
    automaton: _core.Automaton

    def hoa(self) -> str:
        return self.automaton.hoa(self.text, self.atoms)


def read_automaton(text: str, source: str, *, strong_next: bool) -> FormulaAutomaton:
    """Of a formula whose atoms are nothing but names. `source` names the argument in diagnostics."""
    atoms = OpaqueAtoms()
    formula = parse_formula(text, atoms, source=source, dialect="standard")
    place = Source(source, text)
    if any(isinstance(each, f.Exists | f.Forall) for each in f.subformulas(formula)):
        message = "a formula with path quantifiers has no automaton"
        hint = "leave out A and E: an automaton reads one run"
        raise InputError(place.diagnostic(message, 0, len(text), hint))
    ended = None
    if strong_next:
        if ENDED not in atoms.texts:
            atoms.texts.append(ENDED)
        ended = atoms.texts.index(ENDED)
    try:
        automaton = automaton_of(formula, ended)
    except _core.TooLargeError as error:
        raise RefusedError(place.diagnostic(str(error), 0, len(text))) from None
    return FormulaAutomaton(" ".join(text.split()), tuple(atoms.texts), strong_next, automaton)


def automaton_of(formula: f.Formula, ended: int | None = None) -> _core.Automaton:
    """`ended`: the number of that atom, for strong next; without it finite runs stutter. ValueError for a formula with
    path quantifiers, `_core.TooLargeError` where the automaton would be too large."""
    return _core.automaton(table_of(formula), ended)
