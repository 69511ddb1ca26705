"""The normal form of programs: what certification and other analyses look at.

In a flat program

* names are unique: a bound name or a local variable is one thing in the whole program, and a bound name has one value as
  long as it exists;
* there are no calls, aliases or parameters by reference: bodies stand where they were called, aliases are the places that
  they stand for, with indices evaluated where the alias was made;
* expressions change nothing, and the only end they can come to is an error of the model, at nodes with `fails`;
* every other end (assertion, assumption, a missing result, a missing entry of a table that violates a property) and every
  observation (cover, note) is a statement;
* what is evaluated first stands first; operands go from left to right, the value of an assignment before its place.

`flatten` makes it. Flat programs are not explored; tests interpret them to see that they mean what the program means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.expressions import Table
from burnside.ir.nodes import Node
from burnside.ir.types import Scalar, Sort, Type
from burnside.records import field, record

# Places and expressions


@record
class Step(Node):
    """One step into a place: to a field, to the element of an array at `index` (which is of the array's index type), or to
    the entry of a bag at a position. `fails`: the entry may be absent, which is an error of the model."""

    kind: Literal["field", "index", "entry"]
    name: str = ""
    index: Expr | None = None
    fails: bool = False


@record
class Place(Node):
    """Where a value lives: in a variable of the state or a local one."""

    root: str
    type: Type
    is_state: bool
    steps: tuple[Step, ...] = ()

    @property
    def exprs(self) -> Iterator[Expr]:
        return (step.index for step in self.steps if step.index is not None)

    @property
    def fails(self) -> bool:
        return any(step.fails for step in self.steps)


@record
class All(Node):
    """Every value of a type, ascending."""

    type: Scalar


@record
class Range(Node):
    """`low`, `low + step`, ... up to `high`."""

    low: Expr
    high: Expr
    step: Expr
    fails: bool


@record
class Positions(Node):
    """The positions of the entries of a bag."""

    bag: Place


Domain = All | Range | Positions


@record
class Binder(Node):
    """A name that takes the values of a domain, one after the other."""

    name: str
    type: Scalar
    domain: Domain


Operator = Literal[
    "const", "name", "never", "load", "defined", "same", "member", "convert", "not", "complement",
    "wrap", "lookup",
    "and", "or", "choice", "exists", "forall", "count",
    "+", "-", "*", "/", "%", "bit-and", "bit-or", "bit-xor", "shift-left", "shift-right",
    "=", "!=", "<", "<=", ">", ">=",
]  # fmt: skip


@record
class Expr(Node):
    """A value; `never` is one that is never asked for.

    `fails`: this node itself, apart from its operands, may end the step with an error of the model.

    `value` is that of a constant, `name` that of a bound name, `places` are what is loaded, compared or tested, `binder` and
    `every` (all instances are evaluated, whatever they say) belong to quantifiers, `sort` to membership, `table` to lookups,
    whose arguments are of the table's types.
    """

    op: Operator
    type: Scalar
    args: tuple[Expr, ...] = ()
    value: int = 0
    name: str = ""
    places: tuple[Place, ...] = ()
    binder: Binder | None = None
    every: bool = True
    sort: Sort | None = None
    fails: bool = False
    table: Table | None = None
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def is_atom(self) -> bool:
        return self.op in ("const", "name")


# Statements


@record
class Assign(Node):
    """A scalar; the value is of the place's type already."""

    place: Place
    value: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Copy(Node):
    """Everything at a place, undefined parts included; what is read is read before `target` is evaluated. `converts`: the
    types are different scalars, and a defined value outside the target's type is an error of the model."""

    target: Place
    source: Place
    converts: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Fill(Node):
    """`clear`: the smallest value of every scalar; `undefine`: as it is before anything was written."""

    place: Place
    how: Literal["clear", "undefine"]
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Declare(Node):
    """A local variable begins: undefined, its bags empty; what cannot be undefined has its smallest value."""

    name: str
    type: Type


@record
class Let(Node):
    """From here to the end of the block the name has this value. A Let whose name is not used still evaluates the value."""

    name: str
    value: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Touch(Node):
    """A place is evaluated, and nothing else: its indices may fail, or an entry may be absent."""

    place: Place
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Branch(Node):
    test: Expr
    body: Block


@record
class If(Node):
    """The first branch whose test holds."""

    branches: tuple[Branch, ...]
    otherwise: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class For(Node):
    binder: Binder
    body: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class While(Node):
    """`before` comes before every evaluation of the test. More than `limit` turns are an error of the model."""

    before: Block
    test: Expr
    body: Block
    limit: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Scope(Node):
    """A block that can be left. Local variables that are declared in it are not used outside."""

    label: str
    body: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Leave(Node):
    """Go on behind the scope."""

    label: str


@record
class Fail(Node):
    """An error of the model: a function ended without a result."""

    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Require(Node):
    """Where the test does not hold the step ends: as the violation of an asserted property, or, without a number, as if it
    had not been possible."""

    test: Expr
    property: int | None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Cover(Node):
    """Where the test holds the property is covered."""

    test: Expr
    property: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Note(Node):
    """Where the test does not hold the property is violated, and the step goes on."""

    test: Expr
    property: int
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Add(Node):
    """A copy of what `source` holds becomes an entry; a full bag is an error of the model."""

    bag: Place
    source: Place
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Remove(Node):
    """The entry at a position; an absent one is an error of the model."""

    bag: Place
    position: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class RemoveAll(Node):
    """All entries whose position satisfies the test, which is evaluated for all of them before."""

    binder: Binder
    test: Expr
    span: Span | None = field(default=None, compare=False, repr=False)


Statement = (
    Assign | Copy | Fill | Declare | Let | Touch | If | For | While | Scope | Leave | Fail | Require | Cover | Note
    | Add | Remove | RemoveAll
)  # fmt: skip
Block = tuple[Statement, ...]


# Programs


@record
class Code(Node):
    """Statements, and an expression that is evaluated after them."""

    before: Block
    value: Expr


@record
class Action(Node):
    """What evaluating the guard changes is forgotten before the body runs. Start states have no guard. `actor`,
    `keeps_control`, `idle`: as in the program's actions."""

    name: str
    parameters: tuple[Binder, ...]
    guard: Code
    body: Block
    actor: int | None = None
    keeps_control: int | None = None
    idle: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Property(Node):
    """`code` is None where statements decide."""

    kind: str
    name: str
    code: Code | None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Variable(Node):
    name: str
    type: Type


@record
class Program(Node):
    """Actions, starts and properties have the numbers of those of the program that this one was made from. `proper_end`:
    what makes a state without steps a proper end, as if it were a property. The variable `control` of a program is one of
    the variables; nothing here mentions it."""

    variables: tuple[Variable, ...]
    starts: tuple[Action, ...]
    actions: tuple[Action, ...]
    properties: tuple[Property, ...]
    proper_end: Property | None = None


def plain_name(name: str) -> str:
    """As the user knows it: without what makes it unique."""
    return name.partition("#")[0].rpartition(".")[2]
