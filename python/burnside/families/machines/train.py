"""The cyclic train of Romijn and Springintveld (1999, section 7.2): a train on a ring of stations that is called and sent.

In: the number of stations, and the style. Out: the machine as the muCRL texts of appendix B define it, the report's pattern
(what one station sees, rotated to all stations), orders for kernels.

* The *plain* train is a labelled transition system: requests, and what the train does, are labels.
* The *Mealy* train answers every request, and the input WAIT, with what the train does. It is not input enabled: while the
  door closes and the train is about to leave, a request for its station has no answer.

A station lies to the left of another if the way to the right from the one to the other is at most half of the ring. The
texts have eight stations; with that, all of it holds for three or more.

The pattern is no symmetry: after symmetric requests one train goes to the left and the other to the right. The figures of
Table 2 are what the algorithm for kernels yields nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from burnside.diagnostics import UsageError
from burnside.families.machines.train_steps import KINDS, LEFT, NOTHING, OPPOSITE, RIGHT, Track, successors_of
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation

OWN = 1
"""The station that the template is about, as in the report."""

PUBLISHED_ORDERS: Mapping[int, tuple[int, ...]] = MappingProxyType(
    {
        4: (0, 2, 1, 3),
        5: (0, 2, 4, 3, 1),
        6: (0, 2, 5, 3, 4, 1),
        7: (0, 3, 6, 4, 5, 2, 1),
        8: (0, 2, 7, 3, 6, 4, 5, 1),
    }
)
"""Table 2: stations of the Mealy train, the least first. The plain trains of the table have descending orders."""

PLAIN_STATES = ("elsewhere", "elsewhere, requested", "here", "here, requested", "open")
MEALY_STATES = ("elsewhere", "elsewhere, requested", "here, requested", "open", "here", "passing")


def machine(stations: int, *, mealy: bool = True) -> StateMachine:
    """From a train at station 0, its door closed, without requests."""
    name = f"{'Mealy' if mealy else 'plain'} train with {stations} stations"
    return StateMachine.explore_successors(0, successors_of(Track(stations), mealy=mealy), name=name)


def template(stations: int, *, mealy: bool = True) -> StateMachine:
    """What station 1 sees of the train. Edges stand in the order of the report's listings."""
    builder = MachineBuilder(f"station {OWN} of {stations}")
    for state in MEALY_STATES if mealy else PLAIN_STATES:
        builder.state(state)
    for source, action, target in (_mealy_edges if mealy else _plain_edges)(Track(stations)):
        builder.edge(builder.states[source], action, builder.states[target])
    return builder.machine([0])


def pattern(stations: int, *, mealy: bool = True) -> Pattern:
    """One copy of the template for each station. That of station 0, where the train is at first, begins in the state "here";
    if it began as the others do, some traces were not covered."""
    found = template(stations, mealy=mealy)
    transformations = tuple(
        Transformation.of_words(
            f"station {station}",
            found,
            {str(each): str((each + station - OWN) % stations) for each in range(stations)},
        )
        for station in range(stations)
    )
    here = found.states.index("here")
    return Pattern(found, transformations, (here, *[0] * (stations - 1)))


def order(stations: int, ranking: Sequence[int] | None = None, *, mealy: bool = True) -> tuple[str, ...]:
    """Inputs of each kind by station. `ranking`: the stations, the least first; by default those of Table 2, and descending
    where it has none."""
    if ranking is None:
        descending = tuple(reversed(range(stations)))
        ranking = PUBLISHED_ORDERS.get(stations, descending) if mealy else descending
    if sorted(ranking) != list(range(stations)):
        given = ", ".join(map(str, ranking))
        raise UsageError(f"an order of {stations} stations has each of 0 to {stations - 1} once, not {given}")
    requests = [f"REQUEST {kind} {station}" for kind in KINDS for station in ranking]
    if mealy:
        return (*requests, "WAIT")
    moves = ("OPENDOOR", "CLOSEDOOR", f"MOVE{LEFT}", f"MOVE{RIGHT}")
    return (*requests, *(f"{move} {station}" for move in moves for station in ranking))


