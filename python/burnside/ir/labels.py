"""How many instances actions have. Engines number them all in one row: actions in order, then start states."""

from __future__ import annotations

from math import prod

from burnside.ir.expressions import All, Bound, Positions, Range, type_of_place
from burnside.ir.program import Action
from burnside.ir.types import Bag, size


def instances(action: Action) -> int:
    return prod(map(_values, action.parameters))


def _values(parameter: Bound) -> int:
    match parameter.domain:
        case All(type_):
            return size(type_)
        case Positions(bag):
            bag_type = type_of_place(bag)
            assert isinstance(bag_type, Bag)
            return bag_type.capacity
        case Range():
            raise ValueError("parameters of actions range over types or bags")
