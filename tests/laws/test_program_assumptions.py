"""Assumptions on states, in both engines: they belong to the step that leads to a state, not to the state itself.

One variable x counts from 0 to 9; the assumption is evaluated in the state after each step.
"""

from __future__ import annotations

import pytest
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.types import BOOLEAN, Array, Optional
from burnside.kinds.program import core_program
from burnside.reference.steps import judge
from burnside.semantics import ERROR, FIRST_PROPERTY

from tests.exploring import explore_program as explore
from tests.exploring import trace_lengths
from tests.laws.test_program_engines import searched as by_core
from tests.reference.program_parts import (
    ANY,
    HOME_TYPE,
    X,
    binary,
    bound,
    program,
    read,
    set_to,
    variable,
)
from tests.soundness.program_law import reference_outcomes

COUNT = Action("count", (), (set_to(X, binary("+", read(X), 1)),))
COVERED = FIRST_PROPERTY

Outcomes = tuple[dict[int, tuple[str, tuple[int, ...], int | None]], set[int], set[int]]


def outcomes(made: Program, *state: int) -> Outcomes:
    """What both engines say of a state: its steps, what it violates, what is covered on the way."""
    ((steps, violated, covered),) = core_program(made, "test").outcomes([state])
    labels = {label: (kind, tuple(after or ()), found) for label, (kind, after, found) in steps}
    said = labels, set(violated), set(covered)
    assert said == reference_outcomes(made, state)
    return said


def searched(made: Program) -> tuple[int, int, list[int], set[int]]:
    """What both engines find: states, deadlocks, violated properties, covered ones."""
    found = by_core(made)
    expected = explore(made, deadlock=True, keep_going=True)
    assert trace_lengths(found) == trace_lengths(expected)
    said = found.states, found.deadlocks, sorted(trace_lengths(found)), set(found.covered)
    assert said == (expected.states, expected.deadlocks, sorted(expected.claims), set(expected.covered))
    return said


def assuming(test: e.Expression, *functions: Function) -> Program:
    """Counts as long as the assumption allows it."""
    properties = (Property("cover", "covered"), Property("assumption", "assumed", test))
    return program([X], COUNT, properties=properties, functions=functions)


def test_a_step_fails_where_the_assumption_on_the_next_state_does() -> None:
    made = assuming(binary(">", binary("/", 6, binary("-", read(X), 3)), -100))
    assert outcomes(made, 1) == ({0: ("taken", (2,), None)}, set(), set())
    assert outcomes(made, 2) == ({0: ("failed", (), ERROR)}, set(), set())
    assert searched(made)[0] == 3


def test_the_state_itself_violates_nothing_where_its_assumption_fails() -> None:
    """No run visits such a state, since the step to it fails: what fails is the step."""
    held = variable("held", Array(HOME_TYPE, Optional(BOOLEAN)))
    who = variable("who", ANY)
    defined = e.IsDefined(e.Index(held, e.Convert(read(who), HOME_TYPE)))
    assumed = Property("assumption", "assumed", e.Junction("or", (defined, e.Not(defined))))
    anyone = bound("u", e.All(ANY))
    choose = Action("choose", (anyone,), (s.Assign(who, read(anyone.variable)),))
    made = program([held, who], choose, properties=(assumed,))
    failing = ("failed", (), ERROR)
    steps = {0: ("taken", (0, 0), None), 1: failing, 2: failing, 3: failing}
    assert outcomes(made, 0, 0) == (steps, set(), set())
    assert outcomes(made, 0, 1) == (steps, set(), set())
    assert judge(made, (0, 0)).allowed and not judge(made, (0, 1)).allowed
    assert searched(made) == (1, 0, [ERROR], set())


@pytest.mark.parametrize("last", [2, 9])
def test_what_the_assumption_covers_is_covered_by_the_step(last: int) -> None:
    """Also where the state is discarded: the statement was executed."""
    covers = s.Cover(binary("=", read(X), 3), 0)
    test = Function("below", (), BOOLEAN, (covers, s.Return(binary("<=", read(X), last))))
    made = assuming(e.Call("below", (), BOOLEAN), test)
    result = ("taken", (3,), None) if last == 9 else ("discarded", (), None)
    assert outcomes(made, 2) == ({0: result}, set(), {COVERED})
    assert outcomes(made, 3)[2] == set()
    assert searched(made)[3] == {COVERED}


def test_what_was_covered_before_the_assumption_fails_is_covered() -> None:
    body = (
        s.Cover(binary("=", read(X), 1), 0),
        s.Return(binary("<", binary("/", 1, binary("-", read(X), 1)), 5)),
    )
    made = assuming(e.Call("fails", (), BOOLEAN), Function("fails", (), BOOLEAN, body))
    assert outcomes(made, 0) == ({0: ("failed", (), ERROR)}, set(), {COVERED})
    assert searched(made) == (1, 0, [ERROR], {COVERED})


def test_an_assume_statement_inside_an_assumption_discards_the_state() -> None:
    """The action has come to its end before, so it is no deadlock where nothing else can happen."""
    body = (s.Assume(binary("<", read(X), 3)), s.Return(e.TRUE))
    made = assuming(e.Call("small", (), BOOLEAN), Function("small", (), BOOLEAN, body))
    assert outcomes(made, 2) == ({0: ("discarded", (), None)}, set(), set())
    assert not judge(made, (3,)).allowed
    assert searched(made) == (3, 0, [], set())
