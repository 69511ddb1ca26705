"""Constants that an action stores and overwrites before anything reads them: they tell actions apart that do the same.

In: a program. Out: the same program without such assignments. They have no effect: an action that ends in between leaves no
state behind.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.walking import nodes
from burnside.records import replace


def without_dead_stores(program: Program) -> Program:
    return replace(program, actions=tuple(map(_action, program.actions)))


def _action(action: Action) -> Action:
    body = _block(action.body)
    return action if len(body) == len(action.body) else replace(action, body=body)


def _block(block: s.Block) -> s.Block:
    """Backwards: a place that is overwritten further on is not needed, until something reads it. Only what stands in the
    block itself counts."""
    kept: list[s.Statement] = []
    overwritten: set[e.Place] = set()
    for statement in reversed(block):
        if isinstance(statement, s.Assign) and _is_fixed(statement.place):
            if statement.place in overwritten and isinstance(statement.value, e.Constant):
                continue
            overwritten = _without_read(overwritten, statement)
            overwritten.add(statement.place)
        else:
            overwritten = _without_read(overwritten, statement)
        kept.append(statement)
    return tuple(reversed(kept))


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


def _without_read(places: set[e.Place], statement: s.Statement) -> set[e.Place]:
    """Without the places of variables that the statement may read; calls may read everything."""
    if not places:
        return places
    written = statement.place if isinstance(statement, s.Assign) else None
    roots: set[str] = set()
    for node in nodes(statement):
        if isinstance(node, e.Call | s.CallStatement | s.CopyCall):
            return set()
        if isinstance(node, e.Variable) and node.is_state:
            roots.add(node.name)
    if written is not None and isinstance(statement, s.Assign):
        own = [each.name for each in nodes(statement.value) if isinstance(each, e.Variable)]
        inner = [each.name for each in nodes(written) if isinstance(each, e.Variable)][1:]
        if _root(written) not in (*own, *inner):
            roots.discard(_root(written))
    return {each for each in places if _root(each) not in roots}


def _root(place: e.Place) -> str:
    while not isinstance(place, e.Variable):
        match place:
            case e.Component(inner) | e.Index(inner) | e.Entry(inner):
                place = inner
    return place.name
