"""Lowering of expressions: numbers, conditions, places, channels.

In: resolved expressions, a `Frame`. Out: expressions of the ir, folded as far as the frame knows values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property

from burnside.diagnostics import InputError, UnsupportedError
from burnside.ir import expressions as e
from burnside.ir.types import INTEGER, Array, Element, Integer, Optional, Scalar, Union, bounds
from burnside.languages.promela import expressions as x
from burnside.languages.promela.flow import State
from burnside.languages.promela.lower.creation import Steps, can_end
from burnside.languages.promela.lower.frames import Frame
from burnside.languages.promela.lower.layout import NONE, ChannelType, Layout
from burnside.languages.promela.lower.terms import (
    Number,
    arithmetic,
    compared,
    conjunction,
    constant,
    disjunction,
    entries_by_process,
    negated,
    negation,
    number_of_truth,
    truth,
    truth_of_number,
    wrapped,
)
from burnside.languages.promela.types import StructType, Variable
from burnside.languages.shared.spans import Extent
from burnside.records import record

PIDS = Integer(0, 255)


@record(eq=False)
class ChannelValue:
    """An expression of the type `Layout.channel_type`, and the types that the channel may have."""

    expression: e.Expression
    types: tuple[ChannelType, ...]
    table: e.Lookup | None = None
    """Where it is one: a channel of a constant array."""

    @property
    def is_constant(self) -> bool:
        return isinstance(self.expression, e.Constant)


class Expressions:
    """`constant_channels`: variables of the type `chan` that keep the channels they are declared with."""

    def __init__(self, layout: Layout, constant_channels: frozenset[Variable]) -> None:
        self.layout, self.constant_channels = layout, constant_channels
        self.model = layout.model
        self._tables: dict[object, e.Table] = {}

    # Variables of the system

    @cached_property
    def process_count(self) -> e.Variable:
        """`_nr_pr`: pids in use are those below it."""
        return e.Variable("_nr_pr", Integer(0, self._most_processes), is_state=True)

    @cached_property
    def _most_processes(self) -> int:
        return 1 + max((pid for pids in self.layout.slots.values() for pid in pids), default=-1)

    @cached_property
    def last(self) -> e.Variable:
        return e.Variable("_last", PIDS, is_state=True)

    # Numbers

    def number(self, expression: x.Expression, frame: Frame) -> Number:
        span = expression.at.span
        match expression:
            case x.Number(_, value):
                return constant(value)
            case x.Reference():
                if is_channel(expression):
                    return self._channel_number(self.channel(expression, frame))
                return self.read(self.place(expression, frame), frame, expression.at)
            case x.Predefined(_, name):
                return self._predefined(name, frame, expression.at)
            case x.Unary(_, "!", _):
                return number_of_truth(self.truth(expression, frame))
            case x.Unary(_, operator, operand):
                assert operator != "!"
                return negated(operator, self.number(operand, frame), span)
            case x.Binary(_, "&&" | "||" | "==" | "!=" | "<" | "<=" | ">" | ">=", _, _):
                return number_of_truth(self.truth(expression, frame))
            case x.Binary(_, operator, left, right):
                return arithmetic(operator, self.number(left, frame), self.number(right, frame), span)
            case x.Conditional(_, test, then, otherwise):
                return self._conditional(test, then, otherwise, frame)
            case x.ChannelQuery(_, "len", channel):
                return self._length(channel, frame)
            case x.Enabled(at, function, operand):
                return self._enabled(at, function, operand, frame)
            case x.RemoteVariable(_, process, pid, place):
                return self._remote(process, pid, place, frame, expression.at)
            case x.Run():
                raise AssertionError("processes are created by statements")
            case _:
                return number_of_truth(self.truth(expression, frame))

    def read(self, place: e.Place, frame: Frame, at: Extent) -> Number:
        known = frame.known.value(place)
        if known is not None:
            return constant(known)
        type_ = scalar_at(place)
        assert isinstance(type_, Integer)
        return Number(e.Read(place, at.span), *bounds(type_))

    def _predefined(self, name: str, frame: Frame, at: Extent) -> Number:
        match name:
            case "_pid":
                return self.pid(frame)
            case "_nr_pr":
                count = self.read(self.process_count, frame, at)
                return arithmetic("+", count, constant(frame.uncounted), at.span)
            case "_last":
                return Number(e.Read(self.last), 0, 255)
            case "timeout":
                return constant(int(frame.timeout))
            case "np_":
                return number_of_truth(self.no_progress())
            case _:
                raise UnsupportedError(
                    at.diagnostic(f"{name} is not supported: priorities of processes are not")
                )

    def pid(self, frame: Frame) -> Number:
        if frame.process is None or frame.me is None:
            return constant(0)
        pids = self.layout.slots[frame.process.name]
        if isinstance(frame.me, e.Constant):
            return constant(pids[frame.me.value])
        table = self.table("pid", (self.layout.process_type(frame.process.name),), PIDS, pids)
        return Number(e.Lookup(table, (frame.me,)), min(pids), max(pids))

    def table(
        self,
        name: str,
        arguments: tuple[Element | Integer, ...],
        result: Scalar,
        entries: Sequence[int | None],
    ) -> e.Table:
        """Equal tables are one."""
        made = e.Table(name, arguments, result, tuple(entries))
        return self._tables.setdefault(made, made)

    def _conditional(
        self, test: x.Expression, then: x.Expression, otherwise: x.Expression, frame: Frame
    ) -> Number:
        chosen = self.truth(test, frame)
        if isinstance(chosen, e.Constant):
            return self.number(then if chosen.value else otherwise, frame)
        one, other = self.number(then, frame), self.number(otherwise, frame)
        expression = e.Conditional(chosen, one.expression, other.expression)
        return Number(expression, min(one.low, other.low), max(one.high, other.high))

    # Truth

    def truth(self, expression: x.Expression, frame: Frame) -> e.Expression:
        match expression:
            case x.Unary(_, "!", operand):
                return negation(self.truth(operand, frame))
            case x.Binary(_, "&&", left, right):
                one = self.truth(left, frame)
                return one if one == e.FALSE else conjunction((one, self.truth(right, frame)))
            case x.Binary(_, "||", left, right):
                one = self.truth(left, frame)
                return one if one == e.TRUE else disjunction((one, self.truth(right, frame)))
            case x.Binary(_, "==" | "!=" as operator, left, right) if is_channel(left) or is_channel(right):
                return self._same_channel(left, right, frame, operator == "==")
            case x.Binary(_, "==" | "!=" | "<" | "<=" | ">" | ">=" as operator, left, right):
                return compared(operator, self.number(left, frame), self.number(right, frame))
            case x.ChannelQuery(_, operator, channel) if operator != "len":
                return self._query(operator, channel, frame)
            case x.Poll():
                return self.poll(expression, frame)
            case x.RemoteLabel(_, process, pid, label):
                return self._at_label(process, pid, label, frame, expression.at)
            case _:
                return truth_of_number(self.number(expression, frame))

    def poll(self, poll: x.Poll, frame: Frame) -> e.Expression:
        raise NotImplementedError

    # Places

    def place(self, reference: x.Reference, frame: Frame) -> e.Place:
        """Where the scalar is, or the struct."""
        variable = reference.variable
        place: e.Place = self.layout.variable(variable)
        if variable.process is not None:
            assert frame.me is not None, f"{variable.unique} is local"
            place = e.Index(place, frame.me)
        place = self._indexed(place, reference.index, frame, reference.at)
        for each in reference.path:
            place = e.Component(place, each.field.name)
            place = self._indexed(place, each.index, frame, each.at)
        return place

    def _indexed(self, place: e.Place, index: x.Expression | None, frame: Frame, at: Extent) -> e.Place:
        if index is None:
            return place
        found = self.number(index, frame)
        return e.Index(place, self.index(place, found, at), at.span)

    def index(self, place: e.Place, index: Number, at: Extent) -> e.Expression:
        """An index of this array; where it is a constant outside, it fails where it is evaluated."""
        array = e.type_of_place(place)
        assert isinstance(array, Array)
        if index.constant is not None:
            low, high = bounds(array.index)
            if low <= index.constant <= high:
                return e.Constant(index.constant, array.index)
        return index.expression

    # Channels

    def channel(self, expression: x.Expression, frame: Frame) -> ChannelValue:
        if not isinstance(expression, x.Reference) or not is_channel(expression):
            return self._channel_by_number(expression, frame)
        variable = expression.variable
        if variable in self.constant_channels:
            return self._constant_channel(variable, expression, frame)
        place = self.place(expression, frame)
        known = frame.known.value(place)
        if known is not None:
            return self._known_channel(known)
        return ChannelValue(e.Read(place, expression.at.span), tuple(self.layout.channel_sorts))

    def _known_channel(self, value: int) -> ChannelValue:
        found = e.Constant(value, self.layout.channel_type)
        for channel in self.layout.channels:
            if self.layout.value(channel) == value:
                return ChannelValue(found, (channel.type,))
        return ChannelValue(found, ())

    def _channel_by_number(self, expression: x.Expression, frame: Frame) -> ChannelValue:
        """Channels have numbers in Promela, and a number may be kept in any variable."""
        if isinstance(expression, x.Conditional):
            one, other = self.channel(expression.then, frame), self.channel(expression.otherwise, frame)
            test = self.truth(expression.test, frame)
            types = tuple(dict.fromkeys((*one.types, *other.types)))
            return ChannelValue(e.Conditional(test, one.expression, other.expression), types)
        number = self.number(expression, frame)
        if isinstance(self.layout.channel_type, Integer):
            kept = wrapped(number, self.layout.channel_type)
            if kept.constant is not None:
                return self._known_channel(kept.constant)
            return ChannelValue(kept.expression, tuple(self.layout.channel_sorts))
        by_number = {each.number: self.layout.value(each) for each in self.layout.channels}
        if number.constant is not None and number.constant in {0, *by_number}:
            return self._known_channel(by_number.get(number.constant, 0))
        entries = [0, *(by_number[each] for each in sorted(by_number))]
        table = self.table("channel", (Integer(0, len(by_number)),), self.layout.channel_type, entries)
        index = e.Convert(number.expression, Integer(0, len(by_number)), expression.at.span)
        found = e.Lookup(table, (index,), None, expression.at.span)
        return ChannelValue(found, tuple(self.layout.channel_sorts), found)

    def _constant_channel(self, variable: Variable, reference: x.Reference, frame: Frame) -> ChannelValue:
        owners, layout = self.layout.owners, self.layout
        arguments: list[Element | Integer] = []
        given: list[e.Expression] = []
        pids: Sequence[int | None] = (None,)
        if variable.process is not None:
            assert frame.me is not None
            pids = self.layout.slots[variable.process]
            if isinstance(frame.me, e.Constant):
                pids = (pids[frame.me.value],)
            else:
                arguments.append(layout.process_type(variable.process))
                given.append(frame.me)
        places: Sequence[Steps] = ((),)
        if variable.size is not None:
            assert reference.index is not None
            index = self.number(reference.index, frame)
            if index.constant is not None and 0 <= index.constant < variable.size:
                places = ((index.constant,),)
            elif variable.process is None and (own := entries_by_process(index)) is not None:
                return self._channel_of_process(variable, own, reference)
            else:
                places = [(at,) for at in range(variable.size)]
                arguments.append(Integer(0, variable.size - 1))
                given.append(e.Convert(index.expression, Integer(0, variable.size - 1), reference.at.span))
        found = [owners.get((variable, steps, pid)) for pid in pids for steps in places]
        if not given:
            return self._known_channel(layout.value(found[0]))
        types = tuple(dict.fromkeys(each.type for each in found if each is not None))
        table = self.table(
            variable.unique, tuple(arguments), layout.channel_type, [*map(layout.value, found)]
        )
        lookup = e.Lookup(table, tuple(given), None, reference.at.span)
        return ChannelValue(lookup, types, lookup)

    def _channel_of_process(
        self, variable: Variable, index: e.Lookup, reference: x.Reference
    ) -> ChannelValue:
        """An element of a constant array, by an index that depends on the process alone: `link[(_pid + 1) % N]`. An index
        outside is an error of the model."""
        entered = index.table.entries
        channels = [None if at is None else self.layout.owners.get((variable, (at,), None)) for at in entered]
        types = tuple(dict.fromkeys(each.type for each in channels if each is not None))
        entries = [None if each is None else self.layout.value(each) for each in channels]
        table = self.table(variable.unique, index.table.arguments, self.layout.channel_type, entries)  # type: ignore[arg-type]
        lookup = e.Lookup(table, index.arguments, None, reference.at.span)
        return ChannelValue(lookup, types, lookup)

    def element(self, channel: ChannelValue, type_: ChannelType, at: Extent) -> e.Expression:
        """The channel as an element of the sort of this type; an error of the model where it has another."""
        sort, positions = self.layout.channel_sorts[type_], self.layout.positions(type_)
        match channel.expression:
            case e.Constant(value) if value in positions:
                return e.Constant(positions[value], Element(sort))
            case e.Lookup(table, arguments) if channel.table is not None:
                entries = [None if each is None else positions.get(each) for each in table.entries]
                narrow = self.table(table.name, table.arguments, Element(sort), entries)  # type: ignore[arg-type]
                return e.Lookup(narrow, arguments, None, at.span)
        if isinstance(self.layout.channel_type, Union):
            return e.Convert(channel.expression, Element(sort), at.span)
        numbers = [positions.get(each) for each in range(256)]
        table = self.table("channel", (self.layout.channel_type,), Element(sort), numbers)
        return e.Lookup(table, (channel.expression,), None, at.span)

    def is_member(self, expression: e.Expression, type_: ChannelType) -> e.Expression:
        """Is it a channel of this type?"""
        if isinstance(self.layout.channel_type, Union):
            return e.IsMember(expression, self.layout.channel_sorts[type_])
        return self._is_among(expression, self.layout.positions(type_))

    def _is_among(self, number: e.Expression, numbers: Collection[int]) -> e.Expression:
        if isinstance(number, e.Constant):
            return truth(number.value in numbers)
        entries = [int(each in numbers) for each in range(256)]
        table = self.table("channels", (PIDS,), Integer(0, 1), entries)
        return e.Binary("=", e.Lookup(table, (number,)), e.Constant(1, Integer(0, 1)))

    def is_type_for_sure(self, channel: ChannelValue) -> bool:
        """Is it certain to be a channel of the first of its types?"""
        return len(channel.types) == 1 and (channel.is_constant or channel.table is not None)

    def is_none(self, channel: ChannelValue) -> e.Expression:
        match channel.expression:
            case e.Constant(value):
                return truth(value == 0)
            case e.Lookup(table) if channel.table is not None and 0 not in table.entries:
                return e.FALSE
        if isinstance(self.layout.channel_type, Union):
            return e.IsMember(channel.expression, NONE)
        return e.Binary("=", channel.expression, e.Constant(0, self.layout.channel_type))

    def _same_channel(
        self, left: x.Expression, right: x.Expression, frame: Frame, equal: bool
    ) -> e.Expression:
        if not all(is_channel(each) or isinstance(each, x.Number) for each in (left, right)):
            return compared("==" if equal else "!=", self.number(left, frame), self.number(right, frame))
        one, other = self.channel(left, frame).expression, self.channel(right, frame).expression
        if isinstance(one, e.Constant) and isinstance(other, e.Constant):
            return truth((one.value == other.value) == equal)
        return e.Binary("=" if equal else "!=", one, other)

    def _channel_number(self, channel: ChannelValue) -> Number:
        layout = self.layout
        if isinstance(layout.channel_type, Integer):
            if isinstance(channel.expression, e.Constant):
                return constant(channel.expression.value)
            return Number(channel.expression, 0, 255)
        numbers = {layout.value(each): each.number for each in layout.channels} | {0: 0}
        entries = [numbers[value] for value in range(len(numbers))]
        if isinstance(channel.expression, e.Constant):
            return constant(entries[channel.expression.value])
        table = self.table("number of a channel", (layout.channel_type,), PIDS, entries)  # type: ignore[arg-type]
        return Number(e.Lookup(table, (channel.expression,)), 0, len(entries) - 1)

    def by_type(self, channel: ChannelValue) -> Iterator[tuple[ChannelType, e.Expression]]:
        """Each type that the channel may have, with the condition that it has it."""
        for type_ in channel.types:
            yield type_, e.TRUE if len(channel.types) == 1 else self.is_member(channel.expression, type_)

    def _length(self, reference: x.Reference, frame: Frame) -> Number:
        channel = self.channel(reference, frame)
        found: e.Expression | None = None
        most = 0
        for type_, test in reversed([*self.by_type(channel)]):
            length = self.length_of(channel, type_, frame, reference.at)
            most = max(most, length.high)
            found = length.expression if found is None else e.Conditional(test, length.expression, found)
        if found is None:
            return self._uninitialised(reference)
        return Number(found, 0, most) if most or not isinstance(found, e.Constant) else constant(0)

    def _uninitialised(self, reference: x.Reference) -> Number:
        """A variable that is never given a channel: an error of the model wherever it is evaluated, as in pan."""
        return Number(self.without_value(f"{reference.variable.name} holds no channel", reference.at), 0, 255)

    def without_value(self, what: str, at: Extent) -> e.Expression:
        """A number whose evaluation is an error of the model; `what`: the message."""
        return e.Lookup(self.table(what, (), PIDS, (None,)), (), None, at.span)

    def length_of(self, channel: ChannelValue, type_: ChannelType, frame: Frame, at: Extent) -> Number:
        """Of a channel of this type."""
        if type_.capacity == 0:
            return constant(0)
        place = e.Index(self.layout.length(type_), self.element(channel, type_, at))
        return self.read(place, frame, at)

    def _query(self, operator: str, reference: x.Reference, frame: Frame) -> e.Expression:
        channel = self.channel(reference, frame)
        found: e.Expression | None = None
        for type_, test in reversed([*self.by_type(channel)]):
            length = self.length_of(channel, type_, frame, reference.at)
            match operator:
                case "empty" | "nempty":
                    here = compared("==", length, constant(0))
                case _:
                    here = compared("==", length, constant(max(type_.capacity, 1)))
            if operator.startswith("n"):
                here = negation(here)
            found = here if found is None else disjunction(
                (conjunction((test, here)), conjunction((negation(test), found)))
            )  # fmt: skip
        return truth_of_number(self._uninitialised(reference)) if found is None else found

    # Other processes

    def point_of(self, process: str, element: e.Expression) -> e.Expression:
        return e.Read(e.Index(self.layout.point(process), element))

    def is_at(self, process: str, element: e.Expression, points: Sequence[int]) -> e.Expression:
        """Is the process at one of these points (see `points`)?"""
        point, type_ = self.point_of(process, element), self.layout.point_type(process)
        return disjunction([e.Binary("=", point, e.Constant(each, type_)) for each in points])

    @property
    def points(self) -> dict[str, dict[int, int]]:
        """By proctype and state of its graph: the point, counted from 1. States in which a process never rests have none."""
        return self.layout.points

    def marked(self, process: str, mark: Callable[[State], bool]) -> list[int]:
        """The points of the states that are marked."""
        states, points = self.model.by_name[process].graph.states, self.points[process]
        return [points[each.number] for each in states.values() if each.number in points and mark(each)]

    def elements(self, process: str) -> list[e.Constant]:
        type_ = self.layout.process_type(process)
        return [e.Constant(at, type_) for at in range(type_.sort.size)]

    def each_process(self, process: str, test: e.Expression, bound: e.Bound) -> e.Expression:
        return e.Quantified("exists", bound, test, every=False)

    def _slot(self, process: str, pid: Number, at: Extent) -> e.Expression:
        """The process with this pid; an error of the model where there is none of this proctype."""
        pids = self.layout.slots.get(process, ())
        if pid.constant is not None and pid.constant in pids:
            return e.Constant(pids.index(pid.constant), self.layout.process_type(process))
        if not pids:
            raise InputError(at.diagnostic(f"no process {process} is ever created"))
        entries = [pids.index(each) if each in pids else None for each in range(256)]
        table = self.table("process", (PIDS,), self.layout.process_type(process), entries)
        return e.Lookup(table, (e.Convert(pid.expression, PIDS, at.span),), None, at.span)

    def _at_label(
        self, process: str, pid: x.Expression | None, label: str, frame: Frame, at: Extent
    ) -> e.Expression:
        if process not in self.layout.process_sorts:
            return e.FALSE
        state = self.model.by_name[process].graph.labels[label]
        point = self.points[process].get(state)
        if point is None:
            return e.FALSE
        if pid is None:
            return self._first(
                process, [self.is_at(process, each, [point]) for each in self.elements(process)]
            )
        number, pids = self.number(pid, frame), self.layout.slots[process]
        found = []
        for element, own in zip(self.elements(process), pids, strict=True):
            same = compared("==", number, constant(own))
            if same != e.FALSE:
                found.append(conjunction((same, self.is_at(process, element, [point]))))
        return disjunction(found)

    def _first(self, process: str, tests: Sequence[e.Expression]) -> e.Expression:
        """The test of the first process that exists."""
        found = tests[-1]
        for element, test in reversed([*zip(self.elements(process), tests, strict=True)][:-1]):
            exists = negation(self.is_at(process, element, [0]))
            found = disjunction((test, conjunction((negation(exists), found))))
        return found

    def _remote(
        self, process: str, pid: x.Expression | None, place: x.Reference, frame: Frame, at: Extent
    ) -> Number:
        slot = self._slot(
            process, constant(self.layout.slots[process][0]) if pid is None else self.number(pid, frame), at
        )
        there = Frame(self.model.by_name[process], slot, frame.known)
        value = self.number(place, there)
        if value.constant is not None or not self._may_be_missing(process):
            return value
        # Of a process that does not exist, Spin reads 0.
        exists = negation(self.is_at(process, slot, [0]))
        found = e.Conditional(exists, value.expression, e.Constant(0, INTEGER))
        return Number(found, min(value.low, 0), max(value.high, 0))

    def _may_be_missing(self, process: str) -> bool:
        """Is there a process of this type that does not exist at some time?"""
        starting = [pid for pid, each in enumerate(self.model.starting) if each.name == process]
        return list(self.layout.slots[process]) != starting or can_end(self.model.by_name[process])

    def some_at(self, mark: Callable[[State], bool]) -> e.Expression:
        """Some process is at a state that is marked."""
        found: list[e.Expression] = []
        for name in self.layout.process_sorts:
            points = self.marked(name, mark)
            if points:
                bound = e.Bound(f"some {name.strip(':')}", e.All(self.layout.process_type(name)))
                test = self.is_at(name, e.Read(bound.variable), points)
                found.append(e.Quantified("exists", bound, test))
        return disjunction(found)

    def no_progress(self) -> e.Expression:
        """No process is at a progress label."""
        return negation(self.some_at(lambda state: state.is_progress))

    def _enabled(self, at: Extent, function: str, operand: x.Expression, frame: Frame) -> Number:
        """`enabled(pid)`: can the process with this pid do something? As for Spin, not where there are rendezvous."""
        if function != "enabled":
            raise UnsupportedError(at.diagnostic(f"{function} is not supported"))
        if any(each.capacity == 0 for each in self.layout.channel_sorts):
            raise InputError(at.diagnostic("enabled cannot be used in models with rendezvous channels"))
        pid = self.number(operand, frame)
        found = [
            conjunction([compared("==", pid, constant(own)), self.can_act(name, position)])
            for name in self.layout.process_sorts
            for position, own in enumerate(self.layout.slots[name])
            if compared("==", pid, constant(own)) != e.FALSE
        ]
        return number_of_truth(disjunction(found))

    def can_act(self, process: str, position: int) -> e.Expression:
        """Can this process of its type do something?"""
        raise NotImplementedError


def scalar_at(place: e.Place) -> Scalar:
    """The type of what is at a place that may be undefined while there is no such process or message."""
    type_ = e.type_of_place(place)
    scalar = type_.type if isinstance(type_, Optional) else type_
    assert isinstance(scalar, Integer | Union | Element)
    return scalar


def is_channel(expression: x.Expression) -> bool:
    if isinstance(expression, x.RemoteVariable):
        return is_channel(expression.place)
    return (
        isinstance(expression, x.Reference)
        and not isinstance(expression.type, StructType)
        and expression.type.name == "chan"
    )
