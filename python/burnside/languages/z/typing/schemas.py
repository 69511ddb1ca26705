"""Schemas: references, schema texts, and the operators of the schema calculus.

In: trees. Out: the components, as variables with types. Components that two schemas share must have the same type.
"""

from __future__ import annotations

from collections.abc import Callable

from burnside.languages.z import syntax as s
from burnside.languages.z.typing.context import GREEK, TITLES, Context, Needed, Scope, Variables, quoted
from burnside.languages.z.typing.definitions import Global
from burnside.languages.z.typing.places import Node
from burnside.languages.z.typing.types import Type, substituted, written_type

SEMICOLON = ("'", "", "composition")
PIPE = ("!", "?", "piping")
"""Which decoration on the left is joined with which on the right."""

Joined = Callable[[Type | None, Type | None], Type | None]
"""The type of a component in a schema that is built from two; None where it has no such component."""


class SchemaChecker(Context):
    # References

    def schema_named(self, name: str, node: Node) -> Global:
        found = self.global_named(name)
        if found is None and name.startswith(GREEK):
            self._define_greek(name, node)
        if found is None:
            root = name.split(" ", 1)[1] if name.startswith(GREEK) else name
            hint = self.near(root, [*self.results.index, *self.results.globals])
            if hint is None and root != name:
                hint = f"there is no schema {quoted(root)}"
            raise self.wrong(f"the schema {quoted(name)} is not defined", node, hint=hint)
        if found.kind != "schema":
            raise self.wrong(f"{quoted(name)} is no schema, but {TITLES[found.kind]}", node)
        return found

    def _define_greek(self, name: str, node: Node) -> None:
        """`\\Delta S` and `\\Xi S` are made where they are first used, unless the specification defines them."""
        letter, root = name.split(" ", 1)
        schema = self.global_named(root)
        if schema is None or schema.kind != "schema":
            return
        paragraph = greek_definition(node, letter, schema)
        self.results.index[name] = paragraph
        raise Needed(paragraph, name)

    def opened_schema(self, node: s.SchemaReference, scope: Scope) -> tuple[Global, tuple[Type, ...]]:
        """The schema, and the types of its actual parameters."""
        schema = self.schema_named(node.name, node)
        types: tuple[Type, ...] = ()
        if schema.formals or node.parameters:
            types = self.results.instances[node] = self.actual(node, schema, node.parameters, scope, node.at)
        return schema, types

    def check_renames(
        self, schema: Global, decoration: str, renames: tuple[s.Rename, ...], node: Node
    ) -> None:
        if not renames:
            return
        names = {self.names.decorated(each.name, decoration) for each in schema.components}
        for rename in renames:
            old = self.names.add(rename.old)
            if old not in names:
                message = f"{quoted(old)}, which is renamed here, is no component of {quoted(schema.name)}"
                raise self.wrong(message, node, rename.old.at, self.near(old, names))

    def renamed(self, name: str, decoration: str, renames: tuple[s.Rename, ...]) -> str:
        """Decorated first, renamed then."""
        decorated = self.names.decorated(name, decoration)
        for each in renames:
            if each.old.text == decorated:
                return self.names.add(each.new)
        return decorated

    def referred(self, node: s.SchemaReference, scope: Scope) -> Variables:
        """The components of a schema reference."""
        schema, types = self.opened_schema(node, scope)
        self.check_renames(schema, node.decoration, node.renames, node)
        values = dict(zip(schema.formals, types, strict=True))
        found: Variables = {}
        for each in schema.components:
            name = self.renamed(each.name, node.decoration, node.renames)
            self.merge(found, name, substituted(each.type, values) if values else each.type, node)
        self.results.variables[node] = found
        return found

    def merge(self, variables: Variables, name: str, type_: Type, node: Node) -> None:
        """Declare a variable, which may have been declared before with the same type."""
        before = variables.setdefault(name, type_)
        if before is not type_:
            self.agree(before, type_, name, node)

    def agree(self, before: Type, type_: Type, name: str, node: Node) -> None:
        if not self.unifier.unify(before, type_):
            raise self.wrong(
                f"{quoted(name)} is declared with two types: {written_type(before)} and {written_type(type_)}",
                node,
            )

    # Schema texts

    def declared(self, node: s.SchemaText, scope: Scope) -> Variables:
        found: Variables = {}
        for each in node.declarations:
            if isinstance(each, s.Inclusion):
                for name, type_ in self.referred(each.schema, scope).items():
                    self.merge(found, name, type_, each.schema)
                continue
            type_ = self.set_of(each.set, scope, "the right side of a declaration")
            for identifier in each.names:
                self.merge(found, self.names.add(identifier), type_, each)
        self.results.variables[node] = found
        return found

    def text(self, node: s.SchemaText, scope: Scope) -> Scope:
        """The scope of what follows the text."""
        inner = Scope(self.declared(node, scope), scope)
        for each in node.predicates:
            self.predicate(each, inner)
        return inner

    # Schema expressions

    def schema(self, node: s.SchemaExpression, scope: Scope) -> Variables:
        found = self._schema(node, scope)
        self.results.variables[node] = found
        return found

    def _schema(self, node: s.SchemaExpression, scope: Scope) -> Variables:
        match node:
            case s.SchemaReference():
                return self.referred(node, scope)
            case s.SchemaText():
                return self.text(node, scope).names
            case s.SchemaNot(_, inner):
                return {name: self.unifier.plain(type_) for name, type_ in self.schema(inner, scope).items()}
            case s.SchemaBinary(_, "compose", left, right):
                return self._composed(node, self.schema(left, scope), self.schema(right, scope), SEMICOLON)
            case s.SchemaBinary(_, "pipe", left, right):
                return self._composed(node, self.schema(left, scope), self.schema(right, scope), PIPE)
            case s.SchemaBinary():
                return self._joined(node, scope)
            case s.SchemaHide(_, inner, names):
                found = dict(self.schema(inner, scope))
                for identifier in names:
                    self._hide(found, self.names.add(identifier), None, node)
                return found
            case s.SchemaQuantified(_, _, text, inner):
                bound = self.text(text, scope).names
                found = dict(self.schema(inner, scope))
                for name, type_ in bound.items():
                    self._hide(found, name, type_, node)
                return found
            case s.Precondition(_, inner):
                after = ("'", "!")
                found = self.schema(inner, scope)
                return {n: type_ for n, type_ in found.items() if self.names.parts(n)[1] not in after}

    def _hide(self, variables: Variables, name: str, type_: Type | None, node: Node) -> None:
        found = variables.pop(name, None)
        if found is None:
            message = f"{quoted(name)} cannot be hidden: the schema has no such component"
            raise self.wrong(message, node, hint=self.near(name, variables))
        if type_ is not None and not self.unifier.unify(type_, found):
            raise self.wrong(
                f"{quoted(name)} has the type {written_type(type_)} in the quantifier, "
                f"and {written_type(found)} in the schema",
                node,
            )

    def _joined(self, node: s.SchemaBinary, scope: Scope) -> Variables:
        left, right = self.schema(node.left, scope), self.schema(node.right, scope)
        found: Variables = {}
        for each in self.names.in_order({**left, **right}):
            name = each.name
            one, other = left.get(name), right.get(name)
            if one is not None and other is not None:
                self.agree(one, other, name, node)
            type_ = self._component(node.operator, one, other)
            if type_ is not None:
                found[name] = type_
        return found

    def _component(self, operator: str, one: Type | None, other: Type | None) -> Type | None:
        """Shorthands stay where the values of the component must be those of one side: a disjunction, for one, does not
        keep the constraints behind them."""
        if operator == "project":
            return other
        if operator == "and":
            return one if one is not None else other
        if operator == "or" and one is not None and other is not None:
            return self.unifier.union(one, other)
        known = one if one is not None else other
        return None if known is None else self.unifier.plain(known)

    def _composed(
        self, node: s.SchemaBinary, left: Variables, right: Variables, rule: tuple[str, str, str]
    ) -> Variables:
        before, after, what = rule
        rest = dict(right)
        found: Variables = {}
        for name, type_ in left.items():
            base, decoration = self.names.parts(name)
            partner = base + after
            if decoration != before or partner not in rest:
                found[name] = type_
                continue
            other = rest.pop(partner)
            if not self.unifier.unify(type_, other):
                raise self.wrong(
                    f"the schemas of this {what} do not fit: {quoted(name)} on the left has the type {written_type(type_)}, "
                    f"{quoted(partner)} on the right has {written_type(other)}",
                    node,
                )
        for name, type_ in rest.items():
            self.merge(found, name, type_, node)
        return found


def greek_definition(node: Node, letter: str, schema: Global) -> s.SchemaDefinition:
    """`[S; S']`, for `\\Xi` with equal states, at the place of its first use."""
    at, root = node.at, schema.name
    formals = tuple(s.Identifier(at, each) for each in schema.formals)
    parameters = tuple(s.Reference(at, each) for each in formals)
    declarations = tuple(
        s.Inclusion(at, s.SchemaReference(at, root, decoration, parameters)) for decoration in ("", "'")
    )
    predicates: tuple[s.Predicate, ...] = ()
    if letter == "\\Xi":
        predicates = (s.Equality(at, s.Theta(at, root, "", ()), s.Theta(at, root, "'", ())),)
    return s.SchemaDefinition(at, f"{letter} {root}", formals, s.SchemaText(at, declarations, predicates))
