"""Temporal formulas over random high-level nets: the core, on both routes, against the definitions."""

from __future__ import annotations

import pytest
from burnside.model import Model
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.highlevel_strategies import nets
from tests.laws.test_temporal_nets import Record
from tests.temporal.highlevel_atoms import conditions, patterns, positions
from tests.temporal.laws import APPROXIMATE, METHODS, Tally, check_law
from tests.temporal.properties import random_properties

pytestmark = pytest.mark.slow
"""A minute each: every method, end of runs and kind of fairness against the definitions."""

EXAMPLES = 100
ROUTES = ({"unfold": False}, {"unfold": True})


def test_the_core_answers_what_the_definitions_say(record_property: Record) -> None:
    tally = Tally()

    @settings(
        max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
    )
    @given(st.data())
    def law(data: st.DataObject) -> None:
        net = data.draw(nets(symmetric=data.draw(st.booleans()), claims=False))
        properties = data.draw(random_properties(conditions(net), patterns(net), positions(net)))
        names = st.sampled_from((*METHODS, APPROXIMATE))
        methods = data.draw(st.lists(names, min_size=1, max_size=2, unique=True))
        check_law(Model(net, "random", "hln"), properties, methods, tally, ROUTES)

    law()
    record_property("random formulas over high-level nets", tally.numbers())
    tally.check_variety()
