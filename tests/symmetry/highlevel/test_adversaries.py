"""Nets that break one plausible inference each. The group has to be the right one: with all permutations of the sorts the
reference engine would say something else than without reduction."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.terms import TRUE, Apply, Inject, Literal, Lookup
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
    Union,
)

from tests.symmetry.highlevel.nets import (
    DOT_TERM,
    after,
    agrees,
    all_of_sorts,
    both,
    el,
    eq,
    every,
    exists,
    forall,
    found,
    holds,
    less,
    move,
    ne,
    net,
    num,
    order,
    pair,
    place,
    some,
    sort,
    struct,
    tokens,
    var,
)

A = sort("A", 3)
B = sort("B", 3)
EA, EB = Element(A), Element(B)
x, y, u = var("x", A), var("y", A), var("u", B)
Made = Callable[[], HighLevelNet]

CASES: dict[str, tuple[Made, int]] = {}


def adversary(expected: int) -> Callable[[Made], Made]:
    def remembered(make: Made) -> Made:
        CASES[make.__name__] = make, expected
        return make

    return remembered


def one_step(guard: object = TRUE, take: object = None, put: object = None, **more: object) -> HighLevelNet:
    """From a place with every element, one element after the other."""
    places = [place("from", EA, every(A)), place("to", EA)]
    step = move(
        "step",
        [x],
        [(0, take or tokens(x))],  # type: ignore[list-item]
        [(1, put or tokens(x))],  # type: ignore[list-item]
        guard,  # type: ignore[arg-type]
    )
    return net([A], places, [step], **more)  # type: ignore[arg-type]


@adversary(2)
def constant_in_a_guard() -> HighLevelNet:
    return one_step(ne(x, el(A, 1)))


@adversary(2)
def constants_of_a_disjunction() -> HighLevelNet:
    return one_step(some(eq(x, el(A, 0)), eq(x, el(A, 2))))


@adversary(2)
def constants_inside_a_set() -> HighLevelNet:
    return one_step(Apply("member", (x, Literal(frozenset([0, 2]), SetOf(EA))), BOOLEAN))


@adversary(1)
def order_of_elements() -> HighLevelNet:
    places = [place("from", EA, every(A)), place("to", EA)]
    step = move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(x))], less(x, y))
    return net([A], places, [step])


@adversary(2)
def order_with_a_smallest_element_only() -> HighLevelNet:
    return one_step(exists(y, less(y, x)))


@adversary(1)
def elements_counted() -> HighLevelNet:
    places = [place("from", EA, every(A)), place("dots", DOT)]
    count = Apply("position", (x,), NATURAL)
    return net([A], places, [move("step", [x], [(0, tokens(x))], [(1, tokens(DOT_TERM, times=count))])])


@adversary(2)
def numbers_made_elements() -> HighLevelNet:
    """What is put are the second and the third element."""
    places = [place("dots", DOT, tokens(DOT_TERM, times=2)), place("to", EA)]
    size = Apply("size", (tokens(x, x),), NATURAL)
    number = Apply("subtract", (size, num(1)), NATURAL)
    up = Apply("element", (Apply("position", (after(x),), NATURAL),), EA)
    last = Apply("element", (number,), EA)
    step = move("step", [x], [(0, tokens(DOT_TERM))], [(1, tokens(up, last))], eq(x, last))
    return net([A], places, [step])


@adversary(3)
def ring_in_one_direction() -> HighLevelNet:
    places = [place("at", EA, tokens(el(A, 0), el(A, 1), el(A, 2))), place("next", EA)]
    step = move("step", [x], [(0, tokens(x, after(x)))], [(1, tokens(x))])
    return net([A], places, [step])


@adversary(3)
def distance_on_a_ring() -> HighLevelNet:
    places = [place("from", EA, every(A)), place("to", EA)]
    guard = eq(Apply("distance", (x, y), NATURAL), num(1))
    return net([A], places, [move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(x))], guard)])


@adversary(2)
def classes_of_a_partition() -> HighLevelNet:
    classes = sort("K", 2)
    kind = Lookup("kind", (0, 1, 1), x, Element(classes))
    places = [place("from", EA, every(A)), place("to", EA)]
    return net(
        [A, classes],
        places,
        [move("step", [x], [(0, tokens(x))], [(1, tokens(x))], eq(kind, el(classes, 0)))],
    )


@adversary(8)
def classes_that_change_places() -> HighLevelNet:
    """Four elements in two classes of two: only with the classes may an element of one become one of the other."""
    four, classes = sort("F", 4), sort("K", 2)
    v, w = var("v", four), var("w", four)
    places = [place("from", Element(four), every(four)), place("to", Element(four))]
    kinds = [Lookup("kind", (0, 0, 1, 1), each, Element(classes)) for each in (v, w)]
    step = move("step", [v, w], [(0, tokens(v, w))], [(1, tokens(v))], eq(kinds[0], kinds[1]))
    return net([four, classes], places, [step])


@adversary(2)
def initial_marking_inside_structs() -> HighLevelNet:
    type_ = struct(EA, ListOf(EA))
    token = pair(el(A, 0), Literal((1, 2), ListOf(EA)))
    swapped = pair(el(A, 0), Literal((2, 1), ListOf(EA)))
    places = [place("p", type_, tokens(token, swapped)), place("to", EA)]
    return net([A], places, [move("step", [x], [], [], some())])


@adversary(1)
def lists_are_in_order() -> HighLevelNet:
    places = [place("p", ListOf(EA), tokens(Literal((0, 1), ListOf(EA)))), place("to", EA)]
    return net([A], places, [])


@adversary(2)
def initial_marking_inside_maps_and_unions() -> HighLevelNet:
    union = Union((Field("one", EA), Field("two", EA)))
    maps = MapOf(EA, union)
    token = Literal(frozenset({(0, (0, 0)), (1, (1, 0)), (2, (1, 0))}), maps)
    places = [place("p", maps, tokens(token)), place("q", union, tokens(Inject("one", el(A, 0), union)))]
    return net([A], places, [])


@adversary(2)
def all_but_one() -> HighLevelNet:
    places = [place("from", EA, tokens(el(A, 0), el(A, 1))), place("to", EA)]
    return net([A], places, [move("step", [x], [(0, tokens(x))], [(1, tokens(x))])])


@adversary(6)
def pairs_that_tie_two_sorts() -> HighLevelNet:
    """Each sort alone may not move: a and b move together."""
    type_ = struct(EA, EB)
    start = tokens(*(pair(el(A, at), el(B, at)) for at in range(3)))
    places = [place("pairs", type_, start), place("to", EA)]
    step = move("step", [x, u], [(0, tokens(pair(x, u)))], [(1, tokens(x))])
    return net([A, B], places, [step])


@adversary(2)
def no_tokens_of_what_is_not_there() -> HighLevelNet:
    """0'e takes nothing, but where e is undefined nothing happens."""
    known = Literal(frozenset({(0, 0), (2, 2)}), MapOf(EA, EA))
    none = tokens(Apply("at", (known, x), EA), times=0)
    return one_step(take=Apply("sum", (tokens(x), none), Bag(EA)))


