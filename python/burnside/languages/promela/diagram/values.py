"""What variables and messages can hold, as far as the text says: a set of numbers for each, or anything.

The order of statements is not looked at, and all elements of an array are one. Channels are numbers too, so this is also
which channels a variable of the type `chan` can hold. The value that a variable begins with counts only where the text gives
it no other: it is there to be overwritten. Diagrams are pictures and proposals, so nothing depends on that.
"""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Iterator, Mapping, Sequence

from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.diagram.instances import Arguments, Instance, Path
from burnside.languages.promela.lower.layout import Layout
from burnside.languages.promela.lower.terms import computed
from burnside.languages.promela.types import INT, ArrayValues, NewChannel, Variable
from burnside.records import record

MAX_VALUES = 300
MAX_ROUNDS = 16

Numbers = frozenset[int] | None
"""None: anything."""
NONE: Numbers = frozenset()
Key = tuple[Instance | None, Variable, Path] | tuple[int, int]
"""A variable (of a process), or a field of the messages of a channel."""


@record(frozen=False, eq=False)
class Values:
    """Solved by repetition: sets grow until nothing changes."""

    layout: Layout
    instances: Sequence[Instance]
    arguments: Mapping[Instance, Arguments]

    def __post_init__(self) -> None:
        self._rounds = 0
        self._known: dict[Key, Numbers] = {}
        self._uses_initial: set[Key] = set()
        self._read: set[Key] = set()
        for instance, given in self.arguments.items():
            for (variable, path), numbers in given.items():
                self._add((instance, variable, path), frozenset(numbers))
        while True:
            self._grow()
            missing = {key for key in self._read if self._known.get(key, NONE) == NONE} - self._uses_initial
            if not missing:
                break
            self._uses_initial |= missing

    # Answers

    def channels(self, reference: x.Reference, instance: Instance) -> list[int]:
        """The channels that it can be."""
        numbers = self.of(reference, instance)
        known = {each.number for each in self.layout.channels}
        return sorted(known if numbers is None else known & numbers)

    def of(self, expression: x.Expression, instance: Instance) -> Numbers:
        match expression:
            case x.Number(_, value):
                return frozenset([value])
            case x.Predefined(_, "_pid"):
                return frozenset([instance.pid])
            case x.Reference():
                return self._of_place(expression, instance)
            case x.Unary(_, operator, operand):
                numbers = self.of(operand, instance)
                return None if numbers is None else frozenset(_unary(operator, each) for each in numbers)
            case x.Binary(_, operator, left, right):
                return _combined(operator, self.of(left, instance), self.of(right, instance))
            case x.Conditional(_, _, then, otherwise):
                return _union(self.of(then, instance), self.of(otherwise, instance))
        return None

    def _of_place(self, place: x.Reference, instance: Instance) -> Numbers:
        variable = place.variable
        if isinstance(place.path[-1].field.initial if place.path else variable.initial, NewChannel):
            indices = NONE if place.index is None else self.of(place.index, instance)
            pid = None if variable.process is None else instance.pid
            names = [each.field.name for each in place.path]
            owned = frozenset(
                channel.number
                for (owner, steps, of), channel in self.layout.owners.items()
                if owner is variable
                and of == pid
                and names == [each for each in steps if isinstance(each, str)]
                if variable.size is None or indices is None or steps[0] in indices
            )
            return _union(owned, self._known.get(self._key(place, instance), NONE))
        key = self._key(place, instance)
        self._read.add(key)
        found = self._known.get(key, NONE)
        return _union(found, self._initial(place, instance)) if key in self._uses_initial else found

    def _initial(self, place: x.Reference, instance: Instance) -> Numbers:
        initial = place.path[-1].field.initial if place.path else place.variable.initial
        match initial:
            case None | NewChannel():
                return frozenset([0])
            case ArrayValues(_, values):
                return frozenset(values)
            case _:
                return self.of(initial, instance)

    def _key(self, place: x.Reference, instance: Instance) -> Key:
        owner = None if place.variable.process is None else instance
        return owner, place.variable, tuple(each.field.name for each in place.path)

    # Growing

    def _grow(self) -> None:
        """What still grows after many rounds is counted up in a loop: it can be anything."""
        self._rounds = 0
        while self._round():
            self._rounds += 1

    def _add(self, key: Key, numbers: Numbers) -> bool:
        old = self._known.get(key, NONE)
        new = _union(old, numbers)
        if new != old and self._rounds > MAX_ROUNDS:
            new = None
        self._known[key] = new
        return new != old

    def _round(self) -> bool:
        changed = False
        for instance in self.instances:
            for statement in statements_of(instance):
                changed |= self._execute(statement, instance)
        return changed

    def _execute(self, statement: st.Statement, instance: Instance) -> bool:
        changed = False
        match statement:
            case st.Assignment(_, target, value):
                changed = self._add(self._key(target, instance), self.of(value, instance))
            case st.Send(_, channel, _, values):
                for number in self.channels(channel, instance):
                    for position, value in enumerate(values):
                        changed |= self._add((number, position), self.of(value, instance))
            case st.Receive(_, channel, _, _, patterns):
                for number in self.channels(channel, instance):
                    for position, pattern in enumerate(patterns):
                        if isinstance(pattern, x.Stored):
                            sent = self._known.get((number, position), NONE)
                            changed |= self._add(self._key(pattern.target, instance), sent)
        return changed


def statements_of(instance: Instance) -> Iterator[st.Statement]:
    for each in instance.process.graph.transitions:
        yield from with_inner(each.statement)


def with_inner(statement: st.Statement) -> Iterator[st.Statement]:
    yield statement
    if isinstance(statement, st.DeterministicStep):
        for each in statement.graph.transitions:
            yield each.statement


def _union(one: Numbers, other: Numbers) -> Numbers:
    if one is None or other is None:
        return None
    both = one | other
    return both if len(both) <= MAX_VALUES else None


def _unary(operator: str, value: int) -> int:
    return {"!": int(not value), "-": INT.wraps(-value), "~": INT.wraps(~value)}[operator]


def _combined(operator: str, left: Numbers, right: Numbers) -> Numbers:
    if left is None or right is None or len(left) * len(right) > MAX_VALUES:
        return None
    found: set[int] = set()
    for one in left:
        for other in right:
            value = _computed(operator, one, other)
            if value is None:
                return None
            found.add(value)
    return frozenset(found)


_TESTS: dict[str, Callable[[int, int], bool]] = {
    "==": operators.eq, "!=": operators.ne, "<": operators.lt, "<=": operators.le, ">": operators.gt,
    ">=": operators.ge, "&&": lambda one, other: bool(one and other), "||": lambda one, other: bool(one or other),
}  # fmt: skip


def _computed(operator: str, left: int, right: int) -> int | None:
    if operator in _TESTS:
        return int(_TESTS[operator](left, right))
    value = computed(operator, left, right)
    return None if value is None else INT.wraps(value)
