"""Small programs for the tests of the reference engine, written with few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.types import (
    INTEGER,
    Bag,
    Element,
    Integer,
    Optional,
    Sort,
    Type,
    Union,
)
from burnside.reference.steps import Result, initial_states, successors

NODE = Sort("Node", ("n1", "n2", "n3"), "full", "scalarset")
HOME = Sort("Home", ("home",), "fixed", "enum")
COLOUR = Sort("Colour", ("red", "green"), "fixed", "enum")
NODE_TYPE, HOME_TYPE, COLOUR_TYPE = Element(NODE), Element(HOME), Element(COLOUR)
ANY = Union((HOME, NODE))
DIGIT = Integer(0, 9)
BIG = Integer(-1000, 1000)


def variable(name: str, type_: Type) -> e.Variable:
    return e.Variable(name, type_, is_state=True)


def number(value: int) -> e.Constant:
    return e.Constant(value, INTEGER)


def read(place: e.Place) -> e.Read:
    return e.Read(place)


def binary(operator: Any, left: Any, right: Any, span: Span | None = None) -> e.Binary:
    return e.Binary(
        operator, *(number(each) if isinstance(each, int) else each for each in (left, right)), span
    )


def set_to(place: e.Place, value: Any) -> s.Assign:
    return s.Assign(place, number(value) if isinstance(value, int) else value)


def program(variables: Sequence[e.Variable], *actions: Action, start: s.Block = (), **more: Any) -> Program:
    sorts = (NODE, HOME, COLOUR)
    return Program("test", sorts, tuple(variables), (Action("start", (), start),), actions, **more)


def result(variables: Sequence[e.Variable], start: s.Block, *body: s.Statement, **more: Any) -> Result:
    """What one action makes of a start state that does not fail."""
    made = program(variables, Action("act", (), body), start=start, **more)
    ((_, state),) = initial_states(made)
    assert isinstance(state, tuple)
    ((label, after),) = successors(made, state)
    assert label == (0, ())
    return after


X, Y = variable("x", DIGIT), variable("y", Optional(DIGIT))
N = variable("n", Optional(NODE_TYPE))
BAG = variable("bag", Bag(DIGIT, 3))
SECOND = e.Constant(1, NODE_TYPE)
AT = Span(7, 3, 2)


def bound(name: str, domain: e.Domain) -> e.Bound:
    return e.Bound(name, domain)


def entries(*values: int) -> s.Block:
    """Puts numbers into the bag."""
    local = e.Variable("new", DIGIT)
    return tuple(s.Declare((local,), (set_to(local, value), s.Add(BAG, local))) for value in values)
