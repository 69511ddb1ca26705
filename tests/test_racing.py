"""A run without reduction beside the search for symmetries: whichever is sooner, the answer is the same."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside.diagnostics import UsageError

EXAMPLES = Path(__file__).parents[1] / "examples"
MODELS = ["nets/mutex.lola", "murphi/german.m", "b/Scheduler1.ref", "promela/polling.pml", "hln/lamport.hln"]


@pytest.mark.parametrize("name", MODELS)
def test_whichever_is_sooner(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    full = burnside.check(EXAMPLES / name, reduce="none", keep_going=True)
    monkeypatch.setenv("BURNSIDE_PATIENCE", "0")
    raced = burnside.check(EXAMPLES / name, keep_going=True)
    assert raced.full_states == full.full_states
    assert [(each.name, each.verdict) for each in raced.properties] == [
        (each.name, each.verdict) for each in full.properties
    ]
    assert raced.reduction.name != "none" or "symmetr" in raced.reduction.reason


def test_a_number_of_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BURNSIDE_PATIENCE", "soon")
    with pytest.raises(UsageError, match=r"BURNSIDE_PATIENCE.*expected a number of seconds"):
        burnside.check(EXAMPLES / MODELS[0])
