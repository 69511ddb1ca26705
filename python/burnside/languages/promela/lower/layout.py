"""Which processes and channels a model can have: the sorts of the program, and where everything is in its state.

In: a resolved model, and how much room to leave for processes that are created on the way. Out: a `Layout`. Processes of
one proctype are the elements of a sort, one for each pid that such a process may have; channels of one type (capacity and
fields) are the elements of another. Local variables are arrays over processes, contents of channels are arrays over
channels. A variable of the type `chan` holds an element of `none` or of a sort of channels.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from burnside.diagnostics import UnsupportedError
from burnside.ir import expressions as e
from burnside.ir.types import Array, Element, Field, Integer, Optional, Record, Scalar, Sort, Type, Union
from burnside.languages.promela.lower.creation import Slots, Steps, can_end, channels_in
from burnside.languages.promela.model import Model, Process
from burnside.languages.promela.types import BYTE, NewChannel, ScalarType, StructType, Variable
from burnside.languages.promela.types import Field as DeclaredField
from burnside.records import record, replace

NONE = Sort("no channel", ("none",), "fixed", "channel")
MAX_CHANNELS = 255
"""Of Spin."""
MAX_CAPACITY = 255
BITS = ("bit", "bool")


@record
class ChannelType:
    """Channels of one type have contents of one layout."""

    capacity: int
    fields: tuple[ScalarType, ...]

    def __str__(self) -> str:
        fields = ", ".join(map(_shown, self.fields))
        return f"[{self.capacity}] of {{ {fields} }}"


def _shown(field: ScalarType) -> str:
    """Different for types that are different."""
    if field.name == "unsigned":
        return f"unsigned : {field.bits}"
    return field.name if field.symbols is None else f"{field.name}:{field.symbols}"


@record
class Channel:
    """One channel: `number` is Spin's, counted from 1, for channels that exist from the beginning."""

    number: int
    name: str
    type: ChannelType


Owner = tuple[Variable, Steps, int | None]
"""Whose channel it is: a variable, the steps in it, and the pid of the process whose local it is."""

Holder = Variable | DeclaredField | ChannelType


def is_byte_for_spin(holder: Holder) -> bool:
    """Is it declared for bits, but pan keeps them in bytes? Spin says so of arrays of bits, and does the same with messages
    of one bit."""
    if isinstance(holder, ChannelType):
        return len(holder.fields) == 1 and holder.fields[0].name in BITS and holder.fields[0].bits == 1
    return holder.size is not None and isinstance(holder.type, ScalarType) and holder.type.name in BITS


