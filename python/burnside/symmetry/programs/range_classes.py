"""Which integers of a program belong together: those that are stored in, compared with or index one another.

In: a program. Out: `SlotClasses`, a partition of its slots: the scalars and indices of variables, whatever the indices on
the way, and the results of functions. A class has its ranges, the constants it is compared
with, and whether something computes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Program, Property
from burnside.ir.types import Array, Bag, Integer, Optional, Record, Type
from burnside.records import field, record
from burnside.symmetry.programs.tables import is_table

Slot = tuple[str | int, ...]
"""First the frame (a function, an action; "" for the state), then the name, then fields, `[]` for what is in an array, `[i]`
for its index, `{}` for what is in a bag."""
STATE = ""
RESULT = "result"
PROPER_END = "proper end"
"""The frame of what makes a state a proper end."""

Parameter = tuple[int, int]
"""The number of an action, and the position of the parameter."""
Arguments = Mapping[int, Sequence[Parameter]]
"""By number: properties that are about arguments of actions. The name bound in one has the values of these parameters,
so what becomes of the one becomes of the others."""

Meaning = Slot | int | None
"""What an expression is to us: in a class, a constant, or no integer at all."""


@record(frozen=False)
class ClassFacts:
    ranges: set[tuple[int, int]] = field(default_factory=set)
    constants: set[int] = field(default_factory=set)
    computed: bool = False
    """Ordered, computed with, or of a type without bounds: a number."""
    stored: bool = False
    """Does a state hold it, or use it as an index?"""


class SlotClasses:
    """Union-find over slots, with facts for each class."""

    def __init__(self) -> None:
        self._parent: dict[Slot, Slot] = {}
        self._facts: dict[Slot, ClassFacts] = {}

    def root(self, slot: Slot) -> Slot:
        parent = self._parent.setdefault(slot, slot)
        while parent != slot:
            grand = self._parent[parent]
            self._parent[slot] = grand
            slot, parent = parent, grand
        return slot

    def facts(self, slot: Slot) -> ClassFacts:
        return self._facts.setdefault(self.root(slot), ClassFacts())

    def join(self, one: Slot, other: Slot) -> None:
        a, b = self.root(one), self.root(other)
        if a == b:
            return
        kept, gone = self.facts(a), self.facts(b)
        self._parent[b] = a
        kept.ranges |= gone.ranges
        kept.constants |= gone.constants
        kept.computed |= gone.computed
        kept.stored |= gone.stored

    def roots(self) -> Iterator[Slot]:
        return (slot for slot in list(self._parent) if self.root(slot) == slot)

    def slots(self) -> list[Slot]:
        return list(self._parent)

    def members(self, root: Slot) -> Iterator[Slot]:
        """In the order in which they were met."""
        return (slot for slot in list(self._parent) if self.root(slot) == root)


def classes(program: Program, arguments: Arguments) -> SlotClasses:
    walk = Walk(program, arguments)
    walk.run()
    return walk.classes


def frame_name(kind: str, number: int) -> str:
    return f"{kind} {number}"


class Walk:
    """Through the whole program, once."""

    def __init__(self, program: Program, arguments: Arguments) -> None:
        self.program, self.arguments = program, arguments
        self.functions = {each.name: each for each in program.functions}
        self.classes = SlotClasses()
        self.frame = STATE
        self.fresh = 0

    def run(self) -> None:
        for variable in self.program.variables:
            self._declare((STATE, variable.name), variable.type)
        for function in self.program.functions:
            for parameter in function.parameters:
                self._declare((function.name, parameter.variable.name), parameter.variable.type)
            if function.result is not None:
                self._declare((function.name, RESULT), function.result)
            if is_table(function):
                # What is mapped into its own range is of one kind with its images: neighbours in a ring.
                self.classes.join(
                    (function.name, function.parameters[0].variable.name), (function.name, RESULT)
                )
        for function in self.program.functions:
            self.frame = function.name
            self._visit(*function.body)
        for kind, actions in (("start", self.program.starts), ("action", self.program.actions)):
            for number, action in enumerate(actions):
                self.frame = frame_name(kind, number)
                self._visit(*action.children())
        for number, each in enumerate(self.program.properties):
            self.frame = frame_name("property", number)
            self._visit(*each.children())
            self._join_parameters(each, self.arguments.get(number, ()))
        if self.program.proper_end is not None:
            self.frame = PROPER_END
            self._visit(self.program.proper_end)

    def _join_parameters(self, about: Property, parameters: Sequence[Parameter]) -> None:
        """What is said of an argument is said of the parameter."""
        for action, position in parameters:
            assert isinstance(about.expression, e.Quantified)
            parameter = self.program.actions[action].parameters[position]
            if isinstance(parameter.type, Integer):
                slot: Slot = (frame_name("action", action), parameter.name)
                self.classes.join(slot, (self.frame, about.expression.bound.name))

    # ClassFacts

    def _declare(self, slot: Slot, type_: Type) -> None:
        match type_:
            case Integer(low, high):
                facts = self.classes.facts(slot)
                facts.stored |= slot[0] == STATE
                if low is None or high is None:
                    facts.computed = True
                else:
                    facts.ranges.add((low, high))
            case Optional(inner):
                self._declare(slot, inner)
            case Array(index, element):
                self._declare((*slot, "[i]"), index)
                self._declare((*slot, "[]"), element)
            case Record(fields):
                for each in fields:
                    self._declare((*slot, each.name), each.type)
            case Bag(element):
                self._declare((*slot, "{}"), element)

    def _compute(self, meaning: Meaning) -> None:
        if isinstance(meaning, tuple):
            self.classes.facts(meaning).computed = True

    def _link(self, one: Meaning, other: Meaning) -> None:
        match one, other:
            case tuple(), tuple():
                self.classes.join(one, other)
            case tuple(), int():
                self.classes.facts(one).constants.add(other)
            case int(), tuple():
                self.classes.facts(other).constants.add(one)

    def _link_types(self, one: Slot, other: Slot, type_: Type) -> None:
        match type_:
            case Integer():
                self.classes.join(one, other)
            case Optional(inner):
                self._link_types(one, other, inner)
            case Array(index, element):
                self._link_types((*one, "[i]"), (*other, "[i]"), index)
                self._link_types((*one, "[]"), (*other, "[]"), element)
            case Record(fields):
                for each in fields:
                    self._link_types((*one, each.name), (*other, each.name), each.type)
            case Bag(element):
                self._link_types((*one, "{}"), (*other, "{}"), element)

    def _temporary(self) -> Slot:
        self.fresh += 1
        return ("temporary", self.fresh)

    # Code

    def place(self, place: e.Place) -> Slot:
        match place:
            case e.Variable(name):
                return (STATE if place.is_state else self.frame, name)
            case e.Component(record, name):
                return (*self.place(record), name)
            case e.Index(array, index):
                slot = self.place(array)
                self._link((*slot, "[i]"), self._value(index))
                return (*slot, "[]")
            case e.Entry(bag, position):
                self._compute(self._value(position))
                return (*self.place(bag), "{}")

    def _visit(self, *nodes: Any) -> None:
        """Nodes of any kind, for what is inside them."""
        for node in nodes:
            match node:
                case e.Variable() | e.Component() | e.Index() | e.Entry():
                    self.place(node)
                case e.Bound():
                    self._bound(node)
                case e.Read() | e.Binary() | e.Negate() | e.Conditional() | e.Convert() | e.Same() | e.Call():
                    self._value(node)
                case e.Wrap() | e.Lookup():
                    self._value(node)
                case _:
                    self._statement(node)

    def _value(self, expression: e.Expression) -> Meaning:
        match expression:
            case e.Constant(value, type_):
                return value if isinstance(type_, Integer) else None
            case e.Read(place):
                slot = self.place(place)
                return slot if isinstance(e.type_of(expression), Integer) else None
            case e.Binary(operator, left, right):
                return self._binary(operator, left, right)
            case e.Negate(_, operand):
                self._compute(self._value(operand))
                return self._number()
            case e.Conditional(test, then, otherwise):
                self._value(test)
                slot = self._temporary()
                self._link(slot, self._value(then))
                self._link(slot, self._value(otherwise))
                return slot if isinstance(e.type_of(expression), Integer) else None
            case e.Convert(operand, type_):
                return self._convert(operand, type_)
            case e.Wrap(operand):
                self._compute(self._value(operand))
                return self._number()
            case e.Lookup(table, arguments):
                # A table says nothing of which numbers go together, so these stay numbers.
                for argument in arguments:
                    self._compute(self._value(argument))
                return self._number() if isinstance(table.result, Integer) else None
            case e.Same(left, right):
                self._link_types(self.place(left), self.place(right), e.type_of_place(left))
            case e.Call():
                self._call(expression)
                return (expression.function, RESULT) if _is_integer(expression.type) else None
            case _:
                self._visit(*expression.children())
        return self._number() if isinstance(expression, e.Count) else None

    def _number(self) -> Slot:
        slot = self._temporary()
        self._compute(slot)
        return slot

    def _binary(self, operator: str, left: e.Expression, right: e.Expression) -> Meaning:
        one, other = self._value(left), self._value(right)
        if operator in ("=", "!="):
            self._link(one, other)
            return None
        self._compute(one)
        self._compute(other)
        return None if operator in e.COMPARISONS else self._number()

    def _convert(self, operand: e.Expression, type_: Type) -> Meaning:
        meaning = self._value(operand)
        if not isinstance(type_, Integer):
            self._compute(meaning)
            return None
        slot = self._temporary()
        self._link(slot, meaning)
        if type_.low is not None:
            self._declare(slot, type_)
        if not isinstance(e.type_of(operand), Integer):
            self._compute(slot)
        return slot

    def _bound(self, bound: e.Bound) -> None:
        slot = (self.frame, bound.name)
        match bound.domain:
            case e.All(type_):
                self._declare(slot, type_)
            case e.Range(e.Constant(low), e.Constant(high), e.Constant(1)) if low <= high:
                self.classes.facts(slot).ranges.add((low, high))
            case e.Range(low, high, step):
                for part in (low, high, step):
                    self._compute(self._value(part))
                self._compute(slot)
            case e.Positions(bag):
                self.place(bag)
                self._compute(slot)

    def _call(self, call: e.Call) -> None:
        function = self.functions[call.function]
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            slot = (function.name, parameter.variable.name)
            if isinstance(argument, e.PLACES):
                self._link_types(slot, self.place(argument), parameter.variable.type)
            else:
                self._link(slot, self._value(argument))

    def _statement(self, statement: Any) -> None:
        match statement:
            case s.Assign(place, value):
                slot, meaning = self.place(place), self._value(value)
                self._link(slot, meaning)
            case s.Copy(target, source):
                self._link_types(self.place(target), self.place(source), e.type_of_place(target))
            case s.CopyCall(target, call):
                self._call(call)
                self._link_types(self.place(target), (call.function, RESULT), e.type_of_place(target))
            case s.Declare(variables, body):
                for variable in variables:
                    self._declare((self.frame, variable.name), variable.type)
                self._visit(*body)
            case s.Bind(variable, place, body):
                self._declare((self.frame, variable.name), variable.type)
                self._link_types((self.frame, variable.name), self.place(place), variable.type)
                self._visit(*body)
            case s.Let(variable, value, body):
                self._declare((self.frame, variable.name), variable.type)
                self._link((self.frame, variable.name), self._value(value))
                self._visit(*body)
            case s.Return(value):
                self._return(value)
            case s.Add(bag, source):
                self._link_types((*self.place(bag), "{}"), self.place(source), e.type_of_place(source))
            case s.Remove(bag, position):
                self.place(bag)
                self._compute(self._value(position))
            case _:
                self._visit(*statement.children())

    def _return(self, value: e.Expression | e.Place | None) -> None:
        result: Slot = (self.frame, RESULT)
        if isinstance(value, e.PLACES):
            self._link_types(result, self.place(value), e.type_of_place(value))
        elif value is not None:
            meaning = self._value(value)
            if isinstance(e.type_of(value), Integer):
                self._link(result, meaning)


def _is_integer(type_: Type) -> bool:
    return isinstance(type_.type if isinstance(type_, Optional) else type_, Integer)
