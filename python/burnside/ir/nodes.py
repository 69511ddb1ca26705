"""Trees of nodes: the nodes directly inside a node, and a copy of it with other nodes in their place.

Code (expressions, statements, declarations) and types are two families of trees. The children of a node are those of its own
family, so a walk through code does not enter the types that nodes carry. Children are found by the fields of the record, so
new kinds of nodes need not declare them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

from burnside.records import replace

_LEAVES = ("str", "int", "bool", "Literal[", "Span", "tuple[int ")
"""Beginnings of the annotations of fields that never hold a node."""


class Tree:
    """A node of a tree of records."""

    _family: ClassVar[type]
    _node_fields: ClassVar[tuple[str, ...]]
    """The fields that may hold nodes."""

    def __init_subclass__(cls) -> None:
        fields = cls.__annotations__.items()
        cls._node_fields = tuple([name for name, of in fields if not of.startswith(_LEAVES)])

    def children(self) -> list[Any]:
        """The nodes directly inside this one, in the order of the fields."""
        family, values = self._family, self.__dict__
        found: list[Any] = []
        for name in self._node_fields:
            value = values[name]
            if isinstance(value, family):
                found.append(value)
            elif type(value) is tuple:
                found += [each for each in value if isinstance(each, family)]
        return found

    def with_children(self, change: Callable[[Any], Any]) -> Self:
        """The same node with what `change` makes of each child; this very node where nothing changes."""
        family, values = self._family, self.__dict__
        changed: dict[str, Any] = {}
        for name in self._node_fields:
            value = values[name]
            if isinstance(value, family):
                new: Any = change(value)
            elif type(value) is tuple:
                new = _mapped(value, family, change)
            else:
                continue
            if new is not value:
                changed[name] = new
        return replace(self, **changed) if changed else self


class Node(Tree):
    """A node of code."""


class TypeNode(Tree):
    """A node of a type."""


Node._family = Node
TypeNode._family = TypeNode


def _mapped(values: tuple[Any, ...], family: type, change: Callable[[Any], Any]) -> tuple[Any, ...]:
    new = tuple([change(each) if isinstance(each, family) else each for each in values])
    return values if all(a is b for a, b in zip(new, values, strict=True)) else new
