"""In which order Murphi evaluates, and how far: as rumur, but for quantifiers over what symmetry permutes."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import RefusedError
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Request

WAYS = ({}, {"reduce": "none"}, {"reduce": "search"}, {"reduce": "minimise"}, {"engine": "reference"})
each_way = pytest.mark.parametrize("way", WAYS, ids=str)


def checked(tmp_path: Path, text: str, way: dict[str, str]) -> Outcome:
    path = tmp_path / "model.m"
    path.write_text(text)
    return check(read(path), Request(deadlock=False, keep_going=True, **way))


def verdicts(outcome: Outcome) -> dict[str, str]:
    return {each.name: each.verdict for each in outcome.properties}


TARGET = """
var a: array [0..1] of boolean;
function f(): 0..1; begin a[0] := true; return 0; end;
startstate begin a[0] := false; a[1] := false; end;
rule "r" begin a[f()] := a[0]; end;
invariant "stays" !a[0];
"""


@each_way
def test_the_source_is_read_before_the_target_is_found(tmp_path: Path, way: dict[str, str]) -> None:
    assert verdicts(checked(tmp_path, TARGET, way))["stays"] == "holds"


def quantified(type_: str, statement: str) -> str:
    return f"""
type id: {type_};
var a: array [id] of boolean; z: boolean;
function f(i: id): boolean; begin {statement} return a[i]; end;
ruleset j: id do startstate for i: id do a[i] := false; end; a[j] := true; z := false; end; end;
rule "r" exists i: id do f(i) end ==> begin z := true; end;
"""


@each_way
def test_all_instances_over_a_scalarset_are_asserted(tmp_path: Path, way: dict[str, str]) -> None:
    """Each assertion fails for the element that does not decide, whether it comes before or after the one that does."""
    outcome = checked(tmp_path, quantified("scalarset(2)", 'assert "A" a[i];'), way)
    assert verdicts(outcome)["A"] == "violated"
    assert outcome.full_states == 2


@pytest.mark.parametrize("way", [{}, {"engine": "reference"}], ids=str)
@pytest.mark.parametrize(("type_", "states"), [("scalarset(2)", 2), ("0..1", 3)])
def test_quantifiers_stop_early_elsewhere(
    tmp_path: Path, way: dict[str, str], type_: str, states: int
) -> None:
    """With numbers, the start in which the first element decides goes on, as in rumur."""
    outcome = checked(tmp_path, quantified(type_, 'assert "A" a[i];'), way)
    assert verdicts(outcome)["A"] == "violated"
    assert outcome.full_states == states


COVERED = """
type id: scalarset(2);
var a: array [id] of boolean; z: boolean;
function f(i: id): boolean; begin cover "C" !a[i]; return a[i]; end;
startstate for i: id do a[i] := false; end; z := false; end;
ruleset i: id do rule "only" forall j: id do !a[j] end ==> begin a[i] := true; end; end;
rule "r" !z & exists j: id do a[j] end & exists j: id do f(j) end ==> begin z := true; end;
"""


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_all_instances_over_a_scalarset_are_covered(tmp_path: Path, engine: str) -> None:
    outcome = checked(tmp_path, COVERED, {"reduce": "none", "engine": engine})
    assert verdicts(outcome)["C"] == "holds"


LAST = """
type id: scalarset(3); other: scalarset(2);
var last: id; flag: array [other] of boolean;
startstate undefine last; for o: other do flag[o] := false; end; end;
rule "last" for i: id do last := i; end; end;
ruleset o: other do rule "r" flag[o] := !flag[o]; end; end;
"""


@pytest.mark.parametrize("engine", ["core", "reference"])
def test_a_declared_symmetry_that_cannot_be_shown_is_dropped(tmp_path: Path, engine: str) -> None:
    outcome = checked(tmp_path, LAST, {"engine": engine})
    (dropped,) = outcome.reduction.dropped
    assert (dropped.what, dropped.line) == ("scalarset id", 5)
    assert (outcome.reduction.group_order, outcome.states, outcome.full_states) == (2, 6, 8)
    with pytest.raises(RefusedError, match="scalarset id could not be shown"):
        checked(tmp_path, LAST, {"engine": engine, "symmetry": "strict"})
