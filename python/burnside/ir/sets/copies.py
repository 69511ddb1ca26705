"""Copies of expressions whose bound names are new, so that both may stand in one machine. In: a tree. Out: its copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from burnside.ir.nodes import Node
from burnside.ir.sets import expressions as e
from burnside.ir.sets.binders import bound_names
from burnside.ir.walking import nodes, rebuilt
from burnside.records import replace

Kind = TypeVar("Kind", bound=Node)


def names_of(tree: e.Expression) -> Iterator[str]:
    """Every name in it, bound ones too: names are unique, so that does no harm."""
    return (node.name for node in nodes(tree) if isinstance(node, e.Name))


def renewed(tree: Kind, fresh: Callable[[str], str]) -> Kind:
    """A copy that binds names of its own."""
    bound = {name.name: fresh(name.name) for node in nodes(tree) for name in bound_names(node)}

    def renamed(node: Any) -> Any:
        if isinstance(node, e.Name) and node.name in bound:
            return replace(node, name=bound[node.name])
        return node

    return rebuilt(tree, renamed) if bound else tree
