"""Faulty machines, by which suites are measured: all of a given size, or some that differ from the specification by a few
faults; and which of them a suite finds.

In: a Mealy machine, and how many states, faults and mutants. Out: machines, one at a time. The choices of random mutants
are fixed by the seed (`random_source`), in the order in which the code below draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from burnside.diagnostics import RefusedError, UsageError
from burnside.records import record
from burnside.testing.reference.mealy import Mealy, Output, Row, Word, equivalent, outcome, whole
from burnside.testing.reference.random_source import RandomSource

FaultKind = Literal["output", "transfer", "extra state"]
FAULT_KINDS: tuple[FaultKind, ...] = ("output", "transfer", "extra state")
MAX_MACHINES = 10_000_000
"""That are listed without being asked twice."""


@record
class Fault:
    """What the input of a state does in place of what is specified. `extra state`: it leads to `target`, a new copy of the
    state that it led to before."""

    kind: FaultKind
    state: int
    input: int
    output: Output
    target: int


@record
class Mutant:
    """`faults`: None of a machine that was not made from the specification."""

    machine: Mealy
    faults: tuple[Fault, ...] | None = None


@record
class Coverage:
    """`equivalent`: mutants with the outcomes of the specification, which are none. `survivors`: those that are faulty and
    pass all tests."""

    killed: int
    equivalent: int
    survivors: tuple[Mutant, ...]


def coverage(machine: Mealy, tests: Sequence[Word], mutants: Iterable[Mutant]) -> Coverage:
    killed = same = 0
    survivors = []
    for mutant in mutants:
        if first_failure(machine, tests, mutant.machine) is not None:
            killed += 1
        elif equivalent(machine, mutant.machine):
            same += 1
        else:
            survivors.append(mutant)
    return Coverage(killed, same, tuple(survivors))


def first_failure(machine: Mealy, tests: Iterable[Word], mutant: Mealy) -> Word | None:
    """The first test that a mutant answers otherwise than the machine."""
    starts = machine.initial, mutant.initial
    failing = (
        word for word in tests if outcome(machine, starts[0], word) != outcome(mutant, starts[1], word)
    )
    return next(failing, None)


def outputs_of(machine: Mealy) -> tuple[Output, ...]:
    """In the order of their first appearance, state by state."""
    return tuple(dict.fromkeys(output for row in machine.rows for output, _ in row))


def number_of_machines(states: int, inputs: int, outputs: int) -> int:
    """With exactly so many states, all of which can be reached; machines that differ in the names of their states count
    once. The numbers of initially connected automata (Almeida, Moreira and Reis 2007), times those of outputs."""
    ways = {1: 1}
    for state in range(states):
        for _ in range(inputs):
            longer = {known: count * known for known, count in ways.items()}
            for known, count in ways.items():
                if known < states:
                    longer[known + 1] = longer.get(known + 1, 0) + count
            ways = longer
        ways = {known: count for known, count in ways.items() if known > state + 1 or state + 1 == states}
    of_outputs: int = outputs ** (states * inputs)
    return ways.get(states, 0) * of_outputs


def all_machines(
    most_states: int, inputs: int, outputs: Sequence[Output], *, limit: int = MAX_MACHINES
) -> Iterator[Mutant]:
    """Every machine with at most so many states, all of which can be reached, once. States are numbered in the order in
    which they appear in the table, row by row, which is breadth first. By number of states, then cell by cell: outputs in
    the given order, targets ascending. Refused where there are more than `limit`."""
    count = 0
    for states in range(1, most_states + 1):
        count += number_of_machines(states, inputs, len(outputs))
        if count > limit:
            raise RefusedError(
                f"there are more than {limit:,} machines with at most {most_states} states, {inputs} inputs and "
                f"{len(outputs)} outputs"
            )
    for states in range(1, most_states + 1):
        for cells in _filled((), 1, states, inputs, outputs):
            rows = tuple(cells[at : at + inputs] for at in range(0, len(cells), inputs))
            yield Mutant(Mealy(0, inputs, rows))


def _filled(cells: Row, known: int, states: int, inputs: int, outputs: Sequence[Output]) -> Iterator[Row]:
    """All tables that begin with these cells; `known` states appear in them."""
    if len(cells) == states * inputs:
        if known == states:
            yield cells
        return
    if len(cells) // inputs == known:
        return
    for output in outputs:
        for target in range(min(known + 1, states)):
            yield from _filled((*cells, (output, target)), max(known, target + 1), states, inputs, outputs)


def random_mutants(machine: Mealy, count: int, faults: int, seed: int) -> Iterator[Mutant]:
    """So many machines with so many faults each, drawn one after the other from one source."""
    if not machine.inputs:
        raise UsageError("a machine without inputs has no faults")
    source = RandomSource(seed)
    outputs = outputs_of(machine)
    for _ in range(count):
        mutant, made = machine, list[Fault]()
        for _ in range(faults):
            mutant, new = _with_fault(mutant, outputs, source)
            made += new
        yield Mutant(mutant, tuple(made))


def _with_fault(machine: Mealy, outputs: Sequence[Output], source: RandomSource) -> tuple[Mealy, list[Fault]]:
    """Draws: the kind, of the possible ones; a state that can be reached, in breadth-first order; an input; what it does
    now. For an extra state, a fault of the copy too, which would be bisimilar to its original without one: its kind, its
    input, what it does now."""
    kinds = [kind for kind in FAULT_KINDS if _is_possible(kind, machine, outputs)]
    kind = source.choice(kinds)
    state, given = source.choice(list(whole(machine))), source.below(machine.inputs)
    if kind != "extra state":
        fault = _drawn(kind, machine, state, given, outputs, source)
        return _applied(machine, fault), [fault]
    output, target = machine.rows[state][given]
    copy = len(machine.rows)
    grown = Mealy(machine.initial, machine.inputs, (*machine.rows, machine.rows[target]))
    first = Fault(kind, state, given, output, copy)
    grown = _applied(grown, first)
    kind = source.choice([each for each in FAULT_KINDS[:2] if _is_possible(each, grown, outputs)])
    second = _drawn(kind, grown, copy, source.below(machine.inputs), outputs, source)
    return _applied(grown, second), [first, second]


def _is_possible(kind: FaultKind, machine: Mealy, outputs: Sequence[Output]) -> bool:
    return kind == "extra state" or len(outputs if kind == "output" else machine.rows) > 1


def _drawn(
    kind: FaultKind, machine: Mealy, state: int, given: int, outputs: Sequence[Output], source: RandomSource
) -> Fault:
    output, target = machine.rows[state][given]
    if kind == "output":
        output = source.choice([each for each in outputs if each != output])
    else:
        target = source.choice([each for each in range(len(machine.rows)) if each != target])
    return Fault(kind, state, given, output, target)


def _applied(machine: Mealy, fault: Fault) -> Mealy:
    rows = list(machine.rows)
    row = rows[fault.state]
    rows[fault.state] = (*row[: fault.input], (fault.output, fault.target), *row[fault.input + 1 :])
    return Mealy(machine.initial, machine.inputs, tuple(rows))
