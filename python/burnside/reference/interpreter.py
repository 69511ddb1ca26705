"""The meaning of places, expressions and statements, one case each, as the docstrings of `ir` say it.

In: a program and a state. Out: an `Interpreter`, which evaluates and executes on a copy of the state, and raises `Fails`
where the model fails and `Discards` where an assumption does. Names are unique in a program and no function calls itself, so
one flat table of names is enough. Operands are evaluated from left to right, values before the places that take them.
"""

from __future__ import annotations

from collections.abc import Iterable

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.printing import own_titles, show_place
from burnside.ir.program import Function, Parameter, Program
from burnside.ir.types import (
    Array,
    Bag,
    Element,
    Optional,
    Record,
    Scalar,
    Type,
    Union,
    show_domain,
    show_type,
    show_value,
)
from burnside.reference.arithmetic import binary, within
from burnside.reference.failures import Discards, Fails, fail
from burnside.reference.values import (
    Cells,
    State,
    code,
    converted,
    limits,
    normalised,
    normalised_state,
    smallest,
    variables_of,
)
from burnside.semantics import FIRST_PROPERTY, Failure


class _Returns(Exception):
    """The end of a function; what it returns, copied."""

    def __init__(self, result: Cells | None) -> None:
        super().__init__()
        self.result = result


