"""What Murphi's expressions, types and declarations say, before anyone asks what they mean: trees with their places in the
text, which nobody changes. (That is not enforced: for sixty classes it would cost every start some hundredths of a second.)
`rule_syntax` has statements and rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple


class Extent(NamedTuple):
    """Where something stands: an offset into the source, and a length."""

    offset: int
    length: int


@dataclass(eq=False, repr=False)
class Identifier:
    at: Extent
    text: str


# Expressions


@dataclass(eq=False, repr=False)
class Number:
    at: Extent
    value: int


@dataclass(eq=False, repr=False)
class Truth:
    at: Extent
    value: bool


@dataclass(eq=False, repr=False)
class Name:
    at: Extent
    text: str


@dataclass(eq=False, repr=False)
class Field:
    at: Extent
    base: Expression
    name: Identifier


@dataclass(eq=False, repr=False)
class Element:
    at: Extent
    base: Expression
    index: Expression


@dataclass(eq=False, repr=False)
class Call:
    at: Extent
    name: Identifier
    arguments: tuple[Expression, ...]


@dataclass(eq=False, repr=False)
class Unary:
    at: Extent
    operator: str
    operand: Expression


@dataclass(eq=False, repr=False)
class Binary:
    at: Extent
    operator: str
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False)
class Chain:
    """`&`, `|`, `&&` or `||` between any number of operands."""

    at: Extent
    operator: str
    operands: tuple[Expression, ...]


@dataclass(eq=False, repr=False)
class Conditional:
    at: Extent
    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(eq=False, repr=False)
class Quantified:
    at: Extent
    quantifier: Literal["forall", "exists"]
    binders: tuple[Binder, ...]
    body: Expression


@dataclass(eq=False, repr=False)
class IsUndefined:
    at: Extent
    target: Expression


@dataclass(eq=False, repr=False)
class IsMember:
    at: Extent
    operand: Expression
    type: TypeExpression


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class TypedBinder:
    name: Identifier
    type: TypeExpression


@dataclass(eq=False, repr=False)
class RangeBinder:
    name: Identifier
    low: Expression
    high: Expression
    step: Expression | None


@dataclass(eq=False, repr=False)
class PositionBinder:
    """`choose name: bag`."""

    name: Identifier
    bag: Expression


Binder = TypedBinder | RangeBinder | PositionBinder


# Types


@dataclass(eq=False, repr=False)
class NamedType:
    at: Extent
    text: str


@dataclass(eq=False, repr=False)
class BooleanType:
    at: Extent


@dataclass(eq=False, repr=False)
class RangeType:
    at: Extent
    low: Expression
    high: Expression


@dataclass(eq=False, repr=False)
class EnumType:
    at: Extent
    members: tuple[Identifier, ...]


@dataclass(eq=False, repr=False)
class ScalarsetType:
    at: Extent
    size: Expression


@dataclass(eq=False, repr=False)
class UnionType:
    at: Extent
    members: tuple[TypeExpression, ...]


@dataclass(eq=False, repr=False)
class RecordType:
    at: Extent
    fields: tuple[VariableDeclaration, ...]


@dataclass(eq=False, repr=False)
class ArrayType:
    at: Extent
    index: TypeExpression
    element: TypeExpression


@dataclass(eq=False, repr=False)
class MultisetType:
    at: Extent
    capacity: Expression
    element: TypeExpression


TypeExpression = (
    NamedType | BooleanType | RangeType | EnumType | ScalarsetType | UnionType | RecordType | ArrayType | MultisetType
)  # fmt: skip


# Declarations


@dataclass(eq=False, repr=False)
class ConstantDeclaration:
    names: tuple[Identifier, ...]
    value: Expression


@dataclass(eq=False, repr=False)
class TypeDeclaration:
    names: tuple[Identifier, ...]
    type: TypeExpression


@dataclass(eq=False, repr=False)
class VariableDeclaration:
    names: tuple[Identifier, ...]
    type: TypeExpression


Declaration = ConstantDeclaration | TypeDeclaration | VariableDeclaration
