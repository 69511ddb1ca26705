"""State spaces and nets as pictures.

In: a `Net`, and for a state space plain data (`StateGraph`), for a net the orbits of its symmetry group.
Out: DOT text, drawn by Graphviz as `.svg`, `.png` or `.pdf`; a state space also as JSON. Colours are light
enough to print; a deadlock also has a double border, an initial state an arrow from nowhere.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from burnside.diagnostics import Diagnostic, UsageError
from burnside.net import Arcs, Net
from burnside.outcome import readable
from burnside.records import record
from burnside.report.files import write_atomically
from burnside.report.json import dump
from burnside.report.words import marking_words, printable

DRAWN = ("svg", "png", "pdf")
"""What Graphviz makes of DOT."""

FONT = "Helvetica,Arial,DejaVu Sans,sans-serif"
INK, SOFT = "#333333", "#888888"
PLAIN, FIRST, DEAD = "#ffffff", "#e3eefa", "#fbe3df"
PALETTE = (
    *("#cfe2f3", "#fce0c2", "#d5ead0", "#f6d0d4", "#e2d6ef", "#fff2b8"),
    *("#cdebe8", "#ecd9c6", "#f3d3e7", "#dfe6bd", "#d3d9e8", "#e8e3dc"),
)
"""Light fills, told apart in print; black text is readable on each."""

LABEL_NAMES = 6
"""Transitions named on one edge before the rest is only counted."""
LABEL_WIDTH = 28
CAPTION_WIDTH = 80
DOTS = 3
"""Tokens drawn as dots; more are written as a number."""

WITHOUT_GRAPHVIZ = 9
DRAWING = f"""
import os, sys
try:
    import pygraphviz
    from pygraphviz import graphviz
except ImportError:
    sys.exit({WITHOUT_GRAPHVIZ})
