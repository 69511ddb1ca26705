"""The schema calculus (Spivey 1992, section 3.8), and predicates.

A schema's components and its predicate as a function of what they stand for (`SchemaMeaning`). Constraints of declarations
are part of the predicate, so what is negated or hidden is what the declaration says as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from burnside.ir.sets import expressions as e
from burnside.ir.sets.checking_operators import applied
from burnside.ir.sets.copies import names_of
from burnside.ir.sets.types import BOOLEAN, INTEGER, Struct
from burnside.languages.shared.spans import Extent
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.expressions import ExpressionLowering
from burnside.languages.z.lower.meanings import Bindings, Conjuncts, Formal, SchemaMeaning, Scope
from burnside.languages.z.lower.operands import another
from burnside.languages.z.lower.toolkit import PREDICATES, RELATIONS, holds, joined, number
from burnside.languages.z.lower.types import plain
from burnside.languages.z.typing import CheckedSpecification
from burnside.languages.z.typing.types import Type

PRIME, OUTPUT, INPUT = "'", "!", "?"
DELTA, XI = "\\Delta ", "\\Xi "
MAX_USES = 4096
"""Of schemas, in the predicate of one. Each of twenty schemas may use the one before twice."""


class SchemaLowering(ExpressionLowering):
    """`_meanings`: of schemas without parameters. `_used_by`: the schema whose predicate is made, and how many uses of
    others it has so far."""

    def __init__(self, checked: CheckedSpecification) -> None:
        super().__init__(checked)
        self._meanings: dict[str, SchemaMeaning] = {}
        self._used_by: tuple[str, int] | None = None

    # Schemas

    def schema(self, tree: t.SchemaExpression, scope: Scope) -> SchemaMeaning:
        match tree:
            case t.SchemaText():
                return self.text(tree, scope)
            case t.SchemaReference():
                return self.used(tree, scope)
            case t.SchemaNot(_, inner):
                operand = self.schema(inner, scope)
                return SchemaMeaning(operand.components, lambda values: (_not(operand.conjuncts(values)),))
            case t.SchemaBinary(_, "compose", left, right):
                return self._composed(self.schema(left, scope), self.schema(right, scope), PRIME, "", scope)
            case t.SchemaBinary(_, "pipe", left, right):
                sides = self.schema(left, scope), self.schema(right, scope)
                return self._composed(*sides, OUTPUT, INPUT, scope)
            case t.SchemaBinary(_, "project", left, right):
                both = _both(self.schema(left, scope), kept := self.schema(right, scope))
                return self.hidden(
                    both, [name for name in both.components if name not in kept.components], scope
                )
            case t.SchemaBinary(_, ("and" | "or" | "implies" | "iff") as operator, left, right):
                return _connected(operator, self.schema(left, scope), self.schema(right, scope))
            case t.SchemaHide(_, inner, names):
                return self.hidden(self.schema(inner, scope), [each.text for each in names], scope)
            case t.SchemaQuantified(_, quantifier, text, inner):
                return self._quantified_schema(
                    quantifier, self.text(text, scope), self.schema(inner, scope), scope
                )
            case t.Precondition(_, inner):
                return self.precondition(self.schema(inner, scope), scope)
            case _:
                raise AssertionError(f"{type(tree).__name__} is no schema expression")

    def text(self, tree: t.SchemaText, scope: Scope) -> SchemaMeaning:
        """Sets of declarations are those of names around the text; its predicates see what it declares."""
        included = {
            at: self.used(each.schema, scope)
            for at, each in enumerate(tree.declarations)
            if isinstance(each, t.Inclusion)
        }
        components: dict[str, Type] = {}
        for at, each in enumerate(tree.declarations):
            if isinstance(each, t.Declaration):
                type_ = self.element_type_at(each.set, scope)
                components.update((name.text, type_) for name in each.names if name.text not in components)
            else:
                found = included[at].components
                components.update((name, found[name]) for name in found if name not in components)

        def conjuncts(values: Bindings) -> Conjuncts:
            found: list[e.Expression] = []
            for at, each in enumerate(tree.declarations):
                if isinstance(each, t.Declaration):
                    for name in each.names:
                        found += self.constraint(values[name.text], self.expression(each.set, scope))
                else:
                    own = included[at]
                    found += own.conjuncts({name: values[name] for name in own.components})
            inner = scope.within({name: values[name] for name in components})
            for predicate in tree.predicates:
                found += self.predicate(predicate, inner)
            return tuple(found)

        return SchemaMeaning(components, conjuncts)

    def element_type_at(self, set_: t.Expression, scope: Scope) -> Type:
        from burnside.languages.z.typing.types import PowerType, expanded

        found = expanded(self.z_type_at(set_, scope))
        assert isinstance(found, PowerType)
        return found.base

    def used(self, tree: t.SchemaReference, scope: Scope) -> SchemaMeaning:
        """As it is referred to: with its parameters, decorated, and renamed then."""
        meaning = self.named(tree.name, tuple(self._actual(each, scope) for each in tree.parameters))
        return meaning.renamed(renaming(tree.decoration, tree.renames))

    def _actual(self, parameter: t.Expression, scope: Scope) -> Formal:
        return Formal(self.expression(parameter, scope), self.element_type_at(parameter, scope))

    def named(self, name: str, parameters: Sequence[Formal] = ()) -> SchemaMeaning:
        """A schema of the specification; \\Delta S and \\Xi S where it does not define them itself."""
        if parameters:
            return self._counted(name, self._meaning(name, parameters))
        if name not in self._meanings:
            self._meanings[name] = self._counted(name, self._meaning(name, ()))
        return self._meanings[name]

    def _counted(self, name: str, meaning: SchemaMeaning) -> SchemaMeaning:
        """Refuse a predicate that uses schemas without end in sight."""

        def conjuncts(values: Bindings) -> Conjuncts:
            outermost = self._used_by is None
            user, uses = self._used_by or (name, 0)
            if uses > MAX_USES:
                definition = self.checked.globals[user.removeprefix(DELTA).removeprefix(XI)].paragraph
                assert definition is not None
                message = f"the predicate of '{plain(user)}' uses schemas more than {MAX_USES:,} times"
                raise self.unsupported(message, definition.at)
            self._used_by = user, uses + 1
            try:
                return meaning.conjuncts(values)
            finally:
                if outermost:
                    self._used_by = None

        return SchemaMeaning(meaning.components, conjuncts)

    def _meaning(self, name: str, parameters: Sequence[Formal]) -> SchemaMeaning:
        found = self.checked.globals.get(name)
        if found is not None and isinstance(found.paragraph, t.SchemaDefinition):
            definition = found.paragraph
            formals = {each.text: own for each, own in zip(definition.formals, parameters, strict=True)}
            return self.schema(definition.body, Scope({}, formals))
        prefix = DELTA if name.startswith(DELTA) else XI
        base = self.named(name.removeprefix(prefix), parameters)
        both = _both(base, base.renamed(lambda each: each + PRIME))
        if prefix == DELTA:
            return both
        return SchemaMeaning(
            both.components,
            lambda values: (
                *both.conjuncts(values),
                *(holds("equal", values[each + PRIME], values[each]) for each in base.components),
            ),
        )

    def theta_names(self, tree: t.Theta) -> tuple[Sequence[str], Callable[[str], str]]:
        found = self.checked.globals.get(tree.schema)
        own = (
            self.named(tree.schema).components if found is None else [each.name for each in found.components]
        )
        return tuple(own), renaming(tree.decoration, tree.renames)

    def hidden(self, meaning: SchemaMeaning, names: Iterable[str], scope: Scope) -> SchemaMeaning:
        gone = {name: meaning.components[name] for name in names}
        left = {name: type_ for name, type_ in meaning.components.items() if name not in gone}

        def conjuncts(values: Bindings) -> Conjuncts:
            bound = self.names_of(SchemaMeaning(gone, meaning.conjuncts), scope)
            return exists(tuple(bound.values()), meaning.conjuncts({**values, **bound}))

        return SchemaMeaning(left, conjuncts) if gone else meaning

    def precondition(self, meaning: SchemaMeaning, scope: Scope) -> SchemaMeaning:
        return self.hidden(
            meaning, [each for each in meaning.components if each.endswith((PRIME, OUTPUT))], scope
        )

    def _composed(
        self, first: SchemaMeaning, then: SchemaMeaning, out: str, into: str, scope: Scope
    ) -> SchemaMeaning:
        """What the first leaves in x' (puts out as x!) the second finds in x (takes as x?); nobody sees it."""
        joints = {}
        for name in first.components:
            base = name.removesuffix(out)
            if (
                name.endswith(out)
                and not base.endswith((PRIME, OUTPUT, INPUT))
                and base + into in then.components
            ):
                joints[name] = base + into
        if not joints:
            return _both(first, then)
        middle = {name: self.fresh("between " + name) for name in joints}
        back = {joints[name]: middle[name] for name in joints}
        both = _both(
            first.renamed(lambda name: middle.get(name, name)),
            then.renamed(lambda name: back.get(name, name)),
        )
        return self.hidden(both, middle.values(), scope)

    def _quantified_schema(
        self, quantifier: t.Quantifier, text: SchemaMeaning, schema: SchemaMeaning, scope: Scope
    ) -> SchemaMeaning:
        left = {name: type_ for name, type_ in schema.components.items() if name not in text.components}

        def conjuncts(values: Bindings) -> Conjuncts:
            bound = self.names_of(text, scope)
            inner = {**values, **bound}
            body = schema.conjuncts({name: inner[name] for name in schema.components})
            return self.quantified(quantifier, tuple(bound.values()), text.conjuncts(bound), body)

        return SchemaMeaning(left, conjuncts)

    # Predicates

    def predicate(self, tree: t.Predicate, scope: Scope) -> Conjuncts:
        span = tree.at.span
        match tree:
            case t.Equality(at, left, right):
                return self._equal(self.expression(left, scope), self.expression(right, scope), at)
            case t.Membership(at, element, set_):
                sides = self.expression(element, scope), self.expression(set_, scope)
                return self._typed((holds("member", *sides, span=span),), at)
            case t.InfixRelation(at, relation, left, right):
                sides = self.expression(left, scope), self.expression(right, scope)
                if relation.text in RELATIONS and not self._is_named(relation.text, scope):
                    return self._typed(e.conjuncts(RELATIONS[relation.text](self, sides, BOOLEAN, span)), at)
                related = self.named_value(relation, tree, scope)
                return (holds("member", e.pair(*sides), related, span=span),)
            case t.PrefixRelation(at, relation, operand):
                argument = self.expression(operand, scope)
                if relation.text in PREDICATES and not self._is_named(relation.text, scope):
                    return (PREDICATES[relation.text](self, (argument,), BOOLEAN, span),)
                those = self.named_value(relation, tree, scope)
                return (holds("member", argument, those, span=span),)
            case t.Truth(_, value):
                return () if value else (e.FALSE,)
            case t.Not(_, operand):
                return (_not(self.predicate(operand, scope)),)
            case t.Connected(_, connective, left, right):
                return _joined_by(connective, self.predicate(left, scope), self.predicate(right, scope))
            case t.Quantified(_, quantifier, text, body):
                names, inner, conjuncts = self.bound(text, scope)
                return self.quantified(quantifier, names, conjuncts, self.predicate(body, inner))
            case t.LetPredicate(_, definitions, body):
                inner, lets = self.definitions(definitions, scope)
                found = joined(self.predicate(body, inner))
                for name, meaning_of_name in reversed(lets):
                    found = e.Let(name, meaning_of_name, found)
                return (found,)
            case t.SchemaPredicate(at, schema):
                meaning = self.schema(schema, scope)
                values = {
                    name: self.named_value(t.Identifier(at, name), schema, scope)
                    for name in meaning.components
                }
                return meaning.conjuncts(values)

    def _is_named(self, text: str, scope: Scope) -> bool:
        return text in scope.names or self.is_defined(text)

    def _typed(self, conjuncts: Conjuncts, at: Extent) -> Conjuncts:
        """In `S = \\emptyset = T` the middle has one tree, and may have two types."""
        for each in conjuncts:
            relation = each.arguments[0] if isinstance(each, e.Apply) and each.operator == "not" else each
            if isinstance(relation, e.Apply) and any(
                applied(relation.operator, relation.arguments, relation.type)
            ):
                hint = "write two predicates, one for each relation"
                raise self.unsupported("a term between two relations has another type in each", at, hint)
        return conjuncts

    def _equal(self, left: e.Expression, right: e.Expression, at: Extent) -> Conjuncts:
        """Bindings are equal component by component, which says more to those who solve it."""
        match left, right:
            case e.Apply("record", ours), e.Apply("record", theirs):
                return tuple(holds("equal", *sides, span=at.span) for sides in zip(ours, theirs, strict=True))
            case (e.Apply("record", parts, Struct(fields)), whole) | (
                whole,
                e.Apply("record", parts, Struct(fields)),
            ):
                return tuple(
                    holds("equal", part, e.Select(another(self, whole), each.name, at.span), span=at.span)
                    for part, each in zip(parts, fields, strict=True)
                )
            case _:
                return self._typed((holds("equal", left, right, span=at.span),), at)

    def quantified(
        self, quantifier: t.Quantifier, names: tuple[e.Name, ...], conjuncts: Conjuncts, body: Conjuncts
    ) -> Conjuncts:
        match quantifier:
            case "forall":
                conjuncts, body = _with_antecedent(conjuncts, body)
                return (e.Forall(names, joined(conjuncts), joined(body)),)
            case "exists":
                return exists(names, (*conjuncts, *body))
            case "exists_1":
                return self._exactly_once(names, (*conjuncts, *body))

    def _exactly_once(self, names: tuple[e.Name, ...], conjuncts: Conjuncts) -> Conjuncts:
        """What does not depend on the names is said by itself: it may bound others."""
        own = {each.name for each in names}
        apart = tuple(each for each in conjuncts if own.isdisjoint(names_of(each)))
        condition = joined(tuple(each for each in conjuncts if each not in apart))
        point: e.Expression = names[-1]
        for each in reversed(names[:-1]):
            point = e.pair(each, point)
        those = e.Comprehension(names, condition, point)
        return (*apart, holds("equal", e.Apply("card", (those,), INTEGER), number(1)))


