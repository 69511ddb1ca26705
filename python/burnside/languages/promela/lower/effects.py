"""Lowering of statements: when each can be executed, and what it does.

In: a resolved statement and a `Frame`. Out: `Option`s: a statement has several where its channel may be of several types.
What a path has stored so far is noted in `Frame.known` as statements are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from burnside.diagnostics import UnsupportedError
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import Array, Integer, Optional, Record, Type, Union, bounds, can_be_undefined
from burnside.languages.promela import expressions as x
from burnside.languages.promela import statements as st
from burnside.languages.promela.lower.creation import MAX_PROCESSES, Steps, channels_in, runs_in
from burnside.languages.promela.lower.expressions import is_channel, scalar_at
from burnside.languages.promela.lower.frames import Frame, Known
from burnside.languages.promela.lower.layout import Holder
from burnside.languages.promela.lower.queues import Queues
from burnside.languages.promela.lower.terms import (
    Number,
    constant,
    disjunction,
    wrapped,
)
from burnside.languages.promela.places import scalars
from burnside.languages.promela.types import ArrayValues, Field, NewChannel, ScalarType, StructType, Variable
from burnside.records import record

Write = Callable[[Frame], list[s.Statement]]
"""Writes the effect down, given what is known before; notes in `Frame.known` what is known after."""
UNROLLED = 16
"""Arrays of more elements are set by loops."""
MAX_TURNS = 1_000_000
"""Of a loop inside of a d_step."""
RENDEZVOUS = "a d_step sends in a rendezvous"


@record(eq=False)
class Option:
    """One way to execute a statement."""

    test: e.Expression
    write: Write


class Effects(Queues):
    """`demanded`: pids of processes that are created and that the layout has no room for. `guessed`: proctypes of which
    processes are created whose pid is not known. `kept_in_bytes`: bits that get other numbers.
    `assertions`: in the order of their numbers among the properties."""

    limit: int
    """The number of the property that is violated where the layout has too little room."""

    def _begin(self) -> None:
        self.demanded: dict[str, set[int]] = {}
        self.guessed: set[str] = set()
        self.kept_in_bytes: set[Holder] = set()
        self.assertions: list[st.Assertion] = []
        self.blocked_step: int | None = None

    def property_of(self, assertion: st.Assertion) -> int:
        raise NotImplementedError

    def is_dropped(self, variable: Variable) -> bool:
        """Is it never read, and no part of the state?"""
        raise NotImplementedError

    def options(self, statement: st.Statement, frame: Frame) -> list[Option]:
        """Of any statement but `Else`, `End` and rendezvous."""
        match statement:
            case st.Condition(_, test):
                return [self._condition(test, frame)]
            case st.Assignment():
                return [Option(e.TRUE, lambda there: self._assign(statement, there))]
            case st.Assertion(_, test):
                return [Option(e.TRUE, lambda there: self._assertion(statement, there))]
            case st.Print() | st.Jump():
                return [Option(e.TRUE, lambda _: [])]
            case st.Send():
                return [Option(test, write) for test, write in self.sends(statement, frame)]
            case st.Receive():
                return [Option(test, write) for test, write in self.receives(statement, frame)]
            case st.DeterministicStep():
                return [self._deterministic(statement, frame)]
            case st.SetPriority(at):
                raise UnsupportedError(
                    at.diagnostic("set_priority is not supported: priorities of processes are not")
                )
            case _:
                raise AssertionError(f"{type(statement).__name__} has no options of its own")

    # Simple statements

    def _condition(self, test: x.Expression, frame: Frame) -> Option:
        run = next(runs_in(st.Condition(test.at, test)), None)
        if run is None:
            return Option(self.truth(test, frame), lambda _: [])
        return Option(e.TRUE, lambda there: self._created(run, there)[0])

    def _assign(self, statement: st.Assignment, frame: Frame) -> list[s.Statement]:
        target, value = statement.target, statement.value
        run = next(runs_in(statement), None)
        before: list[s.Statement] = []
        if run is not None:
            before, number = self._created(run, frame)
            if not isinstance(value, x.Run):
                raise UnsupportedError(
                    run.at.diagnostic("run inside of a larger expression is not supported")
                )
            return (
                before if self.is_dropped(target.variable) else [*before, *self.store(target, number, frame)]
            )
        if self.is_dropped(target.variable):
            return []
        if is_channel(target):
            return self.store_channel(target, self.channel(value, frame).expression, frame)
        return self.store(target, self.number(value, frame), frame)

    def store(self, target: x.Reference, value: Number, frame: Frame) -> list[s.Statement]:
        """Wrapped to the bits of the target."""
        place = self.place(target, frame)
        kept = self._kept(target.path[-1].field if target.path else target.variable, value, place)
        frame.known.store(place, kept.constant)
        return [s.Assign(place, kept.expression, target.at.span)]

    def _kept(self, holder: Holder, value: Number, place: e.Place) -> Number:
        """What is left of a value at a place in this variable or field."""
        self.note_bytes(holder, value)
        type_ = scalar_at(place)
        assert isinstance(type_, Integer)
        return wrapped(value, type_)

    def store_channel(self, target: x.Reference, value: e.Expression, frame: Frame) -> list[s.Statement]:
        place = self.place(target, frame)
        frame.known.store(place, value.value if isinstance(value, e.Constant) else None)
        return [s.Assign(place, value, target.at.span)]

    def _initialise_array(self, target: x.Reference, values: ArrayValues, frame: Frame) -> list[s.Statement]:
        place, size = self.place(target, frame), target.variable.size
        assert size is not None and isinstance(target.type, ScalarType)
        found: list[s.Statement] = []
        for index in range(size):
            value = constant(values.values[min(index, len(values.values) - 1)])
            cell = e.Index(place, e.Constant(index, Integer(0, size - 1)))
            found += self.set_constant(cell, self._kept(target.variable, value, cell).low, frame)
        return found

    def set_constant(self, place: e.Place, value: int, frame: Frame) -> list[s.Statement]:
        type_ = scalar_at(place)
        frame.known.store(place, value)
        return [s.Assign(place, e.Constant(value, type_))]

    def _assertion(self, statement: st.Assertion, frame: Frame) -> list[s.Statement]:
        test = self.truth(statement.test, frame)
        number = self.property_of(statement)
        return [] if test == e.TRUE else [s.Note(test, number, statement.at.span)]

    # Processes

    def _created(self, run: x.Run, frame: Frame) -> tuple[list[s.Statement], Number]:
        """The statements that create a process, and its pid."""
        if run.priority is not None:
            raise UnsupportedError(run.at.diagnostic("priorities of processes are not supported"))
        process = self.model.by_name[run.process]
        count = self.read(self.process_count, frame, run.at)
        element = self._new_element(run, count)
        if element is None:
            # There will be room when the actions are written again; what else is needed is found on the way.
            self._count(frame, count, 1)
            return [s.Assert(e.FALSE, self.limit, run.at.span)], count
        # The arguments are evaluated before the process is there, the initial values of its locals after that.
        there = Frame(process, element, frame.known, uncounted=1)
        found: list[s.Statement] = []
        targets = [
            each for parameter in process.parameters for each in scalars(x.Reference(run.at, parameter))
        ]
        for target, argument in zip(targets, run.arguments, strict=True):
            place = self.place(target, there)
            if is_channel(target):
                value = self.channel(argument, frame).expression
                known = value.value if isinstance(value, e.Constant) else None
            else:
                holder = target.path[-1].field if target.path else target.variable
                kept = self._kept(holder, self.number(argument, frame), place)
                value, known = kept.expression, kept.constant
            frame.known.store(place, known)
            found.append(s.Assign(place, value, argument.at.span))
        for variable in process.locals:
            found += self.initialised(variable, there)
        found += self.move(process.name, element, process.graph.entry, frame)
        found += self._count(frame, count, 1)
        if count.constant is not None:
            return found, count
        # Where the pid is read there is one process more.
        return found, Number(e.Binary("-", count.expression, e.Constant(1, Integer())), count.low, count.high)

    def _new_element(self, run: x.Run, count: Number) -> e.Expression | None:
        pids = self.layout.slots.get(run.process, ())
        if count.constant is not None:
            if count.constant not in pids:
                if count.constant < MAX_PROCESSES:
                    self.demanded.setdefault(run.process, set()).add(count.constant)
                return None
            return e.Constant(pids.index(count.constant), self.layout.process_type(run.process))
        self.guessed.add(run.process)
        if not pids:
            return None
        counts = self.process_count.type
        assert isinstance(counts, Integer) and counts.high is not None
        entries = [pids.index(each) if each in pids else None for each in range(counts.high + 1)]
        table = self.table("new process", (counts,), self.layout.process_type(run.process), entries)
        return e.Lookup(table, (count.expression,), self.limit, run.at.span)

    def _count(self, frame: Frame, count: Number, by: int) -> list[s.Statement]:
        """One process more or less."""
        if count.constant is not None:
            return self.set_constant(self.process_count, count.constant + by, frame)
        frame.known.store(self.process_count, None)
        operator: e.BinaryOperator = "+" if by > 0 else "-"
        value = e.Binary(operator, e.Read(self.process_count), e.Constant(1, Integer()))
        return [s.Assign(self.process_count, value)]

    def move(self, process: str, element: e.Expression, state: int, frame: Frame) -> list[s.Statement]:
        """The process goes to this state of its graph; 0: it is gone."""
        place = e.Index(self.layout.point(process), element)
        return self.set_constant(place, self.points[process][state] if state else 0, frame)

    def initialised(self, variable: Variable, frame: Frame) -> list[s.Statement]:
        """The initial values of a variable that has none yet."""
        if variable in self.constant_channels or self.is_dropped(variable):
            return []
        target = x.Reference(variable.at, variable)
        if can_be_undefined(self.layout.variable(variable).type):
            before = self.zeroed(self.place(target, frame), frame)
            values = self._values(variable, target, frame)
            # What is set to 0 and then to something else at once need not be set to 0.
            places = {each.place for each in values if isinstance(each, s.Assign)}
            return [
                *(each for each in before if not (isinstance(each, s.Assign) and each.place in places)),
                *values,
            ]
        return self._values(variable, target, frame)

    def _values(self, variable: Variable, target: x.Reference, frame: Frame) -> list[s.Statement]:
        """Those that are not 0."""
        match variable.initial:
            case None:
                return self._initialised_struct(variable, target, frame)
            case NewChannel():
                return self._created_channels(variable, target, frame)
            case ArrayValues() as values:
                return self._initialise_array(target, values, frame)
            case _ if isinstance(variable.type, StructType):
                # pan ignores the initial value of a struct.
                return self._initialised_struct(variable, target, frame)
            case expression:
                if variable.size is None:
                    return self._assign(st.Assignment(variable.at, target, expression), frame)
                found: list[s.Statement] = []
                for index in range(variable.size):
                    element = x.Reference(variable.at, variable, x.Number(variable.at, index))
                    found += self._assign(st.Assignment(variable.at, element, expression), frame)
                return found

    def _created_channels(self, variable: Variable, target: x.Reference, frame: Frame) -> list[s.Statement]:
        if frame.me is not None and not isinstance(frame.me, e.Constant):
            return self._own_channels(variable, target, frame)
        found: list[s.Statement] = []
        for (owner, steps, pid), channel in self.layout.owners.items():
            if owner is variable and self._is_pid(frame, pid):
                place = _inner(self.place(target, frame), variable, steps)
                found += self.set_constant(place, self.layout.value(channel), frame)
        return found

    def _is_pid(self, frame: Frame, pid: int | None) -> bool:
        if pid is None or frame.process is None:
            return pid is None and frame.process is None
        pids = self.layout.slots[frame.process.name]
        return isinstance(frame.me, e.Constant) and pids[frame.me.value] == pid

    def _own_channels(self, variable: Variable, target: x.Reference, frame: Frame) -> list[s.Statement]:
        """A process whose pid is not known gets the channels of its pid from a table."""
        assert frame.process is not None and frame.me is not None
        found: list[s.Statement] = []
        pids = self.layout.slots[frame.process.name]
        for steps, _ in channels_in(variable):
            entries = [self.layout.value(self.layout.owners[variable, steps, pid]) for pid in pids]
            type_ = self.layout.process_type(frame.process.name)
            table = self.table(variable.unique, (type_,), self.layout.channel_type, entries)
            place = _inner(self.place(target, frame), variable, steps)
            frame.known.store(place, None)
            found.append(s.Assign(place, e.Lookup(table, (frame.me,))))
        return found

    def _initialised_struct(self, variable: Variable, target: x.Reference, frame: Frame) -> list[s.Statement]:
        """Fields may have initial values too."""
        if not isinstance(variable.type, StructType):
            return []
        found: list[s.Statement] = []
        for index in range(1 if variable.size is None else variable.size):
            place = self.place(target, frame)
            if variable.size is not None:
                place = e.Index(place, e.Constant(index, Integer(0, variable.size - 1)))
            found += self._initialised_fields(place, variable.type, frame)
        return found + self._created_channels(variable, target, frame)

    def _initialised_fields(self, place: e.Place, type_: StructType, frame: Frame) -> list[s.Statement]:
        found: list[s.Statement] = []
        for field in type_.fields:
            for index in range(1 if field.size is None else field.size):
                inner: e.Place = e.Component(place, field.name)
                if field.size is not None:
                    inner = e.Index(inner, e.Constant(index, Integer(0, field.size - 1)))
                if isinstance(field.type, StructType):
                    found += self._initialised_fields(inner, field.type, frame)
                elif isinstance(field.initial, x.Number):
                    value = self._kept(field, constant(field.initial.value), inner).low
                    found += self.set_constant(inner, value, frame)
                elif isinstance(field.initial, ArrayValues):
                    values = field.initial.values
                    value = values[min(index, len(values) - 1)]
                    found += self.set_constant(inner, self._kept(field, constant(value), inner).low, frame)
                elif field.initial is not None and not isinstance(field.initial, NewChannel):
                    raise UnsupportedError(
                        field.initial.at.diagnostic("this initial value of a field is not supported")
                    )
        return found

    def undefined(self, place: e.Place, frame: Frame) -> list[s.Statement]:
        frame.known.store(place, None)
        return [s.Undefine(place)]

    def zeroed(self, place: e.Place, frame: Frame, depth: int = 0) -> list[s.Statement]:
        """Every scalar at a place becomes 0."""
        type_: Type = e.type_of_place(place)
        frame.known.store(place, None)
        match type_:
            case Integer() | Union() | Optional():
                return self.set_constant(place, 0, frame)
            case Record(fields):
                return [
                    each
                    for field in fields
                    for each in self.zeroed(e.Component(place, field.name), frame, depth)
                ]
            case Array(Integer() as index, _):
                low, high = bounds(index)
                if high - low < UNROLLED:
                    cells = [e.Index(place, e.Constant(each, index)) for each in range(low, high + 1)]
                    return [each for cell in cells for each in self.zeroed(cell, frame, depth)]
                bound = e.Bound(f"cell {depth}", e.All(index))
                body = self.zeroed(e.Index(place, e.Read(bound.variable)), frame, depth + 1)
                return [s.For(bound, tuple(body))]
            case _:
                raise AssertionError("no such type in Promela")

    def ended(self, process: str, frame: Frame) -> list[s.Statement]:
        """A process is gone: what it had is undefined, as if it had never been."""
        assert frame.me is not None
        known = self.model.by_name[process]
        found: list[s.Statement] = []
        for variable in (*known.parameters, *known.locals):
            if variable not in self.constant_channels and not self.is_dropped(variable):
                found += self.undefined(e.Index(self.layout.variable(variable), frame.me), frame)
        found += self._emptied(process, frame)
        found += self.move(process, frame.me, 0, frame)
        return found + self._count(frame, self.read(self.process_count, frame, known.at), -1)

    def _emptied(self, process: str, frame: Frame) -> Iterator[s.Statement]:
        """Channels that a process has created are gone with it."""
        assert frame.me is not None
        for variable in self.model.by_name[process].locals:
            for steps, _ in channels_in(variable):
                pids = self.layout.slots[process]
                channels = [self.layout.owners[variable, steps, pid] for pid in pids]
                type_ = channels[0].type
                if type_.capacity == 0:
                    continue
                sort = self.layout.element(channels[0]).type
                entries = [self.layout.element(each).value for each in channels]
                table = self.table(variable.unique, (self.layout.process_type(process),), sort, entries)
                channel: e.Expression = e.Lookup(table, (frame.me,))
                if isinstance(frame.me, e.Constant):
                    channel = e.Constant(entries[frame.me.value], sort)
                yield from self.zeroed(e.Index(self.layout.length(type_), channel), frame)
                for field in range(len(type_.fields)):
                    yield from self.undefined(e.Index(self.layout.contents(type_, field), channel), frame)

    # d_step

    def _deterministic(self, statement: st.DeterministicStep, frame: Frame) -> Option:
        graph = statement.graph
        first: list[e.Expression] = []
        for each in graph.leaving(graph.entry):
            if isinstance(each.statement, st.Else):
                first.append(e.TRUE)
            else:
                first += [option.test for option in self._step_options(each.statement, frame)]
        return Option(disjunction(first), lambda there: self.steps(statement, graph.entry, there))

    def _step_options(self, statement: st.Statement, frame: Frame) -> list[Option]:
        """Of a statement in a d_step: that it sends in a rendezvous is an error."""
        found = self.options(statement, frame)
        if isinstance(statement, st.Send):
            error = self.failing(RENDEZVOUS, statement.at)
            for test in self.rendezvous_tests(statement, frame):
                found.append(Option(test, lambda _: [error]))
        return found

    def steps(self, statement: st.DeterministicStep, state: int | None, frame: Frame) -> list[s.Statement]:
        """All from this point of a d_step on."""
        budget = [UNROLLED_STEPS]
        try:
            return self._unrolled(statement, state, frame, (), budget)
        except _NotUnrolled:
            return self._dispatched(statement, state, frame)

    def _unrolled(
        self,
        statement: st.DeterministicStep,
        state: int | None,
        frame: Frame,
        path: tuple[int, ...],
        budget: list[int],
    ) -> list[s.Statement]:
        """Nested choices, as long as every loop is decided by constants."""
        found: list[s.Statement] = []
        while state is not None:
            budget[0] -= 1
            if budget[0] < 0:
                raise _NotUnrolled
            choices = self._choices(statement, state, frame)
            if choices and choices[0][0] == e.TRUE:
                _, write, state = choices[0]
                found += write(frame)
                continue
            if state in path:
                raise _NotUnrolled
            branches, ends = [], []
            for test, write, target in choices:
                there = frame.at(frame.known.copy())
                body = [*write(there), *self._unrolled(statement, target, there, (*path, state), budget)]
                branches.append(s.Branch(test, tuple(body)))
                ends.append(there.known)
            frame.known.join(ends)
            return [*found, _chosen(branches, self._blocked(statement))]
        return found

    def _choices(
        self, statement: st.DeterministicStep, state: int, frame: Frame
    ) -> list[tuple[e.Expression, Write, int | None]]:
        """What may be done at a point of a d_step, in order: no further than to what can always be done."""
        found: list[tuple[e.Expression, Write, int | None]] = []
        for each in statement.graph.leaving(state):
            if isinstance(each.statement, st.Else):
                found.append((e.TRUE, lambda _: [], each.target))
            else:
                for option in self._step_options(each.statement, frame):
                    if option.test != e.FALSE:
                        found.append((option.test, option.write, each.target))
            if found and found[-1][0] == e.TRUE:
                break
        return found

    def _blocked(self, statement: st.DeterministicStep) -> s.Block:
        return (s.Assert(e.FALSE, self.blocked_property(), statement.at.span),)

    def blocked_property(self) -> int:
        raise NotImplementedError

    def _dispatched(
        self, statement: st.DeterministicStep, first: int | None, frame: Frame
    ) -> list[s.Statement]:
        """A loop over the points of the d_step."""
        graph = statement.graph
        states = list(dict.fromkeys([graph.entry, *(each.source for each in graph.transitions)]))
        end = len(states)
        point = e.Variable("point of a d_step", Integer(0, end))
        type_ = point.type
        assert isinstance(type_, Integer)

        def go(target: int | None) -> s.Statement:
            return s.Assign(point, e.Constant(end if target is None else states.index(target), type_))

        branches = []
        for number, state in enumerate(states):
            # Nothing is known at a point that may be reached in several ways.
            there = frame.at(Known())
            inner = []
            for test, write, target in self._choices(statement, state, there):
                inner.append(s.Branch(test, (*write(there.at(Known())), go(target))))
            body = _chosen(inner, self._blocked(statement))
            is_here = e.Binary("=", e.Read(point), e.Constant(number, type_))
            branches.append(s.Branch(is_here, (body,)))
        frame.known.cells.clear()
        goes_on = e.Binary("!=", e.Read(point), e.Constant(end, type_))
        loop = s.While(goes_on, (s.If(tuple(branches), ()),), MAX_TURNS, statement.at.span)
        return [s.Declare((point,), (go(first), loop))]


UNROLLED_STEPS = 600


class _NotUnrolled(Exception):
    """A loop of a d_step is not decided by constants, or too long."""


def _chosen(branches: list[s.Branch], otherwise: s.Block) -> s.Statement:
    """The first branch whose test holds; what is behind one that always holds is left out."""
    for at, each in enumerate(branches):
        if each.test == e.TRUE:
            return s.If(tuple(branches[:at]), each.body) if at else s.If((each,), ())
    return s.If(tuple(branches), otherwise)


def _inner(place: e.Place, holder: Variable | Field, steps: Steps) -> e.Place:
    """What the steps lead to."""
    for step in steps:
        if isinstance(step, int):
            place = e.Index(place, e.Constant(step, Integer(0, (holder.size or 1) - 1)))
        else:
            assert isinstance(holder.type, StructType)
            holder = next(each for each in holder.type.fields if each.name == step)
            place = e.Component(place, step)
    return place
