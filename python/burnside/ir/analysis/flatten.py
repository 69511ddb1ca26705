"""Programs made flat: calls replaced by bodies, aliases by places, evaluation written out in order.

In: a `Program`. Out: a `flat.Program` of the same meaning, in which every end and every failure is a node of its own.

An expression without calls stays a tree. Where a part of it needs statements (a call, or a quantifier around one), what
is evaluated before it is given a name first, so that the statements cannot disturb it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import program as p
from burnside.ir import statements as s
from burnside.ir.analysis import flat
from burnside.ir.analysis.builders import FALSE, TRUE, converted, load, number, operation, stored
from burnside.ir.analysis.flat import Block, Expr, Place, Step
from burnside.ir.types import BOOLEAN, INTEGER, Array, Bag, Integer, Optional, Record, Scalar, Type, bounds
from burnside.ir.walking import nodes

MAX_STATEMENTS = 100_000
"""Bodies stand wherever they are called: a program that grows beyond this is not made flat."""
MAX_DEPTH = 64
"""Of an expression that leans to one side."""
_ACTION = "action"
_NO_SCALAR = (Array, Bag, Optional, Record)


class NotFlat(Exception):
    """Why a program has no flat form."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


def flatten(program: p.Program, check: Callable[[], None] = lambda: None) -> flat.Program:
    """`check` is called now and then; it may raise to end the work."""
    flattener = _Flattener(program, check)
    return flat.Program(
        tuple(flat.Variable(each.name, each.type) for each in program.variables),
        tuple(map(flattener.action, program.starts)),
        tuple(map(flattener.action, program.actions)),
        tuple(map(flattener.property, program.properties)),
    )


Meaning = Place | Expr
"""What a name stands for: a place, or a value that does not change."""
Out = list[flat.Statement]


