"""A walk through a net, step by step: by hand in the terminal, or at random.

In: a `Net`, lines that say what to do (or a number of random steps and a seed), a stream to print on. Out:
the finished `Simulation`, whose `record` is the JSON document of `burnside simulate --json`. Walks can be
repeated: equal net, seed and choices give equal steps. Where JSON is wanted, the conversation belongs on
standard error: pass that as `stdout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, TextIO

from burnside.net import Net
from burnside.report.drawing import marking_words, printable

SHOWN_ACTIONS = 40
"""Enabled transitions listed before the rest is only counted; all of them can be chosen."""

HELP = "number: fire   u: undo   s: state   t: trace   r N: N random steps   q: quit"


@dataclass(frozen=True, slots=True)
class Moment:
    """A marking and the transition that led to it; None at the start."""

    transition: int | None
    marking: tuple[int, ...]


class Simulation:
    """Where a walk is and how it got there. No input or output here."""

    def __init__(self, net: Net, seed: int = 0) -> None:
        self.net = net
        self.history = [Moment(None, net.initial)]
        self._random = Random(seed)

    @property
    def state(self) -> tuple[int, ...]:
        return self.history[-1].marking

    @property
    def deadlock(self) -> bool:
        return not self.enabled()

    def enabled(self) -> list[int]:
        return self.net.enabled(self.state)

    def step(self, choice: int) -> None:
        """Fire the enabled transition at that position, counted from 0; IndexError where there is none."""
        enabled = self.enabled()
        if not 0 <= choice < len(enabled):
            raise IndexError(choice)
        self.history.append(Moment(enabled[choice], self.net.fire(self.state, enabled[choice])))

    def undo(self) -> bool:
        """Take the last step back; False at the start."""
        if len(self.history) == 1:
            return False
        self.history.pop()
        return True

    def random_steps(self, steps: int) -> int:
        """Fire up to that many transitions drawn at random; fewer in a deadlock. How many were fired."""
        for done in range(steps):
            enabled = self.enabled()
            if not enabled:
                return done
            self.step(self._random.randrange(len(enabled)))
        return steps

    def record(self, model: str) -> dict[str, Any]:
        """The walk as JSON data; states name their marked places only."""
        return {
            "command": "simulate",
            "model": model,
            "steps": [
                {"action": self.name_of(moment), "state": self._named(moment.marking)}
                for moment in self.history
            ],
            "deadlock": self.deadlock,
        }

    def name_of(self, moment: Moment) -> str | None:
        return None if moment.transition is None else self.net.transitions[moment.transition]

    def _named(self, marking: tuple[int, ...]) -> dict[str, str]:
        return {name: str(count) for name, count in zip(self.net.places, marking, strict=True) if count}


def run(net: Net, *, steps: int | None, seed: int, stdin: Iterable[str], stdout: TextIO) -> Simulation:
    """With `steps` a random walk and its trace; without, a conversation until `q` or the end of input."""
    simulation = Simulation(net, seed)
    if steps is None:
        _converse(simulation, stdin, stdout)
    else:
        simulation.random_steps(steps)
        _print(stdout, _trace_lines(simulation))
        if simulation.deadlock:
            _print(stdout, ["deadlock: no transition is enabled"])
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
            return [_state_line(simulation)]
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
    return _situation(simulation)


def _walk(simulation: Simulation, steps: int) -> list[str]:
    done = simulation.random_steps(steps)
    return [*list(_trace_lines(simulation))[len(simulation.history) - done :], *_situation(simulation)]


def _situation(simulation: Simulation) -> list[str]:
    """The state and what can happen in it."""
    enabled = simulation.enabled()
    width = len(str(len(enabled)))
    lines = [_state_line(simulation)]
    for number, transition in enumerate(enabled[:SHOWN_ACTIONS], 1):
        lines.append(f"  {number:>{width}}  {printable(simulation.net.transitions[transition])}")
    if len(enabled) > SHOWN_ACTIONS:
        lines.append(f"  ... and {len(enabled) - SHOWN_ACTIONS:,} more, up to {len(enabled)}")
    if not enabled:
        lines.append("  deadlock: no transition is enabled")
    return lines


def _state_line(simulation: Simulation) -> str:
    return f"[{len(simulation.history) - 1}] {_marked(simulation, simulation.state)}"


def _marked(simulation: Simulation, marking: tuple[int, ...]) -> str:
    return " ".join(marking_words(simulation.net, marking)) or "no tokens"


def _trace_lines(simulation: Simulation) -> Iterator[str]:
    names = [printable(simulation.name_of(moment) or "initial") for moment in simulation.history]
    width, digits = max(map(len, names)), len(str(len(names) - 1))
    for number, (name, moment) in enumerate(zip(names, simulation.history, strict=True)):
        yield f"{number:>{digits}}  {name:<{width}}  {_marked(simulation, moment.marking)}"


def _print(stdout: TextIO, lines: Iterable[str]) -> None:
    stdout.writelines(f"{line}\n" for line in lines)


def _prompt(stdout: TextIO) -> None:
    stdout.write("> ")
    stdout.flush()
