"""Automata that are given edge by edge: what the core reads of them, by law, and what it refuses."""

from __future__ import annotations

import pytest
from burnside import _core
from burnside.reference.words import Word, holds
from burnside.temporal import formulas as f
from burnside.temporal.automata import automaton_of, cubes_of, given_automaton
from hypothesis import given
from hypothesis import strategies as st

from tests.temporal.hoa import read_hoa
from tests.temporal.strategies import automata, formulas, infinite_words

ATOMS = 3
NAMES = ["p", "q", "r"]
P, Q, R = map(f.Atom, range(ATOMS))


def given_back(automaton: _core.Automaton) -> f.Matches:
    """An automaton of the core, with formulas as guards."""

    def literals(positive: int, negative: int) -> f.Formula:
        true = [f.Atom(at) for at in range(128) if positive >> at & 1]
        false = [f.Not(f.Atom(at)) for at in range(128) if negative >> at & 1]
        return f.And((*true, *false))

    edges = [
        f.AutomatonEdge(
            source,
            literals(positive, negative),
            target,
            frozenset(at for at in range(64) if marks >> at & 1),
        )
        for source, positive, negative, marks, target in automaton.edges
    ]
    return f.Matches(automaton.states, automaton.marks, tuple(edges))


@given(automata(ATOMS), st.lists(infinite_words(ATOMS), min_size=1, max_size=6))
def test_the_core_accepts_what_the_definition_says(automaton: f.Matches, words: list[Word]) -> None:
    found = read_hoa(given_automaton(automaton).hoa("", NAMES))
    for word in words:
        assert found.accepts(word) == holds(automaton, word), word


@given(formulas(ATOMS, branching=False, size=6), st.lists(infinite_words(ATOMS), min_size=1, max_size=6))
def test_the_automaton_of_a_formula_matches_where_it_holds(formula: f.Formula, words: list[Word]) -> None:
    automaton = given_back(automaton_of(formula))
    again = given_back(given_automaton(automaton))
    for word in words:
        assert holds(automaton, word) == holds(again, word) == holds(formula, word), word


def test_finite_words_are_not_matched() -> None:
    everything = f.Matches(1, 0, (f.AutomatonEdge(0, f.TRUE, 0),))
    finite = Word((frozenset(),))
    assert not holds(everything, finite)
    assert holds(everything, finite.stuttering())


def test_guards_are_disjunctions_of_cubes() -> None:
    guard = f.Or((f.And((P, f.Not(Q))), f.Not(f.Or((P, R)))))
    assert cubes_of(guard) == {
        frozenset([(0, True), (1, False)]),
        frozenset([(0, False), (2, False)]),
    }
    assert cubes_of(f.And((P, f.Not(P)))) == frozenset()
    assert cubes_of(f.TRUE) == {frozenset()}
    with pytest.raises(ValueError, match="no temporal operators"):
        cubes_of(f.Next(P))
    with pytest.raises(_core.TooLargeError, match="disjunction of more than 1,000"):
        cubes_of(f.And(tuple(f.Or((f.Atom(2 * at), f.Atom(2 * at + 1))) for at in range(12))))
    with pytest.raises(_core.TooLargeError, match="more than 128 atoms"):
        cubes_of(f.Atom(128))


@pytest.mark.parametrize(
    "states, marks, edges",
    [
        (0, 0, []),
        (1, 0, [(0, 0, 0, 0, 1)]),
        (1, 0, [(1, 0, 0, 0, 0)]),
        (1, 1, [(0, 0, 0, 2, 0)]),
        (1, 0, [(0, 1, 1, 0, 0)]),
    ],
)
def test_malformed(states: int, marks: int, edges: list[tuple[int, int, int, int, int]]) -> None:
    with pytest.raises(ValueError, match="malformed"):
        _core.given_automaton(states, marks, edges)


def test_too_large() -> None:
    with pytest.raises(_core.TooLargeError, match="acceptance sets"):
        _core.given_automaton(1, 65, [])
