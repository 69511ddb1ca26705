"""Slots of the state that are never undefined once a start state was made.

A slot is a variable and the fields that lead to a scalar, whatever the indices on the way: all of `R[*].next.nil`. In: a
program. Out: the slots that every start fills without condition, and that nothing undefines afterwards. Reading such a slot
cannot fail, and that frees what reads it from the order of evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Program
from burnside.ir.types import Array, Bag, Integer, Optional, Record, Type, bounds, size
from burnside.records import field, record
from burnside.symmetry.accesses import PLACES
from burnside.symmetry.code import code

Slot = tuple[str, ...]

ALL = "all"
At = str | int
"""In a written place: a field's name, the number of an index, or all indices."""
_BLOCKS = (s.If, s.While, s.For, s.Declare, s.Bind, s.Let, s.CallStatement)
MOST_CELLS = 64
"""Arrays filled cell by cell are followed up to this size."""


@record
class Written:
    """All places of a variable that these steps lead to."""

    root: str
    steps: tuple[tuple[str, At], ...] = ()


def slot_of(place: e.Place) -> Slot:
    match place:
        case e.Variable(name):
            return (name,)
        case e.Index(inner) | e.Entry(inner):
            return slot_of(inner)
        case e.Component(record, name):
            return (*slot_of(record), name)


def always_defined(program: Program) -> frozenset[Slot]:
    functions = {each.name: each for each in program.functions}
    slots = {slot for each in program.variables for slot in slots_of(each)}
    for start in program.starts:
        slots = set(filled(program, start)) & slots
    spoiled = _Spoiling(functions, program)
    while removed := spoiled.of(slots) & slots:
        slots -= removed
    return frozenset(slots)


def filled(program: Program, start: Action) -> Iterator[Slot]:
    """The slots that a start fills in any case."""
    filling = _Filling({each.name: each for each in program.functions})
    filling.block(start.body, {}, {})
    for variable in program.variables:
        written = [each.steps for each in filling.written if each.root == variable.name]
        for slot in slots_of(variable):
            if _covers(variable.type, slot[1:], written):
                yield slot


def slots_of(variable: e.Variable) -> Iterator[Slot]:
    return _slots((variable.name,), variable.type)


def _slots(prefix: Slot, type_: Type) -> Iterator[Slot]:
    match type_:
        case Array(_, element):
            yield from _slots(prefix, element)
        case Record(fields):
            for each in fields:
                yield from _slots((*prefix, each.name), each.type)
        case Bag():
            return
        case _:
            yield prefix


def _covers(type_: Type, fields: tuple[str, ...], written: list[tuple[tuple[str, At], ...]]) -> bool:
    if any(not steps for steps in written):
        return True
    match type_:
        case Record():
            inner = [steps[1:] for steps in written if steps[0][1] == fields[0]]
            return _covers(type_.field_type(fields[0]), fields[1:], inner)
        case Array(index, element):
            every = [steps[1:] for steps in written if steps[0][1] == ALL]
            if _covers(element, fields, every):
                return True
            if size(index) > MOST_CELLS:
                return False
            low, high = bounds(index)
            return all(
                _covers(element, fields, [steps[1:] for steps in written if steps[0][1] in (ALL, at)])
                for at in range(low, high + 1)
            )
        case _:
            return False


