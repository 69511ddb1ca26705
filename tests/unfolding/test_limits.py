"""Unfoldings that are too large, or have no end, are given up in bounded time, with a diagnostic and exit code 3."""

from __future__ import annotations

import pytest
from burnside.diagnostics import LimitError
from burnside.exit_codes import UNKNOWN
from burnside.families.highlevel import token_ring
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import Apply, Binding, Literal, Variable
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, Element, ListOf, SetOf
from burnside.limits import Deadline, OutOfTime
from burnside.unfolding import Limits, unfold

from tests.highlevel_nets import equal, every, natural, nothing, one, pairs, sort, struct

N = Variable("n", NATURAL)
SMALL = Limits(2000)


def growing(type_: object, first: object, step: object, variable: Variable) -> HighLevelNet:
    place = Place("p", type_, one(Literal(first, type_)))  # type: ignore[arg-type]
    return HighLevelNet(
        "growing",
        (),
        (place,),
        (Transition("grow", (variable,), (Arc(0, one(variable)),), (Arc(0, one(step)),)),),
    )  # type: ignore[arg-type]


def refusal(net: HighLevelNet, limits: Limits = SMALL) -> str:
    with pytest.raises(LimitError) as raised:
        unfold(net, limits, source="net.hln")
    assert raised.value.exit_code == UNKNOWN
    return str(raised.value)


class TestWithoutEnd:
    def test_numbers(self) -> None:
        said = refusal(growing(NATURAL, 0, Apply("add", (N, natural(1)), NATURAL), N))
        assert "more than 2,000 transitions; 2,000 transitions are instances of grow" in said
        assert "--max-transitions N allows for more" in said

    def test_tokens_of_endless_types_have_a_limit_of_their_own(self) -> None:
        said = refusal(growing(NATURAL, 0, Apply("add", (N, natural(1)), NATURAL), N), Limits(60_000))
        assert "more than 5,000 places for tokens of types without end, some of them in p" in said

    def test_large_numbers(self) -> None:
        assert "numbers beyond 2^62" in refusal(
            growing(NATURAL, 1, Apply("multiply", (N, natural(2)), NATURAL), N)
        )

    def test_lists(self) -> None:
        of = Element(sort("A", 2))
        queue = Variable("q", ListOf(of))
        longer = Apply("concatenate", (queue, queue), ListOf(of))
        by_one = Apply("add-last", (queue, Literal(0, of)), ListOf(of))
        for step in (longer, by_one):
            said = refusal(growing(ListOf(of), (0,), step, queue))
            assert "the values of tokens have more than 500,000 parts together" in said


