"""Automata by law: one accepts a word exactly if its formula holds there, as the written HOA says; and their HOA text."""

from __future__ import annotations

import pytest
from burnside import _core
from burnside.reference.words import Word, holds
from burnside.temporal import formulas as f
from burnside.temporal.automata import automaton_of
from burnside.temporal.tables import table_of
from hypothesis import given
from hypothesis import strategies as st

from tests.temporal.hoa import HoaAutomaton, read_hoa
from tests.temporal.strategies import finite_words, formulas, infinite_words

ATOMS = 3
NAMES = ["p", "q", "r", "deadlock"]
ENDED = 3
P, Q = f.Atom(0), f.Atom(1)


def hoa_of(formula: f.Formula, ended: int | None = None) -> HoaAutomaton:
    return read_hoa(automaton_of(formula, ended).hoa("", NAMES))


def check(formula: f.Formula, expected: dict[Word, bool], ended: int | None = None) -> None:
    """`expected`: by word as it is read. Of the formula and its negation, exactly one accepts."""
    positive, negative = hoa_of(formula, ended), hoa_of(f.Not(formula), ended)
    for word, value in expected.items():
        assert (positive.accepts(word), negative.accepts(word)) == (value, not value), word


def several(words: st.SearchStrategy[Word]) -> st.SearchStrategy[list[Word]]:
    return st.lists(words, min_size=1, max_size=6)


@given(formulas(ATOMS, branching=False, size=8), several(infinite_words(ATOMS)))
def test_infinite_words(formula: f.Formula, words: list[Word]) -> None:
    check(formula, {word: holds(formula, word) for word in words})


@given(formulas(ATOMS, branching=False, size=8), several(finite_words(ATOMS)))
def test_finite_words_that_stutter(formula: f.Formula, words: list[Word]) -> None:
    read = [word.stuttering() for word in words]
    check(formula, {word: holds(formula, word) for word in read})


@given(formulas(ATOMS, branching=False, size=8), several(finite_words(ATOMS)))
def test_finite_words_with_strong_next(formula: f.Formula, words: list[Word]) -> None:
    def ended(word: Word) -> Word:
        last = word.prefix[-1] | {ENDED}
        return Word((*word.prefix[:-1], last), (last,))

    check(formula, {ended(word): holds(formula, word) for word in words}, ENDED)


@given(formulas(ATOMS, branching=False, size=8), several(infinite_words(ATOMS)))
def test_infinite_words_with_strong_next(formula: f.Formula, words: list[Word]) -> None:
    check(formula, {word: holds(formula, word) for word in words}, ENDED)


@given(formulas(ATOMS, branching=False, size=8))
def test_hoa_says_what_the_core_has(formula: f.Formula) -> None:
    automaton = automaton_of(formula)
    read = read_hoa(automaton.hoa('a "quoted\\" name', NAMES))
    assert read.headers["name"] == [r'"a \"quoted\\\" name"']
    assert read.atoms == tuple(NAMES)
    assert (len(read.states), read.marks, read.start) == (automaton.states, automaton.marks, 0)

    def bits(numbers: frozenset[int]) -> int:
        return sum(1 << number for number in numbers)

    edges = [
        (source, bits(edge.positive), bits(edge.negative), bits(edge.marks), edge.target)
        for source, edges in enumerate(read.states)
        for edge in edges
    ]
    assert edges == automaton.edges
    words = set(read.headers["properties"][0].split())
    said = {
        "complete": automaton.is_complete,
        "deterministic": automaton.is_deterministic,
        "weak": automaton.is_weak,
        "terminal": automaton.is_terminal,
    }
    assert words == {"trans-labels", "explicit-labels", "trans-acc", *(each for each in said if said[each])}


@given(formulas(ATOMS, branching=False, size=8), infinite_words(ATOMS))
def test_kinds_of_components(formula: f.Formula, word: Word) -> None:
    """What a kind promises of runs, seen from each state."""
    automaton = automaton_of(formula)
    read = read_hoa(automaton.hoa("", NAMES))
    for state, kind in enumerate(automaton.kinds):
        own = automaton.components[state]
        assert all(automaton.components[edge.target] <= own for edge in read.states[state])
        inside = [edge.marks for edge in read.states[state] if automaton.components[edge.target] == own]
        if kind == "terminal":
            from_here = HoaAutomaton(read.headers, read.atoms, state, read.marks, read.states)
            assert from_here.accepts(word)
        if kind in ("terminal", "accepting"):
            assert all(len(marks) == read.marks for marks in inside)
        if kind == "rejecting":
            assert read.marks > 0 and not any(inside)
        if kind == "transient":
            assert not inside


@given(formulas(ATOMS, branching=False, size=8))
def test_every_state_accepts_something(formula: f.Formula) -> None:
    automaton = automaton_of(formula)
    read = read_hoa(automaton.hoa("", NAMES))
    good = {state for state, kind in enumerate(automaton.kinds) if kind in ("mixed", "accepting", "terminal")}
    for _ in range(automaton.states):
        good |= {state for state, edges in enumerate(read.states) if any(e.target in good for e in edges)}
    assert good == set(range(automaton.states)) or (automaton.states, automaton.edges) == (1, [])


def test_tables_share_what_is_the_same_object() -> None:
    inner = f.Until(P, Q)
    rows = table_of(f.And((inner, f.Not(inner))))
    assert [name for name, _ in rows].count("until") == 1


def test_path_quantifiers_have_no_automaton() -> None:
    with pytest.raises(ValueError, match="path quantifiers"):
        automaton_of(f.Not(f.Exists(P)))


def test_names_are_needed_for_all_atoms() -> None:
    with pytest.raises(ValueError, match="no name"):
        automaton_of(f.Until(P, Q)).hoa("", ["p"])


def test_too_large() -> None:
    delayed: f.Formula = P
    for _ in range(20):
        delayed = f.Yesterday(delayed)
    with pytest.raises(_core.TooLargeError, match="has more than 10000 states"):
        automaton_of(f.globally(f.Or((Q, delayed))))
    with pytest.raises(_core.TooLargeError, match="more than 128 atoms"):
        automaton_of(f.Atom(_core.MAX_ATOMS))


@pytest.mark.parametrize(
    "rows", [[], [("not", (0,))], [("no", ())], [("not", ())], [("atom", (0,)), ("and", (5,))]]
)
def test_malformed_tables(rows: list[tuple[str, tuple[int, ...]]]) -> None:
    with pytest.raises(ValueError):
        _core.automaton(rows)
