"""The ring leader election of Romijn and Springintveld (1999, Table 3): the machine, its quotient, kernels.

The kernels of the table are not to be reproduced: it computes them from a nondeterministic machine. Figures of the
determinised one were recomputed.
"""

from __future__ import annotations

import pytest
from burnside.families.machines import ring
from burnside.testing.facts import determinise, minimise
from burnside.testing.kernel import kernel
from burnside.testing.machine import StateMachine


@pytest.fixture(scope="module")
def machine() -> StateMachine:
    return ring.machine()


def test_the_machine(machine: StateMachine) -> None:
    assert (len(machine.states), len(machine.edges)) == (145_094, 779_040)
    assert len(set(machine.edges)) == len(machine.edges)
    for descending in (True, False):
        assert sorted(ring.order(descending=descending)) == sorted(machine.inputs)


def test_the_template() -> None:
    found = ring.template()
    assert (len(found.states), len(found.edges)) == (13, 54)
    assert len({(source, action) for source, action, _ in found.edges}) == 54
    # Of each copy another action, so that an action has one colour.
    pattern = ring.pattern()
    assert len({image for each in pattern.transformations for image in each.images.values()}) == 3 * len(
        found.actions
    )


def test_the_quotient_and_kernels(machine: StateMachine) -> None:
    quotient = minimise(machine)
    assert (len(quotient.states), len(quotient.edges)) == (37_764, 292_254)
    deterministic = minimise(determinise(quotient))
    assert (len(deterministic.states), len(deterministic.edges)) == (24_524, 184_545)
    sizes = {}
    for descending in (True, False):
        found = kernel(deterministic, ring.pattern(), ring.order(descending=descending))
        sizes[descending] = len(found.states), len(found.edges), found.visited
    # The vector is not a function of the state: some states are visited with several.
    assert sizes == {True: (24_382, 172_482, 24_391), False: (24_230, 170_624, 24_239)}
