"""Coloured nets of the Model Checking Contest with known answers, directly and unfolded, by every method; with their
place/transition twins, where they lie beside the project.

The contest counts `max_token_in_place` of a coloured net by place of the unfolding: how many tokens of one value a place
holds at most.
"""

from __future__ import annotations

import csv
from collections.abc import Collection
from functools import cache
from math import prod
from pathlib import Path

import pytest
from burnside import _core
from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.terms import Apply, Literal, Marked, Term
from burnside.ir.highlevel.types import BOOLEAN, NATURAL, Bag, SetOf
from burnside.model import Model
from burnside.net import Arcs, Net
from burnside.outcome import Outcome
from burnside.pipeline import check, read
from burnside.records import replace
from burnside.request import Request
from burnside.symmetry.highlevel import highlevel_symmetry
from burnside.symmetry.nets import core_net
from burnside.unfolding import Unfolded, unfold
from burnside.unfolding.symmetry import given_symmetries

MODELS = Path(__file__).parents[3] / "shared" / "models" / "pnml"
LONG = {"AirplaneLD-COL-0020", "PhilosophersDyn-COL-10"}
"""More than a second or two each."""
LARGE = LONG | {
    "AirplaneLD-COL-0010",
    "BART-COL-002",
    "Murphy-COL-D1N010",
    "PermAdmissibility-COL-01",
    "Philosophers-COL-000010",
    "TokenRing-COL-010",
}
"""More than that by all methods together."""
ROUTES = {"direct": False, "unfolded": True}
CANONICAL = ("search", "nauty", "compare", "minimise", "flood")
MOST_ELEMENTS = 720
"""Of a group that is tried element by element."""
MOST_FLOODED = 200_000
"""Markings of which `flood` goes through every orbit."""


def table(name: str) -> dict[str, dict[str, str]]:
    path = MODELS / name
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["instance"]: row for row in csv.DictReader(file)}


EXPECTED = {name: row for name, row in table("expected.csv").items() if row["kind"] == "COL"}
ORBITS = table("orbits.csv")
"""Of place/transition nets, under all automorphisms."""


def twin_of(name: str) -> str:
    return name.replace("-COL-", "-PT-")


def instances(slow: Collection[str], *, twins: bool = False) -> list[object]:
    if not EXPECTED:
        return [pytest.param("", marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))]
    chosen = [each for each in EXPECTED if not twins or (MODELS / twin_of(each) / "model.pnml").is_file()]
    return [pytest.param(name, marks=[pytest.mark.slow] if name in slow else []) for name in chosen]


@cache
def load(name: str) -> Model:
    return read(MODELS / name / "model.pnml")


def source(name: str) -> HighLevelNet:
    found = load(name).subject
    assert isinstance(found, HighLevelNet)
    return found


@cache
def unfolding(name: str) -> Unfolded:
    return unfold(source(name))


def explored(name: str, route: str, reduce: str) -> Outcome:
    request = Request(reduce=reduce, unfold=ROUTES[route], deadlock=False, keep_going=True)
    found = check(load(name), request)
    assert found.stopped == "exhausted"
    assert found.route is not None and found.route["name"] == route
    return found


def test_there_are_24() -> None:
    if not EXPECTED:
        pytest.skip("../shared/models/pnml is absent")
    assert len(EXPECTED) == 24


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", instances(LONG))
def test_state_space(name: str, route: str) -> None:
    row, found = EXPECTED[name], explored(name, route, "none")
    assert (found.states, found.transitions) == (int(row["states"]), int(row["transitions"]))
    assert found.largest_total == int(row["max_token_per_marking"])
    assert found.full_states == found.states


@pytest.mark.parametrize("name", instances(LARGE))
def test_both_routes_say_the_same(name: str) -> None:
    one, other = (explored(name, route, "none") for route in ROUTES)
    assert figures(one) == figures(other)
    assert (one.bounds, one.dead_transitions) == (other.bounds, other.dead_transitions)


def at_most(net: HighLevelNet, most: int) -> Term:
    """No place holds more tokens than that of one value."""
    parts: list[Term] = []
    for at, place in enumerate(net.places):
        there, of = Marked(at, Bag(place.type)), Bag(place.type)
        each_once = Apply("bag-of", (Apply("support", (there,), SetOf(place.type)),), of)
        most_of_each = Apply("scaled", (Literal(most, NATURAL), each_once), of)
        parts.append(Apply("included", (there, most_of_each), BOOLEAN))
    return Apply("and", tuple(parts), BOOLEAN)


@pytest.mark.parametrize("name", instances(LONG))
def test_tokens_in_a_place(name: str) -> None:
    """Of the unfolded net as its bound; directly as two claims."""
    most = int(EXPECTED[name]["max_token_in_place"])
    below = check(Model(unfolding(name).net, name, "pnml"), Request(reduce="none", deadlock=False))
    assert below.bounds is not None and max(below.bounds.values()) == most
    net = source(name)
    claims = tuple(Claim("invariant", str(each), at_most(net, each)) for each in (most, most - 1))
    for reduce in ("none", "search"):
        request = Request(reduce=reduce, unfold=False, deadlock=False, keep_going=True)
        found = check(Model(replace(net, claims=claims), name, "pnml"), request)
        verdicts = {each.name: each.verdict for each in found.properties if each.kind == "invariant"}
        assert verdicts == {str(most): "holds", str(most - 1): "violated"}


