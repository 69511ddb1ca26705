"""A model as somebody sees it who walks through it: where to start, what can be done, what a state looks like.

In: a net, a program or a machine. Out: a `Walkable`, which `simulate` steps through. States are plain tuples. Nothing is
reduced here: a net fires by its own rules, programs and machines are run by the reference engines.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from burnside.ir.program import Program
from burnside.ir.sets.machine import INITIALISATION, SETUP, Machine
from burnside.net import Net
from burnside.outcome import called
from burnside.records import record
from burnside.report.text import changes, defined
from burnside.report.words import marking_words

if TYPE_CHECKING:
    from burnside.reference.failures import Failure

State = tuple[Any, ...]
SHOWN_VALUES = 12
"""Values in one line of a trace before the rest is only counted."""


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
        if self.message is None:
            return called(self.kind, self.name)
        return self.message if self.kind == "error" else f"{called(self.kind, self.name)}: {self.message}"


@record
class Choice:
    """Something that may happen in a state. `action` numbers it; where `failed` says why, it cannot be done."""

    action: int
    name: str
    failed: Remark | None = None

    @property
    def failure(self) -> str | None:
        return None if self.failed is None else self.failed.message


class Walkable(Protocol):
    """See above. `noun` is what the language calls an action."""

    @property
    def noun(self) -> str: ...
    def starts(self) -> Sequence[Choice]:
        """Ways to begin; the only one of a net has no name."""
        ...

    def start(self, choice: Choice) -> State: ...
    def choices(self, state: State) -> Sequence[Choice]: ...
    def fire(self, state: State, choice: Choice) -> State: ...
    def is_dead(self, state: State) -> bool: ...
    def summary(self, state: State, before: State | None) -> str:
        """One line, as short as it may be for somebody who saw the state before."""
        ...

    def lines(self, state: State) -> list[str]:
        """All of a state."""
        ...

    def remarks(self, state: State) -> list[Remark]:
        """What is violated or reached in a state."""
        ...

    def missing_start(self) -> Remark | None:
        """Of a model without any way to begin: what is wrong with that, if anything is."""
        ...

    def record(self, state: State) -> dict[str, str]: ...


def walkable(subject: Net | Program | Machine) -> Walkable:
    if isinstance(subject, Net):
        return WalkableNet(subject)
    return WalkableMachine(subject) if isinstance(subject, Machine) else WalkableProgram(subject)


@record
class WalkableNet:
    """Markings; their marked places are all there is to say."""

    net: Net
    noun = "transition"

    def starts(self) -> Sequence[Choice]:
        return [Choice(0, "")]

    def start(self, choice: Choice) -> State:
        return self.net.initial

    def choices(self, state: State) -> Sequence[Choice]:
        return [Choice(number, self.net.transitions[number]) for number in self.net.enabled(state)]

    def fire(self, state: State, choice: Choice) -> State:
        return self.net.fire(state, choice.action)

    def is_dead(self, state: State) -> bool:
        return not self.net.enabled(state)

    def summary(self, state: State, before: State | None) -> str:
        return " ".join(marking_words(self.net, state)) or "no tokens"

    def lines(self, state: State) -> list[str]:
        return [self.summary(state, None)]

    def remarks(self, state: State) -> list[Remark]:
        return []

    def missing_start(self) -> Remark | None:
        return None

    def record(self, state: State) -> dict[str, str]:
        return {name: str(count) for name, count in zip(self.net.places, state, strict=True) if count}


@record
class _Known:
    """What can happen in one state, and where each leads that can be done. `leads_on`: is it no dead end?"""

    choices: tuple[Choice, ...]
    targets: dict[int, State]
    leads_on: bool


class WalkableProgram:
    """Valuations of variables. Steps that an assumption rules out are no choices; those that fail say why."""

    noun = "action"

    def __init__(self, program: Program) -> None:
        self.program = program
        # A state is asked about several times before the walk goes on: the last few are remembered.
        self._at = lru_cache(maxsize=8)(self._look)

    def starts(self) -> Sequence[Choice]:
        return self._at(None).choices

    def start(self, choice: Choice) -> State:
        return self._at(None).targets[choice.action]

    def choices(self, state: State) -> Sequence[Choice]:
        return self._at(state).choices

    def fire(self, state: State, choice: Choice) -> State:
        return self._at(state).targets[choice.action]

    def is_dead(self, state: State) -> bool:
        return not self._at(state).leads_on

    def summary(self, state: State, before: State | None) -> str:
        if before is None:
            words = defined(self.record(state))
            more = len(words) - SHOWN_VALUES
            shown = ", ".join(words[:SHOWN_VALUES]) + (f" and {more} more" if more > 0 else "")
            return shown or "everything undefined"
        return ", ".join(changes(self.record(before), self.record(state))) or "no change"

    def lines(self, state: State) -> list[str]:
        """One for each variable that has a value."""
        rows: dict[str, list[str]] = {}
        for word in defined(self.record(state)):
            rows.setdefault(word.partition(" ")[0].partition("[")[0].partition(".")[0], []).append(word)
        return [", ".join(row) for row in rows.values()] or ["everything undefined"]

    def remarks(self, state: State) -> list[Remark]:
        from burnside.reference.steps import judge

        judgement = judge(self.program, state)
        properties = self.program.properties
        remarks = [Remark(properties[number].kind, properties[number].name) for number in judgement.violated]
        return remarks + [self._failed(failure) for failure in judgement.failures]

    def missing_start(self) -> Remark | None:
        """Assumptions may rule out every start: then nothing can go wrong."""
        return None

    def _failed(self, failure: Failure) -> Remark:
        from burnside.reference.failures import told

        if failure.property is None:
            return Remark("error", "error", told(failure))
        violated = self.program.properties[failure.property]
        return Remark(violated.kind, violated.name, told(failure))

    def record(self, state: State) -> dict[str, str]:
        from burnside.reference.values import decode

        return decode(self.program, state)

    def _look(self, state: State | None) -> _Known:
        from burnside.reference.failures import Failure
        from burnside.reference.steps import DISCARDED, show_label, show_start, start_steps, steps

        found = start_steps(self.program) if state is None else steps(self.program, state)
        show = show_start if state is None else show_label
        choices: list[Choice] = []
        targets: dict[int, State] = {}
        for number, step in enumerate(found):
            name = show(self.program, step.label)
            if isinstance(step.result, Failure):
                choices.append(Choice(number, name, self._failed(step.result)))
            elif step.result != DISCARDED:
                choices.append(Choice(number, name))
                targets[number] = step.result
        stays = self.program.stuttering
        leads_on = any(step.possible and not (stays and step.result == state) for step in found)
        return _Known(tuple(choices), targets, leads_on)


class WalkableMachine:
    """Valuations of constants and variables: setting up the constants and the initialisation are the first steps."""

    noun = "operation"

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._at = lru_cache(maxsize=8)(self._look)

    def starts(self) -> Sequence[Choice]:
        return self._at(None).choices

    def start(self, choice: Choice) -> State:
        return self._at(None).targets[choice.action]

    def choices(self, state: State) -> Sequence[Choice]:
        return self._at(state).choices

    def fire(self, state: State, choice: Choice) -> State:
        return self._at(state).targets[choice.action]

    def is_dead(self, state: State) -> bool:
        return not self._at(state).leads_on

    def summary(self, state: State, before: State | None) -> str:
        if before is None:
            return ", ".join(self.lines(state))
        return ", ".join(changes(self.record(before), self.record(state))) or "no change"

    def lines(self, state: State) -> list[str]:
        return [f"{name} = {value}" for name, value in self.record(state).items()] or ["no values yet"]

    def remarks(self, state: State) -> list[Remark]:
        from burnside.reference.sets.failures import told
        from burnside.reference.sets.machines import judge

        judgement = judge(self.machine, state)
        claims = self.machine.claims
        remarks = [
            Remark(claims[each].kind, claims[each].name) for each in (*judgement.violated, *judgement.reached)
        ]
        failures = [(claims[number].name, told(failure)) for number, failure in judgement.failures]
        return remarks + [Remark("error", name, f"{name}: {message}") for name, message in failures]

    def missing_start(self) -> Remark | None:
        from burnside.reference.sets.machines import missing_start

        return Remark("error", "error", missing_start(self.machine))

    def record(self, state: State) -> dict[str, str]:
        from burnside.reference.sets.machines import show_state

        return dict(show_state(self.machine, state))

    def _found(self, before: State | None, after: State) -> str:
        """The values that a set-up or an initialisation chose: `(limit=2)`."""
        known = {} if before is None else self.record(before)
        new = [f"{name}={value}" for name, value in self.record(after).items() if name not in known]
        return f"({', '.join(new)})" if new else ""

    def _look(self, state: State | None) -> _Known:
        from burnside.reference.sets.failures import Failure, told
        from burnside.reference.sets.machines import show_label, starts, steps

        choices: list[Choice] = []
        targets: dict[int, State] = {}
        for number, step in enumerate(starts(self.machine) if state is None else steps(self.machine, state)):
            failed = None
            name = show_label(self.machine, step.label)
            if isinstance(step.result, Failure):
                failed = Remark("error", "error", told(step.result))
            else:
                targets[number] = step.result
                name += self._found(state, step.result) if step.label.name in (SETUP, INITIALISATION) else ""
            choices.append(Choice(number, name, failed))
        return _Known(tuple(choices), targets, bool(targets))
