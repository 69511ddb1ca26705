"""Types of expressions."""

from __future__ import annotations

from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as s
from burnside.languages.z.typing.context import Scope, Variables, instantiated, quoted
from burnside.languages.z.typing.places import Node
from burnside.languages.z.typing.schemas import SchemaChecker
from burnside.languages.z.typing.toolkit import abbreviated
from burnside.languages.z.typing.types import (
    PowerType,
    ProductType,
    SchemaType,
    Type,
    opened,
    written_type,
)
from burnside.languages.z.typing.unification import Instance, identical

NATURAL = abbreviated("\\nat")


class ExpressionChecker(SchemaChecker):
    def expression(self, node: s.Expression, scope: Scope) -> Type:
        found = self.results.types[node] = self._expression(node, scope)
        return found

    def _expression(self, node: s.Expression, scope: Scope) -> Type:
        match node:
            case s.Reference(_, name, parameters):
                return self.reference(node, name, parameters, scope)
            case s.Number():
                return NATURAL
            case s.Application(_, function, argument):
                return self._application(node, function, argument, scope)
            case s.Infix(_, operator, left, right):
                elements = self.expression(left, scope), self.expression(right, scope)
                return self._applied(node, operator, ProductType(elements), (left, right), scope)
            case s.Postfix(_, operator, operand):
                return self._applied(node, operator, self.expression(operand, scope), (operand,), scope)
            case s.InfixGeneric(_, operator, left, right):
                return self.reference(node, operator, (left, right), scope)
            case s.PrefixGeneric(_, operator, operand):
                return self.reference(node, operator, (operand,), scope)
            case s.PowerSet(_, base):
                return PowerType(PowerType(self._set(node, base, scope, "the operand of '\\power'")))
            case s.Product(_, factors):
                types = [
                    self._set(node, each, scope, f"factor {number} of '\\cross'")
                    for number, each in enumerate(factors, 1)
                ]
                return PowerType(ProductType(tuple(types)))
            case s.Tuple(_, elements):
                return ProductType(tuple([self.expression(each, scope) for each in elements]))
            case s.Display():
                return self._display(node, scope)
            case s.Comprehension(_, text, value):
                inner = self.text(text, scope)
                return PowerType(self._value(text, value, inner))
            case s.Mu(_, text, value):
                inner = self.text(text, scope)
                return self._value(text, value, inner)
            case s.Lambda(_, text, body):
                inner = self.text(text, scope)
                domain = self._value(text, None, inner)
                return abbreviated("\\pfun", domain, self.expression(body, inner))
            case s.Let(_, definitions, body):
                return self.expression(body, self.defined(definitions, scope))
            case s.Conditional():
                return self._conditional(node, scope)
            case s.Selection():
                return self._selection(node, scope)
            case s.Theta():
                return self.binding_of(node, scope, None)
            case s.Binding():
                return self._binding(node, scope)
            case s.SchemaSet():
                return self._schema_set(node, scope)

    def _set(self, node: s.Expression, operand: s.Expression, scope: Scope, what: str) -> Type:
        found = self.expression(operand, scope)
        base = self.unifier.base(found, operand)
        if base is None:
            message = f"{what} has to be a set; this has the type {written_type(found)}"
            raise self.wrong(message, node, operand.at)
        return base

    def _value(self, text: s.SchemaText, value: s.Expression | None, scope: Scope) -> Type:
        """Of what stands behind `@`, or of the characteristic tuple."""
        if value is not None:
            return self.expression(value, scope)
        found: list[Type] = []
        for each in text.declarations:
            if isinstance(each, s.Inclusion):
                schema = each.schema
                theta = s.Theta(schema.at, schema.name, schema.decoration, schema.renames)
                found.append(self.binding_of(theta, scope, None))
            else:
                found += [scope.names[name.text] for name in each.names]
        return found[0] if len(found) == 1 else ProductType(tuple(found))

    def defined(self, definitions: tuple[s.LetDefinition, ...], scope: Scope) -> Scope:
        found: Variables = {}
        for each in definitions:
            type_ = self.expression(each.value, scope)
            name = self.names.add(each.name)
            if name in found:
                raise self.wrong(f"{quoted(name)} is defined twice in one \\LET", each, each.name.at)
            found[name] = type_
        return Scope(found, scope)

    # Displays, conditionals

    def _display(self, node: s.Display, scope: Scope) -> Type:
        if not node.elements:
            element: Type = self.unifier.variable(node)
        else:
            element = self.expression(node.elements[0], scope)
        for each in node.elements[1:]:
            found = self.expression(each, scope)
            if not self.unifier.unify(element, found):
                raise self.wrong(
                    f"this element has the type {written_type(found)}, those before it {written_type(element)}",
                    node,
                    each.at,
                )
            element = self.unifier.union(element, found)
        if node.kind == "set":
            return PowerType(element)
        return abbreviated("\\seq" if node.kind == "sequence" else "\\bag", element)

    def _conditional(self, node: s.Conditional, scope: Scope) -> Type:
        self.predicate(node.test, scope)
        then, otherwise = self.expression(node.then, scope), self.expression(node.otherwise, scope)
        if not self.unifier.unify(then, otherwise):
            raise self.wrong(
                f"the two cases have different types: {written_type(then)} after '\\THEN', "
                f"{written_type(otherwise)} after '\\ELSE'",
                node,
            )
        return self.unifier.union(then, otherwise)

    # Applications

    def _application(
        self, node: s.Application, function: s.Expression, argument: s.Expression, scope: Scope
    ) -> Type:
        actual = self.expression(argument, scope)
        elements = argument.elements if isinstance(argument, s.Tuple) else (argument,)
        return self._applied(node, function, actual, elements, scope)

    def _applied(
        self,
        node: s.Application | s.Infix | s.Postfix,
        function: s.Expression | s.Identifier,
        actual: Type,
        elements: tuple[s.Expression, ...],
        scope: Scope,
    ) -> Type:
        """`elements`: of the argument, if it is written as a tuple; else the argument itself."""
        found, tame = self._function(node, function, scope)
        parts = self.unifier.relation(found, node if isinstance(function, s.Identifier) else function)
        if parts is None:
            what = _operator_title(function) if isinstance(function, s.Identifier) else "what is applied here"
            message = f"{what} is no function: it has the type {written_type(found)}"
            apart = isinstance(node, s.Application) and function.at.span.line < node.argument.at.span.line
            hint = "the argument is in another line: '\\\\' separates predicates" if apart else None
            if not apart and isinstance(function, s.Application) and isinstance(node, s.Application):
                hint = "functions are applied from the left: f~g~x is (f~g)~x, so write f(g~x)"
            raise self.wrong(message, node, function.at, hint)
        formal, result = parts
        expected = opened(formal)
        if len(elements) == 1 or not isinstance(expected, ProductType):
            if not self.unifier.unify(actual, formal, tame):
                what = _operand_title(node)
                raise self._mismatch(what, node, _whole(elements), actual, formal)
            return result
        assert isinstance(actual, ProductType)
        if len(elements) != len(expected.factors):
            message = f"the function takes {len(expected.factors)} arguments, found {len(elements)}"
            raise self.wrong(message, node, _whole(elements))
        for number, (element, type_, factor) in enumerate(
            zip(elements, actual.factors, expected.factors, strict=True)
        ):
            if not self.unifier.unify(type_, factor, tame):
                if isinstance(node, s.Infix):
                    what = f"the {'right' if number else 'left'} operand of {_operator_title(node.operator)}"
                else:
                    what = f"argument {number + 1}"
                raise self._mismatch(what, node, element.at, type_, factor)
        return result

    def _mismatch(self, what: str, node: Node, at: Extent, found: Type, expected: Type) -> Exception:
        message = f"{what} has the type {written_type(found)}, expected {written_type(expected)}"
        hint = None
        if isinstance(node, s.Application) and _iterates(node.function):
            hint = "a raised number iterates a relation; numbers have no powers in the tool-kit"
        return self.wrong(message, node, at, hint)

    def _function(
        self, node: s.Application | s.Infix | s.Postfix, function: s.Expression | s.Identifier, scope: Scope
    ) -> tuple[Type, Instance | None]:
        """The type of a function; for a tame one, whose variables may keep shorthands, with its instance."""
        if isinstance(function, s.Identifier):
            user: Node = node
            name = function
        elif isinstance(function, s.Reference) and not function.parameters:
            user, name = function, function.name
        else:
            return self.expression(function, scope), None
        text = name.text
        if self.local(text, scope) is None:
            definition = self.global_named(text)
            if definition is not None and definition.is_tame:
                found, instance = self.tame(user, definition)
                if isinstance(function, s.Reference):
                    self.results.types[function] = found
                return found, instance
        if isinstance(function, s.Reference):
            return self.expression(function, scope), None
        return self.reference(node, name, (), scope), None

    # Bindings

    def _selection(self, node: s.Selection, scope: Scope) -> Type:
        record = self.expression(node.record, scope)
        type_ = opened(record)
        if not isinstance(type_, SchemaType):
            message = f"only bindings have components; this has the type {written_type(record)}"
            raise self.wrong(message, node, node.record.at)
        if isinstance(node.field, s.Theta):
            return self.binding_of(node.field, scope, record)
        return self._component_of(record, self.names.add(node.field), node, node.field.at)

    def _component_of(self, record: Type, name: str, node: Node, at: Extent) -> Type:
        type_ = opened(record)
        assert isinstance(type_, SchemaType), record
        for each in type_.components:
            if each.name == name:
                return each.type
        message = f"{written_type(record)} has no component {quoted(name)}"
        raise self.wrong(message, node, at, self.near(name, [each.name for each in type_.components]))

    def binding_of(self, node: s.Theta, scope: Scope, record: Type | None) -> Type:
        """The type of `\\theta S`, whose components are variables, or those of a record (`E.\\theta S`)."""
        schema = self.schema_named(node.schema, node)
        self.check_renames(schema, node.decoration, node.renames, node)
        found: Variables = {}
        for each in schema.components:
            name = self.renamed(each.name, node.decoration, node.renames)
            if record is not None:
                found[each.name] = self._component_of(record, name, node, node.at)
            else:
                found[each.name] = self._variable(name, node, scope)
        type_ = SchemaType(self.names.in_order(found))
        is_schema = schema.shorthand is not None and not schema.formals
        if is_schema and identical(type_, SchemaType(schema.components)):
            return schema.abbreviated(())
        return type_

    def _variable(self, name: str, node: s.Theta, scope: Scope) -> Type:
        where = self.local(name, scope)
        if where is not None:
            return where.names[name]
        definition = self.global_named(name)
        if definition is None:
            raise self.undeclared(
                name, node, node.at, scope, quoted(f"\\theta {node.schema}{node.decoration}")
            )
        return self.use(node, definition, (), scope, node.at)

    def _binding(self, node: s.Binding, scope: Scope) -> Type:
        found: Variables = {}
        for each in node.entries:
            name = self.names.add(each.name)
            if name in found:
                raise self.wrong(f"the component {quoted(name)} has two values", node, each.name.at)
            found[name] = self.expression(each.value, scope)
        return SchemaType(self.names.in_order(found))

    def _schema_set(self, node: s.SchemaSet, scope: Scope) -> Type:
        reference = node.schema
        schema, types = self.opened_schema(reference, scope)
        if reference.decoration or reference.renames:
            what = "decoration" if reference.decoration else "renaming"
            hint = "define a schema for it: T \\defs [S']" if reference.decoration else None
            raise self.wrong(f"a schema that is used as a set has no {what}", node, hint=hint)
        if schema.shorthand is not None:
            return PowerType(schema.abbreviated(types))
        return PowerType(instantiated(schema, types))


def _operator_title(operator: s.Identifier) -> str:
    return "'\\limg \\rimg'" if operator.base == s.IMAGE else f"{quoted(operator.text)}"


def _operand_title(node: s.Application | s.Infix | s.Postfix) -> str:
    return f"the operand of {quoted(node.operator.text)}" if isinstance(node, s.Postfix) else "the argument"


def _iterates(function: s.Expression) -> bool:
    """`R \\bsup n \\esup` without its relation."""
    iterate = function.function if isinstance(function, s.Application) else None
    return isinstance(iterate, s.Reference) and iterate.name.text == s.ITERATION


def _whole(elements: tuple[s.Expression, ...]) -> Extent:
    first, last = elements[0].at, elements[-1].at
    return Extent(first.source, first.offset, last.end - first.offset)
