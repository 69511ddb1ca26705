"""Certification of nets is exact: a permutation is certified if and only if it maps every arc to an arc of the same weight.

Said once more, in other words: firing the image of a transition in the image of a marking gives the image of what it gives.
"""

from __future__ import annotations

from random import Random

import pytest
from burnside import _core
from burnside.net import Net

Arcs = tuple[tuple[int, int], ...]


def random_net(random: Random) -> Net:
    places, transitions = random.randint(2, 5), random.randint(1, 4)

    def arcs() -> Arcs:
        chosen = random.sample(range(places), random.randint(0, min(places, 2)))
        return tuple(sorted((place, random.choice((1, 1, 2))) for place in chosen))

    return Net(
        name="random",
        places=tuple(f"p{each}" for each in range(places)),
        transitions=tuple(f"t{each}" for each in range(transitions)),
        initial=tuple(random.randint(0, 2) for _ in range(places)),
        consumes=tuple(arcs() for _ in range(transitions)),
        produces=tuple(arcs() for _ in range(transitions)),
    )


def fired(net: Net, marking: tuple[int, ...], transition: int) -> tuple[int, ...] | None:
    return net.fire(marking, transition) if net.is_enabled(marking, transition) else None


def obeys_the_law(net: Net, places: list[int], transitions: list[int], random: Random) -> bool:
    """In all small markings that differ from each other where arcs do: none, some and many tokens on each place."""

    def image(marking: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(marking[places.index(place)] for place in range(len(marking)))

    size = len(net.places)
    markings = [tuple(random.randint(0, 4) for _ in range(size)) for _ in range(200)]
    markings += [
        tuple(few if place == odd else 9 for place in range(size)) for odd in range(size) for few in range(3)
    ]
    for marking in markings:
        for transition in range(len(net.transitions)):
            here = fired(net, marking, transition)
            there = fired(net, image(marking), transitions[transition])
            if (None if here is None else image(here)) != there:
                return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_what_is_certified_is_what_obeys_the_law(seed: int) -> None:
    random = Random(seed)
    net = random_net(random)
    core = _core.Net(net.initial, net.consumes, net.produces)
    certified = 0
    for _ in range(60):
        places = random.sample(range(len(net.places)), len(net.places))
        transitions = random.sample(range(len(net.transitions)), len(net.transitions))
        if random.random() < 0.3:  # near the identity
            places, transitions = list(range(len(net.places))), list(range(len(net.transitions)))
            a, b = random.sample(places, 2)
            places[a], places[b] = b, a
        is_certified = _core.certify(core, places, transitions) is None
        certified += is_certified
        assert is_certified == obeys_the_law(net, places, transitions, random)
    for places, transitions, _ in _core.automorphisms(core, [net.initial], []).generators():
        assert obeys_the_law(net, places, transitions, random)
        assert all(net.initial[place] == net.initial[image] for place, image in enumerate(places))
