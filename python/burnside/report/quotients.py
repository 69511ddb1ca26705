"""Quotients for other programs: JSON with everything, and the labelled transition system in Aldebaran's format.

In: a `Quotient`. Out: text.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.quotients import Quotient
from burnside.report.json import Record, dump
from burnside.words import printable

START = "start"
"""The label of edges to initial states, where there are several and no steps make them."""


def quotient_json(quotient: Quotient) -> str:
    return dump(_record(quotient))


def _record(quotient: Quotient) -> Record:
    symmetries = quotient.symmetries
    generators = () if symmetries is None else symmetries.generators
    return {
        "model": quotient.names.name,
        "language": quotient.language,
        "reduced": quotient.graph.reduced,
        "full_states": quotient.full_states,
        "group_order": quotient.group_order,
        "structure": None if symmetries is None else symmetries.structure,
        "generators": [{"cycles": each.cycles, "source": each.source} for each in generators],
        "propositions": list(quotient.propositions),
        "states": [
            {
                "id": state.number,
                "marking": dict(state.values),
                "orbit_size": state.orbit_size,
                "stabiliser_order": state.stabiliser_order,
                "initial": state.initial,
                "deadlock": state.deadlock,
                "explored": state.explored,
                "violates": list(state.violates),
                "satisfies": list(state.satisfies),
            }
            for state in quotient.states
        ],
        "starts": [
            {"action": each.action, "to": each.target, "equivalent": each.equivalent}
            for each in quotient.starts
        ],
        "edges": [
            {"from": each.source, "action": each.action, "to": each.target, "equivalent": each.equivalent}
            for each in quotient.edges
        ],
        "failures": [{"from": state, "action": action} for state, action in quotient.failures],
    }


def quotient_aut(quotient: Quotient) -> str:
    """`des (FIRST, EDGES, STATES)`, then `(FROM, "LABEL", TO)`. The format has one first state: where there are several
    initial states, or making one is a step, a state of its own leads to them. Failing steps lead nowhere, and are left
    out."""
    states = len(quotient)
    initial = [state.number for state in quotient.states if state.initial]
    starts = [(each.action, each.target) for each in quotient.starts]
    if not starts and len(initial) != 1:
        starts = [(START, each) for each in initial]
    first = states if starts else initial[0]
    edges = [(each.source, each.action, each.target) for each in quotient.edges]
    edges += [(first, action, target) for action, target in starts]
    lines = list(dict.fromkeys(_lines(edges)))
    head = f"des ({first}, {len(lines)}, {states + bool(starts)})"
    return "\n".join([head, *lines, ""])


def _lines(edges: list[tuple[int, str, int]]) -> Iterator[str]:
    """Quotes have no escape in this format."""
    for source, action, target in edges:
        text = printable(action).replace('"', "'")
        yield f'({source}, "{text}", {target})'
