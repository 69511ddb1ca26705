"""Families of high-level nets: equal to the contest's instances, and one that only the direct route can explore."""

from pathlib import Path

import pytest
from burnside import pipeline
from burnside.families.highlevel import FAMILIES
from burnside.ir.highlevel.net import HighLevelNet
from burnside.request import Request
from burnside.unfolding import unfold

MODELS = Path("../shared/models/pnml")
INSTANCES = {
    "AirplaneLD-COL-0010": ("airplane", 10),
    "AirplaneLD-COL-0020": ("airplane", 20),
    "LamportFastMutEx-COL-2": ("lamport", 2),
    "LamportFastMutEx-COL-3": ("lamport", 3),
    "Peterson-COL-2": ("peterson", 2),
    "Philosophers-COL-000005": ("philosophers", 5),
    "Philosophers-COL-000010": ("philosophers", 10),
    "Referendum-COL-0010": ("referendum", 10),
    "SharedMemory-COL-000005": ("shared memory", 5),
    "TokenRing-COL-005": ("token ring", 6),
    "TokenRing-COL-010": ("token ring", 11),
}


def contest(instance: str) -> HighLevelNet:
    file = MODELS / instance / "model.pnml"
    if not file.is_file():
        pytest.skip(f"{instance} is absent")
    net = pipeline.read(file).subject
    assert isinstance(net, HighLevelNet)
    return net


@pytest.mark.parametrize("instance", INSTANCES)
def test_families_are_the_contests(instance: str) -> None:
    family, size = INSTANCES[instance]
    found = []
    for net in (FAMILIES[family](size), contest(instance)):
        below = unfold(net).net
        outcome = pipeline.check(pipeline.model_of(net), Request(reduce="none"))
        found.append(
            (
                len(net.places),
                len(net.transitions),
                len(below.places),
                len(below.transitions),
                below.arcs,
                sorted(below.initial),
                outcome.states,
                outcome.transitions,
                outcome.deadlocks,
                outcome.depth,
            )
        )
    assert found[0] == found[1]


def test_a_billion_instances_are_no_obstacle() -> None:
    """Of 10^9 instances a thousand can happen. Giving up the unfolding costs nothing that is noticed."""
    net = FAMILIES["lockstep"](1_000)
    outcome = pipeline.check(pipeline.model_of(net), Request())
    assert (outcome.states, outcome.transitions, outcome.deadlocks) == (1_000, 1_000, 0)
    assert outcome.facts["route"]["reason"] == "directly: the unfolding has more than 20,000 transitions"


def test_few_places_in_lockstep_are_unfolded_too() -> None:
    found = unfold(FAMILIES["lockstep"](12)).net
    assert len(found.places) == 36
    # Each step, and each meeting but for the pairs x = y.
    assert len(found.transitions) == 12 + 12**3 - 12**2
