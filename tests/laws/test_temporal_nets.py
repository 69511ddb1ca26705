"""Temporal formulas over random nets: the core, reduced by every method, against the definitions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from burnside.languages.net_expressions import Expression
from burnside.net import Net
from burnside.temporal.atoms import ActionPattern, Condition, Patterns, Proposition
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.laws.methods import MOST_ELEMENTS, conditions, with_group
from tests.strategies import symmetric_nets
from tests.temporal.laws import METHODS, Tally, check_law
from tests.temporal.models import net_model
from tests.temporal.properties import random_properties, some_of

pytestmark = pytest.mark.slow
"""A minute each: every method, end of runs and kind of fairness against the definitions."""

Record = Callable[[str, object], None]


def condition(expression: Expression) -> Proposition:
    return Condition(expression, expression.text)


def transitions(net: Net) -> st.SearchStrategy[Patterns]:
    """An orbit, which all symmetries keep, or one or two transitions."""
    orbits = st.sampled_from(with_group(net).group.transition_orbits())
    whole = orbits.map(lambda orbit: tuple(map(ActionPattern, sorted(orbit))))
    return whole | whole | some_of(len(net.transitions))


def test_the_core_answers_what_the_definitions_say(record_property: Record) -> None:
    tally = Tally()

    @settings(max_examples=150)
    @given(st.data())
    def law(data: st.DataObject) -> None:
        net = data.draw(symmetric_nets()).net
        assume(with_group(net).group.acting_order <= MOST_ELEMENTS)
        properties = data.draw(random_properties(conditions(net).map(condition), transitions(net)))
        methods = data.draw(st.lists(st.sampled_from(METHODS), min_size=2, max_size=3, unique=True))
        check_law(net_model(net), properties, methods, tally)

    law()
    record_property("random formulas over nets", tally.numbers())
    tally.check_variety()
