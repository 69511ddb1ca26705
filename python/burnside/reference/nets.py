"""Nets, explored slowly: every orbit is written out in full, and its smallest marking stands for it.

In: a `Net` and generators of a group of its symmetries (none: no reduction). Out: a `ReferenceResult`, with
the fields and meanings of the core's `Exploration`. Nothing is believed: generators are certified, and a
property is evaluated on the whole orbit, where it must say the same everywhere.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from burnside.diagnostics import UsageError, contradiction
from burnside.net import MAX_TOKENS, Net
from burnside.records import field, record
from burnside.reference.orbits import Marking, Permutation, move, orbit, point_orbits
from burnside.reference.self_check import SelfCheck
from burnside.reference.self_check_kinds import net_meaning
from burnside.reference.symmetries import certify

Predicate = Callable[[Marking], bool]
"""Of a marking of the net; a property is held by number as what violates it."""

Trace = list[tuple[int | None, list[int]]]


@record
class ReferenceResult:
    """What was found; `markings` and `orbit_sizes` go beyond the core's record."""

    stopped: str
    states: int
    transitions: int
    initial_states: int
    deadlocks: int
    full_states: int | None
    depth: int
    violations: list[tuple[int, Trace]]
    bounds: list[int]
    largest_total: int
    fired: list[bool]
    firings: list[int]
    """By transition: in how many explored states it was enabled."""
    violating: list[tuple[int, int]]
    expanded: int
    seconds: float
    markings: list[Marking] = field(repr=False)
    orbit_sizes: list[int] = field(repr=False)
    self_checked: int
    """States on which the self-check was made."""
    self_check_generators: tuple[int, int]
    """Under how many generators each, of how many."""


@record
class Graph:
    """A (reduced) reachability graph; an edge is (from, transition fired, to)."""

    markings: list[Marking]
    orbit_sizes: list[int]
    edges: list[tuple[int, int, int]]
    complete: bool


@record
class _Stored:
    """What is kept of a canonical state: how it was reached, and what can happen there."""

    parent: Marking | None
    depth: int
    enabled: list[int]


class Orbits:
    """Remembers every orbit met: which marking stands for it (the smallest), and its members."""

    def __init__(self, net: Net, generators: Sequence[Permutation]) -> None:
        for generator in generators:
            if reason := certify(net, generator):
                raise contradiction(f"a generator is no symmetry of the net: {reason}")
        self.generators = generators
        self.smallest: dict[Marking, Marking] = {}
        self.members: dict[Marking, set[Marking]] = {}

    def canonical(self, marking: Marking) -> Marking:
        if marking not in self.smallest:
            members = orbit(self.generators, marking)
            smallest = min(members)
            self.members[smallest] = members
            self.smallest.update(dict.fromkeys(members, smallest))
        return self.smallest[marking]

    def agree(self, predicate: Predicate, canonical: Marking) -> bool:
        """The predicate's value on an orbit; where its members differ the reduction would lie: a bug."""
        values = {bool(predicate(member)) for member in self.members[canonical]}
        if len(values) > 1:
            raise contradiction("a property tells equivalent markings apart")
        return values.pop()


class _Explorer:
    """Junttila 2003, Alg. 2.2: every marking met is replaced by the one that stands for its orbit."""

    def __init__(
        self,
        net: Net,
        generators: Sequence[Permutation],
        properties: Mapping[int, Predicate] = MappingProxyType({}),
        keep_going: bool = True,
        max_states: int | None = None,
        self_check: Callable[[Marking], None] | None = None,
    ) -> None:
        self.net, self.orbits = net, Orbits(net, generators)
        self.properties, self.keep_going, self.max_states = properties, keep_going, max_states
        self.self_check = self_check
        self.stored: dict[Marking, _Stored] = {}
        self.frontier: deque[Marking] = deque()
        self.violations: dict[int, Marking] = {}
        self.violating: Counter[int] = Counter()

    def run(self, order: str = "bfs", deadline: float = float("inf")) -> str:
        """Explore until nothing is left or something says stop; why it ended."""
        take = self.frontier.popleft if order == "bfs" else self.frontier.pop
        try:
            stop = self._store(self.net.initial, None)
            while not stop and self.frontier:
                stop = self._expand(take()) if time.monotonic() < deadline else "max-seconds"
        except KeyboardInterrupt:
            return "interrupted"
        return stop or "exhausted"

    def _expand(self, state: Marking) -> str | None:
        for transition in self.stored[state].enabled:
            after = self.net.fire(state, transition)
            if max(after, default=0) > MAX_TOKENS:
                return "overflow"
            if stop := self._store(after, state):
                return stop
        if self.self_check is not None:
            self.self_check(state)
        return None

    def _store(self, marking: Marking, parent: Marking | None) -> str | None:
        """Keep the orbit if it is new, and look at the properties; the reason where the run must stop."""
        state = self.orbits.canonical(marking)
        if state in self.stored:
            return None
        if self.max_states is not None and len(self.stored) >= self.max_states:
            return "max-states"
        depth = 0 if parent is None else self.stored[parent].depth + 1
        self.stored[state] = _Stored(parent, depth, self.net.enabled(state))
        self.frontier.append(state)
        for number, violates in self.properties.items():
            if self.orbits.agree(violates, state):
                self.violating[number] += 1
                self.violations.setdefault(number, state)
        return "violation" if self.violations and not self.keep_going else None

    def trace(self, state: Marking) -> Trace:
        """Lifted to the unreduced net (Junttila 2003, Cor. 2.9): from a marking equivalent to a stored state
        some transition leads into the orbit of the next stored state; the first such one is fired."""
        path: list[Marking] = []
        while (parent := self.stored[state].parent) is not None:
            path.append(state)
            state = parent
        current = self.net.initial
        trace: Trace = [(None, list(current))]
        for wanted in reversed(path):
            firings = ((t, self.net.fire(current, t)) for t in self.net.enabled(current))
            transition, current = next(f for f in firings if self.orbits.canonical(f[1]) == wanted)
            trace.append((transition, list(current)))
        return trace


