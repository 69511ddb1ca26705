"""Pictures of high-level nets: what the DOT says of places, transitions, arcs and states, and what is cut."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from burnside import pipeline
from burnside.cli import main
from burnside.diagnostics import Source
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.kinds.highlevel.shown import ShownMarking
from burnside.languages import hln
from burnside.languages.hln.net_texts import net_texts
from burnside.languages.hln.printing import written
from burnside.model import Model
from burnside.report.dot import render
from burnside.report.highlevel_nets import MAX_LINES, MAX_TYPES, WIDTH, highlevel_net_dot
from burnside.report.spaces import LONG_ACTION, graph_dot
from burnside.request import Request
from burnside.words import changes

EXAMPLES = Path(__file__).parents[2] / "examples/hln"


def net_dot(path: Path) -> str:
    return dot_of(pipeline.read(path))


def dot_of(model: Model) -> str:
    return highlevel_net_dot(model.subject, net_texts(model.subject), pipeline.symmetries(model, Request()))


def dot_of_text(text: str, tmp_path: Path) -> str:
    path = tmp_path / "n.hln"
    path.write_text(text)
    return net_dot(path)


def line(dot: str, begins: str) -> str:
    return next(each.strip() for each in dot.splitlines() if each.strip().startswith(begins))


def test_places_say_their_type_and_what_they_hold() -> None:
    dot = net_dot(EXAMPLES / "railroad.hln")
    assert r'label="U: struct(train: Train,\nat: Sec)\n= <a, 0> + <b, 3>"' in line(dot, "p0 [")
    assert r'label="V: Sec\n= 1 + 4"' in line(dot, "p1 [")
    assert line(dot, "p0 [").split("fillcolor=")[1] != line(dot, "p1 [").split("fillcolor=")[1]


def test_an_empty_place_has_no_marking_and_places_of_one_type_one_colour() -> None:
    dot = net_dot(EXAMPLES / "database.hln")
    waiting, performing, sent = (line(dot, f"p{at} [") for at in (2, 3, 4))
    assert 'label="waiting: Site"' in waiting
    assert waiting.split("fillcolor=")[1] == performing.split("fillcolor=")[1]
    assert waiting.split("fillcolor=")[1] != sent.split("fillcolor=")[1]


def test_places_for_dots_are_circles_with_their_tokens(tmp_path: Path) -> None:
    dot = dot_of_text("place a: dot = 2'dot  place b: dot = 5'dot  transition t in a out b", tmp_path)
    assert 'shape=circle, fixedsize=true, width=0.42, fontsize=9, margin=0, label="●●", xlabel="a"' in dot
    assert 'label="5", xlabel="b"' in dot
    assert line(dot, "p0 -> t0") == 'p0 -> t0 [label=""];'


def test_transitions_say_variables_and_guard_arcs_their_inscription() -> None:
    dot = net_dot(EXAMPLES / "lamport.hln")
    assert r'label="other_is_done(i: Pid,\nj: Pid, left: set(Pid))\n[left has j]"' in dot
    assert 'label="look_at_all(i: Pid)"' in dot
    assert '[label=" <i, difference(left, {j})> "];' in dot


def test_what_is_only_looked_at_has_one_arrow_with_two_heads() -> None:
    """Wherever the arcs stand in the transition; a place that gets another token back has two arrows."""
    model = pipeline.read(EXAMPLES / "lamport.hln")
    dot = dot_of(model)
    names = [each.name for each in model.subject.transitions]
    taken, write = names.index("y_is_taken"), names.index("write_y")
    y = model.subject.place_numbers["y"]
    assert line(dot, f"p{y} -> t{taken}") == f'p{y} -> t{taken} [label=" who ", dir=both];'
    assert f"t{taken} -> p{y}" not in dot
    assert line(dot, f"p{y} -> t{write}").endswith('[label=" who "];')
    assert line(dot, f"t{write} -> p{y}").endswith('[label=" process(i) "];')


def test_two_arcs_between_the_same_two_are_two_arrows(tmp_path: Path) -> None:
    text = "type T = unordered 3  place p: T = all  var x, y: T  transition t(x, y) in p: x, p: y out p: x"
    dot = dot_of_text(text, tmp_path)
    assert dot.count("p0 -> t0") == 2 and "t0 -> p0" not in dot
    assert '[label=" x ", dir=both];' in dot and '[label=" y "];' in dot


def test_the_caption_declares_types_and_tells_the_group() -> None:
    dot = net_dot(EXAMPLES / "database.hln")
    assert r"database: 7 places, 4 transitions, 24 symmetries (S4)" in dot
    assert r"\nSite = unordered 4\nMessage = struct(from: Site, to: Site)" in dot
    assert "river: 3 places, 1 transition, no symmetries" in net_dot(EXAMPLES / "river.hln")


def test_a_marking_that_is_long_as_a_term_is_shown_by_its_tokens(tmp_path: Path) -> None:
    text = "type T = ordered 3  place p: T = {(if position(x) = 1 or position(x) = 2 then 2 else 0)'x | x: T}"
    assert r'label="p: T\n= 2\'2 + 2\'3"'.replace("\\'", "'") in dot_of_text(text, tmp_path)


def test_long_texts_are_wrapped_and_cut(tmp_path: Path) -> None:
    fields = ", ".join(f"a_rather_long_field_{at}: nat" for at in range(12))
    types = "\n".join(f"type T{at} = ordered 2" for at in range(MAX_TYPES + 3))
    sums = " + ".join(map(str, range(1, 90)))
    text = f'{types}\ntype A = ordered 90\nplace "{"x" * 200}": struct({fields})\nplace q: A = {sums}'
    dot = dot_of_text(text, tmp_path)
    assert "and 4 more types" in dot
    for begins in ("p0 [", "p1 ["):
        lines = line(dot, begins).split('label="')[1].split('"')[0].split(r"\n")
        assert len(lines) <= 2 * MAX_LINES
        assert max(map(len, lines)) <= 2 * WIDTH + 4
        assert lines[-1].endswith(" ...")


NASTY = r"a\"b\\N<b>&amp;"


def test_graphviz_draws_it_whatever_the_names(tmp_path: Path) -> None:
    text = (
        f'type "{NASTY}" = unordered {{"{NASTY}", b}}\nplace "{NASTY}": "{NASTY}" = all\n'
        f'transition "{NASTY}"("{NASTY} v": "{NASTY}") in "{NASTY}": "{NASTY} v"'
    )
    assert render(dot_of_text(text, tmp_path), "svg").startswith(b"<?xml")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.hln")), ids=lambda path: path.stem)
def test_every_example_is_drawn(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "net.svg"
    assert main(["graph", str(path), "--what", "net", "-o", str(output)]) == 0
    net = pipeline.read(path).subject
    drawn = output.read_text()
    assert drawn.count('class="node"') == len(net.places) + len(net.transitions)


SYMMETRIC = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"
 type="http://www.pnml.org/version-2009/grammar/symmetricnet"><name><text>small</text></name>
<declaration><structure><declarations>
<namedsort id="C" name="Colour"><cyclicenumeration><feconstant id="r" name="red"/><feconstant id="g" name="green"/>
</cyclicenumeration></namedsort><variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
</declarations></structure></declaration>
<page id="g0"><place id="p"><name><text>lights</text></name><type><structure><usersort declaration="C"/></structure></type>
<hlinitialMarking><structure><all><usersort declaration="C"/></all></structure></hlinitialMarking></place>
<transition id="t"><name><text>switch</text></name></transition>
<arc id="a" source="p" target="t"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="b" source="t" target="p"><hlinscription><structure><successor><variable refvariable="x"/></successor></structure>
</hlinscription></arc></page></net></pnml>"""


