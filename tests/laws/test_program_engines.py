"""The core and the reference interpreter do the same, step by step, on random programs, most of which fail somewhere."""

from __future__ import annotations

from typing import Literal

import pytest
from burnside import _core
from burnside.ir.encoding import encoded
from burnside.ir.expressions import (
    All,
    Binary,
    Bound,
    Call,
    Constant,
    Index,
    Quantified,
    Read,
    Same,
    Variable,
)
from burnside.ir.program import Action, Function, Program, Property
from burnside.ir.statements import Add, Assign, Copy, Return, Statement, Undefine
from burnside.ir.types import BOOLEAN, Array, Bag, Element, Integer, Optional, Sort
from burnside.reference.steps import Result, label_number, labels_of, run_label, start_steps, steps
from burnside.reference.values import variables_of
from burnside.semantics import DISCARDED, ERROR, Failure, Step
from hypothesis import given, settings

from tests.exploring import explore_program as explore
from tests.exploring import trace_lengths
from tests.program_strategies import programs

laws = settings(max_examples=40, deadline=None)

Fired = tuple[str, list[int] | None, int | None]


def compiled(program: Program) -> _core.Program:
    table = encoded(program)
    return _core.Program(table.texts, table.rows)


def as_fired(result: Result) -> Fired:
    """What a step leads to, in the form of the core."""
    if isinstance(result, Failure):
        return "failed", None, result.number
    return ("taken", list(result), None) if isinstance(result, tuple) else (DISCARDED.value, None, None)


@laws
@given(programs())
def test_starts_are_the_same(program: Program) -> None:
    first = labels_of(program)
    expected = [
        (first + label_number(program, step.label, starts=True), as_fired(step.result))
        for step in start_steps(program)
    ]
    assert compiled(program).starts() == expected


@laws
@given(programs())
def test_steps_are_the_same(program: Program) -> None:
    core = compiled(program)
    for state in explore(program, keep_going=True, max_states=15).stored:
        found = {label_number(program, step.label): step for step in steps(program, state)}
        enabled, failing = core.enabled(state)
        assert sorted(enabled) == [label for label, step in found.items() if step.fired]
        assert sorted(failing) == [
            (label, fault) for label, step in found.items() if (fault := guard_fault(step))
        ]
        for label in enabled:
            assert core.fire(state, label) == as_fired(found[label].result)
        assert all(run_label(program, state, step.label) == step for step in found.values())


def guard_fault(step: Step) -> int | None:
    return None if step.fired or not isinstance(step.result, Failure) else step.result.number


@laws
@given(programs())
def test_searches_find_the_same(program: Program) -> None:
    expected = explore(program, deadlock=True, keep_going=True, max_states=100)
    limit = 100 if expected.stopped == "max-states" else None
    found = searched(program, limit)
    assert found.stopped == expected.stopped
    if found.stopped == "violation":
        return  # of a limit: what was counted until then depends on the order
    assert (found.states, found.initial_states) == (expected.states, expected.initial_states)
    if limit is None:
        assert (found.transitions, found.deadlocks) == (expected.transitions, expected.deadlocks)
        assert (found.full_states, found.depth) == (expected.full_states, expected.depth)
        assert trace_lengths(found) == trace_lengths(expected)
        assert set(found.covered) == expected.covered


def searched(program: Program, limit: int | None = None) -> _core.Exploration:
    trivial_group = _core.ElementGroup(sum(sort.size for sort in program.sorts), [])
    asked = _core.Settings(deadlock=True, keep_going=True, max_states=limit)
    return _core.explore(compiled(program), trivial_group, _core.Method("none"), asked)


def test_a_step_that_fails_is_as_far_as_a_state_in_which_a_property_fails() -> None:
    """Either is a shortest trace of the error, and the engines show different ones."""
    x = Variable("x", Optional(BOOLEAN), is_state=True)
    program = Program(
        "errors",
        (),
        (x,),
        (Action("start", (), (Assign(x, Constant(1, BOOLEAN)),)),),
        (Action("lose", (), (Undefine(x),)), Action("fail", (), (Undefine(x), Assign(x, Read(x))))),
        (Property("invariant", "x", Read(x)),),
    )
    by_reference, by_core = explore(program, deadlock=True, keep_going=True), searched(program)
    assert trace_lengths(by_core) == trace_lengths(by_reference) == {ERROR: 2}


