"""Replay: a true trace passes, every way of lying is caught."""

from __future__ import annotations

import pytest
from burnside.net import Net
from burnside.trace import ClaimedStep, ReplayError, claimed, replay

NET = Net("line", ("a", "b", "c"), (1, 0, 0), ("ab", "bc"), (((0, 1),), ((1, 1),)), (((1, 1),), ((2, 1),)))
TRUE = ((None, [1, 0, 0]), (0, [0, 1, 0]), (1, [0, 0, 1]))


def test_a_true_trace_comes_back_in_the_users_names() -> None:
    trace = replay(NET, claimed(TRUE), lambda marking: marking[2] == 1)
    assert trace.actions == ("ab", "bc")
    assert len(trace) == 2
    assert trace.steps[0].action is None
    assert dict(trace.steps[2].state) == {"a": "0", "b": "0", "c": "1"}
    assert repr(trace) == "Trace(initial -> ab -> bc)"


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ((), "initial"),
        (((None, [0, 1, 0]),), "initial"),
        (((0, [1, 0, 0]),), "initial"),
        (((None, [1, 0, 0]), (1, [0, 0, 1])), "bc is not enabled in step 1"),
        (((None, [1, 0, 0]), (0, [0, 0, 1])), "another marking in step 1"),
        (((None, [1, 0, 0]), (None, [1, 0, 0])), "names no transition"),
        (((None, [1, 0, 0]), (7, [1, 0, 0])), "names no transition"),
        (TRUE[:2], "does not violate"),
    ],
)
def test_a_false_trace_is_an_internal_error(steps: tuple[ClaimedStep, ...], complaint: str) -> None:
    with pytest.raises(ReplayError, match=complaint) as caught:
        replay(NET, claimed(steps), lambda marking: marking[2] == 1)
    assert "please report" in str(caught.value)
