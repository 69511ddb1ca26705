"""Formulas over Murphi models whose processes are numbers. A range that is used like names becomes a sort, so that numbers
in the arguments of an action have to become elements with it, in what the core sees and in what is replayed."""

from __future__ import annotations

import pytest
from burnside.outcome import Outcome
from burnside.pipeline import check
from burnside.request import AskedFormula, Request

from tests.temporal.models import EXAMPLES, murphi_model

SEM = (EXAMPLES / "murphi" / "sem.m").read_text().replace("scalarset(N)", "{low} .. N + {low} - 1")
RING = """const N: 3; type NODE: {low} .. N + {low} - 1; var token: NODE; wants: array[NODE] of boolean;
ruleset n: NODE do startstate for m: NODE do wants[m] := false; end; token := n; end; end;
ruleset n: NODE do
  rule "ask" !wants[n] ==> wants[n] := true; end;
  rule "pass" token = n ==> wants[n] := false; token := (n - {low} + 1) % N + {low}; end;
end;"""

SEM_FORMULAS = [
    ("G([want(2)] -> F [enter(2)])", "violated", "violated", "holds"),
    ("G(e(enter(1)) -> F [enter(1)])", "violated", "violated", "holds"),
    ("G F phase[3] = Waiting", "violated", "holds", "holds"),
    ("forall p: PROCESS . G([want(p)] -> F [enter(p)])", "violated", "violated", "holds"),
    ("forall p: 1..2 . G([want(p)] -> F [enter(p)])", "violated", "violated", "holds"),
    ("forall p: PROCESS . G F (phase[p] = Critical | [leave(p)])", "violated", "violated", "holds"),
    ("SF(enter(2)) & WF(leave) => G([want(2)] -> F [enter(2)])", "holds", "holds", "holds"),
    ("SF(enter(1)) & WF(leave) => G([want(2)] -> F [enter(2)])", "violated", "violated", "holds"),
    ("forall p: PROCESS . SF(enter(p)) => G([want(p)] -> F [enter(p)])", "holds", "holds", "holds"),
]
"""With the verdicts on all runs, on weakly and on strongly fair ones."""

RING_FORMULAS = [
    ("G([ask(1)] -> F [pass(1)])", "holds"),
    ("G([pass(1)] -> X [pass(2)])", "violated"),
    ("G([pass(1)] -> X (![pass(1)] W [pass(2)]))", "holds"),
    ("G([pass(2)] -> X (![pass(1)] W [pass(2)]))", "violated"),
    ("forall n: NODE . G F [pass(n)]", "holds"),
    ("forall n: NODE . G F [ask(n)]", "violated"),
    ("forall n: NODE . F G token = n", "violated"),
    ("forall n: NODE . G (token = n & wants[n] -> X (wants[n] W token != n))", "holds"),
    ("G (token = 1 -> X (token = 1 | token = 2))", "holds"),
    ("G (token = 2 -> X (token = 1 | token = 2))", "violated"),
    ("forall m: NODE . forall n: NODE . G ([pass(m)] -> F (token = n & [pass(n)]))", "holds"),
]


def asked(text: str, low: int, formulas: list[str], fair: str | None, reduce: str = "auto") -> Outcome:
    request = Request(
        formulas=tuple(AskedFormula("ltl", each) for each in formulas),
        fair=fair,
        reduce=reduce,
        deadlock=False,
    )
    model = murphi_model(text.replace("{low}", str(low)).replace("N: 16", "N: 3"))
    return check(model, request)


@pytest.mark.parametrize("reduce", ["auto", "none", "nauty", "flood", "representative"])
@pytest.mark.parametrize(("fair", "column"), [(None, 1), ("weak", 2), ("strong", 3)])
def test_processes_are_numbers(fair: str | None, column: int, reduce: str) -> None:
    found = asked(SEM, 1, [each[0] for each in SEM_FORMULAS], fair, reduce)
    wanted = [(each[0], each[column]) for each in SEM_FORMULAS]
    assert [(each.name, each.verdict) for each in found.properties[-len(wanted) :]] == wanted


@pytest.mark.parametrize("low", [0, 1, 5])
def test_conditions_are_replayed_as_they_were_checked(low: int) -> None:
    """Wherever the range begins."""
    formulas = [f"F phase[{low}] = Critical", "forall p: PROCESS . F G phase[p] = Critical"]
    found = asked(SEM, low, formulas, None)
    assert [each.verdict for each in found.properties[-2:]] == ["violated", "violated"]
    traces = [each.trace for each in found.properties[-2:]]
    assert all(trace is not None and trace.loop_start is not None for trace in traces)


@pytest.mark.parametrize("low", [0, 1, 5])
def test_the_stabiliser_of_a_number_is_left(low: int) -> None:
    """As of an element of a scalarset."""
    formula = f"G([want({low + 1})] -> F [enter({low + 1})])"
    found = asked(SEM, low, [formula], None)
    (run,) = found.formula_runs
    assert found.verdict == "violated"
    assert (run.reduction.group_order, run.reduction.restricted_by) == (
        2,
        (f"[want({low + 1})]", f"[enter({low + 1})]"),
    )


@pytest.mark.parametrize("reduce", ["auto", "none"])
def test_numbers_in_a_ring(reduce: str) -> None:
    found = asked(RING, 1, [each for each, _ in RING_FORMULAS], None, reduce)
    assert [(each.name, each.verdict) for each in found.properties[-len(RING_FORMULAS) :]] == RING_FORMULAS


# Elements of scalarsets go by the names that traces show, in conditions as in arguments.


@pytest.mark.parametrize("reduce", ["auto", "none"])
def test_elements_by_name(reduce: str) -> None:
    formulas = [
        ("G (phase[PROCESS_1] = Waiting -> F phase[PROCESS_1] = Critical)", "holds"),
        ("G (phase[PROCESS_1] = Waiting -> phase[PROCESS_2] != Critical)", "violated"),
        ("G {exists p: PROCESS do p != PROCESS_0 & phase[p] = Idle end}", "violated"),
    ]
    model = murphi_model(SEM.replace("{low} .. N + {low} - 1", "scalarset(N)").replace("N: 16", "N: 3"))
    asked = tuple(AskedFormula("ltl", each) for each, _ in formulas)
    found = check(model, Request(formulas=asked, fair="strong", reduce=reduce, deadlock=False))
    assert [(each.name, each.verdict) for each in found.properties[-3:]] == formulas