@adversary(2)
def true_or_undefined() -> HighLevelNet:
    """Undefined, since terms are strict."""
    known = Literal(frozenset({(0, 0), (2, 2)}), MapOf(EA, EA))
    return one_step(some(eq(x, x), eq(Apply("at", (known, x), EA), x)))


@adversary(2)
def undefined_equal_to_itself() -> HighLevelNet:
    known = Apply("at", (Literal(frozenset({(0, 0), (2, 2)}), MapOf(EA, EA)), x), EA)
    return one_step(eq(known, known))


@adversary(2)
def bound_name_hides_another() -> HighLevelNet:
    return one_step(both(forall(x, eq(x, x)), ne(x, el(A, 0))))


@adversary(2)
def last_value_of_a_key() -> HighLevelNet:
    """Of two pairs with one key the later one counts: x where it is the first element, the first element otherwise."""
    made = Apply("map", (x, el(A, 0), el(A, 1), x), MapOf(EA, EA))
    return one_step(eq(Apply("at", (made, x), EA), el(A, 0)))


@adversary(2)
def two_are_not_one() -> HighLevelNet:
    """A sum is not idempotent."""
    places = [place("from", EA, tokens(*(el(A, at) for at in (0, 0, 1, 2)))), place("to", EA)]
    return net([A], places, [move("step", [x], [(0, tokens(x, x))], [(1, tokens(x))])])


@adversary(1)
def transitions_are_counted() -> HighLevelNet:
    """Two transitions for one element and one for another: a set of forms would be the same after exchanging them."""
    two = sort("T", 2)
    places = [place("from", Element(two), every(two)), place("dots", DOT)]
    steps = [
        move(name, [], [(0, tokens(el(two, at)))], [(1, tokens(DOT_TERM))])
        for name, at in (("a", 0), ("b", 0), ("c", 1))
    ]
    return net([two], places, steps)


@adversary(1)
def claims_that_change_places() -> HighLevelNet:
    """Each of two claims is about one element; what is said of one verdict must be said of the other."""
    two = sort("T", 2)
    v = var("v", two)
    places = [place("from", Element(two), every(two)), place("to", Element(two))]
    claims = [
        Claim("goal", f"goal {at}", both(holds(places, 1, el(two, at)), holds(places, 0, el(two, 1 - at))))
        for at in range(2)
    ]
    return net([two], places, [move("step", [v], [(0, tokens(v))], [(1, tokens(v))])], claims)


@adversary(6)
def each_pair_once() -> HighLevelNet:
    """`x < y` chooses each pair once, and what happens to it does not depend on which one is smaller."""
    places = [place("from", EA, every(A)), place("to", struct(EA, EA))]
    step = move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(pair(x, y), pair(y, x)))], less(x, y))
    return net([A], places, [step])


@adversary(1)
def each_pair_once_in_order() -> HighLevelNet:
    places = [place("from", EA, every(A)), place("to", struct(EA, EA))]
    step = move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(pair(x, y)))], less(x, y))
    return net([A], places, [step])


@adversary(6)
def different_by_an_order() -> HighLevelNet:
    places = [place("from", EA, every(A)), place("to", EA)]
    guard = some(less(x, y), less(y, x))
    return net([A], places, [move("step", [x, y], [(0, tokens(x, y))], [(1, tokens(x))], guard)])


@pytest.mark.parametrize("name", CASES)
def test_group(name: str) -> None:
    make, expected = CASES[name]
    model = make()
    symmetry = found(model)
    assert order(symmetry) == expected
    assert symmetry.complete


GENEROUS = sorted(set(CASES) - {"each_pair_once", "different_by_an_order", "transitions_are_counted"})
"""Where all permutations are no symmetries of the state space."""


@pytest.mark.parametrize("name", GENEROUS)
def test_all_permutations_would_be_wrong(name: str) -> None:
    model = CASES[name][0]()
    assert not agrees(model, all_of_sorts(model))
