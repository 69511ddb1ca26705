"""Channel diagrams as pictures and as data.

In: a `ChannelDiagram`. Out: DOT text, or JSON. Processes are boxes, channels ellipses, one colour for each type; an arrow
leads to a channel from who can send to it, and from a channel to who can receive from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.languages.promela.channels import ChannelDiagram
from burnside.report.dot import CAPTION_WIDTH, SPRINGS, Layout, count, head, label, quoted
from burnside.report.json import dump
from burnside.report.nets import PALETTE
from burnside.words import printable, wrapped


def channels_dot(name: str, diagram: ChannelDiagram, *, dynamic: bool) -> str:
    processes = sum(each.kind == "process" for each in diagram.vertices)
    channels = len(diagram.vertices) - processes
    which = "as explored" if dynamic else "as the text says"
    caption = f"{printable(name)}: {count(processes, 'process')}, {count(channels, 'channel')}, {which}"
    lines = [*head(caption.replace("processs", "processes"), *_legend(diagram))]
    lines += [_vertex(diagram, number) for number in range(len(diagram.vertices))]
    for edge in diagram.edges:
        lines.append(f"  v{edge.source} -> v{edge.target};")
    return "\n".join([*lines, "}", ""])


def channels_layout(diagram: ChannelDiagram) -> Layout | None:
    """Layers where processes of one type serve those of another; else there is no direction: rings, cubes, peers."""
    types = [each.type for each in diagram.vertices]
    senders: dict[int, set[str]] = {}
    for edge in diagram.edges:
        senders.setdefault(edge.target, set()).add(types[edge.source])
    among_equals = [edge for edge in diagram.edges if types[edge.target] in senders.get(edge.source, set())]
    return SPRINGS if among_equals else None


def _vertex(diagram: ChannelDiagram, number: int) -> str:
    vertex = diagram.vertices[number]
    shape = 'shape=box, style="rounded,filled"' if vertex.kind == "process" else "shape=ellipse"
    fill = PALETTE[diagram.colours[number] % len(PALETTE)]
    return (
        f"  v{number} [label={label([printable(vertex.name)])}, {shape}, "
        f'fillcolor={quoted(fill)}, margin="0.08,0.04"];'
    )


def _legend(diagram: ChannelDiagram) -> Iterator[str]:
    """The types of channels, which names do not say."""
    types: dict[str, list[str]] = {}
    for each in diagram.vertices:
        if each.kind == "channel":
            types.setdefault(each.type, []).append(each.name)
    for type_, names in types.items():
        shown = ", ".join(_summarised(names))
        yield from wrapped([f"{printable(shown)}:", *type_.split()], CAPTION_WIDTH)


def _summarised(names: list[str]) -> list[str]:
    """Elements of an array as one."""
    found: dict[str, int] = {}
    for name in names:
        array = name.partition("[")[0]
        found[array] = found.get(array, 0) + 1
    several = [array if number == 1 else f"{array}[{number}]" for array, number in found.items()]
    return several if len(several) <= 4 else [*several[:3], f"and {len(several) - 3} more"]


def channels_json(name: str, diagram: ChannelDiagram, *, dynamic: bool) -> str:
    vertices = diagram.vertices
    record = {
        "model": name,
        "diagram": "dynamic" if dynamic else "static",
        "vertices": [
            {"name": each.name, "kind": each.kind, "type": each.type, "colour": colour}
            for each, colour in zip(vertices, diagram.colours, strict=True)
        ],
        "edges": [
            {"from": vertices[each.source].name, "to": vertices[each.target].name, "lines": list(each.lines)}
            for each in diagram.edges
        ],
    }
    return dump(record)
