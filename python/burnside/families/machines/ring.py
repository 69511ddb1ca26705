"""The ring leader election of Romijn and Springintveld (1999, section 7.3; from Garavel and Mounier): stations on a ring
whose links lose messages. Stations may fail; the one that holds the token has the resource.

In: the number of stations; the report has three. Out: the machine as the muCRL text of appendix C defines it, a labelled
transition system; the report's pattern (one station by itself, rotated to all stations), orders for kernels.

The machine is not deterministic: a link keeps or loses a message under the same label. For a kernel it has to be
determinised first. With three stations it has 145,094 states; Table 3 is about its quotient by bisimulation, which has
37,764.

A claim carries the address of a candidate and its round; a station passes on those of others, and is elected by its own of
this round. Failed stations only pass on. By the text, station and link take part in one action: both in REC, or both in SND.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation

STATIONS = 3
ROUNDS = ("F", "T")
OTHER = {"F": "T", "T": "F"}
ELECTION, IDLE = "election T", "idle"
"""The initial states of a station and of a link."""

Local = Sequence[tuple[str, str]]
"""Labels and next states of a station or of a link."""
State = tuple[str, ...]
"""Of all stations, then of all links."""


def machine(stations: int = STATIONS) -> StateMachine:
    """From a ring where all stations are in an election and all links are idle."""
    initial = (ELECTION,) * stations + (IDLE,) * stations
    return StateMachine.explore_successors(initial, _successors(stations), name=f"ring of {stations}")


def _successors(stations: int) -> Callable[[State], list[tuple[Action, State]]]:
    actions: dict[str, Action] = {}
    own = [_reachable(ELECTION, _station(stations, address)) for address in range(stations)]
    links = [_reachable(IDLE, _link(stations, address)) for address in range(stations)]
    # By station and its state: the action, the next state, and by state of each link what it becomes, if it takes part.
    table = [
        {
            state: [
                (actions.setdefault(label, Action(label)), after, *_partner(stations, links, label))
                for label, after in steps
            ]
            for state, steps in states.items()
        }
        for states in own
    ]

    def successors(state: State) -> list[tuple[Action, State]]:
        found = []
        for address, steps in enumerate(table):
            for action, after, place, targets in steps[state[address]]:
                moved = (*state[:address], after, *state[address + 1 :])
                if place is None:
                    found.append((action, moved))
                else:
                    for target in targets.get(state[place], ()):
                        found.append((action, (*moved[:place], target, *moved[place + 1 :])))
        return found

    return successors


def _partner(
    stations: int, links: Sequence[Mapping[str, Local]], label: str
) -> tuple[int | None, Mapping[str, Sequence[str]]]:
    """The place in the state of the link that takes part in an action of a station, and its next states by its state."""
    for address, states in enumerate(links):
        targets = {
            state: [after for own, after in steps if own == label]
            for state, steps in states.items()
            if label in dict(steps)
        }
        if targets:
            return stations + address, targets
    return None, {}


def _reachable(initial: str, steps: Callable[[str], Local]) -> Mapping[str, Local]:
    """By state of one station or link, by itself."""
    found: dict[str, Local] = {}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = steps(state)
            waiting += [after for _, after in found[state]]
    return found


def _station(stations: int, address: int) -> Callable[[str], Local]:
    following = (address + 1) % stations
    claims = list(product(range(stations), ROUNDS))
    crash = (f"CRASH {address}", "failed")

    def steps(state: str) -> Local:
        match state.split():
            case ["election", now]:
                found = [crash, (f"SND_CLAIM {following} {address} {now}", state)]
                found.append((f"REC_TOKEN {address}", f"privilege {now}"))
                for candidate, given in claims:
                    if candidate != address:
                        after = f"forwarding {now} {candidate} {given}"
                    else:
                        after = f"privilege {now}" if given == now else state
                    found.append((f"REC_CLAIM {address} {candidate} {given}", after))
                return found
            case ["forwarding", now, *claim]:
                return [crash, (f"SND_CLAIM {following} {' '.join(claim)}", f"election {now}")]
            case ["privilege", now]:
                leave = (f"SND_TOKEN {following}", f"election {OTHER[now]}")
                return [crash, (f"OPEN {address}", f"open {now}"), leave]
            case ["open", now]:
                return [crash, (f"CLOSE {address}", f"closed {now}")]
            case ["closed", now]:
                return [crash, (f"SND_TOKEN {following}", f"election {OTHER[now]}")]
            case ["failed"]:
                found = [(f"REC_TOKEN {address}", "failed-token")]
                for candidate, given in claims:
                    after = state if candidate == address else f"failed-forwarding {candidate} {given}"
                    found.append((f"REC_CLAIM {address} {candidate} {given}", after))
                return found
            case ["failed-token"]:
                return [(f"SND_TOKEN {following}", "failed")]
            case ["failed-forwarding", *claim]:
                return [(f"SND_CLAIM {following} {' '.join(claim)}", "failed")]
        raise AssertionError(state)

    return steps


def _link(stations: int, address: int) -> Callable[[str], Local]:
    """A message that is received is kept, to be sent, or lost."""
    following = (address + 1) % stations

    def steps(state: str) -> Local:
        match state.split():
            case ["token"]:
                return [(f"SND_TOKEN {address}", IDLE)]
            case ["claim", *claim]:
                return [(f"SND_CLAIM {following} {' '.join(claim)}", IDLE)]
        found = [(f"REC_TOKEN {address}", "token"), (f"REC_TOKEN {address}", IDLE)]
        for candidate, given in product(range(stations), ROUNDS):
            label = f"REC_CLAIM {address} {candidate} {given}"
            found += [(label, f"claim {candidate} {given}"), (label, IDLE)]
        return found

    return steps


def template(stations: int = STATIONS) -> StateMachine:
    """Station 0 by itself. Which claim it passes on is left out."""
    builder = MachineBuilder(f"station 0 of {stations}")

    def number(state: str) -> int:
        kind, *rest = state.split()
        return builder.state(" ".join([kind, *(rest[:1] if kind != "failed-forwarding" else ())]))

    number(ELECTION)
    for state, steps in _reachable(ELECTION, _station(stations, 0)).items():
        for label, after in steps:
            builder.edge(number(state), Action(label), number(after))
    return builder.machine([0])


def pattern(stations: int = STATIONS) -> Pattern:
    """One copy of the template for each station."""
    found = template(stations)
    transformations = tuple(
        Transformation.of_words(
            f"station {address}",
            found,
            {str(each): str((each + address) % stations) for each in range(stations)},
        )
        for address in range(stations)
    )
    return Pattern(found, transformations, (0,) * stations)


def order(stations: int = STATIONS, *, descending: bool = True) -> tuple[str, ...]:
    """Labels of each kind by their parameters. The report prefers the descending order for the minimised machine.

    SND_CLAIM of a station's own claim is no label of the machine: a link that holds such a claim has received it together
    with the station, which it made leave the round, or which was in the other round.
    """
    claims = list(product(range(stations), range(stations), ROUNDS))
    labels = [
        *(f"REC_CLAIM {to} {candidate} {given}" for to, candidate, given in claims),
        *(
            f"SND_CLAIM {to} {candidate} {given}"
            for to, candidate, given in claims
            if to != (candidate + 1) % stations
        ),
        *(
            f"{kind} {address}"
            for kind in ("REC_TOKEN", "SND_TOKEN", "CRASH", "OPEN", "CLOSE")
            for address in range(stations)
        ),
    ]
    return tuple(reversed(labels) if descending else labels)
