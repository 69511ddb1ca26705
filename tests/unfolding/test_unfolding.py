"""The fast unfolding against the definition: on nets with every type constructor, and on random ones."""

from __future__ import annotations

from random import Random

import pytest
from burnside.diagnostics import InputError
from burnside.families.highlevel import token_ring
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import (
    Apply,
    Binding,
    Cast,
    Conditional,
    Inject,
    IsOf,
    Literal,
    Term,
    Variable,
)
from burnside.ir.highlevel.types import (
    BOOLEAN,
    DOT,
    NATURAL,
    Bag,
    Element,
    Field,
    ListOf,
    MapOf,
    SetOf,
    Struct,
    Union,
    domain_size,
)
from burnside.reference.highlevel.unfolding import unfolding
from burnside.unfolding import Limits, Unfolded, unfold
from burnside.unfolding.codes import Codes
from burnside.unfolding.planning import Indices, encoded_transition
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.highlevel_nets import (
    DOT_VALUE,
    TYPES,
    equal,
    every,
    natural,
    negation,
    nothing,
    one,
    pairs,
    philosophers,
    random_net,
    sort,
    struct,
    successor,
    together,
)

A = Element(sort("A", 3))
X, Y = Variable("x", A), Variable("y", A)


def agrees(net: HighLevelNet) -> Unfolded:
    """By the core as far as it knows the net, and by the evaluator alone."""
    check_net(net)
    expected = unfolding(net)
    for general in (False, True):
        found = unfold(net, general=general)
        assert found.net == expected.net
        assert [found.place(each) for each in range(len(found.net.places))] == list(expected.places)
        assert [found.instance(each) for each in range(len(found.net.transitions))] == list(
            expected.instances
        )
        for number, (place, value) in enumerate(expected.places):
            assert found.place_number(place, value) == number
        for number, instance in enumerate(expected.instances):
            assert found.transition_number(instance) == number
    return found


def known_to_the_core(net: HighLevelNet) -> list[bool]:
    codes = Codes(Limits())
    return [
        encoded_transition(net, each, codes, Indices()) is not None for each in range(len(net.transitions))
    ]


def one_transition(place: Place, transition: Transition, *more: Place) -> HighLevelNet:
    return HighLevelNet("net", (A.sort,), (place, *more), (transition,))


def started(type_: object, value: object) -> Place:
    return Place("p", type_, one(Literal(value, type_)))  # type: ignore[arg-type]


class TestNames:
    def test_places_and_instances(self) -> None:
        found = agrees(philosophers(3)).net
        assert found.places[3:6] == ("fork<p1>", "fork<p2>", "fork<p3>")
        assert found.transitions[0] == "take(p=p1)"
        assert [found.places[place] for place, _ in found.consumes[2]] == [
            "think<p3>",
            "fork<p1>",
            "fork<p3>",
        ]

    def test_of_structs_and_dots(self) -> None:
        found = agrees(token_ring(3)).net
        assert found.places[1] == "State<1, 2>"
        dots = one_transition(started(DOT, ()), Transition("t", (), (Arc(0, one(DOT_VALUE)),), ()))
        assert agrees(dots).net.places == ("p",)
        assert agrees(dots).net.transitions == ("t",)

    def test_names_that_clash(self) -> None:
        places = (Place("p", A, every(A)), Place("p<a1>", DOT, one(DOT_VALUE)))
        net = HighLevelNet("net", (A.sort,), places, ())
        assert unfold(net).net.places == ("p<a1>", "p<a2>", "p<a3>", "p<a1>#2")


