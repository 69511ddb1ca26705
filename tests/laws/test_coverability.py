"""The coverability set modulo symmetries is that of Karp and Miller; symmetric covering is covering by some element of the
group; forward and backward search agree; every run that is claimed can be fired."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import inf

from burnside import _core
from burnside.net import Arcs, Net
from burnside.records import record
from burnside.reference import coverability as reference
from burnside.symmetry.nets import core_net
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.strategies import symmetric_nets

laws = settings(max_examples=150, deadline=None)

MAX_NODES = 3_000
MAX_ELEMENTS = 1_000

Marking = reference.Marking


@record
class Prepared:
    net: Net
    core: _core.Net
    group: _core.Group
    trivial: _core.Group
    elements: frozenset[tuple[int, ...]]
    """The group on places, written out."""


def prepared(net: Net) -> Prepared:
    core = core_net(net)
    group = _core.automorphisms(core, [net.initial], [])
    elements = closure(len(net.places), [places for places, _, _ in group.generators()])
    return Prepared(net, core, group, _core.trivial_group(core), elements)


def closure(places: int, generators: Sequence[Sequence[int]]) -> frozenset[tuple[int, ...]]:
    found = {tuple(range(places))}
    waiting = list(found)
    while waiting:
        element = waiting.pop()
        for generator in generators:
            product = tuple(generator[image] for image in element)
            if product not in found:
                found.add(product)
                waiting.append(product)
        assume(len(found) <= MAX_ELEMENTS)
    return frozenset(found)


def with_inf(marking: Sequence[int | None]) -> Marking:
    return tuple(inf if tokens is None else tokens for tokens in marking)


def tree(net: Net) -> list[reference.Node]:
    nodes = list(islice(reference.karp_miller(net), MAX_NODES + 1))
    assume(len(nodes) <= MAX_NODES)
    return nodes


@st.composite
def any_nets(draw: st.DrawFn) -> Net:
    """A few places and transitions with weights up to 3, without intended symmetries."""
    places, transitions = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    weights = st.dictionaries(st.integers(0, places - 1), st.integers(1, 3), max_size=3)

    def arcs() -> Arcs:
        return tuple(sorted(draw(weights).items()))

    return Net(
        "random",
        tuple(f"p{place}" for place in range(places)),
        tuple(draw(st.lists(st.integers(0, 3), min_size=places, max_size=places))),
        tuple(f"t{transition}" for transition in range(transitions)),
        tuple(arcs() for _ in range(transitions)),
        tuple(arcs() for _ in range(transitions)),
    )


growing_nets = st.one_of(
    symmetric_nets(fixed=True, grows=True).map(lambda made: made.net),
    symmetric_nets(grows=True).map(lambda made: made.net),
    any_nets(),
)

ORDERS = ("bfs", "dfs")


@laws
@given(growing_nets, st.sampled_from(ORDERS))
def test_the_set_is_that_of_karp_and_miller(net: Net, order: str) -> None:
    made = prepared(net)
    expected = reference.maximal(node.marking for node in tree(net))
    plain = _core.coverability(made.core, made.trivial, [], order=order)
    assert plain.stopped == "exhausted"
    assert {with_inf(each) for each in plain.markings} == expected
    assert len(plain.markings) == len(expected)
    reduced = _core.coverability(made.core, made.group, [], order=order)
    assert reduced.stopped == "exhausted"
    kept = [with_inf(each) for each in reduced.markings]
    assert set().union(*(reference.images(each, made.elements) for each in kept)) == expected
    assert not reduced.given_up
    for number, each in enumerate(kept):
        others = kept[:number] + kept[number + 1 :]
        assert not any(reference.covers_symmetrically(each, other, made.elements) for other in others)


@laws
@given(growing_nets)
def test_bounds_and_dead_transitions_are_those_of_karp_and_miller(net: Net) -> None:
    made = prepared(net)
    markings = {node.marking for node in tree(net)}
    for group in (made.trivial, made.group):
        found = _core.coverability(made.core, group, [])
        assert with_inf(found.bounds) == tuple(map(max, zip(*markings, strict=True)))
        known = zip(found.upper_bounds, found.bounds, strict=True)
        assert all(most is None or (bound is not None and bound <= most) for most, bound in known)
        for orbit in group.transition_orbits():
            able = any(net.is_enabled(each, t) for each in markings for t in orbit)  # type: ignore[arg-type]
            assert any(found.firings[t] for t in orbit) == able


@laws
@given(growing_nets, st.sampled_from(ORDERS))
def test_a_pumping_run_can_be_repeated(net: Net, order: str) -> None:
    made = prepared(net)
    for group in (made.trivial, made.group):
        found = _core.coverability(made.core, group, [], order=order, max_states=2_000)
        is_unbounded = any(bound is None for bound in found.bounds)
        assert (found.pump is not None) == is_unbounded
        if found.pump is None:
            continue
        run, start = found.pump
        before = fired(net, net.initial, run[:start])
        after = before
        for _ in range(3):
            more = fired(net, after, run[start:])
            assert reference.is_covered(after, more)
            assert after != more
            after = more


def fired(net: Net, marking: Sequence[int], run: Iterable[int]) -> tuple[int, ...]:
    for transition in run:
        assert net.is_enabled(marking, transition)
        marking = net.fire(marking, transition)
    return tuple(marking)


@st.composite
def goals(draw: st.DrawFn, places: int) -> tuple[object, ...]:
    """Upward-closed, in the form that the core takes."""

    def at_least() -> tuple[object, ...]:
        chosen = draw(st.lists(st.integers(0, places - 1), min_size=1, max_size=3, unique=True))
        return "<=", [(place, -draw(st.integers(1, 2))) for place in sorted(chosen)], draw(st.integers(1, 6))

    parts = [at_least() for _ in range(draw(st.integers(1, 3)))]
    return parts[0] if len(parts) == 1 else (draw(st.sampled_from(("and", "or"))), parts)


@st.composite
def nets_with_goals(draw: st.DrawFn) -> tuple[Net, tuple[object, ...]]:
    net = draw(growing_nets)
    return net, draw(goals(len(net.places)))


@laws
@given(nets_with_goals(), st.sampled_from(ORDERS))
def test_forward_and_backward_search_agree_with_the_definitions(
    asked: tuple[Net, tuple[object, ...]], order: str
) -> None:
    from burnside.languages.net_expressions import conditions

    net, goal = asked
    core = core_net(net)
    markings = {node.marking for node in tree(net)}
    expected = any(conditions.evaluate(goal, each) for each in markings)  # type: ignore[arg-type]
    assert (
        reference.backward(net, reference.minimal_markings(goal, len(net.places))) is not None
    ) == expected
    for group in (_core.trivial_group(core), _core.automorphisms(core, [net.initial], [goal])):
        for goals_only in (True, False):
            found = _core.coverability(core, group, [goal], order=order, goals_only=goals_only)
            assert found.found == [expected]
            assert (found.runs[0] is not None) == expected
            if found.runs[0] is not None:
                assert conditions.evaluate(goal, fired(net, net.initial, found.runs[0]))
        back = _core.backward_coverability(core, group, goal)
        assert (back.run is not None) == expected
        assert back.stopped == ("violation" if expected else "exhausted")
        if back.run is not None:
            assert conditions.evaluate(goal, fired(net, net.initial, back.run))


@st.composite
def pairs_of_markings(draw: st.DrawFn) -> tuple[Prepared, Marking, Marking]:
    """Of a net whose markings may be anything: no place is identical with another, or never changes."""
    made = prepared(draw(symmetric_nets(fixed=True)).net)
    size = len(made.net.places)
    tokens = st.one_of(st.integers(0, 2), st.sampled_from((0, 1, inf)))
    above = tuple(draw(st.lists(tokens, min_size=size, max_size=size)))
    if draw(st.booleans()):
        return made, tuple(draw(st.lists(tokens, min_size=size, max_size=size))), above
    moved = draw(st.sampled_from(sorted(reference.images(above, made.elements))))
    less = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    return made, tuple(max(0, n - k) for n, k in zip(moved, less, strict=True)), above


@laws
@given(pairs_of_markings())
def test_symmetric_covering_is_covering_by_some_element(pair: tuple[Prepared, Marking, Marking]) -> None:
    made, below, above = pair
    found = _core.covers(made.core, made.group, without_inf(below), without_inf(above))
    assume(found is not None)
    assert found == reference.covers_symmetrically(below, above, made.elements)


def without_inf(marking: Marking) -> list[int | None]:
    return [None if tokens == inf else int(tokens) for tokens in marking]


@laws
@given(growing_nets)
def test_semiflows_are_invariants(net: Net) -> None:
    made = prepared(net)
    for semiflow in _core.place_semiflows(made.core, made.trivial):
        weights = dict(semiflow)
        assert all(weight > 0 for weight in weights.values())
        markings = [node.marking for node in tree(net)]
        totals = {sum(weight * marking[place] for place, weight in weights.items()) for marking in markings}
        assert len(totals) == 1
