"""The negative case that the thesis asks for (Junttila 2003, 2.3): a property of one process on the quotient of all.

On the quotient of mutex, "process 1 is critical while process 2 tries" stands for "some process is critical
while another tries", and the other way round: judged on representatives it would be found or missed by accident.
"""

from __future__ import annotations

import burnside
import pytest
from burnside import _core
from burnside.languages.net_expressions import parse_expression

from tests.core import family, prepare

MUTEX = prepare(family("mutex 3"))
ONE_SIDED = [f"critical_{i} = 1 and trying_{j} = 1" for i in (1, 2, 3) for j in (1, 2, 3) if i != j]


def test_the_naive_quotient_would_be_wrong() -> None:
    """No choice of representatives satisfies all six goals, though each is reachable."""
    graph = _core.state_graph(MUTEX.handle, MUTEX.group, _core.Method("search"), 1000)
    naive = {goal: _holds_somewhere(goal, graph.states) for goal in ONE_SIDED}
    assert not all(naive.values())
    for goal in ONE_SIDED:
        assert burnside.check(MUTEX.net, goals=[goal], reduce="none").verdict == "violated"


@pytest.mark.parametrize("goal", ONE_SIDED)
@pytest.mark.parametrize("method", ["search", "nauty", "minimise", "compare", "flood", "representative"])
def test_it_is_judged_under_the_subgroup_that_keeps_it(goal: str, method: str) -> None:
    outcome = burnside.check(MUTEX.net, goals=[goal], reduce=method)
    assert outcome.verdict == "violated"
    assert outcome.reduction.restricted_by == (goal,)
    assert outcome.reduction.group_order == 1


def test_the_core_refuses_a_property_that_the_group_changes() -> None:
    goal = parse_expression(ONE_SIDED[0], MUTEX.net, "--find")
    with pytest.raises(ValueError, match="does not keep property 0"):
        _core.explore(
            MUTEX.handle.with_properties([*(("goal", e) for e in [goal.core])]),
            MUTEX.group,
            _core.Method("search"),
        )


def test_a_symmetric_property_keeps_the_whole_group() -> None:
    outcome = burnside.check(MUTEX.net, invariants=["critical_1 + critical_2 + critical_3 <= 1"])
    assert (outcome.verdict, outcome.reduction.group_order) == ("holds", 6)
    assert outcome.reduction.restricted_by == ()


def _holds_somewhere(text: str, markings: list[list[int]]) -> bool:
    expression = parse_expression(text, MUTEX.net, "--find")
    return any(expression.evaluate(marking) for marking in markings)
