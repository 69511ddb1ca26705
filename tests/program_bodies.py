"""Random statements, between `program_expressions` and `program_actions`.

In symmetric programs loops over `full` sorts and over bags do the same in every order: each turn changes its own element
alone, or counts, or sets a flag; entries of bags come and go at the end of an action, where no position is used after.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from burnside.ir import expressions as e
from burnside.ir import statements as s
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Boolean,
    Integer,
    Optional,
    Type,
    can_be_undefined,
    has_bags,
    sorts_of,
)
from burnside.records import replace

from tests.program_expressions import ASSERTED, COVERED, LIMITED, Maker
from tests.program_scopes import Root, Scope, parts, scalar_of


class BodyMaker(Maker):
    """Draws statements."""

    def block(self, scope: Scope, depth: int = 2, most: int = 3) -> s.Block:
        made = [self.statement(scope, depth) for _ in range(self.number(1, most))]
        return tuple(each for each in made if each is not None)

    def statement(self, scope: Scope, depth: int) -> s.Statement | None:
        simple: list[Callable[[], s.Statement | None]] = [
            lambda: self.assign(scope),
            lambda: self.assign(scope),
            lambda: self.assign(scope),
            lambda: self.copy(scope),
            lambda: self.clear(scope),
            lambda: self.undefine(scope),
            lambda: self.procedure_call(scope),
            lambda: self.procedure_call(scope),
            lambda: self.copy_call(scope),
            lambda: self.stated(scope),
        ]
        if not self.symmetric:
            simple += [lambda: self.add(scope), lambda: self.remove(scope), lambda: self.remove_all(scope)]
        if depth == 0 or self.flip(60):
            return self.first_of(simple)
        composed = [
            self.choice,
            self.for_each,
            self.while_,
            self.declare,
            self.alias,
            self.let,
            self.choice,
            self.for_each,
        ]
        return self.first_of([lambda make=make: make(scope, depth - 1) for make in composed])

    # Simple ones

    def assign(self, scope: Scope) -> s.Statement | None:
        target = self.some_place(scope, lambda each: scalar_of(each) is not None, writable=True)
        return target and self.assign_to(*target, scope)

    def assign_to(self, place: e.Place, type_: Type, scope: Scope) -> s.Statement | None:
        scalar = scalar_of(type_)
        assert scalar is not None
        # Mostly values of the type; now and then any number, which may not be one of them.
        exact = replace(scope, total=True) if self.flip(60) else scope
        value = self.expression(scalar, exact, 2) or self.expression(scalar, scope, 2)
        if value == e.Read(place):
            value = self.constant(scalar, scope)
        return value and s.Assign(place, value)

    def copy(self, scope: Scope) -> s.Statement | None:
        target = self.some_place(scope, self.may_copy, writable=True)
        if target is None:
            return None
        scalar = scalar_of(target[1])

        def fits(type_: Type) -> bool:
            return type_ == target[1] or (scalar is not None and scalar_of(type_) == scalar)

        source = self.some_place(scope, fits)
        return s.Copy(target[0], source[0]) if source and source[0] != target[0] else None

    def may_copy(self, type_: Type) -> bool:
        """A bag overwritten by another would change the meaning of positions."""
        return not (self.symmetric and has_bags(type_))

    def clear(self, scope: Scope) -> s.Statement | None:
        found = self.some_place(
            scope, lambda each: not self.shows_elements(each, plain=False) and each != INTEGER, writable=True
        )
        return found and s.Clear(found[0])

    def undefine(self, scope: Scope) -> s.Statement | None:
        found = self.some_place(
            scope,
            lambda each: not self.shows_elements(each, plain=True) and can_be_undefined(each),
            writable=True,
        )
        return found and s.Undefine(found[0])

    def procedure_call(self, scope: Scope) -> s.Statement | None:
        if not self.procedures or not scope.calls:
            return None
        function = self.one(self.procedures)
        arguments = self.arguments(function, scope)
        return (
            None
            if arguments is None
            else s.CallStatement(e.Call(function.name, arguments, function.result or BOOLEAN))
        )

    def copy_call(self, scope: Scope) -> s.Statement | None:
        fitting = [each for each in self.procedures if each.result is not None]
        if not fitting or not scope.calls:
            return None
        function = self.one(fitting)
        assert function.result is not None
        # A variable as target: which of target and call is evaluated first does not show.
        targets = [root for root in scope.roots if root.type == function.result and root.writable]
        targets = [root for root in targets if self.may_copy(root.type)]
        arguments = self.arguments(function, scope)
        if not targets or arguments is None:
            return None
        return s.CopyCall(self.one(targets).place, e.Call(function.name, arguments, function.result))

    def stated(self, scope: Scope) -> s.Statement | None:
        """An assertion, an assumption, a cover, a note, or an early end."""
        test = self.expression(BOOLEAN, scope, 2)
        if test is None:
            return None
        match self.number(0, 4):
            case 0:
                return s.Assert(test, self.one((ASSERTED, ASSERTED, LIMITED)))
            case 3:
                return s.Note(test, self.one((ASSERTED, LIMITED)))
            case 1:
                return s.Cover(test, COVERED)
            case 2:
                return s.Assume(test)
            case _:
                end = self.ended(scope)
                return end and s.If((s.Branch(test, (end,)),), ())

    def ended(self, scope: Scope) -> s.Statement | None:
        if scope.result is False or scope.result is None:
            return s.Return()
        assert not isinstance(scope.result, bool)
        scalar = scalar_of(scope.result)
        value: e.Expression | e.Place | None
        if scalar is None or isinstance(scope.result, Optional):
            found = self.some_place(scope, lambda each: each == scope.result)
            value = found and found[0]
        else:
            value = self.expression(scalar, scope, 2)
        return value and s.Return(value)

    # Bags

    def add(self, scope: Scope) -> s.Statement | None:
        """A new value, or a copy of one that is there."""
        bag = self.some_place(scope, lambda each: isinstance(each, Bag), writable=True)
        return bag and self.add_to(bag[0], scope)

    def add_to(self, bag: e.Place, scope: Scope) -> s.Statement:
        bag_type = e.type_of_place(bag)
        assert isinstance(bag_type, Bag)
        source = self.some_place(scope, lambda each: each == bag_type.element) if self.flip(40) else None
        if source is not None:
            return s.Add(bag, source[0])
        new = e.Variable(self.name("m"), bag_type.element)
        inner = Scope((Root(new, new.type, "local"),))
        body = [
            self.assign_to(target[0], target[1], scope)
            for _ in range(self.number(0, 2))
            if (target := self.some_place(inner, lambda each: scalar_of(each) is not None, 0, writable=True))
        ]
        return s.Declare((new,), (*(each for each in body if each), s.Add(bag, new)))

    def remove(self, scope: Scope) -> s.Statement | None:
        if scope.positions and self.flip(70):
            position, bag = self.one(scope.positions)
            return s.Remove(bag, e.Read(position))
        found = self.some_place(scope, lambda each: isinstance(each, Bag), writable=True)
        return found and s.Remove(found[0], e.Constant(self.number(0, 1), INTEGER))

    def remove_all(self, scope: Scope) -> s.Statement | None:
        bag = self.some_place(scope, lambda each: isinstance(each, Bag), writable=True)
        if bag is None:
            return None
        bound = e.Bound(self.name("i"), e.Positions(bag[0]))
        inner = scope.at(bound.variable, bag[0], as_number=not self.symmetric)
        test = self.expression(BOOLEAN, replace(inner, total=self.symmetric), 2)
        return test and s.RemoveAll(bound, test)

    def bag_changes(self, scope: Scope) -> s.Block:
        """The end of an action in a symmetric program: positions are used by the first statement only."""
        after = replace(scope, roots=tuple(root for root in scope.roots if root.kind in ("state", "local")))
        made: list[s.Statement | None] = []
        if scope.positions and self.flip(60):
            position, bag = self.one(scope.positions)
            bag_type = e.type_of_place(bag)
            assert isinstance(bag_type, Bag)
            kept = e.Variable(self.name("m"), bag_type.element)
            entry = e.Entry(bag, e.Read(position))
            inner = after.plus(Root(kept, kept.type, "local"))
            rest = (self.assign(inner), self.add(inner) if self.flip() else None)
            body = (s.Copy(kept, entry), s.Remove(bag, e.Read(position)), *(each for each in rest if each))
            made.append(s.Declare((kept,), body))
        elif self.flip(20):
            made.append(self.remove_all(after))
        else:
            made.append(self.add(after))
        return tuple(each for each in made if each is not None)

    # Composed ones

    def choice(self, scope: Scope, depth: int) -> s.Statement | None:
        tests = [self.expression(BOOLEAN, scope, 2) for _ in range(self.number(1, 2))]
        branches = tuple(s.Branch(test, self.block(scope, depth, 2)) for test in tests if test is not None)
        return s.If(branches, self.block(scope, depth, 1) if self.flip() else ()) if branches else None

    def for_each(self, scope: Scope, depth: int) -> s.Statement | None:
        found = self.bound(scope)
        if found is None:
            return None
        bound, inner = found
        if self.symmetric and isinstance(bound.domain, e.Positions):
            return self.own_entries(bound, bound.domain.bag, scope)
        if self.symmetric and any(sort.symmetry == "full" for sort in sorts_of(bound.type)):
            return self.own_elements(bound, scope) if self.flip() else self.counted(bound, scope)
        return s.For(bound, self.block(inner, depth, 2))

    def own_entries(self, bound: e.Bound, bag: e.Place, scope: Scope) -> s.Statement | None:
        base = bag
        while not isinstance(base, e.Variable):
            base = (
                base.array
                if isinstance(base, e.Index)
                else base.record
                if isinstance(base, e.Component)
                else base.bag
            )
        if not base.is_state:
            return None
        bag_type = e.type_of_place(bag)
        assert isinstance(bag_type, Bag)
        own = Root(e.Entry(bag, e.Read(bound.variable)), bag_type.element, "entry")
        return self.own_turns(bound, own, base, scope)

    def own_elements(self, bound: e.Bound, scope: Scope) -> s.Statement | None:
        arrays = [
            root
            for root in scope.roots
            if root.kind == "state"
            and root.writable
            and isinstance(root.type, Array)
            and root.type.index == bound.type
        ]
        if not arrays:
            return None
        array = self.one(arrays)
        assert isinstance(array.type, Array) and isinstance(array.place, e.Variable)
        own = Root(e.Index(array.place, e.Read(bound.variable)), array.type.element, "entry")
        return self.own_turns(bound, own, array.place, scope)

    def own_turns(self, bound: e.Bound, own: Root, base: e.Variable, scope: Scope) -> s.Statement | None:
        """Each turn reads what no other turn writes, and writes its own part. Only errors of the model can happen, so it
        does not matter which turn fails."""
        others = self.unchanging(scope, base)
        readable = replace(others.plus(own, *self.element(bound)), calls=False)
        body = []
        for _ in range(self.number(1, 2)):
            target = self.some_place(
                replace(readable, roots=(own,)), lambda each: scalar_of(each) is not None, 0, writable=True
            )
            made = target and self.assign_to(*target, readable)
            test = self.expression(BOOLEAN, readable, 1) if self.flip() else None
            if made:
                body.append(s.If((s.Branch(test, (made,)),), ()) if test else made)
        return s.For(bound, tuple(body)) if body else None

    def counted(self, bound: e.Bound, scope: Scope) -> s.Statement | None:
        """How many turns satisfy a test, or whether one does."""
        targets = [
            root
            for root in scope.roots
            if root.kind == "state" and root.writable and isinstance(root.type, Integer | Boolean)
        ]
        if not targets:
            return None
        target = self.one(targets)
        assert isinstance(target.place, e.Variable)
        readable = replace(self.unchanging(scope, target.place).plus(*self.element(bound)), calls=False)
        test = self.expression(BOOLEAN, readable, 2)
        if test is None:
            return None
        one_more = e.Binary("+", e.Read(target.place), e.Constant(1, INTEGER))
        value = e.TRUE if target.type == BOOLEAN else one_more
        return s.For(bound, (s.If((s.Branch(test, (s.Assign(target.place, value),)),), ()),))

    def unchanging(self, scope: Scope, written: e.Variable) -> Scope:
        """Without the variable that a loop writes, and without what may be part of it."""
        kept = [
            root
            for root in scope.roots
            if root.kind == "local" or (root.kind == "state" and root.place != written)
        ]
        return replace(scope, roots=tuple(kept), positions=())

    def element(self, bound: e.Bound) -> Sequence[Root]:
        """The bound name as a value, where the number does not tell the order."""
        is_position = isinstance(bound.domain, e.Positions)
        return () if is_position else (Root(bound.variable, bound.type, "local", writable=False),)

    def while_(self, scope: Scope, depth: int) -> s.Statement | None:
        test = self.expression(BOOLEAN, scope, 2)
        return test and s.While(test, self.block(scope, depth, 2), self.number(1, 3))

    def declare(self, scope: Scope, depth: int) -> s.Statement:
        """Locals of the types of the state, so that something can be copied to them."""
        types = [part.type for root in scope.roots for part in parts(root)]
        types = [type_ for type_ in types if not self.shows_elements(type_, plain=True) and type_ != INTEGER]
        type_ = self.one(types) if types and self.flip(70) else self.cell()
        local = e.Variable(self.name("l"), type_)
        return s.Declare((local,), self.block(scope.plus(Root(local, type_, "local")), depth))

    def alias(self, scope: Scope, depth: int) -> s.Statement | None:
        found = self.some_place(scope, lambda _: True, writable=True)
        if found is None:
            return None
        name = e.Variable(self.name("a"), found[1])
        return s.Bind(name, found[0], self.block(scope.plus(Root(name, found[1], "alias")), depth))

    def let(self, scope: Scope, depth: int) -> s.Statement | None:
        value = self.expression(self.one((INTEGER, BOOLEAN, self.scalar())), scope, 2)
        if value is None:
            return None
        name = e.Variable(self.name("v"), e.type_of(value))
        root = Root(name, name.type, "local", writable=False)
        return s.Let(name, value, self.block(scope.plus(root), depth))