def explore(
    net: Net,
    generators: Sequence[Permutation] = (),
    *,
    deadlock: bool = False,
    safe: bool = False,
    invariants: Sequence[Predicate] = (),
    goals: Sequence[Predicate] = (),
    keep_going: bool = False,
    order: str = "bfs",
    max_states: int | None = None,
    max_seconds: float | None = None,
    self_check: str = "off",
    names: Mapping[int, str] = MappingProxyType({}),
) -> ReferenceResult:
    """Property numbers: deadlock 0, safe 1, then invariants, then goals; each violated one has one trace.

    `names`, by property number, are for messages. Where the group moves the initial marking, verdicts
    stand but orbits may hold unreachable markings (Junttila 2003, Thm 2.13): `full_states` is None then, `bounds` and
    `fired` are up to symmetry.
    """
    if order not in ("bfs", "dfs"):
        raise UsageError(f"the reference engine explores in order bfs or dfs, not '{order}'")
    start = time.monotonic()
    properties = dict(enumerate([*map(_negated, invariants), *goals], start=2))
    if deadlock:
        properties[0] = lambda marking: not net.enabled(marking)
    if safe:
        properties[1] = lambda marking: max(marking, default=0) > 1
    check = SelfCheck(self_check, generators, net_meaning(net, properties, names), net.name)
    explorer = _Explorer(net, generators, properties, keep_going, max_states, check)
    stopped = explorer.run(order, start + max_seconds if max_seconds is not None else float("inf"))
    return _result(explorer, stopped, start, check)


def _negated(predicate: Predicate) -> Predicate:
    return lambda marking: not predicate(marking)


def _result(
    explorer: _Explorer, stopped: str, start: float, check: SelfCheck[Marking, Permutation]
) -> ReferenceResult:
    net, stored, generators = explorer.net, explorer.stored, explorer.orbits.generators
    sizes = [len(explorer.orbits.members[state]) for state in stored]
    fixed = all(move(places, net.initial) == net.initial for places, _ in generators)
    bounds = [max((state[place] for state in stored), default=0) for place in range(len(net.places))]
    explored = len(stored) - len(explorer.frontier)
    enabled = Counter(t for kept in stored.values() for t in kept.enabled)
    seen = [enabled[transition] > 0 for transition in range(len(net.transitions))]
    return ReferenceResult(
        stopped=stopped,
        states=len(stored),
        transitions=sum(len(kept.enabled) for kept in stored.values()),
        initial_states=1,
        deadlocks=sum(not kept.enabled for kept in stored.values()),
        full_states=sum(sizes) if stopped == "exhausted" and fixed else None,
        depth=max((kept.depth for kept in stored.values()), default=0),
        violations=[(number, explorer.trace(state)) for number, state in sorted(explorer.violations.items())],
        bounds=_largest_by_orbit(bounds, [places for places, _ in generators]),
        largest_total=max(map(sum, stored), default=0),
        fired=[bool(value) for value in _largest_by_orbit(seen, [images for _, images in generators])],
        firings=[enabled[transition] for transition in range(len(net.transitions))],
        violating=sorted(explorer.violating.items()),
        expanded=explored,
        seconds=time.monotonic() - start,
        markings=list(stored),
        orbit_sizes=sizes,
        self_checked=check.checked,
        self_check_generators=check.generator_counts,
    )


def _largest_by_orbit(values: Sequence[int], generators: Iterable[Sequence[int]]) -> list[int]:
    """What one stored marking shows at a point, its orbit shows at every equivalent point."""
    largest = list(values)
    for cell in point_orbits(list(generators), len(values)):
        for point in cell:
            largest[point] = max(values[other] for other in cell)
    return largest


def reachability_graph(
    net: Net, generators: Sequence[Permutation] = (), max_states: int | None = None
) -> Graph:
    """The stored states in breadth-first order, and every edge between them."""
    explorer = _Explorer(net, generators, max_states=max_states)
    stopped = explorer.run()
    numbers = {state: number for number, state in enumerate(explorer.stored)}
    edges = [
        (numbers[state], transition, numbers[after])
        for state, kept in explorer.stored.items()
        for transition in kept.enabled
        if (after := explorer.orbits.canonical(net.fire(state, transition))) in numbers
    ]
    sizes = [len(explorer.orbits.members[state]) for state in numbers]
    return Graph(list(numbers), sizes, edges, stopped == "exhausted")
