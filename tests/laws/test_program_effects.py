"""Functions called where a program only asks: what they change is forgotten, and what they assert is reported."""

from __future__ import annotations

import pytest
from burnside import _core
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import BOOLEAN, INTEGER, Integer
from burnside.reference.steps import initial_states

from tests.exploring import explore_program as explore
from tests.exploring import replay_program, trace_lengths
from tests.laws.test_program_engines import Fired, as_fired
from tests.program_groups import compiled

BIT = e.Variable("x", Integer(0, 1), is_state=True)
SEEN = e.Variable("seen", BOOLEAN, is_state=True)
IS_ZERO = e.Binary("=", e.Read(BIT), e.Constant(0, INTEGER))
CHANGES = Function("F", (), BOOLEAN, (s.Assign(SEEN, e.TRUE), s.Return(e.TRUE)))
COUNTS = Function("F", (), Integer(0, 1), (s.Assign(SEEN, e.TRUE), s.Return(e.Constant(1, INTEGER))))
ASSERTS = Function("F", (), BOOLEAN, (s.Assert(IS_ZERO, 0), s.Return(e.TRUE)))
CALL = e.Call("F", (), BOOLEAN)
IN_RANGE = e.Quantified(
    "exists",
    e.Bound("i", e.Range(e.Constant(0, INTEGER), e.Call("F", (), Integer(0, 1)))),
    e.TRUE,
)
FAILS = e.Binary("=", e.Binary("/", e.Constant(1, INTEGER), e.Constant(0, INTEGER)), e.Constant(1, INTEGER))


def program(function: Function, *properties: Property, guard: e.Expression = e.TRUE) -> Program:
    """`x` goes from 0 to 1 and back."""
    start = Action("start", (), (s.Clear(BIT), s.Clear(SEEN)))
    step = Action("flip", (), (s.Assign(BIT, e.Binary("-", e.Constant(1, INTEGER), e.Read(BIT))),), guard)
    return Program(
        "effects",
        (),
        (BIT, SEEN),
        (start,),
        (step,),
        (Property("assertion", "asserted"), *properties),
        (function,),
    )


CASES = {
    "an assumption changes the state": program(CHANGES, Property("assumption", "a", CALL)),
    "an invariant changes the state": program(CHANGES, Property("invariant", "i", CALL)),
    "a guard changes the state": program(CHANGES, guard=CALL),
    "the bound of an assumption changes the state": program(COUNTS, Property("assumption", "a", IN_RANGE)),
    "the bound of a guard changes the state": program(COUNTS, guard=IN_RANGE),
    "two assumptions, one of which sees the change": program(
        CHANGES, Property("assumption", "a", CALL), Property("assumption", "b", e.Not(e.Read(SEEN)))
    ),
    "an invariant asserts": program(ASSERTS, Property("invariant", "i", CALL)),
    "a cover asserts": program(ASSERTS, Property("cover", "c", CALL)),
    "one invariant fails, another asserts": program(
        ASSERTS, Property("invariant", "i", FAILS), Property("invariant", "j", CALL)
    ),
}


def found_starts(made: Program) -> list[Fired]:
    return [fired for _, fired in compiled(made).starts()]


@pytest.mark.parametrize("name", CASES)
def test_both_engines_say_the_same(name: str) -> None:
    made = CASES[name]
    expected = explore(made, deadlock=True, keep_going=True)
    assert expected.states == 2
    trivial_group = _core.ElementGroup(0, [])
    found = _core.explore(
        compiled(made), trivial_group, _core.Method("none"), _core.Settings(deadlock=True, keep_going=True)
    )
    assert (found.states, found.transitions) == (expected.states, expected.transitions)
    assert found_starts(made) == [as_fired(result) for _, result in initial_states(made)]
    assert trace_lengths(found) == trace_lengths(expected)
    assert set(found.covered) == expected.covered
    for number, steps, failing in found.violations:
        assert replay_program(made, steps, failing, number).steps
