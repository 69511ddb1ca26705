"""Constants that an action stores and overwrites before anything reads them: they tell actions apart that do the same.

In: a program. Out: the same program without such assignments. They have no effect: an action that ends in between leaves no
state behind.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.types import Boolean, Integer, Optional, bounds
from burnside.ir.walking import nodes
from burnside.records import replace

_BARRIERS = (e.Call, s.CallStatement, s.CopyCall, s.Return)


def without_dead_stores(program: Program) -> Program:
    return replace(program, actions=tuple(map(_action, program.actions)))


def _action(action: Action) -> Action:
    body = _block(action.body)
    return action if len(body) == len(action.body) else replace(action, body=body)


def _block(block: s.Block) -> s.Block:
    """Backwards: a place that is overwritten further on is not needed, until something reads it. Only what stands in the
    block itself counts."""
    kept: list[s.Statement] = []
    overwritten: dict[str, set[e.Place]] = {}
    for statement in reversed(block):
        if isinstance(statement, s.Assign) and _is_fixed(statement.place):
            places = overwritten.setdefault(_root(statement.place), set())
            if statement.place in places and _cannot_fail(statement):
                continue
            places.add(statement.place)
        if overwritten:
            _forget_read(overwritten, statement)
        kept.append(statement)
    return tuple(reversed(kept))


def _cannot_fail(statement: s.Assign) -> bool:
    """Is a value stored that the place can hold?"""
    type_ = e.type_of_place(statement.place)
    scalar = type_.type if isinstance(type_, Optional) else type_
    match statement.value, scalar:
        case e.Constant(value, Integer() | Boolean()), Integer() | Boolean():
            low, high = bounds(scalar)
            return low <= value <= high
        case e.Constant(_, own), _:
            return own == scalar
    return False


def _is_fixed(place: e.Place) -> bool:
    """Is it the same cell wherever it stands, and always there?"""
    match place:
        case e.Variable():
            return place.is_state
        case e.Index(array, e.Constant()):
            return _is_fixed(array)
        case e.Component(record):
            return _is_fixed(record)
    return False


def _forget_read(overwritten: dict[str, set[e.Place]], statement: s.Statement) -> None:
    """Drops the places, which are kept by the names of their variables, that the statement may read. Calls may read
    everything, and where an action is left early nothing is overwritten any more."""
    place = statement.place if isinstance(statement, s.Assign) else None
    read: list[str] = []
    for node in nodes(statement):
        if isinstance(node, _BARRIERS):
            overwritten.clear()
            return
        if isinstance(node, e.Variable):
            read.append(node.name)
    if place is not None:
        # The variable that is written stands in the statement once, and is not read there.
        read.remove(_root(place))
    for name in read:
        overwritten.pop(name, None)


def _root(place: e.Place) -> str:
    while not isinstance(place, e.Variable):
        match place:
            case e.Component(inner) | e.Index(inner) | e.Entry(inner):
                place = inner
    return place.name
