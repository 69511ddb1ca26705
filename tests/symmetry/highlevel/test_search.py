"""Declared and found symmetries: what is refused and where, what conditions cost, sorts that stay, large sorts, time."""

from __future__ import annotations

import time
from typing import Any

import pytest
from burnside.diagnostics import Span, UsageError
from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.terms import Apply, Literal
from burnside.ir.highlevel.types import BOOLEAN, Element, Sort
from burnside.limits import Deadline
from burnside.records import replace
from burnside.symmetry.elements import describe, element_group
from burnside.symmetry.highlevel import highlevel_symmetry

from tests.symmetry.highlevel.nets import (
    after,
    both,
    el,
    every,
    exists,
    found,
    holds,
    less,
    move,
    ne,
    net,
    order,
    pair,
    place,
    sort,
    struct,
    tokens,
    var,
)


def ring(own: Sort, **more: Any) -> HighLevelNet:
    """Each takes the forks of both neighbours at once."""
    x = var("x", own)
    forks = tokens(after(x, 1), after(x, own.size - 1))
    places = [place("thinks", Element(own), every(own)), place("eats", Element(own)),
              place("fork", Element(own), every(own))]  # fmt: skip
    steps = [
        move("take", [x], [(0, tokens(x)), (2, forks)], [(1, tokens(x))]),
        move("put", [x], [(1, tokens(x))], [(0, tokens(x)), (2, forks)]),
    ]
    return net([own], places, steps, **more)


def chosen(own: Sort, guard: Any, **more: Any) -> HighLevelNet:
    x = var("x", own)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    return net([own], places, [move("step", [x], [(0, tokens(x))], [(1, tokens(x))], guard(x))], **more)


def undeclared(model: HighLevelNet) -> HighLevelNet:
    return replace(model, searched=frozenset())


def test_declared_is_what_is_promised() -> None:
    symmetry = found(undeclared(ring(sort("P", 5, "cyclic"))), search=False)
    assert order(symmetry) == 5
    assert [each.source for each in symmetry.generators] == ["declared enumeration P"]
    assert not symmetry.refused


def test_mirror_images_are_found_where_a_ring_is_searched() -> None:
    assert order(found(ring(sort("P", 5, "cyclic")))) == 10
    assert order(found(ring(sort("P", 5)))) == 10
    assert order(found(undeclared(ring(sort("P", 5))))) == 1


def test_nothing_is_searched_where_only_declared_symmetries_are_wanted() -> None:
    symmetry = found(ring(sort("P", 5)), search=False)
    assert not symmetry.generators
    assert not symmetry.complete


def test_a_promise_is_refused_with_its_place() -> None:
    own = sort("P", 4, "full")
    constant = replace(el(own, 2), span=Span(7, 12))
    symmetry = found(undeclared(chosen(own, lambda x: ne(x, constant))), search=False)
    assert [(each.what, each.line, each.column) for each in symmetry.refused] == [("enumeration P", 7, 12)]
    assert "a constant of enumeration P, in the guard of step" in symmetry.refused[0].reason
    assert order(symmetry) == 6


def test_the_rest_of_a_refused_promise_is_found() -> None:
    symmetry = found(undeclared(ring(sort("P", 5, "full"))), search=False)
    assert "'successor' sees the ring of enumeration P" in symmetry.refused[0].reason
    assert order(symmetry) == 10


def test_a_refused_rotation_may_leave_some() -> None:
    own = sort("P", 6, "cyclic")
    symmetry = found(
        undeclared(chosen(own, lambda x: Apply("member", (x, halves(own)), BOOLEAN))), search=False
    )
    assert [each.line for each in symmetry.refused] == [1]
    assert order(symmetry) == 3


def halves(own: Sort) -> Literal:
    from burnside.ir.highlevel.types import SetOf

    return Literal(frozenset([0, 2, 4]), SetOf(Element(own)))


@pytest.mark.parametrize("symmetry", ["full", "cyclic"])
def test_order_is_named_in_a_refusal(symmetry: Any) -> None:
    own = sort("P", 3, symmetry)
    y = var("y", own)
    refused = found(undeclared(chosen(own, lambda x: exists(y, less(y, x))))).refused
    assert "'less' sees the order of enumeration P" in refused[0].reason


def test_an_initial_marking_is_named_in_a_refusal() -> None:
    own = sort("P", 3, "full")
    some = replace(place("p", Element(own), tokens(el(own, 1))), span=Span(3, 4))
    refused = found(undeclared(net([own], [some], []))).refused
    assert (refused[0].line, refused[0].reason) == (
        3,
        "the initial marking of p names some elements of enumeration P",
    )


def test_broken_sorts_stay() -> None:
    assert order(found(ring(sort("P", 5)), broken=["P"])) == 1
    with pytest.raises(UsageError, match="no sort 'Q'"):
        found(ring(sort("P", 5)), broken=["Q"])


