"""Minimal coverability sets, plain against pruned by symmetric covering, and goals by forward and by backward search.

In: the unbounded examples, four families with symmetries, nets of the contest where the folder `../shared/models/pnml` lies
beside the working directory (or where `BURNSIDE_MODELS` says). Out: two tables. Bounds or answers that differ make a row
wrong.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnside.benchmarks.measuring import repeated
from burnside.benchmarks.tables import Row, Table, TableSpec, named
from burnside.net import Arcs, Net
from burnside.records import record
from burnside.symmetry.nets import core_net

if TYPE_CHECKING:
    from burnside import _core

MAX_SECONDS = 30.0
CONTEST_VARIABLE = "BURNSIDE_MODELS"
"""The folder of the contest's nets, one folder for each."""
DEFAULT_CONTEST = "../shared/models/pnml"

SETS = TableSpec(
    "coverability",
    "Minimal coverability sets, plain against symmetric covering",
    named(
        "net | places | transitions | group | unbounded places | set | orbits | plain s | symmetric s | "
        "plain / symmetric | searches | remarks"
    ),
    "Set: omega-markings of the minimal coverability set; orbits: those that symmetric covering leaves. Seconds are those of "
    f"the search alone, medians in one run; a search ends after {MAX_SECONDS:.0f} s. Searches: how often a permutation was "
    "searched for. Nets of the contest are bounded: their sets are the maximal markings.",
)
GOALS = TableSpec(
    "coverability-goals",
    "Goals by forward and by backward search",
    named(
        "net | goal | answer | forward s | backward s | forward / backward | entered forward | kept backward | remarks"
    ),
    "Both under the symmetries that keep the goal. Forward search ends as soon as the goal is found. Entered: "
    "omega-markings; kept: minimal markings from which the goal can be covered.",
)
SPECS = (SETS, GOALS)

Sides = tuple[Mapping[str, int], Mapping[str, int]]


def net_of(name: str, initial: Mapping[str, int], transitions: Mapping[str, Sides]) -> Net:
    """From names; places in order of appearance."""
    places: dict[str, int] = {}
    sides = [side for pair in transitions.values() for side in pair]
    for place in (each for side in (initial, *sides) for each in side):
        places.setdefault(place, len(places))

    def arcs(side: Mapping[str, int]) -> Arcs:
        return tuple(sorted((places[place], weight) for place, weight in side.items()))

    return Net(
        name,
        tuple(places),
        tuple(initial.get(place, 0) for place in places),
        tuple(transitions),
        tuple(arcs(consumed) for consumed, _ in transitions.values()),
        tuple(arcs(produced) for _, produced in transitions.values()),
    )


def producers(n: int) -> Net:
    """n producers fill one buffer: 2^n omega-markings, n + 1 orbits."""
    transitions: dict[str, Sides] = {"consume": ({"buffer": 1}, {})}
    for i in range(n):
        transitions[f"produce {i}"] = ({f"ready {i}": 1}, {f"resting {i}": 1, "buffer": 1})
        transitions[f"rest {i}"] = ({f"resting {i}": 1}, {f"ready {i}": 1})
    return net_of(f"producers {n}", {f"ready {i}": 1 for i in range(n)}, transitions)


def mailboxes(n: int) -> Net:
    """n stations in a ring with mailboxes: 2^n omega-markings, as many orbits as there are necklaces of n beads."""
    transitions: dict[str, Sides] = {}
    for i in range(n):
        after = (i + 1) % n
        transitions[f"read {i}"] = ({f"idle {i}": 1, f"mail {i}": 1}, {f"busy {i}": 1})
        transitions[f"write {i}"] = ({f"busy {i}": 1}, {f"busy {i}": 1, f"mail {after}": 1})
        transitions[f"rest {i}"] = ({f"busy {i}": 1}, {f"idle {i}": 1})
    initial = {f"{place} {i}": 1 for i in range(n) for place in ("idle", "mail")}
    return net_of(f"mailboxes {n}", initial, transitions)


def spawning(n: int) -> Net:
    """Processes without end share n locks, of which some may be waited for: 3^n omega-markings."""
    transitions: dict[str, Sides] = {"spawn": ({}, {"outside": 1})}
    for i in range(n):
        transitions[f"ask {i}"] = ({"outside": 1, f"free {i}": 1}, {f"asked {i}": 1})
        transitions[f"lock {i}"] = ({f"asked {i}": 1}, {f"held {i}": 1})
        transitions[f"unlock {i}"] = ({f"held {i}": 1}, {f"free {i}": 1, "outside": 1})
    return net_of(f"spawning {n}", {f"free {i}": 1 for i in range(n)}, transitions)


def stores(n: int) -> Net:
    """Suppliers of n kinds of parts fill bounded or unbounded stores, from which products are made: the stores compete for
    three carts, and no invariant holds for them."""
    transitions: dict[str, Sides] = {"break": ({"cart": 1}, {})}
    for i in range(n):
        after = (i + 1) % n
        transitions[f"load {i}"] = ({"cart": 1}, {f"loaded {i}": 1})
        transitions[f"unload {i}"] = ({f"loaded {i}": 1}, {"cart": 1, f"store {i}": 2})
        transitions[f"lose {i}"] = ({f"loaded {i}": 1}, {f"store {i}": 1})
        transitions[f"make {i}"] = ({f"store {i}": 2, f"store {after}": 1}, {f"product {i}": 1})
    return net_of(f"stores {n}", {"cart": 3}, transitions)