_Edges = Iterator[tuple[str, Action, str]]


def _plain_edges(track: Track) -> _Edges:
    away, called, here, waited_for, is_open = PLAIN_STATES
    requests = [Action(f"REQUEST {kind} {OWN}") for kind in KINDS]
    arrivals = [Action(f"MOVE{direction} {OWN}") for direction in (LEFT, RIGHT)]
    departures = [Action(f"MOVE{direction} {track.neighbour(OWN, direction)}") for direction in (LEFT, RIGHT)]
    yield from ((away, each, called) for each in requests)
    yield from ((away, each, here) for each in arrivals)
    yield from ((called, each, called) for each in requests)
    yield from ((called, each, waited_for) for each in arrivals)
    yield from ((here, each, waited_for) for each in requests)
    yield from ((here, each, away) for each in departures)
    yield from ((waited_for, each, waited_for) for each in requests)
    # Departures from a station that is requested cannot happen; the listing has them.
    yield from ((waited_for, each, called) for each in departures)
    yield waited_for, Action(f"OPENDOOR {OWN}"), is_open
    yield from ((is_open, each, is_open) for each in requests)
    yield is_open, Action(f"CLOSEDOOR {OWN}"), here


def _mealy_edges(track: Track) -> _Edges:
    away, called, waited_for, is_open, here, passing = MEALY_STATES
    requests = [Action(f"REQUEST {kind} {OWN}", NOTHING) for kind in KINDS]
    arrivals = [Action("WAIT", f"MOVE{direction} {OWN}") for direction in (LEFT, RIGHT)]
    departures = [
        Action("WAIT", f"MOVE{direction} {track.neighbour(OWN, direction)}") for direction in (LEFT, RIGHT)
    ]
    yield away, Action("WAIT", NOTHING), away
    yield from ((away, each, passing) for each in arrivals)
    yield from ((away, each, called) for each in requests)
    yield from _first_moves(track)
    yield from ((called, each, waited_for) for each in arrivals)
    yield from ((called, each, called) for each in requests)
    yield waited_for, Action("WAIT", f"OPENDOOR {OWN}"), is_open
    yield from ((waited_for, each, waited_for) for each in requests)
    yield is_open, Action("WAIT", f"CLOSEDOOR {OWN}"), here
    yield from ((is_open, each, is_open) for each in requests)
    yield here, Action("WAIT", f"DOORCLOSED {OWN}"), here
    yield from ((here, each, away) for each in departures)
    yield from ((here, Action(each.input, f"OPENDOOR {OWN}"), is_open) for each in requests)
    for direction in (RIGHT, LEFT):
        to = track.neighbour(OWN, direction)
        for station in _answered_by(track, direction, to=to):
            yield from ((here, each, away) for each in _answers(station, direction, to))
    yield from ((passing, each, away) for each in departures)
    yield from ((passing, each, waited_for) for each in requests)


def _first_moves(track: Track) -> _Edges:
    """Of an idle train elsewhere, upon a request: it arrives here, or is sent here from farther away, or passes by."""
    away, called, waited_for, _, _, passing = MEALY_STATES
    for direction in (LEFT, RIGHT):
        yield from ((away, each, waited_for) for each in _answers(OWN, direction, OWN))
    for direction in (LEFT, RIGHT):
        for to in range(track.count):
            if to != OWN and OWN in _answered_by(track, direction, to=to):
                yield from ((away, each, called) for each in _answers(OWN, direction, to))
    for direction in (RIGHT, LEFT):
        for station in _answered_by(track, direction, to=OWN):
            if station != OWN:
                yield from ((away, each, passing) for each in _answers(station, direction, OWN))


def _answered_by(track: Track, direction: str, *, to: int) -> list[int]:
    """The stations for which an idle train moves in a direction, to a station."""
    train = track.neighbour(to, OPPOSITE[direction])
    return [each for each in range(track.count) if track.towards(each, train) == direction]


def _answers(station: int, direction: str, to: int) -> list[Action]:
    return [Action(f"REQUEST {kind} {station}", f"MOVE{direction} {to}") for kind in KINDS]
