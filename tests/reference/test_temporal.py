"""The reference engine of temporal logic: measured facts, the fairness regression, lassos, and CTL by two ways."""

from __future__ import annotations

from typing import Any

import pytest
from burnside.diagnostics import UsageError
from burnside.kinds import kind_of
from burnside.model import Model
from burnside.records import replace
from burnside.reference.temporal import Lasso, TemporalVerdict, check_property, holds_at
from burnside.reference.temporal.runs import Runs
from burnside.request import Logic
from burnside.temporal.formulas import Ends

from tests.temporal import facts
from tests.temporal.models import (
    DEFERRED,
    ENUMERATED,
    WITH_CONSTANT,
    atoms_of,
    b_model,
    murphi_model,
    net_model,
    read,
    sem,
)


def verdict(
    model: Model, text: str, logic: Logic = "ltl", *, ends: Ends = "strong"
) -> TemporalVerdict[Any, Any]:
    found = check_property(
        kind_of(model.subject).semantics_of(model.subject), replace(read(model, text, logic), ends=ends)
    )
    assert (found.lasso is None) == (found.holds is True)
    if found.lasso is not None:
        replay(model, found.lasso)
    return found


def replay(model: Model, lasso: Lasso[Any, Any]) -> None:
    """Every step is one of the model; the run ends in a deadlock, or its loop closes."""
    semantics = kind_of(model.subject).semantics_of(model.subject)
    state = None
    for label, after in lasso.steps:
        assert any(step.label == label and step.after == after for step in semantics.steps_from(state))
        state = after
    if lasso.loop is not None:
        assert lasso.begin <= lasso.loop < len(lasso.steps) - 1
        assert lasso.steps[lasso.loop][1] == state


def cases(table: dict[str, dict[bool, list[str]]]) -> list[tuple[str, str, bool]]:
    return [
        (name, text, holds) for name, by in table.items() for holds, texts in by.items() for text in texts
    ]


@pytest.mark.parametrize(("machine", "text", "holds"), cases(facts.LTL))
def test_ltl_as_prob(machine: str, text: str, holds: bool) -> None:
    assert verdict(b_model(facts.MACHINES[machine]), text).holds is holds


@pytest.mark.parametrize(("machine", "text", "holds"), cases(facts.CTL))
def test_ctl_as_prob(machine: str, text: str, holds: bool) -> None:
    assert verdict(b_model(facts.MACHINES[machine]), text, "ctl").holds is holds


@pytest.mark.parametrize(
    ("machine", "text", "holds", "logic"),
    [
        (name, text, ours, logic)
        for logic, table in (("ltl", facts.DIFFERENT_LTL), ("ctl", facts.DIFFERENT_CTL))
        for name, texts in table.items()
        for text, (_, ours) in texts.items()
    ],
)
def test_where_prob_does_not_follow_the_definitions(
    machine: str, text: str, holds: bool, logic: Logic
) -> None:
    assert verdict(b_model(facts.MACHINES[machine]), text, logic).holds is holds


@pytest.mark.parametrize(
    ("text", "strong", "stutter"),
    [
        ("GF {x=2}", True, True),
        ("F X false", False, False),
        ("F G X {x=2}", False, True),
        ("F (deadlock & not X {x=2})", True, False),
        ("AG EX true", False, True),
        ("AF AX {x=1}", True, True),
        ("EF (deadlock & AX false)", True, False),
        ("EF (deadlock & A[X false])", False, False),
        ("AG AX true", True, True),
        ("AG A[X true]", False, True),
        ("F (deadlock & Y {x=2})", False, True),
        ("G [inc]", False, False),
    ],
)
def test_ends_of_runs(text: str, strong: bool, stutter: bool) -> None:
    """At x = 2 the run ends, or stays for ever."""
    model = b_model(facts.T1)
    assert verdict(model, text, ends="strong").holds is strong
    assert verdict(model, text, ends="stutter").holds is stutter


# The semaphore: what other tools answer wrongly under symmetry


STARVATION = "G ({me:w} => F {me:c})"


@pytest.mark.parametrize(
    ("assumed", "holds"),
    [("", False), ("WEF => ", False), ("SEF => ", True), ("SF(enter(me)) & WF(leave) => ", True),
     ("WF(enter(me)) & WF(leave) => ", False), ("SF(enter(me)) => ", True)],
)  # fmt: skip
def test_starvation_of_one_process(assumed: str, holds: bool) -> None:
    assert verdict(b_model(WITH_CONSTANT), assumed + STARVATION).holds is holds
    named = (assumed + STARVATION).replace("me", "p1")
    assert verdict(b_model(ENUMERATED), named).holds is holds


def test_starvation_of_each_process() -> None:
    """None, where entering is strongly fair for each process, and leaving weakly. (TLC under SYMMETRY finds some.)"""
    for model, text in (
        (b_model(DEFERRED), "!p.(p:PID => (SF(enter(_)) & WF(leave) => G ({p:w} => F {p:c})))"),
        (
            sem(3),
            "forall p: PROCESS . SF(enter(_)) & WF(leave) => G (phase[p] = Waiting -> F phase[p] = Critical)",
        ),
    ):
        semantics, atoms = kind_of(model.subject).semantics_of(model.subject), atoms_of(model)
        found = read(model, text, atoms=atoms)
        (binder,) = found.binders
        instances = [atoms.instantiated(found, (value,)) for value in binder.values]
        assert [check_property(semantics, each).holds for each in instances] == [True] * 3
        with pytest.raises(UsageError, match="for each value"):
            check_property(semantics, found)


