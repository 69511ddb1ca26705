"""Limits on the depth of trees. Everything behind a parser recurses.

The parser counts nesting; chains of operators make trees deep without it, so their height is measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.diagnostics import InputError
from burnside.languages.shared.cursor import MAX_DEPTH
from burnside.records import field_names, is_record

MAX_SIZE = 1_000_000
"""Nodes of the tree of a paragraph."""


def check_height(tree: Any, depth_hint: str) -> None:
    """Refuse a tree that has too many levels, or shares its parts so often that it is too large for who walks it."""
    measured: dict[int, tuple[int, int]] = {}
    waiting = [tree]
    while waiting:
        node = waiting[-1]
        parts = list(_parts(node))
        missing = [each for each in parts if id(each) not in measured]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        height = 1 + max((measured[id(each)][0] for each in parts), default=0)
        size = 1 + sum(measured[id(each)][1] for each in parts)
        if height > MAX_DEPTH:
            raise InputError(node.at.diagnostic(f"this is more than {MAX_DEPTH} levels deep", depth_hint))
        if size > MAX_SIZE:
            hint = "a = b = c is a = b and b = c, and b is counted twice"
            raise InputError(node.at.diagnostic(f"this has more than {MAX_SIZE:,} parts", hint))
        measured[id(node)] = height, size


def _parts(node: Any) -> Iterator[Any]:
    for name in field_names(node):
        value = getattr(node, name) if name != "at" else None
        if isinstance(value, tuple):
            yield from (each for each in value if is_record(each))
        elif is_record(value):
            yield value
