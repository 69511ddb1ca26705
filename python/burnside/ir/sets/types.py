"""What a value of a machine can be.

Booleans, whole numbers without bounds, elements of sorts and texts are atoms; pairs, records, finite sets and values of
free types are built from them. Relations are sets of pairs, functions are relations, sequences are functions from 1..n. A
type gives the values that are possible at all; predicates of the model choose among them.
"""

from __future__ import annotations

from collections.abc import Iterator

from burnside.ir.nodes import Node, TypeNode
from burnside.ir.types import BOOLEAN, INTEGER, Boolean, Element, Integer, Sort
from burnside.records import field, record

__all__ = [
    "BOOLEAN",
    "INTEGER",
    "TEXT",
    "Boolean",
    "Constructor",
    "Element",
    "FreeType",
    "Integer",
    "Multiset",
    "Pair",
    "Recursion",
    "Set",
    "Sort",
    "Struct",
    "StructField",
    "Text",
    "ValueType",
    "is_finite",
    "show_type",
]


@record
class Text(TypeNode):
    """A string; two are equal or not, nothing more."""


@record
class Pair(TypeNode):
    """`is_tail`: it is on the right side of another pair, which together with it is one longer tuple: (a, (b, c)) is shown
    as (a, b, c). That is a matter of notation alone: the types are equal."""

    left: ValueType
    right: ValueType
    is_tail: bool = field(default=False, compare=False, repr=False)


@record
class Set(TypeNode):
    element: ValueType


@record
class Multiset(TypeNode):
    """Values that may occur several times. No element is a pair with a negative number on the left: such multisets are
    undefined."""

    element: ValueType


@record
class StructField(TypeNode):
    name: str
    type: ValueType


@record
class Struct(TypeNode):
    """A record; fields are in the order of their names, so that equal types are equal."""

    fields: tuple[StructField, ...]

    def position(self, name: str) -> int:
        return next(number for number, each in enumerate(self.fields) if each.name == name)


@record
class Recursion(TypeNode):
    """In the definition of a free type: the type that is being defined."""

    name: str


@record
class Constructor(TypeNode):
    """Makes a value of a free type from an argument; without one it is a value itself. `within`: the set that arguments
    belong to, where that is not all of the type: a closed expression. There, `all` of the free type itself (its
    `Recursion`) is the set of its values. What is built from other arguments is undefined, so all values of the type obey
    this."""

    name: str
    argument: ValueType | None = None
    within: Node | None = None


@record
class FreeType(TypeNode):
    """`OWNER ::= none | own<<X>>`: every value is built by one constructor from one argument. Free types that a machine uses
    are among its `free_types`; where no constructor has an argument, a sort does. `depth`: where values of a recursive
    type are not bounded, those with so many constructors inside each other are tried."""

    name: str
    constructors: tuple[Constructor, ...]
    depth: int = 3

    def position(self, constructor: str) -> int:
        return next(number for number, each in enumerate(self.constructors) if each.name == constructor)

    def argument(self, constructor: str) -> ValueType | None:
        """The type of its argument."""
        return self.arguments()[self.position(constructor)]

    def arguments(self) -> tuple[ValueType | None, ...]:
        """The types of the arguments of all constructors."""
        known: tuple[ValueType | None, ...] | None = vars(self).get("argument types")
        if known is None:
            types = [each.argument for each in self.constructors]
            known = tuple(None if each is None else unfolded(each, self) for each in types)
            vars(self)["argument types"] = known
        return known

    @property
    def is_recursive(self) -> bool:
        types = (each.argument for each in self.constructors)
        return any(_mentions(each, self.name) for each in types if each is not None)


ValueType = Boolean | Integer | Element | Text | Pair | Set | Multiset | Struct | FreeType | Recursion
TEXT = Text()


def unfolded(type_: ValueType, free: FreeType) -> ValueType:
    """With the free type in place of its name."""
    match type_:
        case Recursion(name) if name == free.name:
            return free
        case Pair(left, right, is_tail):
            return Pair(unfolded(left, free), unfolded(right, free), is_tail)
        case Set(element):
            return Set(unfolded(element, free))
        case Multiset(element):
            return Multiset(unfolded(element, free))
        case Struct(fields):
            return Struct(tuple(StructField(each.name, unfolded(each.type, free)) for each in fields))
        case _:
            return type_


def _parts(type_: ValueType) -> Iterator[ValueType]:
    """The types directly inside; of a free type those of arguments, in which it does not stand itself."""
    match type_:
        case Pair(left, right):
            yield from (left, right)
        case Set(element) | Multiset(element):
            yield element
        case Struct(fields):
            yield from (each.type for each in fields)
        case FreeType(_, constructors):
            yield from (each.argument for each in constructors if each.argument is not None)


def _mentions(type_: ValueType, name: str) -> bool:
    if isinstance(type_, Recursion):
        return type_.name == name
    return any(_mentions(each, name) for each in _parts(type_))


def is_finite(type_: ValueType) -> bool:
    """Are there finitely many values? A free type in whose definition it stands itself has infinitely many, whatever
    `within` says."""
    match type_:
        case Integer() | Text() | Recursion() | Multiset():
            return False
        case _:
            return all(map(is_finite, _parts(type_)))


def show_type(type_: ValueType) -> str:
    """As B writes the set of all its values."""
    match type_:
        case Boolean():
            return "BOOL"
        case Integer():
            return "INTEGER"
        case Text():
            return "STRING"
        case Element(sort):
            return sort.name
        case Pair(left, right):
            # The product associates to the left, so a product on the right needs brackets.
            second = show_type(right)
            return f"{show_type(left)} * {f'({second})' if isinstance(right, Pair) else second}"
        case Set(element):
            return f"POW({show_type(element)})"
        case Multiset(element):
            return f"bag({show_type(element)})"
        case Struct(fields):
            return f"struct({', '.join(f'{each.name}: {show_type(each.type)}' for each in fields)})"
        case FreeType(name) | Recursion(name):
            return name
