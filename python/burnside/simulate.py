"""Walks in the terminal: by hand, or at random.

In: the semantics of a model, lines that say what to do (or a number of random steps and a seed), a stream to print on. Out:
the finished `Walk`. Where JSON is wanted, the conversation belongs on standard error: pass that as `stdout`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TextIO

from burnside.semantics import Semantics
from burnside.walk import StepFails, Walk
from burnside.words import column_width, printable

SHOWN_ACTIONS = 40
"""Enabled actions listed before the rest is only counted; all of them can be chosen."""

HELP = "number: fire   u: undo   s: state   t: trace   r N: N random steps   q: quit"


def run(
    semantics: Semantics[Any, Any, Any],
    *,
    steps: int | None,
    seed: int,
    stdin: Iterable[str],
    stdout: TextIO,
    deadlock_is_error: bool = False,
) -> Walk:
    """With `steps` a random walk up to the first violation, and its trace; without, a conversation until `q` or the end of
    input."""
    walk = Walk(semantics, seed, deadlock_is_error=deadlock_is_error)
    if steps is None:
        _converse(walk, stdin, stdout)
    else:
        walk.walk(steps)
        events = [printable(event.line()) for event in walk.events()]
        _print(stdout, [*_trace_lines(walk), *_ending(walk), *events])
    return walk


def _converse(walk: Walk, stdin: Iterable[str], stdout: TextIO) -> None:
    _print(stdout, [HELP, *_situation(walk)])
    _prompt(stdout)
    for line in stdin:
        answer = _answer(walk, line.split())
        if answer is None:
            return
        _print(stdout, answer)
        _prompt(stdout)
    _print(stdout, [""])


def _answer(walk: Walk, words: list[str]) -> list[str] | None:
    """Do what a line says; the lines to show, None to end."""
    match words:
        case []:
            return _situation(walk)
        case ["q" | "quit"]:
            return None
        case ["u" | "undo"]:
            return _situation(walk) if walk.undo() else ["this is the start: nothing to undo"]
        case ["s" | "state"]:
            return _whole_state(walk)
        case ["t" | "trace"]:
            return list(_trace_lines(walk))
        case ["r" | "random"]:
            return _random(walk, 1)
        case ["r" | "random", count] if _is_number(count):
            return _random(walk, int(count))
        case [number] if _is_number(number):
            return _fire(walk, int(number))
        case _:
            return [HELP]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _fire(walk: Walk, number: int) -> list[str]:
    try:
        walk.step(number - 1)
    except IndexError:
        choices = len(walk.choices())
        return [f"choose a number from 1 to {choices}" if choices else "nothing is enabled: u undoes"]
    except StepFails as failure:
        return [f"this step fails, and is not taken: {printable(str(failure))}"]
    return _situation(walk)


def _random(walk: Walk, steps: int) -> list[str]:
    before = len(walk.history)
    failed = walk.random_steps(steps)
    walked = list(_trace_lines(walk))[before:]
    if failed is not None:
        walked.append(
            f"this step fails, and is not taken: {printable(f'{failed.action}: {failed.remark.text}')}"
        )
    return [*walked, *_situation(walk)]


def _situation(walk: Walk) -> list[str]:
    """The state and what can happen in it."""
    choices = walk.choices()
    width = len(str(len(choices)))
    lines = _here(walk)
    for number, choice in enumerate(choices[:SHOWN_ACTIONS], 1):
        fails = "" if choice.failure is None else f"   fails: {choice.failure}"
        lines.append(f"  {number:>{width}}  {printable((choice.name or '') + fails)}")
    if len(choices) > SHOWN_ACTIONS:
        lines.append(f"  ... and {len(choices) - SHOWN_ACTIONS:,} more, up to {len(choices)}")
    return [*lines, *(f"  {line}" for line in _ending(walk))]


def _here(walk: Walk) -> list[str]:
    """What is new about where we are, and what is wrong with it."""
    if not walk.started:
        return ["choose a start state:"]
    last = len(walk.history) - 1
    state = walk.semantics.lines(walk.state) if last == 0 else [walk.summary(last)]
    remarks = [f"{remark.label}: {remark.text}" for remark in walk.remarks(walk.state)]
    printed = [f"prints: {line}" for line in walk.history[last].printed_lines]
    return _numbered(last, [*state, *printed, *remarks])


def _whole_state(walk: Walk) -> list[str]:
    if not walk.started:
        return ["there is no state yet: choose a start state"]
    return _numbered(len(walk.history) - 1, walk.semantics.lines(walk.state))


def _numbered(number: int, lines: Sequence[str]) -> list[str]:
    """The first line begins with the number, the others with as many blanks."""
    label = f"[{number}] "
    return [f"{label if at == 0 else ' ' * len(label)}{printable(line)}" for at, line in enumerate(lines)]


def _ending(walk: Walk) -> list[str]:
    """Why a walk ends here, if it does."""
    enabled, noun = walk.choices(), walk.semantics.noun
    if walk.deadlock:
        return [
            f"deadlock: every {noun} leads back to this state"
            if enabled
            else f"deadlock: no {noun} is enabled"
        ]
    if walk.ended:
        return [f"a proper end: no {noun} leads on" if enabled else f"a proper end: no {noun} is enabled"]
    if enabled and all(choice.failure is not None for choice in enabled):
        return ["everything that can be chosen here fails"]
    return [] if enabled else ["nothing can be chosen here: assumptions rule out what is enabled"]


def _trace_lines(walk: Walk) -> Iterator[str]:
    if not walk.started:
        return
    names = [printable(moment.name or "initial") for moment in walk.history]
    width, digits = column_width(names), len(str(len(names) - 1))
    for number, name in enumerate(names):
        what = printable(walk.summary(number))
        if len(name) > width:
            yield f"{number:>{digits}}  {name}"
            yield f"{'':>{digits}}  {'':<{width}}  {what}"
        else:
            yield f"{number:>{digits}}  {name:<{width}}  {what}"
        yield from (
            f"{'':>{digits}}  prints: {printable(line)}" for line in walk.history[number].printed_lines
        )


def _print(stdout: TextIO, lines: Iterable[str]) -> None:
    stdout.writelines(f"{line}\n" for line in lines)


def _prompt(stdout: TextIO) -> None:
    stdout.write("> ")
    stdout.flush()
