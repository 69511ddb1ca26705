"""Terms of high-level nets: guards, inscriptions of arcs, initial markings, conditions on markings.

A term has a value or is *undefined* (`err` in Junttila 2003, 5.1): the third element of a list of two, 2 - 3 in natural
numbers. Undefinedness is strict: a term is undefined where a part of it is, also where the others would decide
(`or(true, err)` is undefined), with one exception: of a `Conditional` only the test and the chosen branch count. Every
operator but literals of sorts, `less` and `position` on elements, `successor`, `distance` and `Lookup` treats all elements
alike (6.2: it is compatible with every domain permutation).
"""

from __future__ import annotations

from typing import Any
from typing import Literal as OneOf

from burnside.diagnostics import Span
from burnside.ir.highlevel.types import (
    BOOLEAN,
    Bag,
    Element,
    Sort,
    Struct,
    TokenType,
    Union,
)
from burnside.ir.nodes import Node
from burnside.records import field, record


@record
class Literal(Node):
    """A value as `values` represents it: an element by its position in its sort."""

    value: Any
    type: TokenType
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Variable(Node):
    """A variable of the transition, or the name that a `Binding` around it binds."""

    name: str
    type: TokenType
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Marked(Node):
    """The tokens of a place, by its number: in conditions on markings only (Junttila 2003, Thm 5.13)."""

    place: int
    type: Bag
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Apply(Node):
    """One of `OPERATORS`, applied. `type` is that of the result."""

    operator: str
    arguments: tuple[Term, ...]
    type: TokenType
    span: Span | None = field(default=None, compare=False, repr=False)


BindingKind = OneOf["forall", "exists", "set", "bag", "map"]


@record
class Binding(Node):
    """For every value of the variable's type, which is finite: `forall`, `exists`: the body, a truth value, holds for all or
    for some; `set`: those for which it holds; `bag`: each as often as the body says, a number; `map`: each is mapped to the
    body."""

    kind: BindingKind
    variable: Variable
    body: Term
    type: TokenType
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Conditional(Node):
    test: Term
    then: Term
    otherwise: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Select(Node):
    """A field of a struct."""

    struct: Term
    name: str
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Update(Node):
    """A struct with another value in one field."""

    struct: Term
    name: str
    value: Term
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Inject(Node):
    """A value of a union, made of a value of one of its alternatives."""

    alternative: str
    value: Term
    type: Union
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class IsOf(Node):
    """Is a value of a union of this alternative?"""

    value: Term
    alternative: str
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Cast(Node):
    """What a value of a union was made of; undefined where it is of another alternative."""

    value: Term
    alternative: str
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Lookup(Node):
    """A function from one sort to another, given by its table: `images[i]` is that of element i. (The classes of a partition
    are a sort, too.)"""

    name: str
    images: tuple[int, ...]
    argument: Term
    type: Element
    span: Span | None = field(default=None, compare=False, repr=False)


Term = (
    Literal
    | Variable
    | Marked
    | Apply
    | Binding
    | Conditional
    | Select
    | Update
    | Inject
    | IsOf
    | Cast
    | Lookup
)

TRUE = Literal(True, BOOLEAN)
FALSE = Literal(False, BOOLEAN)

ANY_NUMBER = -1
OPERATORS: dict[str, int] = {
    # Of two values of one type.
    "equal": 2,
    "and": ANY_NUMBER, "or": ANY_NUMBER, "not": 1, "implies": 2, "iff": 2, "xor": 2,
    # Natural numbers; `less` and `less-equal` also compare elements of one sort by their positions.
    # `subtract` is undefined below zero, `divide` and `modulo` by zero.
    "less": 2, "less-equal": 2, "add": 2, "subtract": 2, "multiply": 2, "divide": 2, "modulo": 2,
    # Elements: that many places on, around the end (element, number); how many places on the second is from the first.
    "successor": 2, "distance": 2,
    # An element's position in its sort, from 0; and back, undefined beyond the last one.
    "position": 1, "element": 1,
    # Lists. Positions count from 1, `get` and `put` (list, position, value) are undefined outside. `drop-first` and
    # `drop-last` (list, number) give the empty list where there is less.
    "list": ANY_NUMBER, "length": 1, "get": 2, "put": 3, "add-first": 2, "add-last": 2, "drop-first": 2, "drop-last": 2,
    "concatenate": 2,
    # Values of the fields, in order.
    "struct": ANY_NUMBER,
    # Sets. `member` (value, set); `full`: all values of the type.
    "set": ANY_NUMBER, "member": 2, "subset": 2, "cardinality": 1, "union": 2, "intersection": 2, "difference": 2,
    "complement": 1, "full": 0,
    # Multisets. `tokens` (n, v) is n'v; `sum` of any number of them; `scaled` (n, multiset); `bag-difference` is undefined
    # where the second is not included in the first; `included`; `count` (multiset, value); `size`: all tokens;
    # `support`: the set of those that occur; `bag-of`: each element of a set once; `all`: each value of the type once.
    "tokens": 2, "sum": ANY_NUMBER, "scaled": 2, "bag-difference": 2, "included": 2, "count": 2, "size": 1, "support": 1,
    "bag-of": 1, "all": 0,
    # Maps. `map`: keys and values in turn, the last value of a key counts; `at` (map, key) is undefined where the map is.
    "map": ANY_NUMBER, "defined": 2, "at": 2, "assign": 3, "unset": 2,
}  # fmt: skip
"""Every operator and how many arguments it takes."""

PARTIAL = frozenset({"subtract", "divide", "modulo", "element", "get", "put", "bag-difference", "at"})
"""Operators that can be undefined where their arguments are not."""


def type_of(term: Term) -> TokenType:
    match term:
        case Conditional(_, then):
            return type_of(then)
        case Update(struct):
            return type_of(struct)
        case IsOf():
            return BOOLEAN
        case Select(struct, name):
            of = type_of(struct)
            assert isinstance(of, Struct)
            return of.fields[of.position(name)].type
        case Cast(value, alternative):
            union = type_of(value)
            assert isinstance(union, Union)
            return union.alternatives[union.position(alternative)].type
        case _:
            return term.type


def is_total(term: Term) -> bool:
    """Has it a value whatever its variables are?"""
    if isinstance(term, Cast) or (isinstance(term, Apply) and term.operator in PARTIAL):
        return False
    return all(map(is_total, term.children()))


def element(sort: Sort, position: int, span: Span | None = None) -> Literal:
    return Literal(position, Element(sort), span)


def tokens(value: Term, number: Term) -> Apply:
    """n'v."""
    return Apply("tokens", (number, value), Bag(type_of(value)))
