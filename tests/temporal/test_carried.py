"""Formulas that models carry: assertions of B machines, Murphi's liveness."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.diagnostics import InputError, Source, UnsupportedError
from burnside.kinds import kind_of
from burnside.languages import b, murphi
from burnside.model import Model
from burnside.pipeline import check
from burnside.reference.temporal import check_property
from burnside.request import Request
from burnside.temporal.printing import show_formula
from burnside.temporal.reading import TemporalProperty, carried_properties

from tests.temporal.models import atoms_of

SHARED = Path(__file__).parent.parent.parent.parent / "shared" / "models"

MACHINE = """MACHINE M
DEFINITIONS
  SET_PREF_MAXINT == 3; two == 2;
  ASSERT_LTL == "F {x = two}";
  ASSERT_LTL1 == "G ({x=1} -> X !{x = 1})"; ASSERT_LTL_never_FAIL == "F {x = 5}";
  ASSERT_CTL == '''AG
    EF deadlock'''; ASSERT_LTL_2 == "G {\\"a\\" /= \\"b\\" & x < 3}"
VARIABLES x INVARIANT x : 0..2 INITIALISATION x := 0
OPERATIONS inc = SELECT x < 2 THEN x := x + 1 END END"""


def machine(text: str) -> Model:
    found = b.load(Source("m.mch", text))
    return Model(found.machine, "m.mch", "b", expressions=found, formulas=found.formulas)


def program(text: str) -> Model:
    found = murphi.load(Source("m.m", text))
    return Model(found.program, "m.m", "murphi", expressions=found, formulas=found.formulas)


def carried(model: Model) -> tuple[TemporalProperty, ...]:
    return carried_properties(model, lambda: atoms_of(model))


def holds(model: Model, found: TemporalProperty) -> list[bool | None]:
    """For each value of its quantified name, if it has one."""
    semantics, atoms = kind_of(model.subject).semantics_of(model.subject), atoms_of(model)
    if not found.binders:
        return [check_property(semantics, found).holds]
    (binder,) = found.binders
    return [check_property(semantics, atoms.instantiated(found, (each,))).holds for each in binder.values]


def test_assertions_of_a_machine() -> None:
    model = machine(MACHINE)
    found = carried(model)
    assert [(each.name, each.logic, each.expected) for each in found] == [
        ("ASSERT_LTL", "ltl", True),
        ("ASSERT_LTL1", "ltl", True),
        ("ASSERT_LTL_never_FAIL", "ltl", False),
        ("ASSERT_CTL", "ctl", True),
        ("ASSERT_LTL_2", "ltl", True),
    ]
    shown = [show_formula(each.formula, lambda number: each.propositions[number].text) for each in found]  # noqa: B023
    assert shown[1] == "G (not x=1 or X not x=1)"
    assert shown[3] == "AG EF deadlock"
    assert [holds(model, each) for each in found] == [[True], [True], [False], [True], [True]]


@pytest.mark.parametrize(
    ("old", "new", "message", "place"),
    [
        ("F {x = two}", "F {x = three}", "there is no 'three' here", (4, 25)),
        ("EF deadlock", "EF deadlock &", "expected a formula, found the end of the formula", (7, 18)),
        ('"F {x = two}"', "x = 1", "ASSERT_LTL has to be a formula in quotes", (4, 3)),
    ],
)
def test_wrong_assertions(old: str, new: str, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(InputError) as refused:
        carried(machine(MACHINE.replace(old, new)))
    found = refused.value.diagnostic
    assert found.span is not None
    assert (found.message, found.source) == (message, "m.mch")
    assert (found.span.line, found.span.column) == place
    assert found.text == MACHINE.replace(old, new).splitlines()[place[0] - 1]


def test_an_assertion_of_prob() -> None:
    """It stands in a comment there."""
    path = SHARED / "b" / "PID.mch"
    if not path.is_file():
        pytest.skip("../shared/models/b/PID.mch is absent")
    text = path.read_text()
    assert '/* DEFINITIONS\n        ASSERT_LTL == "G (e(del) => Y O [new])"\n*/' in text
    model = machine(text.replace("/* DEFINITIONS", "DEFINITIONS").replace('[new])"\n*/', '[new])"'))
    (found,) = carried(model)
    assert holds(model, found) == [True]


# Murphi


WALK = """var x: 0..{top}; startstate begin x := 0; end;
rule x < {limit} ==> x := x + 1; end; rule x > 0{stuck} ==> x := x - 1; end;
{liveness}"""
EACH = 'ruleset y: 0..3 do liveness "x is y" x = y end'


@pytest.mark.parametrize(
    ("limit", "stuck", "liveness", "verdicts"),
    [
        (3, "", 'liveness "x is 3" x = 3', [True]),
        (2, "", 'liveness "x is 3" x = 3', [False]),
        (3, " & x != 3", 'liveness "x is 2" x = 2', [False]),
        (3, "", EACH, [True] * 4),
        (2, "", EACH, [True, True, True, False]),
        (3, "", 'ruleset y := 0 to 3 by 2 do liveness "x is y" x = y end', [True] * 2),
        (3, "", "liveness x = 1", [True]),
    ],
)
def test_liveness(limit: int, stuck: str, liveness: str, verdicts: list[bool]) -> None:
    """A state can be reached from everywhere. That runs need not go there does not matter."""
    model = program(WALK.format(top=3, limit=limit, stuck=stuck, liveness=liveness))
    (found,) = carried(model)
    assert holds(model, found) == verdicts
    assert found.name in ("x is 3", "x is 2", "x is y", "liveness 1")


def test_liveness_of_entries() -> None:
    text = "var m: multiset[2] of boolean; startstate begin end; choose n: m do liveness m[n] end"
    with pytest.raises(UnsupportedError, match="liveness for each entry of a multiset") as refused:
        carried(program(text))
    assert refused.value.diagnostic.span is not None


@pytest.mark.parametrize(
    ("name", "holds_everywhere"),
    [
        ("liveness-in-ruleset", True),
        ("liveness-in-ruleset2", False),
        ("liveness-miss1", False),
        ("liveness-miss2", False),
        ("liveness-miss3", False),
        ("no-cex-bug2", True),
    ],
)
def test_liveness_as_rumur(name: str, holds_everywhere: bool) -> None:
    path = SHARED / "murphi" / "rumur-tests" / f"{name}.m"
    if not path.is_file():
        pytest.skip(f"../shared/models/murphi/rumur-tests/{name}.m is absent")
    model = program(path.read_text())
    answers = [each for found in carried(model) for each in holds(model, found)]
    assert all(answers) is holds_everywhere


@pytest.mark.parametrize(("limit", "verdict"), [(3, "holds"), (2, "violated")])
def test_check_answers_liveness(limit: int, verdict: str) -> None:
    model = program(WALK.format(top=3, limit=limit, stuck="", liveness=EACH))
    *_, found = check(model, Request(deadlock=False)).properties
    assert (found.name, found.kind, found.verdict) == ("x is y", "ctl", verdict)
    assert [each.values for each in found.instances] == [{"y": str(value)} for value in range(4)]
