"""A walk through a model, step by step: by hand in the terminal, or at random.

In: a net or a program, lines that say what to do (or a number of random steps and a seed), a stream to print on. Out:
the finished `Simulation`, whose `record` is the JSON document of `burnside simulate --json`. Walks can be
repeated: equal model, seed and choices give equal steps. Where JSON is wanted, the conversation belongs on
standard error: pass that as `stdout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Any, TextIO

from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.net import Net
from burnside.records import record
from burnside.report.words import printable
from burnside.walkable import Choice, Remark, State, walkable

SHOWN_ACTIONS = 40
"""Enabled actions listed before the rest is only counted; all of them can be chosen."""

HELP = "number: fire   u: undo   s: state   t: trace   r N: N random steps   q: quit"


@record
class Moment:
    """A state and what was chosen to get there: at first a way to start."""

    choice: Choice
    state: State

    @property
    def name(self) -> str | None:
        """None for the start of a net, which has no name."""
        return self.choice.name or None


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
        told = {} if remark.message is None else {"message": remark.message}
        return {"step": self.step, "action": self.action, "kind": remark.kind, "name": remark.name, **told}


class Fails(Exception):
    """What was chosen cannot be done, for the reason given."""


class Simulation:
    """Where a walk is and how it got there. No input or output here. Where there are several ways to start, or the only one
    fails, the history is empty until one was chosen."""

    def __init__(
        self, subject: Net | Program | Machine, seed: int = 0, *, deadlock_is_error: bool = False
    ) -> None:
        self.model = walkable(subject)
        self.history: list[Moment] = []
        self.failed: Event | None = None
        """The step that ended a walk by failing."""
        self._deadlock_is_error = deadlock_is_error
        self._random = Random(seed)
        self._remarks = lru_cache(maxsize=None)(self.model.remarks)
        starts = self.model.starts()
        if len(starts) == 1 and starts[0].failure is None:
            self.step(0)
        self._beginning = len(self.history)

    @property
    def state(self) -> State:
        """IndexError before the start."""
        return self.history[-1].state

    @property
    def started(self) -> bool:
        return bool(self.history)

    @property
    def deadlock(self) -> bool:
        return self.started and self.model.is_dead(self.state)

    def enabled(self) -> Sequence[Choice]:
        """What can be chosen; steps that fail are among it."""
        return self.model.choices(self.state) if self.started else self.model.starts()

    def step(self, choice: int) -> None:
        """Do what stands at that position, counted from 0; IndexError where nothing does, `Fails` where it fails."""
        enabled = self.enabled()
        if not 0 <= choice < len(enabled):
            raise IndexError(choice)
        chosen = enabled[choice]
        if chosen.failure is not None:
            raise Fails(chosen.failure)
        after = self.model.fire(self.state, chosen) if self.started else self.model.start(chosen)
        self.history.append(Moment(chosen, after))

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
            enabled = self.enabled()
            if self.deadlock or not enabled:
                break
            chosen = self._random.randrange(len(enabled))
            if (failed := enabled[chosen].failed) is not None:
                return Event(len(self.history), enabled[chosen].name, failed)
            self.step(chosen)
            if self._is_violating(self.state):
                break
        return None

    def walk(self, steps: int) -> None:
        """As `random_steps` from the beginning, which is looked at too; a step that fails is kept."""
        if not self.started or not self._is_violating(self.state):
            self.failed = self.random_steps(steps)

    def _is_violating(self, state: State) -> bool:
        return any(remark.is_violation for remark in self._remarks(state))

    def events(self) -> list[Event]:
        """What was violated or reached on the way here, step by step."""
        found = [
            Event(number, moment.name, remark)
            for number, moment in enumerate(self.history)
            for remark in self._remarks(moment.state)
        ]
        if self._deadlock_is_error and self.deadlock:
            found.append(Event(len(self.history) - 1, self.history[-1].name, Remark("deadlock", "deadlock")))
        if not self.started and not self.enabled() and (missing := self.model.missing_start()) is not None:
            found.append(Event(0, None, missing))
        return found if self.failed is None else [*found, self.failed]

    def violations(self) -> list[Event]:
        return [event for event in self.events() if event.remark.is_violation]

    def summary(self, number: int) -> str:
        """The state at that point of the walk, in a line."""
        before = self.history[number - 1].state if number else None
        return self.model.summary(self.history[number].state, before)

    def record(self, model: str) -> dict[str, Any]:
        """The walk as JSON data; states of a net name their marked places only."""
        return {
            "command": "simulate",
            "model": model,
            "steps": [
                {"action": moment.name, "state": self.model.record(moment.state)} for moment in self.history
            ],
            "deadlock": self.deadlock,
            "violations": [event.record() for event in self.violations()],
            "reached": [event.record() for event in self.events() if not event.remark.is_violation],
        }


def run(
    subject: Net | Program | Machine,
    *,
    steps: int | None,
    seed: int,
    stdin: Iterable[str],
    stdout: TextIO,
    deadlock_is_error: bool = False,
) -> Simulation:
    """With `steps` a random walk up to the first violation, and its trace; without, a conversation until `q` or the end of
    input."""
    simulation = Simulation(subject, seed, deadlock_is_error=deadlock_is_error)
    if steps is None:
        _converse(simulation, stdin, stdout)
    else:
        simulation.walk(steps)
        events = [printable(event.line()) for event in simulation.events()]
        _print(stdout, [*_trace_lines(simulation), *_ending(simulation), *events])
    return simulation


def _converse(simulation: Simulation, stdin: Iterable[str], stdout: TextIO) -> None:
    _print(stdout, [HELP, *_situation(simulation)])
    _prompt(stdout)
    for line in stdin:
        answer = _answer(simulation, line.split())
        if answer is None:
            return
        _print(stdout, answer)
        _prompt(stdout)
    _print(stdout, [""])


def _answer(simulation: Simulation, words: list[str]) -> list[str] | None:
    """Do what a line says; the lines to show, None to end."""
    match words:
        case []:
            return _situation(simulation)
        case ["q" | "quit"]:
            return None
        case ["u" | "undo"]:
            return _situation(simulation) if simulation.undo() else ["this is the start: nothing to undo"]
        case ["s" | "state"]:
            return _whole_state(simulation)
        case ["t" | "trace"]:
            return list(_trace_lines(simulation))
        case ["r" | "random"]:
            return _walk(simulation, 1)
        case ["r" | "random", count] if _is_number(count):
            return _walk(simulation, int(count))
        case [number] if _is_number(number):
            return _fire(simulation, int(number))
        case _:
            return [HELP]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _fire(simulation: Simulation, number: int) -> list[str]:
    try:
        simulation.step(number - 1)
    except IndexError:
        choices = len(simulation.enabled())
        return [f"choose a number from 1 to {choices}" if choices else "nothing is enabled: u undoes"]
    except Fails as failure:
        return [f"this step fails, and is not taken: {printable(str(failure))}"]
    return _situation(simulation)


def _walk(simulation: Simulation, steps: int) -> list[str]:
    before = len(simulation.history)
    failed = simulation.random_steps(steps)
    walked = list(_trace_lines(simulation))[before:]
    if failed is not None:
        walked.append(
            f"this step fails, and is not taken: {printable(f'{failed.action}: {failed.remark.text}')}"
        )
    return [*walked, *_situation(simulation)]


def _situation(simulation: Simulation) -> list[str]:
    """The state and what can happen in it."""
    enabled = simulation.enabled()
    width = len(str(len(enabled)))
    lines = _here(simulation)
    for number, choice in enumerate(enabled[:SHOWN_ACTIONS], 1):
        fails = "" if choice.failure is None else f"   fails: {choice.failure}"
        lines.append(f"  {number:>{width}}  {printable(choice.name + fails)}")
    if len(enabled) > SHOWN_ACTIONS:
        lines.append(f"  ... and {len(enabled) - SHOWN_ACTIONS:,} more, up to {len(enabled)}")
    return [*lines, *(f"  {line}" for line in _ending(simulation))]


def _here(simulation: Simulation) -> list[str]:
    """What is new about where we are, and what is wrong with it."""
    if not simulation.started:
        return ["choose a start state:"]
    last = len(simulation.history) - 1
    state = simulation.model.lines(simulation.state) if last == 0 else [simulation.summary(last)]
    remarks = [f"{remark.label}: {remark.text}" for remark in simulation.model.remarks(simulation.state)]
    return _numbered(last, [*state, *remarks])


def _whole_state(simulation: Simulation) -> list[str]:
    if not simulation.started:
        return ["there is no state yet: choose a start state"]
    return _numbered(len(simulation.history) - 1, simulation.model.lines(simulation.state))


def _numbered(number: int, lines: Sequence[str]) -> list[str]:
    """The first line begins with the number, the others with as many blanks."""
    label = f"[{number}] "
    return [f"{label if at == 0 else ' ' * len(label)}{printable(line)}" for at, line in enumerate(lines)]


def _ending(simulation: Simulation) -> list[str]:
    """Why a walk ends here, if it does."""
    enabled, noun = simulation.enabled(), simulation.model.noun
    if simulation.deadlock:
        return [
            f"deadlock: every {noun} leads back to this state"
            if enabled
            else f"deadlock: no {noun} is enabled"
        ]
    if enabled and all(choice.failure is not None for choice in enabled):
        return ["everything that can be chosen here fails"]
    return [] if enabled else ["nothing can be chosen here: assumptions rule out what is enabled"]


def _trace_lines(simulation: Simulation) -> Iterator[str]:
    if not simulation.started:
        return
    names = [printable(moment.name or "initial") for moment in simulation.history]
    width, digits = max(map(len, names)), len(str(len(names) - 1))
    for number, name in enumerate(names):
        yield f"{number:>{digits}}  {name:<{width}}  {printable(simulation.summary(number))}"


def _print(stdout: TextIO, lines: Iterable[str]) -> None:
    stdout.writelines(f"{line}\n" for line in lines)


def _prompt(stdout: TextIO) -> None:
    stdout.write("> ")
    stdout.flush()
