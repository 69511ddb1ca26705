"""Formulas over high-level nets: conditions are combined, and what the unfolded net is asked is what was meant."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from burnside import pipeline
from burnside.ir.highlevel.terms import Apply
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.progress import Progress
from burnside.reference.temporal import check_property
from burnside.request import Request
from burnside.temporal import formulas as f
from burnside.temporal.atoms import ActionPattern, Condition, Enabled, Fairness, NextAction
from burnside.temporal.automata import automaton_of
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.reading import TemporalProperty
from burnside.temporal.shapes import path_formulas

from tests.temporal.laws import property_of
from tests.temporal.models import read

WORKERS = """
type Proc = unordered {a, b}
place idle: Proc = all
place busy, done: Proc
var p: Proc
transition start(p)
  in  idle: p
  out busy: p
transition stop(p)
  in  busy: p
  out idle: p
transition finish(p)
  in  busy: p
  out done: p
"""
NAMES = ("start", "stop", "finish")


@pytest.fixture
def workers(tmp_path: Path) -> Model:
    path = tmp_path / "workers.hln"
    path.write_text(WORKERS)
    return pipeline.read(path)


def verdict(model: Model, asked: TemporalProperty, **options: Any) -> str:
    ((answer,), _) = FormulaCheck(model, Request(**options), [asked], Deadline()).run(Progress())
    return answer.verdict


@pytest.mark.parametrize("each", [True, False])
@pytest.mark.parametrize("asked", range(3))
def test_fairness_is_about_the_transitions_that_it_names(asked: int, each: bool, workers: Model) -> None:
    """Also where a formula asks what is enabled, which is no class of steps of an unfolded net."""
    semantics = kind_of(workers.subject).semantics_of(workers.subject)
    enabled = Enabled((ActionPattern(asked),), f"enabled({NAMES[asked]})")
    seen = set()
    for taken, fair in product(range(3), repeat=2):
        step = NextAction((ActionPattern(taken, (None,)),), f"[{NAMES[taken]}]")
        fairness = Fairness(strength="weak", patterns=(ActionPattern(fair),), each=each, text=NAMES[fair])
        formula = f.Or((f.Release(f.FALSE, f.Atom(0)), f.Until(f.TRUE, f.Atom(1))))
        found = property_of(formula, (enabled, step), fairness=[fairness])
        expected = "holds" if check_property(semantics, found).holds else "violated"
        seen.add(expected)
        for unfold, method in product((True, False), ("none", "search")):
            assert verdict(workers, found, unfold=unfold, reduce=method) == expected, (taken, fair, unfold)
    assert "violated" in seen


def combined(model: Model, text: str) -> TemporalProperty:
    return kind_of(model.subject).combined(model, read(model, text, "ltl"))


def test_what_is_said_of_one_marking_is_one_condition(workers: Model) -> None:
    found = combined(workers, "G ({size(busy) < 2} & !{done has a} | {size(idle) = 2})")
    (condition,) = found.propositions
    assert isinstance(condition, Condition)
    assert isinstance(condition.expression, Apply)
    assert condition.expression.operator == "or"


def test_symmetries_that_keep_the_combination_are_used(workers: Model) -> None:
    """The exchange of a and b keeps the disjunction, and neither part of it."""
    asked = read(workers, "G ({done has a} | {done has b} | {size(done) = 0})", "ltl")
    for unfold in (True, False):
        check = FormulaCheck(workers, Request(unfold=unfold), [asked], Deadline())
        ((answer,), (run,)) = check.run(Progress())
        assert answer.verdict == "holds"
        assert run.reduction.group_order == 2


def test_a_condition_that_may_have_no_value_is_left_alone(workers: Model) -> None:
    """It is evaluated only where it matters to the formula."""
    found = combined(workers, "G ({size(idle) - 1 >= 0} | {size(busy) >= 1} | {size(done) >= 1})")
    assert len(found.propositions) == 2


def test_large_combinations_make_small_automata(workers: Model) -> None:
    """Two dozen conditions were two dozen atoms, and their automaton too large to make."""
    parts = [
        f"({{size({one}) <= {n}}} & !{{size({other}) <= {k}}})"
        for one, other in (("idle", "busy"), ("busy", "done"), ("done", "idle"))
        for n, k in product(range(3), repeat=2)
    ]
    found = combined(workers, f"F ({' | '.join(parts)}) & G !({' & '.join(parts)})")
    assert len(found.propositions) == 2
    for each in path_formulas(found):
        automaton_of(each, None)
    asked = read(workers, f"F ({' | '.join(parts)})", "ltl")
    assert {verdict(workers, asked, unfold=unfold) for unfold in (True, False)} == {"holds"}