def quantifying(
    quantifier: Literal["forall", "exists"], values: tuple[int | None, int | None], *, every: bool
) -> Program:
    """An action guarded by a quantifier over two elements, of which some may be undefined."""
    sort = Sort("S", ("a", "b"), "full", "scalarset")
    flags = Variable("flag", Array(Element(sort), Optional(BOOLEAN)), is_state=True)
    bound = Bound("i", All(Element(sort)))
    test = Quantified(quantifier, bound, Read(Index(flags, Read(bound.variable))), every)
    start = tuple(
        Assign(Index(flags, Constant(at, Element(sort))), Constant(value, BOOLEAN))
        for at, value in enumerate(values)
        if value is not None
    )
    return Program(
        "quantifying", (sort,), (flags,), (Action("start", (), start),), (Action("go", (), (), test),)
    )


@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("quantifier", ["forall", "exists"])
@pytest.mark.parametrize("first", [None, 0, 1])
@pytest.mark.parametrize("second", [None, 0, 1])
def test_a_failing_instance_counts_unless_it_comes_after_one_that_decides(
    quantifier: Literal["forall", "exists"], first: int | None, second: int | None, *, every: bool
) -> None:
    """With `every` it counts there too: else the order of elements, which symmetries change, would show."""
    program = quantifying(quantifier, (first, second), every=every)
    ((_, (_, state, _)),) = compiled(program).starts()
    assert state is not None
    enabled, failing = compiled(program).enabled(state)
    deciding = 0 if quantifier == "forall" else 1
    evaluated = (first,) if first == deciding and not every else (first, second)
    assert bool(failing) == (None in evaluated)
    assert bool(enabled) == (not failing and (deciding in evaluated) == (quantifier == "exists"))
    (step,) = steps(program, tuple(state)) or [None]
    assert (step is not None) == bool(enabled or failing)


FLAGS = Variable("flag", Array(Integer(0, 1), BOOLEAN), is_state=True)
BAGS = Variable("bag", Array(Integer(0, 1), Bag(BOOLEAN, 2)), is_state=True)
PAIRS = Variable("pair", Array(Integer(0, 1), Array(Integer(0, 1), BOOLEAN)), is_state=True)


def numbered(number: int) -> Constant:
    return Constant(number, Integer(0, 1))


FIRST_FLAG = Index(FLAGS, numbered(0))
FIRST_PAIR = Index(PAIRS, numbered(0))
SETTING = Call("set", (), Integer(0, 1))
"""Sets the first flag, and the first flag of the first pair; returns 1."""


@pytest.mark.parametrize(
    ("statement", "variable", "cells"),
    [
        (Assign(Index(FLAGS, SETTING), Read(FIRST_FLAG)), "flag", (1, 0)),
        (Copy(Index(FLAGS, SETTING), FIRST_FLAG), "flag", (1, 0)),
        (Copy(Index(PAIRS, SETTING), FIRST_PAIR), "pair", (1, 0, 0, 0)),
        (Add(Index(BAGS, SETTING), FIRST_FLAG), "bag", (0, 0, 0, 0, 1, 0, 0, 0)),
        (Assign(Index(FLAGS, numbered(1)), Same(FIRST_PAIR, Index(PAIRS, SETTING))), "flag", (1, 1)),
        (
            Assign(Index(FLAGS, numbered(1)), Binary("=", Read(FIRST_FLAG), Read(Index(FLAGS, SETTING)))),
            "flag",
            (1, 1),
        ),
    ],
    ids=str,
)
def test_what_is_read_first_is_not_changed_by_finding_what_comes_second(
    statement: Statement, variable: str, cells: tuple[int, ...]
) -> None:
    one = Constant(1, BOOLEAN)
    body = (Assign(FIRST_FLAG, one), Assign(Index(FIRST_PAIR, numbered(0)), one), Return(numbered(1)))
    program = Program(
        "setting",
        (),
        (FLAGS, BAGS, PAIRS),
        (Action("start", (), ()),),
        (Action("go", (), (statement,)),),
        functions=(Function("set", (), Integer(0, 1), body),),
    )
    (step,) = steps(program, (0,) * 14)
    assert isinstance(step.result, tuple)
    assert variables_of(program, list(step.result))[variable].content == cells
    assert compiled(program).fire((0,) * 14, 0) == as_fired(step.result)