class TestSupports:
    def test_places_that_nothing_marks_are_not_there(self) -> None:
        found = unfold(philosophers(2))
        assert found.place_number(2, 0) is not None
        unmarked = one_transition(
            Place("p", A, nothing(A)), Transition("t", (X,), (Arc(0, one(X)),), (Arc(0, one(X)),))
        )
        found = agrees(unmarked)
        assert found.net.places == found.net.transitions == ()
        assert found.place_number(0, 1) is None
        assert found.transition_number((0, (1,))) is None

    def test_a_chain_of_supports(self) -> None:
        ring = Element(sort("R", 50, "cyclic"))
        x = Variable("x", ring)
        step = Transition("step", (x,), (Arc(0, one(x)),), (Arc(0, one(successor(x))),))
        found = agrees(HighLevelNet("ring", (ring.sort,), (started(ring, 7),), (step,)))
        assert len(found.net.places) == len(found.net.transitions) == 50
        assert sum(found.net.initial) == 1

    def test_what_is_undefined_is_not_there(self) -> None:
        """all - x - y has no value where x = y."""
        rest = Apply("bag-difference", (every(A), together(one(X), one(Y))), Bag(A))
        net = one_transition(
            Place("p", A, every(A)),
            Transition("t", (X, Y), (Arc(0, together(one(X), one(Y))),), (Arc(0, rest),)),
        )
        assert known_to_the_core(net) == [True]
        assert len(agrees(net).net.transitions) == 6

    def test_an_instance_waits_for_tokens_that_no_pattern_matches(self) -> None:
        """It takes all but x, which come one after the other."""
        rest = Apply("bag-difference", (every(A), one(X)), Bag(A))
        ring = Transition("ring", (X,), (Arc(0, one(X)),), (Arc(0, one(successor(X))),))
        take = Transition("take", (X,), (Arc(0, rest),), (Arc(1, one(DOT_VALUE)),))
        net = HighLevelNet("net", (A.sort,), (started(A, 1), Place("q", DOT, nothing(DOT))), (take, ring))
        assert known_to_the_core(net) == [True, True]
        found = agrees(net)
        assert found.net.transitions[:3] == ("take(x=a1)", "take(x=a2)", "take(x=a3)")
        assert found.net.consumes[1] == ((0, 1), (2, 1))

    def test_instances_with_the_same_arcs_are_two(self) -> None:
        net = one_transition(
            Place("p", A, every(A)), Transition("t", (X, Y), (Arc(0, one(X)),), (Arc(0, one(X)),))
        )
        found = agrees(net)
        assert len(found.net.transitions) == 9
        assert len(set(found.net.consumes)) == 3

    def test_arcs_between_the_same_two_add_up(self) -> None:
        arcs = (Arc(0, one(X)), Arc(0, Apply("tokens", (Y, natural(2))[::-1], Bag(A))))
        net = one_transition(Place("p", A, every(A)), Transition("t", (X, Y), arcs, ()))
        found = agrees(net)
        assert found.net.consumes[found.net.transitions.index("t(x=a2, y=a2)")] == ((1, 3),)

    def test_no_tokens_of_a_kind(self) -> None:
        none = Apply("scaled", (natural(0), one(X)), Bag(A))
        agrees(
            one_transition(Place("p", A, nothing(A)), Transition("t", (X,), (Arc(0, none),), (Arc(0, none),)))
        )


