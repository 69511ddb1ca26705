"""The formulas of the literature: sizes, and their automata on random words."""

from __future__ import annotations

from functools import cache

import pytest
from burnside.benchmarks import automata
from burnside.benchmarks.ltl_formulas import FORMULAS
from burnside.records import record
from burnside.reference.words import Word, holds
from burnside.temporal import formulas as f
from burnside.temporal.automata import automaton_of
from burnside.temporal.syntax import OpaqueAtoms, parse_formula
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.temporal.hoa import HoaAutomaton, read_hoa
from tests.temporal.strategies import infinite_words


@record(eq=False)
class Translated:
    formula: f.Formula
    positive: HoaAutomaton
    negative: HoaAutomaton


@cache
def translated(name: str) -> Translated:
    atoms = OpaqueAtoms()
    formula = parse_formula(FORMULAS[name], atoms, source=name, dialect="standard")
    positive, negative = (automaton_of(each).hoa("", atoms.texts) for each in (formula, f.Not(formula)))
    return Translated(formula, read_hoa(positive), read_hoa(negative))


def test_there_are_as_many_as_in_the_papers() -> None:
    sources = [name.split()[0] for name in FORMULAS]
    assert [sources.count(each) for each in ("dac", "eh", "sb")] == [55, 12, 27]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(FORMULAS)), infinite_words(6))
def test_on_words(name: str, word: Word) -> None:
    found = translated(name)
    value = holds(found.formula, word)
    assert (found.positive.accepts(word), found.negative.accepts(word)) == (value, not value)


@pytest.mark.parametrize(
    ("name", "states", "negated"),
    [
        # Smallest possible: G !p, F p, G p; G(p -> F s) needs to know whether a p is open; p U q.
        ("dac 1", 1, 2),
        ("dac 6", 2, 1),
        ("dac 26", 2, 2),
        ("sb 1", 2, 2),
        # Infinitely often p and q: one state, two acceptance sets.
        ("sb 18", 1, 3),
        # Tautologies and contradictions are seen as such.
        ("sb 11", 1, 1),
    ],
)
def test_smallest(name: str, states: int, negated: int) -> None:
    found = translated(name)
    assert (len(found.positive.states), len(found.negative.states)) == (states, negated)


def test_no_automaton_is_large() -> None:
    """The largest is that of a response chain. A change that makes one larger should be noticed."""
    largest = max(len(each.states) for name in FORMULAS for each in _both(translated(name)))
    assert largest <= 18


def _both(found: Translated) -> tuple[HoaAutomaton, HoaAutomaton]:
    return found.positive, found.negative


def test_the_table() -> None:
    first, second, total = automata.rows({"one": "G p", "two": "p U q"})
    assert first.cells[:6] == ("one", "G p", 1, 1, 0, "yes")
    assert second.cells[7:11] == (2, 3, 0, "yes")
    assert total.cells[2:6] == (3, 4, 1, 2)
    assert not any(row.wrong for row in (first, second, total))


def test_a_large_automaton_is_wrong() -> None:
    formula = " & ".join(f"F p{number}" for number in range(7))
    row, _ = automata.rows({"large": formula})
    assert row.wrong and row.cells[2] == 128
