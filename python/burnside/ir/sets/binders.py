"""Names that nodes of a machine bind for what is inside them."""

from __future__ import annotations

from burnside.ir.nodes import Node
from burnside.ir.sets.expressions import Comprehension, Exists, Fold, Forall, Let, Name
from burnside.ir.sets.machine import Operation
from burnside.ir.sets.substitutions import Choose, Local

_BINDERS = (Forall, Exists, Comprehension, Fold, Choose, Local)


def bound_names(node: Node) -> tuple[Name, ...]:
    """The names that this node introduces. They are children of it too."""
    if isinstance(node, _BINDERS):
        return node.names
    if isinstance(node, Let):
        return (node.name,)
    if isinstance(node, Operation):
        return node.parameters + node.results
    return ()
