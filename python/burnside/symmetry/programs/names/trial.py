"""A short exploration by the core that only looks: which values variables have, and which entries of tables are looked up.

In: a program, how many states to visit. Out: `Observation`. Nothing depends on its being complete: what it has not seen is a
trap in the program that is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.encoding import encoded
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Optional, Record, Scalar, Type, size
from burnside.records import record
from burnside.reference.values import value_of, width
from burnside.symmetry.programs.range_classes import STATE, Slot


@record(eq=False)
class Observation:
    """`values`: of slots of the state, whatever the indices. `entries`: by the identity of a table, arguments that were
    looked up."""

    values: dict[Slot, set[int]]
    entries: dict[int, frozenset[tuple[int, ...]]]
    complete: bool
    """Were all states looked at?"""


def observe(program: Program, max_states: int) -> Observation:
    from burnside import _core

    table = encoded(program)
    found = _core.Program(table.texts, table.rows).observe(max_states)
    values: dict[Slot, set[int]] = {}
    cells = (each for variable in program.variables for each in _cells((STATE, variable.name), variable.type))
    for cell, codes in zip(cells, found.values, strict=True):
        if cell is not None:
            slot, type_ = cell
            seen = {value_of(code, type_) for code in codes}
            values.setdefault(slot, set()).update(each for each in seen if each is not None)
    entries = {
        id(each): frozenset(map(tuple, rows)) for each, rows in zip(table.tables, found.lookups, strict=True)
    }
    return Observation(values, entries, found.complete)


def _cells(slot: Slot, type_: Type) -> Iterator[tuple[Slot, Scalar | Optional] | None]:
    """By cell of a state: the slot, and how it is coded; None for cells that say whether an entry is present."""
    match type_:
        case Array(index, element):
            for _ in range(size(index)):
                yield from _cells((*slot, "[]"), element)
        case Record(fields):
            for each in fields:
                yield from _cells((*slot, each.name), each.type)
        case Bag():
            yield from [None] * width(type_)
        case _:
            yield slot, type_
