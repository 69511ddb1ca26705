"""The contest's coloured nets, unfolded: their state spaces, and their place/transition twins."""

from __future__ import annotations

from collections import Counter
from csv import DictReader
from pathlib import Path

import pytest
from burnside import pipeline
from burnside.ir.highlevel.net import HighLevelNet
from burnside.languages import read
from burnside.model import Model
from burnside.net import Net
from burnside.reference.highlevel.unfolding import unfolding
from burnside.request import Request
from burnside.symmetry.highlevel import highlevel_symmetry
from burnside.symmetry.nets import SymmetryScope, core_net, restricted_group
from burnside.unfolding import Unfolded, unfold
from burnside.unfolding.symmetry import given_symmetries

CONTEST = Path(__file__).parents[3] / "shared" / "models" / "pnml"
pytestmark = pytest.mark.skipif(not CONTEST.is_dir(), reason="../shared/models/pnml is absent")

INSTANCES = sorted(each.name for each in CONTEST.glob("*-COL-*")) if CONTEST.is_dir() else []
LARGE = {"PhilosophersDyn-COL-10", "AirplaneLD-COL-0020"}
SMALL = [each for each in INSTANCES if each not in LARGE]
DIFFERENT = {"BART-COL-002", "LamportFastMutEx-COL-2", "LamportFastMutEx-COL-3"}
"""Whose twins have more or fewer places that are never marked, or never change."""


def table(name: str) -> dict[str, dict[str, str]]:
    with (CONTEST / name).open() as file:
        return {row["instance"]: row for row in DictReader(file)}


def unfolded(instance: str) -> Unfolded:
    net = read(CONTEST / instance / "model.pnml")
    assert isinstance(net, HighLevelNet)
    return unfold(net)


@pytest.mark.parametrize("instance", SMALL)
def test_state_spaces(instance: str) -> None:
    expected = table("expected.csv")[instance]
    explored = pipeline.check(Model(unfolded(instance).net, instance, "pnml"), Request(reduce="none"))
    assert explored.states == int(expected["states"])
    assert explored.transitions == int(expected["transitions"])


@pytest.mark.slow
@pytest.mark.parametrize("instance", sorted(LARGE & set(INSTANCES)))
def test_large_state_spaces(instance: str) -> None:
    test_state_spaces(instance)


@pytest.mark.parametrize("instance", [each for each in INSTANCES if each not in DIFFERENT])
def test_twins(instance: str) -> None:
    """The same shape, up to names: sizes, arcs of each size, tokens."""
    path = CONTEST / instance.replace("-COL-", "-PT-") / "model.pnml"
    if not path.is_file():
        pytest.skip("there is no place/transition net of that name")
    twin, net = read(path), unfolded(instance).net
    assert isinstance(twin, Net)
    assert shape(net) == shape(twin)


def shape(net: Net) -> tuple[object, ...]:
    sides = zip(net.consumes, net.produces, strict=True)
    transitions = Counter((tuple(sorted(w for _, w in a)), tuple(sorted(w for _, w in b))) for a, b in sides)
    return len(net.places), len(net.transitions), net.arcs, sorted(net.initial), transitions


@pytest.mark.parametrize("instance", SMALL)
def test_orbits_of_twins(instance: str) -> None:
    """Under colours and the net's own automorphisms together."""
    expected = table("orbits.csv").get(instance.replace("-COL-", "-PT-"))
    if expected is None:
        pytest.skip("the number of orbits is not known")
    explored = pipeline.check(Model(unfolded(instance).net, instance, "pnml"), Request())
    assert explored.states == int(expected["orbits"])
    assert explored.full_states == int(expected["states"])


@pytest.mark.parametrize("instance", INSTANCES)
def test_colours_are_among_the_automorphisms(instance: str) -> None:
    found = unfolded(instance)
    handle, start = core_net(found.net), (found.net.initial,)
    given = given_symmetries(found, highlevel_symmetry(found.source).generators, handle)
    alone = restricted_group(handle, SymmetryScope(start, declared_only=True, given=given), ()).group
    whole = restricted_group(handle, SymmetryScope(start, given=given), ()).group
    assert whole.order == restricted_group(handle, SymmetryScope(start), ()).group.order
    assert whole.order % alone.order == 0
    assert len(alone.generators()) == len(given)


@pytest.mark.parametrize(
    "instance", ["Philosophers-COL-000005", "TokenRing-COL-005", "SharedMemory-COL-000005"]
)
def test_by_definition(instance: str) -> None:
    found = unfolded(instance)
    assert found.net == unfolding(found.source).net
