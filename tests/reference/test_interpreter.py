"""The interpreter of programs against results computed by hand: every expression, statement and failure."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Parameter, Property
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Field,
    Integer,
    Optional,
    Record,
    Type,
    Union,
)
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.reference.steps import Result, initial_states, steps, successors
from burnside.semantics import DISCARDED, ERROR, FIRST_PROPERTY, Failure

from tests.reference.program_parts import (
    ANY,
    AT,
    BAG,
    BIG,
    COLOUR,
    COLOUR_TYPE,
    DIGIT,
    HOME,
    NODE,
    NODE_TYPE,
    SECOND,
    N,
    X,
    Y,
    binary,
    bound,
    entries,
    number,
    program,
    read,
    result,
    set_to,
    variable,
)

# The layout of states


def test_cells_are_laid_out_in_order() -> None:
    pair = Record((Field("c", COLOUR_TYPE), Field("d", Integer(5, 9))))
    types = [
        Integer(-3, 3),
        Optional(Integer(-3, 3)),
        BOOLEAN,
        Array(NODE_TYPE, pair),
        Bag(pair, 2),
        Optional(ANY),
    ]
    names = [variable(f"v{i}", type_) for i, type_ in enumerate(types)]
    entry = e.Variable("entry", pair)
    fill = s.Declare(
        (entry,),
        (
            set_to(names[0], 2),
            set_to(names[1], -3),
            s.Assign(names[2], e.TRUE),
            set_to(e.Component(e.Index(names[3], e.Constant(1, NODE_TYPE)), "d"), 8),
            s.Assign(e.Component(entry, "c"), e.Constant(1, COLOUR_TYPE)),
            s.Add(names[4], entry),
            s.Assign(names[5], e.Constant(3, ANY)),
        ),
    )
    made = program(names, Action("fill", (), (fill,)))
    ((_, blank),) = initial_states(made)
    assert blank == (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    ((_, filled),) = successors(made, blank)
    assert filled == (5, 1, 1, 0, 0, 0, 3, 0, 0, 1, 1, 0, 0, 0, 0, 4)
    assert ProgramSemantics(made).show_state(filled) == {
        "v0": "2",
        "v1": "-3",
        "v2": "true",
        "v3[n1].c": "red",
        "v3[n1].d": "5",
        "v3[n2].c": "red",
        "v3[n2].d": "8",
        "v3[n3].c": "red",
        "v3[n3].d": "5",
        "v4[0].c": "green",
        "v4[0].d": "5",
        "v5": "n3",
    }
    assert ProgramSemantics(made).show_state(blank)["v1"] == "undefined"


# Expressions

ROW = variable("row", Array(NODE_TYPE, Optional(DIGIT)))
U = variable("u", Optional(ANY))
OUT = variable("out", BIG)


SETTING = (
    set_to(X, 3),
    set_to(e.Index(ROW, SECOND), 7),
    s.Assign(N, SECOND),
    s.Assign(U, e.Constant(2, ANY)),
    *entries(5, 2, 5),
)
I_ALL = bound("i", e.All(NODE_TYPE))
I_BAG = bound("i", e.Positions(BAG))
I_RANGE = bound("i", e.Range(number(1), number(4)))
ONE_BY_TWO_LESS_I = binary("=", binary("/", 1, binary("-", 2, read(I_RANGE.variable))), 1)
AT_I = e.Index(ROW, read(I_ALL.variable))
FAILING = binary("=", binary("/", 1, 0), 1)


def five(where: e.Bound) -> e.Expression:
    return binary("=", read(e.Entry(BAG, read(where.variable))), 5)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (read(X), 3),
        (binary("+", read(X), 4), 7),
        (binary("-", read(X), 4), -1),
        (binary("*", read(X), -4), -12),
        (binary("/", -7, 2), -3),
        (binary("/", 7, -2), -3),
        (binary("%", -7, 2), -1),
        (binary("%", 7, -2), 1),
        (binary("bit-and", 6, 3), 2),
        (binary("bit-or", 6, 3), 7),
        (binary("bit-xor", 6, 3), 5),
        (binary("shift-left", 3, 4), 48),
        (binary("shift-right", -5, 1), -3),
        (binary("shift-right", -5, 100), -1),
        (binary("shift-left", 5, -1), 2),
        (binary("shift-right", 3, -4), 48),
        (binary("shift-left", 5, 63), -(2**63)),
        (binary("shift-left", 5, 64), 0),
        (e.Negate("-", read(X)), -3),
        (e.Negate("~", read(X)), -4),
        (binary("=", read(X), 3), 1),
        (binary("!=", read(X), 3), 0),
        (binary("<", read(X), 3), 0),
        (binary("<=", read(X), 3), 1),
        (binary(">", read(X), 2), 1),
        (binary(">=", read(X), 4), 0),
        (e.Not(e.TRUE), 0),
        (e.Junction("and", (e.FALSE, FAILING)), 0),
        (e.Junction("or", (e.FALSE, e.TRUE, FAILING)), 1),
        (e.Junction("and", ()), 1),
        (e.Junction("or", ()), 0),
        (e.Conditional(e.TRUE, number(4), binary("/", 1, 0)), 4),
        (e.Convert(number(5), DIGIT), 5),
        (e.Convert(e.Constant(1, NODE_TYPE), ANY), 2),
        (e.Convert(e.Constant(2, ANY), NODE_TYPE), 1),
        (e.Convert(e.Constant(1, ANY), Union((NODE, COLOUR, HOME))), 0),
        (e.Convert(e.Constant(0, ANY), Union((NODE, COLOUR, HOME))), 5),
        (e.IsMember(read(U), NODE), 1),
        (e.IsMember(read(U), HOME), 0),
        (e.IsDefined(Y), 0),
        (e.IsDefined(X), 1),
        (e.IsDefined(e.Index(ROW, read(N))), 1),
        (e.Quantified("exists", I_ALL, e.IsDefined(AT_I)), 1),
        (e.Quantified("forall", I_ALL, e.IsDefined(AT_I)), 0),
        (e.Quantified("exists", I_RANGE, ONE_BY_TWO_LESS_I, every=False), 1),
        (e.Quantified("forall", bound("i", e.Range(number(2), number(1))), e.FALSE), 1),
        (e.Quantified("forall", I_BAG, binary(">=", read(e.Entry(BAG, read(I_BAG.variable))), 2)), 1),
        (e.Count(I_BAG, five(I_BAG)), 2),
        (e.Same(X, e.Entry(BAG, number(0))), 0),
        (e.Same(e.Entry(BAG, number(1)), e.Entry(BAG, number(2))), 1),
        (e.Same(ROW, ROW), 1),
        (read(e.Entry(BAG, number(0))), 2),
    ],
    ids=str,
)  # fmt: skip
def test_values_of_expressions(expression: e.Expression, value: int) -> None:
    type_ = e.type_of(expression)
    if value == -(2**63):  # too small for a variable
        expression, value, type_ = binary("=", expression, value), 1, BOOLEAN
    target = OUT if isinstance(type_, Integer) else variable("out", type_)
    after = result([target, X, Y, ROW, N, U, BAG], SETTING, s.Assign(target, expression))
    assert isinstance(after, tuple)
    assert after[0] == (value + 1000 if target == OUT else value)


# Statements


def cells(after: Result) -> tuple[int, ...]:
    assert isinstance(after, tuple), after
    return after


def test_copies_keep_what_is_undefined() -> None:
    other = variable("other", ROW.type)
    after = result([ROW, other], (set_to(e.Index(ROW, SECOND), 7),), s.Copy(other, ROW), s.Undefine(ROW))
    assert cells(after) == (0, 0, 0, 0, 8, 0)


def test_a_scalar_is_copied_to_another_type_if_it_is_one_of_its_values() -> None:
    small = variable("small", Optional(Integer(0, 2)))
    assert cells(result([X, small], (set_to(X, 2),), s.Copy(small, X))) == (2, 3)
    assert cells(result([small, Y], (set_to(small, 2),), s.Copy(small, Y))) == (0, 0)


def test_clear_gives_the_smallest_values_and_empty_bags() -> None:
    low = variable("low", Integer(3, 5))
    assert cells(result([low, Y, BAG], (set_to(low, 5), *entries(4)), *map(s.Clear, (low, Y, BAG)))) == (
        0,
        1,
        *[0] * 6,
    )
    assert cells(result([Y, BAG], (set_to(Y, 5), *entries(4)), *map(s.Undefine, (Y, BAG)))) == (0, *[0] * 6)


def test_the_first_branch_that_holds_is_taken() -> None:
    branches = (s.Branch(e.FALSE, (set_to(X, 1),)), s.Branch(e.TRUE, (set_to(X, 2),)), s.Branch(FAILING, ()))
    assert cells(result([X], (), s.If(branches, (set_to(X, 4),)))) == (2,)
    assert cells(result([X], (), s.If(branches[:1], (set_to(X, 4),)))) == (4,)


@pytest.mark.parametrize(
    ("domain", "total"),
    [
        (e.All(Integer(-1, 3)), 5),
        (e.All(NODE_TYPE), 3),
        (e.Range(number(1), number(6), number(2)), 9),
        (e.Range(number(3), number(1), number(-1)), 6),
        (e.Range(number(3), number(1)), 0),
        (e.Positions(BAG), 1),
    ],
    ids=str,
)
def test_loops_take_every_value(domain: e.Domain, total: int) -> None:
    turn = bound("i", domain)
    value = read(turn.variable)
    body = set_to(OUT, binary("+", read(OUT), value))
    after = result([OUT, BAG], (set_to(OUT, 0), *entries(4, 4)), s.For(turn, (body,)))
    assert cells(after)[0] == 1000 + total


def test_the_bounds_of_a_loop_are_evaluated_once() -> None:
    turn = bound("i", e.Range(number(1), read(X)))
    after = result([X], (set_to(X, 2),), s.For(turn, (set_to(X, binary("+", read(X), 1)),)))
    assert cells(after) == (4,)


def test_while() -> None:
    more = (set_to(X, binary("+", read(X), 1)),)
    assert cells(result([X], (), s.While(binary("<", read(X), 3), more, 3))) == (3,)
    assert isinstance(result([X], (), s.While(binary("<", read(X), 3), more, 2)), Failure)


def test_locals_are_undefined_each_time_their_block_is_entered() -> None:
    local = e.Variable("local", Optional(DIGIT))
    count = s.If((s.Branch(e.IsDefined(local), (set_to(X, 9),)),), ())
    block = s.Declare((local,), (count, set_to(local, 1)))
    assert cells(result([X], (), s.For(bound("i", e.All(NODE_TYPE)), (block,)))) == (0,)


def test_an_alias_is_the_place_its_indices_had_when_it_was_made() -> None:
    alias = e.Variable("alias", Optional(DIGIT))
    place = e.Index(ROW, read(N))
    body = (s.Assign(N, e.Constant(2, NODE_TYPE)), set_to(alias, 5))
    assert cells(result([ROW, N], (s.Assign(N, SECOND),), s.Bind(alias, place, body))) == (0, 6, 0, 3)


def test_a_let_is_the_value_it_had() -> None:
    name = e.Variable("name", INTEGER)
    body = (set_to(X, 5), set_to(Y, read(name)))
    assert cells(result([X, Y], (set_to(X, 4),), s.Let(name, read(X), body))) == (5, 5)


def test_return_ends_an_action() -> None:
    assert cells(result([X], (), set_to(X, 1), s.Return(), set_to(X, 2))) == (1,)


def test_what_is_assumed_asserted_and_covered() -> None:
    properties = (Property("assertion", "small"), Property("cover", "met"), Property("cover", "not met"))
    body = (s.Cover(e.TRUE, 1), s.Cover(e.FALSE, 2), s.Assert(binary("<", read(X), 2), 0, Span(3, 4)))
    made = program([X], Action("act", (), (*body, set_to(X, 1))), properties=properties)
    (step,) = steps(made, (1,))
    assert (step.result, step.covered, step.fired) == ((1,), {FIRST_PROPERTY + 1}, True)
    (step,) = steps(made, (2,))
    assert step.result == Failure("small", Span(3, 4), FIRST_PROPERTY)
    assert result([X], (), s.Assume(e.FALSE), s.Assert(e.FALSE, 0)) == DISCARDED
    assert result([X], (), s.Assume(e.TRUE)) == (0,)


# Functions

P, Q, R = e.Variable("p", DIGIT), e.Variable("q", DIGIT), e.Variable("r", Optional(DIGIT))


def function(*parameters: Parameter, body: s.Block, result_type: Type | None = None) -> Function:
    return Function("f", parameters, result_type, body)


def test_parameters_by_reference_change_and_by_value_do_not() -> None:
    swap = function(
        Parameter(P, True), Parameter(Q, False), body=(set_to(P, read(Q)), set_to(Q, 9), s.Return())
    )
    call = s.CallStatement(e.Call("f", (X, read(OUT)), BOOLEAN))
    assert cells(result([X, OUT], (set_to(OUT, 4),), call, functions=(swap,))) == (4, 1004)


def test_a_reference_is_the_place_not_its_content() -> None:
    both = function(
        Parameter(P, True), Parameter(Q, True), body=(set_to(P, 4), set_to(Q, binary("+", read(P), 1)))
    )
    call = s.CallStatement(e.Call("f", (X, X), BOOLEAN))
    assert cells(result([X], (), call, functions=(both,))) == (5,)


def test_results() -> None:
    double = function(Parameter(P, False), body=(s.Return(binary("+", read(P), read(P))),), result_type=DIGIT)
    nested = e.Call("f", (e.Call("f", (number(2),), DIGIT),), DIGIT)
    assert cells(result([X], (), s.Assign(X, nested), functions=(double,))) == (8,)
    failure = result([X], (), s.Assign(X, e.Call("f", (number(5),), DIGIT)), functions=(double,))
    assert failure == Failure("the value 10 is not in 0..9")


def test_structured_and_undefined_results_are_copied() -> None:
    other = variable("other", ROW.type)
    row = function(body=(s.Return(ROW),), result_type=ROW.type)
    copy = s.CopyCall(other, e.Call("f", (), ROW.type))
    start = (set_to(e.Index(ROW, SECOND), 7),)
    assert cells(result([ROW, other], start, copy, functions=(row,))) == (0, 8, 0, 0, 8, 0)
    nothing = function(body=(s.Return(Y),), result_type=Y.type)
    call = e.Call("f", (), Y.type)
    assert cells(result([Y], (), s.CopyCall(Y, call), functions=(nothing,))) == (0,)
    assert isinstance(result([X, Y], (), s.Assign(X, call), functions=(nothing,)), Failure)


def test_arguments_that_may_be_undefined_are_copied() -> None:
    body = (s.If((s.Branch(e.Not(e.IsDefined(R)), (set_to(R, 3), set_to(X, read(R)))),), ()),)
    call = s.CallStatement(e.Call("f", (Y,), BOOLEAN))
    assert cells(result([X, Y], (), call, functions=(function(Parameter(R, False), body=body),))) == (3, 0)


def test_functions_call_functions_and_change_the_state() -> None:
    inner = Function("g", (Parameter(Q, True),), None, (set_to(Q, binary("+", read(Q), 1)),))
    outer = function(body=(s.CallStatement(e.Call("g", (X,), BOOLEAN)), s.Return(read(X))), result_type=DIGIT)
    assert cells(result([X, OUT], (), s.Assign(OUT, e.Call("f", (), DIGIT)), functions=(inner, outer))) == (
        1,
        1001,
    )


# Bags


def test_entries_are_sorted() -> None:
    assert cells(result([BAG], entries(7, 2))) == (1, 2, 1, 7, 0, 0)
    assert cells(result([BAG], entries(7, 2), *entries(2))) == (1, 2, 1, 2, 1, 7)


def test_removing() -> None:
    assert cells(result([BAG], entries(7, 2, 4), s.Remove(BAG, number(1)))) == (1, 2, 1, 7, 0, 0)
    assert cells(result([BAG], entries(5, 2, 5), s.RemoveAll(I_BAG, five(I_BAG)))) == (1, 2, 0, 0, 0, 0)
    two = (s.Remove(BAG, number(0)), s.Remove(BAG, number(1)))
    assert cells(result([BAG], entries(7, 2, 4), *two)) == (1, 7, 0, 0, 0, 0)
    twice = (s.Remove(BAG, number(0)), s.Remove(BAG, number(0)))
    assert result([BAG], entries(7, 2, 4), *twice) == Failure("bag has no entry at position 0")


def test_entries_changed_in_place_are_sorted_when_the_action_ends() -> None:
    entry = e.Entry(BAG, read(I_BAG.variable))
    loop = s.For(I_BAG, (set_to(entry, binary("-", 9, read(entry))),))
    assert cells(result([BAG], entries(1, 2), loop)) == (1, 7, 1, 8, 0, 0)
    first = e.Entry(BAG, number(0))
    twice = (set_to(first, 8), set_to(first, binary("+", read(first), 1)))
    assert cells(result([BAG], entries(1, 2), *twice)) == (1, 2, 1, 9, 0, 0)
    then_added = (set_to(first, 8), *entries(3), set_to(first, 9))
    assert cells(result([BAG], entries(1, 2), *then_added)) == (1, 2, 1, 3, 1, 9)


def test_a_new_entry_takes_the_first_free_position() -> None:
    first = e.Entry(BAG, number(0))
    body = (s.Remove(BAG, number(0)), *entries(6), set_to(first, binary("+", read(first), 1)))
    assert cells(result([BAG], entries(1, 2), *body)) == (1, 2, 1, 7, 0, 0)


def test_what_is_written_to_an_entry_that_is_gone_is_lost() -> None:
    alias = e.Variable("alias", DIGIT)
    body = s.Bind(alias, e.Entry(BAG, number(0)), (s.Remove(BAG, number(0)), set_to(alias, 6)))
    assert cells(result([BAG], entries(1, 2), body)) == (1, 2, 0, 0, 0, 0)


def test_equal_bags_are_the_same_whatever_the_order_of_their_entries() -> None:
    other, flag = variable("other", BAG.type), variable("flag", BOOLEAN)
    body = (s.Copy(other, BAG), set_to(e.Entry(BAG, number(0)), 2), set_to(e.Entry(BAG, number(1)), 1))
    after = result([flag, BAG, other], entries(1, 2), *body, s.Assign(flag, e.Same(BAG, other)))
    assert cells(after)[0] == 1


def test_an_entry_can_be_added_to_its_own_bag() -> None:
    assert cells(result([BAG], entries(4, 1), s.Add(BAG, e.Entry(BAG, number(0))))) == (1, 1, 1, 1, 1, 4)


def test_bags_inside_bags_are_sorted_first() -> None:
    outer = variable("outer", Bag(Bag(DIGIT, 2), 2))
    inner, new = e.Variable("inner", Bag(DIGIT, 2)), e.Variable("new", DIGIT)
    fill = s.Declare((inner, new), tuple(
        each
        for values in ((9, 3), (5, 1))
        for each in (
            s.Undefine(inner), set_to(new, values[0]), s.Add(inner, new), set_to(new, values[1]), s.Add(inner, new),
            s.Add(outer, inner),
        )
    ))  # fmt: skip
    assert cells(result([outer], (), fill)) == (1, 1, 1, 1, 5, 1, 1, 3, 1, 9)


# Failures

CALL = e.Call("f", (), DIGIT, AT)
LOW, HIGH = number(-(2**63)), number(2**63 - 1)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (s.Assign(X, e.Read(Y, AT)), "y is undefined"),
        (s.Assign(X, number(10), AT), "the value 10 is not in 0..9"),
        (s.Assign(X, e.Convert(number(10), Integer(0, 3), AT)), "the value 10 is not in 0..3"),
        (s.Assign(N, e.Convert(e.Constant(0, ANY), NODE_TYPE, AT)), "the value home is not in Node"),
        (s.Copy(X, Y, AT), "the value copied is undefined"),
        (s.Copy(variable("small", Integer(0, 2)), OUT, AT), "the value -1000 is not in 0..2"),
        (set_to(e.Index(variable("tens", Array(DIGIT, DIGIT)), number(10), AT), 1), "the index 10 of tens is not in 0..9"),
        (set_to(e.Entry(BAG, number(1), AT), 1), "bag has no entry at position 1"),
        (set_to(e.Entry(BAG, number(-1), AT), 1), "bag has no entry at position -1"),
        (s.Remove(BAG, number(2), AT), "bag has no entry at position 2"),
        (s.For(I_ALL, (s.Add(BAG, X, AT),)), "bag is full: it has 3 entries"),
        (set_to(OUT, binary("/", 1, 0, AT)), "a division by zero"),
        (set_to(OUT, binary("%", 1, 0, AT)), "a division by zero"),
        (set_to(OUT, binary("+", HIGH, 1, AT)), "9223372036854775808 does not fit into 64 bits"),
        (set_to(OUT, binary("-", LOW, 1, AT)), "-9223372036854775809 does not fit into 64 bits"),
        (set_to(OUT, binary("*", HIGH, 2, AT)), "18446744073709551614 does not fit into 64 bits"),
        (set_to(OUT, binary("/", LOW, -1, AT)), "9223372036854775808 does not fit into 64 bits"),
        (set_to(OUT, e.Negate("-", LOW, AT)), "9223372036854775808 does not fit into 64 bits"),
        (s.For(bound("i", e.Range(number(1), number(2), number(0), AT)), ()), "the step of a range is zero"),
        (s.While(e.TRUE, (), 5, AT), "the loop takes more than 5 turns"),
        (s.Assign(X, CALL), "f came to its end without a result"),
        (s.CallStatement(CALL), "f came to its end without a result"),
        (s.Assert(e.FALSE, 0, AT), "wanted"),
    ],
    ids=str,
)  # fmt: skip
def test_failures(statement: s.Statement, message: str) -> None:
    more = [variable("tens", Array(DIGIT, DIGIT)), variable("small", Integer(0, 2))]
    after = result(
        [X, Y, N, BAG, OUT, *more],
        entries(5),
        statement,
        functions=(function(body=(), result_type=DIGIT),),
        properties=(Property("assertion", "wanted"),),
    )
    assert after == Failure(message, AT, FIRST_PROPERTY if message == "wanted" else ERROR)


def test_a_guard_that_fails_is_its_labels_failure() -> None:
    guard = binary("=", e.Read(Y, AT), 1)
    made = program([Y], Action("first", (), (), guard), Action("second", (), (set_to(Y, 1),)))
    first, second = steps(made, (0,))
    assert (first.result, first.fired) == (Failure("y is undefined", AT), False)
    assert (second.result, second.fired) == ((2,), True)


def test_what_a_guard_changes_is_forgotten() -> None:
    change = function(body=(set_to(X, 5), s.Return(e.TRUE)), result_type=BOOLEAN)
    made = program([X], Action("act", (), (), e.Call("f", (), BOOLEAN)), functions=(change,))
    assert successors(made, (0,)) == [((0, ()), (0,))]
