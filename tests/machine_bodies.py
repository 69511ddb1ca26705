"""Random substitutions, operations and claims of machines: between `machine_sets` and `machine_strategies`."""

from __future__ import annotations

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Claim, Operation
from burnside.ir.sets.types import INTEGER

from tests.machine_expressions import Scope, applied, number, stated
from tests.machine_sets import Sets, usual_member
from tests.machine_types import count, is_bounded, kept_usual


class Bodies(Sets):
    """`variables` are what substitutions write."""

    variables: Scope = ()

    # Substitutions

    def body(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        """Writes some of the names, each at most once, or (seldom) twice."""
        if depth <= 0 or not writable:
            return self.assignment(scope, writable)
        makers = [self.assignment_of, self.parallel, self.sequence, self.choice, self.alternatives,
                  self.conditional_body, self.demand, self.local, self.assignment_of]  # fmt: skip
        makers += [self.loop] if self.flip(40) else []
        return self.one(makers)(scope, writable, depth - 1)

    def assignment_of(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        return self.assignment(scope, writable)

    def assignment(self, scope: Scope, writable: Scope) -> s.Substitution:
        if not writable or self.flip(8):
            return s.SKIP
        first = self.number(0, len(writable) - 1)
        chosen = writable[first : first + self.one((1, 1, 1, 2))]
        if not self.tame and self.flip(5):
            chosen = (*chosen, chosen[0])
        return s.Assign(chosen, tuple(self.value(name, scope) for name in chosen))

    def value(self, name: e.Name, scope: Scope) -> e.Expression:
        """Of a type without an end it is brought back among the usual values: through a name, because it is looked at more
        than once."""
        value = self.expression(name.type, scope, self.one((1, 2, 2, 3)))
        if is_bounded(name.type):
            return value
        local = self.fresh("let", name.type)
        return e.Let(local, value, kept_usual(local))

    def parallel(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        cut = self.number(0, len(writable))
        halves = (writable[:cut], writable[cut:])
        if not self.tame and self.flip(15):
            halves = (writable, writable)
        return s.Parallel(tuple(self.body(scope, each, depth) for each in halves))

    def sequence(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        return s.Sequence(tuple(self.body(scope, writable, depth) for _ in range(self.one((2, 2, 2, 1, 0)))))

    def choice(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        names, condition = self.bound(scope, 2, 12)
        inner = (*scope, *names)
        fitting = [(to, name) for to in writable for name in names if to.type == name.type]
        if fitting and self.flip(70):
            to, name = self.one(fitting)
            if not is_bounded(name.type):
                condition = stated("and", condition, usual_member(name))
            return s.Choose(names, condition, s.Assign((to,), (name,)))
        return s.Choose(names, condition, self.body(inner, writable, depth))

    def branches(self, scope: Scope, writable: Scope, depth: int) -> tuple[s.Branch, ...]:
        return tuple(
            s.Branch(self.predicate(scope, 2), self.body(scope, writable, depth))
            for _ in range(self.one((1, 1, 2, 2, 3)))
        )

    def alternatives(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        otherwise = self.body(scope, writable, depth) if self.flip() else None
        return s.Alternatives(self.branches(scope, writable, depth), otherwise)

    def conditional_body(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        branches = self.branches(scope, writable, depth)
        return s.If(branches, self.body(scope, writable, depth))

    def demand(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        condition = self.mostly_true(scope, 2)
        kind = self.one(("assertion", "precondition"))
        return s.Demand(kind, condition, self.body(scope, writable, depth))

    def local(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        """Set first, or (seldom) only where a condition holds; and then read, which is an error."""
        name = self.fresh("v", self.small_type(12))
        setting: s.Substitution = s.Assign((name,), (self.value(name, scope),))
        fitting = [each for each in writable if each.type == name.type]
        if fitting and self.flip(20):
            setting = s.If((s.Branch(self.predicate(scope, 1), setting),), s.SKIP)
            reading = s.Assign((self.one(fitting),), (name,))
            return s.Local((name,), s.Sequence((setting, reading)))
        rest = self.body((*scope, name), (*writable, name), depth)
        return s.Local((name,), s.Sequence((setting, rest)))

    def loop(self, scope: Scope, writable: Scope, depth: int) -> s.Substitution:
        """Counts down; in wild machines not always."""
        left = self.fresh("v", INTEGER)
        start = number(self.number(1, 3)) if self.tame else self.leaf(INTEGER, scope)
        inner = (*scope, left)
        step = applied("subtract", INTEGER, left, number(1))
        if not self.tame and self.flip(20):
            step = applied("subtract", INTEGER, left, self.leaf(INTEGER, inner))
        goes_on = stated("less", number(0), left)
        if self.flip(40):
            goes_on = stated("and", goes_on, self.predicate(inner, 1))
        invariant = self.mostly_true(inner, 1) if self.flip(30) else stated("less-equal", number(-9), left)
        turn = s.Sequence((self.body(inner, writable, min(depth, 1)), s.Assign((left,), (step,))))
        loop = s.While(goes_on, turn, invariant, left)
        return s.Local((left,), s.Sequence((s.Assign((left,), (start,)), loop)))

    def mostly_true(self, scope: Scope, depth: int) -> e.Expression:
        parts = [self.predicate(scope, depth) for _ in range(2)]
        return stated("or", *parts, stated("not", self.predicate(scope, 1)))

    # Operations

    def operation(self, scope: Scope, number_of: int) -> Operation:
        parameters: Scope = ()
        guard: list[e.Expression] = []
        if self.flip(70):
            parameters, condition = self.bound(scope, 2, 12)
            guard.append(condition)
        if self.flip(50):
            guard.append(self.predicate((*scope, *parameters), 2))
        results: Scope = (self.fresh("r", self.small_type(8)),) if self.flip(25) else ()
        inner = (*scope, *parameters)
        body = self.body(inner, self.variables, self.one((1, 2, 2, 3)))
        if results:
            body = s.Parallel((body, self.answer(results[0], inner)))
        return Operation(f"op{number_of}", parameters, results, body, conjunction(guard))

    def answer(self, result: e.Name, scope: Scope) -> s.Substitution:
        """Seldom without a value."""
        setting = s.Assign((result,), (self.expression(result.type, scope, 2),))
        if self.flip(10):
            return s.If((s.Branch(self.predicate(scope, 1), setting),), s.SKIP)
        return setting

    def mover(self, scope: Scope, number_of: int) -> Operation:
        """Sets a variable to any usual value, under a guard: so that there is more than one state."""
        small = [each for each in self.variables if count(each.type) <= 16]
        if not small:
            return self.operation(scope, number_of)
        to = self.one(small)
        name = self.fresh("p", to.type)
        guard = [usual_member(name)]
        if self.flip(60):
            guard.append(self.predicate((*scope, name), 2))
        return Operation(f"op{number_of}", (name,), (), s.Assign((to,), (name,)), conjunction(guard))

    def claim(self, scope: Scope, number_of: int) -> Claim:
        kind = self.one(("invariant", "invariant", "assertion", "goal"))
        predicate = self.mostly_true(scope, 2) if self.flip() else self.predicate(scope, 3)
        return Claim(kind, f"{kind} {number_of}", predicate)  # type: ignore[arg-type]


def conjunction(parts: list[e.Expression]) -> e.Expression:
    return e.TRUE if not parts else parts[0] if len(parts) == 1 else stated("and", *parts)