class TestTooLarge:
    def test_transitions(self) -> None:
        said = refusal(token_ring(20))
        assert said.startswith("net.hln: ")
        assert "the unfolding has more than 2,000 transitions" in said

    def test_just_fits(self) -> None:
        count = len(unfold(token_ring(5)).net.transitions)
        assert len(unfold(token_ring(5), Limits(count)).net.transitions) == count
        assert f"more than {count - 1} transitions" in refusal(token_ring(5), Limits(count - 1))

    def test_places(self) -> None:
        large = Element(sort("A", 1100))
        pair = pairs(large, large)
        net = HighLevelNet("places", (large.sort,), (Place("p", pair, every(pair)),), ())
        assert "more than 50,000 places" in refusal(net)

    def test_arcs(self) -> None:
        large = Element(sort("A", 5000))
        x, y = Variable("x", large), Variable("y", large)
        net = HighLevelNet(
            "arcs",
            (large.sort,),
            (Place("p", large, every(large)),),
            (Transition("t", (x, y), (Arc(0, one(x)), Arc(0, one(y))), (Arc(0, every(large)),)),),
        )
        assert "more than 50,000,000 arcs" in refusal(net, Limits())

    def test_values_that_are_tried(self) -> None:
        large = Element(sort("A", 1000))
        x, y, z = (Variable(name, large) for name in "xyz")
        guard = Apply("less", (Apply("distance", (x, y), NATURAL), natural(0)), BOOLEAN)
        net = HighLevelNet(
            "work",
            (large.sort,),
            (Place("p", large, every(large)),),
            (
                Transition(
                    "t", (x, y, z), (Arc(0, one(x)),), (Arc(0, one(z)),),
                    Apply("and", (guard, equal(y, y), equal(z, z)), BOOLEAN),
                ),
            ),
        )  # fmt: skip
        assert not unfold(net).net.transitions  # checked before z is gone through
        late = Apply(
            "less", (Apply("distance", (x, y), NATURAL), Apply("distance", (z, z), NATURAL)), BOOLEAN
        )
        with_all = HighLevelNet(
            "work", net.sorts, net.places, (Transition("t", (x, y, z), (Arc(0, one(x)),), (), late),)
        )
        said = refusal(with_all)
        assert "unfolding tries more than 4,000,000 values of variables" in said

    def test_values_that_are_tried_by_the_reference_evaluator(self) -> None:
        large, small = Element(sort("A", 200)), Element(sort("B", 1))
        x, y, z = (*(Variable(name, large) for name in "xy"), Variable("z", small))
        late = Apply("less", (Apply("distance", (x, y), NATURAL), natural(0)), BOOLEAN)
        guard = Apply("and", (late, Binding("exists", z, equal(z, z), BOOLEAN)), BOOLEAN)
        net = HighLevelNet(
            "work",
            (large.sort, small.sort),
            (Place("p", large, every(large)),),
            (Transition("t", (x, y), (Arc(0, one(x)),), (), guard),),
        )
        assert "by more than 20,000 evaluations" in refusal(net)
        assert not unfold(net, Limits(400_000)).net.transitions

    def test_weights(self) -> None:
        from burnside.ir.highlevel.terms import tokens

        of = Element(sort("A", 2))
        large = tokens(Literal(0, of), natural(2**61))
        both = Apply("scaled", (natural(16), large), Bag(of))
        x = Variable("x", of)
        net = HighLevelNet(
            "weights",
            (of.sort,),
            (Place("p", of, one(Literal(0, of))),),
            (Transition("t", (x,), (Arc(0, one(x)),), (Arc(0, both),)),),
        )
        assert "more tokens than 64 bits can count" in refusal(net)
        assert "more tokens than 64 bits can count" in refusal(
            HighLevelNet("weights", (of.sort,), (Place("p", of, both),), ())
        )


class TestLargeTypes:
    def test_all_of_a_large_type(self) -> None:
        large = Element(sort("A", 2000))
        cube = pairs(large, large, large)
        net = HighLevelNet("large", (large.sort,), (Place("p", cube, every(cube)),), ())
        assert "more than 50,000 places" in refusal(net)
        x = Variable("x", cube)
        guard = Binding("forall", x, equal(x, x), BOOLEAN)
        net = HighLevelNet(
            "large", (large.sort,), (Place("p", large, every(large)),), (Transition("t", (), (), (), guard),)
        )
        assert "more than 50,000 places" in refusal(net)

    def test_a_variable_that_only_its_type_bounds(self) -> None:
        sets = SetOf(Element(sort("A", 40)))
        x = Variable("x", sets)
        net = HighLevelNet(
            "sets", (), (Place("p", sets, nothing(sets)),), (Transition("t", (x,), (), (Arc(0, one(x)),)),)
        )
        said = refusal(net)
        assert "the unfolding goes through all values of 'x' of t, of type set(A)" in said

    def test_a_large_type_of_which_little_is_used(self) -> None:
        large = Element(sort("A", 1000))
        cube = pairs(large, large, large)
        x, y, z = (Variable(name, large) for name in "xyz")
        net = HighLevelNet(
            "cube",
            (large.sort,),
            (Place("p", cube, one(Literal((1, 2, 3), cube))),),
            (Transition("t", (x, y, z), (Arc(0, one(struct(x, y, z))),), (Arc(0, one(struct(y, z, x))),)),),
        )
        found = unfold(net, SMALL).net
        assert len(found.places) == len(found.transitions) == 3


def test_the_deadline() -> None:
    with pytest.raises(OutOfTime):
        unfold(token_ring(60), deadline=Deadline(0.01))
    with pytest.raises(OutOfTime):
        unfold(token_ring(6), deadline=Deadline(0.001), general=True)
