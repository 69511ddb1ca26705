"""The effects of statements and expressions, told from their text.

In: statements, with functions followed into their bodies (none calls itself) and parameters by reference replaced by the
places they stand for. Out: `Effects`. On the way, every loop is shown to the reading's `watch`.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.symmetry.accesses import ANY, PLACES, Access, Kind, Path, Step, Value
from burnside.symmetry.code import code
from burnside.symmetry.effects import Effects, Meaning
from burnside.symmetry.endings import always_returns
from burnside.symmetry.flow import Flow
from burnside.symmetry.valuing import Valuing, extreme_of, fails_itself, sign_of, stores


class Collector(Valuing):
    """Collects the effects of one block."""

    def _sub(self) -> Collector:
        return Collector(self.reading, self.meanings, self.but)

    def _access(
        self,
        path: Path,
        kind: Kind,
        key: object = None,
        names: frozenset[str] = frozenset(),
        span: Span | None = None,
        value: Value = ANY,
    ) -> None:
        self.effects.accesses.setdefault(Access(path, kind, key, names, span))
        if path.root in self.reading.state:
            return
        if kind not in ("read", "set", "write"):
            self.effects.flow.read(path)
        if kind in ("set", "write", "accumulate"):
            self.effects.flow.write(path, ANY if path.root in self.reading.references else value)

    def _way(self, block: s.Block) -> Flow:
        """One of several ways to go on. It ends where they meet."""
        here = self.effects.flow
        self.effects.flow = here.part()
        self.block(block)
        way, self.effects.flow = self.effects.flow, here
        return way

    def _perhaps(self, expression: e.Expression) -> None:
        """Not evaluated in all cases."""
        here = self.effects.flow
        self.effects.flow = here.part()
        self.expression(expression)
        way, self.effects.flow = self.effects.flow, here
        here.meet([way])

    def _read_place(self, place: e.Place, span: Span | None = None) -> None:
        if isinstance(place, e.Variable) and not self._is_storage(place.name):
            return
        path = self.path(place, collect=True)
        self._access(path, "read", span=span)
        if path.root not in self.reading.state:
            self.effects.flow.read(path, e.type_of_place(place))

    def _is_storage(self, name: str) -> bool:
        meaning = self.meanings.get(name)
        return isinstance(meaning, Path) or (meaning is None and name not in self.reading.steady)

    # Expressions

    def expression(self, expression: e.Expression) -> None:
        self.effects.fails |= fails_itself(self.reading.failing, expression)
        match expression:
            case e.Read(place) | e.IsDefined(place):
                self._read_place(place, getattr(expression, "span", None))
            case e.Same(left, right):
                self._read_place(left)
                self._read_place(right)
            case e.Binary(_, left, right):
                self.expression(left)
                self.expression(right)
            case e.Negate(_, operand) | e.Not(operand) | e.Convert(operand) | e.IsMember(operand):
                self.expression(operand)
            case e.Junction(_, parts):
                self.expression(parts[0])
                for part in parts[1:]:
                    self._perhaps(part)
            case e.Conditional(test, then, otherwise):
                self.expression(test)
                self._perhaps(then)
                self._perhaps(otherwise)
            case e.Quantified(_, bound, body, every):
                self._instances(bound, body, "expression" if every else "until decided")
            case e.Count(bound, body):
                self._instances(bound, body, "expression")
            case e.Call():
                self.call(expression)

    def _instances(self, bound: e.Bound, body: e.Expression, kind: str) -> None:
        self._domain(bound.domain)
        inner = self._sub()
        inner.expression(body)
        self._loop(bound, inner.effects, kind, None)

    def _domain(self, domain: e.Domain) -> None:
        self.effects.fails |= self.reading.failing.domain(domain)
        match domain:
            case e.Range(low, high, step):
                for part in (low, high, step):
                    self.expression(part)
            case e.Positions(bag):
                self._read_place(bag)

    def _loop(self, bound: e.Bound, effects: Effects, kind: str, span: Span | None) -> None:
        effects.inside.add(bound.name)
        if self.reading.watch is not None:
            self.reading.watch(bound, effects, kind, span)
        effects.flow.repeat()
        self.effects.include(effects)
        self.effects.flow.forget(each.path for each in effects.writes)
        self.effects.flow.follow(effects.flow, effects.inside, certain=False)

    def call(self, call: e.Call) -> None:
        function = self.reading.functions[call.function]
        meanings: dict[str, Meaning] = {}
        own: set[str] = set()
        values: dict[Path, Value] = {}
        for parameter, argument in zip(function.parameters, call.arguments, strict=True):
            name = parameter.variable.name
            if isinstance(argument, PLACES):
                path = self.path(argument, collect=True)
                if parameter.by_reference:
                    meanings[name] = path
                    values.update(self.effects.flow.values_at(path, path))
                else:
                    self._read_place(argument)
                    own.add(name)
                    values.update(self.effects.flow.values_at(path, Path(name)))
                continue
            self.expression(argument)
            self.effects.fails |= not stores(parameter.variable.type, argument)
            own.add(name)
            if name in self.reading.steady:
                meanings[name] = self.value(argument)
        body = self._body(call.function, meanings, own, values)
        self.effects.include(body)
        self.effects.flow.forget(each.path for each in body.writes)
        self.effects.flow.follow(body.flow.ended(), body.inside, certain=True)

    def _body(
        self, name: str, meanings: dict[str, Meaning], own: set[str], values: dict[Path, Value]
    ) -> Effects:
        """The effects of a function's body, once for each meaning of its parameters."""
        function = self.reading.functions[name]
        means = tuple(meanings.get(each.variable.name) for each in function.parameters)
        known = (name, means, frozenset(values.items()))
        if known not in self.reading.calls:
            inner = Collector(self.reading, meanings)
            inner.effects.inside |= own
            inner.effects.flow.values = values
            inner.block(function.body)
            inner.effects.fails |= function.result is not None and not always_returns(function.body)
            self.reading.calls[known] = inner.effects
        return self.reading.calls[known]

    # Statements

    def block(self, block: s.Block) -> None:
        for statement in block:
            self.statement(statement)

    def statement(self, statement: s.Statement) -> None:
        effects = self.effects
        match statement:
            case s.Assign(place, value, span):
                self._assign(place, value, span)
            case s.Copy(target, source, span):
                self._read_place(source)
                self._copy(target, source, span)
            case s.CopyCall(target, call):
                self.call(call)
                effects.fails = True
                self._access(self.path(target, collect=True), "write", span=call.span)
            case s.Clear(place) | s.Undefine(place):
                effects.fails |= self.reading.failing.place(place)
                self._access(self.path(place, collect=True), "set", type(statement).__name__)
            case s.If(branches, otherwise):
                self._if(branches, otherwise)
            case s.For(bound, body, span):
                self._for(bound, body, span)
            case s.While(test, body):
                effects.fails = True
                self._while(test, body)
            case s.Declare(variables, body):
                effects.inside |= {each.name for each in variables}
                self.block(body)
            case s.Bind(variable, place, body):
                self.meanings[variable.name] = self.path(place, collect=True)
                effects.fails |= self.reading.failing.place(place)
                self.block(body)
            case s.Let(variable, value, body):
                self.expression(value)
                self.meanings[variable.name] = self.value(value)
                effects.inside.add(variable.name)
                effects.fails |= not stores(variable.type, value)
                self.block(body)
            case s.CallStatement(call):
                self.call(call)
            case s.Return(value):
                self._return(value)
            case s.Assert(test, number):
                self.expression(test)
                effects.asserted.add(number)
            case s.Assume(test):
                self.expression(test)
                effects.assumes = True
            case s.Cover(test):
                self.expression(test)
                effects.covers = True
            case s.Add(bag, source, span):
                self._read_place(source)
                effects.fails = True
                self._access(self.path(bag, collect=True), "add", span=span)
            case s.Remove(bag, position, span):
                path = self.path(bag, collect=True)
                self.expression(position)
                effects.fails = True
                self._access(path / Step("entry", self.value(position)), "remove", span=span)
            case s.RemoveAll(bound, test):
                self._instances(bound, test, "expression")
                assert isinstance(bound.domain, e.Positions)
                self._access(self.path(bound.domain.bag), "write")

    def _if(self, branches: tuple[s.Branch, ...], otherwise: s.Block) -> None:
        extreme = None if otherwise or len(branches) > 1 else extreme_of(branches[0])
        if extreme is not None:
            key, place, value = extreme
            self.expression(value)
            self.effects.fails |= self.reading.failing.read(place) or not stores(
                e.type_of_place(place), value
            )
            self._access(self.path(place, collect=True), "accumulate", key)
            return
        before, ways = self.but, []
        for branch in branches:
            self.expression(branch.test)
            here = self.but
            self.but = self.told_apart(branch.test, holds=True)
            ways.append(self._way(branch.body))
            self.but = here
            self.but = self.told_apart(branch.test, holds=False)
        self.block(otherwise)
        self.effects.flow.meet(ways)
        self.but = before

    def _for(self, bound: e.Bound, body: s.Block, span: Span | None) -> None:
        self._domain(bound.domain)
        inner = self._sub()
        inner.block(body)
        self._loop(bound, inner.effects, "statement", span)
        self.effects.returns += inner.effects.returns

    def _while(self, test: e.Expression, body: s.Block) -> None:
        here, self.effects.flow = self.effects.flow, Flow()
        self.expression(test)
        self.block(body)
        turn, self.effects.flow = self.effects.flow, here
        turn.repeat()
        here.values = {}
        here.follow(turn, frozenset(), certain=False)

    def _return(self, value: e.Expression | e.Place | None) -> None:
        key: object = "nothing"
        if isinstance(value, PLACES):
            self._read_place(value)
            key = None
        elif value is not None:
            self.expression(value)
            found = self.key(value)
            key = None if found is None or found[1] else found[0]
        self.effects.returns.append(key)
        self.effects.flow.leave()

    def _copy(self, target: e.Place, source: e.Place, span: Span | None) -> None:
        self.effects.fails |= self.reading.failing.place(target) or self.reading.failing.place(source)
        self.effects.fails |= e.type_of_place(target) != e.type_of_place(source)
        path, copied = self.path(target, collect=True), e.Read(source)
        same, value = self.key(copied), self.value(copied)
        if same is None:
            self._access(path, "write", span=span)
        else:
            key = ("copy", same[0]) if value == ANY else same[0]
            self._access(path, "set", key, same[1], span, value)

    def _assign(self, place: e.Place, value: e.Expression, span: Span | None) -> None:
        path = self.path(place, collect=True)
        self.effects.fails |= self.reading.failing.place(place) or not stores(e.type_of_place(place), value)
        found = self._accumulated(place, value)
        if found is not None:
            key, operands = found
            for operand in operands:
                self.expression(operand)
            self._access(path, "accumulate", key, span=span)
            return
        self.expression(value)
        same = self.key(value)
        if same is None:
            self._access(path, "write", span=span)
        else:
            self._access(path, "set", same[0], same[1], span, self.value(value))

    def _accumulated(self, place: e.Place, value: e.Expression) -> tuple[object, list[e.Expression]] | None:
        """`x := x + e` and the like, as what is done and with what. The order of such turns does not show: the last value
        is the same, and a value outside the place's range is met in every order or in none, if all steps go one way."""
        if any(isinstance(node, e.Call) for node in code(place)):
            return None
        match value:
            case e.Binary("+", e.Read(target), operand) if target == place:
                sign = sign_of(operand)
            case e.Binary("+", operand, e.Read(target)) if target == place:
                sign = sign_of(operand)
            case e.Binary("-", e.Read(target), operand) if target == place:
                found = sign_of(operand)
                sign = None if found is None else -found
            case e.Junction(operator, parts):
                return self._joined(place, operator, parts)
            case _:
                return None
        self.effects.fails = True
        return None if sign is None else (("sum", sign), [operand])

    def _joined(
        self, place: e.Place, operator: str, parts: tuple[e.Expression, ...]
    ) -> tuple[object, list[e.Expression]] | None:
        """`b := b | e`. What stands behind `b` is not always evaluated: it must not fail, nor call anything."""
        own = [
            number for number, part in enumerate(parts) if isinstance(part, e.Read) and part.place == place
        ]
        others = [part for number, part in enumerate(parts) if number not in own]
        if not own or any(self.reading.failing.expression(part) for part in others):
            return None
        self.effects.fails |= self.reading.failing.read(place)
        return operator, others
