"""A walk through a model, step by step: by hand in the terminal, or at random.

In: a net or a program, lines that say what to do (or a number of random steps and a seed), a stream to print on. Out:
the finished `Simulation`, whose `record` is the JSON document of `burnside simulate --json`. Walks can be
repeated: equal model, seed and choices give equal steps. Where JSON is wanted, the conversation belongs on
standard error: pass that as `stdout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, TextIO

from burnside.ir.program import Program
from burnside.ir.sets.machine import Machine
from burnside.net import Net
from burnside.records import record
from burnside.report.words import printable
from burnside.walkable import Choice, State, walkable

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


class Fails(Exception):
    """What was chosen cannot be done, for the reason given."""


class Simulation:
    """Where a walk is and how it got there. No input or output here. Where there are several ways to start, or the only one
    fails, the history is empty until one was chosen."""

    def __init__(self, subject: Net | Program | Machine, seed: int = 0) -> None:
        self.model = walkable(subject)
        self.history: list[Moment] = []
        self._random = Random(seed)
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

    def random_steps(self, steps: int) -> int:
        """Up to that many steps drawn at random, after a start where there is none yet. Fewer where no step leads on or
        all fail. How many were taken."""
        if not self.started and not self._draw():
            return 0
        for done in range(steps):
            if self.deadlock or not self._draw():
                return done
        return steps

    def _draw(self) -> bool:
        able = [number for number, choice in enumerate(self.enabled()) if choice.failure is None]
        if able:
            self.step(able[self._random.randrange(len(able))])
        return bool(able)

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
        }


def run(
    subject: Net | Program | Machine, *, steps: int | None, seed: int, stdin: Iterable[str], stdout: TextIO
) -> Simulation:
    """With `steps` a random walk and its trace; without, a conversation until `q` or the end of input."""
    simulation = Simulation(subject, seed)
    if steps is None:
        _converse(simulation, stdin, stdout)
    else:
        simulation.random_steps(steps)
        remarks = simulation.model.remarks(simulation.state) if simulation.started else []
        _print(stdout, [*_trace_lines(simulation), *map(printable, remarks), *_ending(simulation)])
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
    simulation.random_steps(steps)
    return [*list(_trace_lines(simulation))[before:], *_situation(simulation)]


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
    return _numbered(last, [*state, *simulation.model.remarks(simulation.state)])


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
