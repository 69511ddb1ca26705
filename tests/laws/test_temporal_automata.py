"""A formula, and the automaton of its negation given back edge by edge: over random programs they have the same verdict, by
both engines, reduced and unreduced, under fairness too."""

from __future__ import annotations

import pytest
from burnside.model import Model
from burnside.reference.temporal import check_property
from burnside.temporal import formulas as f
from burnside.temporal.automata import automaton_of
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.test_temporal_nets import Record
from tests.temporal.laws import METHODS, Tally, check_law, property_of, remembering
from tests.temporal.program_atoms import conditions, ending, patterns, positions
from tests.temporal.properties import fairness
from tests.temporal.strategies import formulas
from tests.temporal.test_given_automata import given_back
from tests.temporal.typed_models import lively_programs

pytestmark = pytest.mark.slow
ATOMS = 3


def test_automata_of_negations_have_the_verdicts_of_formulas(record_property: Record) -> None:
    tally = Tally()

    @settings(max_examples=50)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        program = data.draw(lively_programs())
        if data.draw(st.booleans()):
            program = data.draw(ending(program))
        model = Model(program, "random", "murphi")
        known = [data.draw(conditions(program)) for _ in range(ATOMS)]
        fair = data.draw(st.lists(fairness(patterns(program), positions(program)), max_size=1))
        formula = data.draw(formulas(ATOMS, branching=False, size=5))
        negation = f.Not(given_back(automaton_of(f.Not(formula))))
        pair = [property_of(each, known, ends="stutter", fairness=fair) for each in (formula, negation)]
        check_law(model, pair, data.draw(st.lists(st.sampled_from(METHODS), min_size=1, max_size=2)), tally)
        semantics = remembering(model)
        first, second = (check_property(semantics, each).holds for each in pair)
        assert first == second

    law()
    record_property("random automata over programs", tally.numbers())
