"""Rendezvous: which processes wait to receive, whether a message suits them, and what is handed over.

In: a model with its layout, a process that sends. Out: conditions on another process, and the statements that give its
variables their values. `actions` makes steps of two processes from these.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.flow import StepGraph, Transition
from burnside.languages.promela.lower.effects import Effects
from burnside.languages.promela.lower.frames import Frame, Known
from burnside.languages.promela.lower.layout import ChannelType
from burnside.languages.promela.lower.queues import read_in
from burnside.languages.promela.lower.terms import (
    conjunction,
    negation,
)
from burnside.languages.promela.model import Process
from burnside.records import record


@record(eq=False)
class Reception:
    """A receive that may take part in a rendezvous: a statement of its own, or the first of a d_step."""

    process: Process
    transition: Transition
    receive: st.Receive
    following: int | None = None
    """In a d_step: the point behind the receive; None at its end."""
    before: tuple[st.Statement, ...] = ()
    """In a d_step: what goes before it, if that can be executed."""


class Rendezvous(Effects):
    """Processes are called `self` in actions, and `other` where they take part in a rendezvous."""

    def _bound(self, process: Process, name: str) -> e.Bound:
        return e.Bound(name, e.All(self.layout.process_type(process.name)))

    def _me(self, process: Process, bound: e.Bound) -> e.Expression:
        type_ = self.layout.process_type(process.name)
        return e.Constant(0, type_) if type_.sort.size == 1 else e.Read(bound.variable)

    def _provided(self, process: Process, frame: Frame) -> list[e.Expression]:
        return [] if process.provided is None else [self.truth(process.provided, frame)]

    def _may_be_rendezvous(self, statement: st.Send | st.Receive) -> bool:
        if statement.channel.variable in self.constant_channels:
            owners = self.layout.owners.items()
            types = {channel.type for (owner, _, _), channel in owners if owner is statement.channel.variable}
        else:
            types = set(self.layout.channel_sorts)
        return any(each.capacity == 0 for each in types)

    def _receptions(self) -> Iterator[Reception]:
        for name in self.layout.process_sorts:
            process = self.model.by_name[name]
            for each in process.graph.transitions:
                if each.source in self.points[name]:
                    yield from self._receptions_of(process, each)

    def _receptions_of(self, process: Process, transition: Transition) -> Iterator[Reception]:
        match transition.statement:
            case st.Receive() as receive if self._may_be_rendezvous(receive):
                yield Reception(process, transition, receive)
            case st.DeterministicStep(_, graph):
                yield from self._first_receptions(process, transition, graph)

    def _first_receptions(
        self, process: Process, transition: Transition, graph: StepGraph
    ) -> Iterator[Reception]:
        first = graph.leaving(graph.entry)
        for at, each in enumerate(first):
            if isinstance(each.statement, st.Receive) and self._may_be_rendezvous(each.statement):
                before = tuple(one.statement for one in first[:at] if not isinstance(one.statement, st.Else))
                yield Reception(process, transition, each.statement, each.target, before)

    def _handshakes(
        self, send: st.Send, frame: Frame, reception: Reception, other: e.Expression
    ) -> Iterator[tuple[ChannelType, e.Expression, e.Expression]]:
        """The types of channels by which the two can meet, with where the receiver has to be, and the condition that they do
        meet then."""
        receiver, source = reception.process, reception.transition.source
        there = Frame(receiver, other, Known())
        one = self._fitting(self.channel(send.channel, frame), len(send.values))
        for type_ in one.types:
            meets = self._accepts(send, frame, reception, there, type_) if type_.capacity == 0 else e.FALSE
            if meets != e.FALSE:
                here = self.is_at(receiver.name, other, [self.points[receiver.name][source]])
                calm = [*self._provided(receiver, there)]
                for each in self._escapes_before(reception):
                    calm.append(negation(self._accepts(send, frame, each, there, type_)))
                yield type_, here, conjunction([*calm, meets])

    def _escapes_before(self, reception: Reception) -> Iterator[Reception]:
        """Receives of an `unless` that go before. Nothing else in an escape is asked for in a rendezvous: once a process has
        sent, all others can only receive."""
        leaving = reception.process.graph.leaving(reception.transition.source)
        groups = list(dict.fromkeys(each.escape for each in leaving))
        before = groups[: groups.index(reception.transition.escape)]
        for each in leaving:
            if each.escape in before:
                yield from self._receptions_of(reception.process, each)

    def _accepts(
        self, send: st.Send, frame: Frame, reception: Reception, there: Frame, type_: ChannelType
    ) -> e.Expression:
        """Does what is sent, on a channel of this type, fit what is received?"""
        receive = reception.receive
        one = self._fitting(self.channel(send.channel, frame), len(send.values))
        two = self._fitting(self.channel(receive.channel, there), self._mentioned(receive.patterns))
        if type_ not in two.types:
            return e.FALSE
        is_same = self._meet(one, two, type_, send, receive)
        fits = self.matches(receive.patterns, self.sent(send.values, type_, frame), type_, there)
        if e.FALSE in (is_same, fits):
            return e.FALSE
        earlier = [option.test for each in reception.before for option in self.options(each, there)]
        return conjunction([*(negation(each) for each in earlier), is_same, fits])

    def _meet(
        self, one: object, two: object, type_: ChannelType, send: st.Send, receive: st.Receive
    ) -> e.Expression:
        from burnside.languages.promela.lower.expressions import ChannelValue

        assert isinstance(one, ChannelValue) and isinstance(two, ChannelValue)
        tests: list[e.Expression] = []
        for each in (one, two):
            if not self.is_type_for_sure(each):
                tests.append(self.is_member(each.expression, type_))
        left, right = self.element(one, type_, send.at), self.element(two, type_, receive.at)
        if isinstance(left, e.Constant) and isinstance(right, e.Constant):
            return e.TRUE if left == right else e.FALSE
        return conjunction([*tests, e.Binary("=", left, right)])

    def _partners(self, send: st.Send, frame: Frame) -> list[e.Expression]:
        """Is there a process that takes part in the rendezvous?"""
        if not self._may_be_rendezvous(send):
            return []
        found: list[e.Expression] = []
        for number, reception in enumerate(self._receptions()):
            bound = self._bound(reception.process, f"partner {number}")
            other = self._me(reception.process, bound)
            for _, here, test in self._handshakes(send, frame, reception, other):
                is_other = self._is_other(frame, reception.process, other)
                if is_other != e.FALSE:
                    meets = conjunction([here, is_other, test])
                    found.append(e.Quantified("exists", bound, meets, every=False))
        return found

    def _is_other(self, frame: Frame, receiver: Process, other: e.Expression) -> e.Expression:
        if receiver is not frame.process:
            return e.TRUE
        assert frame.me is not None
        return e.FALSE if isinstance(other, e.Constant) else e.Binary("!=", frame.me, other)

    def _handed_over(
        self, send: st.Send, receive: st.Receive, type_: ChannelType, sender: Frame, receiver: Frame
    ) -> list[s.Statement]:
        """What is sent is evaluated before anything of it is stored."""
        message = self.sent(send.values, type_, sender)
        note = [*self.ill_fitting(send, type_), *self.incomplete(receive, type_)]
        stored = {each.target.variable for each in receive.patterns if isinstance(each, x.Stored)}
        if not any(stored & read_in(each) for each in send.values[1:]):
            return [*note, *self.taken(receive.patterns, message, type_, receiver)]
        names = [e.Variable(f"sent {at}", e.type_of(each)) for at, each in enumerate(message, start=1)]
        body = self.taken(receive.patterns, [*map(e.Read, names)], type_, receiver)
        for name, value in reversed([*zip(names, message, strict=True)]):
            body = [s.Let(name, value, tuple(body))]
        return [*note, *body]
