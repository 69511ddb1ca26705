"""A short exploration that only looks: which values variables have, and which entries of tables are looked up.

In: a program, how many states to visit. Out: `Observed`. Nothing depends on its being complete: what it has not seen is a
trap in the program that is made of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from unittest import mock

from burnside.ir import expressions as e
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Optional, Record, Scalar, Type, size
from burnside.limits import Deadline
from burnside.records import record
from burnside.reference import steps
from burnside.reference.interpreter import Interpreter
from burnside.reference.values import value_of, width
from burnside.symmetry.programs.range_classes import STATE, Slot


@record(eq=False)
class Observed:
    """`values`: of slots of the state, whatever the indices. `entries`: by the identity of a table, arguments that were
    looked up."""

    values: dict[Slot, set[int]]
    entries: dict[int, set[tuple[int, ...]]]


def observe(program: Program, max_states: int, deadline: Deadline) -> Observed:
    entries: dict[int, set[tuple[int, ...]]] = {}

    class Watching(Interpreter):
        def look_up(self, lookup: e.Lookup) -> int:
            values = tuple([self.value(each) for each in lookup.arguments])
            entries.setdefault(id(lookup.table), set()).add(values)
            return super().look_up(lookup)

    cells = [each for variable in program.variables for each in _cells((STATE, variable.name), variable.type)]
    codes: list[set[int]] = [set() for _ in cells]
    with mock.patch.object(steps, "Interpreter", Watching):
        for state in _visited(program, max_states, deadline):
            for seen, code in zip(codes, state, strict=True):
                seen.add(code)
    values: dict[Slot, set[int]] = {}
    for cell, seen in zip(cells, codes, strict=True):
        if cell is not None:
            slot, type_ = cell
            found = {value_of(code, type_) for code in seen}
            values.setdefault(slot, set()).update(each for each in found if each is not None)
    return Observed(values, entries)


def _visited(program: Program, max_states: int, deadline: Deadline) -> Iterator[tuple[int, ...]]:
    found: dict[tuple[int, ...], None] = {}
    waiting: deque[tuple[int, ...]] = deque()

    def meet(results: list[tuple[steps.Label, steps.Result]]) -> None:
        for _, result in results:
            if isinstance(result, tuple) and result not in found and len(found) < max_states:
                found[result] = None
                waiting.append(result)

    meet(steps.initial_states(program))
    while waiting:
        deadline.check()
        meet(steps.successors(program, waiting.popleft()))
    yield from found


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
