"""The chatbox of Romijn and Springintveld (1999, section 7.1): users who join, leave, and send each other messages.

A message to a user is acknowledged before the next one to the same user is delivered. The template is about two users: is
the first one there, and how many messages between the two wait to be acknowledged? All ordered pairs of users are copies.

expect users=3: states 512, edges 12288, kernel 213 and 3722 (LIFO order)
expect users=3 without joining: states 64, edges 1152, kernel 10 and 84 (LIFO order)
expect users=4 without joining: states 4096, edges 131072, kernel 112 and 1296 (literal order), 35 and 396 (LIFO order)
"""

from __future__ import annotations

from itertools import permutations

from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation

NOTHING = "NO_OUTPUT"


def machine(users: int, *, joining: bool = True) -> StateMachine:
    """All that can be done to a chatbox, from the empty one (or, without joining, from one where all are present)."""
    everyone = range(users)
    everybody = frozenset() if joining else frozenset(everyone)
    start = (everybody, frozenset())
    builder = MachineBuilder(f"chatbox of {users}")
    number = {start: builder.state("0")}
    waiting = [start]
    for state in waiting:
        for action, after in _steps(state, everyone, joining):
            if after not in number:
                number[after] = builder.state(str(len(number)))
                waiting.append(after)
            builder.edge(number[state], action, number[after])
    return builder.machine([0])


def _steps(state, everyone, joining):
    present, sent = state
    for user in everyone if joining else ():
        new = present | {user}, sent
        yield (Action(f"JOIN {user}", NOTHING if user in present else "OK"), new)
        gone = present - {user}, sent
        yield (Action(f"LEAVE {user}", "OK" if user in present else NOTHING), gone)
    for one in everyone:
        for other in everyone:
            both = one != other and {one, other} <= present
            delivered = both and (one, other) not in sent
            after = (present, sent | {(one, other)}) if delivered else state
            yield Action(f"DREQ {one} {other} MES", "DIND" if delivered else NOTHING), after
            answered = both and (other, one) in sent
            after = (present, sent - {(other, one)}) if answered else state
            yield Action(f"DREQ {one} {other} ACK", "DIND" if answered else NOTHING), after


def template(*, joining: bool = True) -> StateMachine:
    """Of users 0 and 1. States are pairs: is user 0 there, and how many messages are not acknowledged."""
    builder = MachineBuilder("two users")
    present = (False, True) if joining else (True,)
    state = {(here, count): builder.state(f"{here} {count}") for count in range(3) for here in present}
    for (here, count), number in state.items():
        for first, second in ((0, 1), (1, 0)):
            if here and count < 2:
                builder.edge(number, Action(f"DREQ {first} {second} MES", "DIND"), state[here, count + 1])
            if here and count > 0:
                builder.edge(number, Action(f"DREQ {first} {second} ACK", "DIND"), state[here, count - 1])
        for second in (0, 1):
            for kind in ("MES", "ACK"):
                builder.edge(number, Action(f"DREQ 0 {second} {kind}", NOTHING), number)
        if joining:
            builder.edge(number, Action("JOIN 0", NOTHING if here else "OK"), state[True, count])
            builder.edge(number, Action("LEAVE 0", "OK" if here else NOTHING), state[False, count])
    return builder.machine([0])


def pattern(users: int, *, joining: bool = True) -> Pattern:
    found = template(joining=joining)
    transformations = []
    for one, other in permutations(range(users), 2):
        names = {"0": str(one), "1": str(other)}
        images = {
            each: Action(" ".join(names.get(word, word) for word in each.input.split()), each.output)
            for each in found.actions
        }
        transformations.append(Transformation(f"{one}, {other}", images))
    return Pattern(found, tuple(transformations), (0,) * len(transformations))


def order(action: Action, *, literal: bool = False) -> tuple[int, ...]:
    """Joining ascending, leaving descending, messages ascending by sender and receiver, acknowledgements descending: by the
    message that is acknowledged, so that the last one is answered first, or, as the report can be read, by themselves."""
    kind, *rest = action.input.split()
    if kind != "DREQ":
        user = int(rest[0])
        return (0, user) if kind == "JOIN" else (1, -user)
    one, other = int(rest[0]), int(rest[1])
    if rest[2] == "MES":
        return (2, one, other)
    return (3, -one, -other) if literal else (3, -other, -one)
