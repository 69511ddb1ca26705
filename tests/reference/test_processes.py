"""Tables, wrapping, notes, processes that keep control, idle actions and proper ends, by example, in both engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from burnside import _core
from burnside.diagnostics import ContradictionError
from burnside.exploration import ClaimedTrace
from burnside.graph import LabelSequence, StateNames
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.encoding import encoded
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import INTEGER, Array, Element, Integer, Optional, Sort
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.records import replace
from burnside.reference.explorer import state_graph
from burnside.replay import replay
from burnside.semantics import DEADLOCK, ENDLESS, ERROR, FIRST_PROPERTY
from burnside.walk import Walk

from tests.exploring import explore_program, replay_program

DIGIT = Integer(0, 7)
PROCESSES = Sort("P", ("p", "q"), "full", "sort")
P = Element(PROCESSES)
X = e.Variable("x", DIGIT, is_state=True)
AT = e.Variable("at", Array(P, DIGIT), is_state=True)
CONTROL = e.Variable("control", Optional(P), is_state=True)
ME = e.Bound("me", e.All(P))


def number(value: int) -> e.Constant:
    return e.Constant(value, INTEGER)


def is_(place: e.Place, value: int) -> e.Binary:
    return e.Binary("=", e.Read(place), number(value))


def my_at() -> e.Index:
    return e.Index(AT, e.Read(ME.variable))


def go(name: str, source: int, target: int, *body: s.Statement, keeps: bool = False, **more: Any) -> Action:
    """A process goes from one place to another."""
    moved = s.Assign(my_at(), number(target))
    guard = is_(my_at(), source)
    return Action(name, (ME,), (moved, *body), guard, actor=0, keeps_control=0 if keeps else None, **more)


def processes(*actions: Action, properties: Sequence[Property] = (), **more: Any) -> Program:
    start = Action("start", (), (s.Clear(X), s.Clear(AT)))
    return Program(
        "test", (PROCESSES,), (X, AT, CONTROL), (start,), actions, tuple(properties), control=CONTROL, **more
    )


def one(*actions: Action, properties: Sequence[Property] = (), **more: Any) -> Program:
    """Over x alone, which begins with 0."""
    start = Action("start", (), (s.Clear(X),))
    return Program("test", (), (X,), (start,), actions, tuple(properties), **more)


def counted(program: Program) -> tuple[int, int, int, dict[int, int]]:
    """States, transitions, deadlocks and what is violated: the same in both engines, which show it by traces that run."""
    by_reference = explore_program(program, deadlock=True, keep_going=True)
    table = encoded(program)
    group = _core.ElementGroup(sum(sort.size for sort in program.sorts), [])
    asked = _core.Settings(deadlock=True, keep_going=True)
    by_core = _core.explore(_core.Program(table.texts, table.rows), group, _core.Method("none"), asked)
    for each, trace, failing in by_core.violations:
        replay_program(program, trace, failing, each)
    for each, claim in by_reference.claims.items():
        replay(ProgramSemantics(program, deadlock=True), claim, each)
    found = [
        (each.states, each.transitions, each.deadlocks, dict(each.violating))
        for each in (by_reference, by_core)
    ]
    assert found[0] == found[1]
    return found[0]


# Tables and wrapping


@pytest.mark.parametrize(("value", "wrapped"), [(8, 0), (-1, 7), (2**63 - 1, 7), (-(2**63), 0), (5, 5)])
def test_wrapping_keeps_the_remainder(value: int, wrapped: int) -> None:
    program = one(Action("set", (), (s.Assign(X, e.Wrap(number(value), DIGIT)),), is_(X, 0)))
    assert counted(program)[0] == (1 if wrapped == 0 else 2)
    assert explore_program(program, keep_going=True).stored[-1] == (wrapped,)


def test_a_table_is_looked_up_the_last_argument_fastest() -> None:
    small = Integer(2, 4)
    table = e.Table("t", (small, DIGIT), DIGIT, tuple(range(8)) * 3)
    look = e.Lookup(table, (number(3), e.Binary("+", e.Read(X), number(1))))
    stepping = one(Action("step", (), (s.Assign(X, look),), e.Binary("<", e.Read(X), number(6))))
    assert counted(stepping) == (7, 6, 1, {DEADLOCK: 1})


@pytest.mark.parametrize(("given", "number_"), [(None, ERROR), (0, FIRST_PROPERTY)])
@pytest.mark.parametrize("argument", [5, 9])
def test_a_missing_entry_is_an_error_or_violates_its_property(
    given: int | None, number_: int, argument: int
) -> None:
    table = e.Table("t", (DIGIT,), DIGIT, tuple(None if each == 5 else each for each in range(8)))
    look = Action("look", (), (s.Assign(X, e.Lookup(table, (number(argument),), given)),))
    program = one(look, properties=[Property("assertion", "there")])
    assert counted(program) == (1, 1, 0, {number_: 1})
    in_guard = one(replace(look, body=(), guard=e.Binary("=", look.body[0].value, number(1))))  # type: ignore[union-attr]
    program = replace(in_guard, properties=(Property("assertion", "there"),))
    assert counted(program) == (1, 0, 0, {number_: 1})


def test_a_run_ends_where_a_limit_is_violated() -> None:
    step = Action("step", (), (s.Assign(X, e.Binary("+", e.Read(X), number(1))), s.Note(is_(X, 1), 0)))
    program = one(step, properties=[Property("limit", "small")])
    found = explore_program(program, keep_going=True)
    assert (found.stopped, found.states) == ("violation", 2)


# Notes


def test_a_step_that_violates_a_property_on_its_way_goes_on() -> None:
    step = (
        s.Assign(X, e.Wrap(e.Binary("+", e.Read(X), number(1)), DIGIT)),
        s.Note(e.Not(is_(X, 3)), 0),
        s.Assert(e.Not(is_(X, 6)), 1),
    )
    kinds = [Property("assertion", "not 3"), Property("assertion", "not 6")]
    program = one(Action("step", (), step), properties=kinds)
    assert counted(program) == (6, 6, 0, {FIRST_PROPERTY: 1, FIRST_PROPERTY + 1: 1})
    found = explore_program(program, keep_going=True)
    trace = replay(ProgramSemantics(program), found.claims[FIRST_PROPERTY], FIRST_PROPERTY)
    assert [each.state for each in trace.steps][-2:] == [{"x": "2"}, {"x": "3"}]
    walk = Walk(ProgramSemantics(program))
    walk.walk(10)
    assert [event.line() for event in walk.violations()] == ["error in step 3: step: assertion not 3: not 3"]


def test_a_note_in_a_start_and_before_an_assumption() -> None:
    notes = s.Note(e.FALSE, 0)
    start = Action("start", (), (s.Clear(X), notes))
    never = Action("never", (), (s.Note(e.FALSE, 1), s.Assume(e.FALSE)))
    kinds = [Property("assertion", "a"), Property("assertion", "b")]
    program = replace(one(never, properties=kinds), starts=(start,))
    states, transitions, deadlocks, violating = counted(program)
    assert (states, transitions, deadlocks) == (1, 1, 1)
    assert set(violating) == {DEADLOCK}
    assert set(explore_program(program, keep_going=True).claims) == {FIRST_PROPERTY}


# Processes


def test_a_process_keeps_control_as_long_as_it_can_act() -> None:
    """From 0 to 3 in one go: the states between are passed, and the other process cannot act there."""
    steps = [go("a", 0, 1, keeps=True), go("b", 1, 2, keeps=True), go("c", 2, 3)]
    assert counted(processes(*steps)) == (4, 4, 1, {DEADLOCK: 1})
    blocked = [go("a", 0, 1, keeps=True), replace(go("b", 1, 2), guard=e.FALSE)]
    assert counted(processes(*blocked)) == (4, 4, 1, {DEADLOCK: 1})


def test_every_way_through_a_sequence_is_a_transition() -> None:
    ways = [go("a", 0, 1, keeps=True), go("left", 1, 2), go("right", 1, 2), go("on", 1, 3)]
    assert counted(processes(*ways)) == (9, 18, 4, {DEADLOCK: 4})


def test_a_failure_inside_a_sequence_comes_with_the_steps_to_it() -> None:
    fails = go("fail", 2, 3, s.Assert(e.FALSE, 0))
    program = processes(
        go("a", 0, 1, keeps=True), go("b", 1, 2, keeps=True), fails, properties=[Property("assertion", "no")]
    )
    assert counted(program) == (1, 2, 0, {FIRST_PROPERTY: 1})
    claim = explore_program(program).claims[FIRST_PROPERTY]
    trace = replay(ProgramSemantics(program), claim, FIRST_PROPERTY)
    assert [each.action for each in trace.steps] == ["start", "a(p)", "b(p)", "fail(p)"]
    assert "control" not in trace.steps[1].state


def test_a_sequence_that_repeats_itself_is_an_error() -> None:
    program = processes(go("a", 0, 1, keeps=True), go("b", 1, 2, keeps=True), go("back", 2, 1, keeps=True))
    assert counted(program) == (1, 2, 0, {ERROR: 1})
    claim = explore_program(program).claims[ERROR]
    trace = replay(ProgramSemantics(program), claim, ERROR)
    assert [each.action for each in trace.steps] == ["start", "a(p)", "b(p)", "back(p)"]
    assert trace.steps[-1].failure == ENDLESS.message
    with pytest.raises(ContradictionError, match="only passed"):
        replay(ProgramSemantics(program), ClaimedTrace(claim.steps[:-1]), ERROR)


def test_drawings_join_the_labels_of_a_sequence() -> None:
    program = processes(go("a", 0, 1, keeps=True), go("b", 1, 2))
    semantics = ProgramSemantics(program)
    graph = state_graph(semantics)
    label = graph.edges[0][1]
    assert isinstance(label, LabelSequence)
    assert StateNames(semantics).action(label) == "a(p); b(p)"


# Idle actions and proper ends


def test_idle_actions_happen_where_no_other_does() -> None:
    stuck = go("stuck", 1, 2, s.Assume(e.FALSE))
    wake = go("wake", 1, 3, idle=True)
    assert counted(processes(go("a", 0, 1), stuck, wake))[:3] == (7, 14, 1)


def test_a_state_in_which_the_model_may_end_is_no_deadlock() -> None:
    step = Action("step", (), (s.Assign(X, number(1)),), is_(X, 0))
    stop = Action("stop", (), (s.Assign(X, number(2)),), is_(X, 0))
    assert counted(one(step, stop)) == (3, 2, 2, {DEADLOCK: 2})
    assert counted(one(step, stop, proper_end=is_(X, 1))) == (3, 2, 1, {DEADLOCK: 1})
    # A condition without a value makes no proper end.
    undefined = e.Binary("=", e.Binary("/", number(1), number(0)), number(1))
    assert counted(one(step, stop, proper_end=undefined))[2] == 2


# What a program looks up


def test_observing_sees_arguments_and_values() -> None:
    table = e.Table("t", (DIGIT,), DIGIT, (1, 2, 3, None, 5, 6, 7, 0))
    other = e.Table("unused", (DIGIT,), DIGIT, (0,) * 8)
    step = Action("step", (), (s.Assign(X, e.Lookup(table, (e.Read(X),))),))
    never = Action("never", (), (s.Assign(X, e.Lookup(other, (e.Read(X),))),), is_(X, 7))
    encoding = encoded(one(step, never))
    found = _core.Program(encoding.texts, encoding.rows).observe(100)
    assert (found.lookups, found.values) == ([[[0], [1], [2], [3]], []], [[0, 1, 2, 3]])
    assert (found.states, found.complete) == (4, True)
    cut = _core.Program(encoding.texts, encoding.rows).observe(2, seed=1)
    assert (cut.states, cut.complete) == (2, False)
