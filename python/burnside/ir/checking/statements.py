"""Statements: what is stored has the type of its place, what is changed may be changed, functions return what they say."""

from __future__ import annotations

from typing import Any

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.arithmetic import MAX_NUMBER
from burnside.ir.checking.expressions import STATED, Expressions, Scope
from burnside.ir.checking.failures import items, kind_of, number, refuse
from burnside.ir.checking.types import Types, can_copy, is_alike, is_scalar
from burnside.ir.program import Function, PropertyKind
from burnside.ir.types import Integer, Type, can_be_undefined
from burnside.ir.types import show_type as shown


class Statements(Expressions):
    def __init__(
        self, types: Types, functions: dict[str, Function], state: Scope, kinds: tuple[PropertyKind, ...]
    ) -> None:
        super().__init__(types, functions, state, kinds)
        self.result: Type | None = None
        """Of the function whose body this is."""

    def block(self, block: Any, scope: Scope) -> None:
        for statement in items(block, "the statements of a block"):
            self.statement(statement, scope)

    def statement(self, node: Any, scope: Scope) -> None:
        match node:
            case s.Assign(place, value):
                target, given = self.writable(place, scope), self.value(value, scope)
                if not is_scalar(target) or not is_alike(target, given):
                    refuse(f"{shown(given)} is assigned to {shown(target)}", node)
            case s.Copy(target, source):
                self._copy(self.writable(target, scope), self.place(source, scope), node)
            case s.CopyCall(target, call):
                result = self.call(call, scope).result
                if result is None:
                    refuse(f"{call.function} has no result", call)
                self._copy(self.writable(target, scope), result, call)
            case s.Clear(place):
                self.writable(place, scope)
            case s.Undefine(place):
                type_ = self.writable(place, scope)
                if not can_be_undefined(type_):
                    refuse(f"{shown(type_)} cannot be undefined", node)
            case s.If(branches, otherwise):
                for branch in items(branches, "the branches"):
                    if not isinstance(branch, s.Branch):
                        refuse(f"{kind_of(branch)} is no branch")
                    self.truth(branch.test, scope, "the test of a branch")
                    self.block(branch.body, scope)
                self.block(otherwise, scope)
            case s.For(bound, body):
                self.block(body, self.bind_bound(bound, scope))
            case s.While(test, body, limit):
                if not 0 <= number(limit, "the limit of a loop") <= MAX_NUMBER:
                    refuse(f"the limit of a loop is {limit}", node)
                self.truth(test, scope, "the test of a loop")
                self.block(body, scope)
            case s.Declare() | s.Bind() | s.Let():
                self._declaration(node, scope)
            case s.CallStatement(call):
                self.call(call, scope)
            case s.Return(value):
                self._return(node, value, scope)
            case s.Assert(test, property_):
                self.property_of(property_, STATED, "an assertion")
                self.truth(test, scope, "what is asserted")
            case s.Note(test, property_):
                self.property_of(property_, STATED, "a note")
                self.truth(test, scope, "what is noted")
            case s.Assume(test):
                self.truth(test, scope, "what is assumed")
            case s.Cover(test, property_):
                self.property_of(property_, ("cover",), "a cover")
                self.truth(test, scope, "what is covered")
            case s.Add(bag, source):
                self.writable(bag, scope)
                self._copy(self.bag(bag, scope).element, self.place(source, scope), node)
            case s.Remove(bag, position):
                self.writable(bag, scope)
                self.bag(bag, scope)
                self.integer(position, scope, "the position of an entry")
            case s.RemoveAll(bound, test):
                domain = getattr(bound, "domain", None)
                if not isinstance(domain, e.Positions):
                    refuse("entries are removed by their positions in a bag")
                self.writable(domain.bag, scope)
                self.truth(test, self.bind_bound(bound, scope), "the test of what is removed")
            case _:
                refuse(f"{kind_of(node)} is no statement")

    def _copy(self, target: Type, source: Type, node: Any) -> None:
        if not can_copy(target, source):
            refuse(f"{shown(source)} is copied to {shown(target)}", node)

    def _declaration(self, node: s.Declare | s.Bind | s.Let, scope: Scope) -> None:
        match node:
            case s.Declare(variables, body):
                for variable in items(variables, "the variables of a block"):
                    scope = self.local(variable, "place", scope)
                    self.types.stored(variable.type, variable.name)
            case s.Bind(variable, place, body):
                root = _root(place)
                found = self.place(place, scope)
                inner = self.local(variable, "value" if scope[root].kind == "value" else "place", scope)
                if found != variable.type:
                    refuse(f"{variable.name}, {shown(variable.type)}, is a name for {shown(found)}")
                scope = inner
            case s.Let(variable, value, body):
                given = self.value(value, scope)
                scope = self.local(variable, "value", scope)
                if not is_within(given, self.types.scalar(variable.type)):
                    refuse(f"{variable.name}, {shown(variable.type)}, is a name for {shown(given)}")
        self.block(body, scope)

    def _return(self, node: s.Return, value: Any, scope: Scope) -> None:
        if value is None or self.result is None:
            if value is not None:
                refuse("a value is returned where there is no result", node)
            if self.result is not None:
                refuse(f"nothing is returned where the result is {shown(self.result)}", node)
        elif not can_copy(self.result, given := self.content(value, scope)):
            refuse(f"{shown(given)} is returned where the result is {shown(self.result)}", node)


def is_within(one: Type, other: Type) -> bool:
    """Is every value of the one scalar type a value of the other?"""
    if not (isinstance(one, Integer) and isinstance(other, Integer)):
        return one == other
    if other.low is None or other.high is None:
        return True
    return one.low is not None and one.high is not None and other.low <= one.low and one.high <= other.high


def _root(place: Any) -> str:
    while not isinstance(place, e.Variable):
        match place:
            case e.Index(inner) | e.Component(inner) | e.Entry(inner):
                place = inner
            case _:
                refuse(f"{kind_of(place)} is no place")
    return place.name
