"""From a resolved Promela model to a `Program`: layout, start, actions, properties.

The layout depends on which processes are created with which pids, which is found out while actions are written: so they are
written again, with more room, until there is room for all that is certain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from burnside.diagnostics import UnsupportedError
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Program, Property, PropertyKind
from burnside.ir.types import Array, Integer, Optional, Record, Sort, Type
from burnside.ir.walking import nodes
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.lower.actions import Actions
from burnside.languages.promela.lower.beginning import Beginning
from burnside.languages.promela.lower.creation import MAX_PROCESSES, slots
from burnside.languages.promela.lower.frames import Cell, Frame, Known
from burnside.languages.promela.lower.layout import NONE, Holder, Layout
from burnside.languages.promela.lower.terms import conjunction
from burnside.languages.promela.lower.titles import title
from burnside.languages.promela.lower.uses import Uses, uses_of
from burnside.languages.promela.lower.views import views
from burnside.languages.promela.model import Model
from burnside.languages.promela.types import StructType, Variable
from burnside.records import record, replace

ROOM = 4
"""Processes beyond those at the beginning, where nothing says how many there can be: a first guess."""
LIMIT = "room for processes"
TOO_MANY = f"more than {MAX_PROCESSES} processes"
BLOCKED = "blocked d_step"


@record(eq=False)
class Lowered:
    """A program, and what is needed to lower conditions over it."""

    program: Program
    lowering: ProgramLowering
    is_guess: bool
    """Is the room for processes a guess?"""
    is_full: bool
    """Is it all that there can be?"""
    room: int


def lowered(model: Model, room: int = ROOM) -> Lowered:
    _check_priorities(model)
    uses = uses_of(model)
    demanded: dict[str, set[int]] = {}
    guessed: set[str] = set()
    resting: dict[str, set[int]] = {}
    kept_in_bytes: set[Holder] = set()
    while True:
        found = slots(model, demanded, guessed, room)
        is_full = len(model.starting) + room >= MAX_PROCESSES
        lowering = ProgramLowering(
            Layout(
                model, found, resting, channels_are_numbers=uses.mixes_channels, kept_in_bytes=kept_in_bytes
            ),
            uses,
            "error" if is_full else "limit",
        )
        program = lowering.program()
        is_new = (
            any(not pids <= demanded.get(name, set()) for name, pids in lowering.demanded.items())
            or not lowering.guessed <= guessed
            or not lowering.kept_in_bytes <= kept_in_bytes
        )
        if not is_new and not resting:
            resting = lowering.resting()
        elif not is_new:
            return Lowered(program, lowering, bool(guessed), is_full, room)
        for name, pids in lowering.demanded.items():
            demanded.setdefault(name, set()).update(pids)
        guessed |= lowering.guessed
        kept_in_bytes |= lowering.kept_in_bytes


def _check_priorities(model: Model) -> None:
    """Spin lets only processes of the highest priority run that can. Where all have the same it makes no difference."""
    processes = [each for each in model.processes if each.kind in ("proctype", "init")]
    if len({each.priority or 1 for each in processes}) > 1:
        own = next(each for each in processes if each.priority not in (None, 1))
        raise UnsupportedError(own.at.diagnostic("processes of different priorities are not supported"))


class ProgramLowering(Actions):
    def __init__(self, layout: Layout, uses: Uses, limit: PropertyKind = "limit") -> None:
        super().__init__(layout, uses.constant_channels(layout.model))
        self.uses = uses
        self._begin()
        self.properties: list[Property] = [Property(limit, LIMIT if limit == "limit" else TOO_MANY)]
        self.limit = 0
        self._numbers: dict[int, int] = {}
        self._blocked_number: int | None = None
        self.reads_last = uses.reads_last
        self.always = Known()
        """What is so in every state."""
        self.moves: list[tuple[str, int, int]] = []
        self.beginning = Beginning(layout.model, self.initial_cells)
        self._initial: dict[Cell, int] | None = None

    def blocked_property(self) -> int:
        if self._blocked_number is None:
            self._blocked_number = len(self.properties)
            self.properties.append(Property("error", BLOCKED))
        return self._blocked_number

    def property_of(self, assertion: st.Assertion) -> int:
        key = id(assertion)
        if key not in self._numbers:
            self._numbers[key] = len(self.properties)
            span = assertion.at.span
            self.properties.append(Property("assertion", f"{title(assertion)} (line {span.line})", span=span))
        return self._numbers[key]

    def is_dropped(self, variable: Variable) -> bool:
        return variable in self.uses.dropped or variable.name == "_"

    # The whole

    def program(self) -> Program:
        start = self._start()
        actions = tuple(self.actions())
        control = None
        if any(each.keeps_control is not None for each in actions):
            control = e.Variable("process in control", Optional(self.layout.actors), is_state=True)
        variables = tuple(self._variables())
        if not any(node == self.process_count for action in actions for node in nodes(action)):
            variables = tuple(each for each in variables if each != self.process_count)
            self.always.store(self.process_count, len(self.model.starting))
            start = replace(start, body=tuple(each for each in start.body if not self._counts(each)))
        program = Program(
            name=self.model.name,
            sorts=tuple(self._sorts()),
            variables=variables if control is None else (*variables, control),
            starts=(start,),
            actions=actions,
            properties=tuple(self.properties),
            control=control,
            proper_end=self.proper_end(),
            counts_impossible=False,
            counts_starts=True,
        )
        return replace(program, views=tuple(views(self.layout, self.points, program)))

    def _counts(self, statement: s.Statement) -> bool:
        return isinstance(statement, s.Assign) and statement.place == self.process_count

    def _sorts(self) -> Iterator[Sort]:
        yield from self.layout.process_sorts.values()
        if self.layout.channels or self.uses.has_channel_variables:
            yield NONE
        yield from self.layout.channel_sorts.values()

    def _stored(self, variable: Variable) -> bool:
        return variable not in self.constant_channels and not self.is_dropped(variable)

    def _variables(self) -> Iterator[e.Variable]:
        for variable in self.model.variables:
            if self._stored(variable):
                yield self.layout.variable(variable)
        yield self.process_count
        if self.reads_last:
            yield self.last
        for name in self.layout.process_sorts:
            process = self.model.by_name[name]
            yield self.layout.point(name)
            for variable in (*process.parameters, *process.locals):
                if self._stored(variable):
                    yield self.layout.variable(variable)
        for type_ in self.layout.channel_sorts:
            if type_.capacity:
                yield self.layout.length(type_)
                for number in range(len(type_.fields)):
                    yield self.layout.contents(type_, number)

    def _start(self) -> Action:
        """Numbers are 0 unless something else is said. (A variable that a start does not mention has its smallest value.)"""
        frame = Frame(None, None, Known())
        body: list[s.Statement] = []
        for stored in self._variables():
            body += _zeros(stored, stored.type, 0)
        for variable in self.model.initialised:
            body += self.initialised(variable, frame)
        body += self.set_constant(self.process_count, len(self.model.starting), frame)
        for process, pid, at in self.layout.processes():
            if pid >= len(self.model.starting) or self.model.starting[pid] is not process:
                continue
            me = e.Constant(at, self.layout.process_type(process.name))
            there = Frame(process, me, frame.known, uncounted=pid + 1 - len(self.model.starting))
            for each in (*process.parameters, *process.locals):
                body += self.initialised(each, there)
            body += self.move(process.name, me, process.graph.entry, frame)
        self._initial = dict(frame.known.cells)
        return Action("start", (), tuple(body))

    def initial_cells(self) -> dict[Cell, int]:
        """What scalars hold at the beginning, as far as it is known: what the start has set, 0 where it has set nothing."""
        assert self._initial is not None
        found = dict(self._initial)
        for variable in self.model.variables:
            if self._is_zero(variable):
                found.setdefault((self.layout.variable(variable).name,), 0)
        for process, _, at in self.layout.processes():
            if process in self.model.starting:
                for variable in process.locals:
                    if self._is_zero(variable):
                        found.setdefault((self.layout.variable(variable).name, at), 0)
        for type_, sort in self.layout.channel_sorts.items():
            if type_.capacity:
                for at in range(sort.size):
                    found.setdefault((self.layout.length(type_).name, at), 0)
        return found

    def _is_zero(self, variable: Variable) -> bool:
        """Is it a scalar without an initial value?"""
        is_scalar = variable.size is None and not isinstance(variable.type, StructType)
        return is_scalar and variable.initial is None and self._stored(variable)

    def proper_end(self) -> e.Expression:
        """Every process is gone, at its end, or at an end label."""
        found = []
        for name in self.layout.process_sorts:
            ends = [0, *self.marked(name, lambda state: state.is_end)]
            if len(ends) == len(self.points[name]) + 1:
                continue
            bound = e.Bound(f"each {name.strip(':')}", e.All(self.layout.process_type(name)))
            test = self.is_at(name, e.Read(bound.variable), ends)
            found.append(e.Quantified("forall", bound, test))
        return conjunction(found)

    # Conditions

    def condition(self, expression: x.Expression) -> e.Expression:
        """Over globals and remote references."""
        waiting: list[Any] = [expression]
        while waiting:
            node = waiting.pop()
            if isinstance(node, x.Predefined) and node.name == "timeout":
                message = (
                    "timeout says whether a process can act: as a condition on states it is not supported"
                )
                raise UnsupportedError(node.at.diagnostic(message))
            waiting += x.children(node)
        return self.truth(expression, Frame(None, None, self.always))


def _zeros(place: e.Place, type_: Type, depth: int) -> Iterator[s.Statement]:
    """Sets the scalars to 0 whose smallest value is another."""
    match type_:
        case Integer(int(low), _) if low < 0:
            yield s.Assign(place, e.Constant(0, type_))
        case Record(fields):
            for each in fields:
                yield from _zeros(e.Component(place, each.name), each.type, depth)
        case Array(index, element):
            bound = e.Bound(f"cell {depth}", e.All(index))
            body = tuple(_zeros(e.Index(place, e.Read(bound.variable)), element, depth + 1))
            if body:
                yield s.For(bound, body)
