"""Places and expressions. A place is where a value lives; an expression is a value.

Every node knows its type (`type_of`), and the nodes that can fail know their place in the user's text, which takes no part
in equality. Names are unique within a program: lowering resolves shadowing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.nodes import Node
from burnside.ir.types import (
    BOOLEAN,
    INTEGER,
    Array,
    Bag,
    Integer,
    Optional,
    Record,
    Scalar,
    Sort,
    Type,
    bounds,
)
from burnside.records import field, record

# Places


@record
class Variable(Node):
    """A variable of the state, or a local one: of a block, a parameter of a function, a bound name."""

    name: str
    type: Type
    is_state: bool = False


@record
class Index(Node):
    """An element of an array; an index outside of it is an error of the model."""

    array: Place
    index: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Component(Node):
    """A field of a record."""

    record: Place
    name: str


@record
class Entry(Node):
    """An entry of a bag by its position; an absent one is an error of the model."""

    bag: Place
    position: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


Place = Variable | Index | Component | Entry
PLACES = (Variable, Index, Component, Entry)


# Expressions


@record
class Constant(Node):
    """A value of a scalar type. Elements of sorts by position: a program that names elements is symmetric only under
    what keeps them, or maps the program to itself."""

    value: int
    type: Scalar
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Read(Node):
    """The scalar at a place; undefined is an error of the model."""

    place: Place
    span: Span | None = field(default=None, compare=False, repr=False)


ARITHMETIC = ("+", "-", "*", "/", "%", "bit-and", "bit-or", "bit-xor", "shift-left", "shift-right")
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
BinaryOperator = Literal[
    "+", "-", "*", "/", "%", "bit-and", "bit-or", "bit-xor", "shift-left", "shift-right",
    "=", "!=", "<", "<=", ">", ">=",
]  # fmt: skip


@record
class Binary(Node):
    """Arithmetic in 64 bits (leaving them is an error of the model, but for shifts, which drop bits; a shift by a negative
    number goes the other way; `/` and `%` round towards zero and fail on zero), or a comparison. Both operands are
    evaluated, left first. `=` and `!=` compare two values of one scalar type."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Negate(Node):
    """The arithmetic negative (`-`) or the bitwise complement (`~`)."""

    operator: Literal["-", "~"]
    operand: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Not(Node):
    operand: Expression


@record
class Junction(Node):
    """`and` or `or` of any number of parts, from the left, no further than needed."""

    operator: Literal["and", "or"]
    parts: tuple[Expression, ...]


@record
class Conditional(Node):
    """Only the chosen branch is evaluated."""

    test: Expression
    then: Expression
    otherwise: Expression


@record
class Convert(Node):
    """The same value as another scalar type; not being one of its values is an error of the model. Between integers the
    number stays, between elements and unions the element does."""

    operand: Expression
    type: Scalar
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Wrap(Node):
    """The value of an integer type that differs from the operand by a multiple of the type's size: what is left of a number
    that is stored in too few bits."""

    operand: Expression
    type: Integer


@record
class Table(Node):
    """A function of scalars, written out: `entries` go through the arguments' values, the last argument fastest. Where there
    is no value (None) looking it up fails."""

    name: str
    arguments: tuple[Scalar, ...]
    result: Scalar
    entries: tuple[int | None, ...]

    def __hash__(self) -> int:
        return hash((self.name, len(self.entries)))

    @cached_property
    def values(self) -> frozenset[int]:
        """The values that there are."""
        return frozenset(each for each in self.entries if each is not None)

    @cached_property
    def is_total(self) -> bool:
        """Is no entry missing?"""
        return None not in self.entries

    def at(self, values: Sequence[int]) -> int | None:
        """The entry for values of the arguments."""
        place = 0
        for value, type_ in zip(values, self.arguments, strict=True):
            low, high = bounds(type_)
            place = place * (high - low + 1) + value - low
        return self.entries[place]


