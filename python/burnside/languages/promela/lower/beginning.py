"""What is known while a model begins: where `init`, or the one process that there is at first, has done nothing yet, and
where it goes on inside of its first atomic sequence.

In: the model, and where actions of its first process end. Out: `Known` values at a state of that process. Nothing else has
run until then, so cells have the values with which they begin, and then those that the first action has stored.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.languages.promela.lower.creation import runs_in
from burnside.languages.promela.lower.frames import Cell, Known
from burnside.languages.promela.model import Model, Process


class Beginning:
    """Remembers where actions of the entry end, and what is known there if they cannot be interrupted."""

    def __init__(self, model: Model, initial: Callable[[], dict[Cell, int]]) -> None:
        self._model, self._initial = model, initial
        self._ends: dict[int, list[Known | None]] = {}

    def ends_at(self, process: Process, source: int, target: int, known: Known | None) -> None:
        """An action leads from one state to another, where these values are known if the process certainly goes on, without
        any other one in between."""
        if self._begins_at(process, source):
            self._ends.setdefault(target, []).append(known)

    def known_at(self, process: Process, state: int) -> Known:
        """All that is certain. An action of the entry comes to a state only once if no way leads there from the ends of
        others; so what was known where it ended still is."""
        if self._begins_at(process, state):
            return Known(dict(self._initial()))
        ends = self._ends.get(state, []) if self._is_alone(process) else []
        known = [each for each in ends if each is not None]
        found = Known()
        if known and len(known) == len(ends) and not _reaches(process, set(self._ends), state):
            found.join(known)
        return found

    def _begins_at(self, process: Process, state: int) -> bool:
        is_entry = process.graph.entry == state and all(
            each.target != state for each in process.graph.transitions
        )
        return is_entry and self._is_alone(process)

    def _is_alone(self, process: Process) -> bool:
        """Is it the one process that there is at first, and no other is like it?"""
        starting = self._model.starting
        return len(starting) == 1 and starting[0] is process and not self._is_run(process)

    def _is_run(self, process: Process) -> bool:
        transitions = (t for each in self._model.processes for t in each.graph.transitions)
        return any(run.process == process.name for t in transitions for run in runs_in(t.statement))


def _reaches(process: Process, sources: set[int], state: int) -> bool:
    """Do some transitions lead there from one of these states?"""
    targets: dict[int, set[int]] = {}
    for each in process.graph.transitions:
        targets.setdefault(each.source, set()).add(each.target)
    waiting, seen = list(sources), set[int]()
    while waiting:
        new = targets.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return state in seen
