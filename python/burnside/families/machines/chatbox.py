"""The chatbox of Romijn and Springintveld (1999, section 7.1): users who join, leave, and send each other messages.

A message to a user is delivered if both are present and the last one to the same user is acknowledged. In: the number of
users, and whether they join and leave (without that, all are present all the time). Out: the machine as the LOTOS text of
appendix A defines it, the report's pattern, orders for kernels.

The text of section 7.1 says that a user talks to one other at a time and need not wait for one who has left. The LOTOS text,
which the figures of Table 1 belong to, has neither: what was not acknowledged remains so when a user leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations, product

from burnside.diagnostics import UsageError
from burnside.records import record
from burnside.testing.machine import Action, MachineBuilder, StateMachine
from burnside.testing.patterns import Pattern, Transformation

NOTHING = "NO_OUTPUT"

ORDERS = ("lifo", "literal", "program", "program-lifo")


@record
class _Rule:
    """An input has `output` and inverts the bits `change` in states whose bits `mask` are `value`; in all others it has
    no effect. A state has a bit for each user who is present, and for each ordered pair whose message is unanswered."""

    mask: int
    value: int
    change: int
    output: str


_NEVER = _Rule(0, 1, 0, NOTHING)


def machine(users: int, *, joining: bool = True) -> StateMachine:
    """From the empty chatbox; without joining, from one where all are present."""
    rules = _rules(users, joining)
    by_input = {given: (rule.mask, rule.value, rule.change, rule.output) for given, rule in rules.items()}

    def step(state: int, given: str) -> tuple[str, int]:
        mask, value, change, output = by_input[given]
        return (output, state ^ change) if state & mask == value else (NOTHING, state)

    initial = 0 if joining else (1 << users) - 1
    return StateMachine.explore(initial, list(rules), step, name=f"chatbox of {users}")


def _rules(users: int, joining: bool) -> Mapping[str, _Rule]:
    """By input, in the order of the machine's inputs. Sizes of suites depend on it, a little: those that were
    recomputed for the report's chatbox have messages before joining and leaving."""
    present = [1 << user for user in range(users)]
    sent = {pair: 1 << users + at for at, pair in enumerate(product(range(users), range(users)))}
    rules = {}
    for one, other in sent:
        both = present[one] | present[other]
        message, answered = sent[one, other], sent[other, one]
        itself = one == other
        rules[_message(one, other)] = _NEVER if itself else _Rule(both | message, both, message, "DIND")
        rules[_answer(one, other)] = (
            _NEVER if itself else _Rule(both | answered, both | answered, answered, "DIND")
        )
    for user, bit in enumerate(present if joining else ()):
        rules[f"JOIN {user}"] = _Rule(bit, 0, bit, "OK")
        rules[f"LEAVE {user}"] = _Rule(bit, bit, bit, "OK")
    return rules


def _message(one: int, other: int) -> str:
    return f"DREQ {one} {other} MES"


def _answer(one: int, other: int) -> str:
    return f"DREQ {one} {other} ACK"


def template(*, joining: bool = True) -> StateMachine:
    """Of users 0 and 1: is user 0 present, and how many messages between the two are not acknowledged? Which of the two has
    sent them is left out, which is why the pattern is no symmetry in the strict sense."""
    builder = MachineBuilder("two users")
    present = (False, True) if joining else (True,)
    state = {
        (here, count): builder.state(f"{'present' if here else 'absent'} {count}")
        for count in range(3)
        for here in present
    }
    for (here, count), number in state.items():
        for one, other in ((0, 1), (1, 0)):
            if here and count < 2:
                builder.edge(number, Action(_message(one, other), "DIND"), state[here, count + 1])
            if here and count > 0:
                builder.edge(number, Action(_answer(one, other), "DIND"), state[here, count - 1])
        for other in (0, 1):
            builder.edge(number, Action(_message(0, other), NOTHING), number)
            builder.edge(number, Action(_answer(0, other), NOTHING), number)
        if joining:
            builder.edge(number, Action("JOIN 0", NOTHING if here else "OK"), state[True, count])
            builder.edge(number, Action("LEAVE 0", "OK" if here else NOTHING), state[False, count])
    return builder.machine([0])


def pattern(users: int, *, joining: bool = True) -> Pattern:
    """One copy of the template for each ordered pair of users."""
    found = template(joining=joining)
    transformations = tuple(
        Transformation.of_words(f"{one} {other}", found, {"0": str(one), "1": str(other)})
        for one, other in permutations(range(users), 2)
    )
    return Pattern(found, transformations, (0,) * len(transformations))


def order(users: int, name: str = "lifo", *, joining: bool = True) -> tuple[str, ...]:
    """Joining ascending, leaving descending, messages ascending, acknowledgements descending. Messages are compared

    * by sender, then receiver (`lifo`, `literal`),
    * or as the C program of appendix A does, 01 < 10 < 02 < 20 < 03 and so on (`program`, `program-lifo`);

    acknowledgements are compared

    * by the message that is acknowledged, so that the last one is answered first (`lifo`, `program-lifo`),
    * or, as section 7.1 can be read, by their own senders and receivers (`literal`, `program`).
    """
    if name not in ORDERS:
        raise UsageError(f"no order of the chatbox is called '{name}'; there are {', '.join(ORDERS)}")
    pairs = list(product(range(users), range(users)))
    if name in ("program", "program-lifo"):
        pairs = sorted(pairs, key=lambda pair: (min(pair), max(pair), pair))
    everyone = range(users) if joining else ()
    last_first = name in ("lifo", "program-lifo")
    return (
        *(f"JOIN {user}" for user in everyone),
        *(f"LEAVE {user}" for user in reversed(everyone)),
        *(_message(one, other) for one, other in pairs),
        *(_answer(other, one) if last_first else _answer(one, other) for one, other in reversed(pairs)),
    )
