"""Where code names elements: constants of sorts, and statements that write first elements.

In: code and a renaming. Out: what names elements there, and whether the renaming changes it.
"""

from __future__ import annotations

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import Element, Union
from burnside.symmetry.code import code
from burnside.symmetry.points import Renaming

Naming = e.Constant | s.Clear | s.Undefine | s.Declare


def namings(node: object, functions: dict[str, s.Block]) -> list[Naming]:
    """Everything inside, functions followed, that names elements: constants, and what writes first elements."""
    seen: set[str] = set()
    found: list[Naming] = []
    waiting = [node]
    while waiting:
        for each in code(waiting.pop()):
            match each:
                case e.Constant(_, Element() | Union()) | s.Clear() | s.Undefine() | s.Declare():
                    found.append(each)
                case e.Call(function) if function not in seen:
                    seen.add(function)
                    waiting.append(functions[function])
    return found


def is_changed(naming: Naming, renaming: Renaming) -> bool:
    match naming:
        case e.Constant(value, type_):
            return renaming.value(value, type_) != value
        case s.Clear(place):
            return not renaming.keeps_smallest(e.type_of_place(place))
        case s.Undefine(place):
            return not renaming.keeps_blank(e.type_of_place(place))
        case s.Declare(variables):
            return not all(renaming.keeps_blank(each.type) for each in variables)
