"""Conditions on the states of a specification that was lowered, as options and formulas give them.

In: a text. Out: an expression over constants and variables of the machine. Names are those of the specification, of elements
of given sets, and of quantifiers of formulas around the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import InputError, Source
from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import Boolean, Element, FreeType, Integer, Pair, Set, Struct, ValueType
from burnside.languages.shared.spans import Extent
from burnside.languages.z.lower.machine import MachineLowering
from burnside.languages.z.lower.meanings import Scope
from burnside.languages.z.lower.toolkit import joined
from burnside.languages.z.lower.types import NUMBERS, plain
from burnside.languages.z.parse import Vocabulary, parse_expression, parse_predicate
from burnside.languages.z.typing import check_condition
from burnside.languages.z.typing.types import (
    Component,
    GivenType,
    PowerType,
    ProductType,
    SchemaType,
    Type,
)
from burnside.records import replace
from burnside.temporal.atoms import Binder


class ConditionLowering:
    def __init__(self, lowering: MachineLowering, vocabulary: Vocabulary) -> None:
        self.lowering = lowering
        self._sets = {plain(name): name for name in (*lowering.sorts, *lowering.free_types)}
        state = lowering.named(lowering.roles.state).components
        self._names: dict[str, e.Expression] = dict(lowering.variables)
        self._types: dict[str, Type] = {text: state[text] for text in lowering.variables}
        for name, sort in lowering.sorts.items():
            for position, element in enumerate(sort.elements if sort.origin == "given set" else ()):
                self._names[element] = e.Literal(position, Element(sort))
                self._types[element] = GivenType(name)
        self._vocabulary = replace(vocabulary, names=vocabulary.names | set(self._names))

    def condition(self, source: Source, bound: Sequence[Binder]) -> e.Expression:
        scope, types = self._around(bound)
        tree = parse_predicate(source, self._vocabulary)
        check_condition(self.lowering.checked, tree, types)
        return joined(self.lowering.predicate(tree, scope))

    def value(self, source: Source, type_: ValueType, bound: Sequence[Binder]) -> e.Expression:
        scope, types = self._around(bound)
        tree = parse_expression(source, self._vocabulary)
        check_condition(self.lowering.checked, tree, types, self._z_type(type_))
        return self.lowering.expression(tree, scope)

    def domain(self, source: Source, bound: Sequence[Binder]) -> e.Expression:
        scope, types = self._around(bound)
        tree = parse_expression(source, self._vocabulary)
        check_condition(self.lowering.checked, tree, types)
        found = self.lowering.expression(tree, scope)
        if not isinstance(e.type_of(found), Set):
            at = Extent(source, 0, len(source.text))
            raise InputError(at.diagnostic("a set is wanted, for a name to range over"))
        return found

    def _around(self, bound: Sequence[Binder]) -> tuple[Scope, dict[str, Type]]:
        names, types = dict(self._names), dict(self._types)
        for each in bound:
            names[each.written] = e.Name(each.name, each.type)
            types[each.written] = self._z_type(each.type)
        return Scope(names, {}), types

    def _z_type(self, type_: ValueType) -> Type:
        match type_:
            case Integer():
                return GivenType(NUMBERS)
            case Element(sort):
                return GivenType(self._sets[sort.name])
            case FreeType(name):
                return GivenType(self._sets[name])
            case Set(element):
                return PowerType(self._z_type(element))
            case Pair(left, right):
                return ProductType((self._z_type(left), *self._factors(right)))
            case Struct(fields):
                return SchemaType(tuple(Component(each.name, self._z_type(each.type)) for each in fields))
            case Boolean() | _:
                raise AssertionError(f"no specification has values of type {type_}")

    def _factors(self, type_: ValueType) -> tuple[Type, ...]:
        """Of a tuple whose first components are known."""
        if isinstance(type_, Pair) and type_.is_tail:
            return (self._z_type(type_.left), *self._factors(type_.right))
        return (self._z_type(type_),)
