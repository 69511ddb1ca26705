"""Expressions and predicates of Z mean what the reference manual says: what they are lowered to has, in both engines, the
value that brute force finds, and is well formed.

Where something is undefined, this is compared. An expression is undefined by brute force if and only if it is for engines.
Engines need not look at all valuations of bound names (`ir.sets.expressions`), so where something was undefined for one of
these, one of the three may find a value where another finds none; two values are equal all the same. Sets that brute force
or an engine would have to list, and cannot, are left alone; two engines agree then too.

In these cases the connectives decide which parts matter: an equation of two bindings that are written component by
component; `\\disjoint` of sets that are written one by one; `\\partition`, whose sets are disjoint, and more.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.z_asking import answers, questions, specification
from tests.z_engines import loaded
from tests.z_texts import VARIABLES, Maker

laws = settings(max_examples=40, deadline=None)


def holds_for(maker: Maker, depth: int) -> None:
    asked = questions(maker, depth)
    values = {name: maker.value(own) for name, own in VARIABLES.items()}
    found = loaded(specification(asked))
    for each in asked:
        answer = answers(found, each, values)
        assert answer.agree(), (
            each.text,
            answer,
            {name: own for name, own in values.items() if name in each.text},
        )


def maker(draw: st.DrawFn, **options: bool) -> Maker:
    return Maker(lambda low, high: draw(st.integers(low, high)), **options)


@laws
@given(st.data())
def test_expressions_mean_what_the_manual_says(data: st.DataObject) -> None:
    holds_for(maker(data.draw), 2)


@laws
@given(st.data())
def test_operators_are_undefined_outside_of_their_domains(data: st.DataObject) -> None:
    """Functions on sequences and bags, given what is none; relations do not hold there."""
    holds_for(maker(data.draw, is_proper=False), 1)


@laws
@given(st.data())
def test_what_is_defined_everywhere_has_a_value(data: st.DataObject) -> None:
    drawn = maker(data.draw, is_total=True)
    asked = questions(drawn, 2)
    values = {name: drawn.value(own) for name, own in VARIABLES.items()}
    found = loaded(specification(asked))
    for each in asked:
        answer = answers(found, each, values)
        assert answer.agree() and answer.brute != "undefined", (each.text, answer)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_large_expressions_mean_what_the_manual_says(seed: int, is_proper: bool) -> None:
    holds_for(Maker(Random(seed).randint, is_proper=is_proper), 3)
