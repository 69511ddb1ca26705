"""Statements made flat: values before the places that take them, tests only where they are reached."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.analysis import flat
from burnside.ir.analysis.builders import converted, stored
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.analysis.flattening.calls import Calls
from burnside.ir.analysis.flattening.names import NotFlat, Out, scalar


class Statements(Calls):
    def block(self, block: s.Block) -> Out:
        out: Out = []
        for statement in block:
            self.statement(statement, out)
        return out

    def _inner(self, block: s.Block) -> Block:
        """Names that are bound inside mean nothing outside, so the table needs no copy."""
        return tuple(self.block(block))

    def statement(self, statement: s.Statement, out: Out) -> None:
        match statement:
            case s.Assign(place, value, span):
                found = self.value(value, out)
                mark = len(out)
                target = self.place(place, out)
                if len(out) > mark:
                    before: Out = []
                    found = self._named(found, before)
                    out[mark:mark] = before
                self._add(out, flat.Assign(target, stored(found, target.type, span), span))
            case s.Copy(target, source, span):
                self._copied(target, source, span, out)
            case s.CopyCall(target, call):
                result = self.call(call, out)
                assert result is not None
                self._copy(self.place(target, out), result, out, call.span)
            case s.Clear(place):
                self._add(out, flat.Fill(self.place(place, out), "clear"))
            case s.Undefine(place):
                self._add(out, flat.Fill(self.place(place, out), "undefine"))
            case s.If(branches, otherwise):
                self._if(branches, otherwise, out)
            case s.For(bound, body, span):
                binder = self.binder(bound, out)
                self._add(out, flat.For(binder, self._inner(body), span))
            case s.While(test, body, limit, span):
                before = []
                condition = self.value(test, before)
                self._add(out, flat.While(tuple(before), condition, self._inner(body), limit, span))
            case s.Declare(variables, body):
                for variable in variables:
                    self.names[variable.name] = self._declared(variable.name, variable.type, out)
                out += self.block(body)
            case s.Bind(variable, place, body):
                found_ = self.meaning(place, out)
                if isinstance(found_, Place):
                    found_ = self._frozen(found_, out, len(out), None)
                self.names[variable.name] = found_
                out += self.block(body)
            case s.Let(variable, value, body):
                given = converted(self.value(value, out), scalar(variable.type), None)
                self.names[variable.name] = self._named(given, out, name=variable.name)
                out += self.block(body)
            case s.CallStatement(call):
                self.call(call, out)
            case s.Return(value, span):
                self._return(value, span, out)
            case _:
                self._end(statement, out)

    def _end(self, statement: s.Statement, out: Out) -> None:
        """Statements that end a step, observe something, or change a bag."""
        match statement:
            case s.Assert(test, number_, span):
                self._add(out, flat.Require(self.value(test, out), number_, span))
            case s.Assume(test):
                self._add(out, flat.Require(self.value(test, out), None))
            case s.Cover(test, number_):
                self._add(out, flat.Cover(self.value(test, out), number_))
            case s.Note(test, number_, span):
                noted = self.value(test, out)
                end = flat.Require if self.is_question else flat.Note
                self._add(out, end(noted, number_, span))
            case s.Add(bag, source, span):
                given = self.place(source, out)
                mark = len(out)
                target = self.place(bag, out)
                if len(out) > mark:
                    raise NotFlat("an entry is added to a bag that a function names", span)
                self._add(out, flat.Add(target, given, span))
            case s.Remove(bag, position, span):
                target = self.place(bag, out)
                mark = len(out)
                at = self.value(position, out)
                if len(out) > mark:
                    target = self._frozen(target, out, mark, span)
                self._add(out, flat.Remove(target, at, span))
            case s.RemoveAll(bound, test):
                binder = self.binder(bound, out)
                inner: Out = []
                found = self.value(test, inner)
                if inner:
                    raise NotFlat("entries are removed by a test that calls a function", None)
                self._add(out, flat.RemoveAll(binder, found))
            case _:
                raise AssertionError(f"no statement: {statement}")

    def _copied(self, target: e.Place, source: e.Place, span: Span | None, out: Out) -> None:
        given = self.meaning(source, out)
        mark = len(out)
        place = self.place(target, out)
        if isinstance(given, Expr):
            self._add(out, flat.Assign(place, stored(given, place.type, span), span))
            return
        if len(out) > mark:  # what is copied is read before the target's indices call anything
            before: Out = []
            copy = self._local("copied", given.type, before)
            self._copy(copy, given, before, span)
            out[mark:mark] = before
            given = copy
        self._copy(place, given, out, span)

    def _if(self, branches: Sequence[s.Branch], otherwise: s.Block, out: Out) -> None:
        """Tests that need statements are evaluated only where the branches before them were not taken."""
        made: list[flat.Branch] = []
        for at, branch in enumerate(branches):
            inner: Out = []
            test = self.value(branch.test, inner)
            if inner and made:
                rest: Out = []
                self._if(branches[at:], otherwise, rest)
                self._add(out, flat.If(tuple(made), tuple(rest)))
                return
            out += inner
            made.append(flat.Branch(test, self._inner(branch.body)))
        self._add(out, flat.If(tuple(made), self._inner(otherwise)))

    def _return(self, value: e.Expression | e.Place | None, span: Span | None, out: Out) -> None:
        label, result = self._returns[-1]
        if value is not None:
            assert result is not None
            found = self.meaning(value, out) if isinstance(value, e.PLACES) else self.value(value, out)
            if isinstance(found, Expr):
                self._add(out, flat.Assign(result, stored(found, result.type, span), span))
            else:
                self._copy(result, found, out, span)
        self._add(out, flat.Leave(label))
