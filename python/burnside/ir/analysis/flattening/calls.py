"""Calls made flat: the body of a function in the place of the call.

A function that is nothing but a choice between expressions becomes that expression. Any other becomes a scope: arguments are
evaluated one after the other, then its body, which leaves the scope where it returns.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import program as p
from burnside.ir import statements as s
from burnside.ir.analysis import flat, walking
from burnside.ir.analysis.builders import converted, load
from burnside.ir.analysis.flat import Block, Expr, Place
from burnside.ir.analysis.flattening.expressions import Expressions
from burnside.ir.analysis.flattening.names import Meaning, Out, scalar
from burnside.ir.types import Array, Bag, Integer, Optional, Record, Scalar, bounds
from burnside.ir.walking import nodes

MAX_VALUES = 1000
"""Of a type whose values are looked for in the branches of a choice."""


class Calls(Expressions):
    """`_returns`: of the bodies around this point, the labels of their scopes and where their results go."""

    def __init__(self, program: p.Program, check: Callable[[], None]) -> None:
        super().__init__(program, check)
        self._written = {each.name: _written_names(each.body) for each in program.functions}
        self._returns: list[tuple[str, Place | None]] = []

    @abstractmethod
    def block(self, block: s.Block) -> Out:
        """Statements, one after the other."""

    def _result(self, call: e.Call, out: Out) -> Expr:
        """As an expression where the function only computes one; else from where the body left it."""
        function = self._functions[call.function]
        found = self._computed(function, call)
        if found is not None:
            return found
        result = self.call(call, out)
        assert result is not None
        return load(result, call.span)

    def _computed(self, function: p.Function, call: e.Call) -> Expr | None:
        """A function that is nothing but a choice between expressions. Arguments are put in where the parameters stand, if
        that evaluates them at least once: they must fail where the call would."""
        if function.result is None or any(each.by_reference for each in function.parameters):
            return None
        if self._written[function.name] or isinstance(function.result, Array | Record | Bag):
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
            meanings[parameter.variable.name] = converted(found, scalar(type_), call.span)
        outer, self.names = self.names, {**self._state, **meanings}
        value = self._choice(function.body, scalar(function.result), call.span)
        self.names = outer
        if value is None:
            return None
        certain = list(walking.evaluated_always(value))
        for given in meanings.values():
            if walking.can_fail(given) and given not in certain:  # type: ignore[arg-type]
                return None
        return value

    def _choice(self, block: s.Block, type_: Scalar, span: Span | None) -> Expr | None:
        inner: Out = []
        match block:
            case (s.Return(value, own),) if value is not None and not isinstance(value, e.PLACES):
                found = self.value(value, inner)
                return None if inner else converted(found, type_, own or span)
            case (s.Return(e.Variable() | e.Index() | e.Component() | e.Entry() as place, own),):
                # A result may be undefined; where it is used as a value, that fails as reading the place does.
                meant = self.meaning(place, inner)
                found = meant if isinstance(meant, Expr) else load(meant, own)
                return None if inner else converted(found, type_, own or span)
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
            value = converted(found, scalar(variable.type), span)
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

    def _body(self, block: s.Block, result: Place | None, span: Span | None = None) -> Block:
        """A body that `Return` ends, as one scope if there is anything to leave."""
        label = self._fresh("body")
        self._returns.append((label, result))
        out = self.block(block)
        self._returns.pop()
        if result is not None and _falls_through(out):
            out.append(flat.Fail(span))
        out = _without_last_leave(out, label)
        if any(
            isinstance(each, flat.Leave) and each.label == label for each in walking.statements(tuple(out))
        ):
            return (flat.Scope(label, tuple(out), span),)
        return tuple(out)


def _written_names(block: s.Block) -> frozenset[str]:
    """Names that a body may change, or give away as a place."""
    found: set[str] = set()
    for node in nodes(*block):
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
    return values >= set(range(low, high + 1)) if high - low < MAX_VALUES else False


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