class TestGuards:
    def test_an_equation_gives_a_value(self) -> None:
        guard = Apply("and", (equal(Y, successor(X)), negation(equal(X, Literal(2, A)))), BOOLEAN)
        transition = Transition("t", (X, Y), (Arc(0, one(X)),), (Arc(0, one(Y)),), guard)
        net = one_transition(Place("p", A, every(A)), transition)
        assert agrees(net).net.transitions == ("t(x=a1, y=a2)", "t(x=a2, y=a3)")

    def test_all_that_the_core_knows(self) -> None:
        inner = pairs(A, BOOLEAN)
        type_ = Struct((Field("a", A), Field("inner", inner)))
        v = Variable("v", type_)
        from burnside.ir.highlevel.terms import Lookup, Select, Update

        position = Apply("position", (X,), NATURAL)
        guards: list[Term] = [
            equal(Select(v, "a"), X),
            equal(Select(Select(v, "inner"), "1"), X),
            Select(Select(v, "inner"), "2"),
            Apply("less", (Select(v, "a"), X), BOOLEAN),
            Apply("less-equal", (X, Literal(1, A)), BOOLEAN),
            Apply("less", (position, natural(2)), BOOLEAN),
            equal(Apply("distance", (X, Select(v, "a")), NATURAL), natural(2)),
            equal(Lookup("f", (2, 0, 2), X, A), X),
            Apply("implies", (equal(X, Select(v, "a")), Select(Select(v, "inner"), "2")), BOOLEAN),
            Apply("iff", (equal(X, Select(v, "a")), Select(Select(v, "inner"), "2")), BOOLEAN),
            Apply("xor", (equal(X, Select(v, "a")), Select(Select(v, "inner"), "2")), BOOLEAN),
            equal(Update(v, "a", X), v),
            equal(Conditional(equal(X, Literal(0, A)), Select(v, "a"), X), Literal(1, A)),
            Apply("or", (equal(X, Literal(0, A)), Select(Select(v, "inner"), "2")), BOOLEAN),
        ]
        values = Literal(
            frozenset({((a, (b, c)), 1) for a, b, c in [(0, 1, True), (1, 1, False), (2, 0, True)]}),
            Bag(type_),
        )
        for guard in guards:
            back = Update(v, "inner", struct(X, Literal(True, BOOLEAN)))
            transition = Transition("t", (v, X), (Arc(0, one(v)),), (Arc(0, one(back)),), guard)
            net = one_transition(Place("p", type_, values), transition)
            assert known_to_the_core(net) == [True], guard
            assert agrees(net).net.transitions

    def test_quantifiers(self) -> None:
        guard = Binding("exists", Y, equal(successor(Y), X), BOOLEAN)
        net = one_transition(Place("p", A, every(A)), Transition("t", (X,), (Arc(0, one(X)),), (), guard))
        assert known_to_the_core(net) == [False]
        assert len(agrees(net).net.transitions) == 3


