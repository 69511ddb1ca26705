"""Boundedness and coverability on the command line and from Python: the nets of the thesis, answers, limits, refusals."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import combinations
from math import factorial, inf
from pathlib import Path
from typing import Any

import burnside
import pytest
from burnside import _core
from burnside.cli import main
from burnside.diagnostics import BurnsideError, RefusedError, UnsupportedError, UsageError
from burnside.net import Net
from burnside.reference import coverability as reference
from burnside.request import Limits
from burnside.symmetry.nets import core_net

NETS = Path(__file__).parent.parent / "examples" / "nets"
CONTEST = Path(os.environ.get("BURNSIDE_MODELS", Path(__file__).parents[2] / "shared" / "models" / "pnml"))


def net_of(initial: Sequence[int], *transitions: tuple[dict[int, int], dict[int, int]]) -> Net:
    return Net(
        "net",
        tuple(f"p{place}" for place in range(len(initial))),
        tuple(initial),
        tuple(f"t{number}" for number in range(len(transitions))),
        tuple(tuple(sorted(consumed.items())) for consumed, _ in transitions),
        tuple(tuple(sorted(produced.items())) for _, produced in transitions),
    )


def check(net: Net | str | Path, **options: Any) -> Any:
    return burnside.check(NETS / net if isinstance(net, str) else net, **options)


def answer(net: Net | str | Path, **options: Any) -> Any:
    """The one result of a check."""
    (result,) = check(net, **options).properties
    return result


# Symmetric covering: the nets of the thesis.


def ring(tokens: int) -> Net:
    """Junttila 2003, Fig. 3.6: tokens move around three places. All start alike, so that the rotations fix the start."""
    return net_of([tokens] * 3, *(({i: 1}, {(i + 1) % 3: 1}) for i in range(3)))


def covers(net: Net, below: Sequence[float], above: Sequence[float]) -> bool | None:
    core = core_net(net)
    group = _core.automorphisms(core, [net.initial], [])
    given = [[None if n == inf else int(n) for n in marking] for marking in (below, above)]
    return _core.covers(core, group, *given)


def test_the_ring_of_figure_3_6() -> None:
    net = ring(1)
    # Example 3.30: 2'p0 + 2'p1 covers 1'p1 + 2'p2 after a rotation, though neither covers the other as it stands.
    assert covers(net, (0, 1, 2), (2, 2, 0))
    # Theorem 3.31: M covers M1 and M2, and so does M', but M and M' do not cover one another.
    m, m1, m2, other = (2, 2, 0), (2, 1, 0), (1, 2, 0), (2, 1, 1)
    assert all(covers(net, small, large) for small in (m1, m2) for large in (m, other))
    assert not covers(net, m, other)
    assert not covers(net, other, m)
    # M1 and M2 are no rotations of one another: the ring has a direction.
    assert not covers(net, m1, m2)
    assert not covers(net, m2, m1)
    assert covers(net, (5, 1, 0), (0, inf, 1)) is True


def clique_gadget(vertices: int) -> Net:
    """The proof of Theorem 3.27: a place for each pair of vertices, and all permutations of the vertices are symmetries. A
    transition for each pair keeps its place together with those of its vertices."""
    pairs = [(a, b) for a in range(vertices) for b in range(vertices)]
    place = {pair: number for number, pair in enumerate(pairs)}
    arcs = []
    for a, b in pairs:
        loops = {place[a, a]: 1, place[b, b]: 2} if a != b else {place[a, a]: 3}
        arcs.append(({**loops, place[a, b]: loops.get(place[a, b], 4)}, {place[a, b]: 1}))
    return net_of([0] * len(pairs), *arcs)


def graph_marking(vertices: int, edges: Sequence[tuple[int, int]]) -> list[int]:
    """One token for each pair of adjacent vertices; every vertex is adjacent to itself."""
    joined = {*edges, *((b, a) for a, b in edges), *((a, a) for a in range(vertices))}
    return [int((a, b) in joined) for a in range(vertices) for b in range(vertices)]


def test_a_graph_covers_a_clique_exactly_if_it_has_one() -> None:
    vertices = 6
    net = clique_gadget(vertices)
    assert burnside.symmetries(net).order == factorial(vertices)
    # A ring of six with two chords: triangles, but no four vertices that are all adjacent.
    edges = [(i, (i + 1) % vertices) for i in range(vertices)] + [(0, 2), (3, 5)]
    found = graph_marking(vertices, edges)
    for size, expected in ((2, True), (3, True), (4, False)):
        members = range(size)
        clique = [int(a in members and b in members) for a in range(vertices) for b in range(vertices)]
        assert covers(alive(net), clique, found) is expected
    has_clique = any(
        all((a, b) in edges or (b, a) in edges for a, b in combinations(chosen, 2))
        for chosen in combinations(range(vertices), 4)
    )
    assert not has_clique


def alive(net: Net) -> Net:
    """The same with tokens everywhere: places that never change are left out of all searches."""
    return Net(net.name, net.places, (5,) * len(net.places), net.transitions, net.consumes, net.produces)


# Answers


def test_an_unbounded_net_has_an_answer() -> None:
    outcome = check("unbounded.lola", bounded=True)
    (result,) = outcome.properties
    assert (outcome.verdict, outcome.stopped, outcome.exit_code) == ("violated", "exhausted", 1)
    assert (result.name, result.kind, result.verdict) == ("bounded", "boundedness", "violated")
    assert result.boundedness.unbounded == ("buffer",)
    assert result.boundedness.bounds == {
        "ready_1": 1, "resting_1": 1, "ready_2": 1, "resting_2": 1, "buffer": None
    }  # fmt: skip
    assert result.boundedness.exact
    steps, start = result.trace.steps, result.trace.pump_start
    before, after = steps[start].state, steps[-1].state
    assert all(int(after[place]) >= int(before[place]) for place in before)
    pumped = tuple(place for place in before if int(after[place]) > int(before[place]))
    assert pumped == result.boundedness.pumped == ("buffer",)


@pytest.mark.parametrize(
    ("name", "plain", "orbits"),
    [("unbounded.lola", 4, 3), ("mailboxes.lola", 8, 4), ("spawning.lola", 4, 3)],
)
def test_minimal_coverability_sets_of_the_examples(name: str, plain: int, orbits: int) -> None:
    for engine in ("core", "reference"):
        outcome = check(name, bounded=True, reduce="none", engine=engine)
        assert outcome.coverability.markings == len(outcome.coverability.set) == plain
    outcome = check(name, bounded=True)
    assert outcome.coverability.markings == len(outcome.coverability.set) == orbits
    assert outcome.reduction.name == "covering"
    assert outcome.reduction.group_order in (2, 3)


@pytest.mark.parametrize("name", ["mutex.lola", "ring.lola", "philosophers.pnml", "database.pnml"])
def test_bounded_examples(name: str) -> None:
    explored = check(name, keep_going=True)
    for options in ({}, {"reduce": "none"}, {"order": "dfs"}, {"engine": "reference"}):
        outcome = check(name, bounded=True, **options)
        (result,) = outcome.properties
        assert (outcome.verdict, outcome.exit_code) == ("holds", 0)
        assert result.boundedness.bounds == explored.bounds
        assert result.boundedness.unbounded == ()
        assert outcome.dead_transitions == explored.dead_transitions


@pytest.mark.parametrize("by", ["forward", "backward", "both"])
@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize(
    ("name", "goal", "verdict"),
    [
        ("unbounded.lola", "5 buffer + ready_1", "violated"),
        ("unbounded.lola", "ready_1:1, resting_1:1", "holds"),
        ("unbounded.lola", "ready_1 + ready_2 >= 3 or buffer >= 4 and resting_1 >= 1", "violated"),
        ("spawning.lola", "2 held_1", "holds"),
        ("spawning.lola", "held_1 + held_2 + 7 outside", "violated"),
        ("mailboxes.lola", "3 mail_1 + busy_2", "violated"),
        ("mailboxes.lola", "idle_1 + busy_1 >= 2", "holds"),
        ("mutex.lola", "critical_1 + critical_2 + critical_3 >= 2", "holds"),
        ("mutex.lola", "critical_1", "violated"),
        ("mutex.lola", "true", "violated"),
        ("mutex.lola", "false", "holds"),
    ],
)
def test_covering(name: str, goal: str, verdict: str, by: str, engine: str) -> None:
    result = answer(name, covers=goal, cover_by=by, engine=engine)
    assert (result.name, result.kind, result.verdict) == (goal, "coverability", verdict)
    assert (result.trace is not None) == (verdict == "violated")


def test_a_covering_run_pumps_as_often_as_it_has_to() -> None:
    # q collects from p, r from q, two for one: 100 tokens in r need 200 in q and 400 in p.
    net = net_of([1, 0, 0, 0], ({0: 1}, {0: 1, 1: 1}), ({1: 2}, {2: 1}), ({2: 2}, {3: 1}))
    result = answer(net, covers="100 p3")
    assert result.verdict == "violated"
    assert result.trace.steps[-1].state["p3"] == "100"
    assert len(result.trace) == 400 + 200 + 100


def test_a_run_that_is_too_long_is_not_shown() -> None:
    net = net_of([1, 0], ({0: 1}, {0: 1, 1: 1}))
    result = answer(net, covers="1000000 p1")
    assert (result.verdict, result.trace) == ("violated", None)
    assert "too long" in result.message


def test_large_weights_widen_the_numbers() -> None:
    for weight in (200, 2**20, 2**40):
        net = net_of([weight, 0, 0], ({0: weight}, {1: weight}), ({1: 1}, {2: 3}))
        for options in ({}, {"engine": "reference", "limits": Limits(states=500)}):
            if options and weight > 200:
                continue
            result = answer(net, bounded=True, **({"limits": Limits(states=300)} | options))
            if result.boundedness.exact:
                assert result.boundedness.bounds == {"p0": weight, "p1": weight, "p2": 3 * weight}
    net = net_of([1, 0], ({0: 1}, {1: 2**63}), ({1: 2**63}, {0: 1}))
    assert answer(net, bounded=True).boundedness.bounds == {"p0": 1, "p1": 2**63}


def test_beyond_64_bits_nothing_is_claimed() -> None:
    net = net_of([1, 2**63], ({0: 1}, {1: 2**63}))
    outcome = check(net, bounded=True)
    assert (outcome.verdict, outcome.stopped) == ("unknown", "overflow")


def test_several_goals_and_boundedness_in_one_run() -> None:
    goals = ("2 held_1", "held_1 + held_2", "outside >= 3")
    outcome = check("spawning.lola", bounded=True, covers=goals)
    assert [each.verdict for each in outcome.properties] == ["violated", "holds", "violated", "violated"]
    # To exchange the locks does not keep the first goal.
    assert outcome.reduction.restricted_by == ("2 held_1",)
    symmetric = check("spawning.lola", covers=goals[1:])
    assert symmetric.reduction.group_order == 2


def test_goals_are_a_search_that_ends_when_all_are_found() -> None:
    early = check("mailboxes.lola", covers="mail_1 >= 1")
    assert early.stopped == "violation"
    late = check("mailboxes.lola", covers="mail_1 >= 1", keep_going=True)
    assert late.coverability.entered > early.coverability.entered


# Together with other properties


def test_other_properties_of_an_unbounded_net_are_unknown() -> None:
    outcome = check("unbounded.lola", bounded=True, invariants="ready_1 + resting_1 = 1", deadlock=True)
    assert [each.verdict for each in outcome.properties] == ["violated", "unknown", "unknown"]
    assert "--max-states" in outcome.properties[1].message
    assert not outcome.explored
    assert outcome.exit_code == 1


def test_with_a_limit_a_part_is_explored() -> None:
    limits = Limits(states=300)
    outcome = check(
        "unbounded.lola",
        bounded=True,
        invariants=("buffer <= 5", "ready_1 <= 1"),
        limits=limits,
        keep_going=True,
    )
    assert [each.verdict for each in outcome.properties] == ["violated", "violated", "unknown"]
    assert (outcome.states, outcome.explored) == (300, True)


def test_of_a_bounded_net_everything_is_answered() -> None:
    outcome = check("mutex.lola", bounded=True, covers="2 critical_1", deadlock=True, ltl="G critical_1 <= 1")
    assert [each.verdict for each in outcome.properties] == ["holds"] * 4
    assert outcome.stopped == "exhausted"
    assert outcome.full_states is not None


def test_formulas_and_examinations_of_an_unbounded_net() -> None:
    outcome = check("unbounded.lola", bounded=True, ltl="G ready_1 <= 1", examination="QuasiLiveness")
    verdicts = {each.kind: each.verdict for each in outcome.properties}
    assert verdicts == {"boundedness": "violated", "ltl": "unknown", "examination": "unknown"}


# Limits


def test_a_limit_ends_with_what_is_known() -> None:
    outcome = check("unbounded.lola", bounded=True, limits=Limits(states=2))
    # Two omega-markings are enough to know that there is no bound.
    assert outcome.stopped == "max-states"
    outcome = check("philosophers.pnml", bounded=True, reduce="none", limits=Limits(states=5))
    (result,) = outcome.properties
    # Invariants of the net bound every place.
    assert (outcome.stopped, result.verdict, result.boundedness.exact) == ("max-states", "holds", False)
    exact = answer("philosophers.pnml", bounded=True).boundedness.bounds
    assert all(exact[place] <= most for place, most in result.boundedness.bounds.items())


def test_without_invariants_a_limit_means_unknown() -> None:
    net = net_of([50, 0, 0], ({0: 1}, {1: 1}), ({1: 1}, {}), ({0: 1}, {2: 1}), ({2: 2}, {1: 1}))
    outcome = check(net, bounded=True, limits=Limits(states=10))
    assert (outcome.verdict, outcome.stopped, outcome.exit_code) == ("unknown", "max-states", 3)


def hard() -> Net:
    """Counters that count one another down in every order: the coverability set is out of reach."""
    places = 12
    moves = [({i: 1}, {j: 1, k: 1}) for i in range(places) for j in range(i) for k in range(j)]
    return net_of([0] * (places - 1) + [9], *moves, ({0: 1}, {}), ({1: 1}, {}))


@pytest.mark.parametrize("by", ["forward", "backward"])
def test_time_is_kept(by: str) -> None:
    outcome = check(
        hard(), covers="9 p0 + 9 p1 + 9 p2 + 9 p3 + 9 p4 + 99 p6", cover_by=by, limits=Limits(seconds=0.5)
    )
    if outcome.verdict == "unknown":
        assert outcome.stopped == "max-seconds"
    assert outcome.cost.seconds < 5


def test_memory_is_kept() -> None:
    outcome = check(hard(), bounded=True, limits=Limits(memory_bytes=200_000))
    assert (outcome.verdict, outcome.stopped) == ("unknown", "max-memory")


def test_the_reference_engine_keeps_limits() -> None:
    outcome = check(hard(), bounded=True, engine="reference", limits=Limits(states=200))
    assert (outcome.verdict, outcome.stopped) == ("unknown", "max-states")
    outcome = check(hard(), bounded=True, engine="reference", limits=Limits(seconds=0.3))
    assert (outcome.verdict, outcome.stopped) == ("unknown", "max-seconds")


# Refusals


@pytest.mark.parametrize(
    ("goal", "message", "column"),
    [
        ("buffer < 2 or ready_1 >= 1", "more tokens can make this false", 1),
        ("ready_1 >= 1 and buffer = 2", "more tokens can make this false", 18),
        ("buffer >= ready_1", "more tokens can make this false", 1),
        ("not buffer >= 2", "more tokens can make this false", 5),
        ("bufer", "there is no place 'bufer'", 1),
        ("2 buffer + 3", "expected a place", 13),
        ("buffer:", "expected a number of tokens", 8),
        ("buffer:1, buffer:2", "'buffer' is given twice", 11),
        ("2 buffer ready_1", "expected '+' or ','", 10),
        ("", "expected a marking", 1),
        ("99999999999999999999 buffer", "a number is beyond 2^62", 1),
    ],
)
def test_wrong_goals_are_refused_with_their_place(goal: str, message: str, column: int) -> None:
    with pytest.raises(BurnsideError) as refused:
        check("unbounded.lola", covers=goal)
    diagnostic = refused.value.diagnostic
    assert message in diagnostic.message
    assert diagnostic.source == "--cover"
    assert diagnostic.span is not None
    assert (diagnostic.span.line, diagnostic.span.column) == (1, column)


def test_what_is_not_upward_closed_is_not_supported() -> None:
    with pytest.raises(UnsupportedError):
        check("unbounded.lola", covers="buffer <= 3")


@pytest.mark.parametrize(
    "options",
    [
        {"cover_by": "forward"},
        {"bounded": True, "cover_by": "both"},
        {"covers": "buffer", "cover_by": "sideways"},
        {"bounded": True, "threads": 2},
        {"bounded": True, "order": "random"},
        {"bounded": True, "reduce": "search", "guide": "marking"},
        {"bounded": True, "self_check": "full"},
        {"bounded": True, "reduce": "search", "stats": True},
        {"bounded": True, "fair": "weak"},
        {"bounded": True, "engine": "reference", "reduce": "minimise"},
        {"bounded": True, "engine": "reference", "order": "dfs"},
    ],
    ids=str,
)
def test_options_without_effect_are_refused(options: dict[str, Any]) -> None:
    if options.get("stats"):
        # --stats is about canonical forms: all states are explored for them.
        assert check("mutex.lola", **options).explored
        return
    with pytest.raises(UsageError):
        check("unbounded.lola", **options)


def test_symmetries_must_fix_the_initial_marking() -> None:
    with pytest.raises(RefusedError, match="fix the initial marking"):
        check("ring.lola", bounded=True, fixing="nothing")
    assert answer("unbounded.lola", bounded=True, fixing="nothing").verdict == "violated"


def test_only_nets_can_be_asked() -> None:
    program = Path(__file__).parent.parent / "examples" / "murphi" / "peterson.m"
    with pytest.raises(UsageError, match="place/transition net"):
        burnside.check(program, bounded=True)
    with pytest.raises(UsageError, match="place/transition net"):
        burnside.check(program, covers="x")


def test_a_goal_with_too_many_minimal_markings_is_refused_backwards() -> None:
    net = net_of([9] * 8, *(({i: 1}, {(i + 1) % 8: 1}) for i in range(8)))
    goal = " + ".join(net.places) + " >= 60"
    with pytest.raises(RefusedError, match="minimal markings"):
        check(net, covers=goal, cover_by="backward")
    assert answer(net, covers=goal).verdict == "violated"


# The command line


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["check", *words])
    return code, capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, str(NETS / "unbounded.lola"), "--bounded", "--cover", "2 buffer", "--json")
    record = json.loads(text)
    assert code == 1
    bounded, covered = record["properties"]
    assert (bounded["kind"], bounded["name"], bounded["verdict"]) == ("boundedness", "bounded", "violated")
    assert bounded["bounds"]["buffer"] is None
    assert bounded["unbounded"] == bounded["pumped"] == ["buffer"]
    assert bounded["pump_start"] == 0
    assert bounded["trace"][0]["action"] is None
    assert (covered["kind"], covered["name"], covered["verdict"]) == ("coverability", "2 buffer", "violated")
    assert int(covered["trace"][-1]["state"]["buffer"]) >= 2
    found = record["coverability"]
    assert {"ready_1": "1", "ready_2": "1", "buffer": "ω"} in found["set"]
    assert (found["markings"], found["stopped"], record["stopped"]) == (3, "exhausted", "exhausted")
    assert record["deadlocks"] is None


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, str(NETS / "unbounded.lola"), "--bounded", "--bounds", "--dead-transitions")
    assert code == 1
    assert "bounded: 1 place (buffer) without bound" in text
    assert "unbounded  buffer" in text
    assert "ω*buffer" in text
    assert "from here on, again and again" in text
    assert "dead transitions\n  none" in text
    code, text = run(capsys, str(NETS / "spawning.lola"), "--cover", "2 held_1")
    assert code == 0
    assert "not found coverability 2 held_1" in text


def test_counterexamples_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for extension in ("json", "txt", "dot"):
        file = tmp_path / f"run.{extension}"
        run(capsys, str(NETS / "unbounded.lola"), "--bounded", "--cover", "2 buffer", "--trace", str(file))
        assert "produce_1" in file.read_text()
    record = json.loads((tmp_path / "run.json").read_text())
    assert [each["kind"] for each in record["traces"]] == ["boundedness", "coverability"]


# Nets of the contest

MODELS = (
    "Angiogenesis-PT-01", "CircadianClock-PT-000001", "CloudDeployment-PT-2a", "CryptoMiner-PT-D03N010",
    "DatabaseWithMutex-PT-02", "Eratosthenes-PT-020", "HouseConstruction-PT-00002", "IBM319-PT-none",
    "LamportFastMutEx-PT-2", "PGCD-PT-D02N005", "Philosophers-PT-000005", "PhilosophersDyn-PT-03", "Raft-PT-02",
    "Railroad-PT-005", "RwMutex-PT-r0010w0100", "SharedMemory-PT-000005",
)  # fmt: skip


@pytest.mark.parametrize("name", MODELS)
def test_bounds_of_the_contest_are_those_of_exploration(name: str) -> None:
    path = CONTEST / name / "model.pnml"
    if not path.exists():
        pytest.skip(f"{name} is not there: ../shared/models/pnml")
    explored = burnside.check(path, keep_going=True)
    for options in ({}, {"reduce": "none"}):
        outcome = burnside.check(path, bounded=True, **options)
        (result,) = outcome.properties
        assert result.boundedness.bounds == explored.bounds
        assert result.boundedness.exact
        assert outcome.dead_transitions == explored.dead_transitions
        assert not outcome.coverability.given_up


def test_brute_force_agrees_on_the_ring() -> None:
    net = ring(2)
    rotations = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    markings = [(a, b, c) for a in range(3) for b in range(3) for c in range(3)]
    for below in markings:
        for above in markings:
            expected = reference.covers_symmetrically(below, above, rotations)
            assert covers(net, below, above) is expected
