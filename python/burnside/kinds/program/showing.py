"""States of a program as the user thinks of them: by its views, and scalar by scalar where there are none.

In: a program and a state. Out: `Entry` by entry, names and texts. What has no view comes first, in the program's order, then
queues, then members with what is their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Record, show_value
from burnside.ir.views import Hidden, Members, Queue, ValueNames
from burnside.records import record
from burnside.reference.values import Cells, State, limits, variables_of

UNDEFINED = "undefined"


@record
class Entry:
    """A name and a text. `member`: whose it is, where it is one of a member's own."""

    name: str
    text: str
    member: str | None = None

    @property
    def is_place(self) -> bool:
        """Is it where a member is?"""
        return self.name == self.member

    @property
    def word(self) -> str:
        return f"{self.name} at {self.text}" if self.is_place else f"{self.name} = {self.text}"

    @property
    def own_name(self) -> str:
        """Without the member that it belongs to."""
        return self.name.removeprefix(f"{self.member}:")


class Showing:
    """Reads states of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names = {
            (each.variable, each.path): dict(each.names)
            for each in program.views
            if isinstance(each, ValueNames)
        }
        self._queues = [each for each in program.views if isinstance(each, Queue)]
        self._members = [each for each in program.views if isinstance(each, Members)]

    @cached_property
    def _elsewhere(self) -> frozenset[str]:
        """Variables that are shown by queues and members, or not at all: in stored states no process is in control."""
        found = {each.variable for each in self._program.views if isinstance(each, Hidden)}
        if self._program.control is not None:
            found.add(self._program.control.name)
        for queue in self._queues:
            found |= {queue.length, *queue.fields}
        for members in self._members:
            found |= {members.position, *(name for name, _ in members.variables)}
        return frozenset(found)

    def described(self, state: State) -> dict[str, str]:
        """Names and texts."""
        return {entry.name: entry.text for entry in self.entries(state)}

    def entries(self, state: State) -> Iterator[Entry]:
        places = variables_of(self._program, list(state))
        for name, place in places.items():
            if name not in self._elsewhere:
                yield from self._leaves(name, None, place, name, ())
        queues = [entry for queue in self._queues for entry in self._queue(queue, places)]
        yield from (entry for entry in queues if entry.member is None)
        found = [
            (members.ranks[at], members, name, at)
            for members in self._members
            for name, at in _existing(members, places)
        ]
        for _, members, name, at in sorted(found, key=lambda each: each[0]):
            yield from self._member(members, name, at, places)
            yield from (entry for entry in queues if entry.member == name)

    def _queue(self, queue: Queue, places: Mapping[str, Cells]) -> Iterator[Entry]:
        length = places[queue.length]
        for name, at in _elements(length):
            messages = range(_number(length.element(at)) or 0)
            texts = [self._message(queue, places, at, position) for position in messages]
            yield Entry(name, f"[{', '.join(texts)}]", queue.owners[at])

    def _message(self, queue: Queue, places: Mapping[str, Cells], at: int, position: int) -> str:
        parts = [self._text(places[each].element(at).element(position), each, ()) for each in queue.fields]
        if len(parts) == 1:
            return parts[0]
        return f"{parts[0]}({', '.join(parts[1:])})" if queue.tagged else f"({', '.join(parts)})"

    def _member(self, members: Members, name: str, at: int, places: Mapping[str, Cells]) -> Iterator[Entry]:
        place = members.places[_number(places[members.position].element(at)) or 0]
        yield Entry(name, place or "", name)
        for variable, own in members.variables:
            yield from self._leaves(f"{name}:{own}", name, places[variable].element(at), variable, ())

    def _leaves(
        self, name: str, member: str | None, place: Cells, variable: str, path: tuple[str, ...]
    ) -> Iterator[Entry]:
        match place.type:
            case Array():
                for shown, at in _elements(place):
                    yield from self._leaves(f"{name}[{shown}]", member, place.element(at), variable, path)
            case Record(fields):
                for each in fields:
                    inner = place.component(each.name)
                    yield from self._leaves(
                        f"{name}.{each.name}", member, inner, variable, (*path, each.name)
                    )
            case Bag():
                for position in place.positions:
                    yield from self._leaves(
                        f"{name}[{position}]", member, place.entry(position), variable, path
                    )
            case _:
                yield Entry(name, self._text(place, variable, path), member)

    def _text(self, place: Cells, variable: str, path: tuple[str, ...]) -> str:
        number, names = _number(place), self._names.get((variable, path), {})
        if number is not None and number in names:
            return names[number]
        value = place.value
        return UNDEFINED if value is None else show_value(value, place.scalar)


def _existing(members: Members, places: Mapping[str, Cells]) -> Iterator[tuple[str, int]]:
    position = places[members.position]
    for name, at in _elements(position):
        if members.places[_number(position.element(at)) or 0] is not None:
            yield name, at


def _elements(place: Cells) -> Iterator[tuple[str, int]]:
    """The indices of an array, with their names."""
    assert isinstance(place.type, Array)
    low, high = limits(place.type.index)
    for at in range(low, high + 1):
        yield show_value(at, place.type.index), at


def _number(place: Cells) -> int | None:
    """The number that a scalar holds, also where numbers have become elements."""
    value = place.value
    text = "" if value is None else show_value(value, place.scalar)
    return int(text) if text.removeprefix("-").isdecimal() else None
