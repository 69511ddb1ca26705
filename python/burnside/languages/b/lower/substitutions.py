"""Lowering substitutions, but for calls of operations (`calls`). In: trees. Out: actions, which build substitutions.

`f(x) := E` overrides, `x :: S` and `x : (P)` choose a value and assign it, `CASE` is a chain of tests, `CHOICE` has
alternatives that are always possible.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.types import BOOLEAN, Set
from burnside.languages.b.lower.binders import BinderLowering, joined, tuple_term
from burnside.languages.b.lower.drafts import Action, Declared, Draft
from burnside.languages.b.resolve.names import KIND, Known, KnownLocal, KnownState, KnownValue
from burnside.languages.b.resolve.signatures import signature
from burnside.languages.b.resolve.structure import names_in
from burnside.languages.b.resolve.terms import NUMBER, SetOf, Term
from burnside.languages.b.syntax import expressions as t
from burnside.languages.b.syntax import substitutions as u
from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record


@record(eq=False)
class Target:
    """A place to write: a name, and what becomes of its value when this part of it gets another one."""

    at: Extent
    known: KnownState | KnownLocal
    term: Term
    updated: Callable[[e.Expression], e.Expression]
    """From the part's new value to the whole's."""


class SubstitutionLowering(BinderLowering):
    def call(self, node: u.OperationCall) -> Action:
        raise NotImplementedError

    def may_assign(self, known: KnownState) -> bool:
        """Does it belong to the machine whose text is being read?"""
        raise NotImplementedError

    def substitution(self, node: u.Substitution) -> Action:
        match node:
            case u.Skip():
                return lambda: s.SKIP
            case u.Assign():
                return self._assign(node)
            case u.BecomesElement():
                return self._becomes_element(node)
            case u.BecomesSuch():
                return self._becomes_such(node)
            case u.Parallel(at, parts):
                actions = tuple(map(self.substitution, parts))
                return lambda: s.Parallel(tuple(each() for each in actions), self.span(at))
            case u.Sequence(_, parts):
                actions = tuple(map(self.substitution, parts))
                return lambda: s.Sequence(tuple(each() for each in actions))
            case u.Precondition(at, condition, body):
                return self._demand("precondition", condition, body, at)
            case u.Assertion(at, condition, body):
                return self._demand("assertion", condition, body, at)
            case u.If():
                return self._if(node)
            case u.Select():
                return self._select(node)
            case u.Case():
                return self._case(node)
            case u.Choice(at, parts):
                actions = tuple(map(self.substitution, parts))
                return lambda: s.Alternatives(
                    tuple(s.Branch(e.TRUE, each()) for each in actions), None, self.span(at)
                )
            case u.Any():
                return self._any(node)
            case u.LetBlock():
                return self._let_block(node)
            case u.Var(_, names, body):
                with self.inner():
                    known = self.bind_all(names, writable=True)
                    action = self.substitution(body)
                return lambda: s.Local(self.locals(known), action())
            case u.While():
                return self._while(node)
            case u.OperationCall():
                return self.call(node)

    # Writing

    def target(self, node: t.Expression) -> Target:
        match node:
            case t.Name(at, name):
                known = self._writable(self.find(name, at), name, at)
                return Target(at, known, known.term, lambda value: value)
            case t.Application(at, function, argument):
                return self._target_image(self.target(function), function, argument, at)
            case t.Field(_, base, name):
                return self._target_field(self.target(base), base, name)
            case _:
                raise self.error("this cannot be assigned to", node.at, "a variable, f(x) or r'field can")

    def _writable(self, known: Known, name: str, at: Extent) -> KnownState | KnownLocal:
        match known:
            case KnownState(_, _, None):
                raise self.error(f"'{name}' is a constant and cannot be assigned to", at)
            case KnownState() if self.may_assign(known):
                return known
            case KnownState():
                hint = "only operations of its own machine change it: call one of them"
                raise self.error(f"'{name}' belongs to another machine and cannot be assigned to", at, hint)
            case KnownLocal(writable=True):
                return known
            case KnownLocal() | KnownValue():
                raise self.error(f"'{name}' is a parameter or a bound name and cannot be assigned to", at)
            case _:
                raise self.error(f"'{name}' is {KIND[type(known)]} and cannot be assigned to", at)

    def _target_image(
        self, base: Target, function: t.Expression, argument: t.Expression, at: Extent
    ) -> Target:
        whole, index = self.expression(function), self.expression(argument)
        wanted = signature("apply")
        self.expect(whole, wanted.arguments[0], "what is applied", at)
        self.expect(index, wanted.arguments[1], "the argument", at)

        def updated(value: e.Expression) -> e.Expression:
            old = whole.build()
            type_ = e.type_of(old)
            one = e.Apply("set", (e.pair(index.build(), value),), type_, self.span(at))
            return base.updated(e.Apply("override", (old, one), type_, self.span(at)))

        return Target(at, base.known, wanted.result, updated)

    def _target_field(self, base: Target, record_: t.Expression, name: Identifier) -> Target:
        whole = self.expression(record_)
        term = self.field_of(whole, name)
        return Target(
            name.at,
            base.known,
            term,
            lambda value: base.updated(self.with_field(whole.build(), name.text, value)),
        )

    def targets(self, nodes: tuple[t.Expression, ...]) -> tuple[Target, ...]:
        found = tuple(map(self.target, nodes))
        for position, each in enumerate(found):
            for other in found[:position]:
                if other.known is each.known:
                    hint = f"the first time at {other.at.seen_from(each.at)}"
                    raise self.error("this is assigned to twice at the same time", each.at, hint)
        return found

    def written(self, known: KnownState | KnownLocal, at: Extent) -> e.Name:
        is_state = isinstance(known, KnownState)
        return e.Name(known.name, self.type_of(known.term), is_state, self.span(at))

    def assignment(
        self, targets: tuple[Target, ...], values: tuple[e.Expression, ...], at: Extent
    ) -> s.Assign:
        names = tuple(self.written(each.known, each.at) for each in targets)
        wholes = tuple(each.updated(value) for each, value in zip(targets, values, strict=True))
        return s.Assign(names, wholes, self.span(at))

    def _assign(self, node: u.Assign) -> Action:
        targets = self.targets(node.targets)
        if len(targets) != len(node.values):
            message = f"{len(node.values)} values for {len(targets)} variables"
            raise self.error(message, node.at)
        values = tuple(map(self.expression, node.values))
        for target, value in zip(targets, values, strict=True):
            self.expect(value, target.term, "the value assigned", node.at)
        return lambda: self.assignment(targets, tuple(each.build() for each in values), node.at)

    def chosen(self, target: Target) -> KnownLocal:
        """A name for the value that a target will get."""
        known = KnownLocal(self.fresh(target.known.name), target.term, False, target.at)
        self.declared.append(Declared(target.known.name, target.term, target.at))
        return known

    def _becomes_element(self, node: u.BecomesElement) -> Action:
        targets = self.targets(node.targets)
        names = tuple(map(self.chosen, targets))
        set_ = self.typed(node.set, SetOf(tuple_term(names)), "the right side of '::'", node.at)

        def build() -> s.Substitution:
            condition = e.Apply("member", (self.tuple_of(names), set_.build()), BOOLEAN, self.span(node.at))
            chosen = self.locals(names)
            return s.Choose(chosen, condition, self.assignment(targets, chosen, node.at), self.span(node.at))

        return build

    def _becomes_such(self, node: u.BecomesSuch) -> Action:
        targets = self.targets(node.targets)
        names = tuple(map(self.chosen, targets))
        with self.inner() as scope:
            for tree, target, name in zip(node.targets, targets, names, strict=True):
                if not isinstance(tree, t.Name):
                    hint = "name the variable itself, and say what its new value is"
                    raise self.error("only variables can be assigned by a condition", tree.at, hint)
                scope.names[tree.text] = name
                scope.names[f"{tree.text}$0"] = target.known
            condition = self.predicate(node.condition, "the condition after ':'")

        def build() -> s.Substitution:
            chosen = self.locals(names)
            body = self.assignment(targets, chosen, node.at)
            return s.Choose(chosen, condition.build(), body, self.span(node.at))

        return build

    # Control

    def _demand(self, kind: str, condition: t.Expression, body: u.Substitution, at: Extent) -> Action:
        word = "PRE" if kind == "precondition" else "ASSERT"
        test, action = self.predicate(condition, f"the condition of {word}"), self.substitution(body)
        return lambda: s.Demand(kind, test.build(), action(), self.span(at))

    def branches(self, branches: tuple[u.Branch, ...], word: str) -> Callable[[], tuple[s.Branch, ...]]:
        drafts = [
            (self.predicate(each.condition, f"the condition of {word}"), self.substitution(each.body))
            for each in branches
        ]
        return lambda: tuple(s.Branch(test.build(), action()) for test, action in drafts)

    def _if(self, node: u.If) -> Action:
        branches = self.branches(node.branches, "IF")
        otherwise = self._maybe(node.otherwise)
        return lambda: s.If(branches(), otherwise() or s.SKIP, self.span(node.at))

    def _select(self, node: u.Select) -> Action:
        branches = self.branches(node.branches, "SELECT")
        otherwise = self._maybe(node.otherwise)
        return lambda: s.Alternatives(branches(), otherwise(), self.span(node.at))

    def _maybe(self, node: u.Substitution | None) -> Callable[[], s.Substitution | None]:
        return (lambda: None) if node is None else self.substitution(node)

    def _case(self, node: u.Case) -> Action:
        drafts: list[tuple[Draft, tuple[Draft, ...], Action]] = []
        for branch in node.branches:
            # Anew for each test, so that names bound in it stay unique.
            subject = self.expression(node.subject)
            values = tuple(
                self.typed(each, subject.term, "a value of CASE", branch.at) for each in branch.values
            )
            drafts.append((subject, values, self.substitution(branch.body)))
        otherwise = self._maybe(node.otherwise)

        def build() -> s.Substitution:
            branches = tuple(
                s.Branch(self._among(subject, values), action()) for subject, values, action in drafts
            )
            return s.If(branches, otherwise() or s.SKIP, self.span(node.at))

        return build

    def _among(self, subject: Draft, values: tuple[Draft, ...]) -> e.Expression:
        built, span = tuple(each.build() for each in values), self.span(subject.at)
        if len(built) == 1:
            return e.Apply("equal", (subject.build(), built[0]), BOOLEAN, span)
        set_ = e.Apply("set", built, Set(self.type_of(subject.term)), span)
        return e.Apply("member", (subject.build(), set_), BOOLEAN, span)

    def _any(self, node: u.Any) -> Action:
        with self.inner():
            names = self.bind_all(node.names)
            condition = self.predicate(node.condition, "the condition of ANY")
            action = self.substitution(node.body)
        return lambda: s.Choose(self.locals(names), condition.build(), action(), self.span(node.at))

    def _let_block(self, node: u.LetBlock) -> Action:
        with self.inner():
            bound = [self.binding(each) for each in node.bindings]
            action = self.substitution(node.body)

        def build() -> s.Substitution:
            names = tuple(self.local(name) for name, _ in bound)
            condition = joined(tuple(self.is_equal(self.local(name), value.build()) for name, value in bound))
            return s.Choose(names, condition, action(), self.span(node.at))

        return build

    def is_equal(self, left: e.Expression, right: e.Expression) -> e.Expression:
        return e.Apply("equal", (left, right), BOOLEAN)

    def _while(self, node: u.While) -> Action:
        """`x$0` in the invariant is what `x` was before the loop: it is kept under a name of its own."""
        kept: list[tuple[KnownLocal, Draft]] = []
        with self.inner() as scope:
            for name in _names_from_before(node.invariant):
                old = self.meaning(self.find(name.text, name.at), name.at, name.text)
                local = KnownLocal(self.fresh(f"{name.text}_before"), old.term, False, name.at)
                scope.names[f"{name.text}$0"] = local
                kept.append((local, old))
            test = self.predicate(node.test, "the test of WHILE")
            body = self.substitution(node.body)
            invariant = self.predicate(node.invariant, "the invariant of WHILE")
            variant = self.typed(node.variant, NUMBER, "the variant of WHILE")

        def build() -> s.Substitution:
            loop: s.Substitution = s.While(
                test.build(), body(), invariant.build(), variant.build(), self.span(node.at)
            )
            for local, old in kept:
                loop = s.Choose((self.local(local),), self.is_equal(self.local(local), old.build()), loop)
            return loop

        return build


def _names_from_before(tree: object) -> tuple[t.Name, ...]:
    """Every `x$0` in a tree, once."""
    found: dict[str, t.Name] = {}
    for name in names_in(tree):
        if name.before:
            found.setdefault(name.text, name)
    return tuple(found.values())