graphviz.gvFreeLayout = lambda *_: None
drawing = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
sys.stdout.buffer.write(drawing.draw(format=sys.argv[1], prog="dot"))
sys.stdout.flush()
os._exit(0)
"""
"""A process of its own: what Graphviz and Fontconfig say on standard error is caught, and a crash in them is no crash of
ours. Layouts are not freed before it ends, since Graphviz crashes on some of its own."""


@record
class StateGraph:
    """A (reduced) reachability graph in numbers; an edge is (from, transition, to)."""

    markings: Sequence[Sequence[int]]
    orbit_sizes: Sequence[int]
    edges: Sequence[tuple[int, int, int]]
    initial: frozenset[int] = frozenset({0})
    deadlocks: frozenset[int] = frozenset()

    @property
    def reduced(self) -> bool:
        return any(size != 1 for size in self.orbit_sizes)


class Names(Protocol):
    """What states and actions of a graph are called."""

    @property
    def name(self) -> str: ...
    @property
    def note(self) -> str:
        """What else the caption says, if anything."""
        ...

    def words(self, state: Sequence[int]) -> list[str]: ...
    def record(self, state: Sequence[int]) -> Mapping[str, object]: ...
    def action(self, number: int) -> str: ...


@record
class NetNames:
    """Of a net: the marked places."""

    net: Net

    @property
    def name(self) -> str:
        return self.net.name

    @property
    def note(self) -> str:
        return ""

    def words(self, state: Sequence[int]) -> list[str]:
        return marking_words(self.net, state) or ["no tokens"]

    def record(self, state: Sequence[int]) -> Mapping[str, object]:
        return {name: count for name, count in zip(self.net.places, state, strict=True) if count}

    def action(self, number: int) -> str:
        return self.net.transitions[number]


def graph_dot(names: Names, graph: StateGraph) -> str:
    """The reachability graph; parallel edges share one arrow."""
    lines = [
        *_head(_caption(names, graph), *_wrapped(names.note.split(), CAPTION_WIDTH)),
        '  node [shape=box, style="rounded,filled", margin="0.14,0.07"];',
    ]
    lines += [_state(names, graph, number) for number in range(len(graph.markings))]
    for number in sorted(graph.initial):
        lines.append(f"  start{number} [shape=point, width=0.08, style=filled, fillcolor={_quoted(INK)}];")
        lines.append(f'  start{number} -> s{number} [label="", color={_quoted(INK)}];')
    lines += [
        f"  s{source} -> s{target} [label={_label(_edge_lines(names, fired))}];"
        for (source, target), fired in _joined(graph.edges).items()
    ]
    return "\n".join([*lines, "}", ""])


def graph_json(names: Names, graph: StateGraph) -> str:
    """The same graph for other programs: states by number, of a marking only the marked places."""
    record = {
        "model": names.name,
        "reduced": graph.reduced,
        "states": [
            {
                "id": number,
                "marking": names.record(marking),
                "orbit_size": graph.orbit_sizes[number],
                "initial": number in graph.initial,
                "deadlock": number in graph.deadlocks,
            }
            for number, marking in enumerate(graph.markings)
        ],
        "edges": [
            {"from": source, "action": names.action(transition), "to": target}
            for source, transition, target in graph.edges
        ],
    }
    return dump(record)


def _caption(names: Names, graph: StateGraph) -> str:
    states = len(graph.markings)
    if not graph.reduced:
        return f"{printable(names.name)}: {_count(states, 'state')}"
    # Not "states": where the group moves the initial marking, orbits hold unreachable markings too.
    what = "marking" if isinstance(names, NetNames) else "state"
    return f"{printable(names.name)}: {_count(states, 'orbit')} of {_count(sum(graph.orbit_sizes), what)}"


def _state(names: Names, graph: StateGraph, number: int) -> str:
    lines = list(_wrapped(names.words(graph.markings[number])))
    if graph.reduced:
        lines.append(f"x{readable(graph.orbit_sizes[number])}")
    dead = number in graph.deadlocks
    fill = DEAD if dead else FIRST if number in graph.initial else PLAIN
    return (
        f"  s{number} [label={_label(lines)}, fillcolor={_quoted(fill)}{', peripheries=2' if dead else ''}];"
    )


def _joined(edges: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], list[int]]:
    between = defaultdict(list)
    for source, transition, target in edges:
        between[source, target].append(transition)
    return dict(between)


def _edge_lines(names: Names, fired: Sequence[int]) -> list[str]:
    shown = [printable(names.action(number)) for number in fired[:LABEL_NAMES]]
    more = len(fired) - len(shown)
    # The blanks keep the text off its arrow.
    return [f" {line} " for line in (*shown, *([f"and {more:,} more"] if more else []))]


def _wrapped(words: Iterable[str], width: int = LABEL_WIDTH) -> Iterator[str]:
    """Words joined by blanks into lines of about that many characters."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def net_dot(
    net: Net,
    place_orbits: Sequence[Sequence[int]] = (),
    transition_orbits: Sequence[Sequence[int]] = (),
) -> str:
    """The net itself; nodes of one orbit share a colour, what no symmetry moves stays white."""
    moving = sum(len(cell) > 1 for cell in place_orbits)
    fills, boxes = _fills(place_orbits, 0), _fills(transition_orbits, moving)
    lines = _head(_net_caption(net) + ("; one colour for each orbit of the symmetry group" if fills else ""))
    lines += [_place(net, place, fills.get(place, PLAIN)) for place in range(len(net.places))]
    lines += [_box(net, number, boxes.get(number, PLAIN)) for number in range(len(net.transitions))]
    # What is marked first stands on one line at the top: copies of a part are then drawn side by side.
    marked = [f"p{place};" for place, tokens in enumerate(net.initial) if tokens]
    lines += [f"  {{ rank=source; {' '.join(marked)} }}"] if marked else []
    for number in range(len(net.transitions)):
        lines += _arcs(net.consumes[number], net.produces[number], number)
    return "\n".join([*lines, "}", ""])


def _net_caption(net: Net) -> str:
    places, transitions = _count(len(net.places), "place"), _count(len(net.transitions), "transition")
    return f"{printable(net.name)}: {places}, {transitions}"


def _fills(orbits: Sequence[Sequence[int]], used: int) -> dict[int, str]:
    """A colour for every node that moves; beyond the palette, hues are spread by the golden ratio."""
    fills = {}
    for number, cell in enumerate((cell for cell in orbits if len(cell) > 1), start=used):
        spread = f"{number * 0.618034 % 1:.3f} 0.22 0.96"
        fills.update(dict.fromkeys(cell, PALETTE[number] if number < len(PALETTE) else spread))
    return fills


