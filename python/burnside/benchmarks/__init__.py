"""`burnside bench`: the tables of the papers, the speed figures and the races, by name.

In: names of benchmarks and a folder. Out: tables on standard output as they are finished, CSV files and the
page `RESULTS.md` in the folder, and an exit code: 0, or 1 where a count that must be exact is not. Progress
goes to standard error, a line for each row. A missed speed fails nothing; it stands in the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from burnside.benchmarks import (
    auto,
    auto_finding,
    auto_methods,
    auto_programs,
    automata,
    b_race,
    b_speed,
    contest,
    coverability,
    highlevel,
    murphi_race,
    murphi_runs,
    race,
    scaling,
    self_check,
    speed,
    spin_race,
    spin_to_grape,
    temporal,
    testing,
    thesis_b,
    thesis_murphi,
    thesis_nets,
    unfolding,
    z_tables,
)
from burnside.benchmarks.host import Host, this_host
from burnside.benchmarks.results import Folder
from burnside.benchmarks.tables import Row, Table, TableSpec, bare, show, shown
from burnside.diagnostics import Diagnostic, UsageError
from burnside.records import record

DEFAULT_FOLDER = "bench"
ALL = "all"


@record
class Benchmark:
    """`in_all`: run by `burnside bench all`."""

    name: str
    description: str
    specs: tuple[TableSpec, ...]
    tables: Callable[[], Iterator[Table]]
    in_all: bool = True


BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        each.name: each
        for each in (
            Benchmark(
                "thesis-nets",
                "Tables 4.1, 4.3, 4.4 and 4.5 of Junttila 2003, published against measured (minutes)",
                thesis_nets.SPECS,
                thesis_nets.tables,
            ),
            Benchmark(
                "thesis-nets-full",
                "the longest rows of Tables 4.3 and 4.5 (an hour; not part of all)",
                thesis_nets.LONG_SPECS,
                thesis_nets.long_tables,
                in_all=False,
            ),
            Benchmark(
                "speed", "edges per second unreduced, digraphs 6 reduced", (speed.SPEED,), speed.speed_tables
            ),
            Benchmark("memory", "bytes for each stored marking", (speed.MEMORY,), speed.memory_tables),
            Benchmark("threads", "two threads against one", (speed.THREADS,), speed.thread_tables),
            Benchmark("startup", "seconds until --version answers", (speed.STARTUP,), speed.startup_tables),
            Benchmark("race", "canonical forms against pynauty", (race.RACE,), race.tables),
            Benchmark("scaling", "cost of an edge as nets grow", (scaling.SCALING,), scaling.tables),
            Benchmark(
                "unfolding",
                "high-level nets unfolded, up to a million transitions (minutes)",
                (unfolding.TABLE,),
                unfolding.tables,
            ),
            Benchmark(
                "highlevel",
                "high-level nets directly, unfolded and as auto chooses; directly against Murphi twins (minutes)",
                (highlevel.ROUTES, highlevel.TWIN),
                highlevel.tables,
            ),
            Benchmark(
                "self-check",
                "runs with a sample of states checked against runs without (minutes)",
                (self_check.TABLE,),
                self_check.tables,
            ),
            Benchmark(
                "auto",
                "the price of --reduce auto: whole commands against --reduce none (many minutes)",
                (auto.AUTO,),
                auto.tables,
            ),
            Benchmark(
                "auto-finding",
                "symmetries of nets of 10,000 to 100,000 places: found or given up (minutes)",
                (auto_finding.FINDING,),
                auto_finding.tables,
            ),
            Benchmark(
                "auto-methods",
                "every method on a spread of nets (many minutes)",
                (auto_methods.AUTO,),
                auto_methods.tables,
            ),
            Benchmark(
                "thesis-murphi",
                "Table 7.1 of Junttila 2003, published against measured",
                (thesis_murphi.TABLE,),
                thesis_murphi.tables,
            ),
            Benchmark(
                "thesis-murphi-full",
                "the longest row of Table 7.1 (minutes; not part of all)",
                (thesis_murphi.LONG_TABLE,),
                thesis_murphi.long_tables,
                in_all=False,
            ),
            Benchmark(
                "spin-to-grape",
                "the systems of Donaldson, Miller and Calder 2005, published against measured",
                (spin_to_grape.TABLE, spin_to_grape.DETECTION),
                spin_to_grape.tables,
            ),
            Benchmark(
                "spin-race",
                "whole runs of Promela models against Spin (minutes)",
                (spin_race.UNREDUCED_RACE, spin_race.REDUCED_RACE, spin_race.GROWTH),
                spin_race.tables,
            ),
            Benchmark(
                "testing",
                "the tables of Romijn and Springintveld 1999, sizes of suites, a race with AALpy (minutes)",
                (testing.KERNELS, testing.RING, testing.SIZES, testing.RACE),
                testing.tables,
            ),
            Benchmark(
                "thesis-b",
                "the tables of Spermann 2009 and of Leuschel and Massart for B machines (minutes)",
                thesis_b.SPECS,
                thesis_b.tables,
            ),
            Benchmark(
                "b-speed",
                "transitions per second and memory of B machines, unreduced",
                (b_speed.SPEED,),
                b_speed.speed_tables,
            ),
            Benchmark(
                "b-reduced",
                "large B machines reduced exactly",
                (b_speed.REDUCTION,),
                b_speed.reduced_tables,
            ),
            Benchmark(
                "b-race",
                "B machines against ProB and TLC (minutes; PROB_HOME, TLC4B_HOME)",
                (b_race.RACE,),
                b_race.tables,
            ),
            Benchmark(
                "z",
                "the tables of Leuschel and Massart for Z, speed against B, reading",
                z_tables.SPECS,
                z_tables.tables,
            ),
            Benchmark(
                "murphi-race",
                "whole runs of Murphi programs against rumur (minutes)",
                (murphi_race.RACE,),
                murphi_race.tables,
            ),
            Benchmark(
                "murphi-sem",
                "a fully symmetric program as it grows",
                (murphi_runs.SEM,),
                murphi_runs.sem_tables,
            ),
            Benchmark(
                "murphi-memory",
                "bytes for each stored state of a program",
                (murphi_runs.MEMORY,),
                murphi_runs.memory_tables,
            ),
            Benchmark(
                "temporal",
                "LTL against plain exploration, CTL on a million states (minutes)",
                (temporal.LTL, temporal.EARLY, temporal.CTL),
                temporal.tables,
            ),
            Benchmark(
                "contest",
                "the contest's verdicts on its formulas, with and without reduction (many minutes; not part of all)",
                (contest.CONTEST,),
                contest.tables,
                in_all=False,
            ),
            Benchmark(
                "coverability",
                "minimal coverability sets, plain against symmetric covering; goals forwards and backwards (minutes)",
                coverability.SPECS,
                coverability.tables,
            ),
            Benchmark(
                "automata",
                "sizes of the automata of 94 formulas of the literature",
                (automata.AUTOMATA,),
                automata.tables,
            ),
            Benchmark(
                "auto-programs",
                "every method on a spread of Murphi programs (many minutes)",
                (auto_programs.AUTO,),
                auto_programs.tables,
            ),
        )
    }
)


def run(names: Sequence[str], output: str | None) -> int:
    """Run the named benchmarks, or list them where none is named."""
    chosen = _chosen(names)
    if not chosen:
        _list()
        return 0
    specs = [spec for each in BENCHMARKS.values() for spec in each.specs]
    folder = Folder(Path(output or DEFAULT_FOLDER), specs)
    folder.prepare()
    wrong = [table for each in chosen for table in each.tables() if not _finished(table, folder)]
    for table in wrong:
        print(f"burnside: a count is wrong in: {table.spec.title}", file=sys.stderr)
    return 1 if wrong else 0


def _chosen(names: Sequence[str]) -> list[Benchmark]:
    unknown = [name for name in names if name not in BENCHMARKS and name != ALL]
    if unknown:
        hint = "there are " + ", ".join((*BENCHMARKS, ALL))
        raise UsageError(Diagnostic(f"no benchmark is called '{unknown[0]}'", hint=hint))
    return [each for each in BENCHMARKS.values() if each.name in names or (ALL in names and each.in_all)]


def _list() -> None:
    width = max(map(len, BENCHMARKS))
    for each in BENCHMARKS.values():
        print(f"{each.name:<{width}}  {each.description}")
    print(
        "\nRun some: burnside bench NAME ...; run all: burnside bench all; results: bench/, or -o DIRECTORY"
    )


def _finished(table: Table, folder: Folder) -> bool:
    """Measure, show and store one table; are all its counts right?"""
    host: Host = this_host()
    rows = list(_told(table))
    show(table.spec, rows, sys.stdout)
    folder.write(table.spec, rows, host)
    return not any(row.wrong for row in rows)


def _told(table: Table) -> Iterator[Row]:
    print(table.spec.title, file=sys.stderr, flush=True)
    for row in table.rows:
        first, *_, last = row.cells
        print(f"  {shown(bare(first))}: {shown(bare(last))}", file=sys.stderr, flush=True)
        yield row
