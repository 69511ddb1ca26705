"""A walk through a model, step by step: where it is, how it got there, what was violated or reached on the way.

In: the semantics of a model, choices (by hand or at random, from a seed). Out: a `Walk`, whose `record` is the JSON document
of `burnside simulate --json`. Nothing is reduced here. Equal model, seed and choices give equal steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from burnside.outcome import property_title
from burnside.records import record
from burnside.semantics import DEADLOCK_PROPERTY, CheckedProperty, Failure, Semantics


@record
class Remark:
    """Something to report of a state or a step: a property that is violated, an error, a goal that is reached."""

    kind: str
    name: str
    message: str | None = None
    """What happened, where the name does not say it."""

    @property
    def is_violation(self) -> bool:
        return self.kind != "goal"

    @property
    def label(self) -> str:
        return "reached" if self.kind == "goal" else "violated" if self.message is None else "error"

    @property
    def text(self) -> str:
        """Without the label."""
        title = property_title(self.kind, self.name)
        if self.message is None:
            return title
        return self.message if self.kind == "error" else f"{title}: {self.message}"


@record
class Choice:
    """Something that may happen in a state: it leads to the state `after`, or fails. The only start of some models has no
    name."""

    label: Any
    name: str | None
    after: Any = None
    failed: Remark | None = None
    noted: tuple[Remark, ...] = ()
    """What it violates on its way, and goes on."""

    @property
    def failure(self) -> str | None:
        return None if self.failed is None else self.failed.message


@record
class Situation:
    """What can be chosen in a state, and whether it is a deadlock, or an end as it should be. Steps that an assumption rules
    out are no choices."""

    choices: tuple[Choice, ...]
    deadlock: bool
    ended: bool = False


@record
class Moment:
    """A state and what was chosen to get there: at first a way to start."""

    label: Any
    name: str | None
    state: Any
    noted: tuple[Remark, ...] = ()
    printed: str = ""

    @property
    def printed_lines(self) -> list[str]:
        return self.printed.splitlines()


@record
class Event:
    """What was violated or reached, in which step of the walk; of a step that fails, `action` is what was tried."""

    step: int
    action: str | None
    remark: Remark

    def line(self) -> str:
        tried = f"{self.action}: " if self.remark.label == "error" and self.action else ""
        return f"{self.remark.label} in step {self.step}: {tried}{self.remark.text}"

    def record(self) -> dict[str, Any]:
        remark = self.remark
        message = {} if remark.message is None else {"message": remark.message}
        return {"step": self.step, "action": self.action, "kind": remark.kind, "name": remark.name, **message}


class StepFails(Exception):
    """What was chosen cannot be done, for the reason given."""


class Walk:
    """No input or output here. Where there are several ways to start, or the only one fails, the history is empty until one
    was chosen."""

    def __init__(
        self, semantics: Semantics[Any, Any, Any], seed: int = 0, *, deadlock_is_error: bool = False
    ) -> None:
        self.semantics = semantics
        self.history: list[Moment] = []
        self.failed: Event | None = None
        """The step that ended a walk by failing."""
        self._deadlock_is_error = deadlock_is_error
        self._random = Random(seed)
        # A state is asked about several times before the walk goes on.
        self._situation = lru_cache(maxsize=8)(self._look)
        self.remarks = lru_cache(maxsize=None)(self._remarks)
        starts = self.choices()
        if len(starts) == 1 and starts[0].failure is None:
            self.step(0)
        self._beginning = len(self.history)

    @property
    def state(self) -> Any:
        """IndexError before the start."""
        return self.history[-1].state

    @property
    def started(self) -> bool:
        return bool(self.history)

    @property
    def deadlock(self) -> bool:
        return self.started and self._situation(self.state).deadlock

    @property
    def ended(self) -> bool:
        """Is this an end that is no deadlock?"""
        return self.started and self._situation(self.state).ended

    def choices(self) -> Sequence[Choice]:
        """What can be chosen; steps that fail are among it."""
        return self._situation(self.state if self.started else None).choices

    def step(self, number: int) -> None:
        """Do what stands at that position, counted from 0; IndexError where nothing does, `StepFails` where it fails."""
        choices = self.choices()
        if not 0 <= number < len(choices):
            raise IndexError(number)
        chosen = choices[number]
        if chosen.failure is not None:
            raise StepFails(chosen.failure)
        printed = self.semantics.printed(self.state, chosen.label) if self.started else ""
        self.history.append(Moment(chosen.label, chosen.name, chosen.after, chosen.noted, printed))

    def undo(self) -> bool:
        """Take the last step back; False at the start."""
        if len(self.history) == self._beginning:
            return False
        self.history.pop()
        return True

    def random_steps(self, steps: int) -> Event | None:
        """Up to that many steps drawn at random, after a start where there is none yet. Fewer where no step leads on, where
        a state violates something, and where a step fails, which is returned."""
        for _ in range(steps if self.started else steps + 1):
            choices = self.choices()
            if self.deadlock or not choices:
                break
            number = self._random.randrange(len(choices))
            if (failed := choices[number].failed) is not None:
                return Event(len(self.history), choices[number].name, failed)
            self.step(number)
            if self._is_violating(self.state) or self.history[-1].noted:
                break
        return None

    def walk(self, steps: int) -> None:
        """As `random_steps` from the beginning, which is looked at too; a step that fails is kept."""
        if not self.started or not self._is_violating(self.state):
            self.failed = self.random_steps(steps)

    def events(self) -> list[Event]:
        """What was violated or reached on the way here, step by step."""
        found = [
            Event(number, moment.name, remark)
            for number, moment in enumerate(self.history)
            for remark in (*moment.noted, *self.remarks(moment.state))
        ]
        if self._deadlock_is_error and self.deadlock:
            found.append(Event(len(self.history) - 1, self.history[-1].name, _remark(DEADLOCK_PROPERTY)))
        if (
            not self.started
            and not self.choices()
            and (missing := self.semantics.missing_start()) is not None
        ):
            found.append(Event(0, None, self._failure(missing)))
        return found if self.failed is None else [*found, self.failed]

    def violations(self) -> list[Event]:
        return [event for event in self.events() if event.remark.is_violation]

    def summary(self, number: int) -> str:
        """The state at that point of the walk, in a line."""
        before = self.history[number - 1].state if number else None
        return self.semantics.summary(self.history[number].state, before)

    def record(self, model: str) -> dict[str, Any]:
        """The walk as JSON data."""
        return {
            "command": "simulate",
            "model": model,
            "steps": [
                {
                    "action": moment.name,
                    "state": dict(self.semantics.show_state(moment.state)),
                    **({"printed": moment.printed} if moment.printed else {}),
                }
                for moment in self.history
            ],
            "deadlock": self.deadlock,
            "violations": [event.record() for event in self.violations()],
            "reached": [event.record() for event in self.events() if not event.remark.is_violation],
        }

    def _look(self, state: Any) -> Situation:
        steps = list(self.semantics.steps_from(state))
        choices: list[Choice] = []
        for step in steps:
            failed = self._failure(step.result) if isinstance(step.result, Failure) else None
            if failed is not None or step.after is not None:
                name = self.semantics.show_step(state, step)
                noted = tuple(map(self._failure, step.noted))
                choices.append(Choice(step.label, name, step.after, failed, noted))
        dead = state is not None and not any(self.semantics.leads_on(state, step) for step in steps)
        ended = dead and self.semantics.is_proper_end(state)
        return Situation(tuple(choices), dead and not ended, ended)

    def _is_violating(self, state: Any) -> bool:
        return any(remark.is_violation for remark in self.remarks(state))

    def _remarks(self, state: Any) -> list[Remark]:
        """What is violated or reached in a state."""
        judgement = self.semantics.judge(state)
        numbers = (*judgement.violated, *judgement.reached)
        remarks = [_remark(self.semantics.properties[number]) for number in numbers]
        return remarks + [self._failure(failure) for failure in judgement.failures]

    def _failure(self, failure: Failure) -> Remark:
        violated = self.semantics.properties[failure.number]
        named = violated if failure.evaluated is None else self.semantics.properties[failure.evaluated]
        return Remark(violated.kind, named.name, failure.describe())


def _remark(violated: CheckedProperty) -> Remark:
    return Remark(violated.kind, violated.name)