def _place(net: Net, place: int, fill: str) -> str:
    tokens = net.initial[place]
    shown = "●" * tokens if tokens <= DOTS else f"{tokens:,}"
    name = _label([printable(net.places[place])])
    size = "fixedsize=true, width=0.42" if len(shown) <= DOTS else "width=0.42"
    return (
        f"  p{place} [shape=circle, {size}, fontsize=9, margin=0, label={_quoted(shown)},"
        f" xlabel={name}, fillcolor={_quoted(fill)}];"
    )


def _box(net: Net, transition: int, fill: str) -> str:
    label = _label([printable(net.transitions[transition])])
    return f"  t{transition} [shape=box, height=0.3, label={label}, fillcolor={_quoted(fill)}];"


def _arcs(consumes: Arcs, produces: Arcs, transition: int) -> Iterator[str]:
    """A place that is read and put back with the same weight has one arrow with two heads."""
    both = set(consumes) & set(produces)
    for place, weight in consumes:
        heads = ", dir=both" if (place, weight) in both else ""
        yield f"  p{place} -> t{transition} [label={_weight(weight)}{heads}];"
    for place, weight in produces:
        if (place, weight) not in both:
            yield f"  t{transition} -> p{place} [label={_weight(weight)}];"


def _weight(weight: int) -> str:
    return _quoted("" if weight == 1 else str(weight))


def _head(*captions: str) -> list[str]:
    text = f"fontname={_quoted(FONT)}, fontcolor={_quoted(INK)}"
    title = _label(["", *filter(None, captions)])
    return [
        "digraph {",
        f"  graph [label={title}, labelloc=b, {text}, fontsize=12, pad=0.25, nodesep=0.3, ranksep=0.45];",
        f"  node [style=filled, {text}, fontsize=11, color={_quoted(INK)}, penwidth=0.9];",
        f"  edge [{text}, fontsize=9, color={_quoted(SOFT)}, arrowsize=0.65];",
    ]


def _label(lines: Sequence[str]) -> str:
    return '"' + "\\n".join(map(_escaped, lines)) + '"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Graphviz reads backslashes twice (\\N, \\G are commands in labels) and entities (&amp;) once."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return text.replace("\r", "").replace("\n", "\\n")


def _count(number: int, thing: str) -> str:
    return f"{readable(number)} {thing}{'' if number == 1 else 's'}"


def write_drawing(dot_text: str, path: str | os.PathLike[str], json_text: str | None = None) -> None:
    """Write a picture as its extension says; `.json` where there is a JSON form."""
    extension = Path(path).suffix.lower().removeprefix(".")
    if extension == "json" and json_text is not None:
        write_atomically(path, json_text)
        return
    known = ["dot", *DRAWN, *(["json"] if json_text is not None else [])]
    if extension not in known:
        wanted = " or ".join([", ".join(f".{each}" for each in known[:-1]), f".{known[-1]}"])
        said = f"'.{extension}'" if extension else "a name without extension"
        raise UsageError(Diagnostic(f"cannot draw to {said}; it must be {wanted}", source=os.fspath(path)))
    write_atomically(path, render(dot_text, extension))


def render(dot_text: str, extension: str) -> bytes:
    """The picture as bytes: `dot` as it stands, `svg`, `png`, `pdf` drawn by Graphviz."""
    if extension == "dot":
        return dot_text.encode()
    done = subprocess.run(
        [sys.executable, "-c", DRAWING, extension], input=dot_text.encode(), capture_output=True, check=False
    )
    if done.returncode == WITHOUT_GRAPHVIZ:
        message = f"drawing .{extension} needs Graphviz: the package pygraphviz cannot be imported"
    elif done.returncode or not done.stdout:
        message = f"Graphviz could not draw the .{extension}: {_complaint(done)}"
    else:
        return done.stdout
    raise UsageError(Diagnostic(message, hint="a .dot file can always be written"))


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode(errors="replace").splitlines()
    crashed = f"it crashed (signal {-done.returncode})" if done.returncode < 0 else "it gave no reason"
    return next((line for line in lines if "rror" in line and "Fontconfig" not in line), crashed)
