"""The small machines of another checker for B, where they lie beside the project: verdicts as names and comments say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from burnside.diagnostics import InputError, UnsupportedError
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.request import Limits, Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "b" / "bmoth"
ABSENT = pytest.mark.skip(reason="../shared/models/b/bmoth is absent")

HOLDS = {
    "BMothOnlyMachine": 1,
    "BoolLaws": 9,
    "DecOneOfTwoNoViolation": 8,
    "DefSetTest2": 2,
    "DefSetTest4": 2,
    "LiftRequest": 126,
    "OnlyConstants": 10,
    "OnlyInitNoViolation": 1,
    "SetVarToConstantNoViolation": 3,
    "SimpleMachine": 10,
    "TestZ3Inverse1": 3,
    "TestZ3Inverse2": 3,
    "send_more_money_no_inv_violation": 2,
}
"""Machines without a counterexample, and their states."""

BOUNDED = {"BMothOnlyMachine": ["y"], "OnlyConstants": ["a"]}
"""Those of them with names that nothing bounds, and those names."""

VIOLATED = {
    "AccMachine": "(changed_flag = 1) => (current_acceleration",
    "CounterErr": "xx < 500",
    "CounterErr2": "xx < 5000",
    "CrashingLift": "current_time - old_time >= old_floor - current_floor",
    "DecOneOfTwoViolation": "y > x",
    "DefSetTest1": "x<2",
    "DefSetTest3": "x<2",
    "EmergencyCallFail": "((emergency_state = 1) & (changed_flag = 0)) =>",
    "FastClosingDoors": "doors_speed <= MAX_SPEED",
    "LiftDoesNotMoveTowardsFirstPressedButton": "pressed_buttons /= [] & first(pressed_buttons) > current",
    "LiftLowerHigher": "current_floor : 0..5",
    "LiftNotMoving": "requested = TRUE & doors_open = FALSE => moving = TRUE",
    "LiftRequestIgnored": "requested = FALSE => current_floor = requested_floor",
    "LiftStopsAtInvalidPositions": "moving = FALSE => betweenFloors = FALSE",
    "OnlyInitViolation": "x = 0",
    "OpenDoorWhileMoving": "doors_open = TRUE => moving = FALSE",
    "OpensNoDoor": "x>50 => doorsBeenOpen=TRUE",
    "PathTestMachine": "x mod 10 /= 0",
    "SetVarToConstantViolation": "x = 0",
    "SimpleSetIncrease": "xx < 5",
    "send_more_money": "sum <0",
    "send_more_money_no_init": "1=2",
}
"""Machines with one, and how the conjunct begins that is violated first."""

UNSET = {
    "FastDoors": "clock",
    "NotMoving": "target_floor",
    "SlowDoors": "clock",
    "TargetAndCurrentCorrespond": "target_floor",
    "TooFast": "wantedAt",
}
"""Machines whose initialisation leaves a variable without a value."""

LARGE_NUMBERS = {"ArithmeticLaws": 5616, "LargeExponent": 54}
"""Machines that hold, with numbers beyond 64 bits: left to the reference engine."""

ENDLESS = ("FiniteInfiniteMachine", "InfiniteMachine")
DIVIDES_BY_ZERO, FLAWED = "DivWDError", "FlawedMachine"


def each(names: Any, *marks: Any) -> list[Any]:
    marks = marks if MODELS.exists() else (ABSENT,)
    return [pytest.param(name, marks=marks) for name in sorted(names)]


def checked(name: str, **options: Any) -> Outcome:
    """Without looking for deadlocks, which the other checker does not do."""
    return check(read(MODELS / f"{name}.mch"), Request(deadlock=False, **options))


def violated(outcome: Outcome) -> list[str]:
    return [each.name for each in outcome.violations]


def test_nothing_is_left_out() -> None:
    if not MODELS.exists():
        pytest.skip("../shared/models/b/bmoth is absent")
    named = {*HOLDS, *VIOLATED, *UNSET, *LARGE_NUMBERS, *ENDLESS, DIVIDES_BY_ZERO, FLAWED}
    assert {path.stem for path in MODELS.iterdir()} == named
    assert len(named) == 46


@pytest.mark.parametrize("name", each(HOLDS))
def test_no_violation(name: str) -> None:
    outcome = checked(name, assume_bounds=name in BOUNDED)
    assert (outcome.verdict, outcome.stopped) == ("holds", "exhausted")
    assert outcome.full_states == HOLDS[name]
    assert [each.name for each in outcome.cut_domains] == BOUNDED.get(name, [])


@pytest.mark.parametrize("name", each(BOUNDED))
def test_values_that_were_not_tried(name: str) -> None:
    outcome = checked(name)
    assert (outcome.verdict, outcome.stopped, outcome.full_states) == ("unknown", "bounded", None)
    assert outcome.exit_code == 3


@pytest.mark.parametrize("name", each(VIOLATED))
def test_violation(name: str) -> None:
    outcome = checked(name)
    assert (outcome.verdict, outcome.stopped) == ("violated", "violation")
    assert violated(outcome)[0].startswith(VIOLATED[name])
    assert outcome.violations[0].trace is not None


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("name", each(UNSET))
def test_variable_without_value(name: str, engine: str) -> None:
    outcome = checked(name, engine=engine)
    assert violated(outcome) == ["error"]
    message = outcome.violations[0].message
    assert message is not None and message.startswith(
        f"'{UNSET[name]}' has no value after the initialisation"
    )


@pytest.mark.parametrize("name", each([DIVIDES_BY_ZERO]))
def test_undefined_invariant(name: str) -> None:
    outcome = checked(name)
    assert violated(outcome) == ["error"]
    message = outcome.violations[0].message
    assert message is not None and message.startswith("-3 = 1 / 0: 1 is divided by zero")


@pytest.mark.parametrize("name", each(ENDLESS))
def test_endless(name: str) -> None:
    outcome = checked(name, limits=Limits(states=10_000))
    assert (outcome.verdict, outcome.stopped, outcome.states) == ("unknown", "max-states", 10_000)


def test_finite_after_all() -> None:
    if not MODELS.exists():
        pytest.skip("../shared/models/b/bmoth is absent")
    outcome = checked("FiniteInfiniteMachine")
    assert violated(outcome) == ["x < 899"]


@pytest.mark.parametrize("name", each(LARGE_NUMBERS, pytest.mark.slow))
def test_large_numbers(name: str) -> None:
    outcome = checked(name, engine="reference")
    assert (outcome.verdict, outcome.states) == ("holds", LARGE_NUMBERS[name])
    with pytest.raises(UnsupportedError) as refused:
        checked(name)
    assert refused.value.diagnostic.span is not None


@pytest.mark.parametrize("name", each([FLAWED]))
def test_flawed(name: str) -> None:
    with pytest.raises(InputError, match="expected 'MACHINE'") as refused:
        checked(name)
    span = refused.value.diagnostic.span
    assert span is not None and (span.line, span.column) == (1, 1)
