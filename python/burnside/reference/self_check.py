"""The law of symmetries on states of the reference engine: step(g s, g a) = g step(s, a).

In: what a kind of model does in a state, and how generators act. Out: how many states were checked; a contradiction is
raised. As in the core, what all actions of g s do, taken together, must be the image of what all actions of s do.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from burnside.contradiction import Contradiction, property_differs, steps_differ
from burnside.records import record

State = TypeVar("State", bound=Hashable)
Generator = TypeVar("Generator")

SHARE = 0.03
"""The part of the elapsed time that a sample may take."""


@record
class Outcome:
    """What an action does. `after` is the successor where there is one."""

    action: Any
    effect: str
    after: object = None
    property: int | None = None


@record
class Happening:
    """All that is compared of a state: what its actions do, and by kind the numbers of properties that it is a case of."""

    outcomes: Sequence[Outcome]
    properties: Mapping[str, frozenset[int]]


@record
class Meaning(Generic[State, Generator]):
    """A kind of model, as the self-check sees it; the last four are for messages."""

    moved: Callable[[Generator, State], State]
    happening: Callable[[State], Happening]
    generator: Callable[[Generator], str]
    state: Callable[[State], Mapping[str, str]]
    action: Callable[[Any], str]
    property: Callable[[int], str]


class SelfCheck(Generic[State, Generator]):
    """Called with every explored state; checks all, some (while that takes little of the time) or none of them."""

    def __init__(
        self, mode: str, generators: Sequence[Generator], meaning: Meaning[State, Generator], source: str
    ) -> None:
        self.mode, self.generators, self.meaning, self.source = mode, generators, meaning, source
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
        here = self.meaning.happening(state)
        for generator in self.generators:
            self._compare(generator, state, here)
        self.checked += 1
        self._spent += time.monotonic() - begun

    def _compare(self, generator: Generator, state: State, here: Happening) -> None:
        meaning = self.meaning
        image = meaning.moved(generator, state)
        there = meaning.happening(image)

        def moved(after: object) -> object:
            return None if after is None else meaning.moved(generator, after)  # type: ignore[arg-type]

        difference = _difference(here, there, moved, meaning)
        if difference is not None:
            found = Contradiction(
                generator=meaning.generator(generator),
                state=meaning.state(state),
                image=meaning.state(image),
                difference=difference,
            )
            raise found.error(self.source)


def _difference(
    here: Happening, there: Happening, moved: Callable[[object], object], meaning: Meaning[State, Generator]
) -> str | None:
    expected = [(each, (each.effect, moved(each.after), each.property)) for each in here.outcomes]
    actual = [(each, (each.effect, each.after, each.property)) for each in there.outcomes]
    enabled = _enabled(here.outcomes), _enabled(there.outcomes)
    for some, others, in_state in ((expected, actual, True), (actual, expected, False)):
        left = Counter(key for _, key in others)
        for outcome, key in some:
            if not left[key]:
                violated = None if outcome.property is None else meaning.property(outcome.property)
                action = meaning.action(outcome.action)
                return steps_differ(action, outcome.effect, violated, enabled, in_state=in_state)
            left[key] -= 1
    for what, numbers in here.properties.items():
        for number in sorted(numbers ^ there.properties[what]):
            return property_differs(meaning.property(number), what, in_state=number in numbers)
    return None


def _enabled(outcomes: Iterable[Outcome]) -> int:
    return sum(each.effect != "guard-failed" for each in outcomes)
