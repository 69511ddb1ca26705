"""Counterexamples of machines: every trace is run again by the reference engine before anyone sees it.

In: a machine, the steps an engine claims. Out: a `Trace` in the user's names. A step that does not happen, a state that
differs or an end that violates nothing is a bug of burnside, and is said so.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.checks.machine_values import shown_state
from burnside.ir.sets.machine import SETUP, Machine
from burnside.outcome import Step, Trace
from burnside.reference.sets.failures import Failure, told
from burnside.reference.sets.machines import Label, judge, setup_doubt, show_label, starts, steps
from burnside.reference.sets.machines import Step as Possible
from burnside.reference.sets.values import State
from burnside.trace import ReplayError

DEADLOCK, ERROR, FIRST_CLAIM = 0, 1, 2


def replayed(
    machine: Machine, claimed: Sequence[tuple[Label, State]], failing: Label | None, number: int
) -> Trace:
    """Run the steps on the machine itself; the last must violate what the number stands for."""
    done: list[Step] = []
    state: State | None = None
    for at, (label, wanted) in enumerate(claimed):
        if Possible(label, wanted) not in _possible(machine, state):
            raise ReplayError(f"{show_label(machine, label)} does not lead to the claimed state in step {at}")
        state = wanted
        done.append(Step(show_label(machine, label), shown_state(machine, state)))
    if failing is not None:
        failure = _failure(machine, state, failing)
        shown = {} if state is None else shown_state(machine, state)
        done.append(Step(show_label(machine, failing), shown, told(failure)))
        return Trace(tuple(done), of_markings=False)
    if state is None:
        raise ReplayError("it has no states")
    message = _violation(machine, state, number)
    if message:
        done[-1] = Step(done[-1].action, done[-1].state, message)
    return Trace(tuple(done), of_markings=False)


def _possible(machine: Machine, state: State | None) -> list[Possible]:
    return starts(machine) if state is None else steps(machine, state)


def _failure(machine: Machine, state: State | None, label: Label) -> Failure:
    """Engines may stop at different errors of one operation; that it fails with these arguments is what counts."""
    if label.name == SETUP and (doubt := setup_doubt(machine)) is not None:
        return doubt
    found = [each for each in _possible(machine, state) if isinstance(each.result, Failure)]
    named = [each for each in found if each.label.name == label.name]
    same = [each for each in named if each.label.arguments == label.arguments] or named
    for each in same:
        assert isinstance(each.result, Failure)
        return each.result
    raise ReplayError(f"{show_label(machine, label)} does not fail in the last state")


def _violation(machine: Machine, state: State, number: int) -> str:
    """What is violated in the state, in words where the claim's name does not say it."""
    if number == DEADLOCK:
        if any(not isinstance(each.result, Failure) for each in steps(machine, state)):
            raise ReplayError("its last state is no deadlock")
        return ""
    judgement = judge(machine, state)
    if number == ERROR:
        for claim, failure in judgement.failures:
            return f"{machine.claims[claim].name}: {told(failure)}"
        raise ReplayError("every claim has a truth value in its last state")
    if number - FIRST_CLAIM not in (*judgement.violated, *judgement.reached):
        raise ReplayError("its last state does not violate the claim")
    return ""
