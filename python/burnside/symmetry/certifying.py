"""Certification of element permutations: the only way into the group of a program.

In: a program, permutations of its points. Out: None, or why not. A permutation is a symmetry if

1. no operation depends on an order or on numbers of what moves (`discipline`),
2. no loop depends on the order of its turns (`loops`),
3. the program with all constants renamed is the program again (`normal`): the start states, the actions and the assumptions
   each as a multiset, every other property by itself, because a verdict is about one property.

The first two depend only on which sorts move, and are remembered. The third looks only at parts that name what moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from burnside.ir import expressions as e
from burnside.ir.program import Action, Program, Property
from burnside.ir.types import show_value
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry import Refusal
from burnside.symmetry.accesses import steady_names
from burnside.symmetry.apart import apart
from burnside.symmetry.collecting import Collector
from burnside.symmetry.definedness import always_defined, filled, slots_of
from burnside.symmetry.discipline import Discipline
from burnside.symmetry.effects import Reading
from burnside.symmetry.loops import Loops
from burnside.symmetry.naming import Naming, is_changed, namings
from burnside.symmetry.nets import cycle_notation, cycles
from burnside.symmetry.normal import Normaliser, Numbers
from burnside.symmetry.points import Renaming, point_names, renaming
from burnside.symmetry.positions import Positions
from burnside.symmetry.refusing import Refused
from burnside.symmetry.totality import read_with


@record
class _Group:
    """Parts that may change places with each other: actions, or a property alone."""

    kind: str
    parts: tuple[Action | Property, ...]


class Certifier:
    """Remembers what it learns of one program, so that many permutations are cheap."""

    def __init__(self, program: Program, deadline: Deadline | None = None) -> None:
        self.deadline = deadline or Deadline()
        self.program = program = apart(program)
        self._blocks = {each.name: each.body for each in program.functions}
        self._steady = steady_names(program)
        self._running = read_with(program, always_defined(program), self._steady)
        # While a start state is made, everything may be undefined yet.
        self._starting = read_with(program, frozenset(), self._steady)
        self._numbers = Numbers()
        self._named: dict[int, list[Naming]] = {}
        self._normal: dict[tuple[int, bool], int] = {}
        self._behaviour: dict[frozenset[str], Refused | None] = {}
        self._properties: dict[tuple[frozenset[str], int], Refused | None] = {}

    # The two questions

    def certify(self, permutation: Sequence[int]) -> Refusal | None:
        """Why the permutation is no symmetry, if it cannot be shown to be one."""
        refused = self.behaviour(permutation)
        for number in range(len(self.program.properties)):
            refused = refused or self.property(permutation, number)
        return None if refused is None else self.refusal(permutation, refused)

    def behaviour(self, permutation: Sequence[int]) -> Refused | None:
        """Start states and actions."""
        moves = renaming(self.program, permutation)
        if not moves.moved:
            return None
        return self._operations(moves.moved) or self._constants(moves)

    def is_symmetry(self, permutation: Sequence[int]) -> bool:
        """Of start states and actions: as `behaviour`, but what is quick to refuse comes first."""
        moves = renaming(self.program, permutation)
        return self._constants(moves) is None and self._operations(moves.moved) is None

    def _operations(self, moved: frozenset[str]) -> Refused | None:
        if moved not in self._behaviour:
            self._behaviour[moved] = self._check_behaviour(moved)
        return self._behaviour[moved]

    def _constants(self, moves: Renaming) -> Refused | None:
        groups = _Group("start state", self.program.starts), _Group("action", self.program.actions)
        return self._blank(moves) or self._renamed(moves, groups)

    def property(self, permutation: Sequence[int], number: int) -> Refused | None:
        """One property; all assumptions count as one."""
        moves = renaming(self.program, permutation)
        if not moves.moved:
            return None
        key = moves.moved, number
        if key not in self._properties:
            self._properties[key] = self._check_property(moves.moved, self.program.properties[number])
        each = self.program.properties[number]
        alike: tuple[Property, ...] = (each,)
        if each.kind == "assumption":
            alike = tuple(other for other in self.program.properties if other.kind == "assumption")
        return self._properties[key] or self._renamed(moves, [_Group(each.kind, alike)])

    def action_images(self, permutation: Sequence[int]) -> tuple[int, ...]:
        """Where a symmetry takes each action: it may exchange actions that name elements."""
        moves = renaming(self.program, permutation)
        images = Normaliser(self.program, moves, self._numbers, self._running)
        actions = self.program.actions
        naming = [number for number, each in enumerate(actions) if self._namings(each, moves)]
        places: dict[int, list[int]] = {}
        for number in reversed(naming):
            places.setdefault(self._number(actions[number], self._running), []).append(number)
        result = list(range(len(actions)))
        for number in naming:
            result[number] = places[images.action(actions[number])].pop()
        return tuple(result)

    def refusal(self, permutation: Sequence[int], refused: Refused) -> Refusal:
        span = refused.span
        return Refusal(
            self.describe(permutation), refused.reason, span.line if span else 1, span.column if span else 1
        )

    def describe(self, permutation: Sequence[int]) -> str:
        return cycle_notation(cycles(permutation), point_names(self.program))

    # Operations and loops

    def _check_behaviour(self, moved: frozenset[str]) -> Refused | None:
        discipline = Discipline(self.program, moved, self._steady)
        starting, running = Loops(self._starting, moved), Loops(self._running, moved)
        positions = Positions({each.name: each for each in self.program.functions}, moved)
        try:
            for start in self.program.starts:
                self.deadline.check()
                discipline.check_action(start)
                starting.check_action(start)
                positions.check_action(start)
            for action in self.program.actions:
                self.deadline.check()
                discipline.check_action(action)
                running.check_action(action)
                positions.check_action(action)
        except Refused as refused:
            return refused
        return None

    def _check_property(self, moved: frozenset[str], each: Property) -> Refused | None:
        try:
            Discipline(self.program, moved, self._steady).check_property(each)
            Loops(self._running, moved).check_property(each)
        except Refused as refused:
            return refused.near(each.span)
        return None

    # Constants

    def _blank(self, moves: Renaming) -> Refused | None:
        """A variable that cannot be undefined holds the first element of its sort until a start writes to it."""
        for variable in self.program.variables:
            if moves.keeps_blank(variable.type):
                continue
            for start in self.program.starts:
                slots = filled(self.program, start)
                own = {slot for slot in slots if slot[0] == variable.name}
                collector = Collector(self._starting, {})
                collector.block(start.body)
                read = any(
                    each.path.root == variable.name and each.kind not in ("set", "write")
                    for each in collector.effects.accesses
                )
                if read or own < set(slots_of(variable)):
                    return Refused(f"{variable.name} begins as the first element of its sort", start.span)
        return None

    def _namings(self, part: Action | Property, moves: Renaming) -> list[Naming]:
        if id(part) not in self._named:
            self._named[id(part)] = namings(part, self._blocks)
        return [each for each in self._named[id(part)] if is_changed(each, moves)]

    def _renamed(self, moves: Renaming, groups: Sequence[_Group]) -> Refused | None:
        for group in groups:
            naming = [each for each in group.parts if self._namings(each, moves)]
            if not naming:
                continue
            if (odd := self._odd(naming, moves)) is not None:
                return self._told_apart(group.kind, odd, moves)
            reading = self._starting if group.kind == "start state" else self._running
            images = Normaliser(self.program, moves, self._numbers, reading)
            old = Counter(self._number(each, reading) for each in naming)
            for each in naming:
                self.deadline.check()
                number = _number(images, each)
                old[number] -= 1
                if old[number] < 0:
                    return self._told_apart(group.kind, each, moves)
        return None

    def _odd(self, naming: Sequence[Action | Property], moves: Renaming) -> Action | Property | None:
        """A part whose image names what no part names: seen without looking at anything but the constants."""
        old = Counter(_named(self._named[id(each)], Renaming({})) for each in naming)
        for each in naming:
            image = _named(self._named[id(each)], moves)
            old[image] -= 1
            if old[image] < 0:
                return each
        return None

    def _number(self, part: Action | Property, reading: Reading) -> int:
        key = id(part), reading is self._starting
        if key not in self._normal:
            plain = Normaliser(self.program, Renaming({}), self._numbers, reading)
            self._normal[key] = _number(plain, part)
        return self._normal[key]

    def _told_apart(self, kind: str, part: Action | Property, moves: Renaming) -> Refused:
        found = self._namings(part, moves)[0]
        called = f"the {kind} {part.name!r}" if part.name else f"the {kind}"
        if isinstance(found, e.Constant):
            name = show_value(found.value, found.type)
            image = show_value(moves.value(found.value, found.type), found.type)
            reason = f"{called} names {name}, and nothing does the same with {image}"
            return Refused(reason, found.span or part.span)
        return Refused(f"{called} sets something to the first element of its sort", part.span)


def _named(found: Sequence[Naming], moves: Renaming) -> frozenset[tuple[object, int]]:
    """How often which element is named."""
    constants = (each for each in found if isinstance(each, e.Constant))
    count = Counter((each.type, moves.value(each.value, each.type)) for each in constants)
    return frozenset(count.items())


def _number(normaliser: Normaliser, part: Action | Property) -> int:
    if isinstance(part, Action):
        return normaliser.action(part)
    assert part.expression is not None
    return normaliser.property(part.expression)


def certify(program: Program, permutation: Sequence[int]) -> Refusal | None:
    """None for a symmetry; else why it cannot be shown to be one, with its place."""
    return Certifier(program).certify(permutation)
