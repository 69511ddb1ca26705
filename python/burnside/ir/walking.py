"""Going through a program, whatever its nodes are: what renaming, checking and printing are written with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from burnside.records import field_names, is_record, replace

Node = TypeVar("Node")


def children(node: Any) -> Iterator[Any]:
    """The nodes directly inside this one, in the order of the fields."""
    if isinstance(node, tuple):
        yield from (each for each in node if isinstance(each, tuple) or is_record(each))
    elif is_record(node):
        for name in field_names(node):
            value = getattr(node, name)
            if isinstance(value, tuple) or is_record(value):
                yield value


def nodes(node: Any) -> Iterator[Any]:
    """This node and all nodes inside it, outer ones first; tuples are passed through."""
    if not isinstance(node, tuple):
        yield node
    for child in children(node):
        yield from nodes(child)


def rebuilt(node: Node, change: Callable[[Any], Any]) -> Node:
    """The same with every node replaced by what `change` makes of it, inner ones first. What does not change is shared."""
    return _rebuilt(node, change)  # type: ignore[no-any-return]


def _rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(node, tuple):
        parts = tuple(_rebuilt(each, change) for each in node)
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts
    if not is_record(node):
        return node
    changed = {}
    for name in field_names(node):
        value = getattr(node, name)
        if isinstance(value, tuple) or is_record(value):
            new = _rebuilt(value, change)
            if new is not value:
                changed[name] = new
    return change(replace(node, **changed) if changed else node)
