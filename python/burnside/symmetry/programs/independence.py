"""Which neighbouring statements may change places, as far as that is seen without much thought.

In: the statements of a block. Out: layers of statements that do not touch what the others write: the Foata normal form
(Cartier and Foata 1969), one and the same for all orders that arise from each other by exchanging independent neighbours.
Sums that are written to one place may change places too. For proposals only: whether statements really may be exchanged
is decided by the certifier.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Program
from burnside.ir.walking import nodes
from burnside.records import field, record

Path = tuple[Hashable, ...]
"""Fields and constant indices on the way into a variable; None for an index that is not known."""
Access = tuple[str, Path]
_BARRIERS = (s.Return, s.CallStatement, s.CopyCall, s.While, s.Cover)
_WRITING = (s.Assign, s.Copy, s.CopyCall, s.Clear, s.Undefine, s.Add, s.Remove, s.RemoveAll)
_OBSERVED = (s.Assert, s.Note, s.Assume, s.Cover)


def harmless_functions(program: Program) -> frozenset[str]:
    """Those that only compute: they write nothing, call nothing, and end in no other way than with a result."""
    return frozenset(
        function.name
        for function in program.functions
        if not any(
            isinstance(each, (*_WRITING, *_OBSERVED, e.Call))
            or (isinstance(each, e.Variable) and each.is_state)
            for each in nodes(function)
        )
    )


@record(frozen=False, eq=False)
class _Accesses:
    harmless: Collection[str]
    reads: set[Access] = field(default_factory=set)
    writes: set[Access] = field(default_factory=set)
    adds: set[Access] = field(default_factory=set)
    ends: set[Hashable] = field(default_factory=set)
    is_barrier: bool = False

    @property
    def cells(self) -> set[tuple[str, Hashable]]:
        """Variables, with the first index or field; None for all of them."""
        accesses = self.reads | self.writes | self.adds
        return {(root, path[0] if path else None) for root, path in accesses}


def layers(block: s.Block, harmless: Collection[str] = ()) -> list[list[s.Statement]]:
    """Each statement in the layer after the last one that has a statement before it which it depends on. `harmless`: names
    of functions that only compute."""
    found: list[tuple[_Accesses, int]] = []
    result: list[list[s.Statement]] = []
    by_cell: dict[str, dict[Hashable, list[int]]] = {}
    ending: list[int] = []
    floor = 0
    for number, statement in enumerate(block):
        own = _Accesses(harmless)
        _visit(statement, own)
        cells = own.cells
        near = set(ending) if own.ends else set()
        for root, first in cells:
            known = by_cell.get(root, {})
            near.update(*(known.values() if first is None else (known.get(first, ()), known.get(None, ()))))
        # The last ones are mostly the deepest, and those that are not as deep need not be looked at.
        layer = len(result) if own.is_barrier else floor
        for earlier, its_layer in (found[each] for each in sorted(near, reverse=True)):
            if its_layer >= layer and _depend(earlier, own):
                layer = its_layer + 1
        floor = layer + 1 if own.is_barrier else floor
        for root, first in cells:
            by_cell.setdefault(root, {}).setdefault(first, []).append(number)
        if own.ends:
            ending.append(number)
        found.append((own, layer))
        result += [[] for _ in range(layer + 1 - len(result))]
        result[layer].append(statement)
    return result


def _depend(one: _Accesses, other: _Accesses) -> bool:
    if one.ends and other.ends and one.ends != other.ends:
        return True
    return _meet(one.writes, other.writes) or _meet(one.writes, other.reads) or _meet(one.reads, other.writes)


def _meet(some: Iterable[Access], others: Iterable[Access]) -> bool:
    return any(
        root == root_
        and not any(a != b and a is not None and b is not None for a, b in zip(path, path_, strict=False))
        for root, path in some
        for root_, path_ in others
    )


def _visit(node: Any, found: _Accesses) -> None:
    match node:
        case s.Assign(place, e.Binary("+" | "-", e.Read(read), more)) if read == place:
            found.adds.add(_path(place))
            _indices(place, found)
            _visit(more, found)
        case s.Assign(place, value):
            _write(place, found)
            _visit(value, found)
        case s.Copy(target, source):
            _write(target, found)
            _visit(source, found)
        case s.Clear(place) | s.Undefine(place):
            _write(place, found)
        case s.Add(bag, source):
            _write(bag, found)
            _visit(source, found)
        case s.Remove(bag, position):
            _write(bag, found)
            _visit(position, found)
        case s.RemoveAll(bound):
            assert isinstance(bound.domain, e.Positions)
            _write(bound.domain.bag, found)
            _inner(node, found)
        case s.Assert(_, number) | s.Note(_, number):
            found.ends.add(number)
            _inner(node, found)
        case s.Assume():
            found.ends.add("assumption")
            _inner(node, found)
        case e.Variable() | e.Index() | e.Component() | e.Entry():
            found.reads.add(_path(node))
            _indices(node, found)
        case _:
            calls = isinstance(node, e.Call) and node.function not in found.harmless
            found.is_barrier |= calls or isinstance(node, _BARRIERS)
            _inner(node, found)


def _inner(node: Any, found: _Accesses) -> None:
    for child in node.children():
        _visit(child, found)


def _write(place: e.Place, found: _Accesses) -> None:
    found.writes.add(_path(place))
    _indices(place, found)


def _indices(place: e.Place, found: _Accesses) -> None:
    match place:
        case e.Index(array, index):
            _visit(index, found)
            _indices(array, found)
        case e.Component(record_):
            _indices(record_, found)
        case e.Entry(bag, position):
            _visit(position, found)
            _indices(bag, found)


def _path(place: e.Place) -> Access:
    match place:
        case e.Variable(name):
            return name, ()
        case e.Component(record_, name):
            root, path = _path(record_)
            return root, (*path, name)
        case e.Index(array, index):
            root, path = _path(array)
            return root, (*path, index.value if isinstance(index, e.Constant) else None)
        case e.Entry(bag):
            root, path = _path(bag)
            return root, (*path, None)
