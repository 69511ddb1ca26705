"""Nets of the shapes on which the price of symmetry is measured (docs/auto.md): large groups, small orbits, wide states.

In: whole numbers, already checked (see the table in `__init__`). Out: a `Net` whose names can be written in
expressions. Indices count from 1; draws and answers are counted from 0.
"""

from __future__ import annotations

from itertools import product
from random import Random

from burnside.families.builder import NetBuilder
from burnside.net import Net


def readers_and_writers(readers: int, writers: int) -> Net:
    """Readers read independently of each other; a writer needs all of them to stay away. Few states, a group of the order
    of readers! x writers!."""
    b = NetBuilder()
    for i in range(1, readers + 1):
        b.place(f"reader_{i}", 1)
        b.place(f"reading_{i}")
        b.place(f"book_{i}", 1)
    for j in range(1, writers + 1):
        b.place(f"writer_{j}", 1)
        b.place(f"writing_{j}")
    for i in range(1, readers + 1):
        b.transition(f"read_{i}", [f"reader_{i}", f"book_{i}"], [f"reading_{i}"])
        b.transition(f"stop_reading_{i}", [f"reading_{i}"], [f"reader_{i}", f"book_{i}"])
    books = [f"book_{i}" for i in range(1, readers + 1)]
    for j in range(1, writers + 1):
        b.transition(f"write_{j}", [f"writer_{j}", *books], [f"writing_{j}"])
        b.transition(f"stop_writing_{j}", [f"writing_{j}"], [f"writer_{j}", *books])
    return b.net(f"rwmutex {readers} {writers}")


def clients_and_servers(clients: int, servers: int) -> Net:
    """A client asks a server, which serves it; one question at a time. Places for each pair, so that one place in
    clients x servers holds a token."""
    b = NetBuilder()
    b.place("line", 1)
    for c in range(1, clients + 1):
        b.place(f"client_{c}", 1)
    for s in range(1, servers + 1):
        b.place(f"server_{s}", 1)
    for c, s in product(range(1, clients + 1), range(1, servers + 1)):
        b.place(f"asked_{c}_{s}")
        b.place(f"serving_{c}_{s}")
    for c, s in product(range(1, clients + 1), range(1, servers + 1)):
        b.transition(f"ask_{c}_{s}", [f"client_{c}", "line"], [f"asked_{c}_{s}"])
        b.transition(f"serve_{c}_{s}", [f"asked_{c}_{s}", f"server_{s}"], [f"serving_{c}_{s}"])
        answered = [f"client_{c}", f"server_{s}", "line"]
        b.transition(f"answer_{c}_{s}", [f"serving_{c}_{s}"], answered)
    return b.net(f"servers {clients} {servers}")


def lines(kinds: int, copies: int, length: int, moving: int) -> Net:
    """Tokens on lines of places, so many of which have left the start of their line at a time. Lines of one kind are
    interchangeable; those of the next have one place more. Wide states, of which a step changes two places."""
    b = NetBuilder()
    b.place("permits", moving)
    for kind, copy in product(range(1, kinds + 1), range(1, copies + 1)):
        last = length + kind - 1
        at = [b.place(f"line_{kind}_{copy}_{i}", int(i == 0)) for i in range(last + 1)]
        b.transition(f"leave_{kind}_{copy}", [at[0], "permits"], [at[1]])
        for i in range(1, last):
            b.transition(f"go_{kind}_{copy}_{i}", [at[i]], [at[i + 1]])
        b.transition(f"return_{kind}_{copy}", [at[last]], [at[0], "permits"])
    return b.net(f"lines {kinds} {copies} {length} {moving}")


