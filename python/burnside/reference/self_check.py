"""The law of symmetries on states of the reference engine: step(g s, g a) = g step(s, a).

In: the semantics of a model and generators. Out: how many states were checked; a contradiction is raised. As in the core,
what all actions of g s do, taken together, must be the image of what all actions of s do. A failure counts by the property
it violates, not by its words, in which equivalent states name different elements.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Generic

from burnside.contradiction import Contradiction, property_differs, steps_differ
from burnside.records import record
from burnside.semantics import Failure, Generator, Label, Move, Semantics, State, Step

SHARE = 0.03
"""The part of the elapsed time that a sample may take."""


@record
class _Behaviour(Generic[State, Label]):
    """All that is compared of a state: its steps, and the properties that it violates or reaches, or covers."""

    moves: Sequence[Move[State, Label]]
    violated: frozenset[int]
    covered: frozenset[int]


class SelfChecker(Generic[State, Label, Generator]):
    """Called with every explored state; checks all, some (while that takes little of the time) or none of them."""

    def __init__(
        self, mode: str, semantics: Semantics[State, Label, Generator], generators: Sequence[Generator]
    ) -> None:
        self.mode, self.semantics, self.generators = mode, semantics, generators
        self.checked = 0
        self._begun = time.monotonic()
        self._spent = 0.0

    @property
    def generator_counts(self) -> tuple[int, int]:
        """Under how many generators a state is checked, of how many."""
        return 0 if self.mode == "off" else len(self.generators), len(self.generators)

    def __call__(self, state: State) -> None:
        if self.mode == "off" or not self.generators:
            return
        begun = time.monotonic()
        if self.mode == "sample" and self._spent > SHARE * (begun - self._begun):
            return
        here = self._behaviour(state)
        for generator in self.generators:
            self._compare(generator, state, here)
        self.checked += 1
        self._spent += time.monotonic() - begun

    def _behaviour(self, state: State) -> _Behaviour[State, Label]:
        moves, judgement = self.semantics.moves(state), self.semantics.judge(state)
        covered = frozenset(judgement.covered).union(*(move.step.covered for move in moves))
        # Which sequences come before one that does not end depends on the order of labels.
        endless = {move.label for move in moves if move.is_endless}
        moves = [move for move in moves if move.is_endless or move.label not in endless]
        taken = [move for move in moves if move.step.fired or move.step.possible]
        return _Behaviour(taken, judgement.numbers, covered)

    def _compare(self, generator: Generator, state: State, here: _Behaviour[State, Label]) -> None:
        image = self.semantics.permute(generator, state)
        difference = self._difference(generator, here, self._behaviour(image))
        if difference is not None:
            found = Contradiction(
                generator=self.semantics.show_generator(generator),
                state=self.semantics.show_state(state),
                image=self.semantics.show_state(image),
                difference=difference,
            )
            raise found.error(self.semantics.name)

    def _difference(
        self, generator: Generator, here: _Behaviour[State, Label], there: _Behaviour[State, Label]
    ) -> str | None:
        def key(move: Move[State, Label], *, moved: bool) -> tuple[object, ...]:
            numbers = tuple(sorted(failure.number for failure in move.failures))
            after = move.after
            if moved and after is not None:
                after = self.semantics.permute(generator, after)
            return move.step.effect, move.passes, numbers, after

        expected = [(move, key(move, moved=True)) for move in here.moves]
        actual = [(move, key(move, moved=False)) for move in there.moves]
        enabled = _enabled(here), _enabled(there)
        for ours, theirs, in_state in ((expected, actual, True), (actual, expected, False)):
            left = Counter(found for _, found in theirs)
            for move, found in ours:
                if not left[found]:
                    action = "; ".join(map(self.semantics.show_label, move.labels))
                    violated = self._violated(move.step)
                    return steps_differ(action, move.step.effect, violated, enabled, in_state=in_state)
                left[found] -= 1
        for what, first, second in (
            ("violated or reached", here.violated, there.violated),
            ("covered", here.covered, there.covered),
        ):
            for number in sorted(first ^ second):
                name = self.semantics.properties[number].name
                return property_differs(name, what, in_state=number in first)
        return None

    def _violated(self, step: Step[State, Label]) -> str | None:
        if not isinstance(step.result, Failure):
            return None
        return self.semantics.properties[step.result.number].name


def _enabled(found: _Behaviour[State, Label]) -> int:
    return len({move.label for move in found.moves if move.step.effect != "guard-failed"})
