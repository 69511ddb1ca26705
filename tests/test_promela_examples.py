"""One model file, one test: what the header comment of a Promela example expects, every method must deliver.

The counts in the headers are Spin's (`figures/test_promela_spin.py`); how a header is read is told in `promela_headers.py`.
Skipped as long as no language reads `.pml`. Symmetries are given more time than a user would wait, on whatever machine.
"""

from __future__ import annotations

from typing import Any

import burnside
import pytest
from burnside import limits
from burnside.languages import BY_EXTENSION
from burnside.outcome import Outcome
from burnside.pipeline import read

from tests.promela_headers import CLAIMED, EXPECTED, TOO_LONG, Claim, Expectation, parameters

pytestmark = pytest.mark.skipif(".pml" not in BY_EXTENSION, reason="no language reads .pml")

CANONICAL = ("search", "minimise", "compare", "flood", "nauty")
MAY_BE_REFUSED = {"nauty", "minimise"}
"""nauty: where a group is not that of a graph on its points; minimise: where it is too large to be listed."""
METHODS = ("auto", "none", "search", "compare")

COUNTED = [each for each in EXPECTED if each.number("states") <= TOO_LONG]
REDUCED = [each for each in EXPECTED if "orbits" in each.values]
GROUPED = [each for each in EXPECTED if "group" in each.values]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SEARCH_SECONDS", 120.0)


def run(each: Expectation, **options: Any) -> Outcome:
    outcome = burnside.check(read(each.path, None, dict(each.sizes)), keep_going=True, **options)
    assert outcome.stopped == "exhausted"
    return outcome


def is_violated(outcome: Outcome) -> bool:
    """Formulas and claims apart: a header tells their verdicts one by one."""
    return any(each.verdict == "violated" for each in outcome.properties if each.kind not in ("ltl", "never"))


@pytest.mark.parametrize("each", parameters(COUNTED))
def test_unreduced(each: Expectation) -> None:
    outcome = run(each, reduce="none")
    found = {"states": outcome.states, "transitions": outcome.transitions, "deadlocks": outcome.deadlocks}
    assert found == {key: each.number(key) for key in found}
    assert outcome.full_states == outcome.states
    assert is_violated(outcome) == (each.verdict == "violated")


@pytest.mark.parametrize("method", CANONICAL)
@pytest.mark.parametrize("each", parameters(REDUCED))
def test_canonical(each: Expectation, method: str) -> None:
    if method == "flood" and each.number("states") > TOO_LONG:
        pytest.skip("flood stores all states")
    try:
        outcome = run(each, reduce=method)
    except burnside.RefusedError:
        if method not in MAY_BE_REFUSED:
            raise
        pytest.skip(f"{method} refuses this group")
    assert outcome.full_states == each.number("states")
    assert outcome.states == each.number("orbits")
    assert is_violated(outcome) == (each.verdict == "violated")


@pytest.mark.parametrize("each", [pytest.param(each, id=str(each)) for each in GROUPED])
def test_group(each: Expectation) -> None:
    found = burnside.symmetries(read(each.path, None, dict(each.sizes)))
    assert found.order == each.number("group")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("each", CLAIMED, ids=str)
def test_claims(each: Claim, method: str) -> None:
    fairness: Any = {"fair": "weak"} if each.is_fair else {}
    asked: Any = {"ltl": each.name} if each.kind in ("ltl", "never") else {"cycles": each.kind}
    model = read(each.path, None, dict(each.sizes))
    outcome = burnside.check(model, reduce=method, deadlock=False, **asked, **fairness)
    kind = each.kind if each.kind in ("ltl", "never") else "cycles"
    [found] = [found for found in outcome.properties if found.kind == kind]
    assert found.verdict == each.verdict
    assert (found.trace is not None) == (found.verdict == "violated")