def teams(teams: int, members: int) -> Net:
    """Teams are interchangeable, and within each its members are: a group of order teams! x members!^teams. One member of
    a team speaks at a time."""
    b = NetBuilder()
    for t in range(1, teams + 1):
        b.place(f"floor_{t}", 1)
        for i in range(1, members + 1):
            b.place(f"listening_{t}_{i}", 1)
            b.place(f"asking_{t}_{i}")
            b.place(f"speaking_{t}_{i}")
    for t, i in product(range(1, teams + 1), range(1, members + 1)):
        b.transition(f"ask_{t}_{i}", [f"listening_{t}_{i}"], [f"asking_{t}_{i}"])
        b.transition(f"speak_{t}_{i}", [f"asking_{t}_{i}", f"floor_{t}"], [f"speaking_{t}_{i}"])
        b.transition(f"stop_{t}_{i}", [f"speaking_{t}_{i}"], [f"listening_{t}_{i}", f"floor_{t}"])
    return b.net(f"teams {teams} {members}")


def leaf_set(nodes: int, crashes: int) -> Net:
    """A node of a ring overlay keeps a leaf set: the nodes next to it, half of them on each side. Some of them crash, and
    the set is repaired, one crash at a time.

    Any live node may repair the place of a node that is down. It asks the other nodes of that side one after another,
    from the outermost to the nearest, waits for nobody who is down, and then puts a new node there. While it does so it
    does not crash. The two sides are interchangeable, and so are the crashes: 2 x crashes! symmetries. One place of
    thousands says how far the repair is.
    """
    b = NetBuilder()
    half = range(1, nodes // 2 + 1)
    sides = {side: [f"{side}_{i}" for i in half] for side in ("left", "right")}
    members = [name for side in sides.values() for name in side]
    numbers = range(1, crashes + 1)
    b.place("no_repair", 1)
    for k in numbers:
        b.place(f"crash_{k}", 1)
        b.place(f"repaired_{k}")
    for name in members:
        b.place(f"alive_{name}", 1)
        b.place(f"down_{name}")
    for k, name in product(numbers, members):
        b.place(f"crash_{k}_at_{name}")
    for k, name in product(numbers, members):
        hit = [f"down_{name}", f"crash_{k}_at_{name}"]
        b.transition(f"crash_{k}_{name}", [f"crash_{k}", f"alive_{name}"], hit)
    for side in sides.values():
        for name, helper in product(side, members):
            if name == helper:
                continue
            asked = [other for other in reversed(side) if other not in (name, helper)]
            repair = f"{helper}_for_{name}"
            at = [b.place(f"repair_{repair}_{j}") for j in range(len(asked) + 1)]
            b.transition(f"begin_{repair}", ["no_repair", f"alive_{helper}", f"down_{name}"], [at[0]])
            for j, other in enumerate(asked):
                for state in ("alive", "down"):
                    kept = f"{state}_{other}"
                    b.transition(f"ask_{repair}_{j}_{state}", [at[j], kept], [at[j + 1], kept])
            for k in numbers:
                done = ["no_repair", f"alive_{helper}", f"alive_{name}", f"repaired_{k}"]
                b.transition(f"end_{repair}_{k}", [at[-1], f"crash_{k}_at_{name}"], done)
    return b.net(f"leafset {nodes} {crashes}")


def election(agents: int) -> Net:
    """Agents on a line elect speakers by lot: while all are idle, each draws 0, 1 or 2, and who has the highest number
    stands. Who stands takes three steps of its own, or withdraws where a neighbour stands too.

    A transition for each of the 3^agents draws, and many draws have the same effect, so that there are many identical
    transitions; markings are 4^agents, and only the reflection of the line moves them.
    """
    b = NetBuilder()
    everyone = range(1, agents + 1)
    for i in everyone:
        b.place(f"idle_{i}", 1)
        b.place(f"standing_{i}")
        b.place(f"asking_{i}")
        b.place(f"elected_{i}")
    idle = [f"idle_{i}" for i in everyone]
    for draw in product(range(3), repeat=agents):
        highest = max(draw)
        then = [f"{'standing' if draw[i - 1] == highest else 'idle'}_{i}" for i in everyone]
        b.transition(f"draw_{''.join(map(str, draw))}", idle, then)
    for i in everyone:
        b.transition(f"ask_{i}", [f"standing_{i}"], [f"asking_{i}"])
        b.transition(f"win_{i}", [f"asking_{i}"], [f"elected_{i}"])
        b.transition(f"end_{i}", [f"elected_{i}"], [f"idle_{i}"])
        for j in (i - 1, i + 1):
            if j in everyone:
                both = [f"standing_{i}", f"standing_{j}"]
                b.transition(f"withdraw_{i}_{j}", both, [f"idle_{i}", f"standing_{j}"])
    return b.net(f"election {agents}")


def mailboxes(stages: int, messages: int, unused: int) -> Net:
    """Messages pass through stages, each of which has a mailbox for one message and works on one. Each stage also knows
    so many kinds of messages that nobody sends: most places are never marked, and nearly all of a group of order
    messages! x unused!^stages moves these alone."""
    b = NetBuilder()
    for k in range(1, stages + 1):
        b.place(f"empty_{k}", 1)
        b.place(f"idle_{k}", 1)
    for m in range(1, messages + 1):
        b.place(f"unsent_{m}", 1)
        b.place(f"received_{m}")
    kinds = [
        *(f"message_{m}" for m in range(1, messages + 1)),
        *(f"unused_{u}" for u in range(1, unused + 1)),
    ]
    for k, kind in product(range(1, stages + 1), kinds):
        b.place(f"mail_{k}_{kind}")
        b.place(f"work_{k}_{kind}")
        b.transition(
            f"take_{k}_{kind}", [f"mail_{k}_{kind}", f"idle_{k}"], [f"work_{k}_{kind}", f"empty_{k}"]
        )
    for m in range(1, messages + 1):
        b.transition(f"send_{m}", [f"unsent_{m}", "empty_1"], [f"mail_1_message_{m}"])
        for k in range(1, stages):
            passed = [f"mail_{k + 1}_message_{m}", f"idle_{k}"]
            b.transition(f"pass_{k}_{m}", [f"work_{k}_message_{m}", f"empty_{k + 1}"], passed)
        b.transition(f"receive_{m}", [f"work_{stages}_message_{m}"], [f"received_{m}", f"idle_{stages}"])
    for k, u in product(range(1, stages + 1), range(1, unused + 1)):
        b.transition(f"drop_{k}_{u}", [f"work_{k}_unused_{u}"], [f"idle_{k}"])
    return b.net(f"mailboxes {stages} {messages} {unused}")


def sparse(places: int, tokens: int, twins: int, seed: int) -> Net:
    """Tokens on a ring of places with as many random shortcuts, for one token or for two at once. From the first place a
    token may also go to any of the twins, and back: these are interchangeable, and there is no other symmetry but by
    accident. Every distribution of the tokens is reachable; few of them mark a twin."""
    b = NetBuilder()
    at = [b.place(f"p_{i}", tokens if i == 1 else 0) for i in range(1, places + 1)]
    for i in range(1, twins + 1):
        twin = b.place(f"twin_{i}")
        b.transition(f"visit_{i}", [at[0]], [twin])
        b.transition(f"return_{i}", [twin], [at[0]])
    for i in range(places):
        b.transition(f"go_{i + 1}", [at[i]], [at[(i + 1) % places]])
    random = Random(seed)

    def after(i: int, least: int) -> int:
        # Of the methods of `Random`, this one gives the same numbers in all versions of Python.
        return (i + least + int(random.random() * (places - least))) % places

    for i in range(places):
        if i % 2:
            b.transition(f"jump_{i + 1}", [at[i]], [at[after(i, 2)]])
        else:
            first = after(i, 0)
            b.transition(f"meet_{i + 1}", [at[i], at[after(i, 1)]], [at[first], at[after(first, 1)]])
    return b.net(f"sparse {places} {tokens} {twins} {seed}")
