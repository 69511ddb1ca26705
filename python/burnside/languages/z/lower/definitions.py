"""Global names: given sets and free types as sorts and types, constants, abbreviations, generic definitions.

A constant is part of the state, and what its definition says are properties. Two kinds have no values that a state could
hold: functions on infinite sets that are defined by an equation, and generic constants. The former stand for what the
equation says; the latter have a value for each use with other parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import cast

from burnside.diagnostics import Span
from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import INTEGER, Constructor, Element, FreeType, Recursion, Set, Sort, ValueType
from burnside.languages.z import syntax as t
from burnside.languages.z.lower.equations import Equations
from burnside.languages.z.lower.meanings import NOWHERE, Conjuncts, Formal, Scope
from burnside.languages.z.lower.recursion import RecursiveFunctions
from burnside.languages.z.lower.schemas import SchemaLowering
from burnside.languages.z.lower.sizes import sizes_of
from burnside.languages.z.lower.toolkit import holds
from burnside.languages.z.lower.types import NUMBERS, plain, substituted
from burnside.languages.z.lower.walking import mentioned
from burnside.languages.z.typing import CheckedSpecification
from burnside.languages.z.typing.types import GivenType, PowerType, ProductType, Type, expanded
from burnside.records import record


@record(eq=False)
class Instance:
    """A generic definition for certain parameters. `names`: of its constants, by what they are called in the text."""

    scope: Scope
    names: Mapping[str, e.Name]


class DefinitionLowering(SchemaLowering):
    """`constructors`: by name, the free type or sort and the position in it. `equations`: constants that stand for what they
    are equal to."""

    def __init__(self, checked: CheckedSpecification, asked: Mapping[str, int], source: str) -> None:
        super().__init__(checked)
        self.source = source
        self.state_names: dict[str, e.Name] = {}
        self._instances: dict[tuple[int, tuple[e.Expression, ...]], Instance] = {}
        self._definitions: dict[int, t.GenericDefinition] = {}
        self._open: list[str] = []
        paragraphs = checked.order
        given = [name for each in paragraphs if isinstance(each, t.GivenSets) for name in each.names]
        free = [each for each in paragraphs if isinstance(each, t.FreeType)]
        axioms = [each for each in paragraphs if isinstance(each, t.AxiomaticDefinition)]
        self.sizes = sizes_of(
            asked,
            [each.text for each in given if all(each.text != one.name.text for one in free)],
            [each.name.text for each in free if self._is_recursive(each)],
            [name for each in axioms for name in self._functions(each)],
            [name for each in axioms for name in self._numeric(each)],
            source,
        )
        self.constructors: dict[str, tuple[str, int]] = {}
        self._taken = {plain(name) for name in checked.globals}
        for name in given:
            self._given_set(name)
        for each in free:
            self._free_type(each)
        constraints = [each for each in paragraphs if isinstance(each, t.Constraint)]
        self.equations = Equations(self, axioms, constraints)
        self.recursion = RecursiveFunctions(self, axioms, constraints)

    # Given sets and free types

    def _given_set(self, name: t.Identifier) -> None:
        if name.text not in self.sizes.sets:
            return
        size = self.sizes.sets[name.text]
        between = next(
            stroke
            for stroke in ("_" * length for length in count())
            if not any(f"{plain(name.text)}{stroke}{at}" in self._taken for at in range(1, size + 1))
        )
        elements = tuple(f"{plain(name.text)}{between}{at}" for at in range(1, size + 1))
        self.sorts[name.text] = Sort(plain(name.text), elements, "full", "given set", name.at.span)

    def _is_recursive(self, free: t.FreeType) -> bool:
        return any(
            each.domain is not None and free.name.text in mentioned(each.domain) for each in free.branches
        )

    def _free_type(self, free: t.FreeType) -> None:
        name = free.name.text
        for position, branch in enumerate(free.branches):
            self.constructors[branch.name.text] = (name, position)
        if all(each.domain is None for each in free.branches):
            constants = tuple(plain(each.name.text) for each in free.branches)
            self.sorts[name] = Sort(plain(name), constants, "fixed", "free type", free.at.span)
            return
        # While its own arguments are lowered, the type is known by its name.
        self.free_types[name] = Recursion(plain(name))
        constructors = []
        for branch in free.branches:
            if branch.domain is None:
                constructors.append(Constructor(plain(branch.name.text)))
                continue
            domain = self.expression(branch.domain, NOWHERE)
            argument = self.element_type_at(branch.domain, NOWHERE)
            within = None if isinstance(domain, e.Apply) and domain.operator == "all" else domain
            constructors.append(Constructor(plain(branch.name.text), self.value_type(argument, {}), within))
        depth = self.sizes.depths.get(name, 1)
        self.free_types[name] = FreeType(plain(name), tuple(constructors), depth)

    def constructed(self, tree: t.Reference, argument: e.Expression, type_: ValueType) -> e.Expression | None:
        if tree.name.text in self.recursion.functions:
            return self.recursion.applied(tree.name.text, argument)
        if tree.name.text not in self.constructors or not isinstance(type_, FreeType | Recursion):
            return None
        assert isinstance(type_, FreeType)
        return e.Construct(plain(tree.name.text), argument, type_, tree.at.span)

    # Names

    def global_name(
        self, name: t.Identifier, parameters: tuple[t.Expression, ...], use: object, scope: Scope
    ) -> e.Expression:
        text, span = name.text, name.at.span
        found = self.checked.globals[text]
        if text in self.constructors:
            return self._constructor(name)
        match found.paragraph:
            case t.GivenSets() | t.FreeType():
                return e.Apply("all", (), self.value_type(found.type, {}), span)
            case t.Abbreviation(_, _, formals, value):
                actuals = self._actuals(parameters, use, scope)
                formal_sets = dict(zip((each.text for each in formals), actuals, strict=True))
                return self._opened(name, value, Scope({}, formal_sets))
            case t.GenericDefinition() as definition:
                return self._of_instance(name, definition, self._actuals(parameters, use, scope))
            case _:
                standing = self.equations.meaning(text)
                if standing is not None:
                    return self._opened(name, standing, NOWHERE)
                if text in self.recursion.functions:
                    return self.recursion.value(name)
                constant = self.constant(text, self.value_type(found.type, {}))
                return e.Name(constant.name, constant.type, True, span)

    def constant(self, text: str, type_: ValueType) -> e.Name:
        if text not in self.state_names:
            found = self.checked.globals.get(text)
            at = found.at if found is not None else None
            self.state_names[text] = self.state_name(text, type_, None if at is None else at.span)
        return self.state_names[text]

    def state_name(self, text: str, type_: ValueType, span: Span | None = None) -> e.Name:
        name = plain(text)
        if any(each.name == name for each in self.state_names.values()):
            name = self.fresh(text)
        return e.Name(name, type_, True, span)

    def _opened(self, name: t.Identifier, value: t.Expression, scope: Scope) -> e.Expression:
        """What an abbreviation stands for."""
        text = name.text
        if text in self._open:
            cycle = " -> ".join(map(plain, (*self._open[self._open.index(text) :], text)))
            raise self.unsupported(
                f"'{plain(text)}' is defined by itself ({cycle}) on an infinite set", name.at
            )
        self._open.append(text)
        try:
            return self.expression(value, scope)
        finally:
            self._open.pop()

    def _actuals(self, parameters: tuple[t.Expression, ...], use: object, scope: Scope) -> tuple[Formal, ...]:
        """What formal parameters stand for: the sets that are written, or else whole types."""
        if parameters:
            return tuple(
                Formal(self.expression(each, scope), self.element_type_at(each, scope)) for each in parameters
            )
        types = (substituted(each, scope.formals) for each in self.checked.instance(use))
        return tuple(self.carrier(each) for each in types)

    def _constructor(self, name: t.Identifier) -> e.Expression:
        owner, position = self.constructors[name.text]
        span = name.at.span
        if owner in self.sorts:
            return e.Literal(position, Element(self.sorts[owner]), span)
        free = self.free_types[owner]
        if isinstance(free, Recursion):
            raise self.unsupported("a constructor in the definition of its own type", name.at)
        assert isinstance(free, FreeType)
        argument = free.arguments()[position]
        if argument is None:
            return e.Construct(plain(name.text), None, free, span)
        given = e.Name(self.fresh("x"), argument)
        within = free.constructors[position].within
        set_ = e.Apply("all", (), Set(argument)) if within is None else cast(e.Expression, within)
        made = e.Construct(plain(name.text), given, free, span)
        return e.Comprehension((given,), holds("member", given, set_), e.pair(given, made), span)

    # Constants

    def _numeric(self, axiom: t.AxiomaticDefinition) -> Iterator[str]:
        for each in axiom.text.declarations:
            if isinstance(each, t.Declaration) and self._is_number(self.element_type_at(each.set, NOWHERE)):
                yield from (name.text for name in each.names)

    def _functions(self, axiom: t.AxiomaticDefinition) -> Iterator[str]:
        for each in axiom.text.declarations:
            if isinstance(each, t.Declaration) and is_relation(self.element_type_at(each.set, NOWHERE)):
                yield from (name.text for name in each.names)

    def _is_number(self, type_: Type) -> bool:
        return expanded(type_) == GivenType(NUMBERS)

    def constants(self) -> tuple[tuple[e.Name, ...], Conjuncts]:
        """All that the specification declares, and what it says of them; those that stand for something else are none."""
        properties: list[e.Expression] = []
        for paragraph in self.checked.order:
            match paragraph:
                case t.AxiomaticDefinition(_, text):
                    properties += self._axioms(text)
                case t.Constraint(_, predicate):
                    if not self._is_definition(predicate):
                        properties += self._property(predicate)
        for name, value in self.sizes.constants.items():
            found = self.constant(name, INTEGER)
            properties.append(holds("equal", found, e.Literal(value, INTEGER)))
        # Properties of instances may use further instances.
        done: set[int] = set()
        while len(done) < len(self._instances):
            for (definition, _), instance in list(self._instances.items()):
                if id(instance) not in done:
                    done.add(id(instance))
                    properties += self._properties_of(definition, instance)
        names = (
            *self.state_names.values(),
            *(each for one in self._instances.values() for each in one.names.values()),
        )
        has_axioms = any(isinstance(each, t.AxiomaticDefinition) for each in self.checked.order)
        if has_axioms and not names and not properties:
            # As in ProB, constants that stand for something are set up too.
            properties.append(e.TRUE)
        return names, tuple(properties)

    def _axioms(self, text: t.SchemaText) -> Iterator[e.Expression]:
        for each in text.declarations:
            match each:
                case t.Declaration(_, names, set_):
                    type_ = self.value_type(self.element_type_at(set_, NOWHERE), {})
                    for name in names:
                        if not self._is_defined(name.text):
                            yield from self.constraint(
                                self.constant(name.text, type_), self.expression(set_, NOWHERE)
                            )
                case t.Inclusion(_, reference):
                    meaning = self.used(reference, NOWHERE)
                    values = {
                        name: self.constant(name, self.value_type(own, {}))
                        for name, own in meaning.components.items()
                    }
                    yield from meaning.conjuncts(values)
        for predicate in text.predicates:
            if not self._is_definition(predicate):
                yield from self._property(predicate)

    def _is_defined(self, name: str) -> bool:
        """Does it stand for something else, so that no state holds it?"""
        return self.equations.meaning(name) is not None or name in self.recursion.functions

    def _is_definition(self, predicate: t.Predicate) -> bool:
        return self.equations.is_used(predicate) or self.recursion.is_used(predicate)

    def _property(self, predicate: t.Predicate) -> Conjuncts:
        """Without an equation that a size replaces."""
        match predicate:
            case t.Equality(_, t.Reference(_, name), t.Number()) if name.text in self.sizes.constants:
                return ()
        return self.predicate(self.equations.rewritten(predicate), NOWHERE)

    # Generic constants

    def _of_instance(
        self, name: t.Identifier, definition: t.GenericDefinition, actuals: tuple[Formal, ...]
    ) -> e.Expression:
        formals = dict(zip((each.text for each in definition.formals), actuals, strict=True))
        scope = Scope({}, formals)
        standing = self.equations.generic(definition, name.text)
        if standing is not None:
            return self._opened(name, standing, scope)
        key = (id(definition), tuple(each.set for each in actuals))
        if key not in self._instances:
            names = {
                own.text: e.Name(
                    self.fresh(own.text),
                    self.value_type(self.element_type_at(each.set, scope), formals),
                    True,
                    own.at.span,
                )
                for each in definition.text.declarations
                if isinstance(each, t.Declaration)
                for own in each.names
            }
            self._instances[key] = Instance(scope, names)
            self._definitions[id(definition)] = definition
        found = self._instances[key].names[name.text]
        return e.Name(found.name, found.type, True, name.at.span)

    def _properties_of(self, definition: int, instance: Instance) -> Conjuncts:
        meaning = self.text(self._definitions[definition].text, instance.scope)
        return meaning.conjuncts(instance.names)


def is_relation(type_: Type) -> bool:
    match expanded(type_):
        case PowerType(ProductType((_, _))):
            return True
        case _:
            return False
