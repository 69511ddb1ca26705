"""Going through trees of the syntax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as t
from burnside.records import field_names, is_record


def nodes(tree: Any) -> Iterator[Any]:
    """The tree and all below it."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple) and not isinstance(node, Extent):
            waiting += reversed(node)
        elif is_record(node):
            yield node
            waiting += reversed([getattr(node, name) for name in field_names(node)])


def references(tree: Any, *, as_types: bool = False) -> Iterator[str]:
    """Names of schemas that are mentioned: as sets of bindings (types of variables), or in any other way."""
    types = {id(node.schema) for node in nodes(tree) if isinstance(node, t.SchemaSet)}
    for node in nodes(tree):
        if isinstance(node, t.SchemaReference) and (id(node) in types) == as_types:
            yield node.name
        elif isinstance(node, t.Theta) and not as_types:
            yield node.schema


def mentioned(tree: Any) -> Iterator[str]:
    """Names of variables and operators, as they are written."""
    return (node.text for node in nodes(tree) if isinstance(node, t.Identifier))
