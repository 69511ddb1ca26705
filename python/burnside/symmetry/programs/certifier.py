"""Certification of element permutations: the only way into the group of a program.

In: a program, permutations of its points. Out: None, or why not. The program is made flat once (`ir.analysis`); a
permutation is a symmetry if

1. no operation orders or computes with what moves (`rules.values`),
2. no loop depends on the order of its turns (`rules.turns`),
3. positions of bags name only entries that they mean (`rules.positions`),
4. the program with all constants renamed is the program again (`rules.renaming`): the start states, the actions and the
   assumptions each as a multiset, every other property by itself, because a verdict is about one property.

The first three depend only on which sorts move, and are cached. The fourth examines only parts that name what moves.
`docs/programs.md` has the argument for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.definedness import Refined, refined, written_by_start
from burnside.ir.analysis.effects import EffectAnalysis, frozen_locals
from burnside.ir.analysis.flatten import NotFlat, flatten
from burnside.ir.analysis.paths import Path
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Element, Record, Type, Union, show_value
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry import Refusal
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.points import Renaming, point_names, renaming, without_optional
from burnside.symmetry.programs.refused import Refused
from burnside.symmetry.programs.rules.orders import Orders
from burnside.symmetry.programs.rules.positions import BagPositions
from burnside.symmetry.programs.rules.renaming import Blocking, Normaliser, Numbering
from burnside.symmetry.programs.rules.turns import Turns
from burnside.symmetry.programs.rules.values import Values

Part = flat.Action | flat.Property
Kind = Literal["action", "start state"]
KINDS: tuple[Kind, ...] = ("action", "start state")
Naming = flat.Expr | flat.Fill | flat.Declare
"""What names elements: constants, and what writes first elements."""


@record
class _Group:
    """Parts that may change places with each other: actions, or a property alone."""

    kind: str
    parts: tuple[Part, ...]


class Certifier:
    """Caches what it finds about one program, so that many permutations are cheap."""

    def __init__(self, program: Program, deadline: Deadline | None = None) -> None:
        self.program = program
        self.deadline = deadline or Deadline()
        self._numbers = Numbering()
        self._named: dict[int, Counter[Naming]] = {}
        self._normal: dict[int, int] = {}
        self._behaviour: dict[tuple[frozenset[str], Kind], Refused | None] = {}
        self._properties: dict[tuple[frozenset[str], int], Refused | None] = {}

    def _check(self) -> None:
        self.deadline.check()

    @cached_property
    def _refined(self) -> Refined:
        return refined(flatten(self.program, self._check), self._check)

    @property
    def _flat(self) -> flat.Program:
        return self._refined.program

    @property
    def defined(self) -> frozenset[Path] | None:
        """Slots that are never undefined; None where the flat program was not needed."""
        known: Refined | None = self.__dict__.get("_refined")
        return None if known is None else known.defined

    @cached_property
    def _effecting(self) -> EffectAnalysis:
        return EffectAnalysis(frozen_locals(self._flat))

    @cached_property
    def _blocking(self) -> Blocking:
        return Blocking(self._effecting)

    @cached_property
    def _types(self) -> dict[str, Type]:
        """Of all variables; names of local ones are unique."""
        found = {each.name: each.type for each in self._flat.variables}
        for block in _all_blocks(self._flat):
            for statement in walking.statements(block):
                if isinstance(statement, flat.Declare):
                    found[statement.name] = statement.type
        return found

    # The two questions

    def certify(self, permutation: Sequence[int]) -> Refusal | None:
        """Why the permutation is no symmetry, if it cannot be shown to be one."""
        refused = self.behaviour(permutation)
        for number in range(len(self.program.properties)):
            refused = refused or self.property(permutation, number)
        return None if refused is None else self.refusal(permutation, refused)

    def behaviour(self, permutation: Sequence[int]) -> Refused | None:
        """Actions and start states."""
        return self.actions(permutation) or self.starts(permutation)

    def actions(self, permutation: Sequence[int]) -> Refused | None:
        """The transition relation alone."""
        return self._shown(permutation, "action")

    def starts(self, permutation: Sequence[int]) -> Refused | None:
        """Is the set of start states its own image?"""
        return self._shown(permutation, "start state")

    def is_symmetry(self, permutation: Sequence[int]) -> bool:
        """Of actions and start states: as `behaviour`, but what is quick to refuse comes first."""
        moves = renaming(self.program, permutation)
        try:
            return all(self._constants(moves, kind) is None for kind in KINDS) and all(
                self._operations(moves.moved, kind) is None for kind in KINDS
            )
        except NotFlat:
            return not moves.moved

    def _shown(self, permutation: Sequence[int], kind: Kind) -> Refused | None:
        moves = renaming(self.program, permutation)
        if not moves.moved:
            return None
        try:
            return self._operations(moves.moved, kind) or self._constants(moves, kind)
        except NotFlat as error:
            return Refused(error.reason, error.span)

    def _parts(self, kind: Kind) -> tuple[flat.Action, ...]:
        return self._flat.actions if kind == "action" else self._flat.starts

    def _operations(self, moved: frozenset[str], kind: Kind) -> Refused | None:
        if (moved, kind) not in self._behaviour:
            self._behaviour[moved, kind] = self._check_behaviour(moved, kind)
        return self._behaviour[moved, kind]

    def _constants(self, moves: Renaming, kind: Kind) -> Refused | None:
        blank = self._blank(moves) if kind == "start state" else None
        return blank or self._renamed(moves, [_Group(kind, self._parts(kind))])

    def property(self, permutation: Sequence[int], number: int) -> Refused | None:
        """One property; assumptions, which all count alike, may change places if none of them can fail."""
        moves = renaming(self.program, permutation)
        if not moves.moved:
            return None
        try:
            return self._property(moves, number)
        except NotFlat as error:
            return Refused(error.reason, error.span)

    def _property(self, moves: Renaming, number: int) -> Refused | None:
        key = moves.moved, number
        each = self._flat.properties[number]
        if key not in self._properties:
            self._properties[key] = self._check_property(moves.moved, each)
        alike: tuple[flat.Property, ...] = (each,)
        if each.kind == "assumption":
            assumptions = tuple(other for other in self._flat.properties if other.kind == "assumption")
            if not any(map(self._is_observed, assumptions)):
                alike = assumptions
        return self._properties[key] or self._renamed(moves, [_Group(each.kind, alike)])

    def _is_observed(self, each: flat.Property) -> bool:
        """May evaluating it end or cover something?"""
        if each.code is None:
            return False
        return self._effecting.of_block(_code_block(each.code)).observes

    def action_images(self, permutation: Sequence[int]) -> tuple[int, ...]:
        """Where a symmetry takes each action: it may exchange actions that name elements."""
        moves = renaming(self.program, permutation)
        images = Normaliser(moves, self._numbers, self._blocking)
        actions = self._flat.actions
        naming = [number for number, each in enumerate(actions) if self._namings(each, moves)]
        places: dict[int, list[int]] = {}
        for number in reversed(naming):
            places.setdefault(self._number(actions[number]), []).append(number)
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

    # Operations, loops and positions

    def _check_behaviour(self, moved: frozenset[str], kind: Kind) -> Refused | None:
        try:
            for action in self._parts(kind):
                self._check()
                self._check_action(moved, action)
        except Refused as refused:
            return refused
        return None

    def _check_action(self, moved: frozenset[str], action: flat.Action) -> None:
        orders = Orders(moved, walking.action_blocks(action))
        values, turns = Values(moved), Turns(self._effecting, orders)
        for binder in action.parameters:
            values.check_domain(binder.domain, action.span)
            for expr in walking.domain_exprs(binder.domain):
                values.check_expr(expr, action.span)
                turns.check_expr(expr, action.span)
        try:
            for block in walking.action_blocks(action):
                values.check_block(block)
                turns.check_block(block, action.span)
            BagPositions(moved, self._effecting.frozen, self._types, orders).check_action(action)
        except Refused as refused:
            raise refused.near(action.span) from None

    def _check_property(self, moved: frozenset[str], each: flat.Property) -> Refused | None:
        if each.code is None:
            return None
        try:
            block = _code_block(each.code)
            Values(moved).check_block(block)
            orders = Orders(moved, (block,))
            Turns(self._effecting, orders).check_block(block, each.span)
            BagPositions(moved, self._effecting.frozen, self._types, orders).check_code(each.code, each.span)
        except Refused as refused:
            return refused.near(each.span)
        return None

    # Constants

    def _blank(self, moves: Renaming) -> Refused | None:
        """A variable that cannot be undefined holds the first element of its sort until a start writes to it."""
        for variable in self._flat.variables:
            if moves.keeps_blank(variable.type):
                continue
            for start in self._flat.starts:
                effects = self._effecting.of_block(start.body)
                read = any(
                    each.path.root == variable.name and each.kind not in ("set", "write")
                    for each in effects.accesses
                )
                if read or variable.name not in written_by_start(start, self._flat.variables):
                    return Refused(f"{variable.name} begins as the first element of its sort", start.span)
        return None

    def _namings(self, part: Part, moves: Renaming) -> list[Naming]:
        if id(part) not in self._named:
            self._named[id(part)] = Counter(_named_in(part))
        return [each for each in self._named[id(part)] if _is_changed(each, moves)]

    def _renamed(self, moves: Renaming, groups: Sequence[_Group]) -> Refused | None:
        for group in groups:
            naming = [each for each in group.parts if self._namings(each, moves)]
            if not naming:
                continue
            if (odd := self._odd(naming, moves)) is not None:
                return self._asymmetry(group.kind, odd, moves)
            images = Normaliser(moves, self._numbers, self._blocking)
            old = Counter(map(self._number, naming))
            for each in naming:
                self._check()
                number = _number(images, each)
                old[number] -= 1
                if old[number] < 0:
                    return self._asymmetry(group.kind, each, moves)
        return None

    def _odd(self, naming: Sequence[Part], moves: Renaming) -> Part | None:
        """A part whose image names what no part names: seen without looking at anything but the constants."""
        old = Counter(_counted(self._named[id(each)], Renaming({})) for each in naming)
        for each in naming:
            image = _counted(self._named[id(each)], moves)
            old[image] -= 1
            if old[image] < 0:
                return each
        return None

    def _number(self, part: Part) -> int:
        if id(part) not in self._normal:
            plain = Normaliser(Renaming({}), self._numbers, self._blocking)
            self._normal[id(part)] = _number(plain, part)
        return self._normal[id(part)]

    def _asymmetry(self, kind: str, part: Part, moves: Renaming) -> Refused:
        found = self._namings(part, moves)[0]
        title = f"the {kind} {part.name!r}" if part.name else f"the {kind}"
        if isinstance(found, flat.Expr):
            name = show_value(found.value, found.type)
            image = show_value(moves.value(found.value, found.type), found.type)
            reason = f"{title} names {name}, and nothing does the same with {image}"
            return Refused(reason, found.span or part.span)
        return Refused(f"{title} sets something to the first element of its sort", part.span)


def _code_block(code: flat.Code) -> flat.Block:
    return (*code.before, flat.Let("", code.value))


def _part_blocks(part: Part) -> tuple[flat.Block, ...]:
    if isinstance(part, flat.Action):
        return walking.action_blocks(part)
    return () if part.code is None else (_code_block(part.code),)


def _all_blocks(program: flat.Program) -> Iterator[flat.Block]:
    parts: list[Part] = [*program.starts, *program.actions, *program.properties]
    for part in parts:
        yield from _part_blocks(part)


def _named_in(part: Part) -> Iterator[Naming]:
    """Everything inside that names elements."""
    exprs: list[flat.Expr] = []
    if isinstance(part, flat.Action):
        exprs += (each for binder in part.parameters for each in walking.domain_exprs(binder.domain))
    for block in _part_blocks(part):
        for statement in walking.statements(block):
            match statement:
                case flat.Fill(flat.Place(_, type_), how) if how == "clear" or _has_first(type_):
                    yield statement
                case flat.Declare(_, type_) if _has_first(type_):
                    yield statement
            exprs += walking.statement_exprs(statement)
    for expr in exprs:
        for each in walking.inner_exprs(expr):
            if each.op == "const" and isinstance(each.type, Element | Union):
                yield each


def _has_first(type_: Type) -> bool:
    """Does it hold a first element of some sort before anything is written?"""
    match without_optional(type_):
        case Array(_, element) | Bag(element):
            return _has_first(element)
        case Record(fields):
            return any(_has_first(each.type) for each in fields)
        case found:
            return isinstance(found, Element | Union)


def _is_changed(naming: Naming, renaming: Renaming) -> bool:
    match naming:
        case flat.Fill(place, how):
            keeps = renaming.keeps_smallest if how == "clear" else renaming.keeps_blank
            return not keeps(place.type)
        case flat.Declare(_, type_):
            return not renaming.keeps_blank(type_)
        case flat.Expr():
            return renaming.value(naming.value, naming.type) != naming.value


def _counted(found: Counter[Naming], moves: Renaming) -> frozenset[tuple[object, int]]:
    """How often which element is named."""
    count = {
        (each.type, moves.value(each.value, each.type)): times
        for each, times in found.items()
        if isinstance(each, flat.Expr)
    }
    return frozenset(count.items())


def _number(normaliser: Normaliser, part: Part) -> int:
    return normaliser.action(part) if isinstance(part, flat.Action) else normaliser.property(part)


def certify(program: Program, permutation: Sequence[int]) -> Refusal | None:
    """None for a symmetry; else why it cannot be shown to be one, with its place."""
    return Certifier(program).certify(permutation)
