"""Random functions, actions and start states, of the statements of `program_bodies`."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.program import Action, Function, Parameter
from burnside.ir.types import BOOLEAN, INTEGER, Array, Bag, Boolean, Element, Integer, Optional, Type, Union
from burnside.records import replace

from tests.program_bodies import BodyMaker
from tests.program_scopes import Root, Scope, parts, scalar_of


class ActionMaker(BodyMaker):
    """Draws the parts of a program."""

    def function(self, state: Sequence[Root]) -> None:
        """One with a scalar result, for expressions, reads the state; in asymmetric programs it may change it too. A
        procedure may change all it sees."""
        is_valued = self.flip()
        is_pure = is_valued and (self.symmetric or self.flip(60))
        parameters = [
            self.parameter(state, by_reference=not is_pure and self.flip(70))
            for _ in range(self.number(0, 2))
        ]
        roots = [replace(root, writable=not is_pure) for root in state]
        roots += [
            Root(each.variable, each.variable.type, "alias" if each.by_reference else "local")
            for each in parameters
        ]
        result: Type | None = self.scalar() if is_valued else None
        if not is_valued and self.flip():
            result = self.one([root.type for root in state])
        scope = Scope(tuple(roots), result=result, total=self.tame)
        end = self.ended(scope)
        if end is None:
            return  # nothing in scope has this type
        complete = self.symmetric or self.flip(85)
        body = (*self.block(scope, 1, 2), *((end,) if complete else ()))
        made = Function(self.name("F"), tuple(parameters), result, body)
        (self.valued if is_valued else self.procedures).append(made)

    def parameter(self, state: Sequence[Root], *, by_reference: bool) -> Parameter:
        types = [part.type for root in state for part in parts(root)]
        type_ = self.one(types) if by_reference or self.flip(40) else self.scalar()
        return Parameter(e.Variable(self.name("p"), type_), by_reference)

    def action(self, state: Sequence[Root]) -> Action:
        scope, parameters = Scope(tuple(state), total=self.tame), []
        for _ in range(self.one((0, 0, 1, 1, 1, 2))):
            bound, scope = self.parameter_of_action(scope)
            parameters.append(bound)
        guard = self.guard(replace(scope, total=self.tame or self.flip(80)), 50)
        body = self.progress(scope)
        if self.flip(60):
            body += self.block(scope)
        if self.symmetric and self.flip(60):
            body += self.bag_changes(scope)
        return Action(self.name("act"), tuple(parameters), body, guard)

    def mover(self, state: Sequence[Root]) -> Action:
        """An action that changes one part of the state: without some of these most random programs stay where they are."""
        part = self.one([part for root in state for part in parts(root) if scalar_of(part.type) is not None])
        scope, parameters = Scope(tuple(state), total=True), []
        place: e.Place = part.root.place
        for step in part.steps:
            if isinstance(step, str):
                place = e.Component(place, step)
                continue
            if isinstance(step, Bag) and self.flip(40):
                body = (self.add_to(place, scope),)
                return Action(self.name("act"), tuple(parameters), body, self.guard(scope, 20))
            bound = e.Bound(
                self.name("i"), e.All(step.index) if isinstance(step, Array) else e.Positions(place)
            )
            parameters.append(bound)
            if isinstance(step, Array):
                scope = scope.plus(Root(bound.variable, bound.type, "local", writable=False))
                place = e.Index(place, e.Read(bound.variable))
            else:
                scope = scope.at(bound.variable, place, as_number=not self.symmetric)
                place = e.Entry(place, e.Read(bound.variable))
        scalar = scalar_of(part.type)
        if isinstance(scalar, Element | Union) and self.flip(60):
            bound = e.Bound(self.name("i"), e.All(scalar))
            parameters.append(bound)
            value: e.Expression | None = e.Read(bound.variable)
        else:
            value = self.next_value(place, part.type, scope)
        body = () if value is None else (s.Assign(place, value),)
        return Action(self.name("act"), tuple(parameters), body, self.guard(scope, 40))

    def guard(self, scope: Scope, percent: int) -> e.Expression:
        return (self.expression(BOOLEAN, scope, 2) if self.flip(percent) else None) or e.TRUE

    def progress(self, scope: Scope) -> s.Block:
        """One or two assignments that cannot fail: without them most random programs have a state or two."""
        total = replace(scope, total=True)
        made = []
        for _ in range(self.number(1, 2)):
            target = self.some_place(total, lambda each: scalar_of(each) is not None, writable=True)
            value = target and self.next_value(*target, total)
            if target and value:
                made.append(s.Assign(target[0], value))
        return tuple(made)

    def next_value(self, place: e.Place, type_: Type, total: Scope) -> e.Expression | None:
        """One more, the opposite, another element: something that changes the state."""
        scalar, old = scalar_of(type_), e.Read(place)
        assert scalar is not None
        new = self.expression(scalar, total, 2)
        if self.flip(40) and new != old:
            return new
        match scalar:
            case Boolean():
                stepped: e.Expression | None = e.Not(old)
            case Integer(low, high):
                more = e.Binary("+", old, e.Constant(1, INTEGER))
                is_less = e.Binary("<", old, e.Constant(high, scalar))
                stepped = e.Conditional(is_less, more, e.Constant(low, INTEGER))
            case _:
                stepped = new if new != old else self.constant(scalar, total)
        if stepped is None or not isinstance(type_, Optional):
            return stepped
        first = e.Constant(scalar.low, INTEGER) if isinstance(scalar, Integer) else new
        return first and e.Conditional(e.IsDefined(place), stepped, first)

    def parameter_of_action(self, scope: Scope) -> tuple[e.Bound, Scope]:
        if self.flip(40) and (found := self.bound(replace(scope, total=True), bags_only=True)):
            return found[0], replace(found[1], total=scope.total)
        name = self.name("i")
        arrays = [part.type for root in scope.roots for part in parts(root) if isinstance(part.type, Array)]
        indices = [each.index for each in arrays] * 2
        bound = e.Bound(name, e.All(self.one([*indices, *map(Element, self.sorts), self.scalar()])))
        return bound, scope.plus(Root(bound.variable, bound.type, "local", writable=False))

    def start(self, state: Sequence[Root]) -> Action:
        scope, parameters = Scope(tuple(state), total=self.tame), []
        if self.flip(30):
            bound = e.Bound(self.name("i"), e.All(Element(self.one(self.sorts))))
            parameters = [bound]
            scope = scope.plus(Root(bound.variable, bound.type, "local", writable=False))
        cleared = tuple(
            s.Clear(root.place)
            for root in state
            if not self.shows_elements(root.type, plain=False) and self.flip(85)
        )
        body = cleared + (self.progress(scope) if self.flip() else ())
        if self.flip(10):
            body += self.block(scope, 1)
        return Action(self.name("start"), tuple(parameters), body)