class _Flattener:
    def __init__(self, program: p.Program, check: Callable[[], None]) -> None:
        self._functions = {each.name: each for each in program.functions}
        self._written = {each.name: _written_names(each.body) for each in program.functions}
        self._state: dict[str, Meaning] = {
            each.name: Place(each.name, each.type, is_state=True) for each in program.variables
        }
        self._numbers = count(1)
        self._check = check
        self._size = 0
        self.names: dict[str, Meaning] = {}
        self._returns: list[tuple[str, Place | None]] = []

    # Parts of the program

    def action(self, action: p.Action) -> flat.Action:
        self._begin()
        parameters = tuple(map(self._parameter, action.parameters))
        before: Out = []
        guard = self.test(action.guard, before)
        body = self._body(action.body, None)
        return flat.Action(action.name, parameters, flat.Code(tuple(before), guard), body, action.span)

    def property(self, each: p.Property) -> flat.Property:
        self._begin()
        code = None
        if each.expression is not None:
            before: Out = []
            test = self.test(each.expression, before)
            code = flat.Code(tuple(before), test)
        return flat.Property(each.kind, each.name, code, each.span)

    def _begin(self) -> None:
        self._check()
        self.names = dict(self._state)
        self._returns = []

    def _parameter(self, bound: e.Bound) -> flat.Binder:
        before: Out = []
        binder = self.binder(bound, before)
        if before:
            raise NotFlat(f"the values of {bound.name} are found by a function", None)
        return binder

    def _body(self, block: s.Block, result: Place | None, span: Span | None = None) -> Block:
        """A body that `Return` ends, as one scope if there is anything to leave."""
        label = self._fresh(_ACTION)
        self._returns.append((label, result))
        out = self.block(block)
        self._returns.pop()
        if result is not None and _falls_through(out):
            out.append(flat.Fail(span))
        out = _without_last_leave(out, label)
        if any(isinstance(each, flat.Leave) and each.label == label for each in flat.statements(tuple(out))):
            return (flat.Scope(label, tuple(out), span),)
        return tuple(out)

    # Names

    def _fresh(self, name: str) -> str:
        return f"{name}#{next(self._numbers)}"

    def _local(self, name: str, type_: Type, out: Out) -> Place:
        """A variable of our own. It begins undefined, not with the first element of its sort: nothing reads that."""
        return self._declared(name, type_ if isinstance(type_, _NO_SCALAR) else Optional(type_), out)

    def _declared(self, name: str, type_: Type, out: Out) -> Place:
        place = Place(self._fresh(name), type_, is_state=False)
        self._add(out, flat.Declare(place.root, type_))
        return place

    def _add(self, out: Out, statement: flat.Statement) -> None:
        self._size += 1
        if self._size > MAX_STATEMENTS:
            raise NotFlat("with functions written out where they are called, the program is too large")
        out.append(statement)

    def _named(self, value: Expr, out: Out, at: int | None = None, name: str = "value") -> Expr:
        """An atom with this value, evaluated at this point."""
        if value.is_atom:
            return value
        fresh = self._fresh(name)
        out.insert(len(out) if at is None else at, flat.Let(fresh, value, value.span))
        return Expr("name", value.type, name=fresh)

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
                return _extended(inner, Step("field", name), e.type_of_place(place))
            case e.Index(array, index, span):
                inner = self.place(array, out)
                assert isinstance(inner.type, Array)
                element = inner.type.element
                mark = len(out)
                at = converted(self.value(index, out), inner.type.index, span)
                if len(out) > mark:
                    inner = self._frozen(inner, out, mark, span)
                return _extended(inner, Step("index", index=at), element)
            case e.Entry(bag, position, span):
                inner = self.place(bag, out)
                assert isinstance(inner.type, Bag)
                element = inner.type.element
                mark = len(out)
                at = self.value(position, out)
                if len(out) > mark:
                    inner = self._frozen(inner, out, mark, span)
                return _extended(inner, Step("entry", index=at, fails=True), element)

    def _frozen(self, place: Place, out: Out, at: int, span: Span | None) -> Place:
        """The same place, evaluated at this point of the statements, wherever it is used later."""
        steps: list[Step] = []
        before: Out = []
        for step in place.steps:
            if step.index is not None:
                index = self._named(step.index, before, name="index")
                step = Step(step.kind, step.name, index, step.fails)
            steps.append(step)
        frozen = Place(place.root, place.type, place.is_state, tuple(steps))
        if frozen.fails:
            before.append(flat.Touch(frozen, span))
            unchecked = [Step(each.kind, each.name, each.index) for each in steps]
            frozen = Place(place.root, place.type, place.is_state, tuple(unchecked))
        out[at:at] = before
        return frozen

    # Expressions

    def test(self, expression: e.Expression, out: Out) -> Expr:
        return self.value(expression, out)

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

    def _same(self, left: e.Place, right: e.Place, out: Out) -> Expr:
        one = self.meaning(left, out)
        mark = len(out)
        other = self.meaning(right, out)
        if len(out) > mark and isinstance(one, Place):
            one = self._frozen(one, out, mark, None)
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

    # Calls

    def _result(self, call: e.Call, out: Out) -> Expr:
        """As an expression where the function only computes one; else from where the body left it."""
        function = self._functions[call.function]
        mark = len(out)
        found = self._computed(function, call, out)
        if found is not None:
            return found
        del out[mark:]
        result = self.call(call, out)
        assert result is not None
        return load(result, call.span)

    def _computed(self, function: p.Function, call: e.Call, out: Out) -> Expr | None:
        """A function that is nothing but a choice between expressions. Arguments are put in where the parameters stand, if
        that evaluates them at least once: they must fail where the call would."""
        if function.result is None or any(each.by_reference for each in function.parameters):
            return None
        if self._written[function.name] or isinstance(function.result, Array | Record | Bag | Optional):
            return None
        meanings: dict[str, Meaning] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            type_ = parameter.variable.type
            if isinstance(argument, e.PLACES) or isinstance(type_, Array | Record | Bag):
                found = self.meaning(argument, []) if isinstance(argument, e.Variable) else None
                if not isinstance(found, Expr):
                    return None
            else:
                inner: Out = []
                found = self.value(argument, inner)
                if inner:
                    return None
            meanings[parameter.variable.name] = converted(found, _scalar(type_), call.span)
        outer, self.names = self.names, {**self._state, **meanings}
        value = self._choice(function.body, function.result, call.span)
        self.names = outer
        if value is None:
            return None
        certain = list(flat.evaluated_always(value))
        for given in meanings.values():
            if flat.can_fail(given) and given not in certain:  # type: ignore[arg-type]
                return None
        return value

    def _choice(self, block: s.Block, type_: Scalar, span: Span | None) -> Expr | None:
        inner: Out = []
        match block:
            case (s.Return(value, own),) if value is not None and not isinstance(value, e.PLACES):
                found = self.value(value, inner)
                return None if inner else converted(found, type_, own or span)
            case (s.Return(e.Variable() as place, own),):
                meant = self.meaning(place, inner)
                return converted(meant, type_, own or span) if isinstance(meant, Expr) else None
            case (s.If(branches, otherwise),):
                tests = [self.value(each.test, inner) for each in branches]
                values = [self._choice(each.body, type_, span) for each in branches]
                last = self._choice(otherwise, type_, span)
                made = [flat.Branch(each, ()) for each in tests]
                if last is None and not otherwise and _is_exhaustive(made):
                    last = Expr("never", type_)
                if inner or last is None:
                    return None
                for test, each in zip(reversed(tests), reversed(values), strict=True):
                    if each is None:
                        return None
                    last = Expr("choice", type_, (test, each, last))
                return last
        return None

    def call(self, call: e.Call, out: Out) -> Place | None:
        """The body in the place of the call; where its result is found."""
        function = self._functions[call.function]
        inner: Out = []
        result = None
        if function.result is not None:
            result = self._local(f"result of {function.name}", function.result, out)
        meanings: dict[str, Meaning] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            meanings[parameter.variable.name] = self._argument(
                function, parameter, argument, inner, call.span
            )
        outer, self.names = self.names, {**self._state, **meanings}
        self._check()
        inner += self._body(function.body, result, call.span or function.span)
        self.names = outer
        self._add(out, flat.Scope(self._fresh(function.name), tuple(inner), call.span))
        return result

    def _argument(
        self,
        function: p.Function,
        parameter: p.Parameter,
        argument: e.Expression | e.Place,
        out: Out,
        span: Span | None,
    ) -> Meaning:
        """Evaluated here, before the arguments behind it."""
        variable = parameter.variable
        if isinstance(argument, e.PLACES):
            found = self.meaning(argument, out)
        else:
            found = self.value(argument, out)
        if parameter.by_reference:
            place = found if isinstance(found, Place) else self.place(argument, out)  # type: ignore[arg-type]
            return self._frozen(place, out, len(out), span)
        if isinstance(found, Expr):
            value = converted(found, _scalar(variable.type), span)
            if variable.name not in self._written[function.name]:
                return self._named(value, out, name=variable.name)
            copy = self._local(variable.name, variable.type, out)
            self._add(out, flat.Assign(copy, value, span))
            return copy
        copy = self._local(variable.name, variable.type, out)
        self._copy(copy, found, out, span)
        return copy

    def _copy(self, target: Place, source: Place, out: Out, span: Span | None) -> None:
        converts = target.type not in (source.type, Optional(source.type))  # type: ignore[arg-type]
        self._add(out, flat.Copy(target, source, converts, span))

    # Statements

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
                condition = self.test(test, before)
                self._add(out, flat.While(tuple(before), condition, self._inner(body), limit, span))
            case s.Declare(variables, body):
                for variable in variables:
                    self.names[variable.name] = self._declared(variable.name, variable.type, out)
                out += self.block(body)
            case s.Bind(variable, place, body):
                found_ = self.meaning(place, out)
                if isinstance(found_, Place):
                    found_ = self._bound_place(found_, out)
                self.names[variable.name] = found_
                out += self.block(body)
            case s.Let(variable, value, body):
                given = converted(self.value(value, out), _scalar(variable.type), None)
                self.names[variable.name] = self._named(given, out, name=variable.name)
                out += self.block(body)
            case s.CallStatement(call):
                self.call(call, out)
            case s.Return(value, span):
                self._return(value, span, out)
            case _:
                self._end(statement, out)

    def _bound_place(self, place: Place, out: Out) -> Place:
        return self._frozen(place, out, len(out), None)

    def _end(self, statement: s.Statement, out: Out) -> None:
        """Statements that end a step, observe something, or change a bag."""
        match statement:
            case s.Assert(test, number_, span):
                self._add(out, flat.Require(self.test(test, out), number_, span))
            case s.Assume(test):
                self._add(out, flat.Require(self.test(test, out), None))
            case s.Cover(test, number_):
                self._add(out, flat.Cover(self.test(test, out), number_))
            case s.Add(bag, source, span):
                given = self._source(source, out)
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

    def _source(self, source: e.Place, out: Out) -> Place:
        return self.place(source, out)

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
            test = self.test(branch.test, inner)
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


