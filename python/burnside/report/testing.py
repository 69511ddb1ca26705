"""Machines, kernels, suites and fault coverage, as people and as programs read them.

In: records of `burnside.testing`. Out: lines of styled pieces, and the JSON records of the public contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from burnside.report.lines import Line, Piece, count, figure
from burnside.testing.facts import MachineFacts, Places
from burnside.testing.fault_coverage import FaultCoverage
from burnside.testing.kernel import FoundOrder, Kernel
from burnside.testing.machine import Action, StateMachine
from burnside.testing.reference.mutants import Fault, Mutant
from burnside.testing.suites import Suite
from burnside.testing.symmetry_check import CheckedSymmetry, Counterexample

Record = dict[str, Any]
SHOWN = 5
"""Places, survivors: how many are shown to people."""
SHOWN_MACHINE = 6
"""States of a surviving machine that is shown whole."""


def machine_record(facts: MachineFacts) -> Record:
    return {
        "states": facts.states,
        "reachable": facts.reachable,
        "inputs": facts.inputs,
        "outputs": facts.outputs,
        "state_outputs": facts.state_outputs,
        "transitions": facts.transitions,
        "reachable_transitions": facts.reachable_transitions,
        "deterministic": facts.deterministic,
        "complete": facts.complete,
        "minimal_states": facts.minimal_states,
        "depth": facts.depth,
    }


def machine_lines(name: str, facts: MachineFacts) -> Iterator[Line]:
    yield (Piece(name, "bold"),)
    yield ()
    unreachable = facts.states - facts.reachable
    yield figure(
        "states", f"{facts.states:,}" + (f", {unreachable:,} of them unreachable" if unreachable else "")
    )
    yield figure("transitions", f"{facts.transitions:,}")
    yield figure("inputs", f"{facts.inputs:,}")
    yield figure("outputs", _outputs(facts))
    yield figure("depth", f"{facts.depth:,}")
    yield figure("deterministic", _yes(facts.ambiguous, facts.ambiguous_places, "several edges"))
    yield figure("complete", _yes(facts.missing, facts.missing_places, "no edge"))
    merged = facts.reachable - facts.minimal_states
    classes = f"{facts.minimal_states:,} class{'' if facts.minimal_states == 1 else 'es'}"
    yield figure("minimal", f"no: {classes} of bisimilar states" if merged else "yes")


def _outputs(facts: MachineFacts) -> str:
    if facts.state_outputs is None:
        return f"{facts.outputs:,}"
    of_edges = f", and {facts.outputs:,} of edges" if facts.outputs > 1 else ""
    return f"{facts.state_outputs:,} of states{of_edges}"


def _yes(exceptions: int, places: Places, what: str) -> str:
    if not exceptions:
        return "yes"
    shown = ", ".join(f"{given!r} in state {state!r}" for state, given in places[:SHOWN])
    more = f", and {exceptions - SHOWN:,} more" if exceptions > SHOWN else ""
    return f"no: {what} for {shown}{more}"


def kernel_record(kernel: Kernel, checked: CheckedSymmetry, searched: FoundOrder | None) -> Record:
    return {
        "states": len(kernel.machine.states),
        "transitions": len(kernel.machine.edges),
        "kernel_states": len(kernel.states),
        "kernel_transitions": len(kernel.edges),
        "deterministic": True,
        "symmetry": checked.symmetry,
        "counterexample": None if checked.counterexample is None else _counterexample(checked.counterexample),
        "order": list(kernel.order),
        "orders_tried": None if searched is None else searched.tried,
    }


def _counterexample(found: Counterexample) -> Record:
    return {
        "flaw": found.flaw,
        "traces": [[str(each) for each in trace] for trace in found.traces],
        "action": None if found.action is None else str(found.action),
        "other": None if found.other is None else str(found.other),
    }


def kernel_lines(kernel: Kernel, checked: CheckedSymmetry, searched: FoundOrder | None) -> Iterator[Line]:
    machine = kernel.machine
    yield (Piece(machine.name, "bold"),)
    yield ()
    yield figure("machine", f"{count(len(machine.states), 'state')}, {count(len(machine.edges), 'edge')}")
    yield figure("kernel", f"{count(len(kernel.states), 'state')}, {count(len(kernel.edges), 'edge')}")
    if searched is not None:
        yield figure("order", f"the best of {count(searched.tried, 'order')} tried")
    yield from symmetry_lines(checked)


def symmetry_lines(checked: CheckedSymmetry) -> Iterator[Line]:
    meaning = {
        "proved": "proved",
        "proved on traces": "proved on traces of the machine; refuted for all sequences of actions",
        "refuted": "refuted: the pattern is no symmetry of this machine",
        "unchecked": "not checked",
    }
    yield figure("symmetry", meaning[checked.symmetry])
    if checked.counterexample is not None:
        for line in counterexample_lines(checked.counterexample):
            yield (Piece(f"    {line}", "dim"),)


def counterexample_lines(found: Counterexample) -> Iterator[str]:
    one, other = map(trace_text, found.traces)
    match found.flaw:
        case "uncovered":
            yield f"after {one}, no copy of the template can do {found.action}"
        case "not closed" if one == other:
            yield f"after {one}, {found.action} is possible;"
            yield f"{found.other} is symmetric to it there, and impossible"
        case "not closed":
            yield f"after {one}, {found.action} is possible;"
            yield f"after the symmetric trace {other}, {found.other} is symmetric to it, and impossible"
        case "not persistent":
            yield f"after {one}, {found.action} is possible;"
            yield f"after the symmetric trace {other}, nothing that is possible is symmetric to it"
        case "not loop preserving":
            yield f"{one} and {other} lead to one state, but not all copies of the template return to theirs"


def trace_text(trace: Sequence[Action]) -> str:
    return "; ".join(map(str, trace)) or "the empty trace"


def suite_record(suite: Suite) -> Record:
    tests, inputs = suite.size
    return {
        "method": suite.method.name,
        "tests": tests,
        "inputs": inputs,
        "classes": suite.classes,
        "complete": suite.complete,
        "assumptions": list(suite.assumptions),
        "worth": suite.worth,
        "symmetry": suite.symmetry,
    }


def suite_lines(suite: Suite, output: str | None) -> Iterator[Line]:
    tests, inputs = suite.size
    yield (Piece(suite.machine.name, "bold"),)
    yield ()
    yield figure("tests", f"{tests:,}, with {count(inputs, 'input')} in total")
    names = {"w": "W", "wp": "Wp", "hsi": "HSI", "h": "H", "random": "random walks"}
    yield figure("method", names[suite.method.name])
    yield figure("classes", f"{suite.classes:,}")
    yield figure("worth", _worth(suite))
    for each in suite.assumptions:
        yield Piece("  assumes ", "dim"), Piece(each)
    if output is None:
        yield figure("written", "nothing; -o FILE writes the tests")


def _worth(suite: Suite) -> str:
    if suite.worth == "random":
        return "random: promises nothing"
    if suite.worth == "symmetry-selected":
        return f"symmetry-selected: no completeness is claimed, the symmetry is {suite.symmetry}"
    return "complete: a faulty implementation fails a test, if the assumptions hold"


def fault_coverage_record(found: FaultCoverage, machine: StateMachine) -> Record:
    return {
        "mutants": found.mutants,
        "detected": found.detected,
        "equivalent": found.equivalent,
        "outside": found.outside,
        "survived": found.survived,
        "survivors": [_mutant_lines(each, machine) for each in found.survivors],
    }


def fault_coverage_lines(found: FaultCoverage, machine: StateMachine) -> Iterator[Line]:
    yield (Piece(machine.name, "bold"),)
    yield ()
    yield figure("mutants", f"{found.mutants:,}")
    yield figure("detected", f"{found.detected:,}")
    yield figure("equivalent", f"{found.equivalent:,} behave as the machine does")
    if found.outside:
        yield figure("outside", f"{found.outside:,} pass, but break an assumption")
    yield figure("survived", f"{found.survived:,}")
    for mutant in found.survivors[:SHOWN]:
        for at, line in enumerate(_mutant_lines(mutant, machine)):
            yield (Piece(f"  {'-' if at == 0 else ' '} {line}"),)


def _mutant_lines(mutant: Mutant, machine: StateMachine) -> list[str]:
    if mutant.faults is not None:
        return [_fault(each, machine) for each in mutant.faults]
    rows = mutant.machine.rows
    lines = [
        f"state {state}: "
        + ", ".join(
            f"{machine.inputs[given]}/{output} to {target}" for given, (output, target) in enumerate(row)
        )
        for state, row in enumerate(rows[:SHOWN_MACHINE])
    ]
    return [*lines, "..."] if len(rows) > SHOWN_MACHINE else lines


def _fault(fault: Fault, machine: StateMachine) -> str:
    def name(state: int) -> str:
        return repr(machine.states[state]) if state < len(machine.states) else f"new state {state}"

    where = f"{machine.inputs[fault.input]!r} in state {name(fault.state)}"
    return f"{fault.kind}: {where} answers {fault.output!r} and leads to {name(fault.target)}"
