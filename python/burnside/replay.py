"""Counterexamples: every trace is run again on the unreduced model, by the plain rules, before it is reported.

In: the semantics of a model, what an engine claims, and the property that it should violate. Out: a `Trace` in the user's
names. A step that does not happen, a state that differs or an end that violates nothing is a bug of burnside, and
reported as such.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import REPORT, ContradictionError, Diagnostic
from burnside.exploration import ClaimedTrace
from burnside.outcome import Trace, TraceStep
from burnside.semantics import DEADLOCK, ERROR, Failure, Generator, Label, Semantics, State


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
    elif (message := _violation(semantics, state, number)) is not None:
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


def _violation(semantics: Semantics[State, Label, Generator], state: State, number: int) -> str | None:
    """What is violated in the state, in words where the property's name does not say it."""
    if number == DEADLOCK:
        if any(semantics.leads_on(state, step) for step in semantics.steps(state)):
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
