"""Formulas on words: examples by hand, and the laws that define the operators."""

from __future__ import annotations

import pytest
from burnside.reference.words import Word, holds
from burnside.temporal import formulas as f
from burnside.temporal.syntax import OpaqueAtoms, parse_formula
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.temporal.strategies import formulas, infinite_words, words

P, Q, R = (frozenset(each) for each in ({0}, {1}, {2}))
NONE: frozenset[int] = frozenset()


def says(text: str, word: Word) -> bool:
    atoms = OpaqueAtoms()
    atoms.texts += ["p", "q", "r"]
    return holds(parse_formula(text, atoms, source="--ltl", dialect="standard"), word)


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("p U q", Word((P, P, Q)), True),
        ("p U q", Word((P, NONE, Q)), False),
        ("p U q", Word((), (P,)), False),
        ("p W q", Word((), (P,)), True),
        ("q R p", Word((P, P)), True),
        ("G F p", Word((NONE,), (NONE, P)), True),
        ("F G p", Word((NONE,), (NONE, P)), False),
        ("G F p", Word((NONE, P)), True),
        ("G F p", Word((P, NONE)), False),
        # At the end of a finite word there is no next position,
        ("X X true", Word((P, P)), False),
        ("F !X true", Word((P, P)), True),
        # but there is one where the last letter is repeated.
        ("X X p", Word((P, P)).stuttering(), True),
        ("F !X true", Word((P, P)).stuttering(), False),
        ("Y true", Word((P,)), False),
        ("X Y p", Word((P, Q)), True),
        ("F(r & Y Y p)", Word((P, Q), (R,)), True),
        ("F(r & Y Y Y p)", Word((P, Q), (R,)), True),
        ("F(r & Y(r & Y Y p))", Word((P, Q), (R,)), True),
        ("F G O p", Word((P,), (NONE,)), True),
        # Only in the second turn of the loop.
        ("F(p & O r)", Word((), (P, Q, R)), True),
        ("F(p & O(q & O(p & O r)))", Word((), (P, Q, R)), True),
        ("G(q -> (!r S p))", Word((P,), (Q, R)), False),
        ("G(q -> (r T p))", Word((P,), (P, P | Q)), True),
        ("H p", Word((P,)), True),
    ],
)
def test_examples(text: str, word: Word, expected: bool) -> None:
    assert says(text, word) is expected


@settings(deadline=None)
@given(formulas(2, branching=False, size=4), formulas(2, branching=False, size=4), words(2))
def test_expansion_laws(p: f.Formula, q: f.Formula, word: Word) -> None:
    has_next, has_yesterday = f.Next(f.TRUE), f.Yesterday(f.TRUE)
    laws = [
        (f.Until(p, q), f.Or((q, f.And((p, f.Next(f.Until(p, q))))))),
        (f.Release(p, q), f.And((q, f.Or((p, f.Not(has_next), f.Next(f.Release(p, q))))))),
        (f.Since(p, q), f.Or((q, f.And((p, f.Yesterday(f.Since(p, q))))))),
        (f.Trigger(p, q), f.And((q, f.Or((p, f.Not(has_yesterday), f.Yesterday(f.Trigger(p, q))))))),
        (f.And((has_next, f.Next(f.Yesterday(p)))), f.And((has_next, p))),
        (f.Next(f.Not(p)), f.And((has_next, f.Not(f.Next(p))))),
    ]
    for left, right in laws:
        # Everywhere, not only at the first position.
        assert holds(f.globally(f.equivalent(left, right)), word)


@given(formulas(2, branching=False, size=6), infinite_words(2), st.integers(1, 3))
def test_a_word_is_what_it_spells(formula: f.Formula, word: Word, turns: int) -> None:
    assert holds(formula, word) == holds(
        formula, Word(word.prefix + word.loop[:1], word.loop[1:] + word.loop[:1])
    )
    assert holds(formula, word) == holds(formula, Word(word.prefix, word.loop * turns))


def test_path_quantifiers_are_refused() -> None:
    with pytest.raises(ValueError, match="path formula"):
        holds(f.Exists(f.Atom(0)), Word((P,)))
