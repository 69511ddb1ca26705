"""Declared, found, restricted and broken symmetries of programs built by hand."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Span, UsageError
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Parameter, Program, Property
from burnside.ir.types import BOOLEAN, INTEGER, Array, Element, Integer, Optional, Sort
from burnside.records import replace
from burnside.symmetry.programs import ProgramSymmetry, find, program_symmetry

PID = Sort("PID", ("a", "b", "c", "d"), "full", "scalarset")
COLOUR = Sort("COLOUR", ("red", "green", "blue"), "fixed", "enum")
SHAPE = Sort("SHAPE", ("round", "square", "flat"), "fixed", "enum")


def state(name: str, type_: object) -> e.Variable:
    return e.Variable(name, type_, is_state=True)  # type: ignore[arg-type]


FLAG = state("flag", Array(Element(PID), BOOLEAN))
I = e.Bound("i", e.All(Element(PID)))  # noqa: E741


def made(
    sorts: tuple[Sort, ...],
    variables: tuple[e.Variable, ...],
    actions: tuple[Action, ...],
    start: s.Block = (),
    properties: tuple[Property, ...] = (),
    functions: tuple[Function, ...] = (),
) -> Program:
    return Program("made", sorts, variables, (Action("start", (), start),), actions, properties, functions)


def flagging(*properties: Property) -> Program:
    set_flag = s.Assign(e.Index(FLAG, e.Read(I.variable)), e.TRUE)
    return made((PID,), (FLAG,), (Action("set", (I,), (set_flag,)),), properties=properties)


def flag_of(element: int) -> e.Expression:
    return e.Read(e.Index(FLAG, e.Constant(element, Element(PID), Span(3, 5))))


def cycles(symmetry: ProgramSymmetry) -> list[str]:
    return [each.cycles for each in symmetry.generators]


# Declared


def test_a_scalarset_has_all_permutations() -> None:
    symmetry = program_symmetry(flagging(), search=False)
    assert cycles(symmetry) == ["(a b)", "(a b c d)"]
    assert {each.source for each in symmetry.generators} == {"declared scalarset PID"}
    assert symmetry.complete and not symmetry.refused and not symmetry.restricted_by


def test_a_ring_has_rotations() -> None:
    ring = replace(PID, symmetry="cyclic", origin="ring")
    turned = Array(Element(ring), BOOLEAN)
    program = made((ring,), (state("flag", turned),), ())
    assert cycles(program_symmetry(program, search=False)) == ["(a b c d)"]


def test_a_promise_that_does_not_hold_is_refused_with_its_place() -> None:
    program = flagging()
    named = s.Assign(e.Index(FLAG, e.Constant(2, Element(PID), Span(9, 4))), e.FALSE)
    symmetry = program_symmetry(replace(program, actions=(*program.actions, Action("reset", (), (named,)))))
    assert cycles(symmetry) == ["(a b)", "(a b d)"], "what does not name c is exchangeable all the same"
    (refusal,) = symmetry.refused
    assert refusal.what == "scalarset PID"
    assert (refusal.line, refusal.column) == (9, 4)
    assert not symmetry.complete


def test_a_property_restricts_the_group_to_what_keeps_it() -> None:
    symmetry = program_symmetry(flagging(Property("invariant", "never d", e.Not(flag_of(3)))))
    assert cycles(symmetry) == ["(a b)", "(a b c)"]
    assert symmetry.restricted_by == ("never d",)
    assert not symmetry.refused and not symmetry.complete
    pairs = e.Binary("=", flag_of(0), flag_of(1))
    symmetry = program_symmetry(flagging(Property("invariant", "alike", pairs)))
    assert cycles(symmetry) == ["(a b)", "(c d)"]


def test_a_property_that_orders_elements_leaves_nothing() -> None:
    ordered = e.Quantified("forall", I, e.Binary("<", e.Read(I.variable), e.Read(I.variable), Span(2, 2)))
    symmetry = program_symmetry(flagging(Property("invariant", "ordered", ordered)))
    assert symmetry.generators == () and symmetry.refused == ()
    assert symmetry.restricted_by == ("ordered",)


def test_broken_sorts_do_not_move() -> None:
    assert program_symmetry(flagging(), broken=["PID"]).generators == ()
    with pytest.raises(UsageError, match=r"(?s)no sort 'QID'.*the sorts are PID"):
        program_symmetry(flagging(), broken=["QID"])


# Enumerations

TONE = state("tone", Optional(Element(COLOUR)))
FORM = state("form", Optional(Element(SHAPE)))


def colour(i: int) -> e.Constant:
    return e.Constant(i, Element(COLOUR))


def paint(i: int) -> Action:
    return Action(f"paint {COLOUR.elements[i]}", (), (s.Assign(TONE, colour(i)),))


def test_names_that_are_used_alike_are_exchanged() -> None:
    symmetry = find(made((COLOUR,), (TONE,), tuple(map(paint, range(3)))))
    assert cycles(symmetry) == ["(red green)", "(red green blue)"]
    assert symmetry.generators[0].source == "found: enum COLOUR"
    assert symmetry.generators[0].actions == (1, 0, 2)
    assert symmetry.complete
    assert program_symmetry(symmetry.program, search=False).generators == ()


def test_some_of_the_names() -> None:
    symmetry = find(made((COLOUR,), (TONE,), tuple(map(paint, range(3))), (s.Assign(TONE, colour(1)),)))
    assert cycles(symmetry) == ["(red blue)"]
    assert not symmetry.complete


def test_names_of_two_sorts_that_go_together() -> None:
    actions = tuple(
        Action(
            f"act {i}",
            (),
            (s.Assign(TONE, colour(i)), s.Assign(FORM, e.Constant((i + 1) % 3, Element(SHAPE)))),
        )
        for i in range(3)
    )
    symmetry = find(made((COLOUR, SHAPE), (TONE, FORM), actions))
    assert "(red green)(square flat)" in cycles(symmetry)
    assert all("together" in each.source for each in symmetry.generators)


def test_a_sort_that_no_state_knows_is_left_alone() -> None:
    wish = e.Bound("wish", e.All(Element(COLOUR)))
    program = flagging()
    assert cycles(find(replace(program, sorts=(PID, COLOUR), actions=(Action("a", (wish,), ()),)))) == [
        "(a b)",
        "(a b c d)",
    ]


# Ranges

SLOT = Integer(0, 3)
BUSY = state("busy", Array(SLOT, Optional(BOOLEAN)))
TURN = state("turn", Optional(SLOT))
K = e.Bound("k", e.All(SLOT))
EVERYTHING = e.Bound("all", e.Range(e.Constant(0, INTEGER), e.Constant(3, INTEGER)))
IDLE = s.For(EVERYTHING, (s.Assign(e.Index(BUSY, e.Read(EVERYTHING.variable)), e.FALSE),))


def number(value: int) -> e.Constant:
    return e.Constant(value, INTEGER)


def slots(*body: s.Statement, start: s.Block = (IDLE,), functions: tuple[Function, ...] = ()) -> Program:
    take = s.Assign(e.Index(BUSY, e.Read(K.variable)), e.TRUE)
    mine = e.Binary("=", e.Read(TURN), e.Read(K.variable))
    return made((), (BUSY, TURN), (Action("take", (K,), (take, *body), mine),), start, functions=functions)


def test_a_range_used_like_a_scalarset_becomes_a_sort() -> None:
    symmetry = find(slots(s.Assign(TURN, e.Read(K.variable))))
    assert cycles(symmetry) == ["(0 1)", "(0 1 2 3)"]
    assert symmetry.generators[0].source == "found: range 0..3"
    (sort,) = symmetry.program.sorts
    assert (sort.name, sort.elements, sort.origin) == ("0..3", ("0", "1", "2", "3"), "range")
    assert symmetry.program.variables[1].type == Optional(Element(sort))
    assert isinstance(symmetry.program.starts[0].body[0], s.For)
    assert symmetry.program.starts[0].body[0].bound.domain == e.All(Element(sort))


def test_a_range_can_have_the_users_name_and_be_broken() -> None:
    program = slots()
    assert find(program, range_names={(0, 3): "Slot"}).program.sorts[0].name == "Slot"
    assert program_symmetry(program, broken=["0..3"]).generators == ()


def test_constants_that_are_told_apart_stay() -> None:
    symmetry = find(slots(s.Assign(TURN, number(3))))
    assert cycles(symmetry) == ["(0 1)", "(0 1 2)"]


def test_numbers_that_are_ordered_or_computed_with_stay_numbers() -> None:
    low = s.If((s.Branch(e.Binary("<", e.Read(TURN), number(2)), ()),), ())
    next_one = s.Assign(TURN, e.Binary("+", e.Read(K.variable), number(1)))
    for body in (low, next_one):
        program = slots(body)
        assert find(program) == ProgramSymmetry(program=program, generators=(), complete=True)


def test_a_range_that_meets_another_stays() -> None:
    wide = state("wide", Optional(Integer(0, 7)))
    program = slots(s.Assign(wide, e.Read(K.variable)))
    program = replace(program, variables=(*program.variables, wide))
    assert find(program).generators == ()


def test_a_ring_is_found_by_its_arithmetic() -> None:
    following = e.Binary("%", e.Binary("+", e.Read(K.variable), number(1)), number(4))
    symmetry = find(slots(s.Assign(TURN, following)))
    assert cycles(symmetry) == ["(0 1 2 3)"]


def test_a_ring_is_found_by_its_conditions() -> None:
    i = e.Variable("i", SLOT)
    previous = Function(
        "Left",
        (Parameter(i, False),),
        SLOT,
        (
            s.If(
                (s.Branch(e.Binary("=", e.Read(i), number(0)), (s.Return(number(3)),)),),
                (s.Return(e.Convert(e.Binary("-", e.Read(i), number(1)), SLOT)),),
            ),
        ),
    )
    symmetry = find(slots(s.Assign(TURN, e.Call("Left", (e.Read(K.variable),), SLOT)), functions=(previous,)))
    assert cycles(symmetry) == ["(0 1 2 3)"]


def test_a_ring_that_begins_somewhere_has_no_symmetry() -> None:
    following = e.Binary("%", e.Binary("+", e.Read(K.variable), number(1)), number(4))
    program = slots(s.Assign(TURN, following), start=(IDLE, s.Assign(TURN, number(0))))
    assert find(program).generators == ()
    assert find(program).program is program


def test_a_ring_read_in_both_directions_can_be_read_backwards() -> None:
    steps = [e.Binary("%", e.Binary("+", e.Read(K.variable), number(by)), number(4)) for by in (1, 3)]
    program = slots()
    actions = tuple(Action("", (K,), (s.Assign(TURN, each),)) for each in steps)
    symmetry = find(replace(program, actions=(*program.actions, *actions)))
    assert cycles(symmetry) == ["(0 2)", "(1 3)", "(0 1 2 3)"]
    assert [each.actions for each in symmetry.generators] == [(0, 2, 1), (0, 2, 1), (0, 1, 2)]
