"""The coloured nets of the Model Checking Contest, where they lie beside the project: what is read of them, what the
reference engine counts, and their property files."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside.ir.highlevel.checking import check_net
from burnside.ir.highlevel.net import HighLevelNet
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.languages import load
from burnside.reference.temporal import check_runs
from burnside.reference.temporal.runs import Runs
from burnside.temporal.contest import TokenBound
from burnside.temporal.files import read_properties
from burnside.temporal.reading import TemporalProperty

CONTEST = Path(__file__).parents[3] / "shared" / "models" / "pnml"
ABSENT = pytest.mark.skip(reason="../shared/models/pnml is absent")
SMALL = 1_000
"""States of the nets that are explored."""
VERY_SMALL = 160
"""Of those whose formulas are checked in every run."""


def rows() -> Iterator[Mapping[str, str]]:
    if CONTEST.is_dir():
        with (CONTEST / "expected.csv").open() as stream:
            yield from (row for row in csv.DictReader(stream) if row["kind"] == "COL")


def instances(most: float = float("inf")) -> list[Any]:
    found = [row["instance"] for row in rows() if int(row["states"]) <= most]
    return found or [pytest.param("", marks=ABSENT)]


def read_net(instance: str) -> HighLevelNet:
    found = load(CONTEST / instance / "model.pnml").subject
    assert isinstance(found, HighLevelNet)
    return found


def test_all_of_them_are_there() -> None:
    if not CONTEST.is_dir():
        pytest.skip("../shared/models/pnml is absent")
    assert len(instances()) == 24
    assert len(instances(SMALL)) == 8


@pytest.mark.parametrize("instance", instances())
def test_what_is_read(instance: str) -> None:
    """The numbers of places, transitions, arcs, variables of each transition and elements of sorts, counted otherwise."""
    net = read_net(instance)
    check_net(net)
    root = ET.parse(CONTEST / instance / "model.pnml").getroot()
    of = lambda name, node=root: [each for each in node.iter() if each.tag.rpartition("}")[2] == name]  # noqa: E731
    assert [each.id for each in net.places] == [each.get("id") for each in of("place")]
    assert [each.id for each in net.transitions] == [each.get("id") for each in of("transition")]
    arcs = sum(len(each.consumes) + len(each.produces) for each in net.transitions)
    assert arcs == len(of("arc"))
    used: dict[str | None, set[str | None]] = {each.id: set() for each in net.transitions}
    for node in (*of("transition"), *of("arc")):
        ends = (node.get("id"), node.get("source"), node.get("target"))
        transition = next(each for each in ends if each in used)
        used[transition] |= {each.get("refvariable") for each in of("variable", node)}
    assert {each.id: len(each.variables) for each in net.transitions} == {k: len(v) for k, v in used.items()}
    constants = len(of("feconstant")) + sum(
        int(each.get("end", 0)) - int(each.get("start", 0)) + 1
        for sort in of("namedsort")
        for each in of("finiteintrange", sort)
    )
    assert sum(each.size for each in net.sorts) == constants
    assert net.searched == {each.name for each in net.sorts}


@pytest.mark.parametrize("instance", instances(SMALL))
def test_states_and_transitions(instance: str) -> None:
    (row,) = (each for each in rows() if each["instance"] == instance)
    outcome = burnside.check(CONTEST / instance / "model.pnml", engine="reference", reduce="none")
    assert (outcome.states, outcome.transitions) == (int(row["states"]), int(row["transitions"]))


FILES = {
    "RC": "ReachabilityCardinality",
    "RF": "ReachabilityFireability",
    "CTLC": "CTLCardinality",
    "CTLF": "CTLFireability",
    "LTLC": "LTLCardinality",
    "LTLF": "LTLFireability",
}


def slow_if_larger(instance: Any) -> Any:
    is_small = not isinstance(instance, str) or instance in instances(VERY_SMALL)
    return instance if is_small else pytest.param(instance, marks=pytest.mark.slow)


@pytest.mark.parametrize("instance", map(slow_if_larger, instances(SMALL)))
def test_verdicts(instance: str) -> None:
    """What the atoms mean, by the verdicts of the contest: numbers of tokens of whatever colour, some instance enabled."""
    model = load(CONTEST / instance / "model.pnml")
    semantics = HighLevelSemantics(read_net(instance))
    graphs = {ends: Runs(semantics, ends, None) for ends in ("strong", "stutter")}
    compared = 0
    for short, name in FILES.items():
        known = verdicts(instance, short)
        path = CONTEST / instance / f"{name}.xml"
        for asked in read_properties(path, model) if path.exists() else ():
            assert isinstance(asked, TemporalProperty)
            if asked.name in known:
                assert check_runs(graphs[asked.ends], asked).holds == (known[asked.name] == "TRUE"), (
                    asked.name
                )
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("instance", instances(SMALL))
def test_bounds(instance: str) -> None:
    model = load(CONTEST / instance / "model.pnml")
    known = verdicts(instance, "UB")
    path = CONTEST / instance / "UpperBounds.xml"
    if not known or not path.exists():
        pytest.skip("there are no bounds of this net")
    states = Runs(HighLevelSemantics(read_net(instance)), "strong", None).states
    compared = 0
    for asked in read_properties(path, model):
        assert isinstance(asked, TokenBound)
        if asked.name in known:
            found = max(sum(n for place in asked.places for _, n in state[place]) for state in states)
            assert str(found) == known[asked.name], asked.name
            compared += 1
    assert compared > 0


@pytest.mark.parametrize("instance", instances())
def test_all_property_files_are_read(instance: str) -> None:
    model = load(CONTEST / instance / "model.pnml")
    for path in sorted((CONTEST / instance).glob("*.xml")):
        assert len(read_properties(path, model)) == 16, path


def verdicts(instance: str, short: str) -> dict[str, str]:
    """By name of the formula."""
    path = CONTEST / instance / f"{instance}-{short}.out"
    lines = path.read_text().splitlines() if path.exists() else []
    found = (re.match(r"FORMULA (\S+) (\S+)", line) for line in lines)
    return {each[1]: each[2] for each in found if each is not None}
