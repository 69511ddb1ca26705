"""Terms that are written differently and mean the same, and terms that look alike and do not: does the exchange of two
elements make each of two transitions of the other?"""

from __future__ import annotations

import pytest
from burnside.ir.highlevel.net import Arc, HighLevelNet, Transition
from burnside.ir.highlevel.terms import (
    FALSE,
    TRUE,
    Apply,
    Binding,
    Conditional,
    Literal,
    Lookup,
    Select,
    Term,
    type_of,
)
from burnside.ir.highlevel.types import BOOLEAN, DOT, NATURAL, Bag, Element, MapOf, SetOf, TokenType
from burnside.symmetry.highlevel import certify
from burnside.symmetry.points import on_sort, transposition

from tests.symmetry.highlevel.nets import (
    DOT_TERM,
    after,
    agrees,
    both,
    el,
    eq,
    every,
    exists,
    forall,
    less,
    move,
    ne,
    net,
    no,
    nothing,
    num,
    pair,
    place,
    some,
    sort,
    struct,
    tokens,
    var,
)

A = sort("A", 3)
EA = Element(A)
x, y, z = var("x", A), var("y", A), var("z", A)
a, b, c = (el(A, at) for at in range(3))
PAIR = struct(EA, EA)
PARTIAL = Apply("at", (Literal(frozenset({(0, 0), (1, 1)}), MapOf(EA, EA)), x), EA)


def exchanged(first: Transition, second: Transition) -> bool:
    """Does exchanging a and b make each of two transitions of the other?"""
    places = [place("p", EA, summed(every(A), every(A))), place("q", PAIR), place("r", DOT)]
    model = net([A], places, [first, second])
    permutation = on_sort(model, A, transposition(3, 0, 1))
    certified = certify(model, permutation)
    assert not certified or agrees(model, [permutation])
    return certified


def by_guards(one: Term, other: Term) -> bool:
    """The one puts a, the other b, so neither may stay where it is."""
    return exchanged(
        move("one", [x, y, z], [(0, tokens(x, x, y))], [(1, tokens(pair(a, z)))], one),
        move("other", [x, y, z], [(0, tokens(x, x, y))], [(1, tokens(pair(b, z)))], other),
    )


def by_arcs(one: Term, other: Term) -> bool:
    return exchanged(
        move("one", [x, y], [(0, one)], [(1, tokens(pair(a, y)))]),
        move("other", [x, y], [(0, other)], [(1, tokens(pair(b, y)))]),
    )


def choice(test: Term, then: Term, otherwise: Term) -> Term:
    return Conditional(test, then, otherwise)


