"""Programs with processes, as Promela models are lowered to: a sort of processes, arrays over it, identities that are
numbers, channels that are looked up by number. Made by hand, for tests of symmetry."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import BOOLEAN, INTEGER, Array, Element, Integer, Scalar, Sort, Type

BYTE = Integer(0, 255)
NONE, START = 255, 254


def sort(name: str, size: int, origin: str = "proctype") -> Sort:
    return Sort(name, tuple(f"{name}({at})" for at in range(size)), "fixed", origin)


def state(name: str, type_: Type) -> e.Variable:
    return e.Variable(name, type_, is_state=True)


def number(value: int) -> e.Constant:
    return e.Constant(value, INTEGER)


def at(array: e.Place, *indices: e.Expression) -> e.Place:
    for index in indices:
        array = e.Index(array, index)
    return array


def read(array: e.Place, *indices: e.Expression) -> e.Read:
    return e.Read(at(array, *indices))


def equal(left: e.Expression, right: e.Expression | int) -> e.Binary:
    return e.Binary("=", left, number(right) if isinstance(right, int) else right)


def both(*parts: e.Expression) -> e.Expression:
    return e.Junction("and", parts)


def put(place: e.Place, value: e.Expression | int) -> s.Assign:
    return s.Assign(place, number(value) if isinstance(value, int) else value)


def table(name: str, argument: Scalar, result: Scalar, entries: Sequence[int | None]) -> e.Table:
    return e.Table(name, (argument,), result, tuple(entries))


def bound(name: str, type_: Scalar) -> tuple[e.Bound, e.Read]:
    made = e.Bound(name, e.All(type_))
    return made, e.Read(made.variable)


def action(name: str, parameters: Sequence[e.Bound], guard: e.Expression, *body: s.Statement) -> Action:
    """The first parameter acts."""
    return Action(name, tuple(parameters), body, guard, actor=0)


def ring(size: int, *, first: int | None = None, step: int = 1) -> Program:
    """A token goes round; `holder` is a number, or NONE while it travels. `first`: who has it at the beginning, or anybody
    may take it."""
    processes = sort("node", size)
    node = Element(processes)
    at_, holder, seen = (
        state("at", Array(node, Integer(0, 2))),
        state("holder", BYTE),
        state("seen", Array(node, BYTE)),
    )
    target = state("target", BYTE)
    pid = table("pid", node, BYTE, range(size))
    p, me = bound("p", node)
    own = e.Lookup(pid, (me,))
    following = e.Binary("%", e.Binary("+", own, number(step)), number(size))
    start = [put(holder, NONE), put(target, NONE)]
    start += [put(at(seen, e.Constant(each, node)), NONE) for each in range(size)]
    if first is not None:
        start.append(put(holder, first))
    take = [equal(read(holder), NONE), equal(read(target), NONE)] if first is None else [e.FALSE]
    return Program(
        "ring",
        (processes,),
        (at_, holder, target, seen),
        (Action("start", (), tuple(start)),),
        (
            action("take", [p], both(*take), put(holder, own)),
            action(
                "pass",
                [p],
                equal(read(holder), own),
                put(target, following),
                put(at(seen, me), e.Read(target)),
                put(holder, NONE),
            ),
            action("receive", [p], equal(read(target), own), put(holder, own), put(target, NONE)),
        ),
        (Property("invariant", "somewhere", e.Not(equal(read(holder), START))),),
    )


def star(clients: int, *, special: int | None = None) -> Program:
    """Clients send their number through a channel to a server, which answers into the client's channel. `special`: a
    client whose request is never answered first."""
    processes, server = sort("client", clients), sort("server", 1)
    inbox, request = sort("answer", clients, "channel"), sort("request", 1, "channel")
    client, channel = Element(processes), Element(inbox)
    at_ = state("client:at", Array(client, Integer(0, 2)))
    ids = state("client:id", Array(client, BYTE))
    busy = state("server:at", Array(Element(server), Integer(0, 1)))
    who = state("server:who", Array(Element(server), BYTE))
    full = state("answer:length", Array(channel, Integer(0, 1)))
    length = state("request:length", Array(Element(request), Integer(0, 1)))
    content = state("request:field", Array(Element(request), BYTE))
    link = table("link", Integer(0, clients - 1), channel, range(clients))
    p, me = bound("p", client)
    q, it = bound("q", Element(server))
    only = e.Constant(0, Element(request))
    start: list[s.Statement] = [
        put(at(who, e.Constant(0, Element(server))), NONE),
        put(at(content, only), NONE),
    ]
    start += [put(at(ids, e.Constant(each, client)), each) for each in range(clients)]
    served = read(who, it)
    refused: e.Expression = e.TRUE if special is None else e.Not(equal(read(content, only), special))
    reply = e.Lookup(link, (served,))
    mine = e.Lookup(link, (read(ids, me),))
    return Program(
        "star",
        (processes, server, inbox, request),
        (at_, ids, busy, who, full, length, content),
        (Action("start", (), tuple(start)),),
        (
            action(
                "ask",
                [p],
                both(equal(read(at_, me), 0), equal(read(length, only), 0)),
                put(at(content, only), read(ids, me)),
                put(at(length, only), 1),
                put(at(at_, me), 1),
            ),
            action(
                "serve",
                [q],
                both(equal(read(busy, it), 0), equal(read(length, only), 1), refused),
                put(at(who, it), read(content, only)),
                put(at(content, only), NONE),
                put(at(length, only), 0),
                put(at(busy, it), 1),
            ),
            action(
                "answer",
                [q],
                both(equal(read(busy, it), 1), equal(read(full, reply), 0)),
                put(at(full, reply), 1),
                put(at(who, it), NONE),
                put(at(busy, it), 0),
            ),
            action(
                "hear",
                [p],
                both(equal(read(at_, me), 1), equal(read(full, mine), 1)),
                put(at(full, mine), 0),
                put(at(at_, me), 0),
            ),
        ),
    )


def hypercube(dimension: int, *, fixed: bool = False) -> Program:
    """Message routing (Donaldson, Miller and Calder 2005, section 5): one message travels to destinations that are chosen
    anew; each node forwards it along a bit in which its number differs. `fixed`: the first message goes to node 0."""
    size = 1 << dimension
    processes, links, init = sort("node", size), sort("link", size, "channel"), sort("init", 1)
    node, channel, numbers = Element(processes), Element(links), Integer(0, size - 1)
    begun = state("init:at", Array(Element(init), Integer(0, 1)))
    at_ = state("node:at", Array(node, Integer(0, 1)))
    pos, dest = state("pos", BYTE), state("dest", BYTE)
    ids, diff, following = (state(f"node:{name}", Array(node, BYTE)) for name in ("id", "diff", "next"))
    full = state("link:length", Array(channel, Integer(0, 1)))
    link = table("link", numbers, channel, range(size))
    p, me = bound("p", node)
    q, _ = bound("q", Element(init))
    d, chosen = bound("d", numbers)
    own = read(ids, me)

    def length(index: e.Expression) -> e.Place:
        return at(full, e.Lookup(link, (index,)))

    start: list[s.Statement] = [put(pos, NONE), put(dest, NONE)]
    for each in range(size):
        start += [
            put(at(ids, e.Constant(each, node)), each),
            put(at(following, e.Constant(each, node)), START),
        ]
    received = both(
        equal(read(begun, e.Constant(0, Element(init))), 1),
        equal(read(at_, me), 0),
        equal(e.Read(length(own)), 1),
    )
    first = both(equal(read(begun, e.Constant(0, Element(init))), 0), equal(chosen, 0) if fixed else e.TRUE)
    actions = [
        action(
            "begin",
            [q, d],
            first,
            put(at(begun, e.Constant(0, Element(init))), 1),
            put(pos, chosen),
            put(dest, chosen),
            put(length(chosen), 1),
        ),
        action(
            "receive",
            [p],
            both(received, e.Not(equal(read(dest), own))),
            put(length(own), 0),
            put(at(at_, me), 1),
        ),
        action(
            "choose",
            [p, d],
            both(received, equal(read(dest), own), e.Not(equal(chosen, own))),
            put(length(own), 0),
            put(dest, chosen),
            put(at(at_, me), 1),
        ),
    ]
    for bit in range(dimension):
        mask = number(1 << bit)
        differs = e.Binary("bit-and", e.Binary("bit-xor", own, read(dest)), mask)
        actions.append(
            action(
                f"forward {bit}",
                [p],
                both(equal(read(at_, me), 1), e.Binary("!=", differs, number(0))),
                put(at(diff, me), e.Binary("bit-xor", own, read(dest))),
                s.If(
                    (
                        s.Branch(
                            e.Binary("!=", e.Binary("bit-and", read(diff, me), mask), number(0)),
                            (put(at(following, me), e.Binary("bit-xor", own, mask)),),
                        ),
                    ),
                    (),
                ),
                put(length(read(following, me)), 1),
                put(pos, read(following, me)),
                put(at(diff, me), 0),
                put(at(following, me), NONE),
                put(at(at_, me), 0),
            )
        )
    return Program(
        "hypercube",
        (processes, links, init),
        (begun, at_, pos, dest, ids, diff, following, full),
        (Action("start", (), tuple(start)),),
        tuple(actions),
    )


def late(size: int, delay: int) -> Program:
    """Nothing happens but a clock, until it is over: then processes compute with their numbers, and one is chosen."""
    processes = sort("node", size)
    node = Element(processes)
    clock, chosen, at_ = (
        state("clock", Integer(0, delay)),
        state("chosen", BYTE),
        state("at", Array(node, Integer(0, 1))),
    )
    ids = state("id", Array(node, BYTE))
    p, me = bound("p", node)
    own = read(ids, me)
    over = equal(read(clock), delay)
    start = [put(chosen, NONE), *(put(at(ids, e.Constant(each, node)), each) for each in range(size))]
    following = e.Binary("%", e.Binary("+", own, number(1)), number(size))
    return Program(
        "late",
        (processes,),
        (clock, chosen, at_, ids),
        (Action("start", (), tuple(start)),),
        (
            action("wait", [p], e.Not(over), put(clock, e.Binary("+", read(clock), number(1)))),
            action("choose", [p], both(over, equal(read(chosen), NONE)), put(chosen, following)),
            action("be", [p], both(over, equal(read(chosen), own)), put(at(at_, me), 1)),
        ),
    )


def tiers(clients: Sequence[int], *, buffered: bool = False) -> Program:
    """Clients ask servers, servers ask a database (Donaldson, Miller and Calder 2005, section 4); all by rendezvous.
    `clients`: how many each server has. `buffered`: the first server's channel holds a request."""
    servers, total = len(clients), sum(clients)
    own = [server for server, count in enumerate(clients) for _ in range(count)]
    sorts = sort("database", 1), sort("server", servers), sort("client", total)
    database, server, client = map(Element, sorts)
    requests = sort("request", servers, "channel")
    channel = Element(requests)
    db_at, db_who = (
        state("database:at", Array(database, Integer(1, 3))),
        state("database:who", Array(database, BYTE)),
    )
    at_, who, ids = (
        state("server:at", Array(server, Integer(1, 5))),
        state("server:who", Array(server, BYTE)),
        state("server:id", Array(server, BYTE)),
    )
    c_at, c_id = state("client:at", Array(client, Integer(1, 2))), state("client:id", Array(client, BYTE))
    srv, own_request = state("client:srv", Array(client, channel)), state("server:rq", Array(server, channel))
    box = state("buffer", BYTE)
    start: list[s.Statement] = [put(at(db_who, e.Constant(0, database)), START)]
    for each in range(servers):
        me = e.Constant(each, server)
        start += [put(at(who, me), START), put(at(ids, me), each)]
        start.append(s.Assign(at(own_request, me), e.Constant(each, channel)))
    for each in range(total):
        me = e.Constant(each, client)
        start += [put(at(c_id, me), each), s.Assign(at(srv, me), e.Constant(own[each], channel))]
    c, i = bound("c", client)
    v, m = bound("v", server)
    d, db = bound("d", database)
    same = e.Binary("=", read(srv, i), read(own_request, m))
    first = e.Constant(0, channel)
    asks = [equal(read(c_at, i), 1), equal(read(at_, m), 1), same]
    actions = []
    if buffered:
        start.append(put(box, NONE))
        asks.append(e.Binary("!=", read(srv, i), first))
        waits = both(equal(read(c_at, i), 1), e.Binary("=", read(srv, i), first), equal(read(box), NONE))
        takes = both(
            equal(read(at_, m), 1), e.Binary("=", read(own_request, m), first), e.Not(equal(read(box), NONE))
        )
        actions = [
            action("put", [c], waits, put(box, read(c_id, i)), put(at(c_at, i), 2)),
            action("take", [v], takes, put(at(who, m), read(box)), put(box, NONE), put(at(at_, m), 2)),
        ]
    actions += [
        action(
            "request",
            [c, v],
            both(*asks),
            put(at(who, m), read(c_id, i)),
            put(at(c_at, i), 2),
            put(at(at_, m), 2),
        ),
        action(
            "query",
            [v, d],
            both(equal(read(at_, m), 2), equal(read(db_at, db), 1)),
            put(at(db_who, db), read(ids, m)),
            put(at(at_, m), 3),
            put(at(db_at, db), 2),
        ),
        action(
            "data",
            [d, v],
            both(equal(read(db_at, db), 2), equal(read(at_, m), 3), equal(read(db_who, db), read(ids, m))),
            put(at(db_at, db), 3),
            put(at(at_, m), 4),
        ),
        action("clear", [d], equal(read(db_at, db), 3), put(at(db_who, db), NONE), put(at(db_at, db), 1)),
        action(
            "result",
            [v, c],
            both(equal(read(at_, m), 4), equal(read(c_at, i), 2), equal(read(who, m), read(c_id, i))),
            put(at(at_, m), 5),
            put(at(c_at, i), 1),
        ),
        action("forget", [v], equal(read(at_, m), 5), put(at(who, m), NONE), put(at(at_, m), 1)),
    ]
    return Program(
        "tiers",
        (*sorts, requests),
        (db_at, db_who, at_, who, ids, c_at, c_id, srv, own_request, *([box] if buffered else [])),
        (Action("start", (), tuple(start)),),
        tuple(actions),
    )


__all__ = ["BOOLEAN", "hypercube", "late", "ring", "star", "tiers"]
