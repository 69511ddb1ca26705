"""What the laws are stated about: nets with a group each, and random conditions on their markings."""

from __future__ import annotations

from collections.abc import Mapping

from burnside import _core
from burnside.languages.net_expressions import Expression, parse_expression
from burnside.net import Net
from burnside.records import record
from burnside.reference.permutations import Permutation
from burnside.symmetry.nets import core_net
from hypothesis import assume
from hypothesis import strategies as st

from tests.core import CANONICAL, SELECTORS, prepare
from tests.strategies import symmetric_nets

Marking = tuple[int, ...]

FORMS = {
    **CANONICAL,
    **{f"search by partition, {each}": _core.Method("search", "partition", each) for each in SELECTORS},
}
"""Methods with a canonical form for each orbit, with every selector."""

MOST_ELEMENTS = 5_000
"""Beyond, brute force would take the time of all other laws together."""


@record
class Grouped:
    """A net, its core and a group of its symmetries."""

    net: Net
    core: _core.Net
    group: _core.Group

    @property
    def generators(self) -> list[Permutation]:
        return [(places, transitions) for places, transitions, _ in self.group.generators()]

    def fitting(self, methods: Mapping[str, _core.Method]) -> dict[str, _core.Method]:
        """nauty needs the whole group; part of one goes with all others."""
        return {name: each for name, each in methods.items() if name != "nauty" or self.group.complete}


def with_group(net: Net) -> Grouped:
    """All symmetries that fix the initial marking."""
    prepared = prepare(net)
    return Grouped(net, prepared.handle, prepared.group)


@st.composite
def grouped_nets(draw: st.DrawFn, *, fixed: bool = False) -> Grouped:
    """With `fixed` the group fixes the initial marking; it is the whole group, or part of it, or keeps a
    condition. Otherwise it may also be all of Aut(N)."""
    made = draw(symmetric_nets())
    net, core = made.net, core_net(made.net)
    kind = draw(
        st.sampled_from(("initial", "given", "keeping") if fixed else ("nothing", "keeping", "given"))
    )
    if kind == "given":
        chosen = made.generators[: draw(st.integers(1, 2))]
        group = _core.certified_group(core, chosen)
    else:
        keeping = [draw(conditions(net)).core] if kind == "keeping" else []
        group = _core.automorphisms(core, [] if kind == "nothing" else [net.initial], keeping)
    assume(group.acting_order <= MOST_ELEMENTS)
    return Grouped(net, core, group)


@st.composite
def conditions(draw: st.DrawFn, net: Net) -> Expression:
    """One to three comparisons of short sums; half of the sums take an orbit as a whole, so that some
    conditions are symmetric."""
    cells = with_group(net).group.place_orbits()
    places = st.lists(st.integers(0, len(net.places) - 1), min_size=1, max_size=3, unique=True)
    sums = st.one_of(places, st.sampled_from(cells))
    text = draw(_comparisons(net, sums))
    for _ in range(draw(st.integers(0, 2))):
        text = f"({text}) {draw(st.sampled_from(('and', 'or', '->')))} {draw(_comparisons(net, sums))}"
    return parse_expression(f"not ({text})" if draw(st.booleans()) else text, net)


def _comparisons(net: Net, sums: st.SearchStrategy[list[int]]) -> st.SearchStrategy[str]:
    def comparison(chosen: list[int], factor: int, operator: str, constant: int) -> str:
        first, *rest = (net.places[place] for place in chosen)
        return " + ".join([f"{factor} * {first}" if factor > 1 else first, *rest]) + f" {operator} {constant}"

    operators = st.sampled_from(("=", "!=", "<=", ">"))
    return st.builds(comparison, sums, st.sampled_from((1, 1, 1, 2)), operators, st.integers(0, 3))
