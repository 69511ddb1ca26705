"""Where an expression is evaluated: in which process, and what is known of the values there.

Inside of an atomic sequence no other process runs, so what a path through it has stored is known until the path ends:
loops over constants are unrolled, and choices by constants decided, before anything runs.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir import expressions as e
from burnside.ir.types import Integer
from burnside.languages.promela.model import Process
from burnside.records import field, record, replace

Cell = tuple[str | int, ...]
"""A scalar of the state: the name of the variable, then constant indices and fields."""


@record(frozen=False, eq=False)
class Known:
    """Values of cells at one point of a path."""

    cells: dict[Cell, int] = field(default_factory=dict)

    def copy(self) -> Known:
        return Known(dict(self.cells))

    def join(self, ends: Sequence[Known]) -> None:
        """Behind branches: what is known at the end of each."""
        cells = ends[0].cells.items() if ends else ()
        shared = {cell: value for cell, value in cells if all(each.cells.get(cell) == value for each in ends)}
        self.cells.clear()
        self.cells.update(shared)

    def store(self, place: e.Place, value: int | None) -> None:
        """After an assignment to this place; None where the value is not known."""
        cell, is_exact = cell_of(place)
        if is_exact:
            self._forget_below(cell)
            if value is not None:
                self.cells[cell] = value
            return
        self._forget_below(cell)

    def _forget_below(self, cell: Cell) -> None:
        for each in [each for each in self.cells if each[: len(cell)] == cell or cell[: len(each)] == each]:
            del self.cells[each]

    def learn(self, test: e.Expression) -> None:
        """What is known after a test has held."""
        match test:
            case e.Junction("and", parts):
                for part in parts:
                    self.learn(part)
            case e.Binary("=", e.Read(place), e.Constant(value)):
                self._learn(place, value)
            case e.Binary("!=", e.Read(place), e.Constant(0)) if e.type_of_place(place) == Integer(0, 1):
                self._learn(place, 1)

    def _learn(self, place: e.Place, value: int) -> None:
        cell, is_exact = cell_of(place)
        if is_exact:
            self.cells[cell] = value

    def value(self, place: e.Place) -> int | None:
        cell, is_exact = cell_of(place)
        return self.cells.get(cell) if is_exact else None


def cell_of(place: e.Place) -> tuple[Cell, bool]:
    """The cell, or the part of it before the first index that is not constant."""
    match place:
        case e.Variable(name):
            return (name,), True
        case e.Index(array, index):
            inner, is_exact = cell_of(array)
            if is_exact and isinstance(index, e.Constant):
                return (*inner, index.value), True
            return inner, False
        case e.Component(record_, name):
            inner, is_exact = cell_of(record_)
            return ((*inner, name), True) if is_exact else (inner, False)
        case _:
            raise AssertionError("Promela has no bags")


@record(eq=False)
class Frame:
    """`me`: the process that evaluates, an element of the sort of its proctype. `timeout`: the value of `timeout`.
    `uncounted`: while processes are created, how many more there are than the variable `_nr_pr` says."""

    process: Process | None
    me: e.Expression | None
    known: Known
    timeout: bool = False
    uncounted: int = 0

    def at(self, known: Known) -> Frame:
        return replace(self, known=known)