@record
class Lookup(Node):
    """The entry of a table. A missing one is an error of the model or, where `property` is the number of one of the
    program's properties, its violation. Arguments are evaluated from the left; for a number outside of the range of the
    table's argument there is no entry."""

    table: Table
    arguments: tuple[Expression, ...]
    property: int | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class All(Node):
    """Every value of a scalar type, ascending."""

    type: Scalar


@record
class Range(Node):
    """`low`, `low + step`, ... up to `high` (down to it where the step is negative), all evaluated once, before."""

    low: Expression
    high: Expression
    step: Expression = Constant(1, INTEGER)
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Positions(Node):
    """The positions of the entries present in a bag."""

    bag: Place


Domain = All | Range | Positions


@record
class Bound(Node):
    """A name that takes each value of a domain. It is read as `Read(bound.variable)`."""

    name: str
    domain: Domain

    @property
    def type(self) -> Scalar:
        match self.domain:
            case All(type_):
                return type_
            case Range():
                return INTEGER
            case Positions(bag):
                bag_type = type_of_place(bag)
                assert isinstance(bag_type, Bag)
                return Integer(0, bag_type.capacity - 1)

    @property
    def variable(self) -> Variable:
        return Variable(self.name, self.type)


@record
class Quantified(Node):
    """`every`: all instances are evaluated, in order, and one that fails fails the quantifier, even where another decides:
    then the order of instances, which symmetries change, does not matter. Otherwise instances are evaluated from the first
    on until one decides; one that fails before that fails the quantifier. What instances do (assertions, covers and
    assumptions in functions) follows the same rule."""

    quantifier: Literal["forall", "exists"]
    bound: Bound
    body: Expression
    every: bool = True


@record
class IsDefined(Node):
    """Does the scalar at this place have a value?"""

    place: Place


@record
class IsMember(Node):
    """Is an element of a union one of this sort?"""

    operand: Expression
    sort: Sort


@record
class Same(Node):
    """Do two places of one type hold the same, undefined parts included? What the left one holds is read before the right
    one is found."""

    left: Place
    right: Place


@record
class Count(Node):
    """How many entries of a bag satisfy the test, in which `bound` is the entry's position."""

    bound: Bound
    test: Expression


@record
class Call(Node):
    """The result of a function. Arguments by reference are places, others expressions or, for parameters that may be
    undefined or are structured, places whose content is copied."""

    function: str
    arguments: tuple[Expression | Place, ...]
    type: Type
    span: Span | None = field(default=None, compare=False, repr=False)


Expression = (
    Constant
    | Read
    | Binary
    | Negate
    | Not
    | Junction
    | Conditional
    | Convert
    | Quantified
    | IsDefined
    | IsMember
    | Same
    | Count
    | Call
    | Wrap
    | Lookup
)

TRUE = Constant(1, BOOLEAN)
FALSE = Constant(0, BOOLEAN)


def type_of_place(place: Place) -> Type:
    match place:
        case Variable(_, type_):
            return type_
        case Index(array):
            array_type = type_of_place(array)
            assert isinstance(array_type, Array)
            return array_type.element
        case Component(record, name):
            record_type = type_of_place(record)
            assert isinstance(record_type, Record)
            return record_type.field_type(name)
        case Entry(bag):
            bag_type = type_of_place(bag)
            assert isinstance(bag_type, Bag)
            return bag_type.element


def type_of(expression: Expression) -> Scalar:
    match expression:
        case Constant(_, type_) | Convert(_, type_) | Wrap(_, type_):
            return type_
        case Lookup(table):
            return table.result
        case Read(place):
            type_ = type_of_place(place)
            scalar = type_.type if isinstance(type_, Optional) else type_
            assert not isinstance(scalar, Array | Record | Bag)
            return scalar
        case Binary(operator):
            return BOOLEAN if operator in COMPARISONS else INTEGER
        case Negate() | Count():
            return INTEGER
        case Conditional(_, then):
            return type_of(then)
        case Call(_, _, type_):
            scalar = type_.type if isinstance(type_, Optional) else type_
            assert not isinstance(scalar, Array | Record | Bag)
            return scalar
        case _:
            return BOOLEAN