class Layout:
    """`slots`: by name of the proctype, the pids that such processes may have, ascending. `resting`: the states of its graph
    in which a process can be between two steps, where that is known. `points`: these are numbered from 1 on.
    `kept_in_bytes`: what is declared for bits, but may hold other numbers than 0 and 1 (see `is_byte_for_spin`)."""

    def __init__(
        self,
        model: Model,
        slots: Slots,
        resting: Mapping[str, Collection[int]],
        *,
        channels_are_numbers: bool = False,
        kept_in_bytes: Collection[Holder] = (),
    ) -> None:
        self.model, self.slots, self.channels_are_numbers = model, slots, channels_are_numbers
        self.kept_in_bytes = frozenset(kept_in_bytes)
        self.points: dict[str, dict[int, int]] = {}
        for name in slots:
            states = model.by_name[name].graph.states
            kept = [each for each in states if each in resting.get(name, states)]
            self.points[name] = {state: at for at, state in enumerate(kept, start=1)}
        self.process_sorts: dict[str, Sort] = {}
        for name, pids in slots.items():
            shown = name.strip(":")
            elements = tuple(f"{shown}({pid})" for pid in pids)
            self.process_sorts[name] = Sort(shown, elements, "fixed", "proctype")
        self.channels: list[Channel] = []
        self.owners: dict[Owner, Channel] = {}
        self._create_channels()

    # Processes

    def process_type(self, name: str) -> Element:
        return Element(self.process_sorts[name])

    @cached_property
    def actors(self) -> Union:
        return Union(tuple(self.process_sorts.values()))

    def processes(self) -> Iterator[tuple[Process, int, int]]:
        """Each with its pid and its position in its sort, by pid."""
        found = [
            (pid, at, self.model.by_name[name])
            for name, pids in self.slots.items()
            for at, pid in enumerate(pids)
        ]
        for pid, at, process in sorted(found, key=lambda each: each[0]):
            yield process, pid, at

    # Channels

    def _create_channels(self) -> None:
        for variable in self.model.initialised:
            for steps, new in channels_in(variable):
                self._create(variable, steps, None, new, variable.unique)
        for process, pid, _ in self.processes():
            shown = f"{process.name.strip(':')}({pid})"
            for variable in process.locals:
                for steps, new in channels_in(variable):
                    self._create(variable, steps, pid, new, f"{shown}:{variable.unique}")

    def _create(self, variable: Variable, steps: Steps, pid: int | None, new: NewChannel, name: str) -> None:
        if new.capacity > MAX_CAPACITY:
            message = f"a channel for {new.capacity} messages; at most {MAX_CAPACITY} are supported"
            raise UnsupportedError(new.at.diagnostic(message))
        shown = name + "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in steps)
        type_ = ChannelType(new.capacity, new.fields)
        if type_ in self.kept_in_bytes:
            type_ = ChannelType(new.capacity, tuple(replace(each, bits=BYTE.bits) for each in new.fields))
        channel = Channel(len(self.channels) + 1, shown, type_)
        self.channels.append(channel)
        self.owners[variable, steps, pid] = channel
        if len(self.channels) > MAX_CHANNELS:
            hint = f"Spin allows {MAX_CHANNELS} channels"
            raise UnsupportedError(new.at.diagnostic("too many channels", hint=hint))

    @cached_property
    def channel_sorts(self) -> Mapping[ChannelType, Sort]:
        by_type: dict[ChannelType, list[str]] = {}
        for each in self.channels:
            by_type.setdefault(each.type, []).append(each.name)
        return {
            type_: Sort(f"chan {type_}", tuple(names), "fixed", "channel") for type_, names in by_type.items()
        }

    @cached_property
    def channel_type(self) -> Union | Integer:
        """What a variable of the type `chan` may hold: none, or a channel. In a model that keeps other numbers in such
        variables too, the numbers of channels."""
        if self.channels_are_numbers:
            return Integer(0, 255)
        return Union((NONE, *self.channel_sorts.values()))

    @cached_property
    def _places(self) -> Mapping[int, tuple[ChannelType, int]]:
        """By number of a channel: its type, and its position in the sort."""
        found: dict[int, tuple[ChannelType, int]] = {}
        count: dict[ChannelType, int] = {}
        for each in self.channels:
            found[each.number] = each.type, count.get(each.type, 0)
            count[each.type] = found[each.number][1] + 1
        return found

    def element(self, channel: Channel) -> e.Constant:
        """The channel, as an element of its sort."""
        type_, at = self._places[channel.number]
        return e.Constant(at, Element(self.channel_sorts[type_]))

    def value(self, channel: Channel | None) -> int:
        """The channel, or none, as a value of `channel_type`."""
        if channel is None:
            return 0
        if isinstance(self.channel_type, Integer):
            return channel.number
        type_, at = self._places[channel.number]
        return self.channel_type.offset(self.channel_sorts[type_]) + at

    def positions(self, type_: ChannelType) -> Mapping[int, int]:
        """By value of `channel_type`: the position of a channel of this type in its sort."""
        return {
            self.value(each): self._places[each.number][1] for each in self.channels if each.type == type_
        }

    # Types

    def scalar(self, type_: ScalarType) -> Scalar:
        if type_.name == "chan":
            return self.channel_type
        high = 1 << type_.bits
        return Integer(-high // 2, high // 2 - 1) if type_.signed else Integer(0, high - 1)

    def type(self, holder: Variable | DeclaredField, *, optional: bool = False) -> Type:
        if isinstance(holder.type, StructType):
            fields = [Field(each.name, self.type(each, optional=optional)) for each in holder.type.fields]
            inner: Type = Record(tuple(fields))
        else:
            scalar = self.scalar(BYTE if holder in self.kept_in_bytes else holder.type)
            inner = Optional(scalar) if optional else scalar
        return inner if holder.size is None else Array(Integer(0, holder.size - 1), inner)

    def can_be_absent(self, process: str) -> bool:
        """Is there a time when a process of this proctype does not exist? Its variables are undefined then. They could be 0
        as well, but 0 may be the name of a process, and processes that do not exist should not tell names apart."""
        known = self.model.by_name[process]
        starting = self.model.starting
        return can_end(known) or any(
            pid >= len(starting) or starting[pid] is not known for pid in self.slots[process]
        )

    def variable(self, variable: Variable) -> e.Variable:
        """The variable of the program that holds it: for locals, an array over the processes."""
        if variable.process is None:
            return e.Variable(variable.unique, self.type(variable), is_state=True)
        type_ = self.type(variable, optional=self.can_be_absent(variable.process))
        name = f"{variable.process.strip(':')}:{variable.unique}"
        return e.Variable(name, Array(self.process_type(variable.process), type_), is_state=True)

    def point(self, process: str) -> e.Variable:
        """Where processes are in their graphs: 0 for those that do not exist."""
        name = f"{process.strip(':')}:point of control"
        return e.Variable(name, Array(self.process_type(process), self.point_type(process)), is_state=True)

    def point_type(self, process: str) -> Integer:
        return Integer(0, len(self.points[process]))

    def length(self, type_: ChannelType) -> e.Variable:
        sort = self.channel_sorts[type_]
        return e.Variable(
            f"{sort.name}:length", Array(Element(sort), Integer(0, type_.capacity)), is_state=True
        )

    def contents(self, type_: ChannelType, field: int) -> e.Variable:
        """One field of all messages, by channel and position; undefined where there is no message."""
        sort = self.channel_sorts[type_]
        messages = Array(Integer(0, type_.capacity - 1), Optional(self.scalar(type_.fields[field])))
        return e.Variable(f"{sort.name}:field {field + 1}", Array(Element(sort), messages), is_state=True)