def renaming(decoration: str, renames: tuple[t.Rename, ...]) -> Callable[[str], str]:
    """From a component of a schema to the name it has where the schema is used."""
    new = {each.old.text: each.new.text for each in renames}
    return lambda name: new.get(name + decoration, name + decoration)


def _with_antecedent(conjuncts: Conjuncts, body: Conjuncts) -> tuple[Conjuncts, Conjuncts]:
    """`\\forall x : X @ P \\implies Q` is `\\forall x : X | P @ Q`, where P bounds x."""
    match body:
        case (e.Apply("implies", (antecedent, consequent)),):
            return _with_antecedent((*conjuncts, *e.conjuncts(antecedent)), e.conjuncts(consequent))
        case _:
            return conjuncts, body


def exists(names: tuple[e.Name, ...], conjuncts: Conjuncts) -> Conjuncts:
    return (e.Exists(names, joined(conjuncts)),)


def _not(conjuncts: Conjuncts) -> e.Expression:
    match joined(conjuncts):
        case e.Apply("not", (inner,)):
            return inner
        case found:
            return holds("not", found)


def _joined_by(connective: t.Connective, left: Conjuncts, right: Conjuncts) -> Conjuncts:
    if connective == "and":
        return (*left, *right)
    return (holds(connective, joined(left), joined(right)),)


def _both(left: SchemaMeaning, right: SchemaMeaning) -> SchemaMeaning:
    return _connected("and", left, right)


def _connected(connective: t.Connective, left: SchemaMeaning, right: SchemaMeaning) -> SchemaMeaning:
    components: Mapping[str, Type] = {**left.components, **right.components}

    def of(side: SchemaMeaning, values: Bindings) -> Conjuncts:
        return side.conjuncts({name: values[name] for name in side.components})

    return SchemaMeaning(
        components, lambda values: _joined_by(connective, of(left, values), of(right, values))
    )
