"""Counterexamples: every trace is run again on the unreduced model, by the plain rules, before it is reported.

In: the semantics of a model, what an engine claims, and the property that it should violate. Out: a `Trace` in the user's
names. A step that does not happen, a state that differs or an end that violates nothing is a bug of burnside, and
reported as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from burnside.diagnostics import REPORT, ContradictionError, Diagnostic
from burnside.exploration import ClaimedTrace
from burnside.outcome import Trace, TraceStep
from burnside.semantics import (
    DEADLOCK,
    ENDLESS,
    ERROR,
    MAX_SEQUENCE,
    Failure,
    Generator,
    Label,
    Semantics,
    State,
)


class ReplayError(ContradictionError):
    """An engine produced a trace that is none."""

    def __init__(self, what: str) -> None:
        super().__init__(Diagnostic(f"internal error: a trace does not replay: {what}", hint=REPORT))


def replay(semantics: Semantics[State, Label, Generator], claim: ClaimedTrace, number: int) -> Trace:
    """Run the steps on the model itself; the last must violate the property."""
    trace = replay_steps(semantics, claim.steps)
    done, words = list(trace.steps), trace.words
    state: State | None = claim.steps[-1][1] if claim.steps else None
    if claim.failing is not None:
        name = _name(semantics, state, claim.failing)
        failures = [each for each in semantics.failures(state, claim.failing) if each.number == number]
        if not failures:
            raise ReplayError(f"{name} does not fail in the last state")
        shown = _after_note(semantics, state, claim.failing, failures[0]) or state
        done.append(
            TraceStep(name, {} if shown is None else semantics.full_state(shown), failures[0].describe())
        )
    elif state is None:
        raise ReplayError("it has no states")
    elif (message := _violation(semantics, claim.steps, number)) is not None:
        done[-1] = TraceStep(done[-1].action, done[-1].state, message)
    return Trace(tuple(done), words)


def replay_steps(
    semantics: Semantics[State, Label, Generator], steps: Sequence[tuple[Label, State]]
) -> Trace:
    """Run these steps on the model itself, whatever the last of them shows."""
    done: list[TraceStep] = []
    words: list[str] = []
    state: State | None = None
    for at, (label, wanted) in enumerate(steps):
        results = [step.result for step in semantics.step(state, label)]
        if wanted not in results:
            what = "does not lead to the claimed state" if results else "is not enabled"
            raise ReplayError(f"{_name(semantics, state, label) or 'its start'} {what} in step {at}")
        words = words or semantics.words(wanted)
        done.append(TraceStep(_name(semantics, state, label), semantics.full_state(wanted)))
        state = wanted
    return Trace(tuple(done), tuple(words))


def _after_note(
    semantics: Semantics[State, Label, Generator], state: State | None, label: Label, failure: Failure
) -> State | None:
    """The state that a step leads to which violates a property on its way."""
    return next((step.after for step in semantics.step(state, label) if failure in step.noted), None)


def _name(semantics: Semantics[State, Label, Generator], state: State | None, label: Label) -> str | None:
    return semantics.show_start(label) if state is None else semantics.show_label(label)


def _violation(
    semantics: Semantics[State, Label, Generator], steps: Sequence[tuple[Label, State]], number: int
) -> str | None:
    """What is violated in the last state, in words where the property's name does not say it."""
    state = steps[-1][1]
    if semantics.is_transient(state):
        return _endless(semantics, [state for _, state in steps], number)
    if number == DEADLOCK:
        if not semantics.is_dead(state, semantics.moves(state)):
            raise ReplayError("its last state is no deadlock")
        return None
    judgement = semantics.judge(state)
    # Evaluating a property may fail, also by an assertion in a function that it calls.
    for failure in judgement.failures:
        if failure.number == number:
            return failure.describe()
    if number == ERROR:
        raise ReplayError("no property fails in its last state")
    if number not in (*judgement.violated, *judgement.reached):
        raise ReplayError("its last state does not violate the property")
    return None


def _endless(semantics: Semantics[State, Label, Generator], states: Sequence[State], number: int) -> str:
    """Of a trace whose last state is transient: its last steps are a sequence that repeats itself, or is too long."""
    passed = list(takewhile(semantics.is_transient, reversed(states[:-1])))
    if number != ERROR or (states[-1] not in passed and len(passed) < MAX_SEQUENCE):
        raise ReplayError("it ends in a state that is only passed")
    return ENDLESS.message