def test_weak_fairness_is_not_enough() -> None:
    found = verdict(sem(3), "WF(enter(_)) & WF(leave) => G F [enter(PROCESS_1)]")
    assert found.holds is False
    assert found.lasso is not None and found.lasso.loop is not None


# Lassos


def test_a_lasso_of_a_net() -> None:
    model = net_model()
    found = verdict(model, "G F q = 0 -> F q = 2")
    assert found.lasso is not None
    steps = [(label, state[:2]) for label, state in found.lasso.steps]
    assert (found.lasso.begin, found.lasso.loop) == (0, 0)
    assert steps == [(None, (2, 0)), (0, (1, 1)), (1, (2, 0))]


def test_a_run_that_ends() -> None:
    found = verdict(b_model(facts.T1), "F {x=5}")
    assert found.lasso is not None and found.lasso.loop is None
    assert [label.name for label, _ in found.lasso.steps] == ["INITIALISATION", "inc", "inc"]
    same = verdict(b_model(facts.T1), "F {x=5}", ends="stutter")
    assert same.lasso == found.lasso


def test_runs_begin_after_the_set_up() -> None:
    found = verdict(b_model(facts.T2), "{x=0}")
    assert found.lasso is not None
    assert [label.name for label, _ in found.lasso.steps[:2]] == ["SETUP_CONSTANTS", "INITIALISATION"]
    assert found.lasso.begin == 1


def test_branching_formulas_are_explained_by_a_run_where_one_can() -> None:
    model = b_model(facts.T5)
    found = verdict(model, "AG EF {d=0}", "ctl")
    assert found.lasso is not None
    assert "c" in [label.name for label, _ in found.lasso.steps]
    conjunction = verdict(model, "EF {d=1} & AG {d=0}", "ctl")
    assert conjunction.lasso is not None
    assert conjunction.lasso.steps[-1][0] is not None
    exists = verdict(model, "EF {d=5}", "ctl")
    assert exists.lasso is not None and len(exists.lasso.steps) == 1


# Errors of the model


def test_a_condition_without_a_value() -> None:
    model = b_model(facts.T1)
    found = verdict(model, "G {2 / (2 - x) > 0}")
    assert found.holds is None
    assert found.failure is not None and "zero" in found.failure.message
    assert found.lasso is not None and len(found.lasso.steps) == 3
    undefined = verdict(
        murphi_model("var b: boolean; startstate begin end; rule isundefined(b) ==> b := true; end;"), "F b"
    )
    assert undefined.holds is None


def test_too_many_states() -> None:
    model = sem(3)
    with pytest.raises(UsageError, match="more than 10 states"):
        check_property(
            kind_of(model.subject).semantics_of(model.subject), read(model, "G free"), max_states=10
        )


# Programs


@pytest.mark.parametrize(
    ("text", "logic", "holds"),
    [
        ("G F (e(want) | e(leave))", "ltl", True),
        ("G !deadlock", "ltl", True),
        ("initial & G (sink -> free)", "ltl", True),
        ("F free = false", "ltl", True),
        ("AG EF free", "ctl", True),
        ("A[free W !e(want)]", "ctl", False),
        ("AG (free -> EX !free)", "ctl", False),
        ("A[free U e(leave)]", "ctl", True),
        ("E[free U e(leave)]", "ctl", True),
        ("G (exists p: PROCESS . phase[p] = Critical <-> !free)", "ltl", True),
        ("EX[want(PROCESS_0)] e(enter(PROCESS_0)) & !EX[want(PROCESS_0)] e(enter(PROCESS_1))", "ctl", True),
    ],
)
def test_a_program(text: str, logic: Logic, holds: bool) -> None:
    assert verdict(sem(2), text, logic).holds is holds


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (net_model(), "p > 0 & e(go) & e(go, back) & deadlock & sink & initial"),
        (sem(2), "free & e(enter) & e(enter(PROCESS_1)) & deadlock & sink & initial"),
        (b_model(facts.T6), "{x = 1} & e(go) & e(spin) & deadlock & sink & initial"),
        (b_model(WITH_CONSTANT), "{me : w} & e(enter(me)) & deadlock & sink & initial"),
    ],
    ids=["net", "program", "machine", "constant"],
)
def test_atoms_are_what_the_semantics_says(model: Model, text: str) -> None:
    """The graph knows by its edges what the semantics finds by trying steps."""
    semantics = kind_of(model.subject).semantics_of(model.subject)
    runs = Runs(semantics, "strong")
    for each in read(model, text).propositions:
        truth = runs.truth(each)
        assert isinstance(truth, list)
        assert truth == [semantics.holds(each, runs.states[runs.state_of(at)]) for at in runs.positions]


def test_the_states_of_a_formula() -> None:
    model = b_model(facts.T1)
    runs = Runs(kind_of(model.subject).semantics_of(model.subject), "strong")
    found = read(model, "EX {x=2}", "ctl")
    assert {runs.states[each] for each in holds_at(runs, found.formula, found.propositions)} == {(1,)}
