"""What an operation's body requires of its parameters, for those that no outer condition mentions.

In: a body. Out: conditions without which the body is not possible, as a guard to find parameters by. A guard repeats
conditions of the body, so it is made only where a parameter has nothing else; names bound in what is repeated are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.binders import bound_names
from burnside.ir.sets.types import BOOLEAN
from burnside.ir.walking import nodes, rebuilt
from burnside.languages.b.lower.binders import joined
from burnside.records import replace


def guard_of(
    conditions: tuple[e.Expression, ...],
    body: s.Substitution,
    parameters: tuple[e.Name, ...],
    fresh: Callable[[str], str],
) -> e.Expression:
    """`conditions` are known to guard the body already."""
    spoken_of = {name for each in conditions for name in names_of(each)}
    silent = {each.name for each in parameters} - spoken_of
    if not silent:
        return joined(conditions)
    repeated = tuple(each for each in needed(body) if silent & set(names_of(each)))
    return joined(conditions + tuple(renewed(each, fresh) for each in repeated))


def needed(body: s.Substitution) -> tuple[e.Expression, ...]:
    """Conjuncts that hold wherever the body is possible."""
    match body:
        case s.Parallel(parts):
            return tuple(each for part in parts for each in needed(part))
        case s.Sequence(parts) if parts:
            return needed(parts[0])
        case s.Choose(names, condition, inner):
            chosen = {each.name for each in names}
            found = e.conjuncts(condition) + needed(inner)
            return tuple(each for each in found if chosen.isdisjoint(names_of(each)))
        case s.Alternatives(branches, None):
            sides = tuple(joined((each.condition, *needed(each.body))) for each in branches)
            if len(sides) == 1:
                return e.conjuncts(sides[0])
            return () if e.TRUE in sides else (e.Apply("or", sides, BOOLEAN),)
        case s.Local(names, inner):
            own = {each.name for each in names}
            return tuple(each for each in needed(inner) if own.isdisjoint(names_of(each)))
        case _:
            return ()


def names_of(tree: e.Expression) -> Iterator[str]:
    """Every name in it, bound ones too: names are unique, so that does no harm."""
    return (node.name for node in nodes(tree) if isinstance(node, e.Name))


def renewed(tree: e.Expression, fresh: Callable[[str], str]) -> e.Expression:
    """A copy that binds names of its own."""
    bound = {name.name: fresh(name.name) for node in nodes(tree) for name in bound_names(node)}

    def renamed(node: Any) -> Any:
        if isinstance(node, e.Name) and node.name in bound:
            return replace(node, name=bound[node.name])
        return node

    return rebuilt(tree, renamed) if bound else tree