def test_symmetric_nets_are_drawn_with_the_names_of_their_file(tmp_path: Path) -> None:
    path = tmp_path / "small.pnml"
    path.write_text(SYMMETRIC)
    dot = net_dot(path)
    assert r'label="lights: Colour\n= all"' in dot
    assert 'label="switch(x: Colour)"' in dot
    assert '[label=" succ(x) "];' in dot
    assert r"small: 1 place, 1 transition, 2 symmetries (C2)\nColour = cyclic enumeration {red, green}" in dot


# State spaces and runs


def space(path: Path, **sizes: int) -> str:
    names, graph = pipeline.space(pipeline.read(path, sizes=sizes), Request(), 500)
    return graph_dot(names, graph)


def test_a_box_has_a_line_for_each_marked_place() -> None:
    dot = space(EXAMPLES / "railroad.hln")
    assert r'label="U: <a, 0> + <b, 3>\nV: 1 + 4\nx1"' in dot
    assert "railroad: 12 orbits of 18 markings" in dot


def test_both_routes_are_drawn_alike() -> None:
    model = pipeline.read(EXAMPLES / "railroad.hln")
    boxes = []
    for unfold in (True, False):
        names, graph = pipeline.space(model, Request(unfold=unfold), 500)
        shown = [tuple(names.lines(state)) for state in graph.states]
        boxes.append((shown[0], len(shown), len(graph.edges)))
    assert boxes[0] == boxes[1]


