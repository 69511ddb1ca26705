"""What the cyclic train does: its states, their successors, and the geometry of the ring.

In: the number of stations, and the style. Out: the function from states to successors, as the muCRL texts of Romijn and
Springintveld (1999, appendix B) define it. States are numbers: that of the train, behind it the bits of requests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from burnside.records import record, replace
from burnside.testing.machine import Action

KINDS = ("CALL", "SEND")
NOTHING = "NO_OUTPUT"
NONE, LEFT, RIGHT = "NONE", "LEFT", "RIGHT"
OPPOSITE = {LEFT: RIGHT, RIGHT: LEFT}


class Track:
    """The ring of stations, and the bits by which a state remembers what is requested."""

    def __init__(self, stations: int) -> None:
        self.count = stations

    def is_left(self, one: int, other: int) -> bool:
        """Two opposite stations are to the left, and to the right, of each other."""
        return 1 <= (other - one) % self.count <= self.count // 2

    def neighbour(self, station: int, direction: str) -> int:
        return (station + (1 if direction == RIGHT else -1)) % self.count

    def towards(self, station: int, train: int) -> str:
        """Where a request for a station sends a train that has nothing to do."""
        if station == train:
            return NONE
        return LEFT if self.is_left(station, train) else RIGHT

    def bit(self, kind: str, station: int) -> int:
        return 1 << 2 * station + KINDS.index(kind)

    def bits(self, stations: Iterable[int]) -> int:
        return sum(self.bit(kind, station) for station in stations for kind in KINDS)

    def on_side(self, direction: str, of: int) -> list[int]:
        """The stations to the left or to the right of one, ascending."""
        return [
            each
            for each in range(self.count)
            if (self.is_left(each, of) if direction == LEFT else self.is_left(of, each))
        ]


@record
class _Train:
    """All of a state but the requests. `closing`: the door was closed by the last step of the train (Mealy only)."""

    station: int
    is_open: bool
    is_closing: bool
    direction: str


@record
class _Requests:
    """What a step depends on: is the train's station requested, and is there a request to the left or to the right of the
    station that it would move to?"""

    here: bool
    left: bool
    right: bool


@record
class _Step:
    """`recorded`, `removed`: bits of requests."""

    action: Action
    after: _Train
    recorded: int = 0
    removed: int = 0


def successors_of(track: Track, *, mealy: bool) -> Callable[[int], list[tuple[Action, int]]]:
    """By state: actions and next states. They are looked up by the train and by the requests that matter, so that millions
    of states cost little more than their edges. State 0 is the initial one: at station 0, the door closed, no requests."""
    steps = _mealy_steps if mealy else _plain_steps
    size = 2 * track.count
    trains = [
        _Train(*each)
        for each in product(range(track.count), (False, True), (False, True), (NONE, LEFT, RIGHT))
    ]
    number = {train: at << size for at, train in enumerate(trains)}
    known: dict[Action, Action] = {}
    table = []
    for train in trains:
        rows = {}
        for answers in product((False, True), repeat=3):
            rows[answers] = [
                (
                    known.setdefault(step.action, step.action),
                    step.recorded | step.removed,
                    step.removed | number[train] ^ number[step.after],
                )
                for step in steps(track, train, _Requests(*answers))
            ]
        table.append((track.bits([train.station]), *_sides(track, train, mealy), rows))

    def successors(state: int) -> list[tuple[Action, int]]:
        here, left, right, rows = table[state >> size]
        row = rows[state & here != 0, state & left != 0, state & right != 0]
        return [(action, (state | setting) ^ inverting) for action, setting, inverting in row]

    return successors


def _sides(track: Track, train: _Train, mealy: bool) -> tuple[int, int]:
    """The bits of requests to the left and to the right of the station that the train would move to. `isleftreq` and
    `isrightreq` of the plain train look only at the first station on that side, in the order of the list of requests."""
    to = track.neighbour(train.station, train.direction)
    left, right = (track.on_side(direction, to) for direction in (LEFT, RIGHT))
    return (track.bits(left), track.bits(right)) if mealy else (track.bits(left[:1]), track.bits(right[:1]))


def _plain_steps(track: Track, train: _Train, requests: _Requests) -> Iterator[_Step]:
    for kind, station in product(KINDS, range(track.count)):
        yield _recorded(track, train, kind, station, None)
    if train.is_open:
        yield _Step(Action(f"CLOSEDOOR {train.station}"), replace(train, is_open=False))
    elif requests.here:
        own = track.bits([train.station])
        yield _Step(Action(f"OPENDOOR {train.station}"), replace(train, is_open=True), removed=own)
    elif train.direction != NONE:
        moved = _moved(track, train, requests, without_requests=train.direction)
        yield _Step(Action(f"MOVE{train.direction} {moved.station}"), moved)


def _mealy_steps(track: Track, train: _Train, requests: _Requests) -> Iterator[_Step]:
    for kind, station in product(KINDS, range(track.count)):
        yield from _requested(track, train, requests, kind, station)
    own = track.bits([train.station])
    if train.is_open:
        closing = replace(train, is_open=False, is_closing=True)
        yield _Step(Action("WAIT", f"CLOSEDOOR {train.station}"), closing)
    elif requests.here:
        opened = replace(train, is_open=True, is_closing=False)
        yield _Step(Action("WAIT", f"OPENDOOR {train.station}"), opened, removed=own)
    elif train.direction != NONE:
        moved = _moved(track, train, requests, without_requests=NONE)
        yield _Step(Action("WAIT", f"MOVE{train.direction} {moved.station}"), moved)
    elif train.is_closing:
        yield _Step(Action("WAIT", f"DOORCLOSED {train.station}"), replace(train, is_closing=False))
    else:
        yield _Step(Action("WAIT", NOTHING), train)


def _requested(track: Track, train: _Train, requests: _Requests, kind: str, station: int) -> Iterator[_Step]:
    """The answer of the Mealy train to a request; none where it is not possible."""
    given = f"REQUEST {kind} {station}"
    is_free = train.direction == NONE and not requests.here
    is_here = station == train.station
    if train.is_open or (not is_free and not train.is_closing) or (train.is_closing and not is_here):
        yield _recorded(track, train, kind, station, NOTHING)
    elif is_free and is_here:
        opened = replace(train, is_open=True, is_closing=False)
        yield _Step(Action(given, f"OPENDOOR {station}"), opened)
    elif is_free:
        direction = track.towards(station, train.station)
        to = track.neighbour(train.station, direction)
        moved = _Train(to, False, False, NONE if station == to else direction)
        yield _Step(Action(given, f"MOVE{direction} {to}"), moved, recorded=track.bit(kind, station))


def _recorded(track: Track, train: _Train, kind: str, station: int, output: str | None) -> _Step:
    """A request that is noted down, and gives a direction to a train that has none."""
    direction = track.towards(station, train.station) if train.direction == NONE else train.direction
    bit = 0 if train.is_open and station == train.station else track.bit(kind, station)
    return _Step(
        Action(f"REQUEST {kind} {station}", output), replace(train, direction=direction), recorded=bit
    )


def _moved(track: Track, train: _Train, requests: _Requests, *, without_requests: str) -> _Train:
    """One station further; there the train goes on, or turns round if there are only requests behind it."""
    direction = train.direction
    ahead, behind = (requests.left, requests.right) if direction == LEFT else (requests.right, requests.left)
    after = direction if ahead else OPPOSITE[direction] if behind else without_requests
    return _Train(track.neighbour(train.station, direction), False, False, after)
