"""Who waits, enters, if runs are fair: verdicts of Spin 6.5.2 (without partial orders) on a semaphore, the filter lock and a
token ring, and the case that other checkers get wrong under symmetry.

Spin's weak fairness is one by process: a process that can always do something does something again and again. That is
`--fair weak --fair-by p` here. Fairness to each action of each process (`--fair weak`) assumes more: an idle process that
may stay idle for ever has to want at last, and one that may hold the token has to pass it on. Where that makes a
difference, `BY_ACTION` says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.request import AskedFormula, Request

from tests.temporal.mutual_exclusion import ALL_IN_TURN, MURPHI, NO_STARVATION, formulas, model

EXAMPLES = Path(__file__).parents[2] / "examples"
LANGUAGES = ("murphi", "b")
METHODS = ("auto", "none", "search", "minimise", "nauty", "compare", "flood", "representative")

H, V = "holds", "violated"
SPIN = {
    "sem": {"each": (V, V), "some": (H, H), "again": (H, H), "each again": (V, V)},
    "sem_idle": {"each": (V, V), "some": (V, H), "again": (V, V), "each again": (V, V)},
    "peterson": {"each": (V, H), "some": (H, H), "again": (H, H), "each again": (V, H)},
    "ring": {"each": (H, H), "some": (H, H), "again": (V, V), "each again": (V, V)},
    "ring_skip": {"each": (V, H), "some": (V, H), "again": (V, V), "each again": (V, V)},
    "ring_hold": {"each": (V, V), "some": (V, V), "again": (V, V), "each again": (V, V)},
}
"""By model and formula: on all runs, and on those that are weakly fair to processes. Mutual exclusion holds in all."""

BY_ACTION = {
    "sem_idle": {"again": H},
    "ring": {"again": H, "each again": H},
    "ring_skip": {"again": H, "each again": H},
    "ring_hold": {"each": H, "some": H, "again": H, "each again": H},
}
"""What weak fairness to each action of each process makes of formulas that weak fairness to processes leaves violated."""

STATES = {"sem": 20, "sem_idle": 20, "peterson": 894, "ring": 36, "ring_skip": 36, "ring_hold": 36}


def asked(language: str, name: str, texts: list[str], **options: Any) -> Outcome:
    request = Request(formulas=tuple(AskedFormula("ltl", each) for each in texts), deadlock=False, **options)
    return check(model(language, name), request)


def verdicts(language: str, name: str, **options: Any) -> dict[str, str]:
    texts = formulas(language, name)
    found = asked(language, name, list(texts.values()), **options)
    return dict(zip(texts, [each.verdict for each in found.properties[-len(texts) :]], strict=True))


FAIRNESS: dict[str, dict[str, str]] = {
    "none": {},
    "weak by process": {"fair": "weak", "fair_by": "p"},
    "weak by action": {"fair": "weak"},
}


def wanted(name: str, fairness: str) -> dict[str, str]:
    column = 0 if fairness == "none" else 1
    found = {formula: verdict[column] for formula, verdict in SPIN[name].items()}
    return {**found, **(BY_ACTION.get(name, {}) if fairness == "weak by action" else {}), "exclusion": H}


@pytest.mark.parametrize("reduce", ["auto", "none"])
@pytest.mark.parametrize("fairness", FAIRNESS)
@pytest.mark.parametrize("name", SPIN)
@pytest.mark.parametrize("language", LANGUAGES)
def test_as_spin(language: str, name: str, fairness: str, reduce: str) -> None:
    assert verdicts(language, name, reduce=reduce, **FAIRNESS[fairness]) == wanted(name, fairness)


@pytest.mark.parametrize("fairness", FAIRNESS)
@pytest.mark.parametrize("name", [name for name in SPIN if STATES[name] < 100])
@pytest.mark.parametrize("language", LANGUAGES)
def test_as_the_definitions_say(language: str, name: str, fairness: str) -> None:
    assert verdicts(language, name, engine="reference", **FAIRNESS[fairness]) == wanted(name, fairness)


@pytest.mark.parametrize("name", SPIN)
@pytest.mark.parametrize("language", LANGUAGES)
def test_states(language: str, name: str) -> None:
    """Those of Spin's models whose steps are atomic: 20 and 36; B counts states before the initialisation too."""
    setups = 2 if language == "b" and name.startswith("ring") else 0
    factor = 2 if setups else 1
    found = check(model(language, name), Request(deadlock=False))
    assert found.full_states == STATES[name] * factor + setups


# The semaphore


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_strong_fairness_on_entering_and_weak_on_leaving_is_enough(language: str, reduce: str) -> None:
    found = asked(language, "sem", [NO_STARVATION[language]], reduce=reduce)
    assert found.properties[-1].verdict == "holds"
    for weaker in (("SF(enter(_))", "WF(enter(_))"), ("SF(enter(_)) & WF(leave(_)) => ", "")):
        found = asked(language, "sem", [NO_STARVATION[language].replace(*weaker)], reduce=reduce)
        assert found.properties[-1].verdict == "violated"


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_and_under_the_full_group(language: str, reduce: str) -> None:
    """Of two equivalent processes that act in turn, the quotient alone does not show which one did."""
    found = asked(language, "sem_rounds", [ALL_IN_TURN[language]], reduce=reduce)
    assert found.properties[-1].verdict == "holds"
    if reduce != "none":
        assert [run.reduction.group_order for run in found.formula_runs] == [6]
    weaker = ALL_IN_TURN[language].replace("SF(", "WF(")
    assert asked(language, "sem_rounds", [weaker], reduce=reduce).properties[-1].verdict == "violated"


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize(("fair", "verdict"), [(None, "violated"), ("weak", "violated"), ("strong", "holds")])
def test_as_a_net(fair: str | None, verdict: str, reduce: str) -> None:
    options: dict[str, Any] = {} if fair is None else {"fair": fair}
    formula = "G (waiting_1 = 1 -> F critical_1 = 1)"
    found = burnside.check(EXAMPLES / "nets" / "mutex.lola", reduce, ltl=formula, **options)
    assert found.verdict == verdict
    assert found.reduction.group_order == (1 if reduce == "none" else 2)


def test_every_model_has_a_row() -> None:
    assert {*SPIN, "sem_rounds"} == set(MURPHI)
