"""Walks through trees of nodes, whatever the nodes are: finding, renaming and rewriting are written with these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from burnside.ir.nodes import Tree

Kind = TypeVar("Kind", bound=Tree)


def nodes(*roots: Tree) -> Iterator[Any]:
    """All nodes of these trees, outer ones first, in the order of the text."""
    waiting: list[Any] = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        yield node
        inner = node.children()
        inner.reverse()
        waiting += inner


def rebuilt(node: Kind, change: Callable[[Any], Any]) -> Kind:
    """The same tree with every node replaced by what `change` makes of it, inner ones first. What does not change is
    shared."""

    def rebuild(each: Tree) -> Any:
        return change(each.with_children(rebuild))

    return rebuild(node)  # type: ignore[no-any-return]


def replaced(node: Kind, change: Callable[[Any], Any]) -> Kind:
    """The same tree in which every outermost node for which `change` returns another (not None) is replaced by that."""

    def replace(each: Tree) -> Any:
        new = change(each)
        return each.with_children(replace) if new is None else new

    return replace(node)  # type: ignore[no-any-return]
