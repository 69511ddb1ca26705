"""Lowering what binds names: quantifiers, comprehensions, lambdas, sums, LET. In: trees. Out: drafts."""

from __future__ import annotations

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import BOOLEAN
from burnside.languages.b.lower.drafts import Draft
from burnside.languages.b.lower.expressions import ExpressionLowering
from burnside.languages.b.resolve.names import KnownLocal
from burnside.languages.b.resolve.terms import NUMBER, TRUTH, Hole, PairOf, SetOf, Term, relation
from burnside.languages.b.syntax import expressions as t


class BinderLowering(ExpressionLowering):
    def binder(self, node: t.Expression) -> Draft:
        match node:
            case t.Quantified(_, "!"):
                return self._forall(node)
            case t.Quantified():
                return self._exists(node)
            case t.Comprehension():
                return self._comprehension(node)
            case t.Collected():
                return self._collected(node)
            case t.Let():
                return self._let(node)
            case _:
                raise AssertionError(node)

    def _forall(self, node: t.Quantified) -> Draft:
        with self.inner():
            names = self.bind_all(node.names)
            conditions, body = _premises(node.body)
            premises = tuple(self.predicate(each, "the left side of '=>'") for each in conditions)
            conclusion = self.predicate(body, "what is quantified")

        def build() -> e.Expression:
            condition = joined(tuple(each.build() for each in premises))
            return e.Forall(self.locals(names), condition, conclusion.build(), self.span(node.at))

        return Draft(node.at, TRUTH, build)

    def _exists(self, node: t.Quantified) -> Draft:
        with self.inner():
            names = self.bind_all(node.names)
            condition = self.predicate(node.body, "what is quantified")
        return Draft(
            node.at, TRUTH, lambda: e.Exists(self.locals(names), condition.build(), self.span(node.at))
        )

    def _comprehension(self, node: t.Comprehension) -> Draft:
        with self.inner():
            names = self.bind_all(node.names)
            condition = self.predicate(node.condition, "the condition of the set")
            value = None if node.value is None else self.expression(node.value)

        def build() -> e.Expression:
            found = self.tuple_of(names) if value is None else value.build()
            return e.Comprehension(self.locals(names), condition.build(), found, self.span(node.at))

        return Draft(node.at, SetOf(tuple_term(names) if value is None else value.term), build)

    def _collected(self, node: t.Collected) -> Draft:
        with self.inner():
            names = self.bind_all(node.names)
            condition = self.predicate(node.condition, f"the condition of '{node.operator}'")
            value = self.expression(node.value)
        if node.operator in ("SIGMA", "PI"):
            return self._fold(node, names, condition, value)
        if node.operator == "%":
            return self._lambda(node, names, condition, value)
        return self._united(node, names, condition, value)

    def _fold(
        self, node: t.Collected, names: tuple[KnownLocal, ...], condition: Draft, value: Draft
    ) -> Draft:
        self.expect(value, NUMBER, f"what '{node.operator}' adds up or multiplies", node.at)
        operator = "sum" if node.operator == "SIGMA" else "product"

        def build() -> e.Expression:
            return e.Fold(operator, self.locals(names), condition.build(), value.build(), self.span(node.at))

        return Draft(node.at, NUMBER, build)

    def _lambda(
        self, node: t.Collected, names: tuple[KnownLocal, ...], condition: Draft, value: Draft
    ) -> Draft:
        def build() -> e.Expression:
            found = e.pair(self.tuple_of(names), value.build())
            return e.Comprehension(self.locals(names), condition.build(), found, self.span(node.at))

        return Draft(node.at, relation(tuple_term(names), value.term), build)

    def _united(
        self, node: t.Collected, names: tuple[KnownLocal, ...], condition: Draft, value: Draft
    ) -> Draft:
        self.expect(value, SetOf(Hole()), f"what '{node.operator}' collects", node.at)
        operator = "general-union" if node.operator == "UNION" else "general-intersection"

        def build() -> e.Expression:
            sets = e.Comprehension(self.locals(names), condition.build(), value.build(), self.span(node.at))
            return e.Apply(operator, (sets,), self.type_of(value.term), self.span(node.at))

        return Draft(node.at, value.term, build)

    def binding(self, binding: t.Binding) -> tuple[KnownLocal, Draft]:
        """A name of a LET, and its value, in which the name is not known yet."""
        value = self.expression(binding.value)
        name = self.bind(binding.name)
        self.equate(name.term, value.term, binding.name.at, lambda: "the types differ")
        return name, value

    def _let(self, node: t.Let) -> Draft:
        with self.inner():
            bound = [self.binding(each) for each in node.bindings]
            body = self.expression(node.body)

        def build() -> e.Expression:
            values = [(self.local(name), value.build()) for name, value in bound]
            built = body.build()
            for name, value in reversed(values):
                built = e.Let(name, value, built)
            return built

        return Draft(node.at, body.term, build)

    def tuple_of(self, names: tuple[KnownLocal, ...]) -> e.Expression:
        """`x, y, z` is `(x |-> y) |-> z`."""
        first, *others = self.locals(names)
        built: e.Expression = first
        for each in others:
            built = e.pair(built, each)
        return built


def tuple_term(names: tuple[KnownLocal, ...]) -> Term:
    term = names[0].term
    for each in names[1:]:
        term = PairOf(term, each.term)
    return term


def joined(parts: tuple[e.Expression, ...]) -> e.Expression:
    """Their conjunction, however each is nested."""
    flat = tuple(each for part in parts for each in e.conjuncts(part))
    if len(flat) < 2:
        return flat[0] if flat else e.TRUE
    return e.Apply("and", flat, BOOLEAN)


def _premises(body: t.Expression) -> tuple[tuple[t.Expression, ...], t.Expression]:
    """`P => (Q => R)` under a quantifier: R for all that satisfy P and Q, whichever of them bounds a name."""
    found: list[t.Expression] = []
    while isinstance(body, t.Binary) and body.operator == "=>":
        found.append(body.left)
        body = body.right
    return tuple(found), body
