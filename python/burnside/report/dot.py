"""DOT text and what Graphviz makes of it: the words that all drawings share.

In: lines for labels, a caption. Out: DOT, or a picture by Graphviz as `.svg`, `.png` or `.pdf`, written as the extension
says. Colours are light enough to print.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from burnside.diagnostics import Diagnostic, RefusedError, UsageError
from burnside.outcome import readable
from burnside.output_files import write_atomically
from burnside.records import record

DRAWN = ("svg", "png", "pdf")
"""What Graphviz makes of DOT."""

FONT = "Helvetica,Arial,DejaVu Sans,sans-serif"
INK, SOFT, PLAIN = "#333333", "#888888", "#ffffff"
CAPTION_WIDTH = 80

UNDRAWN = "a .dot file, or .json where there is one"
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
drawing.graph_attr.update(dict(word.split("=") for word in sys.argv[3:]))
sys.stdout.buffer.write(drawing.draw(format=sys.argv[1], prog=sys.argv[2]))
sys.stdout.flush()
os._exit(0)
"""
"""A process of its own: what Graphviz and Fontconfig say on standard error is caught, and a crash in them is no crash of
ours. Layouts are not freed before it ends, since Graphviz crashes on some of its own."""


@record
class Layout:
    """A program of Graphviz with its settings, and how long it may take."""

    program: str
    seconds: float
    settings: tuple[str, ...] = ()


SMALL = 150
"""Arrows up to which `dot` may take as long as it needs to shorten them. Measured on philosophers: 89 arrows take 0.5 s,
266 take 15 s, and 0.7 s with the limits below; 769 take minutes, and 18 s."""
LAYERED = Layout("dot", 20)
LAYERED_IN_HASTE = Layout("dot", 20, ("nslimit=2", "nslimit1=2", "mclimit=0.5", "splines=line"))
SPRINGS = Layout("neato", 20, ("overlap=false", "splines=true", "sep=+12"))
"""For small graphs without a direction."""
BY_FORCES = Layout("sfdp", 60, ("overlap=prism", "splines=line"))
"""Without layers; 406 states and 1,091 arrows take 6 s."""


def head(*captions: str) -> list[str]:
    text = f"fontname={quoted(FONT)}, fontcolor={quoted(INK)}"
    title = label(["", *filter(None, captions)])
    return [
        "digraph {",
        f"  graph [label={title}, labelloc=b, {text}, fontsize=12, pad=0.25, nodesep=0.3, ranksep=0.45];",
        f"  node [style=filled, {text}, fontsize=11, color={quoted(INK)}, penwidth=0.9];",
        f"  edge [{text}, fontsize=9, color={quoted(SOFT)}, arrowsize=0.65];",
    ]


def label(lines: Sequence[str]) -> str:
    return '"' + "\\n".join(map(_escaped, lines)) + '"'


def quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    """Graphviz reads backslashes twice (\\N, \\G are commands in labels) and entities (&amp;) once."""
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return text.replace("\r", "").replace("\n", "\\n")


def count(number: int, thing: str) -> str:
    return f"{readable(number)} {thing}{'' if number == 1 else 's'}"


def write_drawing(
    dot_text: str,
    path: str | os.PathLike[str],
    json_text: str | None = None,
    layout: Layout | None = None,
) -> None:
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
    write_atomically(path, render(dot_text, extension, layout))


def render(dot_text: str, extension: str, layout: Layout | None = None) -> bytes:
    """The picture as bytes: `dot` as it stands, `svg`, `png`, `pdf` drawn by Graphviz, in this layout if it can."""
    if extension == "dot":
        return dot_text.encode()
    done = _drawn(dot_text, extension, layout)
    if done is None:
        message = f"Graphviz did not finish the .{extension} in time: the graph is too large to draw"
        raise RefusedError(
            Diagnostic(message, hint=f"draw less (--max-states, --partial), or write {UNDRAWN}")
        )
    if done.returncode == WITHOUT_GRAPHVIZ:
        message = f"drawing .{extension} needs Graphviz: the package pygraphviz cannot be imported"
    elif done.returncode or not done.stdout:
        message = f"Graphviz could not draw the .{extension}: {_complaint(done)}"
    else:
        return done.stdout
    raise UsageError(Diagnostic(message, hint="a .dot file can always be written"))


def _drawn(
    dot_text: str, extension: str, preferred: Layout | None = None
) -> subprocess.CompletedProcess[bytes] | None:
    """In layers, where that does not take too long, else by forces; None where that takes too long as well."""
    layered = LAYERED if dot_text.count(" -> ") <= SMALL else LAYERED_IN_HASTE
    for layout in (preferred or layered, BY_FORCES):
        command = [sys.executable, "-c", DRAWING, extension, layout.program, *layout.settings]
        try:
            # An interrupt or the end of the time kills the process: layouts listen to nothing else.
            return subprocess.run(
                command, input=dot_text.encode(), capture_output=True, check=False, timeout=layout.seconds
            )
        except subprocess.TimeoutExpired:
            continue
    return None


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = done.stderr.decode(errors="replace").splitlines()
    crashed = f"it crashed (signal {-done.returncode})" if done.returncode < 0 else "it gave no reason"
    return next((line for line in lines if "rror" in line and "Fontconfig" not in line), crashed)