@pytest.mark.parametrize("name", instances(LARGE))
def test_orbits(name: str) -> None:
    """By every method on both routes: as many, of as many markings, with as many edges."""
    states = int(EXPECTED[name]["states"])
    expected = explored(name, "direct", "search")
    assert expected.full_states == states
    order = expected.reduction.group_order
    assert order is not None
    assert (expected.states < states) == (order > 1)
    full = explored(name, "direct", "none")
    for route in ROUTES:
        for method in CANONICAL:
            if (method == "minimise" and order > MOST_ELEMENTS) or (route, method) == ("unfolded", "nauty"):
                continue
            if method == "flood" and states > MOST_FLOODED:
                continue
            found = explored(name, route, method)
            assert figures(found) == figures(expected), (route, method)
            assert found.reduction.group_order == order
            assert (found.bounds, found.dead_transitions) == (full.bounds, full.dead_transitions)
        sound = explored(name, route, "representative")
        assert expected.states <= sound.states <= states
        assert (sound.bounds, sound.dead_transitions) == (full.bounds, full.dead_transitions)
    markers = explored(name, "direct", "marker")
    assert markers.states <= expected.states


def figures(found: Outcome) -> tuple[object, ...]:
    return found.states, found.transitions, found.deadlocks, found.depth, found.full_states


@pytest.mark.parametrize("name", instances(LONG, twins=True))
def test_automorphisms(name: str) -> None:
    """Those of the unfolded net are those of the twin, but for places that never change."""
    found = check(load(name), Request(automorphisms=True, deadlock=False, keep_going=True))
    twin = check(read(MODELS / twin_of(name) / "model.pnml"), Request(deadlock=False, keep_going=True))
    assert figures(found) == figures(twin)
    if name != "BART-COL-002":
        assert found.reduction.group_order == twin.reduction.group_order
    row = ORBITS.get(twin_of(name))
    if row is not None:
        assert (found.states, found.full_states) == (int(row["orbits"]), int(row["states"]))
        assert twin.reduction.group_order == int(float(row["group_order"]))


# The twin under the group of the colours


def living(net: Net) -> tuple[Net, list[int]]:
    """Without transitions that never fire and places that never change, which are different in twins; and the places that
    are left."""
    found = check(Model(net, "net", "pnml"), Request(reduce="none", deadlock=False))
    assert found.dead_transitions is not None
    dead = set(found.dead_transitions)
    fired = [at for at, name in enumerate(net.transitions) if name not in dead]
    changed = {place for at in fired for place, _ in set(net.consumes[at]) ^ set(net.produces[at])}
    places = sorted(changed)
    numbers = {place: at for at, place in enumerate(places)}

    def kept(arcs: Arcs) -> Arcs:
        return tuple((numbers[place], weight) for place, weight in arcs if place in numbers)

    return Net(
        net.name,
        tuple(net.places[place] for place in places),
        tuple(net.initial[place] for place in places),
        tuple(net.transitions[at] for at in fired),
        tuple(kept(net.consumes[at]) for at in fired),
        tuple(kept(net.produces[at]) for at in fired),
    ), places


def isomorphism(one: Net, other: Net) -> list[int]:
    """Of places. In the two nets side by side, each with a root that all its transitions ask, an automorphism that exchanges
    the roots exchanges the nets."""
    size, roots = len(one.places), (len(one.places), len(one.places) + 1 + len(other.places))
    mark = 1 + max((*one.initial, *other.initial))

    def arcs(net: Net, sides: tuple[Arcs, ...], first: int, root: int) -> list[Arcs]:
        return [(*((first + place, weight) for place, weight in each), (root, 1)) for each in sides]

    both = Net(
        "both",
        (*one.places, "root", *(f"other {each}" for each in other.places), "other root"),
        (*one.initial, mark, *other.initial, mark),
        (*one.transitions, *(f"other {each}" for each in other.transitions)),
        (
            *arcs(one, one.consumes, 0, roots[0]),
            *arcs(other, other.consumes, size + 1, roots[1]),
        ),
        (
            *arcs(one, one.produces, 0, roots[0]),
            *arcs(other, other.produces, size + 1, roots[1]),
        ),
    )
    group = _core.automorphisms(core_net(both), [both.initial], [])
    for places, _, _ in group.generators():
        if places[roots[0]] == roots[1]:
            return [places[at] - size - 1 for at in range(size)]
    raise AssertionError("the nets are not isomorphic")


@pytest.mark.parametrize("name", instances(LARGE, twins=True))
def test_twin_under_the_same_group(name: str) -> None:
    """Orbits of the place/transition net of the contest, given the permutations that the colours' are."""
    twin = read(MODELS / twin_of(name) / "model.pnml").subject
    assert isinstance(twin, Net)
    found = unfolding(name)
    (below, kept), (beside, _) = living(found.net), living(twin)
    assert len(below.transitions) == len(beside.transitions)
    to = isomorphism(below, beside)
    numbers = {place: at for at, place in enumerate(kept)}
    given = []
    for each in given_symmetries(found, highlevel_symmetry(source(name)).generators):
        images = [0] * len(to)
        for at, place in enumerate(kept):
            images[to[at]] = to[numbers[each.places[place]]]
        given.append((images, each.source))
    handle = core_net(beside)
    group, refused = _core.group_of_given(handle, [beside.initial], [], given, False)
    assert not refused
    expected = explored(name, "direct", "search")
    reduced = _core.explore(handle, group, _core.Method("search"))
    assert (reduced.states, reduced.transitions) == (expected.states, expected.transitions)
    assert (reduced.deadlocks, reduced.full_states) == (expected.deadlocks, expected.full_states)
    acting = prod(group.transversal_sizes())
    assert expected.reduction.group_order is not None and expected.reduction.group_order % acting == 0