GUARDS = {
    "constants": (eq(x, a), eq(x, b)),
    "sides of an equation": (eq(x, a), eq(b, x)),
    "conjuncts": (both(eq(x, a), ne(y, c)), both(ne(y, c), eq(x, b))),
    "nested conjuncts": (both(eq(x, a), both(eq(y, z), eq(z, x))), both(both(eq(z, x), eq(x, b)), eq(z, y))),
    "twice the same": (both(eq(x, a), eq(x, a)), eq(x, b)),
    "nothing but true": (both(eq(x, a), TRUE), eq(x, b)),
    "a false alternative": (some(eq(x, a), FALSE), eq(x, b)),
    "De Morgan": (no(both(ne(x, a), ne(y, c))), some(eq(x, b), eq(y, c))),
    "double negation": (no(no(eq(x, a))), eq(x, b)),
    "implication": (Apply("implies", (eq(x, a), eq(y, c)), BOOLEAN), some(ne(x, b), eq(y, c))),
    "not the same": (
        Apply("xor", (eq(x, a), eq(y, z)), BOOLEAN),
        no(Apply("iff", (eq(z, y), eq(x, b)), BOOLEAN)),
    ),
    "compared with true": (eq(eq(x, a), TRUE), eq(x, b)),
    "compared with false": (eq(eq(x, a), FALSE), ne(x, b)),
    "structs part by part": (eq(pair(x, y), pair(a, z)), both(eq(x, b), eq(y, z))),
    "a struct that is written out": (eq(pair(x, y), Literal((0, 2), PAIR)), both(eq(x, b), eq(y, c))),
    "a field of a struct": (eq(Select(pair(x, y), "1"), a), eq(x, b)),
    "sets of constants": (some(eq(x, a), eq(x, c)), ne(x, a)),
    "sets of constants in parts": (both(eq(y, z), some(eq(x, b), eq(x, c))), both(ne(x, b), eq(y, z))),
    "members of a set": (Apply("member", (x, Literal(frozenset([0, 2]), SetOf(EA))), BOOLEAN), ne(x, a)),
    "constants folded": (eq(x, choice(eq(a, b), c, a)), eq(x, b)),
    "the end of a ring": (eq(after(x, 4), b), eq(x, b)),
    "places on a ring": (eq(after(after(x), 1), c), eq(x, b)),
    "an order that is none": (
        both(eq(x, a), some(less(y, z), less(z, y))),
        both(eq(x, b), some(less(z, y), less(y, z))),
    ),
    "smaller or equal": (Apply("less-equal", (x, y), BOOLEAN), Apply("less-equal", (x, y), BOOLEAN)),
    "smaller by numbers": (less(Apply("position", (x,), NATURAL), num(1)), eq(x, b)),
    "functions by their tables": (eq(Lookup("f", (1, 0, 2), x, EA), a), eq(Lookup("g", (1, 0, 2), x, EA), b)),
    "bound names": (exists(x, ne(x, a)), exists(y, ne(y, b))),
    "duals of quantifiers": (
        no(exists(x, both(eq(x, a), eq(y, z)))),
        forall(y, some(ne(y, b), ne(z, z), no(eq(z, y)))),
    ),
    "choices with one result": (choice(eq(y, z), eq(x, a), eq(x, a)), eq(x, b)),
}
LOOKALIKES = {
    "another constant": (eq(x, a), eq(x, c)),
    "another variable": (both(eq(x, a), ne(y, b)), both(eq(y, b), ne(x, a))),
    "not the negation": (some(eq(x, a), eq(y, c)), both(eq(x, b), eq(y, c))),
    "implications have a direction": (
        Apply("implies", (eq(x, a), eq(y, c)), BOOLEAN),
        Apply("implies", (eq(y, c), eq(x, b)), BOOLEAN),
    ),
    "places on a ring that stay": (eq(after(x), y), eq(after(x), y)),
    "the other branch": (choice(eq(x, y), eq(x, a), eq(y, c)), choice(eq(x, y), eq(y, c), eq(x, b))),
    "undefined anyway": (both(FALSE, eq(PARTIAL, a)), FALSE),
    "defined where the other is not": (choice(eq(PARTIAL, x), eq(x, a), eq(x, a)), eq(x, b)),
    "other fields": (eq(Select(pair(x, y), "1"), a), eq(Select(pair(x, y), "2"), b)),
    "quantifiers of other kinds": (exists(y, both(ne(y, x), eq(y, a))), forall(y, both(ne(y, x), eq(y, b)))),
    "an outer and an inner name": (
        exists(y, both(ne(y, x), forall(z, some(eq(z, y), ne(z, a))))),
        exists(y, both(ne(y, x), forall(z, some(eq(z, x), ne(z, b))))),
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    "name", [each for each in GUARDS if each not in ("smaller or equal", "duals of quantifiers")]
)
def test_the_same_guards(name: str) -> None:
    assert by_guards(*GUARDS[name])


def test_duals_of_quantifiers() -> None:
    one = no(exists(x, both(ne(x, a), eq(x, y))))
    other = forall(x, some(eq(x, b), ne(y, x)))
    assert by_guards(one, other)


def test_an_order_is_kept_by_no_exchange() -> None:
    assert not by_guards(*GUARDS["smaller or equal"])


@pytest.mark.parametrize("name", LOOKALIKES)
def test_other_guards(name: str) -> None:
    assert not by_guards(*LOOKALIKES[name])


def summed(*terms: Term) -> Term:
    return Apply("sum", terms, type_of(terms[0]))


def times(number: int, term: Term) -> Term:
    return Apply("scaled", (num(number), term), type_of(term))


def minus(one: Term, other: Term) -> Term:
    return Apply("bag-difference", (one, other), type_of(one))


BAG = Bag(EA)
ALL_BUT_A = Apply("complement", (Literal(frozenset([0]), SetOf(EA)),), SetOf(EA))
ARCS = {
    "summands": (tokens(a, x), tokens(x, b)),
    "sums of sums": (summed(tokens(a), tokens(x, y)), summed(summed(tokens(x), tokens(b)), tokens(y))),
    "multiplicities": (tokens(a, a, x), summed(tokens(b, times=2), tokens(x))),
    "multiples": (times(2, tokens(a, x)), tokens(b, b, x, x)),
    "none of it": (summed(tokens(a), tokens(x, times=0)), tokens(b)),
    "all, one by one": (summed(tokens(a, b, c), tokens(a)), summed(every(A), tokens(b))),
    "all twice": (times(2, every(A)), tokens(a, a, b, b, c, c)),
    "all but one": (minus(every(A), tokens(a)), tokens(a, c)),
    "counted": (Binding("bag", x, choice(eq(x, a), num(2), num(0)), BAG), tokens(b, b)),
    "elements of a set": (Apply("bag-of", (ALL_BUT_A,), BAG), tokens(a, c)),
    "the same for each": (tokens(*(after(each, 0) for each in (x, a))), tokens(x, b)),
}  # fmt: skip
OTHER_ARCS = {
    "other multiplicities": (tokens(a, a, x), tokens(b, x, x)),
    "one of two": (tokens(x, x), tokens(x)),
    "none of what may be undefined": (summed(tokens(a), tokens(PARTIAL, times=0)), tokens(b)),
    "no multiples of what may be undefined": (
        summed(tokens(a), times(0, tokens(PARTIAL))),
        tokens(b),
    ),
    "all but one and all": (minus(every(A), tokens(a)), every(A)),
    "all of a pair and all pairs": (tokens(a, b), every(A)),
}


@pytest.mark.parametrize("name", ARCS)
def test_the_same_arcs(name: str) -> None:
    assert by_arcs(*ARCS[name])


@pytest.mark.parametrize("name", OTHER_ARCS)
def test_other_arcs(name: str) -> None:
    assert not by_arcs(*OTHER_ARCS[name])


def test_arcs_of_one_place_are_added() -> None:
    apart = Transition("apart", (x,), (Arc(0, tokens(a)), Arc(0, tokens(x))), ())
    together = Transition("together", (x,), (Arc(0, tokens(x, b)),), ())
    assert exchanged(apart, together)


def test_what_is_taken_is_not_what_is_put() -> None:
    taken = Transition("take", (x,), (Arc(0, tokens(x, a)),), (Arc(0, tokens(x)),))
    put = Transition("put", (x,), (Arc(0, tokens(x)),), (Arc(0, tokens(x, b)),))
    assert not exchanged(taken, put)


def test_places_are_not_exchanged() -> None:
    one = Transition("one", (x,), (Arc(0, tokens(a)),), (Arc(2, tokens(DOT_TERM)),))
    other = Transition("other", (x,), (Arc(2, tokens(DOT_TERM)),), (Arc(0, tokens(b)),))
    assert not exchanged(one, other)


def test_names_and_order_of_variables() -> None:
    one = Transition("one", (x, y, z), (Arc(0, tokens(x, y)),), (Arc(1, tokens(pair(y, z))),), ne(x, a))
    other = Transition("other", (x, y, z), (Arc(0, tokens(z, x)),), (Arc(1, tokens(pair(z, y))),), ne(x, b))
    assert exchanged(one, other)
    crossed = Transition("other", (x, y, z), (Arc(0, tokens(z, x)),), (Arc(1, tokens(pair(y, z))),), ne(x, b))
    assert not exchanged(one, crossed)


def test_a_variable_that_nothing_uses_makes_instances() -> None:
    one = Transition("one", (x,), (Arc(0, tokens(a)),), ())
    other = Transition("other", (x, y), (Arc(0, tokens(b)),), ())
    assert not exchanged(one, other)


@pytest.mark.parametrize("type_", [EA, PAIR, SetOf(EA)])
def test_empty_multisets(type_: TokenType) -> None:
    places = [place("p", type_, nothing(type_))]
    model: HighLevelNet = net([A], places, [])
    assert certify(model, on_sort(model, A, transposition(3, 0, 1)))