def test_long_actions_are_wrapped() -> None:
    dot = space(EXAMPLES / "lock_server.hln", Client=1)
    arrow = line(dot, "s0 -> s1")
    lines = arrow.split('label="')[1].split('"')[0].split(r"\n")
    assert len(lines) > 1 and max(map(len, lines)) <= LONG_ACTION + 8
    action = "request(c=1, k=read, all_clients={1 -> <idle, read>}, net=<{1 -> []}, {1 -> []}>)"
    assert " ".join(" ".join(lines).split()) == action


NET = """type T = unordered 3  place p: T = 1 + 2'2  place q: T  place s: bool = true  place d: dot = 2'dot
place m: multiset(T) = 1'(1 + 2) + 1'(2'3)"""


def test_changes_are_told_token_by_token() -> None:
    semantics = HighLevelSemantics(hln.read_text(Source("n.hln", NET)))
    p, q, s, d, m = semantics.starts()[0].result
    bags = sorted(m, key=str)
    after = (
        frozenset({(1, 1), (2, 1)}),
        frozenset({(0, 2)}),
        frozenset({(False, 1)}),
        frozenset({((), 1)}),
        frozenset(bags[:1]),
    )
    shown = semantics.full_state(after)
    assert isinstance(shown, ShownMarking)
    told = changes(semantics.full_state((p, q, s, d, m)), shown)
    assert told[:4] == ["p - 1 - 2 + 3", "q + 2'1", "s: true -> false", "d - dot"]
    assert told[4] in ("m - 1'(1 + 2)", "m - 1'(2'3)")
    assert semantics.summary(after, (p, q, s, d, m)) == ", ".join(told)
    assert semantics.summary(after, after) == "no change"
    assert dict(shown)["q"] == "2'1" and dict(semantics.full_state((p, q, s, d, m)))["q"] == "{}"


def test_long_names_of_steps_have_their_changes_below(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES / "lock_server.hln"), "--no-deadlock"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, each in enumerate(lines) if each.startswith("  1  request("))
    assert lines[at].endswith("{1 -> [], 2 -> []}>)")
    assert lines[at + 1].lstrip().startswith("clients: {1 -> <idle, read>")
    assert main(["simulate", str(EXAMPLES / "lock_server.hln"), "--steps", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("1  request(") and lines[2].lstrip().startswith("clients: ")


def test_texts_of_the_picture_are_those_of_the_format() -> None:
    for path in sorted(EXAMPLES.glob("*.hln")):
        net = pipeline.read(path).subject
        text = written(net)
        for transition in net_texts(net).transitions:
            for arc in (*transition.tests, *transition.consumes, *transition.produces):
                assert arc.text in text
            assert transition.guard in text


@pytest.mark.parametrize("name", ["database", "printers"])
def test_the_pictures_in_the_documentation_are_those_of_today(name: str, tmp_path: Path) -> None:
    """Their texts: where these stand may differ between versions of Graphviz."""
    output = tmp_path / "net.svg"
    assert main(["graph", str(EXAMPLES / f"{name}.hln"), "--what", "net", "-o", str(output)]) == 0
    kept = EXAMPLES.parents[1] / "docs" / f"{name}.svg"
    texts = [re.findall(r"<text[^>]*>([^<]*)</text>", each.read_text()) for each in (kept, output)]
    assert texts[0] and sorted(texts[0]) == sorted(texts[1])
