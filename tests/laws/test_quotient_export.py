"""The quotient as an object and as files, compared with the unreduced model and with the reference explorer."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import burnside
import pytest
from burnside import pipeline
from burnside.checking import Check
from burnside.cli import main
from burnside.diagnostics import UsageError
from burnside.graph import edge_label
from burnside.limits import Deadline
from burnside.net import Net
from burnside.records import replace
from burnside.reference.orbits import Orbits
from burnside.request import Request

EXAMPLES = Path(__file__).parents[2] / "examples"
MODELS = [
    ("nets/mutex.lola", {}, ("critical_1 = 0",)),
    ("nets/philosophers.pnml", {}, ()),
    ("nets/database.pnml", {}, ()),
    ("murphi/peterson.m", {"N": 2}, ("exists p: PROCESS do step[p] = Look end",)),
    ("murphi/sem.m", {"N": 3}, ()),
    ("b/Dining.mch", {}, ()),
    ("b/LoginVerySimple.mch", {}, ()),
    ("promela/three_tiers.pml", {"C1": 2, "C2": 1, "C3": 1}, ("client[5]:id == 0",)),
    ("promela/token_ring.pml", {}, ()),
    ("promela/philosophers.pml", {"N": 3}, ("taken[0]",)),
    ("promela/hypercube.pml", {"N": 2}, ("pos == dest",)),
]


def existing(name: str) -> Path:
    path = EXAMPLES / name
    assert path.exists(), name
    return path


@pytest.mark.parametrize("name, sizes, propositions", MODELS, ids=[each[0] for each in MODELS])
def test_orbits_stabilisers_and_edges(
    name: str, sizes: dict[str, int], propositions: tuple[str, ...]
) -> None:
    model = pipeline.read(existing(name), sizes=sizes)
    found = burnside.quotient(model, propositions=propositions)
    whole = burnside.quotient(model, "none", propositions=propositions)
    assert sum(state.orbit_size for state in found.states) == found.full_states == len(whole)
    assert all(state.orbit_size * state.stabiliser_order == found.group_order for state in found.states)
    assert whole.group_order == 1 and {state.stabiliser_order for state in whole.states} == {1}
    for each in propositions:
        holding = [sum(s.orbit_size for s in graph.states if each in s.satisfies) for graph in (found, whole)]
        assert holding[0] == holding[1]
    assert [sum(s.orbit_size for s in graph.states if s.deadlock) for graph in (found,)] == [
        sum(s.deadlock for s in whole.states)
    ]

    check = Check.prepared(model, Request(propositions=propositions), Deadline())
    orbits = Orbits(check.question.semantics, check.question.generators())
    for state, described in zip(found.graph.states, found.states, strict=True):
        moves = check.question.semantics.moves(state)
        expected = Counter(
            (found.names.action(edge_label(move.labels)), orbits.canonical(move.after))
            for move in moves
            if move.after is not None
        )
        edges = [each for each in found.edges if each.source == described.number]
        targets = [found.graph.states[each.target] for each in edges]
        exported = Counter(
            (each.action, orbits.canonical(target)) for each, target in zip(edges, targets, strict=True)
        )
        assert exported == expected


def test_the_stabiliser_is_that_of_the_state() -> None:
    """Counted over all elements of the group."""
    model = pipeline.read(existing("promela/token_ring.pml"))
    check = Check.prepared(model, Request(), Deadline())
    semantics, [turn] = check.question.semantics, check.question.generators()
    found = burnside.quotient(model)
    for state, described in zip(found.graph.states, found.states, strict=True):
        fixing, image = 0, state
        for _ in range(found.group_order):
            image = semantics.permute(turn, image)
            fixing += image == state
        assert described.stabiliser_order == fixing
    assert [each.number for each in found.fixed_points] == [
        each.number for each in found.states if each.orbit_size == 1
    ]


def test_a_proposition_costs_the_symmetries_that_do_not_keep_it() -> None:
    net = existing("nets/mutex.lola")
    assert burnside.quotient(net).group_order == 6
    assert burnside.quotient(net, propositions=("critical_1 = 1",)).group_order == 2


def test_it_says_what_it_is() -> None:
    found = burnside.quotient(existing("nets/mutex.lola"))
    assert repr(found).endswith("mutex.lola': 7 orbits of 20 states, 18 edges, group of order 6)")
    assert found.symmetries is not None and found.symmetries.structure == "S3"
    assert len(found) == 7


def test_orbits_with_states_that_cannot_be_reached_are_not_counted() -> None:
    net = Net("n", ("p", "q"), (1, 0), ("t",), (((0, 1),),), (((0, 1),),))
    both = replace(
        net, transitions=("t", "u"), consumes=(((0, 1),), ((1, 1),)), produces=(((0, 1),), ((1, 1),))
    )
    found = burnside.quotient(both, fixing=("nothing",))
    assert (found.group_order, [each.orbit_size for each in found.states], found.full_states) == (
        2,
        [2],
        None,
    )
    assert burnside.quotient(both).full_states == 1


AUT = re.compile(r'\((\d+), "([^"]*)", (\d+)\)')


@pytest.mark.parametrize(
    "name", ["nets/mutex.lola", "murphi/peterson.m", "b/LoginVerySimple.mch", "promela/token_ring.pml"]
)
def test_aldebaran(name: str, tmp_path: Path) -> None:
    out, record = tmp_path / "space.aut", tmp_path / "space.json"
    for file in (out, record):
        assert main(["graph", str(existing(name)), "-o", str(file)]) == 0
    head, *lines = out.read_text().splitlines()
    first, edges, states = map(int, re.fullmatch(r"des \((\d+), (\d+), (\d+)\)", head).groups())  # type: ignore[union-attr]
    data = json.loads(record.read_text())
    assert edges == len(lines) == len(set(lines))
    found = {(int(a), label, int(b)) for a, label, b in (AUT.fullmatch(line).groups() for line in lines)}  # type: ignore[union-attr]
    expected = {(each["from"], each["action"].replace('"', "'"), each["to"]) for each in data["edges"]}
    starts = {(first, each["action"], each["to"]) for each in data["starts"]}
    assert found == expected | starts
    assert states == len(data["states"]) + bool(starts)
    assert max(max(a, b) for a, _, b in found) < states
    if not starts:
        assert data["states"][first]["initial"]


TWO_STARTS = """
var at: 0 .. 3;
ruleset n: 0 .. 1 do startstate "begin" at := n; end; end;
rule "on" at < 3 ==> at := at + 1; end;
"""


def test_several_initial_states_have_one_before_them(tmp_path: Path) -> None:
    model, out = tmp_path / "two.m", tmp_path / "space.aut"
    model.write_text(TWO_STARTS)
    assert main(["graph", str(model), "-o", str(out)]) == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "des (4, 5, 5)"
    assert {line for line in lines if "start" in line} == {'(4, "start", 0)', '(4, "start", 1)'}


def test_what_does_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = str(existing("nets/mutex.lola"))
    assert main(["graph", net, "--partial", "-o", str(tmp_path / "x.aut")]) == 2
    assert "cannot say which states are not explored" in capsys.readouterr().err
    assert (
        main(["graph", net, "--what", "net", "--proposition", "free = 1", "-o", str(tmp_path / "x.dot")]) == 2
    )
    assert "--proposition: error: has no effect here: it needs --what space" in capsys.readouterr().err
    assert main(["graph", net, "--proposition", "nowhere = 1", "-o", str(tmp_path / "x.json")]) == 2
    assert "--proposition:1:1: error" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    with pytest.raises(UsageError):
        burnside.quotient(net, "no such method")


def test_json_has_the_group_and_the_propositions(tmp_path: Path) -> None:
    out = tmp_path / "space.json"
    net = str(existing("nets/mutex.lola"))
    assert (
        main(["graph", net, "--proposition", "critical_1 + critical_2 + critical_3 = 1", "-o", str(out)]) == 0
    )
    data = json.loads(out.read_text())
    assert (data["group_order"], data["structure"], data["full_states"]) == (6, "S3", 20)
    assert data["propositions"] == ["critical_1 + critical_2 + critical_3 = 1"]
    assert all(each["cycles"].startswith("(") for each in data["generators"])
    satisfying = [each for each in data["states"] if each["satisfies"]]
    assert all(any(place.startswith("critical") for place in each["marking"]) for each in satisfying)
    assert satisfying
