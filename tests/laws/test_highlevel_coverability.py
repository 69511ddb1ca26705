"""Coverability of random high-level nets, by their unfoldings under the symmetries of values: as Karp and Miller say of the
unfolded net; symmetric covering is covering by some element of the group of values."""

from __future__ import annotations

from math import inf

from burnside import _core
from burnside.diagnostics import LimitError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.model import Model
from burnside.pipeline import check
from burnside.records import replace
from burnside.reference import coverability as reference
from burnside.request import Request
from burnside.symmetry.highlevel import highlevel_symmetry
from burnside.symmetry.nets import core_net
from burnside.unfolding import Limits, Unfolded, unfold
from burnside.unfolding.symmetry import given_symmetries
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from tests.highlevel_strategies import nets
from tests.laws.test_coverability import closure, tree, with_inf, without_inf

MOST_PLACES, MOST_INSTANCES = 40, 60
SLOW_DRAWING = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
FUEL = 0


@st.composite
def growing_nets(draw: st.DrawFn) -> HighLevelNet:
    """Without the tokens that keep random nets finite, mostly."""
    net = draw(nets(symmetric=True, claims=False))
    if draw(st.integers(0, 3)) == 0:
        return net
    free = (
        replace(each, consumes=tuple(a for a in each.consumes if a.place != FUEL)) for each in net.transitions
    )
    return replace(net, transitions=tuple(free))


def unfolded(net: HighLevelNet) -> Unfolded:
    try:
        found = unfold(net, Limits(MOST_INSTANCES))
    except LimitError:
        reject()
    assume(len(found.net.places) <= MOST_PLACES)
    return found


@settings(max_examples=80, suppress_health_check=SLOW_DRAWING)
@given(growing_nets())
def test_bounds_are_those_of_karp_and_miller(net: HighLevelNet) -> None:
    found = unfolded(net)
    markings = [node.marking for node in tree(found.net)]
    largest = dict(zip(found.net.places, map(max, zip(*markings, strict=True)), strict=True))
    is_bounded = inf not in largest.values()
    for reduce in ("none", "auto"):
        outcome = check(Model(net, "random", "hln"), Request(bounded=True, reduce=reduce))
        (answer,) = outcome.properties
        assert answer.verdict == ("holds" if is_bounded else "violated")
        if not is_bounded:
            assert answer.trace is not None and answer.trace.pump_start is not None


@settings(max_examples=80, suppress_health_check=SLOW_DRAWING)
@given(growing_nets(), st.data())
def test_symmetric_covering_under_the_group_of_values(net: HighLevelNet, data: st.DataObject) -> None:
    found = unfolded(net)
    below, core = found.net, core_net(found.net)
    given_ = given_symmetries(found, highlevel_symmetry(net).generators, core)
    pairs = [(each.places, each.source) for each in given_]
    group, refused = _core.group_of_given(core, [below.initial], [], pairs, False)
    assert not refused
    elements = closure(len(below.places), [each.places for each in given_])
    plain = reference.maximal(node.marking for node in tree(below))
    reduced = _core.coverability(core, group, [])
    kept = [with_inf(each) for each in reduced.markings]
    assert set().union(*(reference.images(each, elements) for each in kept)) == plain
    one, other = (data.draw(st.sampled_from(sorted(plain))) for _ in range(2))
    if data.draw(st.booleans()):
        less = data.draw(st.lists(st.integers(0, 1), min_size=len(one), max_size=len(one)))
        one = tuple(max(0, n - k) for n, k in zip(one, less, strict=True))
    answer = _core.covers(core, group, without_inf(one), without_inf(other))
    if answer is not None:
        assert answer == reference.covers_symmetrically(one, other, elements)