def _extended(place: Place, step: Step, type_: Type) -> Place:
    return Place(place.root, type_, place.is_state, (*place.steps, step))


def _scalar(type_: Type) -> Scalar:
    content = type_.type if isinstance(type_, Optional) else type_
    assert not isinstance(content, Array | Record | Bag)
    return content


def _joined(op: str, parts: Sequence[Expr]) -> Expr:
    """Nested junctions of one kind are one."""
    flat_parts: list[Expr] = []
    for part in parts:
        flat_parts += part.args if part.op == op else (part,)
    if len(flat_parts) == 1:
        return flat_parts[0]
    return Expr("and" if op == "and" else "or", BOOLEAN, tuple(flat_parts))


def _written_names(block: s.Block) -> frozenset[str]:
    """Names that a body may change, or give away as a place."""
    found: set[str] = set()
    for node in nodes(block):
        match node:
            case s.Assign(place) | s.Copy(place) | s.CopyCall(place) | s.Clear(place) | s.Undefine(place):
                found.add(_root(place))
            case s.Bind(_, place) | s.Add(place) | s.Remove(place):
                found.add(_root(place))
            case e.Call(_, arguments):
                found |= {_root(each) for each in arguments if isinstance(each, e.PLACES)}
    return frozenset(found)


def _root(place: e.Place) -> str:
    while not isinstance(place, e.Variable):
        match place:
            case e.Index(inner) | e.Component(inner) | e.Entry(inner):
                place = inner
    return place.name


