"""High-level nets from Python: `burnside.unfold`, and conditions over nets that were built."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.diagnostics import InputError, LimitError, TimeError, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
RAILROAD = EXAMPLES / "hln" / "railroad.hln"


def test_what_is_unfolded_is_a_net_like_any_other() -> None:
    flat = burnside.unfold(RAILROAD)
    assert isinstance(flat, burnside.Net)
    assert (len(flat.places), len(flat.transitions), sum(flat.initial)) == (18, 12, 4)
    whole, reduced = burnside.check(flat, reduce="none"), burnside.check(RAILROAD)
    assert (whole.states, whole.transitions) == (reduced.full_states, 24) == (18, 24)


def test_limits_are_errors() -> None:
    with pytest.raises(LimitError, match="more than 10 transitions"):
        burnside.unfold(RAILROAD, max_transitions=10)
    with pytest.raises(TimeError, match="before the net was unfolded"):
        burnside.unfold(EXAMPLES / "hln" / "lock_server.hln", max_seconds=0.2)


@pytest.mark.parametrize(
    ("model", "reason"),
    [("nets/mutex.lola", "nothing to unfold"), ("murphi/sem.m", "only high-level nets can be unfolded")],
)
def test_other_models_are_refused(model: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        burnside.unfold(EXAMPLES / model)


def test_conditions_over_a_net_that_is_no_file() -> None:
    """The subject alone, as if it had been built."""
    loaded = burnside.load(RAILROAD)
    assert isinstance(loaded, burnside.Model)
    built = loaded.subject
    found = burnside.check(built, goals="U has <a, 2> and size(V) = 2", keep_going=True)
    wanted = burnside.check(RAILROAD, goals="U has <a, 2> and size(V) = 2", keep_going=True)
    assert found.violations[0].trace is not None and wanted.violations[0].trace is not None
    assert found.violations[0].trace.actions == wanted.violations[0].trace.actions
    with pytest.raises(InputError, match="nothing is called 'W' here"):
        burnside.check(built, goals="W has 1")
    assert burnside.check(built, ltl="G F [go(t = a)]").verdict == "holds"


def test_the_net_is_shown_in_a_line() -> None:
    loaded = burnside.load(RAILROAD)
    assert isinstance(loaded, burnside.Model)
    assert repr(loaded.subject) == "HighLevelNet('railroad': 2 places, 1 transitions)"
