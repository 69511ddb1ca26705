"""Places and expressions: each has a type, which is returned; where there is none, the program is refused."""

from __future__ import annotations

from math import prod
from typing import Any, Literal

from burnside.ir import expressions as e
from burnside.ir.arithmetic import MAX_NUMBER, MIN_NUMBER
from burnside.ir.checking.failures import Wrong, items, kind_of, number, one_of, refuse, text
from burnside.ir.checking.types import Types, bare, can_copy, is_alike, is_scalar
from burnside.ir.program import Function, Parameter, PropertyKind
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Boolean,
    Element,
    Integer,
    Record,
    Scalar,
    Type,
    Union,
    bounds,
    size,
)
from burnside.ir.types import show_type as shown
from burnside.records import record


@record
class Name:
    """A name in scope. `value`: it has one value as long as it exists (bound names), so nothing can be stored there."""

    type: Type
    kind: Literal["state", "place", "value"]


Scope = dict[str, Name]
MAX_ENTRIES = 2**20
"""Of a table."""
STATED = ("assertion", "error", "limit")
"""Kinds of properties that statements and lookups decide."""


class Expressions:
    """`kinds`: of the properties, by number."""

    def __init__(
        self, types: Types, functions: dict[str, Function], state: Scope, kinds: tuple[PropertyKind, ...]
    ) -> None:
        self.types = types
        self.functions = functions
        self.state = state
        self.kinds = kinds
        self._tables: dict[int, e.Table] = {}
        """Those that were found to be right, by identity."""
        self.bound: set[str] = set()
        """All local names of the part that is being checked."""

    # Names

    def bind(self, name: Any, found: Name, scope: Scope) -> Scope:
        """With one name more, which is no name yet."""
        if text(name, "a name") in scope:
            refuse(f"{name} is bound where it has a meaning already: names are unique")
        self.bound.add(name)
        return {**scope, name: found}

    def local(self, variable: Any, kind: Literal["place", "value"], scope: Scope) -> Scope:
        if not isinstance(variable, e.Variable):
            refuse(f"{kind_of(variable)} is no variable")
        if variable.is_state is not False:
            refuse(f"the local variable {variable.name} is marked as part of the state")
        return self.bind(variable.name, Name(variable.type, kind), scope)

    def bind_bound(self, bound: Any, scope: Scope) -> Scope:
        if not isinstance(bound, e.Bound):
            refuse(f"{kind_of(bound)} is no bound name")
        match bound.domain:
            case e.All(type_):
                found = self.types.bounded(type_, f"the domain of {bound.name}")
            case e.Range(low, high, step):
                for part in (low, high, step):
                    self.integer(part, scope, f"a bound of the range of {bound.name}")
                found = INTEGER
            case e.Positions(bag):
                found = Integer(0, self.bag(bag, scope).capacity - 1)
            case other:
                refuse(f"{kind_of(other)} is no domain")
        return self.bind(bound.name, Name(found, "value"), scope)

    # Places

    def place(self, node: Any, scope: Scope) -> Type:
        match node:
            case e.Variable(name, type_, is_state):
                known = scope.get(text(name, "the name of a variable"))
                if known is None:
                    refuse(f"there is no variable {name}")
                if known.type != type_ or (known.kind == "state") is not is_state:
                    refuse(f"{name} has another type than where it is declared")
                return known.type
            case e.Index(array, index):
                found = self.place(array, scope)
                if not isinstance(found, Array):
                    refuse(f"what is indexed is {shown(found)}, not an array", node)
                given = self.value(index, scope)
                if not is_alike(found.index, given):
                    refuse(f"an index is {shown(given)}, not {shown(found.index)}", node)
                return found.element
            case e.Component(record, name):
                found = self.place(record, scope)
                if not isinstance(found, Record):
                    refuse(f"what has the field {name} is {shown(found)}, not a record")
                for each in found.fields:
                    if each.name == name:
                        return each.type
                refuse(f"{shown(found)} has no field {name}")
            case e.Entry(bag, position):
                found = self.bag(bag, scope)
                self.integer(position, scope, "the position of an entry")
                return found.element
        raise Wrong(f"{kind_of(node)} is no place")

    def bag(self, node: Any, scope: Scope) -> Bag:
        found = self.place(node, scope)
        if not isinstance(found, Bag):
            refuse(f"{shown(found)} is no bag")
        return found

    def writable(self, node: Any, scope: Scope) -> Type:
        """A place that may be changed."""
        found, root = self.place(node, scope), node
        while not isinstance(root, e.Variable):
            match root:
                case e.Index(inner) | e.Component(inner) | e.Entry(inner):
                    root = inner
        if scope[root.name].kind == "value":
            refuse(f"{root.name} is the name of a value and cannot be changed", node)
        return found

    def scalar_at(self, node: Any, scope: Scope) -> Scalar:
        found = self.place(node, scope)
        if not is_scalar(found):
            refuse(f"{shown(found)} is no scalar")
        scalar: Any = bare(found)
        return scalar  # type: ignore[no-any-return]

    # Expressions

    def truth(self, node: Any, scope: Scope, what: str) -> None:
        found = self.value(node, scope)
        if not isinstance(found, Boolean):
            refuse(f"{what} is {shown(found)}, not a boolean", node)

    def integer(self, node: Any, scope: Scope, what: str) -> None:
        found = self.value(node, scope)
        if not isinstance(found, Integer):
            refuse(f"{what} is {shown(found)}, not an integer", node)

    def value(self, node: Any, scope: Scope) -> Scalar:
        match node:
            case e.Constant(value, type_):
                return self._constant(node, value, type_)
            case e.Read(place):
                return self.scalar_at(place, scope)
            case e.Binary(operator, left, right):
                return self._binary(node, operator, left, right, scope)
            case e.Negate(operator, operand):
                one_of(operator, ("-", "~"), "the operator of a negation")
                self.integer(operand, scope, "what is negated")
                return INTEGER
            case e.Conditional(test, then, otherwise):
                self.truth(test, scope, "the test of a choice")
                one, other = self.value(then, scope), self.value(otherwise, scope)
                if not is_alike(one, other):
                    refuse(f"a choice is between {shown(one)} and {shown(other)}")
                return one
            case e.Convert(operand, type_):
                source, target = self.value(operand, scope), self.types.scalar(type_)
                if not converts(source, target):
                    refuse(f"{shown(source)} cannot be converted to {shown(target)}", node)
                return target
            case e.Count(bound, test):
                if not isinstance(getattr(bound, "domain", None), e.Positions):
                    refuse("entries are counted by their positions in a bag")
                self.truth(test, self.bind_bound(bound, scope), "the test of a count")
                return INTEGER
            case e.Wrap(operand, type_):
                self.integer(operand, scope, "what is wrapped")
                target = self.types.bounded(type_, "what a number is wrapped to")
                if not isinstance(target, Integer):
                    refuse(f"a number is wrapped to {shown(target)}, not to a range")
                return target
            case e.Lookup():
                return self._lookup(node, scope)
            case e.Call():
                result = self.call(node, scope).result
                if result is None or not is_scalar(result):
                    refuse(f"{node.function} has no scalar result", node)
                scalar: Any = bare(result)
                return scalar  # type: ignore[no-any-return]
        self._condition(node, scope)
        return BOOLEAN

    def _condition(self, node: Any, scope: Scope) -> None:
        match node:
            case e.Not(operand):
                self.truth(operand, scope, "what is negated")
            case e.Junction(operator, parts):
                one_of(operator, ("and", "or"), "the operator of a junction")
                for part in items(parts, "the parts of a junction"):
                    self.truth(part, scope, f"a part of {operator!r}")
            case e.Quantified(quantifier, bound, body):
                one_of(quantifier, ("forall", "exists"), "a quantifier")
                self.truth(body, self.bind_bound(bound, scope), f"the body of {quantifier!r}")
            case e.IsDefined(place):
                self.scalar_at(place, scope)
            case e.IsMember(operand, sort):
                found = self.value(operand, scope)
                if not isinstance(found, Union) or self.types.known_sort(sort) not in found.sorts:
                    refuse(f"{shown(found)} is no union with the sort {getattr(sort, 'name', sort)}")
            case e.Same(left, right):
                one, other = self.place(left, scope), self.place(right, scope)
                if one != other:
                    refuse(f"{shown(one)} is compared with {shown(other)}")
            case _:
                refuse(f"{kind_of(node)} is no expression")

    def _constant(self, node: e.Constant, value: Any, type_: Any) -> Scalar:
        scalar = self.types.scalar(type_)
        number(value, "a constant")
        low, high = _limits(scalar)
        if not low <= value <= high:
            refuse(f"the constant {value} is not in {shown(scalar)}", node)
        return scalar

    def _binary(self, node: e.Binary, operator: Any, left: Any, right: Any, scope: Scope) -> Scalar:
        one_of(operator, e.ARITHMETIC + e.COMPARISONS, "an operator")
        if operator in e.COMPARISONS:  # elements have an order, that of their positions
            one, other = self.value(left, scope), self.value(right, scope)
            if not is_alike(one, other):
                refuse(f"{shown(one)} is compared with {shown(other)}", node)
            return BOOLEAN
        for side in (left, right):
            self.integer(side, scope, f"an operand of {operator!r}")
        return INTEGER

    # Tables

    def _lookup(self, node: e.Lookup, scope: Scope) -> Scalar:
        table = node.table
        if not isinstance(table, e.Table):
            refuse(f"{kind_of(table)} is no table", node)
        result = self._table(table)
        arguments = items(node.arguments, f"the arguments of {table.name}")
        if len(arguments) != len(table.arguments):
            wanted = len(table.arguments)
            refuse(f"{table.name} has {wanted} arguments and is looked up with {len(arguments)}", node)
        for wanted_type, argument in zip(table.arguments, arguments, strict=True):
            given = self.value(argument, scope)
            if not is_alike(wanted_type, given):
                refuse(f"{table.name} is looked up with {shown(given)}, not {shown(wanted_type)}", node)
        if node.property is not None:
            self.property_of(node.property, STATED, f"a missing entry of {table.name}")
        return result

    def _table(self, table: e.Table) -> Scalar:
        """Checked once: many nodes may share one."""
        if id(table) in self._tables:
            return table.result
        name = text(table.name, "the name of a table")
        result = self.types.scalar(table.result)
        types = [
            self.types.bounded(each, f"an argument of {name}") for each in items(table.arguments, "types")
        ]
        count = prod(map(size, types))
        entries = items(table.entries, f"the entries of {name}")
        if count > MAX_ENTRIES:
            refuse(f"the table {name} has more than {MAX_ENTRIES:,} entries")
        if len(entries) != count:
            refuse(f"the table {name} has {len(entries):,} entries and needs {count:,}")
        low, high = _limits(result)
        for each in entries:
            if each is not None and not low <= number(each, f"an entry of {name}") <= high:
                refuse(f"the entry {each} of {name} is not in {shown(result)}")
        self._tables[id(table)] = table
        return result

    def property_of(self, found: Any, wanted: tuple[str, ...], what: str) -> None:
        """The number of a property of one of these kinds."""
        at = number(found, f"the property of {what}")
        if not 0 <= at < len(self.kinds):
            refuse(f"{what} is of property {at}, and there are {len(self.kinds)}")
        if self.kinds[at] not in wanted:
            refuse(f"{what} is of property {at}, which is of the kind {self.kinds[at]!r}")

    # Calls

    def call(self, node: Any, scope: Scope) -> Function:
        if not isinstance(node, e.Call):
            refuse(f"{kind_of(node)} is no call")
        function = self.functions.get(text(node.function, "the name of a function"))
        if function is None:
            refuse(f"there is no function {node.function}", node)
        arguments = items(node.arguments, f"the arguments of {function.name}")
        if len(arguments) != len(function.parameters):
            wanted = len(function.parameters)
            refuse(f"{function.name} has {wanted} parameters and is called with {len(arguments)}", node)
        for parameter, argument in zip(function.parameters, arguments, strict=True):
            self._argument(node, parameter, argument, scope)
        if function.result is not None and node.type not in (function.result, bare(function.result)):
            refuse(f"a call of {function.name} has another type than the function", node)
        return function

    def _argument(self, call: e.Call, parameter: Parameter, argument: Any, scope: Scope) -> None:
        wanted, name = parameter.variable.type, parameter.variable.name
        if parameter.by_reference:
            given = self.writable(argument, scope)
            if given != wanted:
                refuse(f"{shown(given)} is passed by reference for {name}, {shown(wanted)}", call)
        elif not can_copy(wanted, given := self.content(argument, scope)):
            refuse(f"{shown(given)} is passed for {name}, {shown(wanted)}", call)

    def content(self, node: Any, scope: Scope) -> Type:
        """Of a place or an expression."""
        return self.place(node, scope) if isinstance(node, e.PLACES) else self.value(node, scope)


def _limits(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest value, of integers without bounds too."""
    unbounded = isinstance(scalar, Integer) and scalar.low is None
    return (MIN_NUMBER, MAX_NUMBER) if unbounded else bounds(scalar)


def converts(source: Type, target: Type) -> bool:
    """Between integers, and between elements and unions that share a sort."""
    match source, target:
        case Integer(), Integer():
            return True
        case Union(sorts), Union(others):
            return not set(sorts).isdisjoint(others)
        case (Union(sorts), Element(sort)) | (Element(sort), Union(sorts)):
            return sort in sorts
        case _:
            return source == target
