"""High-level nets of growing size, after models of the Model Checking Contest. In: a number. Out: a `HighLevelNet`."""

from __future__ import annotations

from burnside.families.highlevel_texts import airplane, lamport, lockstep, peterson
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    TRUE,
    Apply,
    Binding,
    Conditional,
    Literal,
    Select,
    Term,
    Variable,
    element,
    tokens,
    type_of,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    Sort,
    Struct,
    TokenType,
)
from burnside.ir.types import Symmetry

DOT_VALUE = Literal((), DOT)


def philosophers(count: int) -> HighLevelNet:
    """Forks are taken one by one; 5 instances for each philosopher."""
    of = _element("Philo", count, "cyclic")
    x = Variable("x", of)
    left = _successor(x, count - 1)
    marked = {"Think": _all(of), "Fork": _all(of)}
    names = ("Think", "Fork", "Catch1", "Catch2", "Eat")
    places = tuple(Place(name, of, marked.get(name, _none(of))) for name in names)
    think, fork, first, second, eat = range(5)
    steps = (
        ("FF1a", ((think, x), (fork, left)), ((first, x),)),
        ("FF1b", ((think, x), (fork, x)), ((second, x),)),
        ("FF2a", ((first, x), (fork, x)), ((eat, x),)),
        ("FF2b", ((second, x), (fork, left)), ((eat, x),)),
        ("End", ((eat, x),), ((think, x), (fork, x), (fork, left))),
    )
    transitions = tuple(_transition(name, (x,), takes, gives) for name, takes, gives in steps)
    return HighLevelNet(f"philosophers {count}", (of.sort,), places, transitions)


def token_ring(count: int) -> HighLevelNet:
    """About count^3 instances. The contest's TokenRing-COL-N has one process more than N."""
    of = _element("Process", count, "cyclic")
    i, x, y = (Variable(name, of) for name in "ixy")
    pair = Struct((Field("1", of), Field("2", of)))
    s = Variable("s", pair)
    same = Apply("equal", (Select(s, "1"), Select(s, "2")), BOOLEAN)
    once = Conditional(same, Literal(1, NATURAL), Literal(0, NATURAL))
    diagonal = Binding("bag", s, once, Bag(pair))
    first, last = element(of.sort, 0), element(of.sort, count - 1)
    differ = _not(Apply("equal", (x, y), BOOLEAN))
    before = _successor(i, count - 1)
    takes = ((0, _pair(pair, first, x)), (0, _pair(pair, last, x)))
    gives = ((0, _pair(pair, first, _successor(x, 1))), (0, _pair(pair, last, x)))
    other_takes = ((0, _pair(pair, i, x)), (0, _pair(pair, before, y)))
    other_gives = ((0, _pair(pair, i, y)), (0, _pair(pair, before, y)))
    inside = Apply("and", (_not(Apply("equal", (i, first), BOOLEAN)), differ), BOOLEAN)
    return HighLevelNet(
        f"token ring {count}",
        (of.sort,),
        (Place("State", pair, diagonal),),
        (
            _transition("MainProcess", (x,), takes, gives),
            _transition("OtherProcess", (i, x, y), other_takes, other_gives, inside),
        ),
    )


def shared_memory(count: int) -> HighLevelNet:
    """Processors with memories and one bus; about 2 count^2 instances."""
    of = _element("P", count, "full")
    x, y = Variable("x", of), Variable("y", of)
    pair = Struct((Field("1", of), Field("2", of)))
    places = (
        Place("Active", of, _all(of)),
        Place("Memory", of, _all(of)),
        Place("OwnMemAcc", of, _none(of)),
        Place("Queue", of, _none(of)),
        Place("ExtMemAcc", pair, _none(pair)),
        Place("Ext_Bus", DOT, tokens(DOT_VALUE, Literal(1, NATURAL))),
    )
    active, memory, own, queue, external, bus = range(6)
    access = _pair(pair, x, y)
    differ = _not(Apply("equal", (x, y), BOOLEAN))
    transitions = (
        _transition("Begin_Own_Acc", (x,), ((active, x),), ((own, x),)),
        _transition("End_Own_Acc", (x,), ((own, x), (memory, x)), ((active, x), (memory, x))),
        _transition("Req_Ext_Acc", (x,), ((active, x),), ((queue, x),)),
        _transition(
            "Begin_Ext_Acc",
            (x, y),
            ((queue, x), (memory, y), (bus, DOT_VALUE)),
            ((external, access),),
            differ,
        ),
        _transition(
            "End_Ext_Acc", (x, y), ((external, access),), ((active, x), (memory, y), (bus, DOT_VALUE)), differ
        ),
    )
    return HighLevelNet(f"shared memory {count}", (of.sort,), places, transitions)


def referendum(count: int) -> HighLevelNet:
    """2 instances for each voter, and one with as many arcs as there are voters."""
    of = _element("Voters", count, "full")
    x = Variable("x", of)
    places = (
        Place("ready", DOT, tokens(DOT_VALUE, Literal(1, NATURAL))),
        Place("voting", of, _none(of)),
        Place("voted_yes", of, _none(of)),
        Place("voted_no", of, _none(of)),
    )
    start = Transition("start", (), (Arc(0, tokens(DOT_VALUE, Literal(1, NATURAL))),), (Arc(1, _all(of)),))
    transitions = (
        start,
        _transition("yes", (x,), ((1, x),), ((2, x),)),
        _transition("no", (x,), ((1, x),), ((3, x),)),
    )
    return HighLevelNet(f"referendum {count}", (of.sort,), places, transitions)


FAMILIES = {
    "philosophers": philosophers,
    "token ring": token_ring,
    "shared memory": shared_memory,
    "referendum": referendum,
    "airplane": airplane,
    "lamport": lamport,
    "peterson": peterson,
    "lockstep": lockstep,
}

Ends = tuple[tuple[int, Term], ...]


def _transition(
    name: str, variables: tuple[Variable, ...], takes: Ends, gives: Ends, guard: Term = TRUE
) -> Transition:
    def arcs(ends: Ends) -> tuple[Arc, ...]:
        return tuple(Arc(place, tokens(value, Literal(1, NATURAL))) for place, value in ends)

    return Transition(name, variables, arcs(takes), arcs(gives), guard)


def _element(name: str, count: int, symmetry: Symmetry) -> Element:
    return Element(Sort(name, tuple(str(number) for number in range(1, count + 1)), symmetry, "sort"))


def _pair(type_: Struct, one: Term, other: Term) -> Apply:
    return Apply("struct", (one, other), type_)


def _successor(value: Term, steps: int) -> Apply:
    return Apply("successor", (value, Literal(steps, NATURAL)), type_of(value))


def _not(condition: Term) -> Apply:
    return Apply("not", (condition,), BOOLEAN)


def _all(of: TokenType) -> Apply:
    return Apply("all", (), Bag(of))


def _none(of: TokenType) -> Apply:
    return Apply("sum", (), Bag(of))
