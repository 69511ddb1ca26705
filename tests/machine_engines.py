"""Machines in the core and in the reference engine, in the same words: what the laws on random machines compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from burnside import _core
from burnside.diagnostics import UnsupportedError
from burnside.exploration import Exploration
from burnside.ir.encoding import encoded
from burnside.ir.sets.machine import SETUP, Machine
from burnside.kinds.machine.values import Reading
from burnside.records import record
from burnside.reference.sets.machines import Label, MachineStep, judge, starts, steps, undefined_setup
from burnside.reference.sets.values import Generator, State
from burnside.semantics import Failure
from hypothesis import reject

from tests.exploring import explore_machine

MOST = 120
"""States of a machine that is looked at as a whole."""
FIRST = 25
"""States of a machine that are looked at one by one."""

Happening = tuple[Label, State | None]
"""No state: it fails."""

REFUSED = (UnsupportedError, _core.MachineError)
"""An engine would have to list what it cannot; what it refuses depends on how it solves, so that nothing is compared."""


class compared:
    """Where an engine refuses, the example is left alone."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, REFUSED):
            reject()


def compiled(machine: Machine) -> _core.Machine:
    table = encoded(machine)
    return _core.Machine(table.texts, table.rows, assume_numbers=True)


def trivial_group(machine: Machine) -> _core.ElementGroup:
    return _core.ElementGroup(sum(sort.size for sort in machine.sorts), [])


@record
class Both:
    """One machine in both engines."""

    machine: Machine
    core: _core.Machine
    reading: Reading

    def starts(self) -> tuple[set[Happening], set[Happening]]:
        found = {
            (self.reading.label(label), None if state is None else self.reading.state(state))
            for label, state in self.core.starts()
        }
        expected = happenings(starts(self.machine))
        if self.machine.constants and undefined_setup(self.machine) is not None:
            expected.add((Label(SETUP), None))
        return found, expected

    def core_steps(self, state: list[int]) -> set[Happening]:
        taken, failing = self.core.successors(state)
        found: set[Happening] = {
            (self.reading.label(label), self.reading.state(after)) for label, after in taken
        }
        return found | {(self.reading.label(label), None) for label in failing}

    def steps(self, state: list[int]) -> tuple[set[Happening], set[Happening]]:
        return self.core_steps(state), happenings(steps(self.machine, self.reading.state(state)))

    def judgements(self, state: list[int]) -> tuple[set[int], set[int]]:
        return set(self.core.judge(state)), judged(self.machine, self.reading.state(state))

    def states(self, most: int) -> Iterator[list[int]]:
        """The first states, by the core's own steps."""
        waiting = [state for _, state in self.core.starts() if state is not None]
        seen = set(map(tuple, waiting))
        for state in waiting:
            yield state
            for _, after in self.core.successors(state)[0]:
                if tuple(after) not in seen and len(seen) < most:
                    seen.add(tuple(after))
                    waiting.append(after)


def both(machine: Machine) -> Both:
    core = compiled(machine)
    return Both(machine, core, Reading(machine, core))


def happenings(found: list[MachineStep]) -> set[Happening]:
    """Without the words of failures: engines may stop at different ones."""
    return {(each.label, None if isinstance(each.result, Failure) else each.result) for each in found}


def judged(machine: Machine, state: State) -> set[int]:
    """As the core numbers what can be violated."""
    return set(judge(machine, state).numbers)


def by_reference(machine: Machine, generators: Sequence[Generator] = (), most: int = MOST) -> Exploration:
    """All of a small machine; larger ones are left alone."""
    found = explore_machine(machine, generators, deadlock=True, max_states=most)
    if found.stopped != "exhausted":
        reject()
    return found
