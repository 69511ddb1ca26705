"""Expressions made flat. Those without calls stay trees; where a part needs statements (a call, or a quantifier around one),
what is evaluated before it gets a name first, so that the statements cannot disturb it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal

from burnside.ir import expressions as e
from burnside.ir.analysis import flat
from burnside.ir.analysis.builders import (
    FALSE,
    TRUE,
    converted,
    load,
    lookup,
    number,
    operation,
    presence,
    wrapped,
)
from burnside.ir.analysis.flat import Expr, Place, Step
from burnside.ir.analysis.flattening.names import Meaning, Names, Out, extended
from burnside.ir.analysis.intervals import fits
from burnside.ir.types import BOOLEAN, INTEGER, Array, Bag, Integer, Scalar, bounds
from burnside.records import replace

MAX_DEPTH = 64
"""Of an expression that leans to one side."""


class Expressions(Names, ABC):
    """`out` takes the statements that come before a value or a place."""

    @abstractmethod
    def _result(self, call: e.Call, out: Out) -> Expr:
        """What a function returns."""

    # Places

    def place(self, place: e.Place, out: Out) -> Place:
        found = self.meaning(place, out)
        if isinstance(found, Place):
            return found
        # A bound name that stands where a place is wanted: a copy of it will do, for nothing can change it.
        copy = self._local("value", found.type, out)
        self._add(out, flat.Assign(copy, found))
        return copy

    def meaning(self, place: e.Place, out: Out) -> Meaning:
        match place:
            case e.Variable(name):
                return self.names[name]
            case e.Component(record, name):
                inner = self.place(record, out)
                return extended(inner, Step("field", name), e.type_of_place(place))
            case e.Index(array, index, span):
                inner = self.place(array, out)
                assert isinstance(inner.type, Array)
                element = inner.type.element
                mark = len(out)
                at = converted(self.value(index, out), inner.type.index, span)
                if len(out) > mark:
                    inner = self._frozen(inner, out, mark, span)
                return extended(inner, Step("index", index=at), element)
            case e.Entry(bag, position, span):
                inner = self.place(bag, out)
                assert isinstance(inner.type, Bag)
                element = inner.type.element
                mark = len(out)
                at = self.value(position, out)
                if len(out) > mark:
                    inner = self._frozen(inner, out, mark, span)
                return extended(inner, Step("entry", index=at, fails=True), element)

    # Values

    def values(self, parts: Sequence[e.Expression], out: Out) -> list[Expr]:
        """Evaluated from left to right: what comes before statements of a later part gets a name."""
        found: list[Expr] = []
        for part in parts:
            mark = len(out)
            value = self.value(part, out)
            if len(out) > mark:
                before: Out = []
                found = [self._named(each, before) for each in found]
                out[mark:mark] = before
            found.append(value)
        return found

    def value(self, expression: e.Expression, out: Out) -> Expr:
        match expression:
            case e.Constant(value, type_, span):
                return Expr("const", type_, value=value, span=span)
            case e.Read(place, span):
                found = self.meaning(place, out)
                return found if isinstance(found, Expr) else load(found, span)
            case e.Binary():
                return self._binary(expression, out)
            case e.Negate(operator, operand, span):
                inner = self.value(operand, out)
                if operator == "-":
                    return operation("-", number(0), inner, span)
                return Expr("complement", INTEGER, (inner,), span=span)
            case e.Not(operand):
                return Expr("not", BOOLEAN, (self.value(operand, out),))
            case e.Junction(operator, parts):
                return self._junction(operator, parts, out)
            case e.Conditional(test, then, otherwise):
                return self._conditional(test, then, otherwise, out)
            case e.Convert(operand, type_, span):
                return converted(self.value(operand, out), type_, span)
            case e.Quantified(quantifier, bound, body):
                return self._quantified(expression, quantifier, bound, body, out)
            case e.Count(bound, test):
                return self._count(bound, test, out)
            case e.IsDefined(place):
                found = self.meaning(place, out)
                return TRUE if isinstance(found, Expr) else Expr("defined", BOOLEAN, places=(found,))
            case e.IsMember(operand, sort):
                return Expr("member", BOOLEAN, (self.value(operand, out),), sort=sort)
            case e.Same(left, right):
                return self._same(left, right, out)
            case e.Call():
                return self._result(expression, out)
            case e.Wrap(operand, type_):
                return wrapped(self.value(operand, out), type_)
            case e.Lookup():
                return self._lookup(expression, out)

    def _lookup(self, node: e.Lookup, out: Out) -> Expr:
        """Where a missing entry violates a property, that it is there is asserted by a statement before."""
        table, span = node.table, node.span
        values = self.values(node.arguments, out)
        found = [converted(each, type_, span) for each, type_ in zip(values, table.arguments, strict=True)]
        made = lookup(table, found, fails=not table.is_total, span=span)
        are_inside = [fits(each, type_) for each, type_ in zip(values, table.arguments, strict=True)]
        if node.property is None or (all(are_inside) and not made.fails):
            return made
        tests: list[Expr] = []
        inside: list[Expr] = []
        for value, type_, is_inside in zip(values, table.arguments, are_inside, strict=True):
            name = self._named(value, out)
            if not is_inside:
                low, high = bounds(type_)
                tests.append(operation(">=", name, number(low), span))
                tests.append(operation("<=", name, number(high), span))
            given = converted(name, type_, span)
            inside.append(given if given.is_atom else replace(given, fails=False))
        if made.fails:
            tests.append(lookup(presence(table), inside, fails=False, span=span))
        self._add(out, flat.Require(_joined("and", tests), node.property, span))
        return lookup(table, inside, fails=False, span=span)

    def _same(self, left: e.Place, right: e.Place, out: Out) -> Expr:
        one = self.meaning(left, out)
        mark = len(out)
        other = self.meaning(right, out)
        if len(out) > mark and isinstance(one, Place):  # read before the other side's indices call anything
            before: Out = []
            copy = self._local("compared", one.type, before)
            self._add(before, flat.Copy(copy, one))
            out[mark:mark] = before
            one = copy
        if isinstance(one, Place) and isinstance(other, Place):
            return Expr("same", BOOLEAN, places=(one, other))
        # A bound name, which is never undefined, so the other side, being of its type, is not either.
        values = [load(each) if isinstance(each, Place) else each for each in (one, other)]
        return operation("=", values[0], values[1], None)

    def _binary(self, binary: e.Binary, out: Out) -> Expr:
        """Long sums lean to the left, and are gone through in a loop; now and then a part gets a name, so that no tree is
        deep."""
        spine = [binary]
        while isinstance(inner := spine[-1].left, e.Binary):
            spine.append(inner)
        result = self.value(inner, out)
        for depth, node in enumerate(reversed(spine), 1):
            mark = len(out)
            other = self.value(node.right, out)
            if len(out) > mark:
                before: Out = []
                result = self._named(result, before)
                out[mark:mark] = before
            result = operation(node.operator, result, other, node.span)
            if depth % MAX_DEPTH == 0:
                result = self._named(result, out)
        return result

    def _junction(self, operator: str, parts: Sequence[e.Expression], out: Out) -> Expr:
        op = "and" if operator == "and" else "or"
        found: list[Expr] = []
        for at, part in enumerate(parts):
            inner: Out = []
            value = self.value(part, inner)
            if inner and found:
                return self._lazy(op, found, inner, value, parts[at + 1 :], out)
            out += inner
            found.append(value)
        return _joined(op, found)

    def _lazy(
        self,
        op: str,
        found: list[Expr],
        inner: Out,
        value: Expr,
        later: Sequence[e.Expression],
        out: Out,
    ) -> Expr:
        """A part that needs statements is evaluated only where the parts before it leave the answer open."""
        answer = self._local("answer", BOOLEAN, out)
        self._add(out, flat.Assign(answer, _joined(op, found)))
        rest: Out = []
        if later:
            tail = self._junction(op, later, rest)
            value = self._then(op, value, rest, tail, inner)
        inner.append(flat.Assign(answer, value))
        open_ = load(answer) if op == "and" else Expr("not", BOOLEAN, (load(answer),))
        self._add(out, flat.If((flat.Branch(open_, tuple(inner)),), ()))
        return load(answer)

    def _then(self, op: str, value: Expr, rest: Out, tail: Expr, out: Out) -> Expr:
        """`value op tail`, where `rest` comes before `tail`."""
        if not rest:
            return _joined(op, [value, tail])
        answer = self._local("answer", BOOLEAN, out)
        self._add(out, flat.Assign(answer, value))
        open_ = load(answer) if op == "and" else Expr("not", BOOLEAN, (load(answer),))
        self._add(out, flat.If((flat.Branch(open_, (*rest, flat.Assign(answer, tail))),), ()))
        return load(answer)

    def _conditional(self, test: e.Expression, then: e.Expression, otherwise: e.Expression, out: Out) -> Expr:
        chosen = self.value(test, out)
        yes: Out = []
        no: Out = []
        one, other = self.value(then, yes), self.value(otherwise, no)
        type_ = one.type
        if one.type != other.type and isinstance(one.type, Integer) and isinstance(other.type, Integer):
            type_ = INTEGER
        if not yes and not no:
            return Expr("choice", type_, (chosen, one, other))
        result = self._local("chosen", type_, out)
        yes.append(flat.Assign(result, one))
        no.append(flat.Assign(result, other))
        self._add(out, flat.If((flat.Branch(chosen, tuple(yes)),), tuple(no)))
        return load(result)

    # Quantifiers

    def binder(self, bound: e.Bound, out: Out) -> flat.Binder:
        domain: flat.Domain
        type_: Scalar = bound.type
        match bound.domain:
            case e.All(scalar):
                domain = flat.All(scalar)
            case e.Range(low, high, step):
                ends = self.values([low, high, step], out)
                fails = ends[2].op != "const" or ends[2].value == 0
                domain = flat.Range(ends[0], ends[1], ends[2], fails)
                if all(each.op == "const" for each in ends) and ends[0].value <= ends[1].value:
                    type_ = Integer(ends[0].value, ends[1].value)
            case e.Positions(bag):
                domain = flat.Positions(self.place(bag, out))
        name = self._fresh(bound.name)
        self.names[bound.name] = Expr("name", type_, name=name)
        return flat.Binder(name, type_, domain)

    def _quantified(
        self, node: e.Quantified, quantifier: str, bound: e.Bound, body: e.Expression, out: Out
    ) -> Expr:
        every: bool = node.every
        binder = self.binder(bound, out)
        inner: Out = []
        test = self.value(body, inner)
        op: Literal["exists", "forall"] = "exists" if quantifier == "exists" else "forall"
        if not inner:
            return Expr(op, BOOLEAN, (test,), binder=binder, every=every)
        answer = self._local("answer", BOOLEAN, out)
        decided = TRUE if op == "exists" else FALSE
        self._add(out, flat.Assign(answer, FALSE if op == "exists" else TRUE))
        if every:
            found = self._named(test, inner)
            inner.append(
                flat.Assign(answer, _joined("or" if op == "exists" else "and", [load(answer), found]))
            )
            self._add(out, flat.For(binder, tuple(inner)))
            return load(answer)
        label = self._fresh("decided")
        hit = test if op == "exists" else Expr("not", BOOLEAN, (test,))
        inner.append(flat.If((flat.Branch(hit, (flat.Assign(answer, decided), flat.Leave(label))),), ()))
        self._add(out, flat.Scope(label, (flat.For(binder, tuple(inner)),)))
        return load(answer)

    def _count(self, bound: e.Bound, test: e.Expression, out: Out) -> Expr:
        binder = self.binder(bound, out)
        inner: Out = []
        found = self.value(test, inner)
        if not inner:
            return Expr("count", INTEGER, (found,), binder=binder)
        total = self._local("count", INTEGER, out)
        self._add(out, flat.Assign(total, number(0)))
        one_more = operation("+", load(total), number(1), None)
        inner.append(flat.If((flat.Branch(found, (flat.Assign(total, one_more),)),), ()))
        self._add(out, flat.For(binder, tuple(inner)))
        return load(total)


def _joined(op: str, parts: Sequence[Expr]) -> Expr:
    """Nested junctions of one kind are one."""
    flat_parts: list[Expr] = []
    for part in parts:
        flat_parts += part.args if part.op == op else (part,)
    if len(flat_parts) == 1:
        return flat_parts[0]
    return Expr("and" if op == "and" else "or", BOOLEAN, tuple(flat_parts))
