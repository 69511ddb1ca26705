"""All machines of a given size that pass a suite: what a suite leaves open, without listing what it finds.

In: a Mealy machine, tests, a number of states. Out: every machine with at most so many states that answers all tests as the
given one does, up to the names of its states. Such a machine is built while it runs the tests: an input of a state that was
not used before has the output that is expected, and each target is tried. A wrong output ends the attempt, so that the
millions of machines that fail early are never made. Inputs of states that no test uses are left open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from burnside.records import record
from burnside.testing.reference.mealy import Mealy, Outcome, Output, Row, Word, equivalent, outcome

Cells = Mapping[tuple[int, int], tuple[Output, int]]
"""By state and input: output and target."""


@record
class Sketch:
    """A machine of which some is left open. State 0 is the initial one."""

    states: int
    inputs: int
    cells: Cells

    def open_cell(self) -> tuple[int, int] | None:
        """The first state and input without an output and a target."""
        every = ((state, given) for state in range(self.states) for given in range(self.inputs))
        return next((cell for cell in every if cell not in self.cells), None)

    def machine(self) -> Mealy:
        """Where nothing is left open."""
        rows: list[Row] = [
            tuple(self.cells[state, given] for given in range(self.inputs)) for state in range(self.states)
        ]
        return Mealy(0, self.inputs, tuple(rows))


def passing_sketches(machine: Mealy, tests: Sequence[Word], most_states: int) -> Iterator[Sketch]:
    """Their states are numbered in the order in which the tests come to them, so that none appears twice."""
    expected = [(word, outcome(machine, machine.initial, word)) for word in tests]
    yield from _extended(Sketch(1, machine.inputs, {}), expected, 0, most_states)


def _extended(
    sketch: Sketch, expected: Sequence[tuple[Word, Outcome]], at: int, most_states: int
) -> Iterator[Sketch]:
    """All that begin with this one, which passes the tests before `at`."""
    for number in range(at, len(expected)):
        state = 0
        for given, output in zip(*expected[number], strict=True):
            known = sketch.cells.get((state, given))
            if known is None:
                for target in range(min(sketch.states + 1, most_states)):
                    longer = _with_cell(sketch, (state, given), output, target)
                    yield from _extended(longer, expected, number, most_states)
                return
            if known[0] != output:
                return
            state = known[1]
    yield sketch


def _with_cell(sketch: Sketch, cell: tuple[int, int], output: Output, target: int) -> Sketch:
    cells = {**sketch.cells, cell: (output, target)}
    return Sketch(max(sketch.states, target + 1), sketch.inputs, cells)


def completions(sketch: Sketch, outputs: Sequence[Output], most_states: int) -> Iterator[Mealy]:
    """All machines that a sketch may become; the open cells are filled in their order."""
    cell = sketch.open_cell()
    if cell is None:
        yield sketch.machine()
        return
    for output in outputs:
        for target in range(min(sketch.states + 1, most_states)):
            yield from completions(_with_cell(sketch, cell, output, target), outputs, most_states)


def passing_machines(
    machine: Mealy, tests: Sequence[Word], most_states: int, outputs: Sequence[Output]
) -> Iterator[Mealy]:
    for sketch in passing_sketches(machine, tests, most_states):
        yield from completions(sketch, outputs, most_states)


def survivors(
    machine: Mealy, tests: Sequence[Word], most_states: int, outputs: Sequence[Output]
) -> Iterator[Mealy]:
    """Machines with at most so many states that pass and are not equivalent: none where the suite is complete. Of the
    completions of a sketch that is left open, the first."""
    for sketch in passing_sketches(machine, tests, most_states):
        every = completions(sketch, outputs, most_states)
        first = next((each for each in every if not equivalent(machine, each)), None)
        if first is not None:
            yield first
