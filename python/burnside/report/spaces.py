"""State spaces as pictures, in the manner of animators.

In: a `StateGraph` and the `StateNames` of what it holds. Out: DOT text. An initial state has an arrow from
nowhere, or from the root where making it is a step of its own; a deadlock has a double border, what was found and not
explored a dashed one, what violates a property is red and says which. Where a state stands for its orbit, a solid arrow
leads to that state itself, a dashed one to another state of the orbit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from burnside.graph import StateGraph, StateNames
from burnside.outcome import readable
from burnside.report.dot import CAPTION_WIDTH, INK, PLAIN, count, head, label, quoted
from burnside.words import printable, wrapped

FIRST, DEAD, BAD, SOUGHT = "#e3eefa", "#fbe3df", "#f6b9b3", "#fff2b8"
DONE_LINE, OPEN_LINE, BAD_LINE = "#3c7a3c", "#c77700", "#b3261e"

DASHED = ", style=dashed"

SHOWN_ACTIONS = 6
"""Actions named on one arrow before the rest is only counted; with several operations on it, of each:"""
SHOWN_OF_EACH = 2
LONG_ACTION = 48
"""Characters of an action on one line."""


def graph_dot(names: StateNames, graph: StateGraph) -> str:
    """The reachability graph; parallel edges to the same state share one arrow."""
    arrows = [*(_root(names, graph) if graph.starts else _arrows_from_nowhere(graph)), *_arrows(names, graph)]
    note = [*wrapped(names.note.split(), CAPTION_WIDTH), *wrapped(_legend(graph, arrows), CAPTION_WIDTH)]
    lines = [
        *head(_caption(names, graph), *note),
        '  node [shape=box, style="rounded,filled", margin="0.14,0.07"];',
    ]
    lines += [_state(names, graph, number) for number in range(len(graph.states))]
    lines += arrows
    lines += _failures(names, graph)
    return "\n".join([*lines, "}", ""])


def _caption(names: StateNames, graph: StateGraph) -> str:
    states = len(graph.states)
    left = 0 if graph.explored is None else states - graph.explored
    more = f", {readable(left)} of them not explored" if left else ""
    if not graph.reduced:
        return f"{printable(names.name)}: {count(states, 'state')}{more}"
    # Not "states": where the group moves the initial marking, orbits hold unreachable markings too.
    full = count(sum(graph.orbit_sizes), names.noun)
    return f"{printable(names.name)}: {count(states, 'orbit')} of {full}{more}"


def _legend(graph: StateGraph, arrows: Sequence[str]) -> list[str]:
    """What is not plain, where it occurs."""
    shown = {
        "dashed arrow: to an equivalent state": any(arrow.endswith(f"{DASHED}];") for arrow in arrows),
        "double border: deadlock": bool(graph.deadlocks),
        "dashed border: not explored": any(map(graph.is_open, range(len(graph.states)))),
        "red: violates a property": bool(graph.violated),
        "yellow: satisfies a goal": bool(graph.reached),
    }
    return "; ".join(text for text, occurs in shown.items() if occurs).split()


def _state(names: StateNames, graph: StateGraph, number: int) -> str:
    lines = [printable(line) for line in names.lines(graph.states[number])]
    if graph.reduced:
        lines.append(f"x{readable(graph.orbit_sizes[number])}")
    lines += [f"violates {printable(name)}" for name in graph.violated.get(number, ())]
    lines += [f"satisfies {printable(name)}" for name in graph.reached.get(number, ())]
    fill, line = _colours(graph, number)
    look = f", color={quoted(line)}" if line else ""
    look += ", peripheries=2" if number in graph.deadlocks else ""
    look += ', style="rounded,filled,dashed"' if graph.is_open(number) else ""
    return f"  s{number} [label={label(lines)}, fillcolor={quoted(fill)}{look}];"


def _colours(graph: StateGraph, number: int) -> tuple[str, str | None]:
    """Fill and border; None for the usual border."""
    if number in graph.violated:
        return BAD, BAD_LINE
    border = OPEN_LINE if graph.is_open(number) else DONE_LINE if graph.starts else None
    if number in graph.deadlocks:
        return DEAD, BAD_LINE if graph.starts else None
    if number in graph.reached:
        return SOUGHT, border
    return FIRST if number in graph.initial and not graph.starts else PLAIN, border


def _arrows_from_nowhere(graph: StateGraph) -> Iterator[str]:
    for number in sorted(graph.initial):
        yield f"  start{number} [shape=point, width=0.08, style=filled, fillcolor={quoted(INK)}];"
        style = DASHED if number in graph.equivalent_initial else ""
        yield f'  start{number} -> s{number} [label="", color={quoted(INK)}{style}];'


def _root(names: StateNames, graph: StateGraph) -> Iterator[str]:
    """Where ProB begins: nothing has a value yet."""
    yield f'  root [shape=invtriangle, style=filled, margin=0, label="root", fillcolor={quoted(FIRST)}];'
    by_state = defaultdict(list)
    for (action, state), equivalent in graph.flagged_starts():
        by_state[state, equivalent].append(action)
    for (state, equivalent), actions in by_state.items():
        yield _arrow(names, "root", state, actions, dashed=equivalent)


def _arrows(names: StateNames, graph: StateGraph) -> Iterator[str]:
    """At most two from one state to another: a solid one for the actions that lead to the drawn state itself, a dashed one
    for those that lead to another state of its orbit."""
    between: dict[tuple[int, int, bool], list[Any]] = defaultdict(list)
    for (source, action, target), equivalent in graph.flagged_edges():
        between[source, target, equivalent].append(action)
    for (source, target, equivalent), actions in between.items():
        yield _arrow(names, f"s{source}", target, actions, dashed=equivalent)


def _arrow(names: StateNames, source: str, target: int, actions: Sequence[Any], *, dashed: bool) -> str:
    style = DASHED if dashed else ""
    return f"  {source} -> s{target} [label={label(_actions(names, actions))}{style}];"


def _failures(names: StateNames, graph: StateGraph) -> Iterator[str]:
    by_state = defaultdict(list)
    for state, action in graph.failures:
        by_state[state].append(action)
    for state, actions in by_state.items():
        yield (
            f'  error{state} [shape=octagon, style=filled, label="error", fillcolor={quoted(BAD)}, '
            f"color={quoted(BAD_LINE)}];"
        )
        yield f"  s{state} -> error{state} [label={label(_actions(names, actions))}, color={quoted(BAD_LINE)}];"


def _actions(names: StateNames, actions: Sequence[Any]) -> list[str]:
    """The first few of each operation by name, the rest by number."""
    by_operation = defaultdict(list)
    for action in actions:
        by_operation[names.operation(action)].append(printable(names.action(action)))
    most = SHOWN_ACTIONS if len(by_operation) == 1 else SHOWN_OF_EACH
    lines = [line for named in by_operation.values() for line in _truncated(Counter(named), most)]
    return [part for line in lines for part in arrow_lines(line)]


def arrow_lines(action: str) -> list[str]:
    """An action beside its arrow; the blanks keep it off. What is too long for one line goes on indented."""
    if len(action) <= LONG_ACTION:
        return [f" {action} "]
    first, *rest = wrapped(action.split(), LONG_ACTION)
    return [f" {first} ", *(f"     {line} " for line in rest)]


def _truncated(named: Mapping[str, int], most: int) -> Iterator[str]:
    shown = dict(list(named.items())[: most if len(named) > most + 1 else most + 1])
    for name, times in shown.items():
        yield name if times == 1 else f"{name} (x{times:,})"
    if more := sum(named.values()) - sum(shown.values()):
        yield f"and {more:,} more"
