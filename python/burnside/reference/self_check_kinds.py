"""What the self-check sees of nets, programs and machines.

In: a model, and how its states are judged. Out: its `Meaning`. A failure counts by the property it violates, not by its
words, in which equivalent states name different elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.net import Net
from burnside.reference.orbits import Marking, Permutation, move
from burnside.reference.self_check import Happening, Meaning, Outcome
from burnside.symmetry.cycles import cycle_notation, cycles

ERROR = -1
"""The number of errors of the model, where properties have numbers from 0."""


def net_meaning(
    net: Net, violated: Mapping[int, Callable[[Marking], bool]], names: Mapping[int, str]
) -> Meaning[Marking, Permutation]:
    """`violated`: by number, the test for "violated here"."""

    def happening(marking: Marking) -> Happening:
        outcomes = [Outcome(t, "taken", net.fire(marking, t)) for t in net.enabled(marking)]
        found = frozenset(number for number, test in violated.items() if test(marking))
        return Happening(outcomes, {"violated or reached": found})

    return Meaning(
        moved=lambda generator, marking: move(generator[0], marking),
        happening=happening,
        generator=lambda generator: cycle_notation(cycles(generator[0]), net.places),
        state=lambda marking: {net.places[at]: str(tokens) for at, tokens in enumerate(marking) if tokens},
        action=lambda transition: net.transitions[transition],
        property=lambda number: names.get(number, f"property {number}"),
    )


def program_meaning(program: Program) -> Meaning[Any, Any]:
    from burnside.reference.failures import Failure
    from burnside.reference.steps import DISCARDED, Step, attempts, judge, show_label
    from burnside.reference.values import decode, permuted

    def number(failure: Failure) -> int:
        return ERROR if failure.property is None else failure.property

    def outcome(step: Step) -> Outcome:
        if isinstance(step.result, Failure):
            return Outcome(step.label, "failed" if step.fired else "guard-failed", None, number(step.result))
        if step.result == DISCARDED:
            return Outcome(step.label, "discarded" if step.possible else "impossible")
        return Outcome(step.label, "taken", step.result)

    def happening(state: tuple[int, ...]) -> Happening:
        found = attempts(program, state)
        judgement = judge(program, state)
        failures = (number(each) for each in judgement.failures)
        covered = frozenset(judgement.covered).union(*(step.covered for step in found))
        violated = frozenset((*judgement.violated, *judgement.reached, *failures))
        outcomes = [outcome(step) for step in found if step.fired or step.possible]
        return Happening(outcomes, {"violated or reached": violated, "covered": covered})

    return Meaning(
        moved=lambda generator, state: permuted(program, generator, state),
        happening=happening,
        generator=lambda generator: _cycles(program, generator),
        state=lambda state: decode(program, state),
        action=lambda label: show_label(program, label),
        property=lambda number: "error" if number == ERROR else program.properties[number].name,
    )


def machine_meaning(machine: Machine) -> Meaning[Any, Any]:
    from burnside.reference.sets.failures import Failure
    from burnside.reference.sets.machines import Step, judge, show_label, show_state, steps
    from burnside.reference.sets.values import permuted_state

    def outcome(step: Step) -> Outcome:
        if isinstance(step.result, Failure):
            return Outcome(step.label, "failed", None, ERROR)
        return Outcome(step.label, "taken", step.result)

    def happening(state: Any) -> Happening:
        judgement = judge(machine, state)
        errors = [ERROR] if judgement.failures else []
        violated = frozenset((*judgement.violated, *judgement.reached, *errors))
        outcomes = [outcome(step) for step in steps(machine, state)]
        return Happening(outcomes, {"violated or reached": violated})

    return Meaning(
        moved=lambda generator, state: permuted_state(state, generator),
        happening=happening,
        generator=lambda generator: _cycles(machine, generator),
        state=lambda state: dict(show_state(machine, state)),
        action=lambda label: show_label(machine, label),
        property=lambda number: "error" if number == ERROR else machine.claims[number].name,
    )


def _cycles(model: Program | Machine, generator: Mapping[str, Sequence[int]]) -> str:
    """Of a permutation by sorts."""
    moved = [sort for sort in model.sorts if sort.name in generator]
    return "".join(cycle_notation(cycles(generator[sort.name]), sort.elements) for sort in moved)
