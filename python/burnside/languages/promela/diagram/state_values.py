"""Values of expressions in one state; where no state has a value, what the text allows."""

from __future__ import annotations

from burnside.languages.promela import expressions as x
from burnside.languages.promela.diagram.instances import Instance, StateReader
from burnside.languages.promela.diagram.values import Numbers, Values
from burnside.languages.promela.types import NewChannel
from burnside.reference.values import State


class StateValues(Values):
    """Of one state."""

    def __init__(self, possible: Values, reader: StateReader, state: State) -> None:
        self.layout, self.instances, self.arguments = possible.layout, possible.instances, possible.arguments
        self._possible, self._reader, self._state = possible, reader, state
        self._known, self._read, self._uses_initial = {}, set(), set()

    def _of_place(self, place: x.Reference, instance: Instance) -> Numbers:
        indices: list[int | None] = []
        for index in (place.index, *(each.index for each in place.path)):
            numbers = None if index is None else self.of(index, instance)
            if index is not None and (numbers is None or len(numbers) != 1):
                return self._possible._of_place(place, instance)
            indices.append(None if numbers is None else next(iter(numbers)))
        path = tuple(each.field.name for each in place.path)
        if _is_outside(place, indices):
            return frozenset()
        found = self._reader.value(self._state, instance, place.variable, path, indices)
        if found is not None:
            return frozenset([found])
        if isinstance(place.variable.initial, NewChannel):
            return super()._of_place(place, instance)
        return self._possible._of_place(place, instance)


def _is_outside(place: x.Reference, indices: list[int | None]) -> bool:
    sizes = (place.variable.size, *(each.field.size for each in place.path))
    return any(
        index is not None and size is not None and not 0 <= index < size
        for index, size in zip(indices, sizes, strict=True)
    )
