"""What a machine is like: is it deterministic, input enabled, reachable, minimal?

The slow reference: readable, and what the core is compared with.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

from burnside.testing.machine import StateMachine


def distances(machine: StateMachine) -> Mapping[int, int]:
    """By reachable state: the length of a shortest trace to it."""
    found = dict.fromkeys(machine.initial, 0)
    waiting = deque(machine.initial)
    while waiting:
        state = waiting.popleft()
        for _, target in machine.leaving[state]:
            if target not in found:
                found[target] = found[state] + 1
                waiting.append(target)
    return found


def ambiguous(machine: StateMachine) -> list[tuple[int, str]]:
    """States with several edges for one input, which a tester cannot foresee. (A transition system has labels as inputs.)"""
    found = []
    for state, edges in enumerate(machine.leaving):
        seen: set[str] = set()
        for action, _ in edges:
            given = machine.actions[action].input
            if given in seen and (state, given) not in found:
                found.append((state, given))
            seen.add(given)
    return found


def missing(machine: StateMachine) -> list[tuple[int, str]]:
    """Reachable states and inputs that lead nowhere."""
    reached = distances(machine)
    return [
        (state, given)
        for state in sorted(reached)
        for given in machine.inputs
        if all(machine.actions[action].input != given for action, _ in machine.leaving[state])
    ]


def classes(machine: StateMachine, states: Sequence[int]) -> list[int]:
    """By state of these, which no edge leaves: the number of its class of bisimilar states. Refined until nothing changes
    (Moore 1956)."""
    place = {state: at for at, state in enumerate(states)}
    numbers = _numbered([machine.observation(state) for state in states])
    while True:
        refined = _numbered(
            [
                (
                    numbers[at],
                    frozenset((action, numbers[place[target]]) for action, target in machine.leaving[state]),
                )
                for at, state in enumerate(states)
            ]
        )
        if max(refined, default=0) == max(numbers, default=0):
            return numbers
        numbers = refined


def _numbered(keys: Sequence[object]) -> list[int]:
    known: dict[object, int] = {}
    return [known.setdefault(key, len(known)) for key in keys]
