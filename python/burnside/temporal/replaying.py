"""Runs that violate a formula: run again on the unreduced model, and the formula evaluated on them, before anyone sees them.

In: the semantics of a model, a run as an engine claims it, the property. Out: a `Trace` in the user's names. A step that
does not happen, a loop that does not close or a run on which the formula holds is a bug of burnside, and is said so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from burnside.outcome import Trace
from burnside.records import record, replace
from burnside.reference.words import Letter, Word, holds
from burnside.replay import ReplayError, replay_steps
from burnside.semantics import Failure, Label, Semantics, State
from burnside.temporal.atoms import Dead, Fairness, NextAction
from burnside.temporal.reading import TemporalProperty


@record
class Lasso(Generic[State, Label]):
    """A run: steps from a start of the model, each with the state that it leads to. `loop`: the number of the state that
    equals the last one, from where the run repeats itself; None where it ends. `decided`: the number of the state from which
    on the formula is violated whatever follows."""

    steps: tuple[tuple[Label, State], ...]
    loop: int | None = None
    decided: int | None = None


def replay_run(
    semantics: Semantics[State, Label, Any],
    lasso: Lasso[State, Label],
    asked: TemporalProperty,
    is_path_formula: bool,
) -> Trace:
    """Of a formula about states only the steps are run again: a run does not show what all of them do."""
    trace = replay_steps(semantics, lasso.steps)
    if lasso.loop is not None and lasso.steps[lasso.loop][1] != lasso.steps[-1][1]:
        raise ReplayError("its loop does not close")
    if is_path_formula:
        word = _word(semantics, lasso, asked, _begin(semantics, lasso))
        if holds(asked.formula, word.stuttering() if asked.ends == "stutter" and not word.loop else word):
            raise ReplayError(f"the formula holds on the run: {asked.text}")
        # Where the formula is decided some fair run follows, which is not shown.
        if lasso.decided is None and (unfair := _unfair(semantics, lasso, asked.fairness)) is not None:
            raise ReplayError(f"the run is not fair: {unfair}")
    if lasso.decided is not None:
        # What follows does not matter, and would have to be read. The state at hand is the one after the state that decides:
        # that which step leads there matters is only so where the formula speaks of steps.
        speaks_of_steps = any(isinstance(each, NextAction) for each in asked.propositions)
        last = lasso.decided - (not speaks_of_steps)
        while last > 0 and semantics.is_transient(lasso.steps[last][1]):
            last -= 1
        shown = max(_begin(semantics, lasso), last) + 1
        return replace(trace, steps=trace.steps[:shown])
    return replace(trace, loop_start=lasso.loop)


def _begin(semantics: Semantics[State, Label, Any], lasso: Lasso[State, Label]) -> int:
    """The number of the state in which the run begins: there may be one before, where constants are set up."""
    begins = {prefix[-1][1]: len(prefix) - 1 for prefix in semantics.run_starts()}
    begin = begins.get(lasso.steps[0][1])
    if begin is None:
        begin = begins.get(lasso.steps[1][1]) if len(lasso.steps) > 1 else None
    if begin is None:
        raise ReplayError("it does not begin where runs begin")
    return begin


def _word(
    semantics: Semantics[State, Label, Any], lasso: Lasso[State, Label], asked: TemporalProperty, begin: int
) -> Word:
    """The letters of the run, from the state in which runs begin."""
    states, labels = _stored(semantics, lasso, begin)
    if lasso.loop is None:
        if any(move.after is not None for move in semantics.moves(lasso.steps[-1][1])):
            raise ReplayError("it ends where it could go on")
        return Word(tuple(_letters(semantics, [*states, lasso.steps[-1][1]], [*labels, None], asked)))
    letters = _letters(semantics, states, labels, asked)
    loop = len(_stored(semantics, lasso, lasso.loop)[0])
    return Word(tuple(letters[:-loop]), tuple(letters[-loop:]))


def _stored(
    semantics: Semantics[State, Label, Any], lasso: Lasso[State, Label], begin: int
) -> tuple[list[State], list[Label]]:
    """The states of the run from one of them up to the last, which is left out, and the first step from each; without the
    states that are only passed."""
    moves = _moves(semantics, lasso, begin)
    return [state for state, _ in moves], [labels[0] for _, labels in moves]


def _moves(
    semantics: Semantics[State, Label, Any], lasso: Lasso[State, Label], begin: int
) -> list[tuple[State, list[Label]]]:
    """The same with all steps up to the next of these states."""
    found: list[tuple[State, list[Label]]] = []
    for (_, state), (label, _) in zip(lasso.steps[begin:], lasso.steps[begin + 1 :], strict=False):
        if semantics.is_transient(state):
            found[-1][1].append(label)
        else:
            found.append((state, [label]))
    return found


def _letters(
    semantics: Semantics[State, Label, Any],
    states: Sequence[State],
    labels: Sequence[Label | None],
    asked: TemporalProperty,
) -> list[Letter]:
    """The atoms that are true in each state, with the step that is taken from it. Where none is taken none can be."""
    known: dict[State, Letter] = {}
    letters: list[Letter] = []
    for state, label in zip(states, labels, strict=True):
        if state not in known:
            known[state] = frozenset(_of_state(semantics, state, asked))
        steps = {
            number
            for number, each in enumerate(asked.propositions)
            if (isinstance(each, Dead) and label is None)
            or (
                isinstance(each, NextAction)
                and label is not None
                and any(semantics.matches(pattern, state, label) for pattern in each.patterns)
            )
        }
        letters.append(known[state] | steps)
    return letters


def _unfair(
    semantics: Semantics[State, Label, Any], lasso: Lasso[State, Label], fairness: Sequence[Fairness]
) -> str | None:
    """A constraint that the run violates. Finite runs are fair."""
    if lasso.loop is None:
        return None

    def able(constraint: Fairness, state: State) -> set[object]:
        return {
            each.who
            for move in semantics.moves(state)
            if move.after is not None
            for each in semantics.acting(constraint, state, [move.label])
            if each.is_able
        }

    moves = _moves(semantics, lasso, lasso.loop)
    states = [state for state, _ in moves]
    for constraint in fairness:
        acts = {each.who for state, labels in moves for each in semantics.acting(constraint, state, labels)}
        starved = able(constraint, states[0]) - acts
        for state in states[1:]:
            if constraint.strength == "strong":
                starved |= able(constraint, state) - acts
            elif starved:
                starved &= able(constraint, state)
        if starved:
            return constraint.text
    return None


def _of_state(semantics: Semantics[State, Label, Any], state: State, asked: TemporalProperty) -> list[int]:
    found: list[int] = []
    for number, each in enumerate(asked.propositions):
        if isinstance(each, NextAction | Dead):
            continue
        value = semantics.holds(each, state)
        if isinstance(value, Failure):
            raise ReplayError(f"an atom has no value: {value.describe()}")
        if value:
            found.append(number)
    return found