def test_conditions_restrict_and_are_named() -> None:
    model = ring(sort("P", 4))
    places, own = model.places, model.sorts[0]
    x = var("x", own)
    kept = Claim("goal", "some", exists(x, holds(places, 1, x)))
    first = Claim("goal", "first", holds(places, 1, el(own, 0)))
    assert order(found(model)) == 8
    assert order(found(model, conditions=[kept])) == 8
    symmetry = found(model, conditions=[kept, first])
    assert order(symmetry) == 2
    assert symmetry.restricted_by == ("first",)
    assert symmetry.complete


def test_two_conditions_that_change_places_are_both_kept() -> None:
    own = sort("P", 2, "full")
    x = var("x", own)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    claims = [Claim("goal", f"at {at}", holds(places, 1, el(own, at))) for at in range(2)]
    symmetry = found(net([own], places, [move("t", [x], [(0, tokens(x))], [(1, tokens(x))])], claims))
    assert order(symmetry) == 1
    assert symmetry.restricted_by == ("at 0", "at 1")
    assert not symmetry.refused


def test_a_value_is_a_condition() -> None:
    model = chosen(sort("P", 4, "full"), lambda x: both())
    asked = Claim("goal", "step(p1)", el(model.sorts[0], 1))
    symmetry = highlevel_symmetry(model, conditions=[asked])
    assert order(symmetry) == 6
    assert symmetry.restricted_by == ("step(p1)",)


def test_instances_that_change_their_variables() -> None:
    """Exchanging the elements exchanges the variables: the image of step(p0, p1) is itself."""
    own = sort("P", 2)
    x, y = var("x", own), var("y", own)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    guard = both(ne(x, el(own, 1)), ne(y, el(own, 0)))
    model = net([own], places, [move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(x))], guard)])
    assert order(found(model)) == 1
    model = net([own], places, [move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(x, y))], guard)])
    symmetry = found(model)
    assert order(symmetry) == 2
    assert symmetry.generators[0].variables == ((1, 0),)
    restricted = symmetry.keeping_instances([0], "step(p0, p1)")
    assert not restricted.generators
    assert restricted.restricted_by == ("step(p0, p1)",)
    assert symmetry.keeping_instances([], "nothing") == symmetry


def test_transitions_that_change_places() -> None:
    own = sort("P", 2)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    steps = [move(f"t{at}", [], [(0, tokens(el(own, at)))], [(1, tokens(el(own, at)))]) for at in range(2)]
    symmetry = found(net([own], places, steps))
    assert symmetry.generators[0].actions == (1, 0)


def test_names_of_elements_that_sorts_share() -> None:
    one = Sort("One", ("1", "2"), "fixed", "range")
    other = Sort("Other", ("1", "2"), "fixed", "range")
    type_ = struct(Element(one), Element(other))
    start = tokens(*(pair(el(one, at), el(other, at)) for at in range(2)))
    symmetry = found(net([one, other], [place("p", type_, start)], []))
    assert symmetry.point_names == ("One=1", "One=2", "Other=1", "Other=2")
    assert [each.cycles for each in symmetry.generators] == ["(One=1 One=2)(Other=1 Other=2)"]
    described = describe(symmetry, element_group(symmetry), model="m", language="l")
    assert (described.order, described.structure, described.complete) == (2, "C2", True)


@pytest.mark.parametrize(("size", "symmetry"), [(500, "full"), (2_000, "cyclic"), (1_000_000, "full")])
def test_large_sorts(size: int, symmetry: Any) -> None:
    """Of the largest nothing is permuted, and that is said."""
    own = sort("P", size, symmetry)
    x, y = var("x", own), var("y", own)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    step = move(
        "step", [x, y], [(0, tokens(x, y))], [(1, tokens(x, after(y) if symmetry == "cyclic" else y))]
    )
    model = replace(net([own], places, [step]), searched=frozenset())
    start = time.monotonic()
    result = highlevel_symmetry(model)
    assert time.monotonic() - start < 20
    assert len(result.generators) == {"full": 2, "cyclic": 1}[symmetry] * (size < 1_000_000)
    assert result.complete == (size == 500)


def test_a_large_sort_beside_a_small_one() -> None:
    own, large = sort("P", 3), sort("Large", 1_000_000)
    x = var("x", own)
    places = [place("from", Element(own), every(own)), place("to", Element(own))]
    step = move("step", [x], [(0, tokens(x))], [(1, tokens(x))])
    start = time.monotonic()
    symmetry = highlevel_symmetry(net([own, large], places, [step]))
    assert len(symmetry.generators) == 2
    assert symmetry.complete
    assert time.monotonic() - start < 20


def test_the_time_is_over() -> None:
    symmetry = highlevel_symmetry(ring(sort("P", 5)), deadline=Deadline(0.0))
    assert not symmetry.in_time
    assert not symmetry.complete
    assert not symmetry.generators
