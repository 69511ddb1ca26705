"""Quantified formulas: one tuple of each orbit is checked, and every tuple has the verdict that it has by itself."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from burnside.cli import main
from burnside.kinds import kind_of
from burnside.model import Model
from burnside.outcome import PropertyResult
from burnside.pipeline import check
from burnside.reference.temporal import check_property
from burnside.request import AskedFormula, Logic, Request

from tests.temporal.models import (
    DEFERRED,
    ENUMERATED,
    WITH_CONSTANT,
    atoms_of,
    b_model,
    murphi_model,
    read,
    sem,
)

EXAMPLES = Path(__file__).parents[2] / "examples"

RANGE = """type T: 0..2; var x: T; y: 0..5;
ruleset i: T do startstate x := {start}; y := 0; end; end;
ruleset i: T do rule "set" true ==> x := i; y := {y}; end; end;"""
"""Numbers that are used like names, if `start` and `y` allow it."""
LEADER = """type P: scalarset(3); var up: array[P] of boolean; first: P;
startstate "s" for p: P do up[p] := false; end; for p: P do if isundefined(first) then first := p; end; end; end;
ruleset p: P do rule "up" !up[p] & p != first ==> up[p] := true; end; end;
ruleset p: P do rule "down" up[p] ==> up[p] := false; end; end;"""
"""The start states are no whole orbit: `first` is one element, and stays it."""


def checked(model: Model, text: str, logic: Logic = "ltl", reduce: str = "auto") -> PropertyResult:
    asked = Request(reduce=reduce, formulas=(AskedFormula(logic, text),), deadlock=False)
    return check(model, asked).properties[-1]


def by_reference(model: Model, text: str, logic: Logic = "ltl") -> dict[tuple[str, ...], str]:
    """Each tuple by itself, unreduced."""
    asked, atoms = read(model, text, logic), atoms_of(model)
    semantics = kind_of(model.subject).semantics_of(model.subject)
    found = {}
    for values in product(*(each.values for each in asked.binders)):
        holds = check_property(semantics, atoms.instantiated(asked, values)).holds
        names = tuple(each.show(value) for each, value in zip(asked.binders, values, strict=True))
        found[names] = "holds" if holds else "violated"
    return found


NO_STARVATION = "G (phase[p] = Waiting -> F phase[p] = Critical)"
NO_STARVATION_B = "G ({p : w} => F {p : c})"
CASES = [
    # the model, the formula, orbits of tuples
    (sem(), f"forall p: PROCESS . {NO_STARVATION}", 1),
    (sem(), "forall p: PROCESS . G F (phase[p] = Idle | free)", 1),
    (sem(), "forall p, q: PROCESS . G !{phase[p] = Critical & phase[q] = Critical}", 2),
    (sem(), "forall p, q, r: PROCESS . F {phase[p] = phase[q] & phase[q] = phase[r]}", 5),
    (sem(), f"forall p: PROCESS . SF(enter(p)) & WF(leave) => {NO_STARVATION}", 1),
    (sem(), f"forall p: PROCESS . WF(enter(p)) & WF(leave) => {NO_STARVATION}", 1),
    (sem(), "forall p: PROCESS . G ([want(p)] -> F [enter(p)])", 1),
    (sem(), "forall p: PROCESS . G ([enter(p)] -> X ![want(PROCESS_0)])", 2),
    (sem(), "forall p, q: PROCESS . G ([enter(p)] -> X !e(leave(q)))", 2),
    (sem(), "forall p: PROCESS . forall q: PHASE . G (phase[p] = q -> F phase[p] != q)", 3),
    (b_model(DEFERRED), f"!p.(p : PID => {NO_STARVATION_B})", 1),
    (b_model(WITH_CONSTANT), f"!p.(p : PID => G ({{me = p}} => {NO_STARVATION_B}))", 1),
    (b_model(ENUMERATED), f"!p.(p : PID => {NO_STARVATION_B})", 1),
    (b_model(ENUMERATED), "!p.(p : PID => G (([enter(p)] => X e(leave(p))) & ({p1 : c} => not {p : c})))", 2),
    (b_model(ENUMERATED), "!(p,q).(p : PID & q : {p1, p2} => G not {p : c & q : c})", 2),
    (murphi_model(RANGE.format(start=0, y=0)), "forall p: T . F x = p", 2),
    (murphi_model(RANGE.format(start="i", y=0)), "forall p: T . G F x = p", 1),
    (murphi_model(RANGE.format(start="i", y=0)), "forall p: T . G (x = p -> X x != p)", 1),
    (murphi_model(RANGE.format(start="i", y=0)), "forall p: T . G ([set(p)] -> X x = p)", 1),
    (murphi_model(RANGE.format(start="i", y=0)), "forall p: T . (G F x = p) | {p = 1}", 3),
    (murphi_model(RANGE.format(start="i", y="i + 1")), "forall p: T . G (x = p -> F y = p)", 3),
    (murphi_model(LEADER), "forall p: P . G F up[p]", 3),
    (murphi_model(LEADER), "forall p: P . F {first = p}", 3),
]


@pytest.mark.parametrize(
    ("model", "text", "orbits"), CASES, ids=lambda each: each if isinstance(each, str) else ""
)
def test_one_of_each_orbit_is_checked(model: Model, text: str, orbits: int) -> None:
    found = checked(model, text)
    assert sum(each.follows_from is None for each in found.instances) == orbits
    verdicts = {tuple(each.values.values()): each.verdict for each in found.instances}
    assert verdicts == by_reference(model, text)
    assert found.verdict == ("violated" if "violated" in verdicts.values() else "holds")
    assert (found.trace is None) == (found.verdict == "holds")


@pytest.mark.parametrize(("model", "text"), [(model, text) for model, text, _ in CASES[:3]])
def test_without_symmetries_every_tuple_is_checked(model: Model, text: str) -> None:
    found = checked(model, text, reduce="none")
    assert all(each.follows_from is None for each in found.instances)
    assert {tuple(each.values.values()): each.verdict for each in found.instances} == by_reference(
        model, text
    )


def test_what_follows_says_from_what() -> None:
    found = checked(sem(), "forall p, q: PROCESS . G !{phase[p] = Critical & phase[q] = Critical}")
    for each in found.instances:
        if each.follows_from is not None:
            assert (each.values["p"] == each.values["q"]) == (
                each.follows_from["p"] == each.follows_from["q"]
            )


def test_branching_formulas() -> None:
    text = "forall p: PROCESS . AG EF phase[p] = Critical"
    found = checked(sem(), text, "ctl")
    assert (found.verdict, found.kind, len(found.instances)) == ("holds", "ctl", 3)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    path, text = str(EXAMPLES / "murphi" / "sem.m"), f"forall p: PROCESS . {NO_STARVATION}"
    assert main(["check", path, "--size", "N=3", "--ltl", text]) == 1
    shown = capsys.readouterr().out
    assert "checked for p = PROCESS_0: violated; p = PROCESS_1, PROCESS_2 follow by symmetry\n" in shown
    assert main(["check", path, "--size", "N=3", "--ltl", text, "--json"]) == 1
    (*_, found) = json.loads(capsys.readouterr().out)["properties"]
    assert found["name"] == text
    assert found["instances"] == [
        {"values": {"p": "PROCESS_0"}, "verdict": "violated", "follows_from": None},
        {"values": {"p": "PROCESS_1"}, "verdict": "violated", "follows_from": {"p": "PROCESS_0"}},
        {"values": {"p": "PROCESS_2"}, "verdict": "violated", "follows_from": {"p": "PROCESS_0"}},
    ]
    assert found["message"].startswith("for p = PROCESS_0")


def test_the_instances_of_many_processes_are_few(capsys: pytest.CaptureFixture[str]) -> None:
    """16 processes, 589,824 states: one instance, under the symmetries of the others."""
    path = str(EXAMPLES / "murphi" / "sem.m")
    assert main(["check", path, "--ltl", f"forall p: PROCESS . {NO_STARVATION}", "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    (run,) = record["formula_runs"]
    assert run["reduction"]["group_order"] == 1307674368000
    assert run["states"] < 100


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "forall p: 0..99999 . forall q: 0..9 . G {p = p}",
            "--ltl:1:1: error: the quantified names have 1,000,000 tuples",
        ),
        ("forall p: NOWHERE . G free", "--ltl:1:11: error: "),
        ("forall p: PROCESS . G phase[q] = Idle", "--ltl:1:29: error: there is no 'q' here"),
    ],
)
def test_refusals(text: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES / "murphi" / "sem.m"), "--ltl", text]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err and "^" in err


def test_a_set_without_bounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.mch"
    path.write_text(DEFERRED)
    assert main(["check", str(path), "--ltl", "!n.(n : NATURAL => G {card(w) < n})"]) == 2
    assert "this set is not bounded" in capsys.readouterr().err
