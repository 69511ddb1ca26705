"""What an operation's body needs of its parameters, for those that no outer condition speaks of.

In: a body. Out: conditions without which the body is not possible, as a guard to find parameters by. A guard repeats
conditions of the body, so it is made only where a parameter has nothing else; names bound in what is repeated are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.types import BOOLEAN
from burnside.languages.b.lower_binders import joined
from burnside.records import field_names, replace

_NODES = (
    e.Literal, e.Name, e.Apply, e.Forall, e.Exists, e.Comprehension, e.Fold, e.Conditional, e.Let, e.Select,
)  # fmt: skip


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


def _nodes(tree: e.Expression) -> Iterator[e.Expression]:
    stack: list[Any] = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, _NODES):
            yield node
            stack.extend(getattr(node, name) for name in field_names(node))


def names_of(tree: e.Expression) -> Iterator[str]:
    """Every name in it, bound ones too: names are unique, so that does no harm."""
    return (node.name for node in _nodes(tree) if isinstance(node, e.Name))


def renewed(tree: e.Expression, fresh: Callable[[str], str]) -> e.Expression:
    """A copy that binds names of its own."""
    bound: dict[str, str] = {}
    for node in _nodes(tree):
        match node:
            case e.Forall(names) | e.Exists(names) | e.Comprehension(names) | e.Fold(_, names):
                bound |= {each.name: fresh(each.name) for each in names}
            case e.Let(name):
                bound[name.name] = fresh(name.name)
    copy: e.Expression = _copied(tree, bound)
    return copy


def _copied(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, e.Name):
        return replace(node, name=names[node.name]) if node.name in names else node
    if isinstance(node, tuple):
        return tuple(_copied(each, names) for each in node)
    if isinstance(node, _NODES) and names:
        return replace(node, **{name: _copied(getattr(node, name), names) for name in field_names(node)})
    return node