class Interpreter:
    """One state, changed by what is executed; `names` says where variables, parameters, aliases and bound names live."""

    def __init__(self, program: Program, state: State) -> None:
        self.program = program
        self.memory = list(state)
        self.names = variables_of(program, self.memory)
        self.functions = {each.name: each for each in program.functions}
        self.results: list[Type | None] = [None]
        self.covered: set[int] = set()
        self.notes: list[Failure] | None = None
        """What a step violates on its way; None in guards and properties, where there is no step that could go on: there
        `Note` is as `Assert`."""

    @property
    def state(self) -> State:
        """As it is after an action: bags are sorted."""
        return normalised_state(self.program, self.memory)

    def bind(self, bound: e.Bound, value: int) -> None:
        self.names[bound.name] = Cells.holding(value, bound.type)

    # Places

    def place(self, place: e.Place) -> Cells:
        match place:
            case e.Variable(name):
                return self.names[name]
            case e.Index(array, index, span):
                cells = self.place(array)
                assert isinstance(cells.type, Array)
                return cells.element(self._index(array, index, cells.type.index, span))
            case e.Component(record, name):
                return self.place(record).component(name)
            case e.Entry(bag, position, span):
                cells = self.place(bag)
                return cells.entry(self.present(bag, cells, self.value(position), span))

    def _index(self, array: e.Place, index: e.Expression, wanted: Scalar, span: Span | None) -> int:
        """Where numbers have become names, an index is converted to one."""
        at: int | None
        if isinstance(index, e.Convert):
            value, type_, span = self.value(index.operand), e.type_of(index.operand), span or index.span
            at = converted(value, type_, index.type)
            at = None if at is None else converted(at, index.type, wanted)
        else:
            value, type_ = self.value(index), e.type_of(index)
            at = converted(value, type_, wanted)
        if at is not None:
            return at
        shown = show_value(value, type_)
        return fail(f"the index {shown} of {self._shown(array)} is not in {show_domain(wanted)}", span)

    def present(self, bag: e.Place, cells: Cells, position: int, span: Span | None) -> int:
        """The position of an entry that is there."""
        if not cells.has_entry(position):
            fail(f"{self._shown(bag)} has no entry at position {position}", span)
        return position

    def _shown(self, place: e.Place) -> str:
        """As the user calls it."""
        return show_place(place, own_titles(self.program))

    def read(self, place: e.Place, span: Span | None) -> int:
        value = self.place(place).value
        return value if value is not None else fail(f"{self._shown(place)} is undefined", span)

    def store(self, target: Cells, value: int, source: Scalar, span: Span | None) -> None:
        """A value outside the place's type is an error of the model."""
        assert not isinstance(target.type, Array | Record | Bag)
        stored = converted(value, source, target.scalar)
        if stored is None:
            fail(f"the value {show_value(value, source)} is not in {show_domain(target.scalar)}", span)
        target.fill((code(stored, target.type),))

    def copy(self, target: Cells, source: Cells, span: Span | None) -> None:
        """Undefined parts included; between different scalar types, a value is checked."""
        if target.type == source.type:
            target.fill(source.content)
        elif (value := source.value) is not None:
            self.store(target, value, source.scalar, span)
        elif isinstance(target.type, Optional):
            target.fill((0,))
        else:
            fail("the value copied is undefined", span)

    # Expressions

    def holds(self, expression: e.Expression) -> bool:
        return self.value(expression) != 0

    def value(self, expression: e.Expression) -> int:
        match expression:
            case e.Constant(value):
                return value
            case e.Read(place, span):
                return self.read(place, span)
            case e.Binary(operator, left, right, span):
                return binary(operator, self.value(left), self.value(right), span)
            case e.Negate(operator, operand, span):
                value = self.value(operand)
                return within(-value if operator == "-" else ~value, span)
            case e.Not(operand):
                return int(not self.holds(operand))
            case e.Junction("and", parts):
                return int(all(self.holds(part) for part in parts))
            case e.Junction("or", parts):
                return int(any(self.holds(part) for part in parts))
            case e.Conditional(test, then, otherwise):
                return self.value(then if self.holds(test) else otherwise)
            case e.Convert(operand, type_, span):
                target = Cells.new(type_)
                self.store(target, self.value(operand), e.type_of(operand), span)
                assert target.value is not None
                return target.value
            case e.Quantified():
                return int(self.quantified(expression))
            case e.Count(bound, test):
                return sum(self.holds_for(bound, each, test) for each in self.domain(bound.domain))
            case e.IsDefined(place):
                return int(self.place(place).value is not None)
            case e.IsMember(operand, sort):
                source = e.type_of(operand)
                assert isinstance(source, Element | Union)
                return int(converted(self.value(operand), source, Element(sort)) is not None)
            case e.Same(left, right):
                one = self.place(left).copied
                other = self.place(right)
                return int(normalised(one.type, one.content) == normalised(other.type, other.content))
            case e.Wrap(operand, type_):
                low, high = limits(type_)
                return low + (self.value(operand) - low) % (high - low + 1)
            case e.Lookup():
                return self.look_up(expression)
            case e.Call():
                result = self.call(expression)
                assert result is not None
                if (found := result.value) is None:
                    fail(f"the result of {expression.function} is undefined", expression.span)
                return found
        raise AssertionError(f"no expression: {expression}")

    def look_up(self, lookup: e.Lookup) -> int:
        """A missing entry, or an argument that is not in its type, is an error or violates the property."""
        values = [self.value(each) for each in lookup.arguments]
        position, missing = 0, False
        for value, given, wanted in zip(values, lookup.arguments, lookup.table.arguments, strict=True):
            argument = converted(value, e.type_of(given), wanted)
            if argument is None and isinstance(wanted, Element | Union):
                shown = show_value(value, e.type_of(given))
                fail(
                    f"the argument {shown} of {lookup.table.name} is not in {show_type(wanted)}", lookup.span
                )
            low, high = limits(wanted)
            missing = missing or argument is None
            position = position * (high - low + 1) + (low if argument is None else argument) - low
        entry = None if missing else lookup.table.entries[position]
        if entry is not None:
            return entry
        if lookup.property is not None:
            raise Fails(self.violation(lookup.property, lookup.span))
        if not lookup.arguments:
            return fail(lookup.table.name, lookup.span)
        pairs = zip(values, lookup.arguments, strict=True)
        shown = ", ".join(show_value(value, e.type_of(given)) for value, given in pairs)
        return fail(f"{lookup.table.name}({shown}) has no value", lookup.span)

    def violation(self, number: int, span: Span | None) -> Failure:
        """A property of the program, violated by a statement or a lookup."""
        return Failure(self.program.properties[number].name, span, FIRST_PROPERTY + number)

    def quantified(self, expression: e.Quantified) -> bool:
        neutral = expression.quantifier == "forall"
        result = neutral
        for each in self.domain(expression.bound.domain):
            if self.holds_for(expression.bound, each, expression.body) != neutral:
                result = not neutral
                if not expression.every:
                    break
        return result

    def holds_for(self, bound: e.Bound, value: int, test: e.Expression) -> bool:
        self.bind(bound, value)
        return self.holds(test)

    def domain(self, domain: e.Domain) -> Iterable[int]:
        """The values in order; what bounds them is evaluated once, before."""
        match domain:
            case e.All(type_):
                low, high = limits(type_)
                return range(low, high + 1)
            case e.Range(low_, high_, step_, span):
                first, last, step = self.value(low_), self.value(high_), self.value(step_)
                if step == 0:
                    fail("the step of a range is zero", span)
                return range(first, last + (1 if step > 0 else -1), step)
            case e.Positions(bag):
                return self.place(bag).positions

    def call(self, call: e.Call) -> Cells | None:
        """Run a function; its result, None for a procedure."""
        function = self.functions[call.function]
        pairs = zip(function.parameters, call.arguments, strict=True)
        arguments = [self.argument(parameter, given, call.span) for parameter, given in pairs]
        for parameter, cells in zip(function.parameters, arguments, strict=True):
            self.names[parameter.variable.name] = cells
        return self.returned(function, call.span)

    def returned(self, function: Function, span: Span | None) -> Cells | None:
        self.results.append(function.result)
        try:
            self.block(function.body)
        except _Returns as end:
            return end.result
        finally:
            self.results.pop()
        if function.result is not None:
            fail(f"{function.name} came to its end without a result", span or function.span)
        return None

    def argument(self, parameter: Parameter, given: e.Expression | e.Place, span: Span | None) -> Cells:
        if not parameter.by_reference:
            return self.copied(parameter.variable.type, given, span)
        assert isinstance(given, e.Variable | e.Index | e.Component | e.Entry)
        return self.place(given)

    def copied(self, type_: Type, given: e.Expression | e.Place, span: Span | None) -> Cells:
        """A copy of what is passed or returned by value."""
        cells = Cells.new(type_)
        if isinstance(given, e.Variable | e.Index | e.Component | e.Entry):
            self.copy(cells, self.place(given), span)
        else:
            self.store(cells, self.value(given), e.type_of(given), span)
        return cells

    # Statements

    def block(self, block: s.Block) -> None:
        for statement in block:
            self.execute(statement)

    def action(self, block: s.Block) -> None:
        """A whole body: `Return` ends it."""
        try:
            self.block(block)
        except _Returns:
            return

    def execute(self, statement: s.Statement) -> None:
        match statement:
            case s.Assign(place, value, span):
                new = self.value(value)
                self.store(self.place(place), new, e.type_of(value), span)
            case s.Copy(target, source, span):
                given = self.place(source).copied
                self.copy(self.place(target), given, span)
            case s.CopyCall(target, call):
                result = self.call(call)
                assert result is not None
                self.copy(self.place(target), result, call.span)
            case s.Clear(place):
                cells = self.place(place)
                cells.fill(smallest(cells.type))
            case s.Undefine(place):
                cells = self.place(place)
                cells.fill(Cells.new(cells.type).content)
            case s.If(branches, otherwise):
                self.block(next((each.body for each in branches if self.holds(each.test)), otherwise))
            case s.For(bound, body):
                for each in self.domain(bound.domain):
                    self.bind(bound, each)
                    self.block(body)
            case s.While():
                self.loop(statement)
            case s.Declare(variables, body):
                self.names.update({each.name: Cells.new(each.type) for each in variables})
                self.block(body)
            case s.Bind(variable, place, body):
                self.names[variable.name] = self.place(place)
                self.block(body)
            case s.Let(variable, value, body):
                self.names[variable.name] = self.copied(variable.type, value, None)
                self.block(body)
            case s.CallStatement(call):
                self.call(call)
            case s.Return(None):
                raise _Returns(None)
            case s.Return(returned, span):
                type_ = self.results[-1]
                assert type_ is not None and returned is not None
                raise _Returns(self.copied(type_, returned, span))
            case s.Assert(test, number, span):
                if not self.holds(test):
                    raise Fails(self.violation(number, span))
            case s.Note(test, number, span):
                if not self.holds(test):
                    if self.notes is None:
                        raise Fails(self.violation(number, span))
                    self.notes.append(self.violation(number, span))
            case s.Assume(test):
                if not self.holds(test):
                    raise Discards
            case s.Cover(test, number):
                if self.holds(test):
                    self.covered.add(FIRST_PROPERTY + number)
            case s.Add() | s.Remove() | s.RemoveAll():
                self.change_bag(statement)

    def loop(self, loop: s.While) -> None:
        turns = 0
        while self.holds(loop.test):
            if turns == loop.limit:
                fail(f"the loop takes more than {loop.limit} turns", loop.span)
            self.block(loop.body)
            turns += 1

    def change_bag(self, statement: s.Add | s.Remove | s.RemoveAll) -> None:
        """Entries keep their positions until the action ends, so that a position means one entry all along. A new one
        takes the first free position."""
        match statement:
            case s.Add(bag, source, span):
                given = self.place(source).copied
                cells = self.place(bag)
                assert isinstance(cells.type, Bag)
                entry = Cells.new(cells.type.element)
                self.copy(entry, given, span)
                free = next((i for i in range(cells.type.capacity) if not cells.has_entry(i)), None)
                if free is None:
                    fail(f"{self._shown(bag)} is full: it has {cells.type.capacity} entries", span)
                cells.put_entry(free, entry.content)
            case s.Remove(bag, position, span):
                cells = self.place(bag)
                cells.put_entry(self.present(bag, cells, self.value(position), span), None)
            case s.RemoveAll(bound, test):
                assert isinstance(bound.domain, e.Positions)
                cells = self.place(bound.domain.bag)
                for each in [i for i in cells.positions if self.holds_for(bound, i, test)]:
                    cells.put_entry(each, None)
