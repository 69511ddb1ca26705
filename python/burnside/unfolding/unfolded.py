"""An unfolded net, and what its places and transitions stand for. Values are computed when they are asked for: there may be
millions of transitions."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from burnside.ir.highlevel.net import HighLevelNet, Instance, Marking, Value
from burnside.net import Net
from burnside.records import field, record
from burnside.unfolding.codes import Codes


@record(eq=False)
class Unfolded:
    """`net`: places in the order of the high-level net's and of their values, transitions in that of its transitions and of
    the values of their variables. Places that nothing marks and instances that nothing enables are not there."""

    source: HighLevelNet
    net: Net
    codes: Codes = field(repr=False)
    place_starts: Sequence[int] = field(repr=False)
    """By place of the high-level net: its first place in `net`; and the end of the last."""
    place_codes: array[int] = field(repr=False)
    transition_starts: Sequence[int] = field(repr=False)
    variable_codes: array[int] = field(repr=False)
    """Of all variables of all instances, one behind the other."""

    def place(self, number: int) -> tuple[int, Value]:
        """The place of the high-level net and the value of a token there."""
        place = bisect_right(self.place_starts, number) - 1
        return place, self.codes.value(self.source.places[place].type, self.place_codes[number])

    def places_of(self, place: int) -> range:
        """The places in `net` of one of the high-level net."""
        return range(self.place_starts[place], self.place_starts[place + 1])

    def place_number(self, place: int, value: Value) -> int | None:
        """None where nothing ever marks it."""
        return self._place_numbers(place).get(value)

    def _place_numbers(self, place: int) -> Mapping[Value, int]:
        if place not in self._known_places:
            type_ = self.source.places[place].type
            self._known_places[place] = {
                self.codes.value(type_, self.place_codes[number]): number for number in self.places_of(place)
            }
        return self._known_places[place]

    @cached_property
    def _known_places(self) -> dict[int, dict[Value, int]]:
        return {}

    def values_of(self, place: int) -> Mapping[Value, int]:
        """The support of a place of the high-level net: values with places of `net`."""
        return self._place_numbers(place)

    def instance(self, number: int) -> Instance:
        """What a transition of `net` is an instance of."""
        transition = bisect_right(self.transition_starts, number) - 1
        variables = self.source.transitions[transition].variables
        first = self._value_starts[transition] + (number - self.transition_starts[transition]) * len(
            variables
        )
        pairs = zip(variables, self.variable_codes[first : first + len(variables)], strict=True)
        return transition, tuple(self.codes.value(each.type, code) for each, code in pairs)

    @cached_property
    def _value_starts(self) -> list[int]:
        starts = [0]
        for number, transition in enumerate(self.source.transitions):
            count = self.transition_starts[number + 1] - self.transition_starts[number]
            starts.append(starts[-1] + count * len(transition.variables))
        return starts

    def instances_of(self, transition: int) -> range:
        """The transitions of `net` that are instances of one of the high-level net."""
        return range(self.transition_starts[transition], self.transition_starts[transition + 1])

    def columns(self, transition: int) -> list[array[int]]:
        """By variable: its codes in all instances."""
        start, end = self._value_starts[transition], self._value_starts[transition + 1]
        count = len(self.source.transitions[transition].variables)
        return [self.variable_codes[start + each : end : count] for each in range(count)]

    def transition_number(self, instance: Instance) -> int | None:
        """None where it can never be enabled."""
        transition, values = instance
        if transition not in self._known_instances:
            numbers = self.instances_of(transition)
            self._known_instances[transition] = {self.instance(each)[1]: each for each in numbers}
        return self._known_instances[transition].get(values)

    @cached_property
    def _known_instances(self) -> dict[int, dict[tuple[Value, ...], int]]:
        return {}

    def marking(self, state: Sequence[int]) -> Marking:
        """A marking of `net` as one of the high-level net."""
        found: list[list[tuple[Value, int]]] = [[] for _ in self.source.places]
        for number, tokens in enumerate(state):
            if tokens:
                place, value = self.place(number)
                found[place].append((value, tokens))
        return tuple(frozenset(each) for each in found)

    def state(self, marking: Marking) -> tuple[int, ...] | None:
        """A marking of the high-level net as one of `net`; None where it has tokens that can never be there."""
        tokens = [0] * len(self.net.places)
        for place, each in enumerate(marking):
            for value, number in each:
                at = self.place_number(place, value)
                if at is None:
                    return None
                tokens[at] = number
        return tuple(tokens)
