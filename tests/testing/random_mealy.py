"""Random small Mealy machines."""

from __future__ import annotations

from random import Random

from burnside.testing.reference.mealy import Mealy, whole
from burnside.testing.reference.methods import minimised

OUTPUTS = ("x", "y")


def any_mealy(random: Random, states: int, inputs: int) -> Mealy:
    """States may be bisimilar, and some may not be reachable."""
    rows = tuple(
        tuple((random.choice(OUTPUTS), random.randrange(states)) for _ in range(inputs))
        for _ in range(states)
    )
    return Mealy(0, inputs, rows)


def minimal_mealy(random: Random, states: int, inputs: int) -> Mealy:
    while True:
        found = minimised(any_mealy(random, states, inputs))
        if len(found.rows) == states:
            assert list(whole(found)) == list(range(states))
            return found
