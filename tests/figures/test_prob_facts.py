"""What ProB 1.8.2 answers to LTL and CTL formulas on small machines, measured: the core, under every reduction.

The machines and formulas are in `tests/temporal/facts.py`; the reference engine is compared with them in
`tests/reference/test_temporal.py`. Under its own symmetry reductions ProB answers differently where a formula names an
element that the machine does not (`NAMING`): there the answer is the one that it gives without.
"""

from __future__ import annotations

from typing import Any

import pytest
from burnside.diagnostics import BurnsideError
from burnside.model import Model
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.request import LOGICS, AskedFormula, Logic, Request

from tests.temporal import facts
from tests.temporal.models import DEFERRED, ENUMERATED, WITH_CONSTANT, b_model

METHODS = ("auto", "none", "search", "minimise", "nauty", "compare", "flood", "representative")
VERDICTS = {True: "holds", False: "violated"}


def asked(model: Model, logic: Logic, texts: list[str], **options: Any) -> Outcome:
    formulas = tuple(AskedFormula(logic, each) for each in texts)
    return check(model, Request(formulas=formulas, deadlock=False, **options))


def verdicts(model: Model, logic: Logic, texts: list[str], **options: Any) -> dict[str, str]:
    found = asked(model, logic, texts, **options).properties[-len(texts) :]
    return dict(zip(texts, [each.verdict for each in found], strict=True))


def wanted(logic: Logic, name: str) -> dict[str, str]:
    agreeing, different = (
        (facts.LTL, facts.DIFFERENT_LTL) if logic == "ltl" else (facts.CTL, facts.DIFFERENT_CTL)
    )
    found = {text: VERDICTS[holds] for holds, texts in agreeing.get(name, {}).items() for text in texts}
    return found | {text: VERDICTS[ours] for text, (_, ours) in different.get(name, {}).items()}


MEASURED = [(name, logic) for name in facts.MACHINES for logic in LOGICS if wanted(logic, name)]


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize(("name", "logic"), MEASURED)
def test_all_at_once(name: str, logic: Logic, reduce: str) -> None:
    expected = wanted(logic, name)
    assert verdicts(b_model(facts.MACHINES[name]), logic, list(expected), reduce=reduce) == expected


@pytest.mark.parametrize(
    ("name", "logic", "text"),
    [(name, logic, text) for name, logic in MEASURED for text in wanted(logic, name)],
)
def test_one_by_one(name: str, logic: Logic, text: str) -> None:
    assert verdicts(b_model(facts.MACHINES[name]), logic, [text]) == {text: wanted(logic, name)[text]}


# A semaphore


SYMMETRIC = {
    "G F {c /= {}}": "holds",
    "G ({w /= {}} => F {c /= {}})": "holds",
    "G {card(c) <= 1}": "holds",
    "G not(deadlock)": "holds",
    "F {card(w) = 3}": "violated",
    "G F {w = {}}": "violated",
    "WEF => G F {w = {}}": "violated",
    "SEF => G F {w = {}}": "violated",
    "G ([enter] => X e(leave))": "holds",
    "G ([leave] => X e(enter))": "violated",
}
"""Kept by all permutations of the processes."""

NAMING = {
    "WITH_CONSTANT": {
        "G({me:w} => F {me:c})": "violated",
        "WEF => G({me:w} => F {me:c})": "violated",
        "SEF => G({me:w} => F {me:c})": "holds",
        "SF(enter(me)) & WF(leave) => G({me:w} => F {me:c})": "holds",
    },
    "ENUMERATED": {
        "G({p1:w} => F {p1:c})": "violated",
        "WEF => G({p1:w} => F {p1:c})": "violated",
        "SEF => G({p1:w} => F {p1:c})": "holds",
        "SF(enter(p1)) & WF(leave) => G({p1:w} => F {p1:c})": "holds",
        "SF(enter(p2)) & WF(leave) => G({p1:w} => F {p1:c})": "violated",
    },
    "DEFERRED": {
        "G({PID1:w} => F {PID1:c})": "violated",
        "SEF => G({PID1:w} => F {PID1:c})": "holds",
        "SF(enter(PID1)) & WF(leave) => G({PID1:w} => F {PID1:c})": "holds",
    },
}
TEXTS = {"WITH_CONSTANT": WITH_CONSTANT, "ENUMERATED": ENUMERATED, "DEFERRED": DEFERRED}


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize("name", TEXTS)
def test_symmetric_formulas(name: str, reduce: str) -> None:
    found = asked(b_model(TEXTS[name]), "ltl", list(SYMMETRIC), reduce=reduce)
    texts = [each.verdict for each in found.properties[-len(SYMMETRIC) :]]
    assert dict(zip(SYMMETRIC, texts, strict=True)) == SYMMETRIC
    if reduce != "none":
        assert {run.reduction.group_order for run in found.formula_runs} == {6}


@pytest.mark.parametrize("reduce", METHODS)
@pytest.mark.parametrize("name", NAMING)
def test_formulas_that_name_a_process(name: str, reduce: str) -> None:
    """ProB under nauty or hash calls the first of them true."""
    assert verdicts(b_model(TEXTS[name]), "ltl", list(NAMING[name]), reduce=reduce) == NAMING[name]


@pytest.mark.parametrize("reduce", METHODS)
def test_a_goal_that_names_a_process(reduce: str) -> None:
    """ProB under nauty or hash does not find it."""
    found = check(
        b_model(WITH_CONSTANT),
        Request(goals=("me /: w & card(w) = 2 & me /: c",), reduce=reduce, deadlock=False),
    )
    assert found.verdict == "violated"


# What is refused, as ProB does, with the place


REFUSED = {
    ("T4", "F [two(1)]"): 4,
    ("T4", "F [req(1,2)]"): 4,
    ("T4", "F [get(1)]"): 4,
    ("T4", "F [nothing]"): 4,
    ("T4", "F [INITIALISATION]"): 4,
    ("T1", "WF(inc) & F {x=2}"): 11,
    ("T1", "not WEF"): 5,
    ("T1", "WEF => WEF"): 8,
    ("T1", "F x=0"): 3,
    ("T1", "G current"): 3,
}


@pytest.mark.parametrize(("name", "text"), REFUSED)
def test_refused(name: str, text: str) -> None:
    with pytest.raises(BurnsideError) as refused:
        verdicts(b_model(facts.MACHINES[name]), "ltl", [text])
    span = refused.value.diagnostic.span
    assert span is not None and (span.line, span.column) == (1, REFUSED[name, text])


ACCEPTED = {
    ("T4", "WEF => GF [req(1+1)]"): "holds",
    ("T4", "WEF => GF [get]"): "holds",
    ("T4", "G deterministic(req)"): "holds",
    ("T4", "G deterministic(req,idle)"): "violated",
    ("T4", "G controller(req,idle)"): "violated",
    ("T4", "G not(deadlock(req,idle))"): "holds",
    ("T5", "WEF & SF(c) => F {d=1}"): "holds",
    ("T1", "F deadlock(inc)"): "holds",
}


@pytest.mark.parametrize(("name", "text"), ACCEPTED)
def test_accepted(name: str, text: str) -> None:
    assert verdicts(b_model(facts.MACHINES[name]), "ltl", [text]) == {text: ACCEPTED[name, text]}
