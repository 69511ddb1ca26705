"""Promela models for races against Spin: files of `examples/promela`, and the macros that give their sizes.

The counts are Spin 6.5.2's but for (1). `states` are all states: `spin -a -o1 -o2 -o3`, `gcc -O2 -DSAFETY -DNOCLAIM
-DNOREDUCE`. `reduced` are those with partial order reduction: `spin -a`, `gcc -O2 -DSAFETY -DNOCLAIM`. Both are explored to
the end, `./pan -c0 -m10000000 -w24`. The seconds were taken once, as CPU time of one core of a shared machine: they say
which sizes are worth a race, and are no results. `compile` and `run` are with partial order reduction.

| model | sizes | states | reduced | compile | run | run, all states |
|---|---|---|---|---|---|---|
| sem | N=16 | 589824 | 311312 | 1.2 | 1.1 | 2.3 |
| sem | N=19 | 5505024 | 2883603 | 1.1 | 6.9 | 30.5 |
| readers_writers | READERS=8 WRITERS=8 | 17301504 (1) | 6413236 | 1.3 | 11.2 | more than 29 |
| philosophers | N=12 | 1684801 | 1684801 | 1.4 | 10.3 | 9.5 |
| allocator | N=6 | 10902400 | 3847353 | 1.5 | 6.9 | 31.1 |
| leader_election | N=7 | 1426090 | 1426090 | 1.9 | 5.3 | 5.6 |
| clients_servers | CLIENTS=6 SERVERS=3 LENGTH=3 | 1127053 | 1127053 | 1.5 | 4.9 | 4.7 |
| star | N=8 | 2978304 | 1680490 | 1.5 | 4.2 | 7.2 |
| star | N=9 | 29492864 (3) | 15773495 | 1.5 | 25.9 | not measured |
| german | N=5 | 337181 | 335156 | 2.4 | 1.6 | 1.5 |
| peterson | N=5 | 2049434 | 828631 | 1.1 | 1.3 | 3.5 |
| three_tiers | as in the paper | 4393 | 2717 | 2.0 | 0.7 | 0.5 |
| three_tiers | C1=8 C2=8 C3=8 | 85229 | 64771 | 2.4 | 0.9 | 1.1 |
| hypercube | N=4 | 15796865 | not known | 2.1 | more than 30 | 41 (2) |

(1) Not by Spin, whose run was ended: counted by how many processes are where, which gives Spin's figures for 3 readers and
2 writers, and for 4 and 3. (2) Elapsed, not CPU time. (3) The sum of the orbits here.
About half a second of each run goes into memory that Spin clears at
its start.
"""

from __future__ import annotations

import os
from pathlib import Path

from burnside.records import record


@record
class SpinModel:
    """One model with its sizes, and its numbers of states; None where a run was not finished."""

    name: str
    sizes: tuple[tuple[str, int], ...]
    states: int
    reduced: int | None
    """States that are stored with partial order reduction."""

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={size}" for name, size in self.sizes)])

    @property
    def macros(self) -> tuple[str, ...]:
        """Options of `spin` and of `gcc -E`."""
        return tuple(f"-D{name}={size}" for name, size in self.sizes)


MODELS = (
    SpinModel("sem", (("N", 16),), 589_824, 311_312),
    SpinModel("sem", (("N", 19),), 5_505_024, 2_883_603),
    SpinModel("readers_writers", (("READERS", 8), ("WRITERS", 8)), 17_301_504, 6_413_236),
    SpinModel("philosophers", (("N", 12),), 1_684_801, 1_684_801),
    SpinModel("allocator", (("N", 6),), 10_902_400, 3_847_353),
    SpinModel("leader_election", (("N", 7),), 1_426_090, 1_426_090),
    SpinModel("clients_servers", (("CLIENTS", 6), ("SERVERS", 3), ("LENGTH", 3)), 1_127_053, 1_127_053),
    SpinModel("star", (("N", 9),), 29_492_864, 15_773_495),
    SpinModel("german", (("N", 5),), 337_181, 335_156),
    SpinModel("peterson", (("N", 5),), 2_049_434, 828_631),
    SpinModel("three_tiers", (), 4_393, 2_717),
    SpinModel("three_tiers", (("C1", 8), ("C2", 8), ("C3", 8)), 85_229, 64_771),
    SpinModel("hypercube", (("N", 4),), 15_796_865, None),
)


FAMILIES = {
    "sem": tuple((("N", n),) for n in (10, 13, 16, 18, 19)),
    "readers_writers": tuple((("READERS", n), ("WRITERS", n)) for n in (4, 5, 6, 7, 8)),
    "allocator": tuple((("N", n),) for n in (3, 4, 5, 6)),
    "clients_servers": tuple((("CLIENTS", n), ("SERVERS", 3), ("LENGTH", 3)) for n in (3, 4, 5, 6)),
    "star": tuple((("N", n),) for n in (4, 5, 6, 7, 8, 9)),
}
"""Sizes of the symmetric families, up to one that takes Spin about ten seconds."""


def located(model: SpinModel) -> Path | None:
    """The file: in `examples` of the working directory or of the project, or where `BURNSIDE_PROMELA_MODELS` says."""
    folders = [Path("examples") / "promela", Path(__file__).parents[3] / "examples" / "promela"]
    if named := os.environ.get("BURNSIDE_PROMELA_MODELS"):
        folders.insert(0, Path(named))
    files = (folder / f"{model.name}.pml" for folder in folders)
    return next((file for file in files if file.is_file()), None)
