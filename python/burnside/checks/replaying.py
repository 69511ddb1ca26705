"""Counterexamples of programs: every trace is run again by the reference interpreter before anyone sees it.

In: a program, the steps an engine claims. Out: a `Trace` in the user's names. A step that does not happen, a state that
differs or an end that violates nothing is a bug of burnside, and is said so.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.program import Program
from burnside.outcome import Step, Trace
from burnside.reference.failures import Failure, told
from burnside.reference.steps import (
    Result,
    judge,
    label_at,
    labels_of,
    run_label,
    show_label,
    show_start,
    start_at,
    steps,
)
from burnside.reference.values import State, decode
from burnside.trace import ReplayError

DEADLOCK, ERROR, FIRST_PROPERTY = 0, 1, 2


def replayed(
    program: Program, claimed: Sequence[tuple[int, Sequence[int]]], failing: int | None, number: int
) -> Trace:
    """Run the steps on the program itself; the last must violate what the number stands for."""
    done: list[Step] = []
    state: State | None = None
    for at, (label, wanted) in enumerate(claimed):
        result = _result(program, state, label)
        if result != tuple(wanted):
            raise ReplayError(
                f"{_name(program, state, label)} does not lead to the claimed state in step {at}"
            )
        done.append(Step(_name(program, state, label), decode(program, tuple(wanted))))
        state = tuple(wanted)
    if failing is not None:
        failure = _result(program, state, failing)
        if not isinstance(failure, Failure) or _number(failure) != number:
            raise ReplayError(f"{_name(program, state, failing)} does not fail in the last state")
        shown = {} if state is None else decode(program, state)
        done.append(Step(_name(program, state, failing), shown, told(failure)))
        return Trace(tuple(done), of_markings=False)
    if state is None:
        raise ReplayError("it has no states")
    message = _violation(program, state, number)
    if message is not None:
        done[-1] = Step(done[-1].action, done[-1].state, message or None)
    return Trace(tuple(done), of_markings=False)


def _result(program: Program, state: State | None, label: int) -> Result | None:
    """What a label does; at the start, what a start does."""
    if state is None:
        return run_label(program, None, start_at(program, label - labels_of(program)))
    return run_label(program, state, label_at(program, label))


def _name(program: Program, state: State | None, label: int) -> str:
    if state is None:
        return show_start(program, start_at(program, label - labels_of(program)))
    return show_label(program, label_at(program, label))


def _violation(program: Program, state: State, number: int) -> str:
    """What is violated in the state, in words where the property's name does not say it."""
    if number == DEADLOCK:
        results = [step.result for step in steps(program, state) if step.possible]
        if any(not (program.stuttering and result == state) for result in results):
            raise ReplayError("its last state is no deadlock")
        return ""
    judgement = judge(program, state)
    # Evaluating a property may fail, also by an assertion in a function that it calls.
    failure = next((each for each in judgement.failures if _number(each) == number), None)
    if failure is not None:
        return told(failure)
    if number == ERROR:
        raise ReplayError("no property fails in its last state")
    if number - FIRST_PROPERTY not in (*judgement.violated, *judgement.reached):
        raise ReplayError("its last state does not violate the property")
    return ""


def _number(failure: Failure) -> int:
    return ERROR if failure.property is None else FIRST_PROPERTY + failure.property
