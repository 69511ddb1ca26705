"""Canonical forms against pynauty, on the same markings.

In: nets of the thesis. Out: one table: microseconds that pynauty takes to build the labelled graph of a
marking and its certificate, against microseconds of burnside for each state it canonicalises. Burnside's
time is that of the whole reduced exploration, firing and storing included, so the ratio is on pynauty's
side. pynauty (GPL) is a rival and never needed: where it is absent, the rows say so.

pynauty gets the better of two graphs: directed, with a vertex for each place and transition; or undirected,
with one more for each arc (Junttila 2003, 4.2). Both are coloured by orbit and marking. Its certificates
must distinguish the sampled markings exactly as burnside does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from burnside.benchmarks.apart import apart
from burnside.benchmarks.measuring import (
    MethodSettings,
    Prepared,
    family,
    median_seconds,
    method_of_auto,
    prepare,
    timed,
)
from burnside.benchmarks.tables import Row, Table, TableSpec, named, without_figures
from burnside.net import Net
from burnside.records import record

if TYPE_CHECKING:
    from burnside import _core

NETS = ("ph 10", "ph 13", "grid 2 5", "grid 3 3", "digraphs 4", "digraphs 5")
SAMPLE = 2_000
TIMES_FASTER = 20.0
LIMIT = 30.0
"""Seconds for one kind of graph: nauty on digraphs may take for ever."""

RACE = TableSpec(
    "race",
    "Canonical forms: burnside against pynauty",
    named(
        "net | method | sampled | pynauty's graph | vertices | pynauty µs | canonicalised | edges | burnside µs "
        "| ratio | target | verdict"
    ),
    f"pynauty: {SAMPLE:,} successors of stored markings, evenly spread over all edges; build the labelled graph and "
    "take its certificate, the faster of two kinds of graph. burnside: seconds of the whole reduced exploration over "
    "the markings canonicalised in it, so firing, looking up and storing are on its side of the scale. Medians of "
    "three after a warm-up, one thread.",
)


def tables() -> Iterator[Table]:
    yield Table(RACE, rows(NETS))


@record
class Rival:
    """The time of pynauty for a marking, and how it distinguishes the sampled markings."""

    graph: str
    vertices: int
    seconds: float
    classes: Sequence[int]
    """By marking: the number of the first one with the same certificate."""


def rows(nets: Sequence[str], sample: int = SAMPLE) -> Iterator[Row]:
    for net in nets:
        if find_spec("pynauty") is None:
            yield without_figures(RACE, net, "skipped: pynauty is absent")
            continue
        yield from _race(net, sample)


def _race(net: str, sample: int) -> Iterator[Row]:
    prepared = prepare(family(net))
    graph = _reduced_graph(prepared)
    rival = _best_rival(net, sample)
    if rival is None:
        yield without_figures(RACE, net, f"pynauty takes more than {LIMIT:.0f} s")
        return
    same = list(rival.classes) == _classes([edge[2] for edge in _sampled(graph.edges, sample)])
    for method in dict.fromkeys(("search", method_of_auto(prepared.net))):
        yield _row(prepared, method, rival, same=same)


def _row(prepared: Prepared, method: str, rival: Rival, *, same: bool) -> Row:
    done = timed(prepared, MethodSettings(method))
    found = done.exploration
    ours = done.seconds / max(1, found.canonicalised)
    ratio = rival.seconds / ours
    speed = "met" if ratio >= TIMES_FASTER else "missed"
    verdict = speed if same else "WRONG: other classes than pynauty's"
    theirs = (len(rival.classes), rival.graph, rival.vertices, 1e6 * rival.seconds)
    mine = (found.canonicalised, found.transitions, 1e6 * ours, ratio, f"{TIMES_FASTER:.0f}")
    return Row((prepared.net.name, method, *theirs, *mine, verdict), wrong=not same)


def _reduced_graph(prepared: Prepared) -> _core.StateGraph:
    from burnside import _core

    return _core.state_graph(prepared.handle, prepared.group, _core.Method("search"), 10_000_000)


def _best_rival(net: str, sample: int) -> Rival | None:
    found = []
    for graph in ("directed", "with arcs"):
        try:
            found.append(apart(rival_of, net, sample, graph, limit=LIMIT))
        except TimeoutError:
            continue
    return min(found, key=lambda rival: rival.seconds, default=None)


def rival_of(net: str, sample: int, graph: str) -> Rival:
    """In a process of its own: everything is built there from names."""
    prepared = prepare(family(net))
    found = _reduced_graph(prepared)
    edges = _sampled(found.edges, sample)
    markings = [prepared.net.fire(found.states[source], transition) for source, transition, _ in edges]
    labelled = LabelledGraph(prepared.net, _orbit_numbers(prepared), with_arcs=graph == "with arcs")
    seconds = median_seconds(lambda: [labelled.certificate(marking) for marking in markings])
    classes = _classes([labelled.key(marking) for marking in markings])
    return Rival(graph, labelled.vertices, seconds / len(markings), classes)


def _sampled(edges: Sequence[tuple[int, int, int]], sample: int) -> Sequence[tuple[int, int, int]]:
    taken = min(sample, len(edges))
    return [edges[number * len(edges) // taken] for number in range(taken)]


def _classes(keys: Sequence[Any]) -> list[int]:
    first: dict[Any, int] = {}
    return [first.setdefault(key, number) for number, key in enumerate(keys)]


def _orbit_numbers(prepared: Prepared) -> list[int]:
    """By place, then by transition; what no orbit mentions is alone."""
    places = len(prepared.net.places)
    numbers = list(range(places + len(prepared.net.transitions)))
    for offset, orbits in ((0, prepared.group.place_orbits()), (places, prepared.group.transition_orbits())):
        for orbit in orbits:
            for point in orbit:
                numbers[offset + point] = offset + min(orbit)
    return numbers


@record
class LabelledGraph:
    """The characteristic graph of a net's markings (Junttila 2003, 4.2), for nets whose arcs weigh 1."""

    net: Net
    orbits: Sequence[int]
    with_arcs: bool

    @cached_property
    def nodes(self) -> int:
        return len(self.net.places) + len(self.net.transitions)

    @property
    def vertices(self) -> int:
        return self.nodes + (self.net.arcs if self.with_arcs else 0)

    @cached_property
    def arcs(self) -> Sequence[tuple[int, int]]:
        """(from, to), those that consume first."""
        places = len(self.net.places)
        inward = [(p, places + t) for t, arcs in enumerate(self.net.consumes) for p, _ in arcs]
        return inward + [(places + t, p) for t, arcs in enumerate(self.net.produces) for p, _ in arcs]

    @cached_property
    def adjacency(self) -> dict[int, list[int]]:
        if self.with_arcs:
            return {self.nodes + number: list(arc) for number, arc in enumerate(self.arcs)}
        neighbours: dict[int, list[int]] = {}
        for source, target in self.arcs:
            neighbours.setdefault(source, []).append(target)
        return neighbours

    @cached_property
    def arc_colours(self) -> list[set[int]]:
        if not self.with_arcs:
            return []
        middle = self.nodes + sum(map(len, self.net.consumes))
        kinds = (set(range(self.nodes, middle)), set(range(middle, self.vertices)))
        return [kind for kind in kinds if kind]

    def colours(self, marking: Sequence[int]) -> dict[tuple[int, int], set[int]]:
        """Places by orbit and tokens, transitions by orbit."""
        found: dict[tuple[int, int], set[int]] = {}
        tokens = (*marking, *(0,) * len(self.net.transitions))
        for node, colour in enumerate(zip(self.orbits, tokens, strict=True)):
            found.setdefault(colour, set()).add(node)
        return found

    def certificate(self, marking: Sequence[int]) -> bytes:
        """What is timed: colour, build, canonise."""
        from pynauty import Graph, certificate

        colours = self.colours(marking)
        colouring = [colours[colour] for colour in sorted(colours)] + self.arc_colours
        graph = Graph(self.vertices, not self.with_arcs, self.adjacency, colouring)
        answer: bytes = certificate(graph)
        return answer

    def key(self, marking: Sequence[int]) -> object:
        """A certificate ignores which colours there are and how large their classes."""
        colours = self.colours(marking)
        return self.certificate(marking), tuple((colour, len(colours[colour])) for colour in sorted(colours))