FAMILIES = (
    *(producers(n) for n in (4, 8, 10, 12)),
    *(mailboxes(n) for n in (4, 6, 8, 10)),
    *(spawning(n) for n in (4, 6, 8)),
    *(stores(n) for n in (2, 3, 4, 6)),
)
EXAMPLES = ("unbounded", "mailboxes", "spawning")
CONTEST = (
    "AirplaneLD-PT-0010", "Anderson-PT-04", "AutonomousCar-PT-03a", "CANConstruction-PT-005", "CircularTrains-PT-024",
    "CloudDeployment-PT-2a", "CryptoMiner-PT-D03N010", "Dekker-PT-010", "DoubleExponent-PT-002", "Eratosthenes-PT-020",
    "GPUForwardProgress-PT-08a", "HexagonalGrid-PT-110", "HouseConstruction-PT-00002", "IBM319-PT-none",
    "LamportFastMutEx-PT-3", "Murphy-PT-D1N010", "NQueens-PT-08", "PGCD-PT-D02N006", "Philosophers-PT-000010",
    "PhilosophersDyn-PT-03", "Raft-PT-02", "Railroad-PT-005", "Referendum-PT-0010", "RwMutex-PT-r0010w0100",
    "SharedMemory-PT-000005", "TriangularGrid-PT-1200",
)  # fmt: skip


@record
class Asked:
    """A goal as the core takes it, and as people read it."""

    net: Net
    text: str
    answer: str


ASKED = (
    *(Asked(producers(n), "resting 0, ready 0", "not found") for n in (8, 12)),
    *(Asked(producers(n), "50 buffer", "found") for n in (8, 12)),
    *(Asked(mailboxes(n), "mail 0:5, busy 1:1", "found") for n in (6, 10)),
    *(Asked(mailboxes(n), "busy 0, idle 0", "not found") for n in (6, 10)),
    *(Asked(spawning(n), "2 held 0", "not found") for n in (4, 8)),
    *(Asked(stores(n), "product 0:3", "found") for n in (3, 4)),
    *(Asked(stores(n), "cart:1, loaded 0:3", "not found") for n in (3, 4)),
)


def tables() -> Iterator[Table]:
    yield Table(SETS, _set_rows())
    yield Table(GOALS, map(_goal_row, ASKED))


def _set_rows() -> Iterator[Row]:
    from burnside import pipeline

    for name in EXAMPLES:
        yield _set_row(f"{name}.lola", _example(name))
    for net in FAMILIES:
        yield _set_row(net.name, net)
    folder = Path(os.environ.get(CONTEST_VARIABLE, DEFAULT_CONTEST))
    for name in CONTEST:
        path = folder / name / "model.pnml"
        if path.exists():
            subject = pipeline.read(path).subject
            assert isinstance(subject, Net)
            yield _set_row(name, subject)


def _example(name: str) -> Net:
    return {"unbounded": producers(2), "mailboxes": mailboxes(3), "spawning": spawning(2)}[name]


def _set_row(name: str, net: Net) -> Row:
    from burnside import _core

    handle = core_net(net)
    trivial, group = _core.trivial_group(handle), _core.automorphisms(handle, [net.initial], [])
    plain, plain_seconds = _searched(handle, trivial)
    reduced, seconds = _searched(handle, group)
    complete = plain.stopped == reduced.stopped == "exhausted"
    is_wrong = complete and plain.bounds != reduced.bounds
    known = reduced if reduced.stopped == "exhausted" else plain
    remarks = [
        f"{which}: {found.stopped}"
        for which, found in (("plain", plain), ("symmetric", reduced))
        if found.stopped != "exhausted"
    ]
    remarks += ["bounds differ"] if is_wrong else []
    remarks += [f"{reduced.given_up} searches given up"] if reduced.given_up else []
    return Row(
        (
            name,
            len(net.places),
            len(net.transitions),
            group.order,
            sum(bound is None for bound in known.bounds),
            len(plain.markings) if plain.stopped == "exhausted" else None,
            len(reduced.markings) if reduced.stopped == "exhausted" else None,
            plain_seconds,
            seconds,
            plain_seconds / seconds if complete else None,
            reduced.searches,
            "; ".join(remarks),
        ),
        wrong=is_wrong,
    )


def _searched(
    handle: _core.Net, group: _core.Group, goals: Sequence[_core.Expression] = ()
) -> tuple[_core.Coverability, float]:
    from burnside import _core

    return repeated(
        lambda: _core.coverability(handle, group, goals, goals_only=bool(goals), max_seconds=MAX_SECONDS)
    )


def _goal_row(asked: Asked) -> Row:
    from burnside import _core
    from burnside.coverability.goals import read_goal

    handle = core_net(asked.net)
    goal = read_goal(_quoted(asked.text), asked.net).expression.core
    group = _core.automorphisms(handle, [asked.net.initial], [goal])
    forward, forward_seconds = _searched(handle, group, [goal])
    backward, backward_seconds = repeated(
        lambda: _core.backward_coverability(handle, group, goal, max_seconds=MAX_SECONDS)
    )
    found = {"found" if each else "not found" for each in (forward.found[0], backward.run is not None)}
    complete = forward.stopped in ("exhausted", "violation") and backward.stopped in (
        "exhausted",
        "violation",
    )
    is_wrong = complete and found != {asked.answer}
    return Row(
        (
            asked.net.name,
            asked.text,
            asked.answer,
            forward_seconds,
            backward_seconds,
            forward_seconds / backward_seconds if complete else None,
            forward.entered,
            backward.kept,
            "answers differ" if is_wrong else "" if complete else "stopped by the limit on time",
        ),
        wrong=is_wrong,
    )


def _quoted(text: str) -> str:
    """Names with blanks in quotes: `mail 0:5, 2 held 1` becomes `"mail 0":5, 2 "held 1"`."""
    import re

    return re.sub(r"[a-z]+ [0-9]+|[a-z]+", lambda found: f'"{found[0]}"', text)
