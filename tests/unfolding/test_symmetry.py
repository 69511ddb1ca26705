"""Colour permutations on unfolded nets: certified there, and generating the group that they generate before."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from burnside.diagnostics import ContradictionError, InputError, LimitError
from burnside.engine import settings_of
from burnside.families.highlevel import token_ring
from burnside.ir.highlevel.net import Arc, HighLevelNet, Place, Transition
from burnside.ir.highlevel.terms import Variable
from burnside.ir.highlevel.types import Element
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.kinds.net import NetQuestion
from burnside.limits import Deadline
from burnside.model import Model
from burnside.net import Net
from burnside.plan import PlanInputs, choose
from burnside.progress import Progress
from burnside.records import replace
from burnside.reference.permutations import move
from burnside.reference.symmetries import certify
from burnside.request import Request
from burnside.symmetry.elements import CertifiedGenerator, sort_images
from burnside.symmetry.highlevel import highlevel_symmetry
from burnside.symmetry.nets import SymmetryScope, core_net, restricted_group
from burnside.unfolding import Limits, Unfolded, unfold
from burnside.unfolding.symmetry import given_symmetries, given_symmetry
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.highlevel_nets import every, nothing, one, philosophers, random_net, sort


def groups(found: Unfolded) -> tuple[int, int]:
    """The orders of the group of colours alone, and with all automorphisms."""
    net, handle = found.net, core_net(found.net)
    given = given_symmetries(found, highlevel_symmetry(found.source).generators, handle)
    scope = SymmetryScope((net.initial,), declared_only=True, given=given)
    alone = restricted_group(handle, scope, ()).group
    more = restricted_group(handle, SymmetryScope((net.initial,), given=given), ()).group
    plain = restricted_group(handle, SymmetryScope((net.initial,)), ()).group
    assert more.order == plain.order
    for places, transitions, _ in (*alone.generators(), *more.generators()):
        assert certify(net, (places, transitions)) is None
    assert [source for *_, source in alone.generators()] == [each.source for each in given]
    return alone.order, more.order


class TestGroups:
    def test_philosophers(self) -> None:
        assert groups(unfold(philosophers(5))) == (5, 10)

    def test_nothing_moves(self) -> None:
        assert groups(unfold(token_ring(3)))[0] == 1

    def test_variables_that_are_exchanged(self) -> None:
        """(x, y) and (y, x) are two instances with one effect: an exchange of elements maps each to one of them."""
        of = Element(sort("A", 3))
        x, y = Variable("x", of), Variable("y", of)
        both = (Arc(0, one(x)), Arc(0, one(y)))
        net = HighLevelNet(
            "both",
            (of.sort,),
            (Place("p", of, every(of)), Place("q", of, nothing(of))),
            (Transition("t", (x, y), both, (Arc(1, one(x)), Arc(1, one(y)))),),
        )
        alone, more = groups(unfold(net))
        assert (alone, more) == (6, 6 * 2**3)

    def test_an_expression_restricts(self) -> None:
        from burnside.languages.net_expressions import parse_expression

        found = unfold(philosophers(5))
        given = given_symmetries(found, highlevel_symmetry(found.source).generators)
        kept = parse_expression('"eat<p1>" = 0', found.net)
        scope = SymmetryScope((found.net.initial,), declared_only=True, given=given)
        restricted = restricted_group(core_net(found.net), scope, [kept])
        assert restricted.group.order == 1
        assert restricted.restricted_by == ('"eat<p1>" = 0',)

    def test_what_is_no_symmetry_is_a_contradiction(self) -> None:
        found = unfold(token_ring(3))
        wrong = CertifiedGenerator((1, 2, 0), "(1 2 3)", "colour P", (0, 1))
        with pytest.raises(
            ContradictionError, match=r"\(1 2 3\) \(colour P\) is no symmetry of the unfolded net"
        ):
            given_symmetries(found, [wrong])


@settings(max_examples=60)
@example(75_686)
@given(st.integers(0, 2**32))
def test_random_nets(seed: int) -> None:
    """What is certified on a random net is certified on its unfolding, and acts there as it acts on markings."""
    net = random_net(Random(seed))
    symmetry = highlevel_symmetry(net)
    try:
        found = unfold(net, Limits(500))
    except (InputError, LimitError):  # the initial marking has no value, or the net is large
        return
    given_symmetries(found, symmetry.generators)
    semantics = HighLevelSemantics(net)
    start = found.marking(found.net.initial)
    for each in symmetry.generators:
        images = given_symmetry(found, each).places
        moved = [0] * len(images)
        for place, tokens in enumerate(found.net.initial):
            moved[images[place]] = tokens
        by_sort = sort_images(net.sorts, each.permutation)
        assert found.marking(moved) == semantics.permute(by_sort, start) == start


def test_orbits_under_colours_alone() -> None:
    """By every canonical method that takes a part of all automorphisms, against brute force."""
    found = unfold(philosophers(5))
    given = given_symmetries(found, highlevel_symmetry(found.source).generators)
    request = Request(symmetry="declared", keep_going=True)
    question = NetQuestion(Model(found.net, "philosophers", "pnml"), request, given=given)
    assert question.group.order == 5
    states = reachable(found.net)
    rotated = {frozenset(rotations(given[0].places, state)) for state in states}
    for method in ("flood", "search", "minimise", "compare"):
        asked = replace(request, reduce=method)
        plan = choose(asked, PlanInputs(acting_order=question.group.acting_order))
        explored = question.compiled().explore(
            plan, settings_of(asked, Deadline(), deadlock=False), Progress()
        )
        if method != "flood":
            assert explored.states == len(rotated)
        assert explored.full_states == len(states)


def reachable(net: Net) -> set[tuple[int, ...]]:
    states, pending = {net.initial}, [net.initial]
    while pending:
        state = pending.pop()
        for after in (net.fire(state, each) for each in net.enabled(state)):
            if after not in states:
                states.add(after)
                pending.append(after)
    return states


def rotations(images: tuple[int, ...], state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    moved = state
    while True:
        yield moved
        moved = move(images, moved)
        if moved == state:
            return
