"""Certification of element permutations: the only way into the group of a program.

In: a program, permutations of its points. Out: None, or why not. The program is made flat once (`ir.analysis`); a
permutation is a symmetry if

1. no operation orders or computes with what moves (`rules.values`),
2. no loop depends on the order of its turns (`rules.turns`),
3. positions of bags name only entries that they mean (`rules.positions`),
4. the program with all constants and tables renamed is the program again (`rules.renaming`): the start states, the actions
   and the assumptions each as a multiset, every other property by itself, because a verdict is about one property, and so is
   what makes a state a proper end.

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
from burnside.ir.expressions import Table
from burnside.ir.program import Program
from burnside.ir.types import Array, Bag, Element, Record, Type, Union, show_value
from burnside.limits import Deadline
from burnside.records import record
from burnside.symmetry import Refusal
from burnside.symmetry.cycles import cycle_notation, cycles
from burnside.symmetry.points import Renaming, renaming, without_optional
from burnside.symmetry.programs.point_names import program_point_names
from burnside.symmetry.programs.refused import Refused
from burnside.symmetry.programs.rules.orders import Orders
from burnside.symmetry.programs.rules.positions import BagPositions
from burnside.symmetry.programs.rules.renaming import Blocking, Normaliser, Numbering
from burnside.symmetry.programs.rules.table_images import TableImages
from burnside.symmetry.programs.rules.turns import Turns
from burnside.symmetry.programs.rules.values import Values

Part = flat.Action | flat.Property
Kind = Literal["action", "start state"]
KINDS: tuple[Kind, ...] = ("action", "start state")
Naming = flat.Expr | flat.Fill | flat.Declare | Table
"""What names elements: constants, tables, and what writes first elements."""


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
        self._tables = TableImages()
        self._named: dict[int, Counter[Naming]] = {}
        self._normal: dict[int, int] = {}
        self._behaviour: dict[tuple[frozenset[str], Kind], Refused | None] = {}
        self._properties: dict[tuple[frozenset[str], int], Refused | None] = {}
        self._images: tuple[Renaming, dict[int, int]] = Renaming({}), {}
        """Under the renaming that was asked for last, the numbers of renamed parts."""

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
        """Actions, start states, and what a proper end is."""
        return self.actions(permutation) or self.starts(permutation)

    def actions(self, permutation: Sequence[int]) -> Refused | None:
        """The transition relation alone, and which of its ends are proper."""
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
        groups = [_Group(kind, self._parts(kind))]
        if kind == "start state":
            return self._blank(moves) or self._renamed(moves, groups)
        if (end := self._flat.proper_end) is not None:
            groups.append(_Group(end.kind, (end,)))
        return self._renamed(moves, groups)

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
        actions = self._flat.actions
        naming = [number for number, each in enumerate(actions) if self._namings(each, moves)]
        places: dict[int, list[int]] = {}
        for number in reversed(naming):
            places.setdefault(self._number(actions[number]), []).append(number)
        result = list(range(len(actions)))
        for number in naming:
            result[number] = places[self._image(actions[number], moves)].pop()
        return tuple(result)

    def refusal(self, permutation: Sequence[int], refused: Refused) -> Refusal:
        span = refused.span
        return Refusal(
            self.describe(permutation), refused.reason, span.line if span else 1, span.column if span else 1
        )

    def describe(self, permutation: Sequence[int]) -> str:
        return cycle_notation(cycles(permutation), self._point_names)

    @cached_property
    def _point_names(self) -> tuple[str, ...]:
        return program_point_names(self.program)

    # Operations, loops and positions

    def _check_behaviour(self, moved: frozenset[str], kind: Kind) -> Refused | None:
        try:
            for action in self._parts(kind):
                self._check()
                self._check_action(moved, action)
        except Refused as refused:
            return refused
        except NotFlat as error:
            return Refused(error.reason, error.span)
        end = self._flat.proper_end if kind == "action" else None
        return None if end is None else self._check_property(moved, end)

    def _check_action(self, moved: frozenset[str], action: flat.Action) -> None:
        domains = [each.domain for each in action.parameters]
        orders = Orders(moved, walking.action_blocks(action), domains)
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
            for start, written in zip(self._flat.starts, self._written, strict=True):
                if variable.name not in written:
                    return Refused(f"{variable.name} begins as the first element of its sort", start.span)
        return None

    @cached_property
    def _written(self) -> list[set[str]]:
        """For each start, the variables that it fills completely and does not read."""
        result = []
        for start in self._flat.starts:
            accesses = self._effecting.of_block(start.body).accesses
            read = {each.path.root for each in accesses if each.kind not in ("set", "write")}
            result.append(written_by_start(start, self._flat.variables) - read)
        return result

    def _namings(self, part: Part, moves: Renaming) -> list[Naming]:
        if id(part) not in self._named:
            self._named[id(part)] = Counter(_named_in(part))
        return [each for each in self._named[id(part)] if self._is_changed(each, moves)]

    def _is_changed(self, naming: Naming, moves: Renaming) -> bool:
        match naming:
            case flat.Fill(place, how):
                keeps = moves.keeps_smallest if how == "clear" else moves.keeps_blank
                return not keeps(place.type)
            case flat.Declare(_, type_):
                return not moves.keeps_blank(type_)
            case Table():
                return self._tables.image(naming, moves) != self._tables.number(naming)
            case _:
                return moves.value(naming.value, naming.type) != naming.value

    def _renamed(self, moves: Renaming, groups: Sequence[_Group]) -> Refused | None:
        for group in groups:
            naming = [each for each in group.parts if self._namings(each, moves)]
            if not naming:
                continue
            if (odd := self._odd(naming, moves)) is not None:
                return self._asymmetry(group.kind, odd, moves)
            old = Counter(map(self._number, naming))
            for each in naming:
                self._check()
                number = self._image(each, moves)
                old[number] -= 1
                if old[number] < 0:
                    return self._asymmetry(group.kind, each, moves)
        return None

    def _odd(self, naming: Sequence[Part], moves: Renaming) -> Part | None:
        """A part whose image names what no part names: seen without looking at anything but constants and tables."""
        old = Counter(self._counted(each, Renaming({})) for each in naming)
        for each in naming:
            image = self._counted(each, moves)
            old[image] -= 1
            if old[image] < 0:
                return each
        return None

    def _counted(self, part: Part, moves: Renaming) -> frozenset[tuple[object, int]]:
        """How often which element, or which table, is named."""
        count: Counter[object] = Counter()
        for each, times in self._named[id(part)].items():
            if isinstance(each, flat.Expr):
                count[each.type, moves.value(each.value, each.type)] += times
            elif isinstance(each, Table):
                count[self._tables.image(each, moves)] += times
        return frozenset(count.items())

    def _number(self, part: Part) -> int:
        if id(part) not in self._normal:
            self._normal[id(part)] = self._renamed_number(part, Renaming({}))
        return self._normal[id(part)]

    def _image(self, part: Part, moves: Renaming) -> int:
        """The number of a part in which constants are renamed."""
        if self._images[0] != moves:
            self._images = moves, {}
        known = self._images[1]
        if id(part) not in known:
            known[id(part)] = self._renamed_number(part, moves)
        return known[id(part)]

    def _renamed_number(self, part: Part, moves: Renaming) -> int:
        normaliser = Normaliser(moves, self._numbers, self._tables, self._blocking)
        return normaliser.action(part) if isinstance(part, flat.Action) else normaliser.property(part)

    def _asymmetry(self, kind: str, part: Part, moves: Renaming) -> Refused:
        found = self._namings(part, moves)[0]
        title = f"the {kind} {part.name!r}" if part.name else f"the {kind}"
        if isinstance(found, flat.Expr):
            name = show_value(found.value, found.type)
            image = show_value(moves.value(found.value, found.type), found.type)
            reason = f"{title} names {name}, and nothing does the same with {image}"
            return Refused(reason, found.span or part.span)
        if isinstance(found, Table):
            reason = f"{title} looks up {found.name}, and nothing does the same with the table's image"
            return Refused(reason, part.span)
        return Refused(f"{title} sets something to the first element of its sort", part.span)


def _code_block(code: flat.Code) -> flat.Block:
    return (*code.before, flat.Let("", code.value))


def _part_blocks(part: Part) -> tuple[flat.Block, ...]:
    if isinstance(part, flat.Action):
        return walking.action_blocks(part)
    return () if part.code is None else (_code_block(part.code),)


def _all_blocks(program: flat.Program) -> Iterator[flat.Block]:
    parts: list[Part] = [*program.starts, *program.actions, *program.properties]
    if program.proper_end is not None:
        parts.append(program.proper_end)
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
            elif each.table is not None:
                yield each.table


def _has_first(type_: Type) -> bool:
    """Does it hold a first element of some sort before anything is written?"""
    match without_optional(type_):
        case Array(_, element) | Bag(element):
            return _has_first(element)
        case Record(fields):
            return any(_has_first(each.type) for each in fields)
        case found:
            return isinstance(found, Element | Union)


def certify(program: Program, permutation: Sequence[int]) -> Refusal | None:
    """None for a symmetry; else why it cannot be shown to be one, with its place."""
    return Certifier(program).certify(permutation)
