"""Automata of path formulas. In: a formula of LTL with past, or an automaton with formulas as guards. Out: a core
`Automaton` that accepts the runs where it holds.

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
MAX_CUBES = 1_000
"""Of one guard of an automaton."""


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
    if isinstance(formula, f.Matches):
        return given_automaton(formula)
    return _core.automaton(table_of(formula), ended)


def given_automaton(automaton: f.Matches) -> _core.Automaton:
    edges: list[tuple[int, int, int, int, int]] = []
    for each in automaton.edges:
        marks = sum(1 << mark for mark in each.marks)
        edges += [
            (each.source, _bits(cube, holds=True), _bits(cube, holds=False), marks, each.target)
            for cube in cubes_of(each.guard)
        ]
    return _core.given_automaton(automaton.states, automaton.marks, edges)


Cube = frozenset[tuple[int, bool]]
"""Atoms, with whether they hold."""


def cubes_of(formula: f.Formula, *, holds: bool = True) -> frozenset[Cube]:
    """Conjunctions of literals, one of which is true where the formula, one without temporal operators, holds (or does
    not). `_core.TooLargeError` where they are too many."""
    match formula:
        case f.Constant(value):
            return frozenset([Cube()]) if value == holds else frozenset()
        case f.Atom(number):
            if number >= _core.MAX_ATOMS:
                raise _core.TooLargeError(f"this automaton has more than {_core.MAX_ATOMS} atoms")
            return frozenset([Cube([(number, holds)])])
        case f.Not(operand):
            return cubes_of(operand, holds=not holds)
        case f.And(operands) | f.Or(operands):
            parts = [cubes_of(each, holds=holds) for each in operands]
            if isinstance(formula, f.Or) == holds:
                return _checked(frozenset[Cube]().union(*parts))
            found = frozenset([Cube()])
            for part in parts:
                joined = (one | other for one in found for other in part)
                found = _checked(frozenset(each for each in joined if _is_consistent(each)))
            return found
        case _:
            raise ValueError("a guard has no temporal operators")


def _checked(cubes: frozenset[Cube]) -> frozenset[Cube]:
    if len(cubes) > MAX_CUBES:
        raise _core.TooLargeError(f"a guard is a disjunction of more than {MAX_CUBES:,} conjunctions")
    return cubes


def _is_consistent(cube: Cube) -> bool:
    return len({number for number, _ in cube}) == len(cube)


def _bits(cube: Cube, *, holds: bool) -> int:
    return sum(1 << number for number, value in cube if value == holds)
