"""Lowering of channels: sending to and receiving from buffered channels, and what a rendezvous hands over.

Messages are kept from position 0 on, and what is behind the last one is undefined, so that equal contents are equal states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import Integer, bounds
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.lower.expressions import ChannelValue, Expressions, is_channel
from burnside.languages.promela.lower.frames import Frame
from burnside.languages.promela.lower.layout import ChannelType, Holder, is_byte_for_spin
from burnside.languages.promela.lower.terms import (
    Number,
    compared,
    conjunction,
    constant,
    disjunction,
    negation,
    wrapped,
)
from burnside.languages.promela.types import ScalarType, Variable
from burnside.languages.shared.spans import Extent

Write = Callable[[Frame], list[s.Statement]]
Value = e.Expression
"""What a field of a message gets: a number, or a channel."""
UNROLLED_MESSAGES = 8
"""Longer channels are shifted by loops."""

INCOMPLETE = "a receive mentions fewer fields than the channel has"
OVERLONG = "a receive mentions more fields than the channel has"
NO_CHANNEL = "a receive from a variable that holds no channel"
TOO_FEW = "a send has fewer values than the channel has fields"
TOO_MANY = "a send has more values than the channel has fields"


class Queues(Expressions):
    kept_in_bytes: set[Holder]

    def store(self, target: x.Reference, value: Number, frame: Frame) -> list[s.Statement]:
        raise NotImplementedError

    def store_channel(self, target: x.Reference, value: e.Expression, frame: Frame) -> list[s.Statement]:
        raise NotImplementedError

    def is_dropped(self, variable: Variable) -> bool:
        raise NotImplementedError

    # Values of messages

    def sent(self, values: Sequence[x.Expression], type_: ChannelType, frame: Frame) -> list[Value]:
        """One for each field; fields for which nothing is said are 0."""
        found: list[Value] = []
        for field, value in zip(type_.fields, values, strict=False):
            found.append(self._field_value(value, field, type_, frame))
        for field in type_.fields[len(values) :]:
            scalar = self.layout.scalar(field)
            found.append(e.Constant(0, scalar))
        return found

    def note_bytes(self, holder: Holder, value: Number) -> None:
        """Where bits get another number than 0 or 1, they may have to be laid out as bytes."""
        if is_byte_for_spin(holder) and not (value.low >= 0 and value.high <= 1):
            self.kept_in_bytes.add(holder)

    def _field_value(self, value: x.Expression, field: ScalarType, type_: ChannelType, frame: Frame) -> Value:
        if field.name == "chan":
            return self.channel(value, frame).expression
        scalar = self.layout.scalar(field)
        assert isinstance(scalar, Integer)
        number = self.number(value, frame)
        self.note_bytes(type_, number)
        return wrapped(number, scalar).expression

    def as_number(self, value: Value, field: ScalarType) -> Number:
        """A field of a message that is a number."""
        if isinstance(value, e.Constant):
            return constant(value.value)
        scalar = self.layout.scalar(field)
        return Number(value, *bounds(scalar))

    def matches(
        self, patterns: Sequence[x.Pattern], message: Sequence[Value], type_: ChannelType, frame: Frame
    ) -> e.Expression:
        """Does a message fit what is received? `eval` is evaluated where `frame` is."""
        found: list[e.Expression] = []
        for pattern, value, field in zip(patterns, message, type_.fields, strict=False):
            if not isinstance(pattern, x.Matched):
                continue
            if field.name == "chan" and (is_channel(pattern.value) or self._is_none(pattern.value)):
                wanted = self.channel(pattern.value, frame).expression
                if isinstance(wanted, e.Constant) and isinstance(value, e.Constant):
                    found.append(e.TRUE if wanted.value == value.value else e.FALSE)
                else:
                    found.append(e.Binary("=", value, wanted))
            else:
                found.append(compared("==", self._order(value, field), self.number(pattern.value, frame)))
        return e.FALSE if e.FALSE in found else conjunction(found)

    @staticmethod
    def _is_none(value: x.Expression) -> bool:
        return isinstance(value, x.Number) and value.value == 0

    def taken(
        self, patterns: Sequence[x.Pattern], message: Sequence[Value], type_: ChannelType, frame: Frame
    ) -> list[s.Statement]:
        """What a receive stores."""
        found: list[s.Statement] = []
        for pattern, value, field in zip(patterns, message, type_.fields, strict=False):
            if not isinstance(pattern, x.Stored) or self.is_dropped(pattern.target.variable):
                continue
            if is_channel(pattern.target):
                channel = value if field.name == "chan" else self._as_channel(value, field, pattern.at)
                found += self.store_channel(pattern.target, channel, frame)
            elif field.name == "chan":
                number = self._channel_number(ChannelValue(value, tuple(self.layout.channel_sorts)))
                found += self.store(pattern.target, number, frame)
            else:
                found += self.store(pattern.target, self.as_number(value, field), frame)
        return found

    def _as_channel(self, value: Value, field: ScalarType, at: Extent) -> e.Expression:
        """The channel with this number."""
        if isinstance(self.layout.channel_type, Integer):
            return wrapped(self.as_number(value, field), self.layout.channel_type).expression
        entries = [0, *(self.layout.value(each) for each in self.layout.channels)]
        numbers = Integer(0, len(entries) - 1)
        if isinstance(value, e.Constant) and value.value < len(entries):
            return e.Constant(entries[value.value], self.layout.channel_type)
        table = self.table("channel", (numbers,), self.layout.channel_type, entries)
        return e.Lookup(table, (e.Convert(value, numbers, at.span),), None, at.span)

    # Places of messages

    def _cell(self, type_: ChannelType, field: int, element: e.Expression, position: e.Expression) -> e.Place:
        return e.Index(e.Index(self.layout.contents(type_, field), element), position)

    def _position(self, type_: ChannelType, at: int) -> e.Constant:
        return e.Constant(at, Integer(0, type_.capacity - 1))

    def message(
        self, type_: ChannelType, element: e.Expression, position: e.Expression, frame: Frame
    ) -> list[Value]:
        found: list[Value] = []
        for field in range(len(type_.fields)):
            place = self._cell(type_, field, element, position)
            known = frame.known.value(place)
            scalar = self.layout.scalar(type_.fields[field])
            found.append(e.Read(place) if known is None else e.Constant(known, scalar))
        return found

    def _candidates(
        self, channel: ChannelValue, frame: Frame, at: Extent
    ) -> Iterator[tuple[ChannelType, e.Expression, e.Expression]]:
        """Each type that the channel may have, the condition that it has it, and the channel as an element of its sort. An
        error of the model, where it is no channel at all, is one of the first condition."""
        for number, type_ in enumerate(channel.types):
            if self.is_type_for_sure(channel):
                test: e.Expression = e.TRUE
            elif number == 0:
                others = [negation(self.is_member(channel.expression, each)) for each in channel.types[1:]]
                test = conjunction(others)
            else:
                test = self.is_member(channel.expression, type_)
            yield type_, test, self.element(channel, type_, at)

    # Buffered channels

    def sends(self, send: st.Send, frame: Frame) -> Iterator[tuple[e.Expression, Write]]:
        channel = self._fitting(self.channel(send.channel, frame), len(send.values))
        for type_, test, element in self._candidates(channel, frame, send.at):
            if type_.capacity == 0:
                continue
            length = self._length_at(type_, element, frame, send.at)
            has_room = compared("<", length, constant(type_.capacity))
            yield conjunction((test, has_room)), self._sending(send, type_)

    def rendezvous_tests(self, send: st.Send, frame: Frame) -> Iterator[e.Expression]:
        """For each type of rendezvous channels that is possible, the condition that the channel has it."""
        channel = self._fitting(self.channel(send.channel, frame), len(send.values))
        for type_, test, _ in self._candidates(channel, frame, send.at):
            if type_.capacity == 0:
                yield test

    def _fitting(self, channel: ChannelValue, fields: int) -> ChannelValue:
        """Without the types that cannot be meant: they have fewer fields than are mentioned."""
        types = tuple(each for each in channel.types if len(each.fields) >= fields) or channel.types
        return ChannelValue(channel.expression, types, channel.table)

    def _length_at(self, type_: ChannelType, element: e.Expression, frame: Frame, at: Extent) -> Number:
        return self.read(e.Index(self.layout.length(type_), element), frame, at)

    def _sending(self, send: st.Send, type_: ChannelType) -> Write:
        def write(frame: Frame) -> list[s.Statement]:
            channel = self._fitting(self.channel(send.channel, frame), len(send.values))
            element = self.element(channel, type_, send.at)
            values = self.sent(send.values, type_, frame)
            note = self.ill_fitting(send, type_)
            if send.sorted:
                return [*note, *self._insert(type_, element, send, frame)]
            length = self._length_at(type_, element, frame, send.at)
            position = length.expression
            if length.constant is not None:
                position = self._position(type_, length.constant)
            found = note
            for field, value in enumerate(values):
                found += self._put(self._cell(type_, field, element, position), value, frame)
            return found + self._set_length(type_, element, length, 1, frame)

        return write

    def _put(self, place: e.Place, value: Value, frame: Frame) -> list[s.Statement]:
        frame.known.store(place, value.value if isinstance(value, e.Constant) else None)
        return [s.Assign(place, value)]

    def _set_length(
        self, type_: ChannelType, element: e.Expression, length: Number, by: int, frame: Frame
    ) -> list[s.Statement]:
        place = e.Index(self.layout.length(type_), element)
        if length.constant is not None:
            value: e.Expression = e.Constant(length.constant + by, Integer(0, type_.capacity))
        else:
            value = e.Binary("+" if by > 0 else "-", e.Read(place), e.Constant(1, Integer()))
        return self._put(place, value, frame)

    def ill_fitting(self, send: st.Send, type_: ChannelType) -> list[s.Statement]:
        """An error of the model, as for pan, where there are not as many values as fields."""
        if len(send.values) == len(type_.fields):
            return []
        name = TOO_FEW if len(send.values) < len(type_.fields) else TOO_MANY
        return [self.failing(name, send.at)]

    def _insert(
        self, type_: ChannelType, element: e.Expression, send: st.Send, frame: Frame
    ) -> list[s.Statement]:
        """Before the first message that is greater, field by field; behind all others where there is none. As in pan, values
        are compared as they are before they are cut to the bits of the fields."""
        capacity, values = type_.capacity, self.sent(send.values, type_, frame)
        numbers = [self.number(each, frame) for each in send.values[: len(type_.fields)]]
        numbers += [constant(0)] * (len(type_.fields) - len(numbers))
        found_at = e.Variable("position in a channel", Integer(0, capacity))
        length = e.Read(e.Index(self.layout.length(type_), element))
        branches = []
        for position in range(capacity):
            message = self.message(type_, element, self._position(type_, position), frame)
            is_there = e.Binary("<", e.Constant(position, Integer()), length)
            test = conjunction((is_there, self._greater(message, numbers, type_)))
            branches.append(s.Branch(test, (s.Assign(found_at, e.Constant(position, Integer())),)))
        find = s.If(tuple(branches), (s.Assign(found_at, length),))
        shift: list[s.Statement] = []
        for position in range(capacity - 1, 0, -1):
            moves = e.Junction(
                "and",
                (
                    e.Binary("<", e.Read(found_at), e.Constant(position, Integer())),
                    e.Binary("<=", e.Constant(position, Integer()), length),
                ),
            )
            body = [
                s.Copy(
                    self._cell(type_, field, element, self._position(type_, position)),
                    self._cell(type_, field, element, self._position(type_, position - 1)),
                )
                for field in range(len(type_.fields))
            ]
            shift.append(s.If((s.Branch(moves, tuple(body)),), ()))
        put = [
            s.Assign(self._cell(type_, field, element, e.Read(found_at)), value)
            for field, value in enumerate(values)
        ]
        for field in range(len(type_.fields)):
            frame.known.store(e.Index(self.layout.contents(type_, field), element), None)
        count = self._set_length(type_, element, self._length_at(type_, element, frame, send.at), 1, frame)
        return [s.Declare((found_at,), (find, *shift, *put, *count))]

    def _greater(
        self, message: Sequence[Value], numbers: Sequence[Number], type_: ChannelType
    ) -> e.Expression:
        found: e.Expression = e.FALSE
        for one, right, field in reversed([*zip(message, numbers, type_.fields, strict=True)]):
            left = self._order(one, field)
            is_equal = compared("==", left, right)
            found = disjunction((compared(">", left, right), conjunction((is_equal, found))))
        return found

    def _order(self, value: Value, field: ScalarType) -> Number:
        if field.name == "chan":
            return self._channel_number(ChannelValue(value, tuple(self.layout.channel_sorts)))
        return self.as_number(value, field)

    def receives(self, receive: st.Receive, frame: Frame) -> Iterator[tuple[e.Expression, Write]]:
        channel = self._fitting(self.channel(receive.channel, frame), self._mentioned(receive.patterns))
        if not channel.types:
            yield self._no_value(NO_CHANNEL, receive.at), lambda _: []
        for type_, test, element in self._candidates(channel, frame, receive.at):
            if type_.capacity == 0:
                continue
            can = self._can_receive(receive.patterns, receive.anywhere, type_, element, frame, receive.at)
            yield conjunction((test, can)), self._receiving(receive, type_)

    @staticmethod
    def _mentioned(patterns: Sequence[x.Pattern]) -> int:
        """How many fields are needed: those behind the last that says something are not."""
        known = [at for at, each in enumerate(patterns, start=1) if not isinstance(each, x.Ignored)]
        return max(known, default=0)

    def _can_receive(
        self,
        patterns: Sequence[x.Pattern],
        anywhere: bool,
        type_: ChannelType,
        element: e.Expression,
        frame: Frame,
        at: Extent,
    ) -> e.Expression:
        length = self._length_at(type_, element, frame, at)
        found = []
        for position in range(type_.capacity if anywhere else 1):
            is_there = compared(">", length, constant(position))
            if is_there == e.FALSE:
                break
            message = self.message(type_, element, self._position(type_, position), frame)
            found.append(conjunction((is_there, self.matches(patterns, message, type_, frame))))
        return disjunction(found)

    def _receiving(self, receive: st.Receive, type_: ChannelType) -> Write:
        def write(frame: Frame) -> list[s.Statement]:
            return [*self.incomplete(receive, type_), *taken(frame)]

        def taken(frame: Frame) -> list[s.Statement]:
            channel = self._fitting(self.channel(receive.channel, frame), self._mentioned(receive.patterns))
            element = self.element(channel, type_, receive.at)
            constants = any(isinstance(each, x.Matched) for each in receive.patterns)
            if receive.anywhere and constants and type_.capacity > 1:
                return self._take_anywhere(receive, type_, element, frame)
            message = self.message(type_, element, self._position(type_, 0), frame)
            if receive.keeps:
                return self.taken(receive.patterns, message, type_, frame)
            length = self._length_at(type_, element, frame, receive.at)
            if self._moves_channel(receive):
                # What is stored may change which channel is meant.
                name = e.Variable("channel of the message", e.type_of(element))
                inner = e.Read(name)
                message = self.message(type_, inner, self._position(type_, 0), frame)
                body = [
                    *self.taken(receive.patterns, message, type_, frame),
                    *self._shift(type_, inner, 0, frame),
                    *self._set_length(type_, inner, Number(length.expression, 1, type_.capacity), -1, frame),
                ]
                return [s.Let(name, element, tuple(body))]
            return [
                *self.taken(receive.patterns, message, type_, frame),
                *self._shift(type_, element, 0, frame),
                *self._set_length(type_, element, length, -1, frame),
            ]

        return write

    def incomplete(self, receive: st.Receive, type_: ChannelType) -> list[s.Statement]:
        """An error of the model, as for pan, where there are not as many patterns as fields."""
        if len(receive.patterns) > len(type_.fields):
            return [self.failing(OVERLONG, receive.at)]
        if receive.keeps or len(receive.patterns) == len(type_.fields):
            return []
        return [self.failing(INCOMPLETE, receive.at)]

    def _moves_channel(self, receive: st.Receive) -> bool:
        """May the expression that names the channel have another value once the message is stored?"""
        if receive.channel.index is None and receive.channel.variable in self.constant_channels:
            return False
        targets = {each.target.variable for each in receive.patterns if isinstance(each, x.Stored)}
        return bool(targets & read_in(receive.channel))

    def _shift(
        self, type_: ChannelType, element: e.Expression, first: int, frame: Frame
    ) -> list[s.Statement]:
        """Messages behind position `first` move up by one."""
        found: list[s.Statement] = []
        last = type_.capacity - 1
        for field in range(len(type_.fields)):
            if type_.capacity > UNROLLED_MESSAGES:
                frame.known.store(e.Index(self.layout.contents(type_, field), element), None)
                bound = e.Bound(
                    "position", e.Range(e.Constant(first, Integer()), e.Constant(last - 1, Integer()))
                )
                here = self._cell(type_, field, element, e.Read(bound.variable))
                next_position = e.Binary("+", e.Read(bound.variable), e.Constant(1, Integer()))
                move = s.Copy(here, self._cell(type_, field, element, next_position))
                found.append(s.For(bound, (move,)))
            else:
                for position in range(first, last):
                    here = self._cell(type_, field, element, self._position(type_, position))
                    behind = self._cell(type_, field, element, self._position(type_, position + 1))
                    frame.known.store(here, frame.known.value(behind))
                    found.append(s.Copy(here, behind))
            emptied = self._cell(type_, field, element, self._position(type_, last))
            frame.known.store(emptied, None)
            found.append(s.Undefine(emptied))
        return found

    def _take_anywhere(
        self, receive: st.Receive, type_: ChannelType, element: e.Expression, frame: Frame
    ) -> list[s.Statement]:
        """The first message that matches."""
        length = e.Index(self.layout.length(type_), element)
        branches = []
        for position in range(type_.capacity):
            there = frame.at(frame.known.copy())
            message = self.message(type_, element, self._position(type_, position), there)
            is_there = e.Binary("<", e.Constant(position, Integer()), e.Read(length))
            test = conjunction((is_there, self.matches(receive.patterns, message, type_, there)))
            body = self.taken(receive.patterns, message, type_, there)
            if not receive.keeps:
                body += self._shift(type_, element, position, there)
                body.append(s.Assign(length, e.Binary("-", e.Read(length), e.Constant(1, Integer()))))
            branches.append(s.Branch(test, tuple(body)))
        frame.known.cells.clear()
        return [s.If(tuple(branches), ())]

    def poll(self, poll: x.Poll, frame: Frame) -> e.Expression:
        channel = self._fitting(self.channel(poll.channel, frame), self._mentioned(poll.patterns))
        if not channel.types:
            return self._no_value(NO_CHANNEL, poll.at)
        found = []
        for type_, test, element in self._candidates(channel, frame, poll.at):
            if type_.capacity == 0:
                found.append(conjunction((test, self._no_value("poll of a rendezvous channel", poll.at))))
            else:
                can = self._can_receive(poll.patterns, poll.anywhere, type_, element, frame, poll.at)
                found.append(conjunction((test, can)))
        return disjunction(found)

    def failing(self, what: str, at: Extent) -> s.Statement:
        """A statement that is an error of the model."""
        return s.If((s.Branch(self._no_value(what, at), ()),), ())

    def _no_value(self, what: str, at: Extent) -> e.Expression:
        """A condition that is an error of the model wherever it is evaluated."""
        return e.Binary("=", self.without_value(what, at), e.Constant(0, Integer(0, 0)))


def read_in(node: x.Expression | x.Pattern | x.FieldAccess) -> set[Variable]:
    found = {node.variable} if isinstance(node, x.Reference) else set()
    for each in x.children(node):
        found |= read_in(each)
    return found
