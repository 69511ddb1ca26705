"""A run as a message-sequence chart: what each process does in each step, and which message goes from whom to whom.

In: the steps of a run in words, as traces and walks show them (`client(5) 14: q!ask(id)`, states by name and text). Out: a
`Chart`, plain data. A rendezvous names both processes; what is sent through a queue is followed there until it is received.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from burnside.records import field, record
from burnside.words import PROCESS

STEP = re.compile(r"(?P<process>\w+\(\d+\)) (?P<line>\d+): (?P<text>.*)")
PARTNER = re.compile(r" -> (?=\w+\(\d+\) \d+: )")
NAME = re.compile(r"(?<![\w.\[])[A-Za-z_]\w*(?![\w.(\[])")
MESSAGE = re.compile(r"[^;]*?!!?(?P<message>.*)")


@record
class Event:
    """What a process does in a step."""

    step: int
    process: str
    line: int
    text: str


@record
class Message:
    """`sent`, `received`: in which steps; None where it is still in the queue. `channel`: None for a rendezvous."""

    text: str
    channel: str | None
    sender: str
    sent: int
    receiver: str | None
    received: int | None


@record
class Chart:
    """`lives`: by process, the first and the last step in whose state it exists; None where that is the end of the chart."""

    title: str
    processes: tuple[str, ...]
    lives: Mapping[str, tuple[int, int | None]]
    events: tuple[Event, ...]
    messages: tuple[Message, ...]
    steps: int
    ends: str | None = None
    """What is wrong at the end."""
    loop_start: int | None = None
    idle: tuple[str, ...] = ()
    """Processes that do nothing, and are not among the others."""


States = Sequence[Mapping[str, str]]


def chart(
    title: str,
    actions: Sequence[str],
    states: States,
    ends: str | None = None,
    loop_start: int | None = None,
) -> Chart | None:
    """`states`: before the first action, and after each. None where actions are not those of processes."""
    events = [event for number, action in enumerate(actions, start=1) for event in _events(number, action)]
    if {event.step for event in events} != set(range(1, len(actions) + 1)):
        return None
    lives = _lives(states)
    for event in events:
        lives.setdefault(event.process, (event.step, None))
    processes = sorted(lives, key=lambda name: (int(name.rpartition("(")[2].rstrip(")")), lives[name], name))
    acting = {event.process for event in events}
    idle = tuple(name for name in processes if name not in acting)
    processes = [name for name in processes if name in acting]
    messages = (*_handshakes(events, states), *_followed(events, states))
    ordered = tuple(sorted(messages, key=lambda each: each.sent))
    return Chart(title, tuple(processes), lives, tuple(events), ordered, len(actions), ends, loop_start, idle)


def _events(number: int, action: str) -> Iterator[Event]:
    for part in PARTNER.split(action):
        if found := STEP.fullmatch(part):
            yield Event(number, found["process"], int(found["line"]), found["text"])


def _lives(states: States) -> dict[str, tuple[int, int | None]]:
    found: dict[str, tuple[int, int | None]] = {}
    for number, state in enumerate(states):
        here = {name for name in state if (match := PROCESS.fullmatch(name)) and match[2] is None}
        for name in here:
            first = found.get(name, (number, None))[0]
            found[name] = first, None
        for name, (first, last) in found.items():
            if last is None and name not in here:
                found[name] = first, number
    return found


def _handshakes(events: Sequence[Event], states: States) -> Iterator[Message]:
    for one, other in pairwise(events):
        if one.step == other.step and (sent := MESSAGE.match(one.text)):
            text = _with_values(sent["message"], one.process, states[one.step - 1])
            yield Message(text, None, one.process, one.step, other.process, one.step)


def _with_values(message: str, process: str, state: Mapping[str, str]) -> str:
    """With the values of variables in place of their names."""

    def value(found: re.Match[str]) -> str:
        name = found[0]
        if name == "_pid":
            return process.rpartition("(")[2].rstrip(")")
        return state.get(f"{process}:{name}", state.get(name, name))

    return NAME.sub(value, message)


@record(frozen=False, eq=False)
class _Queue:
    """Messages on their way: text, sender, step."""

    name: str
    waiting: list[tuple[str, str, int]] = field(default_factory=list)


def _followed(events: Sequence[Event], states: States) -> Iterator[Message]:
    """Messages that are put into queues and taken out of them."""
    actors = {event.step: event.process for event in reversed(events)}
    queues: dict[str, _Queue] = {}
    for number, (before, after) in enumerate(pairwise(states), start=1):
        for name in {**before, **after}:
            old, new = before.get(name, "[]"), after.get(name, "[]")
            if old != new and _is_queue(old) and _is_queue(new):
                queue = queues.setdefault(name, _Queue(name))
                yield from _changed(queue, messages_in(old), messages_in(new), actors[number], number)
    for queue in queues.values():
        for text, sender, sent in queue.waiting:
            yield Message(text, queue.name, sender, sent, None, None)


def _changed(queue: _Queue, old: list[str], new: list[str], process: str, step: int) -> Iterator[Message]:
    """What left was received by the process that acts, what is new was sent by it."""
    queue.waiting = [*queue.waiting, *((text, "", 0) for text in old[len(queue.waiting) :])]
    kept = _kept(old, new)
    for at, (text, sender, sent) in enumerate(queue.waiting):
        if at not in kept and sender:
            yield Message(text, queue.name, sender, sent, process, step)
    by_place = {place: queue.waiting[at] for at, place in kept.items()}
    queue.waiting = [by_place.get(place, (text, process, step)) for place, text in enumerate(new)]


def _kept(old: list[str], new: list[str]) -> dict[int, int]:
    """Which of the old messages are still there, and where: the oldest go first, new ones come last, if it can be so."""
    for taken in range(len(old)):
        if old[taken:] == new[: len(old) - taken]:
            return {at: at - taken for at in range(taken, len(old))}
    found: dict[int, int] = {}
    place = 0
    for at, text in enumerate(old):
        if text in new[place:]:
            found[at] = new.index(text, place)
            place = found[at] + 1
    return found


def _is_queue(text: str) -> bool:
    return text.startswith("[") and text.endswith("]")


def messages_in(text: str) -> list[str]:
    """`[ack(1, 2), (3, 4)]` has two."""
    found, depth, start = [], 0, 1
    for at, sign in enumerate(text[1:-1], start=1):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    last = text[start:-1].strip()
    return [*found, last] if last else found
