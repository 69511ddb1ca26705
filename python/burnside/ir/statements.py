"""What actions do: sequential programs over places.

A statement that fails ends the action, and the failure is reported with a trace. `Assume` ends it too, without a report:
the step does not exist.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.expressions import Bound, Call, Expression, Place, Variable
from burnside.ir.nodes import Node
from burnside.records import field, record


@record
class Assign(Node):
    """A scalar; a value outside the place's type is an error of the model. The value comes first, then the place."""

    place: Place
    value: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Copy(Node):
    """The whole content of a place, undefined parts included, read before the target is found. Types are equal, or scalars
    of which the source's value is checked, if it is defined, against the target's type."""

    target: Place
    source: Place
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class CopyCall(Node):
    """As `Copy`, from the structured (or maybe undefined) result of a function."""

    target: Place
    call: Call


@record
class Clear(Node):
    """The smallest value of every scalar; no entries in every bag."""

    place: Place


@record
class Undefine(Node):
    """Every scalar undefined, of a place where that is possible; no entries in every bag."""

    place: Place


@record
class Branch(Node):
    test: Expression
    body: Block


@record
class If(Node):
    branches: tuple[Branch, ...]
    otherwise: Block


@record
class For(Node):
    """The body once for each value; the bound name cannot be assigned to."""

    bound: Bound
    body: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class While(Node):
    """More than `limit` turns are an error of the model."""

    test: Expression
    body: Block
    limit: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Declare(Node):
    """Local variables, undefined (their bags empty) when the block is entered."""

    variables: tuple[Variable, ...]
    body: Block


@record
class Bind(Node):
    """A second name for a place; indices in it are evaluated once, here."""

    variable: Variable
    place: Place
    body: Block


@record
class Let(Node):
    """A name for a value."""

    variable: Variable
    value: Expression
    body: Block


@record
class CallStatement(Node):
    call: Call


@record
class Return(Node):
    """From a function, with its result; from an action, without one. A structured result, or one that may be undefined, is
    copied from a place."""

    value: Expression | Place | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Assert(Node):
    """`property` numbers the program's properties; its failing is that property's violation."""

    test: Expression
    property: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Note(Node):
    """As `Assert`, but the step goes on: where the test fails the property is violated by the step, whatever comes after it
    and wherever it leads. In a guard or a property there is no step that could go on, and it is an `Assert`."""

    test: Expression
    property: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Assume(Node):
    """Where the test fails the whole step is as if it had not been possible, but it counts as fired."""

    test: Expression


@record
class Cover(Node):
    """Marks the property as covered, where the test holds."""

    test: Expression
    property: int


@record
class Add(Node):
    """A copy of what `source` holds, read before the bag is found, becomes an entry; a full bag is an error of the model."""

    bag: Place
    source: Place
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Remove(Node):
    """The entry at a position; an absent one is an error of the model."""

    bag: Place
    position: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class RemoveAll(Node):
    """All entries that satisfy the test, in which `bound` is an entry's position."""

    bound: Bound
    test: Expression


Statement = (
    Assign
    | Copy
    | CopyCall
    | Clear
    | Undefine
    | If
    | For
    | While
    | Declare
    | Bind
    | Let
    | CallStatement
    | Return
    | Assert
    | Note
    | Assume
    | Cover
    | Add
    | Remove
    | RemoveAll
)
Block = tuple[Statement, ...]
