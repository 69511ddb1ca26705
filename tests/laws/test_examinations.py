"""Examinations and formulas on random symmetric nets: reduced, unreduced, by both engines and from their definitions."""

from __future__ import annotations

import burnside
from burnside.diagnostics import option_source
from burnside.kinds.net.semantics import NetSemantics
from burnside.languages.net_expressions import Expression
from burnside.languages.net_expressions import conditions as c
from burnside.limits import Deadline
from burnside.model import Model
from burnside.net import Net
from burnside.outcome import Outcome
from burnside.plan import EXAMINATIONS
from burnside.progress import Progress
from burnside.reference.temporal import check_property
from burnside.reference.temporal.runs import Runs
from burnside.request import Request
from burnside.temporal.atoms import (
    ActionPattern,
    Condition,
    Dead,
    Enabled,
    Initial,
    NextAction,
    Proposition,
    Sink,
)
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.reading import TemporalProperty
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import SymmetricNet, symmetric_nets
from tests.temporal.strategies import formulas

Graph = Runs[tuple[int, ...], int]


def by_definition(net: Net, graph: Graph) -> dict[str, bool]:
    """What the contest asks, on the graph of all markings."""
    fired = {edge.label for edge in graph.edges}
    every = set(range(len(net.transitions)))
    return {
        "ReachabilityDeadlock": bool(graph.dead),
        "QuasiLiveness": fired == every,
        "StableMarking": any(
            len({marking[place] for marking in graph.states}) == 1 for place in range(len(net.places))
        ),
        "Liveness": all(firable_again(graph, state) == every for state in range(len(graph.states))),
        "OneSafe": max(map(max, graph.states)) <= 1,
    }


def firable_again(graph: Graph, state: int) -> set[int]:
    """Transitions that can fire after some steps from here."""
    seen, waiting, labels = {state}, [state], set()
    while waiting:
        for number in graph.outgoing[waiting.pop()]:
            edge = graph.edges[number]
            labels.add(edge.label)
            if edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return labels


def answers(outcome: Outcome) -> dict[str, bool]:
    return {each.name: each.verdict == "holds" for each in outcome.properties}


@settings(max_examples=60)
@given(symmetric_nets(), st.sampled_from(["auto", "none", "search"]), st.sampled_from(["core", "reference"]))
def test_examinations_are_what_their_definitions_say(found: SymmetricNet, reduce: str, engine: str) -> None:
    net = found.net
    graph: Graph = Runs(NetSemantics(net), "strong")
    if engine == "reference" and reduce == "search":
        reduce = "minimise"
    together = burnside.check(net, reduce, engine=engine, examination=EXAMINATIONS)
    expected = by_definition(net, graph)
    *others, space = together.properties
    assert {each.name: each.verdict == "holds" for each in others} == expected
    assert space.value == len(graph.states)
    for name, wanted in expected.items():
        alone = burnside.check(net, reduce, engine=engine, examination=name)
        assert answers(alone) == {name: wanted}


@st.composite
def propositions(draw: st.DrawFn, net: Net) -> list[Proposition]:
    """Conditions on one or two places, and what else an atom may say."""
    place = st.integers(0, len(net.places) - 1)
    transition = st.integers(0, len(net.transitions) - 1)
    found: list[Proposition] = []
    for _ in range(2):
        terms = dict.fromkeys(draw(st.lists(place, min_size=1, max_size=2)), 1)
        core = c.comparison("<=", c.Linear(terms, -draw(st.integers(0, 1)))).holds.core
        found.append(Condition(Expression("sum", core, c.places(core)), f"condition {len(found)}"))
    pattern = (ActionPattern(draw(transition)),)
    more = [Enabled(pattern, "enabled"), NextAction(pattern, "next"), Dead(), Sink(), Initial()]
    return [*found, draw(st.sampled_from(more)), draw(st.sampled_from(more))]


@settings(max_examples=120)
@given(st.data())
def test_formulas_reduced_unreduced_and_from_definitions(data: st.DataObject) -> None:
    net = data.draw(symmetric_nets()).net
    atoms = data.draw(propositions(net))
    asked = [
        TemporalProperty(
            name=f"formula {number}",
            text=f"formula {number}",
            logic="ltl",
            formula=data.draw(formulas(len(atoms), size=6)),
            propositions=tuple(atoms),
            ends=data.draw(st.sampled_from(["strong", "stutter"])),
            source=option_source("--ltl", "p"),
        )
        for number in range(2)
    ]
    semantics = NetSemantics(net)
    expected = ["holds" if check_property(semantics, each).holds else "violated" for each in asked]
    for request in (Request(reduce="none"), Request(), Request(reduce="search", fixing=("nothing",))):
        found, _ = FormulaCheck(Model(net, "net", "net"), request, asked, Deadline()).run(Progress())
        assert [each.verdict for each in found] == expected
        for each in found:
            assert each.verdict == "holds" or each.trace is not None
