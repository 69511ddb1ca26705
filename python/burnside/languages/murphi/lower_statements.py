"""Statements. In: their syntax. Out: blocks of the ir. Assertions, errors and covers become properties on the way."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as st
from burnside.ir.program import Property, PropertyKind
from burnside.ir.types import Bag, Boolean, Element, Integer, Optional, Type, Union
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.constants import junction
from burnside.languages.murphi.kinds import bare, describe, is_scalar
from burnside.languages.murphi.lower_calls import CallLowering
from burnside.languages.murphi.lowering import (
    Known,
    KnownConstant,
    KnownPlace,
    KnownValue,
    Operand,
    Stored,
    Value,
)
from burnside.languages.shared.spans import Extent, Identifier

WHILE_LIMIT = 1_000_000
"""Turns of a `while` in one step; CMurphi stops at 1000 by default, rumur never."""


class StatementLowering(CallLowering):
    result: Type | None = None
    """What `return` gives back here; None in rules and procedures."""

    def block(self, statements: Sequence[r.Statement]) -> st.Block:
        return tuple(each for statement in statements for each in self.statement(statement))

    def statement(self, node: r.Statement) -> st.Block:
        match node:
            case r.Assignment():
                return self.assignment(node)
            case r.If(_, clauses, otherwise):
                branches = [self.branch(clause) for clause in clauses]
                return (st.If(tuple(branches), self.inner_block(otherwise)),)
            case r.Switch():
                return self.switch(node)
            case r.For(at, binders, body):
                return self.loop(at, binders, body)
            case r.While(at, condition, body):
                test = self.test(condition, "the condition of 'while'")
                return (st.While(test, self.inner_block(body), WHILE_LIMIT, self.span(at)),)
            case r.Alias(_, aliases, body):
                return self.aliased([(n, a.value) for a in aliases for n in a.names], body)
            case r.CallStatement(_, call_node):
                call, preparation = self.call(call_node)
                return preparation.around(st.CallStatement(call))
            case r.Clear(_, target):
                return (st.Clear(self.writable(target).place),)
            case r.Undefine(_, target):
                return (st.Undefine(self.writable(target).place),)
            case r.Error(at, message):
                number = self.property("error", message, at)
                return (st.Assert(e.FALSE, number, self.span(at)),)
            case r.Check():
                return self.check(node)
            case r.Put(_, value):
                if value is not None:
                    self.operand(value)
                return ()
            case r.Return():
                return self.return_(node)
            case r.MultisetAdd():
                return self.add(node)
            case r.MultisetRemove(at, position, bag_node):
                stored, bag = self.writable_bag(bag_node)
                return (st.Remove(stored.place, self.position(position, bag), self.span(at)),)
            case r.MultisetRemoveWhere(_, name, bag_node, condition):
                self.writable_bag(bag_node)
                with self.inner_scope():
                    bound = self.bind(s.PositionBinder(name, bag_node))
                    return (st.RemoveAll(bound, self.test(condition, "this test")),)

    def inner_block(self, statements: Sequence[r.Statement]) -> st.Block:
        with self.inner_scope():
            return self.block(statements)

    def branch(self, clause: r.Clause) -> st.Branch:
        test = self.test(clause.test, "the condition of 'if'")
        return st.Branch(test, self.inner_block(clause.body))

    # Changing places

    def writable(self, node: s.Expression) -> Stored:
        operand = self.operand(node)
        is_bound = isinstance(operand, Value) and operand.is_bound
        if not isinstance(operand, Stored) and not is_bound:
            raise self.error("this is no variable, it cannot be changed", node.at)
        if not isinstance(operand, Stored) or not operand.writable:
            hint = "parameters without 'var', and names bound by loops and rulesets, keep their value"
            raise self.error("this may be read, but not changed", node.at, hint)
        return operand

    def assignment(self, node: r.Assignment) -> st.Block:
        target = self.writable(node.target)
        if self.is_undefined_word(node.value):
            return (st.Undefine(target.place),)
        type_, span = e.type_of_place(target.place), self.span(node.at)
        if isinstance(node.value, s.Call):
            call, preparation = self.call_with_result(node.value)
            if call.type == type_:
                return preparation.around(st.CopyCall(target.place, call))
        value = self.operand(node.value)
        if isinstance(value, Stored) and e.type_of_place(value.place) == type_:
            return (st.Copy(target.place, value.place, span),)
        if isinstance(type_, Optional):
            expression = self.fit(value, type_.type, "the value of this assignment", checked=False)
            return (st.Assign(target.place, expression, span),)
        self.check_type(value, type_, "the value of this assignment")
        return self.copied(target.place, value)

    def add(self, node: r.MultisetAdd) -> st.Block:
        stored, bag = self.writable_bag(node.bag)
        value, span = self.operand(node.value), self.span(node.at)
        if isinstance(value, Stored) and e.type_of_place(value.place) == bag.element:
            return (st.Add(stored.place, value.place, span),)
        if isinstance(bag.element, Optional):
            entry = e.Variable(self.fresh("entry"), bag.element)
            expression = self.fit(value, bag.element.type, "an entry of this multiset", checked=False)
            statements = (st.Assign(entry, expression, span), st.Add(stored.place, entry, span))
            return (st.Declare((entry,), statements),)
        self.check_type(value, bag.element, "an entry of this multiset")
        place, preparation = self.materialised(value, bag.element, "entry")
        return preparation.around(st.Add(stored.place, place, span))

    def writable_bag(self, node: s.Expression) -> tuple[Stored, Bag]:
        stored, bag = self.bag(node)
        self.writable(node)
        return stored, bag

    # Control

    def switch(self, node: r.Switch) -> st.Block:
        """The value is looked at once, whatever the cases do."""
        value = self.operand(node.value)
        if not is_scalar(value.type):
            message = f"'switch' needs a simple value, this is {describe(value.type)}"
            raise self.error(message, node.value.at)
        expression = self.read(value)
        is_plain = isinstance(expression, e.Constant) or (isinstance(value, Value) and value.is_bound)
        if is_plain:
            return self.cases(node, Value(value.at, value.type, expression))
        variable = e.Variable(self.fresh("switch"), e.type_of(expression))
        seen = Value(value.at, value.type, e.Read(variable, self.span(value.at)))
        return (st.Let(variable, expression, self.cases(node, seen)),)

    def cases(self, node: r.Switch, value: Value) -> st.Block:
        branches = []
        for case in node.cases:
            tests = [self.equal(value, self.operand(each), each.at) for each in case.values]
            branches.append(st.Branch(junction("or", tests), self.inner_block(case.body)))
        otherwise = self.inner_block(node.otherwise)
        return (st.If(tuple(branches), otherwise),) if branches else otherwise

    def loop(self, at: Extent, binders: Sequence[s.Binder], body: Sequence[r.Statement]) -> st.Block:
        with self.inner_scope():
            bounds = [self.bind(binder) for binder in binders]
            inner = self.block(body)
        for bound in reversed(bounds):
            inner = (st.For(bound, inner, self.span(at)),)
        return inner

    def aliased(
        self, aliases: Sequence[tuple[Identifier, s.Expression]], body: Sequence[r.Statement]
    ) -> st.Block:
        if not aliases:
            return self.inner_block(body)
        (name, node), rest = aliases[0], aliases[1:]
        operand = self.operand(node)
        with self.inner_scope():
            known, variable = self.renamed(name, operand)
            self.declare(name, known)
            inner = self.aliased(rest, body)
        if variable is None:
            return inner
        if isinstance(operand, Stored):
            return (st.Bind(variable, operand.place, inner),)
        if is_scalar(bare(variable.type)):
            return (st.Let(variable, self.read(operand), inner),)
        return (st.Declare((variable,), (*self.copied(variable, operand), *inner)),)

    def renamed(self, name: Identifier, operand: Operand) -> tuple[Known, e.Variable | None]:
        """What an alias stands for, and the variable it needs, unless it stands for what it names."""
        if isinstance(operand, Stored):
            variable = e.Variable(self.fresh(name.text), e.type_of_place(operand.place))
            return KnownPlace(variable, operand.writable), variable
        if isinstance(operand, Value) and isinstance(operand.expression, e.Constant):
            return KnownConstant(operand.expression), None
        if isinstance(operand, Value) and operand.is_bound:
            return KnownValue(operand.expression, operand.type, is_bound=True), None
        if isinstance(operand, Value) and isinstance(operand.type, Boolean | Integer | Element | Union):
            variable = e.Variable(self.fresh(name.text), e.type_of(operand.expression))
            return KnownValue(e.Read(variable, self.span(name.at)), operand.type, is_bound=False), variable
        assert not isinstance(operand.type, Boolean | Integer | Element | Union)
        variable = e.Variable(self.fresh(name.text), operand.type)  # type: ignore[arg-type]
        return KnownPlace(variable, writable=False), variable

    def return_(self, node: r.Return) -> st.Block:
        span = self.span(node.at)
        if node.value is None:
            if self.result is not None:
                raise self.error("a function returns a value", node.at)
            return (st.Return(None, span),)
        value = self.operand(node.value)
        if self.result is None:
            raise self.error("only a function returns a value", node.value.at)
        if isinstance(value, Stored) and value.type == self.result:
            return (st.Return(value.place, span),)
        if isinstance(self.result, Boolean | Integer | Element | Union):
            return (st.Return(self.fit(value, self.result, "the result", checked=True), span),)
        self.check_type(value, self.result, "the result")
        place, preparation = self.materialised(value, self.result, "result")
        return preparation.around(st.Return(place, span))

    # Properties

    def check(self, node: r.Check) -> st.Block:
        test, span = self.test(node.test, f"what '{node.category}' asks for"), self.span(node.at)
        match node.category:
            case "assert" | "invariant":
                return (st.Assert(test, self.property("assertion", node.message, node.at), span),)
            case "assume":
                return (st.Assume(test),)
            case "cover":
                return (st.Cover(test, self.property("cover", node.message, node.at)),)
            case "liveness":
                raise self.error("liveness is no statement: it belongs among the rules", node.at)

    def property(self, kind: PropertyKind, message: str | None, at: Extent) -> int:
        span = self.span(at)
        name = message if message is not None else f"{kind} at line {span.line}"
        self.properties.append(Property(kind, name, None, span))
        return len(self.properties) - 1
