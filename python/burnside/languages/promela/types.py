"""Types and variables of Promela, resolved.

A variable is known by its identity: two locals of one name in different blocks are two `Variable`s, with different
`unique` names. Types are compared by value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from burnside.languages.shared.spans import Extent
from burnside.records import field, record

if TYPE_CHECKING:
    from burnside.languages.promela.expressions import Expression

ScalarName = Literal["bit", "bool", "byte", "pid", "short", "int", "unsigned", "mtype", "chan"]


@record
class ScalarType:
    """A type of numbers. What is stored wraps around to its bits (`wraps`); `int` has 32, `short` 16, both with a sign."""

    name: ScalarName
    bits: int
    signed: bool
    symbols: str | None = None
    """Of an `mtype`: the name of its set, None for the unnamed one. Nothing but messages depends on it."""

    def wraps(self, value: int) -> int:
        """What a variable of this type holds after `value` was stored."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.signed and value >> (self.bits - 1) else value


BIT = ScalarType("bit", 1, signed=False)
BOOL = ScalarType("bool", 1, signed=False)
BYTE = ScalarType("byte", 8, signed=False)
PID = ScalarType("pid", 8, signed=False)
SHORT = ScalarType("short", 16, signed=True)
INT = ScalarType("int", 32, signed=True)
MTYPE = ScalarType("mtype", 8, signed=False)
CHAN = ScalarType("chan", 8, signed=False)
"""The number of a channel, counted from 1 in the order in which channels are created; 0 is none."""


@record
class Field:
    """`size` is the number of elements where it is an array, else None. `initial` as of a `Variable`."""

    name: str
    type: Type
    size: int | None
    initial: Initial | None = field(compare=False)


@record
class StructType:
    """A `typedef`."""

    name: str
    fields: tuple[Field, ...]


Type = ScalarType | StructType


@record(eq=False, repr=False)
class NewChannel:
    """`[capacity] of { fields }`; capacity 0 is a rendezvous. Fields of structs are written out as scalars."""

    at: Extent
    capacity: int
    fields: tuple[ScalarType, ...]


@record(eq=False, repr=False)
class ArrayValues:
    """`{ 1, 2, 3 }`; elements for which nothing is said have the value of the last (as in pan)."""

    at: Extent
    values: tuple[int, ...]


Initial: TypeAlias = "Expression | NewChannel | ArrayValues"


@record(eq=False, repr=False, frozen=False)
class Variable:
    """A variable of the model or of a process. For an array, a scalar initialiser holds for every element, and every
    element of an array of channels is a channel of its own. Filled in by the parser, never changed behind it."""

    at: Extent
    name: str
    """As it is written."""
    unique: str
    """Unlike all others of its process (or of the globals)."""
    type: Type
    size: int | None
    """Elements of an array; None where it is none."""
    process: str | None
    """The name of the process whose local it is; None for globals."""
    initial: Initial | None = None
    """Its value at the beginning (globals) or when a process is created (locals). None is 0. A declaration behind the
    first statement of a process has none: there the assignment is a statement of the graph, and before it the value is 0.
    (Such a declaration without an initialiser assigns 0; of an array, to element 0 only. So does pan.)"""
    is_parameter: bool = False
    prefix: Literal["hidden", "show", "local"] | None = None
    """`hidden` is not part of the state."""

    def __repr__(self) -> str:
        return f"Variable({self.unique})"


def sink(at: Extent) -> Variable:
    """`_`, which takes every value and is never read: its type is that of pan, and its name no other variable has."""
    return Variable(at, "_", "_", INT, None, None)
