"""Which parts of the state every start writes completely, so that what is there before is never seen.

In: a program. Out: slots, named as in `range_classes`. A variable that cannot be undefined begins with its smallest value;
where a start does not write it, that value is one of those it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program
from burnside.ir.types import Array, Scalar, bounds, size
from burnside.ir.walking import nodes
from burnside.symmetry.programs.range_classes import STATE, Slot

MAX_CELLS = 20_000


def written_slots(program: Program) -> frozenset[Slot]:
    found = [frozenset(_written(each)) for each in program.starts]
    return frozenset.intersection(*found) if found else frozenset()


def _written(start: Action) -> Iterator[Slot]:
    read = {_root(each.place) for each in nodes(start) if isinstance(each, e.Read)}
    read |= {_root(each.source) for each in nodes(start) if isinstance(each, s.Copy | s.Add)}
    cells: dict[Slot, set[tuple[int, ...]]] = {}
    totals: dict[Slot, int] = {}
    for place, domains in _assigned(start.body, {}):
        if _root(place) in read:
            continue
        slot, indices, types = _path(place)
        known = [_values(index, domains) for index in indices]
        totals[slot] = prod(map(size, types))
        if totals[slot] <= MAX_CELLS and all(each is not None for each in known):
            cells.setdefault(slot, set()).update(product(*(each for each in known if each is not None)))
    for slot, found in cells.items():
        if len(found) == totals[slot]:
            yield slot


def _assigned(block: s.Block, domains: dict[str, Scalar]) -> Iterator[tuple[e.Place, dict[str, Scalar]]]:
    for each in block:
        match each:
            case s.Assign(place):
                yield place, domains
            case s.For(e.Bound(name, e.All(type_)), body):
                yield from _assigned(body, {**domains, name: type_})


def _values(index: e.Expression, domains: dict[str, Scalar]) -> range | None:
    match index:
        case e.Constant(value):
            return range(value, value + 1)
        case e.Read(e.Variable(name)) if name in domains:
            low, high = bounds(domains[name])
            return range(low, high + 1)
    return None


def _path(place: e.Place) -> tuple[Slot, list[e.Expression], list[Scalar]]:
    match place:
        case e.Variable(name):
            return (STATE if place.is_state else "local", name), [], []
        case e.Component(inner, name):
            slot, indices, types = _path(inner)
            return (*slot, name), indices, types
        case e.Index(inner, index):
            slot, indices, types = _path(inner)
            array = e.type_of_place(inner)
            assert isinstance(array, Array)
            return (*slot, "[]"), [*indices, index], [*types, array.index]
        case e.Entry(inner, position):
            slot, indices, types = _path(inner)
            return (*slot, "{}"), [*indices, position], types


def _root(place: e.Place) -> str:
    while not isinstance(place, e.Variable):
        match place:
            case e.Component(inner) | e.Index(inner) | e.Entry(inner):
                place = inner
    return place.name
