"""Going through the code of a program without going into its types: what `ir.walking.nodes` does, but quickly.

In: any node or tuple of nodes. Out: the nodes that are code (declarations, statements, expressions, places), outer ones
first, in the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from burnside.diagnostics import Span
from burnside.ir.types import Array, Bag, Boolean, Element, Field, Integer, Optional, Record, Sort, Union
from burnside.records import field_names, is_record, replace

_NO_CODE = (Array, Bag, Boolean, Element, Field, Integer, Optional, Record, Sort, Union, Span)
_fields_of: dict[type, tuple[str, ...] | None] = {}


def code(node: Any) -> Iterator[Any]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if type(each) is tuple:
            waiting.extend(reversed(each))
            continue
        names = _names(type(each))
        if names is None:
            continue
        yield each
        for name in names:
            waiting.append(getattr(each, name))


def _names(kind: type) -> tuple[str, ...] | None:
    """The fields that may hold code, the last one first; None for what is no code."""
    if kind not in _fields_of:
        found = is_record(kind) and not issubclass(kind, _NO_CODE)
        names = [name for name in field_names(kind) if name not in ("type", "span", "sort")] if found else []
        _fields_of[kind] = tuple(reversed(names)) if found else None
    return _fields_of[kind]


def outermost(node: Any, change: Callable[[Any], Any]) -> Any:
    """The same code in which every outermost node that `change` has something for (not None) is replaced by it."""
    if type(node) is tuple:
        parts = tuple(outermost(each, change) for each in node)
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts
    names = _names(type(node))
    if names is None:
        return node
    found = change(node)
    if found is not None:
        return found
    changed = {}
    for name in names:
        value = getattr(node, name)
        new = outermost(value, change)
        if new is not value:
            changed[name] = new
    return replace(node, **changed) if changed else node