@record(frozen=False)
class _Filling:
    """Follows what is certainly executed, in order. Names stand for places (aliases, parameters by reference), for numbers
    (constants passed by value), or run through all values of a type (variables of loops)."""

    functions: dict[str, Function]
    written: list[Written] = field(default_factory=list)
    lost: list[Slot] = field(default_factory=list)
    """What may have become undefined, ever: in a loop, that may come after what stands behind it."""

    def block(
        self, block: s.Block, places: dict[str, Written], values: dict[str, e.Constant | e.Bound]
    ) -> bool:
        """False if it may end the action, or the function, early: then what follows is not certain."""
        return all(self._statement(statement, places, values) for statement in block)

    def _statement(
        self, statement: s.Statement, places: dict[str, Written], values: dict[str, e.Constant | e.Bound]
    ) -> bool:
        if not isinstance(statement, _BLOCKS) and any(isinstance(each, e.Call) for each in code(statement)):
            self._lose(())
        match statement:
            case s.Assign(place) | s.Clear(place):
                self._write(self._place(place, places, values))
            case s.Undefine(place) | s.Copy(place) | s.CopyCall(place):
                self._forget(place, places)
            case s.For(bound, body) if isinstance(bound.domain, e.All) and not _ends(body):
                before = len(self.lost)
                self.block(body, places, {**values, bound.name: bound})
                for slot in self.lost[before:]:
                    self._lose(slot)
            case s.Declare(_, body):
                return self.block(body, places, values)
            case s.Bind(variable, place, body):
                self._maybe_all(place, places)
                found = self._place(place, places, values)
                if found is None:
                    self._lose(())
                    return False
                return self.block(body, {**places, variable.name: found}, values)
            case s.Let(_, value, body):
                self._maybe_all(value, places)
                return self.block(body, places, values)
            case s.CallStatement(call):
                self._maybe_all(call.arguments, places)
                self._call(call, places, values)
            case s.If() | s.While() | s.For():
                self._maybe_all(statement, places)
                return not _ends(statement)
            case s.Return():
                return False
        return True

    def _maybe_all(self, node: object, places: dict[str, Written]) -> None:
        """What may be executed may undefine something. Calls and aliases are not followed then: everything may be lost."""
        for each in code(node):
            match each:
                case s.Undefine(place) | s.Copy(place) | s.CopyCall(place):
                    self._forget(place, places)
                case e.Call() | s.Bind():
                    self._lose(())

    def _write(self, found: Written | None) -> None:
        if found is not None:
            self.written.append(found)

    def _forget(self, place: e.Place, places: dict[str, Written]) -> None:
        fields = slot_of(place)
        found = places.get(fields[0])
        self._lose(fields if found is None else (found.root, *_fields(found), *fields[1:]))

    def _lose(self, prefix: Slot) -> None:
        self.lost.append(prefix)
        kept = []
        for each in self.written:
            own = (each.root, *_fields(each))
            shorter = min(len(own), len(prefix))
            if own[:shorter] != prefix[:shorter]:
                kept.append(each)
        self.written = kept

    def _place(
        self, place: e.Place, places: dict[str, Written], values: dict[str, e.Constant | e.Bound]
    ) -> Written | None:
        """None where it is not known which places these are."""
        match place:
            case e.Variable(name):
                return places.get(name, Written(name))
            case e.Component(record, name):
                found = self._place(record, places, values)
                return found and Written(found.root, (*found.steps, ("field", name)))
            case e.Index(array, index):
                found, array_type = self._place(array, places, values), e.type_of_place(array)
                assert isinstance(array_type, Array)
                match self._value(index, values):
                    case e.Constant(value, type_) if found and _alike(type_, array_type.index):
                        return Written(found.root, (*found.steps, ("", value)))
                    case e.Bound(name, e.All(type_)) if found and type_ == array_type.index:
                        step = (name, ALL)
                        # Running along a diagonal fills no array.
                        return None if step in found.steps else Written(found.root, (*found.steps, step))
        return None

    def _value(
        self, index: e.Expression, values: dict[str, e.Constant | e.Bound]
    ) -> e.Constant | e.Bound | None:
        match index:
            case e.Constant():
                return index
            case e.Read(e.Variable(name)):
                return values.get(name)
        return None

    def _call(
        self, call: e.Call, places: dict[str, Written], values: dict[str, e.Constant | e.Bound]
    ) -> None:
        function = self.functions[call.function]
        inner_places: dict[str, Written] = {}
        inner_values: dict[str, e.Constant | e.Bound] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            name = parameter.variable.name
            if isinstance(argument, PLACES):
                found = self._place(argument, places, values)
                if parameter.by_reference and found is not None:
                    inner_places[name] = found
                elif parameter.by_reference:
                    self._lose(())
                    return
            elif (value := self._value(argument, values)) is not None:
                inner_values[name] = value
        self.block(function.body, inner_places, inner_values)


def _fields(written: Written) -> list[str]:
    return [str(at) for kind, at in written.steps if kind == "field"]


def _ends(node: object) -> bool:
    return any(isinstance(each, s.Return) for each in code(node))


def _alike(one: Type, other: Type) -> bool:
    return one == other or (isinstance(one, Integer) and isinstance(other, Integer))


class _Spoiling:
    """Which slots the actions may undefine. Aliases and parameters by reference are slots of their own, tied to what they
    stand for; ties only ever add."""

    def __init__(self, functions: dict[str, Function], program: Program) -> None:
        self.ties: list[tuple[Slot, Slot]] = []
        """A name, and the slot it stands for."""
        self.undefined: set[Slot] = set()
        self.copies: list[tuple[Slot, Slot, Type]] = []
        for node in code((program.actions, program.functions)):
            self._note(node, functions)
        self.undefined = self._resolved(self.undefined)

    def _note(self, node: object, functions: dict[str, Function]) -> None:
        match node:
            case s.Undefine(place):
                self.undefined.add(slot_of(place))
            case s.CopyCall(place) if _has_optional(e.type_of_place(place)):
                self.undefined.add(slot_of(place))
            case s.Copy(target, source):
                self.copies.append((slot_of(target), slot_of(source), e.type_of_place(target)))
            case s.Bind(variable, place):
                self.ties.append(((variable.name,), slot_of(place)))
            case e.Call(name, arguments):
                for parameter, argument in zip(functions[name].parameters, arguments, strict=True):
                    if parameter.by_reference and isinstance(argument, PLACES):
                        self.ties.append(((parameter.variable.name,), slot_of(argument)))

    def _resolved(self, slots: set[Slot]) -> set[Slot]:
        """With all slots that names in them may stand for."""
        found, waiting = set(slots), list(slots)
        while waiting:
            slot = waiting.pop()
            for name, meant in self.ties:
                if slot[:1] == name and (image := (*meant, *slot[1:])) not in found:
                    found.add(image)
                    waiting.append(image)
        return found

    def of(self, defined: set[Slot]) -> set[Slot]:
        """The slots that may become undefined if only these are defined so far."""
        bad = set(self.undefined)
        for target, source, type_ in self.copies:
            for inner in _slots((), type_):
                if (*source, *inner) not in defined:
                    bad |= self._resolved({(*target, *inner)})
        return {slot for slot in defined if any(slot[: len(each)] == each for each in bad)}


def _has_optional(type_: Type) -> bool:
    match type_:
        case Array(_, element) | Bag(element):
            return _has_optional(element)
        case Record(fields):
            return any(_has_optional(each.type) for each in fields)
        case _:
            return isinstance(type_, Optional)
