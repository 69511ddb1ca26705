"""Limits on the depth of trees. Everything behind a parser recurses.

The parser counts nesting; chains of operators make trees deep without it, so their height is measured.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from burnside.diagnostics import Diagnostic, InputError, Source
from burnside.languages.shared.cursor import MAX_DEPTH
from burnside.records import field_names, is_record

MAX_RECURSION = 10_000
"""Calls of Python functions within each other: a few for every level of nesting."""


@contextmanager
def deep_recursion(source: Source) -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, MAX_RECURSION))
    try:
        yield
    except RecursionError:
        raise InputError(Diagnostic("this is nested too deeply", source.name)) from None
    finally:
        sys.setrecursionlimit(limit)


def check_height(tree: Any, depth_hint: str) -> None:
    """Refuse a tree with too many levels. Trees may be shared, and are measured once."""
    heights: dict[int, int] = {}
    waiting = [tree]
    while waiting:
        node = waiting[-1]
        if id(node) in heights:
            waiting.pop()
            continue
        below = [each for each in _parts(node) if id(each) not in heights]
        if below:
            waiting.extend(below)
            continue
        waiting.pop()
        height = 1 + max((heights[id(each)] for each in _parts(node)), default=0)
        if height > MAX_DEPTH:
            raise InputError(node.at.diagnostic(f"this is more than {MAX_DEPTH} levels deep", depth_hint))
        heights[id(node)] = height


def _parts(node: Any) -> Iterator[Any]:
    for name in field_names(node):
        value = getattr(node, name) if name != "at" else None
        if isinstance(value, tuple):
            yield from (each for each in value if is_record(each))
        elif is_record(value):
            yield value
