"""Message-sequence charts as pictures and as data.

In: a `Chart`. Out: DOT with a place for every node, which Graphviz keeps (`neato`), or JSON. Time goes downwards; each
process is a line, each step a row.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.chart import Chart, Event, Message
from burnside.report.dot import FONT, INK, PLAIN, SOFT, Layout, label, quoted
from burnside.report.json import dump
from burnside.report.nets import PALETTE
from burnside.report.spaces import BAD, BAD_LINE
from burnside.words import printable, truncated_list

ROW = 0.42
CHARACTER = 0.078
"""Inches: the height of a row, and the width of a character."""
BOX_CHARACTERS = 34
"""Of a statement."""
PINNED = Layout("neato", 60, ("splines=line", "overlap=true"))


def chart_dot(chart: Chart) -> str:
    return "\n".join([*_lines(_Places(chart)), "}", ""])


class _Places:
    """Where processes and steps are, in inches."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        widths = [max(map(len, self._texts(name))) * CHARACTER + 0.45 for name in chart.processes]
        between = [*(self._arrow_width(at) for at in range(len(widths) - 1)), 0.0]
        self.x: dict[str, float] = {}
        left = 0.0
        for name, width, more in zip(chart.processes, widths, between, strict=True):
            self.x[name] = left + width / 2
            left += width + more
        self.right = left

    def _texts(self, process: str) -> list[str]:
        return [process, *(event_text(each) for each in self.chart.events if each.process == process)]

    def _arrow_width(self, at: int) -> float:
        """Room for the texts of arrows from one process to the next."""
        pair = set(self.chart.processes[at : at + 2])
        texts = [each.text for each in self.chart.messages if {each.sender, each.receiver} == pair]
        return min(max(map(len, texts), default=0), 24) * CHARACTER + 0.2

    def y(self, step: float) -> float:
        return -ROW * (step + 0.4)

    def at(self, process: str, step: float) -> str:
        return f'pos="{self.x[process]:.2f},{self.y(step):.2f}!"'


def event_text(event: Event) -> str:
    text = f"{event.line}: {event.text}"
    return text if len(text) <= BOX_CHARACTERS else f"{text[: BOX_CHARACTERS - 3].rstrip()}..."


def _lines(places: _Places) -> Iterator[str]:
    chart = places.chart
    text = f"fontname={quoted(FONT)}, fontcolor={quoted(INK)}"
    yield "digraph {"
    caption = [printable(chart.title), *([printable(chart.ends)] if chart.ends else [])]
    if chart.idle:
        caption.append(f"without {truncated_list(chart.idle)}: they do nothing")
    yield (
        f"  graph [layout=neato, splines=line, outputorder=edgesfirst, label={label(['', *caption])}, "
        f"labelloc=b, {text}, fontsize=12, pad=0.25];"
    )
    yield (
        f"  node [shape=box, style=filled, {text}, fontsize=10, color={quoted(INK)}, penwidth=0.8, "
        f'fillcolor={quoted(PLAIN)}, height=0.24, margin="0.06,0.03"];'
    )
    yield f"  edge [{text}, fontsize=9, color={quoted(INK)}, arrowsize=0.6];"
    yield from _lifelines(places)
    yield from _events(places)
    for number, message in enumerate(chart.messages):
        yield from _arrow(places, number, message)
    yield from _loop(places)


def _lifelines(places: _Places) -> Iterator[str]:
    chart = places.chart
    types: dict[str, str] = {}
    for number, name in enumerate(chart.processes):
        proctype = name.partition("(")[0]
        fill = types.setdefault(proctype, PALETTE[len(types) % len(PALETTE)])
        first, last = chart.lives[name]
        end = chart.steps + 0.7 if last is None else float(last)
        yield (
            f'  h{number} [label={label([name])}, style="rounded,filled", fillcolor={quoted(fill)}, '
            f"{places.at(name, first)}];"
        )
        look = (
            "shape=point, width=0.01" if last is None else 'shape=plaintext, style="", label="x", height=0.1'
        )
        yield f"  e{number} [{look}, {places.at(name, end)}];"
        yield f"  h{number} -> e{number} [arrowhead=none, style=dashed, color={quoted(SOFT)}];"


def _events(places: _Places) -> Iterator[str]:
    last = places.chart.steps if places.chart.ends else None
    for event in places.chart.events:
        look = f", fillcolor={quoted(BAD)}, color={quoted(BAD_LINE)}" if event.step == last else ""
        yield (
            f"  {_node(places, event.process, event.step)} [label={label([printable(event_text(event))])}, "
            f"{places.at(event.process, event.step)}{look}];"
        )


def _node(places: _Places, process: str, step: int) -> str:
    return f"s{step}_{places.chart.processes.index(process)}"


def _arrow(places: _Places, number: int, message: Message) -> Iterator[str]:
    source = _node(places, message.sender, message.sent)
    text = label([printable(f" {message.text} ")])
    if message.receiver is None or message.received is None:
        left = [each for each in places.chart.messages if each.received is None]
        y = places.y(places.chart.steps + 1.3 + 0.5 * left.index(message))
        x = places.x[message.sender] + 0.6
        where = label([printable(f"{message.text} in {message.channel}")])
        yield f'  m{number} [shape=plaintext, style="", fontsize=9, label={where}, pos="{x:.2f},{y:.2f}!"];'
        yield f"  {source} -> m{number} [style=dotted];"
        return
    target = _node(places, message.receiver, message.received)
    if message.sender == message.receiver and message.sent != message.received:
        yield f"  {source}:e -> {target}:e [label={text}];"
    elif source != target:
        yield f"  {source} -> {target} [label={text}];"


def _loop(places: _Places) -> Iterator[str]:
    start = places.chart.loop_start
    if start is None:
        return
    y = places.y(start + 0.5)
    yield f'  l0 [shape=plaintext, style="", label="loop", fontsize=9, pos="-0.4,{y:.2f}!"];'
    yield f'  l1 [shape=point, width=0.01, pos="{places.right:.2f},{y:.2f}!"];'
    yield f"  l0 -> l1 [arrowhead=none, style=dotted, color={quoted(BAD_LINE)}];"


def chart_json(chart: Chart) -> str:
    record = {
        "title": chart.title,
        "ends": chart.ends,
        "loop_start": chart.loop_start,
        "processes": [
            {"name": name, "first_step": chart.lives[name][0], "last_step": chart.lives[name][1]}
            for name in chart.processes
        ],
        "events": [
            {"step": each.step, "process": each.process, "line": each.line, "text": each.text}
            for each in chart.events
        ],
        "messages": [
            {
                "message": each.text,
                "channel": each.channel,
                "from": each.sender,
                "sent": each.sent,
                "to": each.receiver,
                "received": each.received,
            }
            for each in chart.messages
        ],
    }
    return dump(record)
