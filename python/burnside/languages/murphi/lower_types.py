"""Types and declarations. In: their syntax. Out: types of the ir, names in the scope.

A named constant with a number, or the size of a named scalarset, may be overridden by the user's `sizes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.diagnostics import UsageError
from burnside.ir import expressions as e
from burnside.ir.types import (
    BOOLEAN,
    Array,
    Bag,
    Element,
    Field,
    Integer,
    Record,
    Scalar,
    Sort,
    Symmetry,
    Type,
    Union,
    size,
    sorts_of,
)
from burnside.languages.murphi import rule_syntax as r
from burnside.languages.murphi import syntax as s
from burnside.languages.murphi.constants import NotConstant, value_of
from burnside.languages.murphi.kinds import (
    MAX_SCALARS,
    describe,
    is_scalar,
    scalars,
    stored,
)
from burnside.languages.murphi.lowering import (
    KnownConstant,
    KnownPlace,
    KnownType,
    MurphiContext,
    Stored,
    Value,
)
from burnside.languages.shared.spans import Extent, Identifier

MAX_ELEMENTS = 2**16
"""Of a scalarset: each has a name."""


class TypeLowering(MurphiContext):
    # Constants

    def constant(self, node: s.Expression, what: str) -> e.Constant:
        operand = self.operand(node)
        if isinstance(operand, Stored) or not isinstance(operand, Value) or not is_scalar(operand.type):
            raise self.error(f"{what} must be a constant", node.at)
        if isinstance(operand.expression, e.Constant):
            return operand.expression
        try:
            value = value_of(operand.expression)
        except NotConstant as failure:
            if failure.span is None:
                raise self.error(f"{what} must be a constant", node.at) from None
            offset = self.source.line_starts[failure.span.line - 1] + failure.span.column - 1
            raise self.error(failure.message, Extent(self.source, offset, failure.span.length)) from None
        return e.Constant(value, e.type_of(operand.expression), self.span(node.at))

    def number(self, node: s.Expression, what: str) -> int:
        constant = self.constant(node, what)
        if not isinstance(constant.type, Integer):
            raise self.error(f"{what} must be a number, this is {describe(constant.type)}", node.at)
        return constant.value

    # Declarations

    def declaration(self, node: s.Declaration) -> list[tuple[Identifier, Type]]:
        """Declares constants and types; returns variables, for the caller to declare as its own."""
        match node:
            case s.ConstantDeclaration(names, expression):
                value = self.constant(expression, "the value of a constant")
                for name in names:
                    self.declare(name, KnownConstant(self.overridden(name, value)))
            case s.TypeDeclaration(names, expression):
                type_ = self.type(expression, names[0].text)
                for name in names:
                    self.declare(name, KnownType(type_))
            case s.VariableDeclaration(names, expression):
                type_ = self.type(expression, names[0].text)
                return [(name, stored(type_)) for name in names]
        return []

    def local_variables(self, declarations: Sequence[s.Declaration]) -> tuple[e.Variable, ...]:
        variables = []
        for declaration in declarations:
            for name, type_ in self.declaration(declaration):
                variable = e.Variable(self.fresh(name.text), type_)
                self.declare(name, KnownPlace(variable, writable=True))
                variables.append(variable)
        return tuple(variables)

    def overridden(self, name: Identifier, value: e.Constant) -> e.Constant:
        if self.scope is not self.globals or name.text not in self.sizes:
            return value
        if not isinstance(value.type, Integer):
            raise UsageError(
                f"'{name.text}' is no number in {self.source.name}, it is {describe(value.type)}"
            )
        return e.Constant(self.sizes[name.text], value.type, value.span)

    # Types

    def type(self, node: s.TypeExpression, name: str) -> Type:
        """A bare type. `name` is what it belongs to: enums and scalarsets without a name of their own take it."""
        match node:
            case s.BooleanType():
                return BOOLEAN
            case s.NamedType(at, text):
                known = self.find(text, at)
                if not isinstance(known, KnownType):
                    raise self.error(f"'{text}' is no type", at)
                return known.type
            case s.RangeType():
                return self.range_type(node)
            case s.EnumType():
                return self.enum_type(node, name)
            case s.ScalarsetType():
                return self.scalarset_type(node, name)
            case s.UnionType():
                return self.union_type(node, name)
            case s.RecordType():
                return self.record_type(node)
            case s.ArrayType(at, index, element):
                index_type = self.scalar_type(index, f"{name}_index", "the index of an array")
                return self.limited(Array(index_type, stored(self.type(element, name))), at)
            case s.MultisetType(at, capacity, element):
                most = self.number(capacity, "the size of a multiset")
                if most < 1:
                    raise self.error(f"this multiset has room for {most} entries", capacity.at)
                return self.limited(Bag(stored(self.type(element, name)), most), at)

    def scalar_type(self, node: s.TypeExpression, name: str, what: str) -> Scalar:
        type_ = self.type(node, name)
        if isinstance(type_, Array | Record | Bag) or not is_scalar(type_):
            raise self.error(f"{what} must have a simple type, this is {describe(type_)}", node.at)
        return type_  # type: ignore[return-value]

    def range_type(self, node: s.RangeType) -> Type:
        low = self.number(node.low, "the bound of a range")
        high = self.number(node.high, "the bound of a range")
        if low > high:
            raise self.error(f"the range {low}..{high} is empty", node.at)
        return Integer(low, high)

    def enum_type(self, node: s.EnumType, name: str) -> Type:
        if not node.members:
            raise self.error("an enum needs at least one value", node.at)
        seen: set[str] = set()
        for member in node.members:
            if member.text in seen:
                raise self.error(f"'{member.text}' is declared twice", member.at)
            seen.add(member.text)
        sort = self.sort(name, tuple(each.text for each in node.members), "fixed", "enum", node.at)
        for position, member in enumerate(node.members):
            self.declare(member, KnownConstant(e.Constant(position, Element(sort), self.span(member.at))))
        return Element(sort)

    def scalarset_type(self, node: s.ScalarsetType, name: str) -> Type:
        count = self.number(node.size, "the size of a scalarset")
        if self.scope is self.globals and name in self.sizes:
            count = self.sizes[name]
        if count < 1:
            raise self.error(f"a scalarset of {count} elements", node.at, "it needs at least one")
        if count > MAX_ELEMENTS:
            raise self.error(f"a scalarset of {count} elements: at most {MAX_ELEMENTS} are possible", node.at)
        unique = self.sort_name(name)
        # rumur counts from 0, CMurphi from 1: `scalarset-put.m` expects `t_9` of ten.
        elements = tuple(f"{unique}_{number}" for number in range(count))
        return Element(self.sort(name, elements, "full", "scalarset", node.at))

    def sort(self, name: str, elements: tuple[str, ...], symmetry: Symmetry, origin: str, at: Extent) -> Sort:
        sort = Sort(self.sort_name(name), elements, symmetry, origin, self.span(at))
        self.sorts.append(sort)
        return sort

    def sort_name(self, name: str) -> str:
        taken, candidate, number = {sort.name for sort in self.sorts}, name, 1
        while candidate in taken:
            number += 1
            candidate = f"{name}_{number}"
        return candidate

    def union_type(self, node: s.UnionType, name: str) -> Type:
        found: list[Sort] = []
        for member in node.members:
            sorts = sorts_of(self.type(member, name))
            if not sorts:
                raise self.error("a union is made of scalarsets and enums", member.at)
            for sort in sorts:
                if sort in found:
                    raise self.error(f"'{sort.name}' is in this union twice", member.at)
                found.append(sort)
        return Union(tuple(found)) if len(found) > 1 else Element(found[0])

    def record_type(self, node: s.RecordType) -> Type:
        fields: list[Field] = []
        seen: set[str] = set()
        for declaration in node.fields:
            type_ = stored(self.type(declaration.type, declaration.names[0].text))
            for name in declaration.names:
                if name.text in seen:
                    raise self.error(f"'{name.text}' is declared twice", name.at)
                seen.add(name.text)
                fields.append(Field(name.text, type_))
        return self.limited(Record(tuple(fields)), node.at)

    def limited(self, type_: Type, at: Extent) -> Type:
        count = scalars(type_)
        if count > MAX_SCALARS:
            raise self.error(f"this holds {count} values: at most {MAX_SCALARS} are possible", at)
        if isinstance(type_, Array) and size(type_.index) > MAX_SCALARS:
            raise self.error(f"this array has more than {MAX_SCALARS} elements", at)
        return type_


def size_names(model: r.ModelTree) -> tuple[str, ...]:
    """What `sizes` may name: global constants, and scalarsets."""
    names: list[str] = []
    for node in model.nodes:
        match node:
            case s.ConstantDeclaration(identifiers):
                names += [each.text for each in identifiers]
            case s.TypeDeclaration(identifiers, s.ScalarsetType()):
                names.append(identifiers[0].text)
    return tuple(names)
