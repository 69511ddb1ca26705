"""Models with a size: what `burnside example NAME PARAMS` writes.

In: a family's name and its parameters as they stand on the command line. Out: a `Net`. `FAMILIES` is the
table that `--list` prints; whatever does not fit it is a `UsageError` that says what would. `machines` has the families of
finite state machines, in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import comb, factorial
from types import MappingProxyType

from burnside.diagnostics import Diagnostic, UsageError
from burnside.families import nets, shapes
from burnside.families.machines import MACHINE_FAMILIES
from burnside.families.parameters import (
    FamilyParameter,
    Limit,
    SizedFamily,
    parameter_values,
    refuse_giants,
    unknown_family,
)
from burnside.net import Net
from burnside.records import record

__all__ = ["FAMILIES", "MACHINE_FAMILIES", "MAX_ARCS", "Family", "FamilyParameter", "build", "group_order"]

MAX_ARCS = 5_000_000
_LIMIT = Limit(MAX_ARCS, "arcs")


@record
class Family(SizedFamily):
    """One parameterised net, and how it is built."""

    build: Callable[..., Net]
    arcs: Callable[..., int]
    refuses: Callable[..., str | None] = lambda *_: None
    """What is wrong with parameters that are fine one by one."""
    order: Callable[..., int | None] = lambda *_: None
    """Of the group that fixes the initial marking, places and transitions, where there is a formula."""


def _railroad_refuses(sections: int, trains: int) -> str | None:
    if sections > 2 * trains:
        return None
    return f"{trains} trains need at least {2 * trains + 1} sections to move, not {sections}"


def _grid_arcs(d: int, n: int) -> int:
    # Cut off where the result is far beyond any limit: 2^64 agents are refused as well as 2^(10^6).
    d = min(d, 64)
    rows: int = n ** (d - 1)
    return 4 * n * rows + 4 * d * (n - 1) * rows


def _election_order(agents: int) -> int:
    """A reflection, and permutations of the draws after which the same agents stand: these have 1 and the others 0, or these
    have 2 and the others less; all of them also by 0."""
    order = min(agents, 2)
    for standing in range(1, agents + 1):
        draws = 3 if standing == agents else 1 + 2 ** (agents - standing)
        order *= factorial(draws) ** comb(agents, standing)
    return order


def _leaf_set_arcs(nodes: int, crashes: int) -> int:
    half = nodes // 2
    repairs = nodes * (nodes - 1)
    answers = nodes * ((half - 1) ** 2 + half**2) - repairs
    return 4 * crashes * nodes + 4 * repairs + 8 * answers + 6 * crashes * repairs


_N = "Junttila 2003, 4.5.1"
_PRICE = "docs/auto.md, The price of symmetry"

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        family.name: family
        for family in (
            Family(
                "ph",
                (FamilyParameter("philosophers", 2),),
                "dining philosophers, left fork first; deadlocks; cyclic symmetry",
                _N,
                nets.philosophers,
                lambda n: 10 * n,
                order=lambda n: n,
            ),
            Family(
                "db",
                (FamilyParameter("managers", 2),),
                "database managers telling each other of updates; full symmetry",
                _N,
                nets.database,
                lambda n: n * (10 * n - 4),
                order=factorial,
            ),
            Family(
                "grid",
                (FamilyParameter("dimensions", 1), FamilyParameter("agents_per_row", 2)),
                "mutual exclusion between neighbours of a grid; the symmetries of the cube",
                _N,
                nets.grid,
                _grid_arcs,
                order=lambda d, n: 2**d * factorial(d),
            ),
            Family(
                "graphs",
                (FamilyParameter("vertices", 2),),
                "enumerates the undirected graphs; orbits are graphs up to isomorphism",
                _N,
                nets.graphs,
                lambda n: 5 * n * (n - 1) // 2,
                order=factorial,
            ),
            Family(
                "digraphs",
                (FamilyParameter("vertices", 2),),
                "enumerates the directed graphs; orbits are graphs up to isomorphism",
                _N,
                nets.digraphs,
                lambda n: 5 * n * (n - 1),
                order=factorial,
            ),
            Family(
                "railroad",
                (FamilyParameter("sections", 3, 6), FamilyParameter("trains", 1, 2)),
                "trains on a ring with signals; rotations, and trains are interchangeable",
                "Junttila 2003, Example 3.1",
                nets.railroad,
                lambda sections, trains: 4 * sections * trains,
                _railroad_refuses,
                order=lambda sections, trains: trains if sections % trains == 0 else None,
            ),
            Family(
                "mutex",
                (FamilyParameter("processes", 1),),
                "mutual exclusion by one shared token; full symmetry",
                "Junttila 2003, Example 2.1",
                nets.mutex,
                lambda n: 8 * n,
                order=factorial,
            ),
            Family(
                "rwmutex",
                (FamilyParameter("readers", 1), FamilyParameter("writers", 1)),
                "a writer keeps all readers out; few states, a huge group",
                _PRICE,
                shapes.readers_and_writers,
                lambda readers, writers: 6 * readers + writers * (2 * readers + 4),
                order=lambda readers, writers: factorial(readers) * factorial(writers),
            ),
            Family(
                "servers",
                (FamilyParameter("clients", 1), FamilyParameter("servers", 1)),
                "a client asks a server; places for each pair, full symmetry of both",
                _PRICE,
                shapes.clients_and_servers,
                lambda clients, servers: 10 * clients * servers,
                order=lambda clients, servers: factorial(clients) * factorial(servers),
            ),
            Family(
                "lines",
                (
                    FamilyParameter("kinds", 1),
                    FamilyParameter("copies", 1),
                    FamilyParameter("length", 1),
                    FamilyParameter("moving", 1, 1),
                ),
                "tokens on lines of places; wide states, lines of one kind are interchangeable",
                _PRICE,
                shapes.lines,
                lambda kinds, copies, length, moving: (
                    copies * (kinds * (2 * length + 4) + kinds * (kinds - 1))
                ),
                order=lambda kinds, copies, *_: factorial(copies) ** kinds,
            ),
            Family(
                "teams",
                (FamilyParameter("teams", 1), FamilyParameter("members", 1)),
                "one member of a team speaks at a time; members are interchangeable, and so are teams",
                _PRICE,
                shapes.teams,
                lambda teams, members: 8 * teams * members,
                order=lambda teams, members: factorial(teams) * factorial(members) ** teams,
            ),
            Family(
                "leafset",
                (FamilyParameter("nodes", 2), FamilyParameter("crashes", 1)),
                "nodes of a ring overlay crash and are replaced; thousands of places, a group of order 2 crashes!",
                _PRICE,
                shapes.leaf_set,
                _leaf_set_arcs,
                lambda nodes, _: None if nodes % 2 == 0 else f"nodes of 'leafset' must be even, not {nodes}",
                order=lambda nodes, crashes: (8 if nodes == 4 else 2) * factorial(crashes),
            ),
            Family(
                "election",
                (FamilyParameter("agents", 1),),
                "elections by lot on a line; 3^agents transitions, many of them identical; a reflection",
                _PRICE,
                shapes.election,
                lambda n: 2 * n * 3 ** min(n, 64) + 6 * n + 8 * (n - 1),
                order=_election_order,
            ),
            Family(
                "mailboxes",
                (FamilyParameter("stages", 1), FamilyParameter("messages", 1), FamilyParameter("unused", 0)),
                "messages through stages; most places are never marked, and most symmetries move only these",
                _PRICE,
                shapes.mailboxes,
                lambda stages, messages, unused: messages * (8 * stages + 2) + 6 * stages * unused,
                order=lambda stages, messages, unused: factorial(messages) * factorial(unused) ** stages,
            ),
            Family(
                "sparse",
                (
                    FamilyParameter("places", 3),
                    FamilyParameter("tokens", 1),
                    FamilyParameter("twins", 0, 0),
                    FamilyParameter("seed", 0, 1),
                ),
                "tokens on a ring with random shortcuts; no symmetry but that of rarely marked twins",
                _PRICE,
                shapes.sparse,
                lambda places, tokens, twins, _: (
                    2 * places + 4 * (places - places // 2) + 2 * (places // 2) + 4 * twins
                ),
                order=lambda places, tokens, twins, _: factorial(twins),
            ),
        )
    }
)


def build(name: str, params: Sequence[str | int]) -> Net:
    """The net of that family and size; UsageError where there is none."""
    family = FAMILIES.get(name)
    if family is None:
        raise unknown_family(name, [*FAMILIES, *MACHINE_FAMILIES])
    values = parameter_values(family, params, _LIMIT)
    reason = family.refuses(*values)
    if reason is not None:
        raise UsageError(Diagnostic(reason, hint=f"usage: burnside example {family.usage}"))
    refuse_giants(family, values, family.arcs(*values), _LIMIT)
    return family.build(*values)


def group_order(name: str, params: Sequence[str | int]) -> int | None:
    """Of the symmetries of a member, where there is a formula."""
    family = FAMILIES[name]
    return family.order(*parameter_values(family, params, _LIMIT))
