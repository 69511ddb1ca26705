"""Predicates: they have no types, but their parts have to agree."""

from __future__ import annotations

from burnside.languages.z import syntax as s
from burnside.languages.z.typing.context import Scope, quoted
from burnside.languages.z.typing.expressions import ExpressionChecker
from burnside.languages.z.typing.types import PowerType, written_type


class PredicateChecker(ExpressionChecker):
    def predicate(self, node: s.Predicate, scope: Scope) -> None:
        match node:
            case s.Equality(_, left, right):
                one, other = self.expression(left, scope), self.expression(right, scope)
                if not self.unifier.unify(one, other):
                    raise self.wrong(
                        f"the sides of this equation have different types: {written_type(one)} and {written_type(other)}",
                        node,
                    )
            case s.Membership(_, element, set_):
                self._membership(node, element, set_, scope)
            case s.InfixRelation():
                self._infix_relation(node, scope)
            case s.PrefixRelation():
                self._prefix_relation(node, scope)
            case s.Not(_, operand):
                self.predicate(operand, scope)
            case s.Connected(_, _, left_side, right_side):
                self.predicate(left_side, scope)
                self.predicate(right_side, scope)
            case s.Quantified(_, _, text, body):
                self.predicate(body, self.text(text, scope))
            case s.LetPredicate(_, definitions, body):
                self.predicate(body, self.defined(definitions, scope))
            case s.SchemaPredicate():
                self._schema_predicate(node, scope)

    def _membership(
        self, node: s.Membership, element: s.Expression, set_: s.Expression, scope: Scope
    ) -> None:
        found, of_set = self.expression(element, scope), self.expression(set_, scope)
        if self.unifier.unify(PowerType(found), of_set):
            return
        base = self.unifier.base(of_set, set_)
        if base is None:
            message = f"the right operand of '\\in' has to be a set; this has the type {written_type(of_set)}"
            raise self.wrong(message, node, set_.at)
        message = f"this has the type {written_type(found)}, the elements of the set have the type {written_type(base)}"
        raise self.wrong(message, node, element.at)

    def _infix_relation(self, node: s.InfixRelation, scope: Scope) -> None:
        sides = ("left", node.left), ("right", node.right)
        types = [self.expression(each, scope) for _, each in sides]
        relation = self.reference(node, node.relation, (), scope)
        expected = self.unifier.relation(relation, node)
        if expected is None:
            message = f"{quoted(node.relation.text)} is no relation: it has the type {written_type(relation)}"
            raise self.wrong(message, node, node.relation.at)
        for (side, operand), found, wanted in zip(sides, types, expected, strict=True):
            if not self.unifier.unify(found, wanted):
                raise self.wrong(
                    f"the {side} operand of {quoted(node.relation.text)} has the type {written_type(found)}, "
                    f"expected {written_type(wanted)}",
                    node,
                    operand.at,
                )

    def _prefix_relation(self, node: s.PrefixRelation, scope: Scope) -> None:
        found = self.expression(node.operand, scope)
        relation = self.reference(node, node.relation, (), scope)
        wanted = self.unifier.base(relation, node)
        if wanted is None:
            message = f"{quoted(node.relation.text)} is no set: it has the type {written_type(relation)}"
            raise self.wrong(message, node, node.relation.at)
        if not self.unifier.unify(found, wanted):
            raise self.wrong(
                f"the operand of {quoted(node.relation.text)} has the type {written_type(found)}, "
                f"expected {written_type(wanted)}",
                node,
                node.operand.at,
            )

    def _schema_predicate(self, node: s.SchemaPredicate, scope: Scope) -> None:
        schema = node.schema.schema if isinstance(node.schema, s.Precondition) else node.schema
        title = "the schema"
        if isinstance(schema, s.SchemaReference):
            title = quoted(schema.name + schema.decoration)
        for name, wanted in self.schema(node.schema, scope).items():
            where = self.local(name, scope)
            if where is not None:
                found = where.names[name]
            else:
                definition = self.global_named(name)
                if definition is None:
                    raise self.undeclared(name, node, node.at, scope, f"the predicate {title}")
                found = self.use(node, definition, (), scope, node.at)
            if not self.unifier.unify(found, wanted):
                raise self.wrong(
                    f"{quoted(name)} has the type {written_type(found)} here, and {written_type(wanted)} in {title}",
                    node,
                )
