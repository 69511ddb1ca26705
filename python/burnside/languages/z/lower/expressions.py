"""Lowering of expressions. In: a tree, the scope around it. Out: an expression of machines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence

from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import BOOLEAN, INTEGER, Pair, Set, Struct, ValueType, is_finite
from burnside.languages.shared.lowering import LoweringContext
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.meanings import Conjuncts, Formal, SchemaMeaning, Scope
from burnside.languages.z.lower.operands import Arguments
from burnside.languages.z.lower.toolkit import (
    CURRIED,
    DOMAINS,
    FUNCTIONS,
    PREFIX_SPACES,
    RELATIONS,
    SETS,
    SPACES,
    bag_of_items,
    element_type,
    holds,
    joined,
)
from burnside.languages.z.lower.types import TypeLowering, plain, substituted
from burnside.languages.z.typing import CheckedSpecification
from burnside.languages.z.typing.types import PowerType, Type


class ExpressionLowering(LoweringContext, TypeLowering, ABC):
    """`checked`: types of trees, and what global names are."""

    def __init__(self, checked: CheckedSpecification) -> None:
        super().__init__()
        self.checked = checked
        self._uses: dict[str, int] = {}
        self.notes: list[str] = []

    def fresh(self, name: str) -> str:
        """Names are unique within a machine; what stands behind `#` is not shown."""
        name = plain(name)
        self._uses[name] = self._uses.get(name, 0) + 1
        return f"{name}#{self._uses[name]}"

    @abstractmethod
    def predicate(self, tree: t.Predicate, scope: Scope) -> Conjuncts: ...

    @abstractmethod
    def text(self, tree: t.SchemaText, scope: Scope) -> SchemaMeaning: ...

    @abstractmethod
    def schema(self, tree: t.SchemaExpression, scope: Scope) -> SchemaMeaning: ...

    @abstractmethod
    def global_name(
        self, name: t.Identifier, parameters: tuple[t.Expression, ...], use: object, scope: Scope
    ) -> e.Expression:
        """Of a name that the specification defines. `use`: the tree that mentions it, of which it is known which generic
        parameters are meant where the text gives none."""

    @abstractmethod
    def constructed(self, tree: t.Reference, argument: e.Expression, type_: ValueType) -> e.Expression | None:
        """A value of a free type, where the name is one of its constructors; or what a recursive function is for an
        argument."""

    def type_at(self, tree: t.Expression, scope: Scope) -> ValueType:
        return self.value_type(self.checked.type_of(tree), scope.formals)

    def z_type_at(self, tree: t.Expression, scope: Scope) -> Type:
        return substituted(self.checked.type_of(tree), scope.formals)

    def expression(self, tree: t.Expression, scope: Scope) -> e.Expression:
        span = tree.at.span
        match tree:
            case t.Reference():
                return self.reference(tree, scope)
            case t.Number(_, value):
                return e.Literal(value, INTEGER, span)
            case t.PowerSet(_, base):
                return self.apply("power-set", (self.expression(base, scope),), tree, scope)
            case t.Product(_, factors):
                return self._product([self.expression(each, scope) for each in factors], tree.at)
            case t.Tuple(_, elements):
                return tuple_of([self.expression(each, scope) for each in elements])
            case t.Display():
                return self._display(tree, scope)
            case t.Comprehension(_, text, value):
                names, inner, conjuncts = self.bound(text, scope)
                element = self._value(text, value, inner)
                return e.Comprehension(names, joined(conjuncts), element, span)
            case t.Lambda(_, text, body):
                names, inner, conjuncts = self.bound(text, scope)
                point = e.pair(self.characteristic_tuple(text, inner), self.expression(body, inner))
                return e.Comprehension(names, joined(conjuncts), point, span)
            case t.Mu(_, text, value):
                return self._only(text, value, tree.at, scope)
            case t.Let(_, definitions, body):
                inner, lets = self.definitions(definitions, scope)
                found = self.expression(body, inner)
                for name, meaning in reversed(lets):
                    found = e.Let(name, meaning, found)
                return found
            case t.Conditional(_, test, then, otherwise):
                chosen = joined(self.predicate(test, scope))
                return e.Conditional(chosen, self.expression(then, scope), self.expression(otherwise, scope))
            case t.Application():
                return self._application(tree, scope)
            case t.Infix(_, operator, left, right):
                arguments = (self.expression(left, scope), self.expression(right, scope))
                return self._operator(operator, arguments, tree, scope)
            case t.Postfix(_, operator, operand):
                return self._operator(operator, (self.expression(operand, scope),), tree, scope)
            case t.InfixGeneric(_, operator, left, right):
                if operator.text in SPACES and not self.is_defined(operator.text):
                    sides = (self.expression(left, scope), self.expression(right, scope))
                    return self.apply(SPACES[operator.text], sides, tree, scope)
                return self.global_name(operator, (left, right), tree, scope)
            case t.PrefixGeneric(_, operator, operand):
                if operator.text in PREFIX_SPACES and not self.is_defined(operator.text):
                    base_set = (self.expression(operand, scope),)
                    return PREFIX_SPACES[operator.text](self, base_set, self.type_at(tree, scope), span)
                return self.global_name(operator, (operand,), tree, scope)
            case t.Theta():
                return self._theta(tree, scope)
            case t.Binding(_, entries):
                values = {plain(each.name.text): self.expression(each.value, scope) for each in entries}
                return self._record(values, self.type_at(tree, scope), tree.at)
            case t.Selection(_, record, t.Identifier() as field):
                return e.Select(self.expression(record, scope), plain(field.text), span)
            case t.Selection(_, record, t.Theta() as theta):
                return self._part(tree, record, theta, scope)
            case t.SchemaSet(_, reference):
                return self._bindings(self.schema(reference, scope), tree, scope)
            case _:
                raise AssertionError(f"{type(tree).__name__} is no expression")

    # Names

    def named_value(
        self, name: t.Identifier, use: object, scope: Scope, parameters: tuple[t.Expression, ...] = ()
    ) -> e.Expression:
        """Of a name that is no name of the tool-kit."""
        if name.text in scope.names:
            return with_span(scope.names[name.text], name.at)
        if name.text in scope.formals:
            return scope.formals[name.text].set
        return self.global_name(name, parameters, use, scope)

    def reference(self, tree: t.Reference, scope: Scope) -> e.Expression:
        text, span = tree.name.text, tree.at.span
        if text in scope.names or text in scope.formals or self.is_defined(text):
            return self.named_value(tree.name, tree, scope, tree.parameters)
        type_ = self.type_at(tree, scope)
        if text in SETS:
            return SETS[text](self, (), type_, span)
        return self._function_value(text, tree, type_)

    def is_defined(self, text: str) -> bool:
        """By the specification, not by the tool-kit."""
        found = self.checked.globals.get(text)
        return found is not None and found.kind != "toolkit"

    def _function_value(self, text: str, tree: t.Reference, type_: ValueType) -> e.Expression:
        """A function or relation of the tool-kit that is no part of an application: its graph."""
        assert isinstance(type_, Set)
        if text in PREFIX_SPACES:
            raise self.unsupported(f"'{text}' without a set behind it is not supported", tree.at)
        if not isinstance(type_.element, Pair):
            raise self.unsupported(f"'{text}' as a value by itself is not supported", tree.at)
        domain, result = type_.element.left, type_.element.right
        given = e.Name(self.fresh("x"), domain)
        everything = holds("member", given, e.Apply("all", (), Set(domain)))
        if text in RELATIONS:
            other = e.Name(self.fresh("y"), result)
            there = (everything, holds("member", other, e.Apply("all", (), Set(result))))
            related = RELATIONS[text](self, (given, other), BOOLEAN, tree.at.span)
            return e.Comprehension(
                (given, other), joined((*there, related)), e.pair(given, other), tree.at.span
            )
        if text not in FUNCTIONS:
            raise self.unsupported(f"'{text}' as a value by itself is not supported", tree.at)
        count, meaning = FUNCTIONS[text]
        arguments: Arguments = (given,)
        if count == 2:
            assert isinstance(domain, Pair)
            arguments = (
                e.Apply("left", (given,), domain.left),
                e.Apply("right", (given,), domain.right),
            )
        condition: list[e.Expression] = [everything]
        if text in DOMAINS:
            condition.append(DOMAINS[text](given))
        value = meaning(self, arguments, result, tree.at.span)
        return e.Comprehension((given,), joined(tuple(condition)), e.pair(given, value), tree.at.span)

    # Operators

    def apply(self, operator: str, arguments: Arguments, tree: t.Expression, scope: Scope) -> e.Expression:
        return e.Apply(operator, arguments, self.type_at(tree, scope), tree.at.span)

    def _operator(
        self, operator: t.Identifier, arguments: Arguments, tree: t.Infix | t.Postfix, scope: Scope
    ) -> e.Expression:
        type_ = self.type_at(tree, scope)
        if operator.text not in scope.names and not self.is_defined(operator.text):
            return FUNCTIONS[operator.text][1](self, arguments, type_, tree.at.span)
        function = self.named_value(operator, tree, scope)
        return e.Apply("apply", (function, tuple_of(list(arguments))), type_, tree.at.span)

    def _application(self, tree: t.Application, scope: Scope) -> e.Expression:
        type_, span = self.type_at(tree, scope), tree.at.span
        match tree.function:
            case t.Reference(_, name) if name.text not in scope.names:
                if self.is_defined(name.text):
                    argument = self.expression(tree.argument, scope)
                    built = self.constructed(tree.function, argument, type_)
                    if built is not None:
                        return built
                elif name.text in FUNCTIONS:
                    return self._of_toolkit(name.text, tree, type_, scope)
            case t.Application(_, t.Reference(_, name), first) if (
                name.text in CURRIED and name.text not in scope.names and not self.is_defined(name.text)
            ):
                both = (self.expression(first, scope), self.expression(tree.argument, scope))
                return CURRIED[name.text](self, both, type_, span)
        function, argument = self.expression(tree.function, scope), self.expression(tree.argument, scope)
        return e.Apply("apply", (function, argument), type_, span)

    def _of_toolkit(self, text: str, tree: t.Application, type_: ValueType, scope: Scope) -> e.Expression:
        count, meaning = FUNCTIONS[text]
        if count == 1:
            return meaning(self, (self.expression(tree.argument, scope),), type_, tree.at.span)
        if isinstance(tree.argument, t.Tuple):
            sides = tuple(self.expression(each, scope) for each in tree.argument.elements)
            return meaning(self, sides, type_, tree.at.span)
        given = self.expression(tree.argument, scope)
        pair = e.Name(self.fresh("p"), e.type_of(given))
        assert isinstance(pair.type, Pair)
        sides = (e.Apply("left", (pair,), pair.type.left), e.Apply("right", (pair,), pair.type.right))
        return e.Let(pair, given, meaning(self, sides, type_, tree.at.span))

    # Displays, tuples, bindings

    def _product(self, factors: list[e.Expression], at: Extent) -> e.Expression:
        found = factors[-1]
        for each in reversed(factors[:-1]):
            both = Pair(element_type(each), element_type(found))
            found = e.Apply("product", (each, found), Set(both), at.span)
        return found

    def _display(self, tree: t.Display, scope: Scope) -> e.Expression:
        elements = tuple(self.expression(each, scope) for each in tree.elements)
        type_ = self.type_at(tree, scope)
        assert isinstance(type_, Set)
        if tree.kind != "bag":
            return e.Apply(tree.kind, elements, type_, tree.at.span)
        assert isinstance(type_.element, Pair)
        sequence = e.Apply("sequence", elements, Set(Pair(INTEGER, type_.element.left)), tree.at.span)
        return bag_of_items(self, sequence, type_, tree.at.span)

    def _record(self, values: Mapping[str, e.Expression], type_: ValueType, at: Extent) -> e.Expression:
        assert isinstance(type_, Struct)
        return e.Apply("record", tuple(values[each.name] for each in type_.fields), type_, at.span)

    def _theta(self, tree: t.Theta, scope: Scope) -> e.Expression:
        """Values of variables that are in scope now, under the names of the schema's own components."""
        own, new = self.theta_names(tree)
        values = {
            plain(name): self.named_value(t.Identifier(tree.at, new(name)), tree, scope) for name in own
        }
        return self._record(values, self.type_at(tree, scope), tree.at)

    @abstractmethod
    def theta_names(self, tree: t.Theta) -> tuple[Sequence[str], Callable[[str], str]]:
        """Components of the schema, and what each is called where it is used."""

    def _part(self, tree: t.Selection, record: t.Expression, theta: t.Theta, scope: Scope) -> e.Expression:
        whole = self.expression(record, scope)
        binding = e.Name(self.fresh("b"), e.type_of(whole))
        own, new = self.theta_names(theta)
        values = {plain(name): e.Select(binding, plain(new(name)), tree.at.span) for name in own}
        return e.Let(binding, whole, self._record(values, self.type_at(tree, scope), tree.at))

    def _bindings(self, meaning: SchemaMeaning, tree: t.SchemaSet, scope: Scope) -> e.Expression:
        type_ = self.type_at(tree, scope)
        assert isinstance(type_, Set)
        names = self.names_of(meaning, scope)
        conjuncts = meaning.conjuncts(names)
        binding = self._record({plain(text): name for text, name in names.items()}, type_.element, tree.at)
        return e.Comprehension(tuple(names.values()), joined(conjuncts), binding, tree.at.span)

    # Binders

    def names_of(
        self, meaning: SchemaMeaning, scope: Scope, places: Mapping[str, Extent] | None = None
    ) -> dict[str, e.Name]:
        """New names for all components. `places`: of the text that declares them, where that is known."""
        return {
            text: e.Name(
                self.fresh(text),
                self.value_type(type_, scope.formals),
                False,
                None if places is None or text not in places else places[text].span,
            )
            for text, type_ in meaning.components.items()
        }

    def bound(self, text: t.SchemaText, scope: Scope) -> tuple[tuple[e.Name, ...], Scope, Conjuncts]:
        meaning = self.text(text, scope)
        names = self.names_of(meaning, scope, self._places(text, meaning))
        return tuple(names.values()), scope.within(names), meaning.conjuncts(names)

    def _places(self, text: t.SchemaText, meaning: SchemaMeaning) -> dict[str, Extent]:
        """Where the text declares its names; those of a schema that it includes have the place of that."""
        found = dict.fromkeys(meaning.components, text.at)
        for each in text.declarations:
            if isinstance(each, t.Declaration):
                found.update((name.text, name.at) for name in each.names)
        return found

    def definitions(
        self, definitions: tuple[t.LetDefinition, ...], scope: Scope
    ) -> tuple[Scope, list[tuple[e.Name, e.Expression]]]:
        lets = []
        names = {}
        for each in definitions:
            value = self.expression(each.value, scope)
            name = e.Name(self.fresh(each.name.text), e.type_of(value))
            names[each.name.text] = name
            lets.append((name, value))
        return scope.within(names), lets

    def _value(self, text: t.SchemaText, value: t.Expression | None, inner: Scope) -> e.Expression:
        return self.characteristic_tuple(text, inner) if value is None else self.expression(value, inner)

    def characteristic_tuple(self, text: t.SchemaText, inner: Scope) -> e.Expression:
        """A component for each name that is declared, and a binding for each schema (Spivey 1992, section 3.4)."""
        parts = []
        for each in text.declarations:
            match each:
                case t.Declaration(_, names, _):
                    parts += [inner.names[name.text] for name in names]
                case t.Inclusion(at, reference):
                    parts.append(self._binding_of(reference, at, inner))
        return tuple_of(parts)

    def _binding_of(self, reference: t.SchemaReference, at: Extent, inner: Scope) -> e.Expression:
        from burnside.languages.z.lower.types import record_type

        theta = t.Theta(at, reference.name, reference.decoration, reference.renames)
        own, new = self.theta_names(theta)
        values = {name: inner.names[new(name)] for name in own}
        type_ = record_type({name: e.type_of(value) for name, value in values.items()})
        return self._record({plain(name): value for name, value in values.items()}, type_, at)

    def _only(self, text: t.SchemaText, value: t.Expression | None, at: Extent, scope: Scope) -> e.Expression:
        """Of a function from one point, the image: undefined where there is none, or more than one."""
        names, inner, conjuncts = self.bound(text, scope)
        found = self._value(text, value, inner)
        graph = e.Comprehension(names, joined(conjuncts), e.pair(e.TRUE, found), at.span)
        return e.Apply("apply", (graph, e.TRUE), e.type_of(found), at.span)

    # Constraints

    def constraint(self, name: e.Expression, set_: e.Expression) -> Conjuncts:
        """`name : set`, where the type alone does not say so."""
        if is_finite(e.type_of(name)) and is_everything(set_):
            return ()
        return (holds("member", name, set_, span=getattr(set_, "span", None)),)

    def carrier(self, type_: Type) -> Formal:
        """All values of a type, for a generic parameter that the text does not give."""
        return Formal(e.Apply("all", (), self.value_type(PowerType(type_), {})), type_)


def tuple_of(parts: list[e.Expression]) -> e.Expression:
    found = parts[-1]
    for each in reversed(parts[:-1]):
        found = e.pair(each, found)
    return found


def with_span(found: e.Expression, at: Extent) -> e.Expression:
    """A use of a name, with its place."""
    if isinstance(found, e.Name):
        return e.Name(found.name, found.type, found.is_state, at.span)
    return found


def is_everything(set_: e.Expression) -> bool:
    """All values of its type, by its form."""
    match set_:
        case e.Apply("all"):
            return True
        case e.Apply("power-set" | "product" | "relations" | "records", parts):
            return all(map(is_everything, parts))
        case _:
            return False
