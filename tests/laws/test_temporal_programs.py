"""Temporal formulas over random programs: the core, reduced by every method, against the definitions."""

from __future__ import annotations

import pytest
from burnside.model import Model
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.test_temporal_nets import Record
from tests.temporal.laws import METHODS, Tally, check_law
from tests.temporal.program_atoms import conditions, ending, patterns, positions
from tests.temporal.properties import random_properties
from tests.temporal.typed_models import lively_process_programs, lively_programs

pytestmark = pytest.mark.slow
"""A minute each: every method, end of runs and kind of fairness against the definitions."""


def test_the_core_answers_what_the_definitions_say(record_property: Record) -> None:
    tally = Tally()

    @settings(max_examples=100)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        program = data.draw(lively_programs())
        if data.draw(st.booleans()):
            program = data.draw(ending(program))
        properties = data.draw(random_properties(conditions(program), patterns(program), positions(program)))
        methods = data.draw(st.lists(st.sampled_from(METHODS), min_size=2, max_size=3, unique=True))
        check_law(Model(program, "random", "murphi"), properties, methods, tally)

    law()
    record_property("random formulas over programs", tally.numbers())
    tally.check_variety()


def test_formulas_see_only_the_states_between_sequences_of_steps(record_property: Record) -> None:
    tally = Tally()

    @settings(max_examples=60)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        program = data.draw(lively_process_programs())
        properties = data.draw(random_properties(conditions(program), patterns(program), positions(program)))
        methods = data.draw(st.lists(st.sampled_from(METHODS), min_size=2, max_size=3, unique=True))
        check_law(Model(program, "random", "murphi"), properties, methods, tally)

    law()
    record_property("random formulas over programs with processes", tally.numbers())
    assert min(tally.holds, tally.violated, tally.reduced_holds, tally.reduced_violated) >= 10
