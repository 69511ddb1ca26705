"""Tables under renamings: the image of a table T under g is g T with (g T)(g x) = g T(x), and missing entries stay missing.

In: tables of a program and renamings. Out: numbers, equal for tables with the same arguments, result and entries; the name
of a table does not count. A table is numbered once and renamed once for all permutations that do the same to its sorts.
"""

from __future__ import annotations

from burnside.ir.expressions import Table
from burnside.ir.types import Scalar, bounds, sorts_of
from burnside.symmetry.points import Images, Renaming

Content = tuple[tuple[Scalar, ...], Scalar, tuple[int | None, ...]]


class TableImages:
    def __init__(self) -> None:
        self._numbers: dict[Content, int] = {}
        self._tables: list[Content] = []
        self._sorts: list[tuple[str, ...]] = []
        """By number, the sorts of arguments and result."""
        self._by_identity: dict[int, tuple[Table, int]] = {}
        self._images: dict[tuple[int, tuple[Images | None, ...]], int] = {}

    def number(self, table: Table) -> int:
        if id(table) not in self._by_identity:
            content = table.arguments, table.result, table.entries
            self._by_identity[id(table)] = table, self._number(content)
        return self._by_identity[id(table)][1]

    def image(self, table: Table, moves: Renaming) -> int:
        """The number of the image: the table's own where nothing in it moves, or where it is its own image."""
        number = self.number(table)
        names = self._sorts[number]
        if moves.moved.isdisjoint(names):
            return number
        key = number, tuple([moves.images.get(name) for name in names])
        if key not in self._images:
            self._images[key] = self._number(_renamed(self._tables[number], moves))
        return self._images[key]

    def _number(self, content: Content) -> int:
        number = self._numbers.setdefault(content, len(self._tables))
        if number == len(self._tables):
            self._tables.append(content)
            self._sorts.append(
                tuple(
                    dict.fromkeys(
                        sort.name for type_ in (*content[0], content[1]) for sort in sorts_of(type_)
                    )
                )
            )
        return number


def _renamed(content: Content, moves: Renaming) -> Content:
    arguments, result, entries = content
    places = [0]
    for type_ in arguments:
        low, high = bounds(type_)
        images = [moves.value(each, type_) - low for each in range(low, high + 1)]
        places = [place * len(images) + image for place in places for image in images]
    if moves.moves(result):
        low, high = bounds(result)
        values: dict[int | None, int | None] = {
            each: moves.value(each, result) for each in range(low, high + 1)
        }
        entries = tuple([values.get(each) for each in entries])
    image: list[int | None] = [None] * len(entries)
    for place, entry in zip(places, entries, strict=True):
        image[place] = entry
    return arguments, result, tuple(image)
