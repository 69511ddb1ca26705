"""What Z means, straight from the reference manual's definitions: the oracle of the Z front end. Slow and short.

In: a specification that has been checked. Out: values of expressions, truth of predicates, schemas as sets of bindings,
valuations of the constants. It knows nothing of how specifications are lowered.

An expression without a value raises `Undefined`. What that does to a predicate around it, Z leaves open; here it does what
it does in machines (`ir.sets.expressions`). There engines may find less than what could be known where names are bound, so
whoever compares asks `is_loose`: was something undefined for a valuation of bound names?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from burnside.languages.z import syntax as t
from burnside.languages.z.typing import CheckedSpecification
from burnside.languages.z.typing.types import (
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
    expanded,
    substituted,
)
from burnside.records import record, replace

from tests import z_toolkit as toolkit
from tests.z_schemas import (
    Schema,
    all_bindings,
    either,
    extended,
    hidden,
    joined,
    negated,
    only_once,
    sequenced,
)
from tests.z_values import (
    Atom,
    Binding,
    Built,
    Function,
    NotListed,
    Space,
    Undefined,
    Value,
    binding,
    cross,
    image_of,
    injective_sequences,
    listed,
    member,
    plain,
    power,
    same,
    sequence,
    within,
)

NUMBERS = "\\num"
Thunk = Callable[[], Value]


@record(eq=False)
class Scope:
    """`names`: values, or what computes one. `formals`: sets and their types, of generic parameters."""

    names: Mapping[str, Any]
    formals: Mapping[str, tuple[Value, Type]]

    def within(self, names: Mapping[str, Any]) -> Scope:
        return replace(self, names={**self.names, **names})


class Lazy:
    """A name of a `\\LET`: it does no harm where it is not used."""

    def __init__(self, compute: Thunk) -> None:
        self.compute = compute


NOWHERE = Scope({}, {})


class BruteForce:
    """`numbers`: which are tried where all would have to be; `longest`: which sequences. Without them there are none."""

    def __init__(
        self,
        checked: CheckedSpecification,
        sizes: Mapping[str, int] | None = None,
        numbers: range | None = None,
        longest: int | None = None,
        depth: int = 3,
    ) -> None:
        self.checked, self.sizes = checked, sizes or {}
        self.numbers, self.longest, self.depth = numbers, longest, depth
        self.constants: dict[str, Value] = {}
        self.is_loose = False
        self._schemas: dict[object, Schema] = {}
        self.free = {each.name.text: each for each in checked.order if isinstance(each, t.FreeType)}
        self._free: dict[str, frozenset[Value]] = {}
        self.constructors = {
            branch.name.text: branch for each in self.free.values() for branch in each.branches
        }

    # Types

    def carrier(self, type_: Type) -> Value:
        """All values of a type."""
        match expanded(type_):
            case GivenType(name):
                return self._given(name)
            case PowerType(base):
                return power(self.carrier(base))
            case ProductType(factors):
                return cross(*map(self.carrier, factors))
            case SchemaType(components):
                types = {each.name: each.type for each in components}
                return Space(
                    lambda value: all(member(each, self.carrier(types[name])) for name, each in value),
                    lambda: all_bindings(types, self.carrier),
                )
            case other:
                raise AssertionError(f"{other} has no values")

    def _given(self, name: str) -> Value:
        if name == NUMBERS:
            return self._numbers(lambda _: True)
        if name in self.free:
            return self._free_values(name)
        return frozenset(Atom(name, number) for number in range(1, self.sizes.get(name, 2) + 1))

    def _numbers(self, condition: Callable[[int], bool]) -> Space:
        some = self.numbers
        return Space(condition, None if some is None else lambda: filter(condition, some))

    def _free_values(self, name: str) -> frozenset[Value]:
        """Built in so many steps; where the type is not recursive, one is enough."""
        found: frozenset[Value] = self._free.get(name, frozenset())
        if name in self._free:
            return found
        for _ in range(self.depth):
            self._free[name] = found
            found |= {
                Built(each.name.text, argument)
                for each in self.free[name].branches
                for argument in ((None,) if each.domain is None else listed(self._domain(each)))
            }
        self._free[name] = found
        return found

    def _domain(self, branch: t.Branch) -> Value:
        assert branch.domain is not None
        return self.expression(branch.domain, NOWHERE)

    def _type(self, type_: Type, scope: Scope) -> Type:
        return expanded(substituted(expanded(type_), {name: own for name, (_, own) in scope.formals.items()}))

    def _element_type(self, set_: t.Expression, scope: Scope) -> Type:
        found = self._type(self.checked.type_of(set_), scope)
        assert isinstance(found, PowerType)
        return found.base

    def _parameters(self, use: object, scope: Scope) -> tuple[Type, ...]:
        return tuple(self._type(each, scope) for each in self.checked.instance(use))

    # Names

    def named(
        self, name: t.Identifier, use: object, scope: Scope, given: tuple[t.Expression, ...] = ()
    ) -> Value:
        text = name.text
        if text in scope.names:
            found = scope.names[text]
            return found.compute() if isinstance(found, Lazy) else found
        if text in scope.formals:
            return scope.formals[text][0]
        if text in self.constants:
            return self.constants[text]
        if text in self.constructors:
            return self._constructor(text)
        paragraph = self.checked.globals[text].paragraph
        match paragraph:
            case t.GivenSets() | t.FreeType():
                return self._given(text)
            case t.Abbreviation(_, _, formals, value):
                return self.expression(value, Scope({}, self._actuals(formals, given, use, scope)))
            case t.GenericDefinition(_, formals, body):
                return self._only_instance(text, body, Scope({}, self._actuals(formals, given, use, scope)))
            case _:
                return self._of_toolkit(text, use, scope, given)

    def _actuals(
        self,
        formals: tuple[t.Identifier, ...],
        given: tuple[t.Expression, ...],
        use: object,
        scope: Scope,
    ) -> dict[str, tuple[Value, Type]]:
        types = self._parameters(use, scope)
        sets = [self.expression(each, scope) for each in given] or [self.carrier(each) for each in types]
        return {each.text: pair for each, pair in zip(formals, zip(sets, types, strict=True), strict=True)}

    def _only_instance(self, text: str, body: t.SchemaText, scope: Scope) -> Value:
        """The value that a generic definition leaves open no longer."""
        found = {dict(each)[text] for each in self.text(body, scope).true}
        if len(found) != 1:
            raise NotListed
        return found.pop()

    def _constructor(self, text: str) -> Value:
        branch = self.constructors[text]
        if branch.domain is None:
            return Built(text)
        try:
            return frozenset((each, Built(text, each)) for each in listed(self._domain(branch)))
        except NotListed:
            return Function(lambda value: self._built(branch, value))

    def _built(self, branch: t.Branch, argument: Value) -> Built:
        if not member(argument, self._domain(branch)):
            raise Undefined("outside of what the constructor is for")
        return Built(branch.name.text, plain(argument))

    def _of_toolkit(self, text: str, use: object, scope: Scope, given: tuple[t.Expression, ...]) -> Value:
        if text in (NUMBERS, "\\nat", "\\nat_1"):
            least = {NUMBERS: None, "\\nat": 0, "\\nat_1": 1}[text]
            return self._numbers(lambda number: least is None or number >= least)
        if text in ("\\empty", "\\emptyset"):
            return frozenset()
        if text in toolkit.RELATIONS:
            return Space(lambda pair: toolkit.RELATIONS[text](*pair))
        return Function(lambda argument: self._applied(text, argument, use, scope))

    def _applied(self, text: str, argument: Value, use: object, scope: Scope) -> Value:
        """A function of the tool-kit."""
        if text in toolkit.ON_CARRIERS:
            (type_,) = self._parameters(use, scope)
            return toolkit.ON_CARRIERS[text](argument, lambda: self.carrier(type_))
        if text in toolkit.CURRIED:
            types = self._parameters(use, scope)
            return Function(
                lambda last: toolkit.CURRIED[text](argument, last, lambda: self.carrier(types[0]))
            )
        function = toolkit.FUNCTIONS[text]
        return function(*argument) if function.__code__.co_argcount == 2 else function(argument)

    def _prefix_space(self, text: str, base: Value) -> Value:
        match text:
            case "\\power_1" | "\\finset_1":
                return within(power(base), toolkit.is_not_empty)
            case "\\finset":
                return power(base)
            case "\\seq":
                return toolkit.all_sequences(base, self.longest)
            case "\\seq_1":
                return within(toolkit.all_sequences(base, self.longest), toolkit.is_not_empty)
            case "\\iseq":
                found = within(toolkit.all_sequences(base, None), toolkit.is_injective)
                return Space(found.contains, lambda: injective_sequences(base))
            case "\\bag":
                return toolkit.all_bags(base)
            case _:
                return toolkit.identity(base)

    def _is_defined(self, text: str, scope: Scope) -> bool:
        if text in scope.names or text in scope.formals:
            return True
        found = self.checked.globals.get(text)
        return found is not None and found.kind != "toolkit"

    # Expressions

    def expression(self, tree: t.Expression, scope: Scope) -> Value:
        match tree:
            case t.Reference(_, name, parameters):
                return self.named(name, tree, scope, parameters)
            case t.Number(_, value):
                return value
            case t.PowerSet(_, base):
                return power(self.expression(base, scope))
            case t.Product(_, factors):
                return cross(*(self.expression(each, scope) for each in factors))
            case t.Tuple(_, elements):
                return tuple([self.expression(each, scope) for each in elements])
            case t.Display(_, kind, elements):
                values = [plain(self.expression(each, scope)) for each in elements]
                if kind == "set":
                    return frozenset(values)
                return sequence(values) if kind == "sequence" else toolkit.counted(values)
            case t.Comprehension(_, text, value):
                return frozenset(plain(each) for each in self._values(text, value, scope))
            case t.Lambda(_, text, body):
                return self._lambda(text, body, scope)
            case t.Mu(_, text, value):
                found = {plain(each) for each in self._values(text, value, scope)}
                if len(found) != 1:
                    raise Undefined(f"{len(found)} values")
                return found.pop()
            case t.Let(_, definitions, body):
                return self.expression(body, self._let(definitions, scope))
            case t.Conditional(_, test, then, otherwise):
                return self.expression(then if self.predicate(test, scope) else otherwise, scope)
            case t.Application(_, function, argument):
                return image_of(self.expression(function, scope), self.expression(argument, scope))
            case t.Infix(_, operator, left, right):
                pair = (self.expression(left, scope), self.expression(right, scope))
                return image_of(self.named(operator, tree, scope), pair)
            case t.Postfix(_, operator, operand):
                return image_of(self.named(operator, tree, scope), self.expression(operand, scope))
            case t.InfixGeneric(_, operator, left, right):
                if self._is_defined(operator.text, scope):
                    return self.named(operator, tree, scope, (left, right))
                return toolkit.SPACES[operator.text](
                    self.expression(left, scope), self.expression(right, scope)
                )
            case t.PrefixGeneric(_, operator, operand):
                if self._is_defined(operator.text, scope):
                    return self.named(operator, tree, scope, (operand,))
                return self._prefix_space(operator.text, self.expression(operand, scope))
            case t.Theta():
                return self._theta(tree, scope.names, scope)
            case t.Binding(_, entries):
                return binding(
                    {each.name.text: plain(self.expression(each.value, scope)) for each in entries}
                )
            case t.Selection(_, record, field):
                found = dict(self.expression(record, scope))
                return (
                    found[field.text] if isinstance(field, t.Identifier) else self._theta(field, found, scope)
                )
            case t.SchemaSet(_, reference):
                schema = self.schema(reference, scope)
                self._known(schema)
                return schema.true
        raise AssertionError(tree)

    def _theta(self, tree: t.Theta, names: Mapping[str, Any], scope: Scope) -> Binding:
        new = renaming(tree.decoration, tree.renames)
        own = self.schema_types(tree.schema)

        def value(name: str) -> Value:
            return plain(self.named(t.Identifier(tree.at, name), tree, replace(scope, names=names)))

        return binding({name: value(new(name)) for name in own})

    def _let(self, definitions: Iterable[t.LetDefinition], scope: Scope) -> Scope:
        return scope.within(
            {
                each.name.text: Lazy(lambda each=each: self.expression(each.value, scope))
                for each in definitions
            }
        )

    def _values(self, text: t.SchemaText, value: t.Expression | None, scope: Scope) -> Iterator[Value]:
        """For all bindings of a schema text."""
        schema = self.text(text, scope)
        self._known(schema)
        for each in schema.true:
            inner = scope.within(dict(each))
            yield self._bound(lambda: self._characteristic(text, inner) if value is None else self.expression(value, inner))  # noqa: B023  # fmt: skip

    def _bound(self, compute: Thunk) -> Value:
        """Of a valuation of bound names."""
        try:
            return compute()
        except Undefined:
            self.is_loose = True
            raise

    def _known(self, schema: Schema) -> None:
        if schema.undefined:
            self.is_loose = True
            raise Undefined("for some binding")

    def _characteristic(self, text: t.SchemaText, inner: Scope) -> Value:
        parts: list[Value] = []
        for each in text.declarations:
            match each:
                case t.Declaration(_, names, _):
                    parts += [inner.names[name.text] for name in names]
                case t.Inclusion(at, reference):
                    theta = t.Theta(at, reference.name, reference.decoration, reference.renames)
                    parts.append(self._theta(theta, inner.names, inner))
        return parts[0] if len(parts) == 1 else tuple(parts)

    def _lambda(self, text: t.SchemaText, body: t.Expression, scope: Scope) -> Value:
        try:
            schema = self.text(text, scope)
        except NotListed:
            return Function(lambda argument: self._lambda_at(text, body, argument, scope))
        self._known(schema)
        graph = set()
        for each in schema.true:
            inner = scope.within(dict(each))
            graph.add((self._characteristic(text, inner), self._bound(lambda: plain(self.expression(body, inner)))))  # noqa: B023  # fmt: skip
        return frozenset(graph)

    def _lambda_at(self, text: t.SchemaText, body: t.Expression, argument: Value, scope: Scope) -> Value:
        """Of a function whose domain is not listed: declarations without schemas are enough."""
        declared = [
            (name.text, each.set)
            for each in text.declarations
            if isinstance(each, t.Declaration)
            for name in each.names
        ]
        values = argument if len(declared) > 1 else (argument,)
        inner = scope.within({name: value for (name, _), value in zip(declared, values, strict=True)})
        inside = [
            member(value, self.expression(set_, scope))
            for (_, set_), value in zip(declared, values, strict=True)
        ]
        if not all(inside) or not self._all(text.predicates, inner):
            raise Undefined("outside of the domain")
        return self.expression(body, inner)

    # Predicates

    def predicate(self, tree: t.Predicate, scope: Scope) -> bool:
        match tree:
            case t.Equality(_, t.Theta() | t.Binding() as left, t.Theta() | t.Binding() as right):
                return self._equal_bindings(left, right, scope)
            case t.Equality(_, left, right):
                one, other = self.expression(left, scope), self.expression(right, scope)
                return same(one, other)
            case t.Membership(_, element, set_):
                value, those = self.expression(element, scope), self.expression(set_, scope)
                return member(value, those)
            case t.InfixRelation(_, t.Identifier(_, "\\partition"), left, right):
                return connected(
                    "and",
                    lambda: self._is_disjoint(left, scope),
                    lambda: member(
                        (self.expression(left, scope), self.expression(right, scope)),
                        Space(lambda pair: toolkit.RELATIONS["\\partition"](*pair)),
                    ),
                )
            case t.InfixRelation(_, relation, left, right):
                sides = self.expression(left, scope), self.expression(right, scope)
                return member(sides, self.named(relation, tree, scope))
            case t.PrefixRelation(_, relation, operand):
                if self._is_defined(relation.text, scope):
                    return member(self.expression(operand, scope), self.named(relation, tree, scope))
                return self._is_disjoint(operand, scope)
            case t.Truth(_, value):
                return value
            case t.Not(_, operand):
                return not self.predicate(operand, scope)
            case t.Connected(_, connective, left, right):
                return connected(
                    connective, lambda: self.predicate(left, scope), lambda: self.predicate(right, scope)
                )
            case t.Quantified(_, quantifier, text, body):
                return self._quantified(quantifier, text, body, scope)
            case t.LetPredicate(_, definitions, body):
                return self.predicate(body, self._let(definitions, scope))
            case t.SchemaPredicate(at, reference):
                schema = self.schema(reference, scope)
                values = {
                    name: plain(self.named(t.Identifier(at, name), reference, scope)) for name in schema.types
                }
                if binding(values) in schema.undefined:
                    raise Undefined("for this binding")
                return binding(values) in schema.true
        raise AssertionError(tree)

    def _is_disjoint(self, family: t.Expression, scope: Scope) -> bool:
        """Where the sets are written one by one, a conjunction over all pairs of them."""
        if not isinstance(family, t.Display) or family.kind != "sequence" or len(family.elements) < 2:
            return toolkit.is_disjoint(self.expression(family, scope))

        def is_apart(one: t.Expression, other: t.Expression) -> bool | None:
            return _kleene(
                lambda: not plain(self.expression(one, scope)) & plain(self.expression(other, scope))
            )

        found = [is_apart(*pair) for pair in combinations(family.elements, 2)]
        return not decided(False in found, None in found)

    def _equal_bindings(self, left: t.Theta | t.Binding, right: t.Theta | t.Binding, scope: Scope) -> bool:
        """Where both are written component by component, a conjunction of equations."""
        ours, theirs = self._components(left, scope), self._components(right, scope)

        def is_equal(name: str) -> bool | None:
            return _kleene(lambda: same(ours[name](), theirs[name]()))

        found = [is_equal(name) for name in ours]
        return not decided(False in found, None in found)

    def _components(self, tree: t.Theta | t.Binding, scope: Scope) -> Mapping[str, Thunk]:
        if isinstance(tree, t.Binding):
            return {
                each.name.text: lambda each=each: plain(self.expression(each.value, scope))
                for each in tree.entries
            }
        new = renaming(tree.decoration, tree.renames)
        return {
            name: lambda name=name: self.named(t.Identifier(tree.at, new(name)), tree, scope)
            for name in self.schema_types(tree.schema)
        }

    def _quantified(
        self, quantifier: t.Quantifier, text: t.SchemaText, body: t.Predicate, scope: Scope
    ) -> bool:
        schema = self.text(text, scope)
        satisfied = self._filtered(schema, (body,), scope)
        if quantifier == "forall":
            failing = schema.true - satisfied.true - satisfied.undefined
            return not decided(bool(failing), bool(satisfied.undefined))
        if quantifier == "exists":
            return decided(bool(satisfied.true), bool(satisfied.undefined))
        self._known(satisfied)
        return len(satisfied.true) == 1

    # Schemas

    def text(self, tree: t.SchemaText, scope: Scope) -> Schema:
        """Declarations are sets of bindings, which are joined; predicates choose among them."""
        found = Schema({}, frozenset((binding({}),)))
        for each in tree.declarations:
            if isinstance(each, t.Inclusion):
                found = joined(found, self.schema(each.schema, scope))
                continue
            set_ = self._bound(lambda: self.expression(each.set, scope))  # noqa: B023
            type_ = self._element_type(each.set, scope)
            for name in each.names:
                if name.text in found.types:
                    here = frozenset(one for one in found.true if member(dict(one)[name.text], set_))
                    found = replace(found, true=here)
                    continue
                declared = frozenset(binding({name.text: plain(value)}) for value in listed(set_))
                found = joined(found, Schema({name.text: type_}, declared))
        return self._filtered(found, tree.predicates, scope)

    def _filtered(self, schema: Schema, predicates: tuple[t.Predicate, ...], scope: Scope) -> Schema:
        true, undefined = set(), set()
        for each in schema.true | schema.undefined:
            inner = scope.within(dict(each))
            try:
                if self._all(predicates, inner):
                    (true if each in schema.true else undefined).add(each)
            except Undefined:
                undefined.add(each)
        self.is_loose |= bool(undefined)
        return Schema(schema.types, frozenset(true), frozenset(undefined))

    def _all(self, predicates: tuple[t.Predicate, ...], scope: Scope) -> bool:
        trouble: Undefined | None = None
        for each in predicates:
            try:
                if not self.predicate(each, scope):
                    return False
            except Undefined as error:
                trouble = error
        if trouble is not None:
            raise trouble
        return True

    def schema(self, tree: t.SchemaExpression, scope: Scope) -> Schema:
        carrier = self.carrier
        match tree:
            case t.SchemaText():
                return self.text(tree, scope)
            case t.SchemaReference(_, name, decoration, parameters, renames):
                types = [self._element_type(each, scope) for each in parameters]
                actuals = [self.expression(each, scope) for each in parameters]
                found = self.schema_named(name, tuple(zip(actuals, types, strict=True)))
                return found.renamed(renaming(decoration, renames)) if decoration or renames else found
            case t.SchemaNot(_, inner):
                return negated(self.schema(inner, scope), carrier)
            case t.SchemaBinary(_, operator, left, right):
                return self._combined(operator, self.schema(left, scope), self.schema(right, scope))
            case t.SchemaHide(_, inner, names):
                return hidden(self.schema(inner, scope), [each.text for each in names])
            case t.SchemaQuantified(_, quantifier, text, inner):
                bound, body = self.text(text, scope), self.schema(inner, scope)
                if quantifier == "exists":
                    return hidden(joined(bound, body), bound.types)
                if quantifier == "exists_1":
                    return only_once(joined(bound, body), bound.types)
                failing = hidden(joined(bound, negated(body, carrier)), bound.types)
                return negated(failing, carrier)
            case t.Precondition(_, inner):
                found = self.schema(inner, scope)
                return hidden(found, [name for name in found.types if name.endswith(("'", "!"))])
        raise AssertionError(tree)

    def _combined(self, operator: str, left: Schema, right: Schema) -> Schema:
        carrier = self.carrier
        match operator:
            case "and":
                return joined(left, right)
            case "or":
                return either(left, right, carrier)
            case "implies":
                return either(negated(left, carrier), right, carrier)
            case "iff":
                neither = joined(
                    negated(extended(left, right.types, carrier), carrier),
                    negated(extended(right, left.types, carrier), carrier),
                )
                return either(joined(left, right), neither, carrier)
            case "project":
                return hidden(joined(left, right), [each for each in left.types if each not in right.types])
            case "compose":
                return sequenced(left, right, "'", "")
            case _:
                return sequenced(left, right, "!", "?")

    def schema_types(self, name: str) -> Mapping[str, Type]:
        """Components of a schema without parameters."""
        return {each.name: each.type for each in self.checked.globals[name].components}

    def schema_named(self, name: str, actuals: tuple[tuple[Value, Type], ...] = ()) -> Schema:
        key = (name, tuple(plain(set_) for set_, _ in actuals), tuple(self.constants.items()))
        if key not in self._schemas:
            self._schemas[key] = self._defined_schema(name, actuals)
        return self._schemas[key]

    def _defined_schema(self, name: str, actuals: tuple[tuple[Value, Type], ...]) -> Schema:
        found = self.checked.globals.get(name)
        if found is not None and isinstance(found.paragraph, t.SchemaDefinition):
            formals = found.paragraph.formals
            scope = Scope({}, {each.text: own for each, own in zip(formals, actuals, strict=True)})
            return self.schema(found.paragraph.body, scope)
        letter, base = name.split(" ", 1)
        state = self.schema_named(base, actuals)
        both = joined(state, state.renamed(lambda each: each + "'"))
        if letter == "\\Delta":
            return both
        unchanged = set()
        for each in both.true:
            values = dict(each)
            if all(values[name] == values[name + "'"] for name in state.types):
                unchanged.add(each)
        return replace(both, true=frozenset(unchanged))

    # Constants

    def valuations(self) -> Iterator[dict[str, Value]]:
        """Of all constants; each is set while it is looked at."""
        boxes = [
            each for each in self.checked.order if isinstance(each, t.AxiomaticDefinition | t.Constraint)
        ]
        for found in self._valuations(boxes):
            self.constants = dict(found)
            yield self.constants

    def _valuations(self, boxes: list[Any]) -> Iterator[dict[str, Value]]:
        if not boxes:
            yield dict(self.constants)
            return
        before = dict(self.constants)
        first, *rest = boxes
        if isinstance(first, t.Constraint):
            if self.predicate(first.predicate, NOWHERE):
                yield from self._valuations(rest)
            return
        for each in self.text(first.text, NOWHERE).true:
            self.constants = {**before, **dict(each)}
            yield from self._valuations(rest)
        self.constants = before


def renaming(decoration: str, renames: tuple[t.Rename, ...]) -> Callable[[str], str]:
    new = {each.old.text: each.new.text for each in renames}
    return lambda name: new.get(name + decoration, name + decoration)


def decided(true: bool, undefined: bool) -> bool:
    """Of a disjunction of which some part is true, or undefined."""
    if not true and undefined:
        raise Undefined("nothing decides")
    return true


def _kleene(compute: Callable[[], bool]) -> bool | None:
    try:
        return compute()
    except Undefined:
        return None


def connected(connective: t.Connective, left: Callable[[], bool], right: Callable[[], bool]) -> bool:
    one, other = _kleene(left), _kleene(right)
    match connective:
        case "and":
            return not decided(one is False or other is False, one is None or other is None)
        case "or":
            return decided(one is True or other is True, one is None or other is None)
        case "implies":
            return decided(one is False or other is True, one is None or other is None)
        case _:
            if one is None or other is None:
                raise Undefined("one side")
            return one == other