def _falls_through(block: Sequence[flat.Statement]) -> bool:
    """May the end of the block be reached? "Perhaps" is yes."""
    if not block:
        return True
    match block[-1]:
        case flat.Leave() | flat.Fail():
            return False
        case flat.If(branches, otherwise):
            last = not _is_exhaustive(branches) and _falls_through(otherwise)
            return last or any(_falls_through(each.body) for each in branches)
        case _:
            return True


def _is_exhaustive(branches: Sequence[flat.Branch]) -> bool:
    """One name, or one place, compared with every value of its type."""
    subjects: set[Expr] = set()
    values: set[int] = set()
    for branch in branches:
        match branch.test:
            case Expr("=", _, (subject, Expr("const", _, _, value))):
                subjects.add(subject)
                values.add(value)
            case _:
                return False
    if len(subjects) != 1:
        return False
    type_ = subjects.pop().type
    if isinstance(type_, Integer) and type_.low is None:
        return False
    low, high = bounds(type_)
    return values >= set(range(low, high + 1)) if high - low < 1000 else False


def _without_last_leave(block: Sequence[flat.Statement], label: str) -> Out:
    """Leaving a scope at its end says nothing."""
    if not block:
        return []
    *first, last = block
    match last:
        case flat.Leave(own) if own == label:
            return list(first)
        case flat.If(branches, otherwise, span):
            shorter = [
                flat.Branch(each.test, tuple(_without_last_leave(each.body, label))) for each in branches
            ]
            rest = tuple(_without_last_leave(otherwise, label))
            return [*first, flat.If(tuple(shorter), rest, span)]
        case _:
            return list(block)
