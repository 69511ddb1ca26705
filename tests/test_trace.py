"""Replay: a true trace passes, every false one is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from burnside.exploration import ClaimedTrace
from burnside.net import Net
from burnside.outcome import Trace
from burnside.replay import ReplayError, replay
from burnside.semantics import FIRST_PROPERTY

from tests.exploring import net_semantics

NET = Net("line", ("a", "b", "c"), (1, 0, 0), ("ab", "bc"), (((0, 1),), ((1, 1),)), (((1, 1),), ((2, 1),)))
TRUE = ((None, (1, 0, 0)), (0, (0, 1, 0)), (1, (0, 0, 1)))


def replayed(steps: Sequence[tuple[int | None, tuple[int, ...]]]) -> Trace:
    semantics = net_semantics(NET, goals=[lambda marking: marking[2] == 1])
    return replay(semantics, ClaimedTrace(steps), FIRST_PROPERTY)


def test_a_true_trace_comes_back_in_the_users_names() -> None:
    trace = replayed(TRUE)
    assert trace.actions == ("ab", "bc")
    assert len(trace) == 2
    assert trace.steps[0].action is None
    assert dict(trace.steps[2].state) == {"a": "0", "b": "0", "c": "1"}
    assert repr(trace) == "Trace(initial -> ab -> bc)"


@pytest.mark.parametrize(
    ("steps", "complaint"),
    [
        ((), "no states"),
        (((None, (0, 1, 0)),), "its start does not lead to the claimed state in step 0"),
        (((0, (1, 0, 0)),), "its start is not enabled in step 0"),
        (((None, (1, 0, 0)), (1, (0, 0, 1))), "bc is not enabled in step 1"),
        (((None, (1, 0, 0)), (0, (0, 0, 1))), "ab does not lead to the claimed state in step 1"),
        (((None, (1, 0, 0)), (None, (1, 0, 0))), "transition None is not enabled in step 1"),
        (((None, (1, 0, 0)), (7, (1, 0, 0))), "transition 7 is not enabled in step 1"),
        (TRUE[:2], "does not violate"),
    ],
)
def test_a_false_trace_is_an_internal_error(steps: Any, complaint: str) -> None:
    with pytest.raises(ReplayError, match=complaint) as caught:
        replayed(steps)
    assert "please report" in str(caught.value)
