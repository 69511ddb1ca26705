"""The systems of Donaldson, Miller and Calder 2005 (SPIN-to-GRAPE), published against measured.

In: the published figures, and further ones that were recomputed by Spin and GAP for sizes that the paper leaves out. Out: a
table in which states of the unreduced model, the order of the group and the number of orbits must be these.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import factorial

from burnside.benchmarks.spin_models import SpinModel, located
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.records import record
from burnside.request import Request


@record
class System:
    """`published`: in the paper; otherwise recomputed."""

    title: str
    model: SpinModel
    group: int
    orbits: int
    published: bool = True


def _system(
    title: str, name: str, figures: tuple[int, int, int], published: bool = True, **sizes: int
) -> System:
    states, group, orbits = figures
    return System(title, SpinModel(name, tuple(sizes.items()), states, None), group, orbits, published)


SYSTEMS = (
    _system("three tiers, 3 + 3 + 2 clients", "three_tiers", (4_393, 144, 281)),
    _system("one request channel buffered", "three_tiers_buffered", (14_995, 72, 1_115)),
    _system("three tiers, 2 + 2 + 1 clients", "three_tiers", (1_378, 8, 281), False, C1=2, C2=2, C3=1),
    _system("three tiers, 2 + 2 + 2 clients", "three_tiers", (2_267, 48, 114), False, C1=2, C2=2, C3=2),
    _system("hypercube of dimension 2", "hypercube", (249, 8, 36), False, N=2),
    _system("hypercube of dimension 3", "hypercube", (15_409, 48, 411), True, N=3),
    _system("first message to node 0, dimension 2", "hypercube_fixed", (145, 2, 78), False, N=2),
    _system("first message to node 0, dimension 3", "hypercube_fixed", (8_866, 6, 1_669), True, N=3),
)
TABLE = TableSpec(
    "spin-to-grape",
    "SPIN-to-GRAPE: states, groups and orbits, published against measured",
    named(
        "system | figures | states | group | orbits | measured states | measured group | structure | measured orbits "
        "| symmetry s | exploring s | verdict"
    ),
    "States of the unreduced model are those that orbits stand for. `symmetry s`: reading the model, finding and certifying "
    "its group. Figures are the paper's, or were recomputed with Spin 6.5 and GAP.",
)
DETECTED = (
    (
        SpinModel("three_tiers", (("C1", 17), ("C2", 17), ("C3", 16)), 0, None),
        factorial(17) ** 2 * 2 * factorial(16),
    ),
    *((SpinModel("hypercube", (("N", size),), 0, None), 2**size * factorial(size)) for size in (4, 5, 6)),
    (SpinModel("star", (("N", 50),), 0, None), factorial(50)),
    (SpinModel("sem", (("N", 100),), 0, None), factorial(100)),
)
"""Models, and the orders of their groups."""
DETECTION_TARGET = 5.0
DETECTION = TableSpec(
    "spin-detection",
    "Finding and certifying the symmetries of large Promela models",
    named("model | reading s | symmetry s | together s | target s | structure | verdict"),
    "One thread, once, in a process that has read another model before. The order of the group must be that of all "
    "permutations that keep the topology.",
)


def tables() -> Iterator[Table]:
    yield Table(TABLE, rows(SYSTEMS))
    yield Table(DETECTION, detection_rows())


def detection_rows() -> Iterator[Row]:
    for each, order in DETECTED:
        if located(each) is None:
            yield without_figures(DETECTION, str(each), f"skipped: {each.name}.pml is absent")
        else:
            yield _detected(each, order)


def _detected(each: SpinModel, order: int) -> Row:
    from burnside import pipeline

    file = located(each)
    assert file is not None
    begun = time.perf_counter()
    model = pipeline.read(file, "promela", dict(each.sizes))
    reading = time.perf_counter() - begun
    found = pipeline.symmetries(model, Request())
    together = time.perf_counter() - begun
    wrong = found.order != order
    missed = "met" if together < DETECTION_TARGET else "missed"
    verdict = f"WRONG: {found.order}" if wrong else missed
    taken = reading, together - reading, together, DETECTION_TARGET
    return Row((str(each), *taken, found.structure, verdict), wrong=wrong)


def rows(systems: Sequence[System]) -> Iterator[Row]:
    for system in systems:
        if located(system.model) is None:
            yield without_figures(TABLE, system.title, f"skipped: {system.model.name}.pml is absent")
        else:
            yield _row(system)


def _row(system: System) -> Row:
    from burnside import pipeline

    file = located(system.model)
    assert file is not None
    begun = time.perf_counter()
    model = pipeline.read(file, "promela", dict(system.model.sizes))
    structure = pipeline.symmetries(model, Request()).structure
    found = time.perf_counter() - begun
    outcome = pipeline.check(model, Request(keep_going=True))
    measured = outcome.full_states, outcome.reduction.group_order, outcome.states
    wanted = system.model.states, system.group, system.orbits
    origin = "published" if system.published else "recomputed"
    verdict = "as expected" if measured == wanted else f"WRONG: {measured}"
    full, group, orbits = measured
    cells = (
        system.title,
        origin,
        *wanted,
        full,
        group,
        structure,
        orbits,
        found,
        outcome.cost.explore_seconds,
        verdict,
    )
    return Row(cells, wrong=measured != wanted)