class TestTypes:
    """Every constructor: what grows is bounded by a guard."""

    def test_numbers(self) -> None:
        n = Variable("n", NATURAL)
        more = Apply("add", (n, natural(3)), NATURAL)
        guard = Apply("less", (n, natural(10)), BOOLEAN)
        net = one_transition(
            started(NATURAL, 0), Transition("t", (n,), (Arc(0, one(n)),), (Arc(0, one(more)),), guard)
        )
        assert agrees(net).net.places == ("p<0>", "p<3>", "p<6>", "p<9>", "p<12>")

    def test_numbers_in_structs(self) -> None:
        n = Variable("n", NATURAL)
        less = struct(X, Apply("subtract", (n, natural(1)), NATURAL))
        type_ = pairs(A, NATURAL)
        net = one_transition(
            Place("p", type_, together(one(Literal((0, 3), type_)), one(Literal((2, 1), type_)))),
            Transition("t", (X, n), (Arc(0, one(struct(X, n))),), (Arc(0, one(less)),)),
        )
        assert len(agrees(net).net.transitions) == 4

    def test_lists(self) -> None:
        type_ = ListOf(A)
        queue = Variable("queue", type_)
        short = Apply("less", (Apply("length", (queue,), NATURAL), natural(3)), BOOLEAN)
        put = Apply("add-last", (queue, X), type_)
        first = Apply("get", (queue, natural(1)), A)
        rest = Apply("drop-first", (queue, natural(1)), type_)
        net = HighLevelNet(
            "queue",
            (A.sort,),
            (started(type_, ()), Place("q", A, nothing(A))),
            (
                Transition("put", (queue, X), (Arc(0, one(queue)),), (Arc(0, one(put)),), short),
                Transition("get", (queue,), (Arc(0, one(queue)),), (Arc(0, one(rest)), Arc(1, one(first)))),
                Transition(
                    "two",
                    (X, Y),
                    (Arc(0, one(Apply("list", (X, Y), type_))),),
                    (Arc(0, one(Apply("list", (Y, X), type_))),),
                ),
            ),
        )
        found = agrees(net)
        assert len(found.places_of(0)) == 1 + 3 + 9 + 27
        assert "p<[a1, a3]>" in found.net.places
        assert len(found.instances_of(2)) == 9

    def test_sets(self) -> None:
        type_ = SetOf(A)
        s = Variable("s", type_)
        more = Apply("union", (s, Apply("set", (X,), type_)), type_)
        absent = negation(Apply("member", (X, s), BOOLEAN))
        net = one_transition(
            started(type_, frozenset()),
            Transition("t", (s, X), (Arc(0, one(s)),), (Arc(0, one(more)),), absent),
        )
        found = agrees(net)
        assert len(found.net.places) == 8
        assert found.net.places[0] == "p<{}>"
        assert len(found.net.transitions) == 12

    def test_multisets(self) -> None:
        type_ = Bag(A)
        m = Variable("m", type_)
        less = Apply("bag-difference", (m, one(X)), type_)
        net = one_transition(
            started(type_, frozenset({(0, 2), (1, 1)})),
            Transition("t", (m, X), (Arc(0, one(m)),), (Arc(0, one(less)),)),
        )
        assert len(agrees(net).net.places) == 6

    def test_maps(self) -> None:
        type_ = MapOf(A, BOOLEAN)
        m = Variable("m", type_)
        put = Apply("assign", (m, X, Literal(True, BOOLEAN)), type_)
        net = one_transition(
            started(type_, frozenset()),
            Transition(
                "t",
                (m, X),
                (Arc(0, one(m)),),
                (Arc(0, one(put)),),
                negation(Apply("defined", (m, X), BOOLEAN)),
            ),
        )
        assert len(agrees(net).net.places) == 8

    def test_unions(self) -> None:
        type_ = Union((Field("idle", DOT), Field("busy", A)))
        u = Variable("u", type_)
        begin = Transition(
            "begin", (u, X), (Arc(0, one(u)),), (Arc(0, one(Inject("busy", X, type_))),), IsOf(u, "idle")
        )
        end = Transition(
            "end",
            (X,),
            (Arc(0, one(Inject("busy", X, type_))),),
            (Arc(0, one(Inject("idle", DOT_VALUE, type_))),),
        )
        other = Transition(
            "other",
            (u,),
            (Arc(0, one(u)),),
            (Arc(0, one(Inject("busy", successor(Cast(u, "busy")), type_))),),
        )
        net = HighLevelNet("union", (A.sort,), (started(type_, (0, ())),), (begin, end, other))
        assert known_to_the_core(net) == [True, True, False]
        assert agrees(net).net.places == ("p<idle>", "p<busy(a1)>", "p<busy(a2)>", "p<busy(a3)>")

    def test_multisets_by_comprehension(self) -> None:
        number = Conditional(equal(X, Y), natural(2), natural(0))
        both = Binding("bag", Y, number, Bag(A))
        net = one_transition(
            Place("p", A, every(A)), Transition("t", (X,), (Arc(0, one(X)),), (Arc(0, both),))
        )
        assert known_to_the_core(net) == [True]
        assert agrees(net).net.produces == (((0, 2),), ((1, 2),), ((2, 2),))


SIMPLE = tuple(each for each in TYPES if domain_size(each) is not None)


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.booleans())
def test_random_nets(seed: int, is_simple: bool) -> None:
    net = random_net(Random(seed), SIMPLE if is_simple else TYPES)
    try:
        found = unfold(net, Limits(1000))
    except InputError:  # the initial marking has no value
        return
    if len(found.net.transitions) <= 300:
        agrees(net)


def test_random_nets_reach_both_ways_to_unfold() -> None:
    known = [each for seed in range(60) for each in known_to_the_core(random_net(Random(seed)))]
    assert min(known.count(True), known.count(False)) > 30


def test_the_marking_has_no_value() -> None:
    initial = Apply("bag-difference", (one(Literal(0, A)), one(Literal(1, A))), Bag(A))
    net = HighLevelNet("net", (A.sort,), (Place("p", A, initial),), ())
    with pytest.raises(InputError, match="the initial marking of p has no value"):
        unfold(net)


def test_markings_there_and_back() -> None:
    found = unfold(philosophers(3))
    start = found.marking(found.net.initial)
    assert start == (frozenset({(0, 1), (1, 1), (2, 1)}), frozenset({(0, 1), (1, 1), (2, 1)}), frozenset())
    assert found.state(start) == found.net.initial
    assert unfold(token_ring(3)).state((frozenset({((0, 1), 1)}),)) is not None
