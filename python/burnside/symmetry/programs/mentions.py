"""Which elements of its sorts a program names, and which can be in a state: only these are permuted.

In: a program. Out: `Mentions`, from one walk through it, however many sorts there are; and how often elements are named in a
part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from burnside.ir import expressions as e
from burnside.ir.nodes import Node
from burnside.ir.program import Program
from burnside.ir.types import Array, Element, Scalar, Sort, Type, Union, sorts_of
from burnside.ir.walking import nodes

Count = Counter[tuple[str, int]]
"""Of elements, by the names of their sorts and their positions."""


class Mentions:
    """`stored`: names of sorts whose elements a state can hold or be indexed with."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.indexing = {name for each in program.variables for name in _indexing(each.type)}
        self.stored = {name for each in program.variables for name in _sort_names(each.type)}

    @cached_property
    def _named(self) -> Count:
        return occurrences(self._program)

    @cached_property
    def _anywhere(self) -> set[str]:
        """Sorts with elements that need not be named to be in a state: they are bound to a name, index an array of the
        state, or are what a table gives."""
        found = set(self.indexing)
        for node in nodes(self._program):
            match node:
                case e.Bound(_, e.All(type_)) | e.Table(result=type_):
                    found.update(_sort_names(type_))
        return found

    def appearing(self, sort: Sort) -> Sequence[int]:
        """Elements that can be in a state: all, or those that are named (or, by `Clear`, the first)."""
        if sort.symmetry != "fixed" or sort.name in self._anywhere:
            return range(sort.size)
        return [element for element in range(sort.size) if element == 0 or self._named[sort.name, element]]

    def known(self, sort: Sort) -> Sequence[int]:
        """Elements that can be in a state; where no state holds any, those that the program names together with others:
        channels without messages, by whose names processes meet."""
        if sort.name in self.stored:
            return self.appearing(sort)
        return [element for element in range(sort.size) if self._named[sort.name, element]]


def occurrences(node: Node) -> Count:
    """How often each element is named inside, by constants or results of tables."""
    count: Count = Counter()
    for each in nodes(node):
        if isinstance(each, e.Constant):
            if isinstance(each.type, Element | Union):
                count.update(_elements(each.value, each.type))
        elif isinstance(each, e.Table) and isinstance(each.result, Element | Union):
            for value in each.entries:
                if value is not None:
                    count.update(_elements(value, each.result))
    return count


def signatures(program: Program, sort: Sort) -> list[tuple[tuple[int, ...], ...]]:
    """How often each element is named in the start states, actions, functions and properties: cheap, and equal for
    elements that can be exchanged."""
    groups = program.starts, program.actions, program.functions, program.properties
    counts = [[occurrences(part) for part in group] for group in groups]
    return [
        tuple(tuple(sorted(count[sort.name, element] for count in group)) for group in counts)
        for element in range(sort.size)
    ]


def _elements(value: int, type_: Scalar) -> Iterator[tuple[str, int]]:
    match type_:
        case Element(sort):
            yield sort.name, value
        case Union(sorts):
            first = 0
            for sort in sorts:
                if first <= value < first + sort.size:
                    yield sort.name, value - first
                first += sort.size


def _sort_names(type_: Type) -> Iterator[str]:
    for each in nodes(type_):
        yield from (sort.name for sort in sorts_of(each))


def _indexing(type_: Type) -> Iterator[str]:
    for each in nodes(type_):
        if isinstance(each, Array):
            yield from _sort_names(each.index)
