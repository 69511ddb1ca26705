"""The processes of a model once those that create others have done so, with the values of their parameters.

Only processes that create others run, as far as they can go by themselves; a bounded number of states is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from burnside.ir.program import Program
from burnside.languages.promela.expressions import Reference
from burnside.languages.promela.lower.creation import runs_in
from burnside.languages.promela.lower.layout import Layout
from burnside.languages.promela.lower.views import process_name
from burnside.languages.promela.model import Process
from burnside.languages.promela.places import scalars
from burnside.languages.promela.types import Variable
from burnside.records import field, record, replace
from burnside.reference.steps import attempts, start_steps
from burnside.reference.values import Cells, State, variables_of

MAX_STATES = 64

Path = tuple[str, ...]
"""Fields below a variable; indices of arrays are left out."""


@record
class Instance:
    """A process: its proctype, its pid, and where it stands in the sort of its proctype."""

    process: Process = field(hash=False)
    pid: int
    position: int = field(compare=False)

    @property
    def name(self) -> str:
        return process_name(self.process, self.pid)


Arguments = dict[tuple[Variable, Path], set[int]]
"""Values that parameters began with."""


class StateReader:
    """Values of a state in Promela's numbers: a channel is its number."""

    def __init__(self, program: Program, layout: Layout) -> None:
        self.program, self.layout = program, layout
        self._places = lru_cache(maxsize=1)(self._places_of)
        self._channels = {layout.value(each): each.number for each in layout.channels}

    def _places_of(self, state: State) -> Mapping[str, Cells]:
        return variables_of(self.program, list(state))

    def existing(self, state: State) -> Iterator[tuple[Instance, int]]:
        """Processes with the points at which they are."""
        places = self._places(state)
        for process, pid, at in self.layout.processes():
            point = self._at(places, process, at)
            if point:
                yield Instance(process, pid, at), point

    def _at(self, places: Mapping[str, Cells], process: Process, at: int) -> int:
        found = places.get(self.layout.point(process.name).name)
        return 1 if found is None else found.element(at).value or 0

    def value(
        self, state: State, instance: Instance, variable: Variable, path: Path, indices: list[int | None]
    ) -> int | None:
        """Of a scalar; `indices`: of the variable and of each field, None where that is no array. None where no state
        has it."""
        places = self._places(state)
        place = places.get(self.layout.variable(variable).name)
        if place is None:
            return None
        if variable.process is not None:
            place = place.element(instance.position)
        for name, index in zip((None, *path), indices, strict=True):
            place = place if name is None else place.component(name)
            place = place if index is None else place.element(index)
        value = place.value
        scalar = place.scalar
        if scalar == self.layout.channel_type and not self.layout.channels_are_numbers:
            return self._channels.get(value or 0, 0)
        return value


def created(program: Program, layout: Layout) -> tuple[list[Instance], Mapping[Instance, Arguments]]:
    """By pid."""
    reader = StateReader(program, layout)
    creators = {
        each.name.strip(":")
        for each in layout.model.processes
        if any(True for t in each.graph.transitions for _ in runs_in(t.statement))
    }
    active = [each for each in program.actions if each.name.split(":")[0] in creators]
    alone = replace(program, actions=tuple(active))
    seen: dict[State, None] = {each.after: None for each in start_steps(program) if each.after is not None}
    pending, found = list(seen), dict[Instance, Arguments]()
    while pending and len(seen) < MAX_STATES:
        state = pending.pop(0)
        for step in attempts(alone, state):
            if step.after is not None and step.after not in seen:
                seen[step.after] = None
                pending.append(step.after)
    for state in seen:
        for instance, _ in reader.existing(state):
            if instance not in found:
                found[instance] = _arguments(reader, state, instance)
    return sorted(found, key=lambda each: (each.pid, each.name)), found


def _arguments(reader: StateReader, state: State, instance: Instance) -> Arguments:
    found: Arguments = {}
    for parameter in instance.process.parameters:
        for place in scalars(Reference(parameter.at, parameter)):
            path, indices = path_of(place)
            value = reader.value(state, instance, parameter, path, indices)
            if value is not None:
                found.setdefault((parameter, path), set()).add(value)
    return found


def path_of(place: Reference) -> tuple[Path, list[int | None]]:
    """Of a place whose indices are numbers."""
    steps: Iterable[object] = (place.index, *(each.index for each in place.path))
    indices = [None if each is None else int(getattr(each, "value", 0)) for each in steps]
    return tuple(each.field.name for each in place.path), indices
