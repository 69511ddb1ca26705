"""Channel diagrams: of the examples of Donaldson, Miller and Calder 2005, and by what the text allows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from burnside import _core
from burnside.diagnostics import Source
from burnside.kinds.program.semantics import ProgramSemantics
from burnside.languages import promela
from burnside.languages.promela.channels import ChannelDiagram, channel_diagram
from burnside.languages.promela.lower.program import Lowered, lowered
from burnside.reference.values import State

THREE_TIERS = """
#define NONE 255
mtype = {{ request, result, query, data }};
chan to_database = [0] of {{ mtype, byte }};
chan from_database[3] = [0] of {{ mtype }};
chan first = [{length}] of {{ mtype, byte }};
chan to_server[2] = [0] of {{ mtype, byte }};
chan to_client[8] = [0] of {{ mtype }};
proctype database() {{ byte who; do :: to_database?query(who); from_database[who]!data; who = NONE od }}
proctype server(byte id; chan requests) {{
    byte who;
    do :: requests?request(who); to_database!query(id); from_database[id]?data; to_client[who]!result; who = NONE od
}}
proctype client(byte id; chan requests) {{ do :: requests!request(id); to_client[id]?result od }}
init {{
    byte i;
    atomic {{
        run database(); run server(0, first); run server(1, to_server[0]); run server(2, to_server[1]);
        do
        :: i < 3 -> run client(i, first); i++
        :: i >= 3 && i < 6 -> run client(i, to_server[0]); i++
        :: i >= 6 && i < 8 -> run client(i, to_server[1]); i++
        :: i == 8 -> break
        od
    }}
}}
"""

HYPERCUBE = """
chan link[8] = [1] of { bit };
byte dest;
proctype node(byte id) {
    byte next;
    do
    :: link[id]?_;
    atomic {
        if
        :: (id ^ dest) & 1 -> next = id ^ 1
        :: (id ^ dest) & 2 -> next = id ^ 2
        :: (id ^ dest) & 4 -> next = id ^ 4
        fi;
        link[next]!1; next = 0 - 1
    }
    od
}
init { byte i; atomic { do :: i < 8 -> run node(i); i++ :: i == 8 -> break od } }
"""


def read(text: str) -> Lowered:
    return lowered(promela.load(Source("model.pml", text), None, "model").model)


def order(diagram: ChannelDiagram) -> int:
    points = len(diagram.vertices)
    edges = [
        (points + number, end, label)
        for number, edge in enumerate(diagram.edges)
        for label, end in enumerate((edge.source, edge.target))
    ]
    nodes = [max(diagram.colours) + 1] * len(diagram.edges)
    found = _core.graph_automorphisms(diagram.colours, nodes, edges)
    assert found is not None
    return found[1]


def reachable(found: Lowered, limit: int) -> Sequence[State]:
    semantics = ProgramSemantics(found.program)
    seen = {step.after: None for step in semantics.starts() if step.after is not None}
    for state in (pending := list(seen)):
        for step in semantics.steps(state):
            if step.after is not None and step.after not in seen and len(seen) < limit:
                seen[step.after] = None
                pending.append(step.after)
    return list(seen)


def uses(diagram: ChannelDiagram) -> set[tuple[str, str]]:
    names = [each.name for each in diagram.vertices]
    return {(names[each.source], names[each.target]) for each in diagram.edges}


@pytest.mark.parametrize(("length", "group"), [(0, 144), (1, 72)])
def test_three_tiers(length: int, group: int) -> None:
    """(S3 wr S2) x S2; a buffer is a channel of another type, which costs the exchange of servers."""
    diagram = channel_diagram(read(THREE_TIERS.format(length=length)))
    assert [each.kind for each in diagram.vertices].count("process") == 12
    assert [each.kind for each in diagram.vertices].count("channel") == 15
    assert order(diagram) == group
    sent = {target for source, target in uses(diagram) if source == "server(2)"}
    assert sent == {"to_database", "to_client[0]", "to_client[1]", "to_client[2]"}


def test_hypercube() -> None:
    """3! 2^3; `init` neither sends nor receives, so it is not there."""
    diagram = channel_diagram(read(HYPERCUBE))
    assert len(diagram.vertices) == 16
    assert order(diagram) == 48


def test_a_dynamic_diagram_has_what_processes_hold_in_the_states() -> None:
    found = read(THREE_TIERS.format(length=0))
    static, dynamic = channel_diagram(found), channel_diagram(found, reachable(found, 60))
    assert dynamic.vertices == static.vertices
    assert uses(dynamic) < uses(static)
    assert ("client(5)", "first") in uses(dynamic)


def test_channels_that_are_sent_and_stored() -> None:
    text = """
    chan shared = [2] of { chan };
    active [2] proctype client() { chan mine = [1] of { byte }; shared!mine; mine?_ }
    active proctype server() { chan whose; do :: shared?whose; whose!1 od }
    """
    diagram = channel_diagram(read(text))
    assert uses(diagram) == {
        ("client(0)", "shared"),
        ("client(1)", "shared"),
        ("client(0):mine", "client(0)"),
        ("client(1):mine", "client(1)"),
        ("shared", "server(2)"),
        ("server(2)", "client(0):mine"),
        ("server(2)", "client(1):mine"),
    }
    assert order(diagram) == 2


def test_colours_are_types_and_lines_are_given() -> None:
    text = """chan a = [0] of { byte }; chan b = [1] of { byte };
active proctype p() { a!1;
  a!2 }
active proctype q() { a?_; b!1; a?_ }
"""
    diagram = channel_diagram(read(text))
    assert [(each.name, each.type) for each in diagram.vertices] == [
        ("p(0)", "p"),
        ("q(1)", "q"),
        ("a", "[0] of { byte }"),
        ("b", "[1] of { byte }"),
    ]
    assert diagram.colours == (0, 1, 2, 3)
    assert diagram.edges[0].lines == (2, 3)


def test_an_index_that_is_counted_up_can_be_anything() -> None:
    text = """
    chan q[20] = [1] of { byte };
    active proctype p() { byte i; do :: i < 20 -> q[i]!1; i++ :: else -> break od }
    """
    diagram = channel_diagram(read(text))
    assert len(diagram.edges) == 20
