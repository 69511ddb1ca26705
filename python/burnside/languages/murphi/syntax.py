"""The syntax of Murphi's expressions, types and declarations: trees with their places in the text, before names are
resolved. `rule_syntax` has statements and rules."""

from __future__ import annotations

from typing import Literal

from burnside.languages.shared.spans import Extent, Identifier
from burnside.records import record

# Expressions


@record(eq=False, repr=False)
class Number:
    at: Extent
    value: int


@record(eq=False, repr=False)
class Truth:
    at: Extent
    value: bool


@record(eq=False, repr=False)
class Name:
    at: Extent
    text: str


@record(eq=False, repr=False)
class Field:
    at: Extent
    base: Expression
    name: Identifier


@record(eq=False, repr=False)
class Element:
    at: Extent
    base: Expression
    index: Expression


@record(eq=False, repr=False)
class Call:
    at: Extent
    name: Identifier
    arguments: tuple[Expression, ...]


@record(eq=False, repr=False)
class Unary:
    at: Extent
    operator: str
    operand: Expression


@record(eq=False, repr=False)
class Binary:
    at: Extent
    operator: str
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class Chain:
    """`&`, `|`, `&&` or `||` between any number of operands."""

    at: Extent
    operator: str
    operands: tuple[Expression, ...]


@record(eq=False, repr=False)
class Conditional:
    at: Extent
    test: Expression
    then: Expression
    otherwise: Expression


@record(eq=False, repr=False)
class Quantified:
    at: Extent
    quantifier: Literal["forall", "exists"]
    binders: tuple[Binder, ...]
    body: Expression


@record(eq=False, repr=False)
class IsUndefined:
    at: Extent
    target: Expression


@record(eq=False, repr=False)
class IsMember:
    at: Extent
    operand: Expression
    type: TypeExpression


@record(eq=False, repr=False)
class Count:
    """`MultiSetCount(name: bag, test)`."""

    at: Extent
    name: Identifier
    bag: Expression
    test: Expression


Expression = (
    Number | Truth | Name | Field | Element | Call | Unary | Binary | Chain | Conditional | Quantified | IsUndefined
    | IsMember | Count
)  # fmt: skip


@record(eq=False, repr=False)
class TypedBinder:
    name: Identifier
    type: TypeExpression


@record(eq=False, repr=False)
class RangeBinder:
    name: Identifier
    low: Expression
    high: Expression
    step: Expression | None


@record(eq=False, repr=False)
class PositionBinder:
    """`choose name: bag`."""

    name: Identifier
    bag: Expression


Binder = TypedBinder | RangeBinder | PositionBinder


# Types


@record(eq=False, repr=False)
class NamedType:
    at: Extent
    text: str


@record(eq=False, repr=False)
class BooleanType:
    at: Extent


@record(eq=False, repr=False)
class RangeType:
    at: Extent
    low: Expression
    high: Expression


@record(eq=False, repr=False)
class EnumType:
    at: Extent
    members: tuple[Identifier, ...]


@record(eq=False, repr=False)
class ScalarsetType:
    at: Extent
    size: Expression


@record(eq=False, repr=False)
class UnionType:
    at: Extent
    members: tuple[TypeExpression, ...]


@record(eq=False, repr=False)
class RecordType:
    at: Extent
    fields: tuple[VariableDeclaration, ...]


@record(eq=False, repr=False)
class ArrayType:
    at: Extent
    index: TypeExpression
    element: TypeExpression


@record(eq=False, repr=False)
class MultisetType:
    at: Extent
    capacity: Expression
    element: TypeExpression


TypeExpression = (
    NamedType | BooleanType | RangeType | EnumType | ScalarsetType | UnionType | RecordType | ArrayType | MultisetType
)  # fmt: skip


# Declarations


@record(eq=False, repr=False)
class ConstantDeclaration:
    names: tuple[Identifier, ...]
    value: Expression


@record(eq=False, repr=False)
class TypeDeclaration:
    names: tuple[Identifier, ...]
    type: TypeExpression


@record(eq=False, repr=False)
class VariableDeclaration:
    names: tuple[Identifier, ...]
    type: TypeExpression


Declaration = ConstantDeclaration | TypeDeclaration | VariableDeclaration
