"""Which local values are still needed: backward through an action.

In: a block of a flat program. Out: for each loop the local variables (or fields of them) that may be read after the loop
before they are written again, and those that a turn may read before it writes them. What is neither is *private* to a turn:
its value at the beginning of a turn influences nothing, and its value after the loop neither, so each turn might as well
have a variable of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.effects import written_places
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.types import Record, Type
from burnside.records import record

Slot = tuple[str, ...]
"""A local variable, and fields down to something that is no record. Arrays and bags are one slot."""
Live = frozenset[Slot]


@record
class LoopLiveness:
    """`exposed`: may be read in a turn before the turn writes it. `after`: may be read after the loop."""

    exposed: Live
    after: Live


class Liveness:
    """`loops` says for each loop of the block, by the identity of the statement, what is live."""

    def __init__(self, block: Block) -> None:
        self.loops: dict[int, LoopLiveness] = {}
        self._types: dict[str, Type] = {}
        self._exits: dict[str, Live] = {}
        for each in walking.statements(block):
            if isinstance(each, flat.Declare):
                self._types[each.name] = each.type
        self._block(block, frozenset())

    # Slots

    def _slots(self, place: Place) -> Iterator[Slot]:
        """The slots that a place touches."""
        if place.root not in self._types:
            return
        slot: Slot = (place.root,)
        type_ = self._types[place.root]
        for step in place.steps:
            if step.kind != "field":
                yield slot
                return
            assert isinstance(type_, Record)
            slot, type_ = (*slot, step.name), type_.field_type(step.name)
        yield from self._leaves(slot, type_)

    def _leaves(self, slot: Slot, type_: Type) -> Iterator[Slot]:
        if isinstance(type_, Record):
            for each in type_.fields:
                yield from self._leaves((*slot, each.name), each.type)
        else:
            yield slot

    def _whole(self, place: Place) -> Iterator[Slot]:
        """The slots that are written completely where this place is."""
        if all(step.kind == "field" for step in place.steps):
            yield from self._slots(place)

    def _reads(self, expr: Expr) -> Iterator[Slot]:
        for each in walking.inner_exprs(expr):
            for place in each.places:
                yield from self._slots(place)
            if each.binder is not None and isinstance(each.binder.domain, flat.Positions):
                yield from self._slots(each.binder.domain.bag)

    # Statements

    def _block(self, block: Block, live: Live) -> Live:
        for statement in reversed(block):
            live = self._statement(statement, live)
        return live

    def _statement(self, statement: flat.Statement, live: Live) -> Live:
        match statement:
            case flat.If(branches, otherwise):
                return self._block(otherwise, live) | self._branches(branches, live)
            case flat.For(_, body):
                return self._loop(statement, body, live) | self._own_reads(statement)
            case flat.While(before, test, body):
                return self._while(before, test, body, live)
            case flat.Scope(label, body):
                self._exits[label] = live
                return self._block(body, live)
            case flat.Leave(label):
                return self._exits[label]
            case flat.Fail():
                return frozenset()
            case flat.Declare(name):
                return frozenset(slot for slot in live if slot[0] != name)
        if isinstance(statement, flat.Assign | flat.Copy | flat.Fill):
            for place in written_places(statement):
                live -= set(self._whole(place))
        return live | self._own_reads(statement)

    def _branches(self, branches: tuple[flat.Branch, ...], live: Live) -> Live:
        found: Live = frozenset()
        for branch in branches:
            found |= self._block(branch.body, live) | frozenset(self._reads(branch.test))
        return found

    def _own_reads(self, statement: flat.Statement) -> Live:
        found = {slot for expr in walking.statement_exprs(statement) for slot in self._reads(expr)}
        for place in (*written_places(statement), *_touched(statement)):
            if place.fails:  # whether the entry is there
                found |= set(self._slots(place))
        match statement:
            case flat.Copy(_, source) | flat.Add(_, source):
                found |= set(self._slots(source))
        match statement:
            case flat.Add(bag) | flat.Remove(bag):
                found |= set(self._slots(bag))
            case flat.RemoveAll(binder) | flat.For(binder):
                if isinstance(binder.domain, flat.Positions):
                    found |= set(self._slots(binder.domain.bag))
        return frozenset(found)

    def _loop(self, statement: flat.Statement, body: Block, after: Live) -> Live:
        exposed = self._block(body, frozenset())
        live = after
        while True:
            before = live | self._block(body, live)
            if before == live:
                break
            live = before
        known = self.loops.get(id(statement))
        if known is not None:
            after, exposed = after | known.after, exposed | known.exposed
        self.loops[id(statement)] = LoopLiveness(exposed, after)
        return live

    def _while(self, before: Block, test: Expr, body: Block, after: Live) -> Live:
        live = after
        while True:
            turn = self._block(before, frozenset(self._reads(test)) | after | self._block(body, live))
            if turn | live == live:
                return live
            live |= turn


def _touched(statement: flat.Statement) -> tuple[Place, ...]:
    return (statement.place,) if isinstance(statement, flat.Touch) else ()
