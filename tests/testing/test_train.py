"""The cyclic train of Romijn and Springintveld (1999, Table 2): machines, templates, kernels.

Figures are the report's, or were recomputed where it leaves them out (the kernel's edges of the Mealy trains; in the row of
seven stations they are a copy of the plain train's).
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from burnside.diagnostics import UsageError
from burnside.families.machines import train
from burnside.records import replace
from burnside.testing.kernel import kernel as core_kernel
from burnside.testing.patterns import ranks
from burnside.testing.reference.facts import ambiguous, distances, missing
from burnside.testing.reference.kernel import Uncovered, kernel
from burnside.testing.reference.symmetry_check import check_symmetry

Sizes = tuple[int, int]


def kernel_states(stations: int) -> dict[tuple[int, ...], int]:
    """Of the Mealy train, by order of stations."""
    machine, pattern = train.machine(stations), train.pattern(stations)
    return {
        each: len(kernel(machine, pattern, ranks(train.order(stations, each))).states)
        for each in permutations(range(stations))
    }


@pytest.mark.parametrize(
    ("stations", "mealy", "sizes", "kernel_sizes"),
    [
        (3, False, (485, 3394), (185, 1044)),
        (4, False, (2565, 23084), (625, 3724)),
        (5, False, (12805, 140854), (1845, 11294)),
        (3, True, (378, 2502), (333, 1725)),
        (4, True, (2808, 24312), (1548, 8752)),
        (5, True, (13950, 148650), (5193, 30255)),
        pytest.param(6, True, (72036, 912276), (16959, 100647), marks=pytest.mark.slow),
        pytest.param(7, True, (336042, 4927734), (49941, 300655), marks=pytest.mark.slow),
        pytest.param(7, False, (286725, 4300874), (12685, 79594), marks=pytest.mark.slow),
    ],
)
def test_sizes(stations: int, mealy: bool, sizes: Sizes, kernel_sizes: Sizes) -> None:
    machine, pattern = train.machine(stations, mealy=mealy), train.pattern(stations, mealy=mealy)
    assert (len(machine.states), len(machine.edges)) == sizes
    found = kernel(machine, pattern, ranks(train.order(stations, mealy=mealy)))
    assert (len(found.states), len(found.edges)) == kernel_sizes
    assert found.visited == len(found.states)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mealy", "sizes", "kernel_sizes"),
    [(True, (1563696, 26060592), (146394, 887208)), (False, (1310725, 22282324), (30945, 195404))],
)
def test_sizes_of_eight_stations(mealy: bool, sizes: Sizes, kernel_sizes: Sizes) -> None:
    """In the core: the reference would need several gigabytes."""
    machine, pattern = train.machine(8, mealy=mealy), train.pattern(8, mealy=mealy)
    assert (len(machine.states), len(machine.edges)) == sizes
    found = core_kernel(machine, pattern, train.order(8, mealy=mealy))
    assert (len(found.states), len(found.edges)) == kernel_sizes
    assert found.visited == len(found.states)


@pytest.mark.parametrize("mealy", [True, False])
def test_what_machines_are_like(mealy: bool) -> None:
    machine = train.machine(4, mealy=mealy)
    assert len(distances(machine)) == len(machine.states)
    assert ambiguous(machine) == []
    assert sorted(machine.inputs) == sorted(train.order(4, mealy=mealy))
    assert len(set(machine.edges)) == len(machine.edges)


def test_the_mealy_train_is_not_input_enabled() -> None:
    """Requests for the station where the door closes, before the train leaves."""
    without_answer = missing(train.machine(4))
    assert len(without_answer) == 960
    assert set(Counter(state for state, _ in without_answer).values()) == {2}


def test_templates() -> None:
    assert [len(train.template(each).edges) for each in range(4, 9)] == [38, 44, 50, 56, 62]
    assert len(train.template(8, mealy=False).edges) == 20
    found = train.template(8)
    listed = [(source, str(found.actions[action]), target) for source, action, target in found.edges]
    # Lines of the report's listing, by their numbers.
    assert listed[10 - 1] == (0, "REQUEST CALL 1/MOVELEFT 2", 1)
    assert listed[15 - 1] == (0, "REQUEST SEND 1/MOVELEFT 4", 1)
    assert listed[16 - 1] == (0, "REQUEST CALL 1/MOVERIGHT 0", 1)
    assert listed[29 - 1] == (0, "REQUEST SEND 7/MOVELEFT 1", 5)
    assert listed[54 - 1] == (4, "REQUEST SEND 5/MOVELEFT 0", 0)
    assert listed[62 - 1] == (5, "REQUEST SEND 1/NO_OUTPUT", 2)


@pytest.mark.parametrize(("stations", "best"), [(4, 1548), pytest.param(5, 5193, marks=pytest.mark.slow)])
def test_the_published_order_is_best(stations: int, best: int) -> None:
    """The report says so of four and five stations."""
    sizes = kernel_states(stations)
    assert min(sizes.values()) == sizes[train.PUBLISHED_ORDERS[stations]] == best


@pytest.mark.parametrize("mealy", [True, False])
def test_copies_that_all_begin_elsewhere_do_not_cover_the_traces(mealy: bool) -> None:
    pattern = replace(train.pattern(4, mealy=mealy), initial=(0, 0, 0, 0))
    with pytest.raises(Uncovered):
        kernel(train.machine(4, mealy=mealy), pattern, ranks(train.order(4, mealy=mealy)))


@pytest.mark.parametrize("mealy", [True, False])
def test_the_pattern_is_no_symmetry(mealy: bool) -> None:
    machine, pattern = train.machine(4, mealy=mealy), train.pattern(4, mealy=mealy)
    found = check_symmetry(machine, pattern, strict=False).counterexample
    assert found is not None and found.flaw == "not persistent"


@pytest.mark.parametrize("ranking", [(0, 1, 2), (0, 1, 2, 4), (0, 1, 2, 2)])
def test_an_order_has_every_station_once(ranking: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="an order of 4 stations has each of 0 to 3 once"):
        train.order(4, ranking)
