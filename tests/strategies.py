"""Random small nets with symmetries that are known, for the laws that every engine must obey.

A net is made of k copies of one random part around shared places. Transitions stay inside a copy or couple
two copies along the pairs of a `Topology`, so every permutation of the copies that keeps the pairs is a
symmetry of the net. No transition increases the number of tokens, unless a net may grow: the state space is finite. Places
and transitions are shuffled, so that nothing depends on their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from burnside.net import Arcs, Net
from burnside.records import record
from hypothesis import strategies as st

Images = tuple[int, ...]
Permutation = tuple[Images, Images]


@record
class Topology:
    """Copies, which of them are coupled, and permutations of them that generate the symmetries of that."""

    copies: int
    pairs: tuple[tuple[int, int], ...]
    generators: tuple[Images, ...]


@record
class SymmetricNet:
    """A net and symmetries of it that fix its initial marking (not always all)."""

    net: Net
    generators: tuple[Permutation, ...]


def _all(copies: int) -> Topology:
    cycle = (*range(1, copies), 0)
    swap = (1, 0, *range(2, copies))
    return Topology(copies, tuple(permutations(range(copies), 2)), (swap, cycle))


def _ring(copies: int, *, both_ways: bool) -> Topology:
    cycle = (*range(1, copies), 0)
    pairs = [(i, cycle[i]) for i in range(copies)]
    mirror = tuple(-i % copies for i in range(copies))
    if not both_ways:
        return Topology(copies, tuple(pairs), (cycle,))
    return Topology(copies, tuple(pairs + [(j, i) for i, j in pairs]), (cycle, mirror))


TOPOLOGIES = {
    "S2": _all(2),
    "S3": _all(3),
    "S4": _all(4),
    "C3": _ring(3, both_ways=False),
    "C4": _ring(4, both_ways=False),
    "D4": _ring(4, both_ways=True),
    "S2 wr S2": Topology(4, ((0, 1), (1, 0), (2, 3), (3, 2)), ((1, 0, 2, 3), (2, 3, 0, 1))),
    "S2 x S2": Topology(4, ((0, 2), (0, 3), (1, 2), (1, 3)), ((1, 0, 2, 3), (0, 1, 3, 2))),
}

Ends = tuple[tuple[str, int], ...]
"""Where arcs of a part end: ("own" | "other", local place) or ("shared", place), once for each token."""


@record
class Template:
    """A transition of the part; `couples` where it touches two copies."""

    consumes: Ends
    produces: Ends
    couples: bool


def _steps(local: int, sources: st.SearchStrategy[int]) -> st.SearchStrategy[Template]:
    """A token of a copy moves on: without such transitions most random nets are stuck at once."""
    return st.builds(
        lambda source, shift: Template((("own", source),), (("own", (source + shift) % local),), False),
        sources,
        st.integers(1, local - 1),
    )


@st.composite
def _templates(draw: st.DrawFn, local: int, shared: int, *, couples: bool, grows: bool = False) -> Template:
    """Any transition that takes one to three tokens, at least one of its own copy, and gives no more back, unless it may."""
    own = [("own", place) for place in range(local)]
    ends = own + [("shared", place) for place in range(shared)]
    ends += [("other", place) for place in range(local)] if couples else []
    first = draw(st.sampled_from(own))
    consumes = (first, *draw(st.lists(st.sampled_from(ends), max_size=2)))
    lost = draw(st.sampled_from((0, 0, 1, -1, -2) if grows else (0, 0, 0, 1)))
    count = len(consumes) - lost
    produces = draw(st.lists(st.sampled_from(ends), min_size=count, max_size=count))
    return Template(consumes, tuple(produces), couples)


@record
class _Frame:
    """Numbers of places and transitions before they are shuffled."""

    topology: Topology
    local: int
    shared: int
    templates: tuple[Template, ...]

    @property
    def places(self) -> int:
        return self.topology.copies * self.local + self.shared

    def place(self, copy: int, local: int) -> int:
        return copy * self.local + local

    def instances(self) -> list[tuple[int, int, int]]:
        """(template, copy, other copy), the latter equal to the former inside a copy."""
        inside = [(i, i) for i in range(self.topology.copies)]
        return [
            (number, i, j)
            for number, template in enumerate(self.templates)
            for i, j in (self.topology.pairs if template.couples else inside)
        ]

    def arcs(self, ends: Ends, own: int, other: int) -> Arcs:
        weights: dict[int, int] = {}
        for kind, place in ends:
            copy = own if kind == "own" else other
            number = (
                self.topology.copies * self.local + place if kind == "shared" else self.place(copy, place)
            )
            weights[number] = weights.get(number, 0) + 1
        return tuple(sorted(weights.items()))

    def lifted(self, images: Images) -> Permutation:
        """A permutation of the copies as one of places and transitions."""
        moved = [
            self.place(images[i], place) for i in range(self.topology.copies) for place in range(self.local)
        ]
        fixed = range(self.topology.copies * self.local, self.places)
        instances = self.instances()
        at = {instance: number for number, instance in enumerate(instances)}
        return (*moved, *fixed), tuple(at[number, images[i], images[j]] for number, i, j in instances)


@st.composite
def symmetric_nets(draw: st.DrawFn, *, fixed: bool = False, grows: bool = False) -> SymmetricNet:
    """With `fixed` all copies start alike: every symmetry of the topology fixes the initial marking. With `grows` the net
    may be unbounded."""
    topology = draw(st.sampled_from(list(TOPOLOGIES.values())))
    local, shared = draw(st.integers(2, 3 if topology.copies < 4 else 2)), draw(st.integers(0, 2))
    first = draw(_steps(local, st.just(0)))  # every copy, or some, have a token in their place 0
    steps = draw(st.lists(_steps(local, st.integers(0, local - 1)), max_size=2))
    inside = draw(st.lists(_templates(local, shared, couples=False, grows=grows), max_size=2))
    coupling = draw(st.lists(_templates(local, shared, couples=True, grows=grows), max_size=2))
    frame = _Frame(topology, local, shared, (first, *steps, *inside, *coupling))
    initial = draw(_initial(frame, fixed=fixed))
    generators = [lifted for images in topology.generators if _fixes(lifted := frame.lifted(images), initial)]
    place_order = draw(st.permutations(range(frame.places)))
    transition_order = draw(st.permutations(range(len(frame.instances()))))
    return _shuffled(frame, initial, generators, place_order, transition_order)


@st.composite
def _initial(draw: st.DrawFn, frame: _Frame, *, fixed: bool) -> tuple[int, ...]:
    """One or two tokens in each copy, at most one in each shared place."""
    most = 2 if frame.topology.copies < 4 else 1
    copy = st.lists(st.integers(0, frame.local - 1), min_size=1, max_size=most)
    alike = fixed or draw(st.sampled_from((True, True, False)))
    first = [0, *draw(copy)[1:]]
    tokens = [0] * frame.places
    for number in range(frame.topology.copies):
        for place in first if alike else draw(copy):
            tokens[frame.place(number, place)] += 1
    for place in range(frame.places - frame.shared, frame.places):
        tokens[place] = draw(st.integers(0, 1))
    return tuple(tokens)


def _fixes(permutation: Permutation, marking: Sequence[int]) -> bool:
    return all(marking[image] == marking[place] for place, image in enumerate(permutation[0]))


def _shuffled(
    frame: _Frame,
    initial: Sequence[int],
    generators: Sequence[Permutation],
    place_order: Sequence[int],
    transition_order: Sequence[int],
) -> SymmetricNet:
    """The net with old place p at place_order[p], old transition t at transition_order[t]."""
    instances = frame.instances()

    def arcs(ends: Ends, own: int, other: int) -> Arcs:
        return tuple(sorted((place_order[place], weight) for place, weight in frame.arcs(ends, own, other)))

    tokens = [0] * frame.places
    for place, count in enumerate(initial):
        tokens[place_order[place]] = count
    consumes: list[Arcs] = [()] * len(instances)
    produces: list[Arcs] = [()] * len(instances)
    for number, (template, own, other) in enumerate(instances):
        consumes[transition_order[number]] = arcs(frame.templates[template].consumes, own, other)
        produces[transition_order[number]] = arcs(frame.templates[template].produces, own, other)
    net = Net(
        "random",
        tuple(f"p{place}" for place in range(frame.places)),
        tuple(tokens),
        tuple(f"t{transition}" for transition in range(len(instances))),
        tuple(consumes),
        tuple(produces),
    )
    moved = tuple(
        (_conjugate(places, place_order), _conjugate(transitions, transition_order))
        for places, transitions in generators
    )
    return SymmetricNet(net, moved)


def _conjugate(images: Sequence[int], order: Sequence[int]) -> Images:
    renamed = [0] * len(images)
    for point, image in enumerate(images):
        renamed[order[point]] = order[image]
    return tuple(renamed)
