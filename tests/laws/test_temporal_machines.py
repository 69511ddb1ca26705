"""Temporal formulas over random machines: the core, reduced by every method, against the definitions."""

from __future__ import annotations

import pytest
from burnside.model import Model
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.laws.test_temporal_nets import Record
from tests.machine_engines import compared
from tests.temporal.laws import APPROXIMATE, METHODS, Tally, check_law
from tests.temporal.machine_atoms import conditions, ending, patterns, positions
from tests.temporal.properties import random_properties
from tests.temporal.typed_models import lively_machines

pytestmark = pytest.mark.slow
"""A minute each: every method, end of runs and kind of fairness against the definitions."""


def test_the_core_answers_what_the_definitions_say(record_property: Record) -> None:
    tally = Tally()

    @settings(max_examples=100)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        machine = data.draw(lively_machines())
        if data.draw(st.booleans()):
            machine = data.draw(ending(machine))
        properties = data.draw(random_properties(conditions(machine), patterns(machine), positions(machine)))
        names = st.sampled_from((*METHODS, APPROXIMATE))
        methods = data.draw(st.lists(names, min_size=2, max_size=3, unique=True))
        with compared():
            check_law(Model(machine, "random", "b"), properties, methods, tally)

    law()
    record_property("random formulas over machines", tally.numbers())
    tally.check_variety()
