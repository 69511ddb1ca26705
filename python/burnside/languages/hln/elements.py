"""Names of elements of sorts. In: sorts. Out: which sorts have an element of a name, and where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from burnside.ir.highlevel.types import Sort


class Elements:
    """Tables are made for the sorts that are asked about: sorts may be large, and most of their elements are never named."""

    def __init__(self, sorts: Iterable[Sort] = ()) -> None:
        self.sorts: dict[str, Sort] = {}
        self._positions: dict[str, dict[str, int]] = {}
        for sort in sorts:
            self.add(sort)

    def add(self, sort: Sort) -> None:
        self.sorts[sort.name] = sort

    def position(self, sort: Sort, name: str) -> int | None:
        known = self._positions.get(sort.name)
        if known is None:
            known = self._positions[sort.name] = {each: at for at, each in enumerate(sort.elements)}
        return known.get(name)

    def of_name(self, name: str) -> Iterator[tuple[Sort, int]]:
        for sort in self.sorts.values():
            position = self.position(sort, name)
            if position is not None:
                yield sort, position
