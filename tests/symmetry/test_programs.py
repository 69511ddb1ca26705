"""Certification of element permutations, rule by rule, on programs built by hand."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Parameter, Program, Property
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Element,
    Field,
    Integer,
    Optional,
    Record,
    Sort,
    Type,
    Union,
)
from burnside.records import replace
from burnside.symmetry import Refusal
from burnside.symmetry.points import on_sort, rotation, transposition
from burnside.symmetry.programs import certify

PID = Sort("PID", ("a", "b", "c"), "full", "scalarset")
HEAD = Sort("HEAD", ("h",), "fixed", "enum")
P = Element(PID)
POINTER = Union((HEAD, PID))
SPAN = Span(7, 11)


def state(name: str, type_: Type) -> e.Variable:
    return e.Variable(name, type_, is_state=True)


FLAG = state("flag", Array(P, Optional(BOOLEAN)))
OWNER = state("owner", Optional(P))
COUNT = state("count", Optional(Integer(0, 3)))
SOME = state("some", Optional(BOOLEAN))
SURE = state("sure", BOOLEAN)
ENTRY = Record((Field("from", Optional(P)),))
NET = state("net", Bag(ENTRY, 3))
NEXT = state("next", Array(POINTER, Optional(POINTER)))
VARIABLES = (FLAG, OWNER, COUNT, SOME, SURE, NET, NEXT)

I = e.Bound("i", e.All(P))  # noqa: E741
J = e.Bound("j", e.All(P))
M = e.Bound("m", e.Positions(NET))


def read(place: e.Place) -> e.Read:
    return e.Read(place, SPAN)


def at(array: e.Place, bound: e.Bound) -> e.Index:
    return e.Index(array, read(bound.variable), SPAN)


def equal(left: e.Expression, right: e.Expression) -> e.Binary:
    return e.Binary("=", left, right, SPAN)


def number(value: int) -> e.Constant:
    return e.Constant(value, INTEGER)


def element(value: int) -> e.Constant:
    return e.Constant(value, P, SPAN)


def assign(place: e.Place, value: e.Expression) -> s.Assign:
    return s.Assign(place, value, SPAN)


def program(
    *body: s.Statement,
    parameters: tuple[e.Bound, ...] = (),
    guard: e.Expression = e.TRUE,
    start: s.Block = (),
    properties: tuple[Property, ...] = (Property("assertion", "one"), Property("assertion", "two")),
    functions: tuple[Function, ...] = (),
) -> Program:
    return Program(
        "made",
        (HEAD, PID),
        VARIABLES,
        (Action("start", (), start, span=Span(1, 1)),),
        (Action("act", parameters, body, guard, span=Span(2, 1)),),
        properties,
        functions,
    )


def swapped(made: Program) -> Refusal | None:
    return certify(made, on_sort(made, PID, transposition(3, 0, 1)))


def loop(*body: s.Statement, bound: e.Bound = I) -> s.For:
    return s.For(bound, body, SPAN)


def test_only_permutations_of_sorts_are_asked_about() -> None:
    with pytest.raises(ValueError, match="leave"):
        certify(program(), (1, 0, 2, 3))
    with pytest.raises(ValueError, match="permutation"):
        certify(program(), (0, 1, 1, 3))
    assert certify(program(assign(OWNER, element(0))), (0, 1, 2, 3)) is None


# Operations

COMPATIBLE = {
    "storing": assign(OWNER, read(I.variable)),
    "comparing": assign(SOME, equal(read(OWNER), read(I.variable))),
    "indexing": assign(at(FLAG, I), e.TRUE),
    "converting to a union": assign(
        e.Index(NEXT, e.Convert(read(I.variable), POINTER)), e.Convert(read(I.variable), POINTER)
    ),
    "converting from a union": assign(OWNER, e.Convert(read(at(NEXT, I)), P, SPAN)),
    "asking for membership": assign(SOME, e.IsMember(read(at(NEXT, I)), PID)),
    "quantifying": assign(SOME, e.Quantified("exists", J, read(at(FLAG, J)))),
    "undefining": s.Undefine(OWNER),
    "computing with numbers": assign(COUNT, e.Binary("+", read(COUNT), number(1))),
}
INCOMPATIBLE = {
    "ordering": assign(SOME, e.Binary("<", read(OWNER), read(I.variable), SPAN)),
    "adding": assign(COUNT, e.Binary("+", read(OWNER), number(1), SPAN)),
    "negating": assign(COUNT, e.Negate("-", read(OWNER), SPAN)),
    "converting to a number": assign(COUNT, e.Convert(read(OWNER), Integer(0, 3), SPAN)),
    "converting from a number": assign(OWNER, e.Convert(number(0), P, SPAN)),
    "storing as a number": assign(COUNT, read(OWNER)),
    "bounding a range": s.For(
        e.Bound("k", e.Range(number(0), read(OWNER), span=SPAN)), (assign(SOME, e.TRUE),), SPAN
    ),
    "comparing with another type": assign(SOME, equal(read(OWNER), number(1))),
}


@pytest.mark.parametrize("name", COMPATIBLE)
def test_compatible_operations_are_accepted(name: str) -> None:
    assert swapped(program(COMPATIBLE[name], parameters=(I,))) is None


@pytest.mark.parametrize("name", INCOMPATIBLE)
def test_incompatible_operations_are_refused_with_their_place(name: str) -> None:
    refusal = swapped(program(INCOMPATIBLE[name], parameters=(I,)))
    assert refusal is not None
    assert (refusal.line, refusal.column) == (7, 11)
    assert refusal.what == "(a b)"


def test_clear_writes_the_first_element() -> None:
    made = program(s.Clear(OWNER))
    assert swapped(made) is not None
    assert certify(made, on_sort(made, PID, transposition(3, 1, 2))) is None
    assert swapped(program(s.Clear(FLAG))) is None


def test_what_cannot_be_undefined_begins_as_the_first_element() -> None:
    bare = state("bare", P)
    made = replace(program(), variables=(*VARIABLES, bare))
    assert swapped(made) is not None
    start = Action("start", (I,), (assign(bare, read(I.variable)),))
    assert swapped(replace(made, starts=(start,))) is None


# Positions of bags


def test_positions_name_entries_and_nothing_else() -> None:
    sender = e.Component(e.Entry(NET, read(M.variable), SPAN), "from")
    taken = s.Remove(NET, read(M.variable), SPAN)
    assert swapped(program(assign(OWNER, read(sender)), taken, parameters=(M,))) is None
    stored = swapped(program(assign(COUNT, read(M.variable)), parameters=(M,)))
    assert stored is not None and "position" in stored.reason
    named = swapped(program(s.Remove(NET, number(0), SPAN)))
    assert named is not None and (named.line, named.column) == (7, 11)


def test_a_position_that_may_have_been_taken_again_is_refused() -> None:
    other = e.Bound("n", e.Positions(NET))
    new = e.Variable("new", ENTRY)
    body = (
        s.Remove(NET, read(M.variable), SPAN),
        s.Remove(NET, read(other.variable), SPAN),
        s.Declare((new,), (s.Add(NET, new, SPAN),)),
    )
    use = s.Remove(NET, read(M.variable), SPAN)
    assert swapped(program(*body, parameters=(M, other))) is None
    refusal = swapped(program(*body, use, parameters=(M, other)))
    assert refusal is not None and "removed" in refusal.reason


def test_loops_over_entries_must_not_depend_on_their_order() -> None:
    sender = e.Component(e.Entry(NET, read(M.variable)), "from")
    assert swapped(program(loop(s.Undefine(sender), bound=M))) is None
    assert swapped(program(loop(assign(OWNER, read(sender)), bound=M))) is not None


# Loops

BY_TURN = assign(at(FLAG, I), e.TRUE)
EXCHANGEABLE = {
    "places that differ in the variable": loop(BY_TURN),
    "reading its own place": loop(assign(at(FLAG, I), e.Not(read(at(FLAG, I))))),
    "nested": loop(loop(assign(at(FLAG, J), read(SURE)), bound=J)),
    "one constant": loop(assign(SOME, e.TRUE)),
    "one value": loop(assign(SOME, read(SURE))),
    "counting": loop(
        s.If((s.Branch(read(at(FLAG, I)), (assign(COUNT, e.Binary("+", read(COUNT), number(1))),)),), ())
    ),
    "joining": loop(assign(SOME, e.Junction("or", (read(SOME), read(SURE))))),
    "a variable of the turn": loop(
        s.Declare((e.Variable("t", Optional(P)),), (assign(e.Variable("t", Optional(P)), read(I.variable)),))
    ),
    "asserting": loop(s.Assert(e.IsDefined(at(FLAG, I)), 0, SPAN)),
    "adding entries": loop(s.Declare((e.Variable("x", ENTRY),), (s.Add(NET, e.Variable("x", ENTRY), SPAN),))),
    "undefining": loop(s.Undefine(OWNER)),
    "an alias": loop(
        s.Bind(e.Variable("x", Optional(BOOLEAN)), at(FLAG, I), (assign(e.Variable("x", BOOLEAN), e.TRUE),))
    ),
}
ORDERED = {
    "the last one wins": loop(assign(OWNER, read(I.variable))),
    "reading another's place": loop(assign(at(FLAG, I), read(e.Index(FLAG, read(OWNER))))),
    "reading what others write": loop(assign(SOME, e.TRUE), assign(at(FLAG, I), read(SOME))),
    "two constants": loop(
        s.If((s.Branch(read(at(FLAG, I)), (assign(SOME, e.TRUE),)),), (assign(SOME, e.FALSE),))
    ),
    "up and down": loop(
        s.If(
            (s.Branch(read(at(FLAG, I)), (assign(COUNT, e.Binary("+", read(COUNT), number(1))),)),),
            (assign(COUNT, e.Binary("-", read(COUNT), number(1))),),
        )
    ),
    "joining what may fail": loop(assign(SOME, e.Junction("or", (read(SOME), read(at(FLAG, I)))))),
    "asserting what may fail": loop(s.Assert(read(at(FLAG, I)), 0, SPAN)),
    "asserting two things": loop(
        s.Assert(read(at(FLAG, I)), 0, SPAN), s.Assert(e.Not(read(at(FLAG, I))), 1, SPAN)
    ),
    "assuming beside a failure": loop(s.Assume(read(at(FLAG, I)))),
    "returning what may fail": loop(s.If((s.Branch(read(at(FLAG, I)), (s.Return(),)),), ())),
    "leaving after a change": loop(BY_TURN, s.Return()),
    "removing and adding": loop(
        s.Declare(
            (e.Variable("x", ENTRY),),
            (s.Add(NET, e.Variable("x", ENTRY), SPAN), s.Remove(NET, read(M.variable), SPAN)),
        ),
        bound=M,
    ),
}


@pytest.mark.parametrize("name", EXCHANGEABLE)
def test_loops_without_an_order_are_accepted(name: str) -> None:
    assert swapped(program(EXCHANGEABLE[name])) is None


@pytest.mark.parametrize("name", ORDERED)
def test_loops_with_an_order_are_refused_with_their_place(name: str) -> None:
    refusal = swapped(program(ORDERED[name]))
    assert refusal is not None
    assert (refusal.line, refusal.column) == (7, 11)


def test_a_loop_left_early_without_a_trace_is_accepted() -> None:
    flags = state("flags", Array(P, BOOLEAN))
    found = s.If((s.Branch(read(e.Index(flags, read(I.variable))), (s.Return(),)),), ())
    made = replace(program(loop(found)), variables=(*VARIABLES, flags))
    assert swapped(made) is None


def test_procedures_are_followed_with_their_arguments() -> None:
    flag, which = e.Variable("x", Optional(BOOLEAN)), e.Variable("who", P)
    by_reference = Function("Set", (Parameter(flag, True),), None, (assign(flag, e.TRUE),))
    by_value = Function(
        "SetOf", (Parameter(which, False),), None, (assign(e.Index(FLAG, read(which)), e.TRUE),)
    )
    last = Function("Last", (Parameter(which, False),), None, (assign(OWNER, read(which)),))
    calls = [
        (by_reference, (at(FLAG, I),), True),
        (by_value, (read(I.variable),), True),
        (last, (read(I.variable),), False),
    ]
    for function, arguments, good in calls:
        call = s.CallStatement(e.Call(function.name, arguments, BOOLEAN, SPAN))
        assert (swapped(program(loop(call), functions=(function,))) is None) is good


def test_names_of_functions_and_actions_may_be_alike() -> None:
    """A procedure's own loop over `i` is not the caller's."""
    inner = Function("F", (), None, (loop(assign(at(FLAG, I), read(SURE))),))
    body = loop(s.CallStatement(e.Call("F", (), BOOLEAN)), assign(at(FLAG, I), e.Not(read(at(FLAG, I)))))
    assert swapped(program(body, functions=(inner,))) is not None


@pytest.mark.parametrize("every", [True, False])
def test_a_quantifier_that_changes_something_is_a_loop(every: bool) -> None:
    """Where all instances are evaluated, what they write must not depend on the order; where the first that decides is the
    last that is evaluated, nothing may be written."""
    changing = Function("F", (), BOOLEAN, (assign(SOME, e.TRUE), s.Return(e.TRUE)))
    test = e.Quantified("forall", I, e.Call("F", (), BOOLEAN, SPAN), every)
    assert (swapped(program(assign(SURE, test), functions=(changing,))) is None) is every
    parameter = Parameter(e.Variable("p", P), by_reference=False)
    keeping = Function(
        "F", (parameter,), BOOLEAN, (assign(OWNER, read(parameter.variable)), s.Return(e.TRUE))
    )
    last = e.Quantified("forall", I, e.Call("F", (read(I.variable),), BOOLEAN, SPAN), every)
    assert swapped(program(assign(SURE, last), functions=(keeping,))) is not None


# Constants


def test_a_named_element_is_told_apart() -> None:
    refusal = swapped(program(assign(OWNER, element(1))))
    assert refusal == Refusal("(a b)", "the action 'act' names b, and nothing does the same with a", 7, 11)
    assert certify(program(assign(OWNER, element(2))), (0, 2, 1, 3)) is None


def test_actions_may_change_places() -> None:
    one, two = (Action(f"to {i}", (), (assign(OWNER, element(i)),)) for i in (0, 1))
    made = program()
    assert swapped(replace(made, actions=(one, two))) is None
    assert swapped(replace(made, actions=(one, two, one))) is not None
    assert swapped(replace(made, actions=(two, one, *made.actions))) is None


def test_start_states_may_change_places() -> None:
    starts = tuple(Action("", (), (assign(OWNER, element(i)),)) for i in range(3))
    made = replace(program(), starts=starts)
    assert swapped(made) is None
    assert certify(made, on_sort(made, PID, rotation(3))) is None
    assert swapped(replace(made, starts=starts[1:])) is not None


def flag_of(i: int) -> e.Expression:
    return read(e.Index(FLAG, element(i)))


NORMAL = {
    "independent statements": (
        assign(e.Index(FLAG, element(0)), e.TRUE),
        assign(e.Index(FLAG, element(1)), e.TRUE),
    ),
    "both sides of an equality": (assign(SOME, equal(flag_of(0), flag_of(1))),),
    "exclusive branches": (
        s.If(
            (
                s.Branch(equal(read(OWNER), element(0)), (assign(OWNER, element(1)),)),
                s.Branch(equal(read(OWNER), element(1)), (assign(OWNER, element(0)),)),
            ),
            (),
        ),
    ),
    "exclusive values": (
        assign(
            OWNER,
            e.Conditional(
                equal(read(OWNER), element(0)),
                element(1),
                e.Conditional(equal(read(OWNER), element(1)), element(0), element(2)),
            ),
        ),
    ),
    "parts that fail alike": (
        assign(SOME, e.Junction("or", (equal(read(OWNER), element(0)), equal(read(OWNER), element(1))))),
    ),
}
NOT_NORMAL = {
    "parts that fail differently": (assign(SOME, e.Junction("and", (flag_of(0), flag_of(1)))),),
    "statements that touch each other": (
        assign(e.Index(FLAG, element(0)), flag_of(1)),
        assign(e.Index(FLAG, element(1)), flag_of(0)),
    ),
    "branches that do not exclude each other": (
        s.If(
            (
                s.Branch(flag_of(0), (assign(OWNER, element(0)),)),
                s.Branch(flag_of(1), (assign(OWNER, element(1)),)),
            ),
            (),
        ),
    ),
}


@pytest.mark.parametrize("name", NORMAL)
def test_the_order_of_writing_does_not_matter(name: str) -> None:
    assert swapped(program(*NORMAL[name])) is None


@pytest.mark.parametrize("name", NOT_NORMAL)
def test_the_order_of_doing_does(name: str) -> None:
    assert swapped(program(*NOT_NORMAL[name])) is not None


def test_what_is_always_defined_cannot_fail() -> None:
    """Then parts of `and` may change places."""
    start = (loop(assign(at(FLAG, I), e.FALSE)),)
    body = NOT_NORMAL["parts that fail differently"]
    assert swapped(program(*body, start=start)) is None
    undone = Action("undo", (I,), (s.Undefine(at(FLAG, I)),))
    made = program(*body, start=start)
    assert swapped(replace(made, actions=(*made.actions, undone))) is not None


def test_functions_are_compared_by_what_they_do() -> None:
    functions = tuple(Function(f"To{i}", (), None, (assign(OWNER, element(i)), s.Return())) for i in (0, 1))
    actions = tuple(Action(f"act {i}", (), (s.CallStatement(e.Call(f"To{i}", (), BOOLEAN)),)) for i in (0, 1))
    assert swapped(replace(program(functions=functions), actions=actions)) is None
    assert swapped(replace(program(functions=functions), actions=actions[:1])) is not None


# Properties


def test_every_property_is_kept_by_itself() -> None:
    """A verdict is about one property: two that change places are not enough, except assumptions. (These are evaluated in
    order until one is false, so they must not be able to fail.)"""
    both = tuple(e.IsDefined(e.Index(FLAG, element(i))) for i in (0, 1))
    for kind, good in (("invariant", False), ("cover", False), ("assumption", True)):
        properties = tuple(Property(kind, f"{kind} {i}", each) for i, each in enumerate(both))  # type: ignore[arg-type]
        assert (swapped(program(properties=properties)) is None) is good


def test_assumptions_that_may_fail_do_not_change_places() -> None:
    properties = tuple(Property("assumption", f"{i}", e.Not(flag_of(i))) for i in (0, 1))
    assert swapped(program(properties=properties)) is not None


def test_an_assertion_belongs_to_its_property() -> None:
    actions = tuple(Action(f"act {i}", (), (s.Assert(flag_of(i), i),)) for i in (0, 1))
    assert swapped(replace(program(), actions=actions)) is not None
    same = tuple(Action(f"act {i}", (), (s.Assert(flag_of(i), 0),)) for i in (0, 1))
    assert swapped(replace(program(), actions=same)) is None
