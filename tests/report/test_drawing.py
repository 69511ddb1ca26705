"""Pictures: what the DOT says, that Graphviz draws it whatever the names, and how files are written."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from burnside import pipeline
from burnside.diagnostics import RefusedError, Source, UsageError
from burnside.families import build
from burnside.graph import StateGraph
from burnside.kinds.net.drawing import NetNames
from burnside.kinds.net.semantics import NetSemantics, marking_words
from burnside.kinds.program.drawing import ProgramNames
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.languages import murphi
from burnside.net import Net
from burnside.output_files import write_atomically
from burnside.pipeline import read
from burnside.quotients import Quotient
from burnside.records import replace
from burnside.reference.explorer import state_graph
from burnside.reference.permutations import point_orbits
from burnside.reference.steps import initial_states, successors
from burnside.reference.symmetries import symmetries
from burnside.report import dot as drawing
from burnside.report.dot import render, write_drawing
from burnside.report.nets import net_dot
from burnside.report.quotients import quotient_json
from burnside.report.spaces import graph_dot
from burnside.request import Request


def drawn(net: Net, *, reduced: bool) -> StateGraph:
    generators = symmetries(net, [net.initial]) if reduced else []
    return replace(state_graph(NetSemantics(net), generators), redirected=())


def node(dot: str, name: str) -> str:
    return next(line.strip() for line in dot.splitlines() if line.strip().startswith(f"{name} ["))


NASTY = r'a"b\N\G<b>&amp;' + "\n\t\x1b"


def nasty_net() -> Net:
    return Net(NASTY, (NASTY, "back\\"), (1, 12), (NASTY,), (((0, 1), (1, 3)),), (((1, 3),),))


def test_only_marked_places_are_named() -> None:
    assert marking_words(build("mutex", [2]), (0, 1, 0, 0, 0, 2, 0)) == ["noncritical_1", "2*trying_2"]


def test_states_edges_and_orbit_sizes() -> None:
    net = build("ph", [3])
    dot = graph_dot(NetNames(NetSemantics(net)), drawn(net, reduced=True))
    assert node(dot, "s0") == (
        r's0 [label="thinking_1 fork_1 thinking_2\nfork_2 thinking_3 fork_3\nx1", fillcolor="#e3eefa"];'
    )
    assert r"eating_1 thinking_2\nthinking_3 fork_3\nx3" in dot
    assert r's0 -> s1 [label=" take_left_1 \n take_left_2 \n take_left_3 "];' in dot
    assert dot.count("peripheries=2") == 1
    assert "start0 -> s0" in dot
    assert "ph 3: 6 orbits of 14 markings" in dot


RECORDS = """
const N: 2;
type P: scalarset(N);
var a: array[P] of record on: boolean; who: P; end; b: boolean; c: array[0 .. 1] of array[0 .. 1] of 0 .. 1;
startstate for p: P do a[p].on := false end; b := true; c[0][1] := 1; end;
ruleset p: P do rule "go" !a[p].on ==> a[p].on := true; a[p].who := p; end end;
"""


def test_arrays_of_a_program_are_one_word_and_what_is_the_same_is_said_once() -> None:
    program = murphi.read_text(Source("m.m", RECORDS))
    start = initial_states(program)[0][1]
    assert isinstance(start, tuple)
    after = successors(program, start)[0][1]
    assert isinstance(after, tuple)
    names = ProgramNames(ProgramSemantics(program), [start, after])
    assert names.own_words(start) == ["a.on=false,false"]
    assert names.own_words(after) == ["a.on=true,false", "a.who=P_0,-"]
    assert names.note == "the same in all boxes: b=true, c[0]=-,1"
    dot = graph_dot(names, StateGraph([start, after], [1, 2], [(0, (0, (0,)), 1)]))
    assert r"m: 2 orbits of 3 states\nthe same in all boxes: b=true, c[0]=-,1" in dot
    assert ProgramNames(ProgramSemantics(program), [start]).own_words(start) == [
        *("a.on=false,false", "b=true", "c[0]=-,1")
    ]


def test_a_crash_of_graphviz_is_a_diagnostic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "DRAWING", "import os; os.abort()")
    with pytest.raises(UsageError, match="it crashed"):
        render("digraph {}", "svg")
    monkeypatch.setattr(drawing, "DRAWING", f"raise SystemExit({drawing.WITHOUT_GRAPHVIZ})")
    with pytest.raises(UsageError, match="pygraphviz cannot be imported"):
        render("digraph {}", "svg")


SLOW_IN_LAYERS = """
import sys, time
time.sleep(600 if sys.argv[2] == "dot" else 0)
print(*sys.argv[1:])
"""


def test_what_takes_too_long_in_layers_is_drawn_by_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "DRAWING", SLOW_IN_LAYERS)
    monkeypatch.setattr(drawing, "LAYERED", replace(drawing.LAYERED, seconds=0.5))
    assert render("digraph {}", "svg").split()[:2] == [b"svg", b"sfdp"]


def test_what_takes_too_long_in_every_way_is_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "DRAWING", "import time; time.sleep(600)")
    for name in ("LAYERED", "BY_FORCES"):
        monkeypatch.setattr(drawing, name, replace(getattr(drawing, name), seconds=0.2))
    with pytest.raises(RefusedError, match="did not finish") as caught:
        render("digraph {}", "svg")
    assert "a .dot file, or .json" in str(caught.value)


def test_many_arrows_are_not_straightened_at_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "DRAWING", "import sys; print(*sys.argv[1:])")
    few, many = (f"digraph {{{' a -> b;' * arrows}}}" for arrows in (drawing.SMALL, drawing.SMALL + 1))
    assert render(few, "png").decode().split() == ["png", "dot"]
    assert "nslimit=2" in render(many, "png").decode()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_a_layout_at_once(sent: signal.Signals, tmp_path: Path) -> None:
    model = Path(__file__).parents[2] / "examples/nets/mutex.lola"
    started = tmp_path / "started"
    slow = f"import pathlib, time; pathlib.Path({str(started)!r}).touch(); time.sleep(600)"
    script = (
        f"import sys; from burnside.report import dot; dot.DRAWING = {slow!r}; from burnside.cli import main; "
        f"sys.exit(main(['graph', {str(model)!r}, '-o', {str(tmp_path / 'x.svg')!r}]))"
    )
    with subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True) as run:
        while not started.exists() and run.poll() is None:
            time.sleep(0.05)
        run.send_signal(sent)
        _, err = run.communicate(timeout=15)
    assert (run.returncode, err) == (3, "burnside: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["started"]


def test_without_reduction_no_orbit_sizes() -> None:
    net = build("ph", [3])
    dot = graph_dot(NetNames(NetSemantics(net)), drawn(net, reduced=False))
    assert "ph 3: 14 states" in dot and "x1" not in dot


def test_giant_orbits_have_readable_sizes() -> None:
    net = build("ph", [2])
    dot = graph_dot(NetNames(NetSemantics(net)), StateGraph([net.initial], [10**5000], []))
    assert r"\nxabout 1.000e5000" in dot


def test_an_arrow_is_solid_only_for_actions_that_lead_to_the_state_in_the_box() -> None:
    root = Path(__file__).parents[2]
    net = read(root / "examples/nets/mutex.lola").subject
    assert isinstance(net, Net)
    for reduce in ("minimise", "search", "none"):
        found = pipeline.quotient(pipeline.model_of(net), Request(reduce=reduce), 500)
        dot, record = graph_dot(found.names, found.graph), json.loads(quotient_json(found))
        for edge in record["edges"]:
            before, after = (record["states"][edge[end]]["marking"] for end in ("from", "to"))
            reached = net.fire(marking_of(net, before), net.transitions.index(edge["action"]))
            assert edge["equivalent"] == (reached != marking_of(net, after))
            arrows = [line for line in dot.splitlines() if f"s{edge['from']} -> s{edge['to']} [" in line]
            named = [line for line in arrows if f" {edge['action']} " in line]
            assert len(named) == 1 and named[0].endswith(", style=dashed];") == edge["equivalent"]
        assert any(edge["equivalent"] for edge in record["edges"]) == (reduce != "none")


def marking_of(net: Net, marked: dict[str, int]) -> tuple[int, ...]:
    return tuple(marked.get(place, 0) for place in net.places)


TWO_STARTS = """
type P: scalarset(3);
var at: P;
ruleset p: P do startstate "begin" at := p; end; end;
ruleset p: P do rule "go" at := p; end; end;
"""


def test_an_initial_state_that_is_only_equivalent_has_a_dashed_arrow(tmp_path: Path) -> None:
    model = tmp_path / "m.m"
    model.write_text(TWO_STARTS)
    dot = graph_dot(*pipeline.space(pipeline.read(model), Request(reduce="search"), 500))
    start = next(line for line in dot.splitlines() if "start0 -> s0" in line)
    # Every element is initial, the one in the box too.
    assert "dashed" not in start
    loops = [line for line in dot.splitlines() if "s0 -> s0" in line]
    assert len(loops) == 2 and sum("dashed" in line for line in loops) == 1
    net = Net("n", ("p", "q"), (1, 0), ("t", "u"), (((0, 1),), ((1, 1),)), (((1, 1),), ((0, 1),)))
    drawn_from = {}
    for initial in ((1, 0), (0, 1)):
        request = Request(reduce="minimise", fixing=("nothing",))
        moved = pipeline.model_of(replace(net, initial=initial))
        dot = graph_dot(*pipeline.space(moved, request, 500))
        drawn_from[initial] = "dashed" in next(line for line in dot.splitlines() if "start0 -> s0" in line)
    assert sorted(drawn_from.values()) == [False, True]


def test_many_parallel_edges_are_counted() -> None:
    net = build("ph", [9])
    dot = graph_dot(
        NetNames(NetSemantics(net)), StateGraph([net.initial], [1], [(0, t, 0) for t in range(9)])
    )
    assert dot.count("s0 -> s0") == 1 and r"\n and 3 more " in dot


def test_the_graph_as_json() -> None:
    net = build("ph", [3])
    names, graph = NetNames(NetSemantics(net)), drawn(net, reduced=True)
    found = Quotient(model="ph", language="", group_order=3, names=names, graph=graph, describe=lambda: None)
    record = json.loads(quotient_json(found))
    assert (len(record["states"]), len(record["edges"])) == (6, 11)
    assert sum(state["orbit_size"] for state in record["states"]) == 14
    assert [state["id"] for state in record["states"] if state["deadlock"]] == [5]
    assert record["edges"][0] == {"from": 0, "action": "take_left_1", "to": 1, "equivalent": False}
    assert record["states"][5]["marking"] == {"has_left_1": 1, "has_left_2": 1, "has_left_3": 1}


def test_the_net_shows_tokens_weights_and_orbits() -> None:
    net = Net(
        "n", ("p", "q", "r"), (2, 5, 0), ("t", "u"), (((0, 3),), ((1, 1),)), (((1, 1),), ((1, 1), (2, 1)))
    )
    dot = net_dot(net, [[0, 1], [2]], [[0], [1]])
    assert 'label="●●", xlabel="p", fillcolor="#cfe2f3"' in dot
    assert 'label="5", xlabel="q", fillcolor="#cfe2f3"' in dot
    assert 'label="", xlabel="r", fillcolor="#ffffff"' in dot
    assert 'p0 -> t0 [label="3"];' in dot and 't0 -> p1 [label=""];' in dot
    assert 'p1 -> t1 [label="", dir=both];' in dot and "t1 -> p1" not in dot
    assert "n: 3 places, 2 transitions; one colour for each orbit" in dot
    assert "colour" not in net_dot(net)


def test_orbits_of_places_and_transitions_have_different_colours() -> None:
    net = build("mutex", [15])  # large enough to try more orbits than the palette has colours
    places = [[i, i + 1] for i in range(0, 46, 2)]
    fills = {node(net_dot(net, places), f"p{i}").split("fillcolor=")[1] for i in range(46)}
    assert len(fills) == 23
    net = build("ph", [3])
    group = symmetries(net)
    dot = net_dot(net, point_orbits([p for p, _ in group], 12), point_orbits([t for _, t in group], 9))
    assert len({line.split("fillcolor=")[1] for line in dot.splitlines() if "fillcolor=" in line}) == 7


@pytest.mark.parametrize(("extension", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_graphviz_draws(
    extension: str, start: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    net = build("ph", [3])
    path = tmp_path / f"ph.{extension.upper()}"
    write_drawing(graph_dot(NetNames(NetSemantics(net)), drawn(net, reduced=True)), path)
    assert path.read_bytes().startswith(start)
    assert capfd.readouterr() == ("", "")


def test_names_are_drawn_as_they_are() -> None:
    net = nasty_net()
    svg = render(net_dot(net), "svg").decode()
    assert "a&quot;b\\N\\G&lt;b&gt;&amp;amp;" in svg
    assert ">back\\</text>" in svg
    svg = render(graph_dot(NetNames(NetSemantics(net)), drawn(net, reduced=False)), "svg").decode()
    assert "a&quot;b\\N\\G&lt;b&gt;&amp;amp;" in svg and "12*back\\</text>" in svg


def test_empty_nets_are_drawn() -> None:
    net = Net("", (), (), (), (), ())
    assert b"<svg" in render(net_dot(net), "svg")
    graph = StateGraph([()], [1], [], deadlocks=frozenset({0}))
    assert "no tokens" in graph_dot(NetNames(NetSemantics(net)), graph)


def test_extensions(tmp_path: Path) -> None:
    write_drawing("digraph {}", tmp_path / "a.dot")
    write_drawing("digraph {}", tmp_path / "a.json", "{}")
    assert (tmp_path / "a.json").read_text() == "{}"
    for name, message in {
        "a.gif": "'.gif'; it must be .dot, .svg, .png or .pdf",
        "a": "without extension",
    }.items():
        with pytest.raises(UsageError, match=message):
            write_drawing("digraph {}", tmp_path / name)
    with pytest.raises(UsageError, match=r"'\.json'"):
        write_drawing("digraph {}", tmp_path / "b.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.dot", "a.json"]


def test_what_graphviz_cannot_read_leaves_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="Graphviz could not draw"):
        write_drawing("this is no dot", tmp_path / "a.svg")
    assert not list(tmp_path.iterdir()) and capfd.readouterr().err == ""


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new ●")
    assert path.read_text(encoding="utf-8") == "new ●"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_new_files_get_the_usual_mode(tmp_path: Path) -> None:
    write_atomically(tmp_path / "ours", b"x")
    (tmp_path / "theirs").write_bytes(b"x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_links_stay_links(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"


def test_devices_are_written_to_not_replaced() -> None:
    write_atomically(os.devnull, "gone")
    assert not Path(os.devnull).is_file()


def test_what_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "out.txt", tmp_path / ("x" * 300), "a\0b"):
        with pytest.raises(UsageError, match="cannot write"):
            write_atomically(path, "text")
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new")
    assert path.read_text() == "old" and [p.name for p in tmp_path.iterdir()] == ["out.txt"]
