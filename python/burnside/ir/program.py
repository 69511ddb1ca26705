"""A program: sorts, variables, start states, actions, properties. What every typed language is lowered to."""

from __future__ import annotations

from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.expressions import TRUE, Bound, Expression, Variable
from burnside.ir.nodes import Node
from burnside.ir.statements import Block
from burnside.ir.types import Sort, Type
from burnside.records import field, record


@record
class Parameter(Node):
    """By reference, the argument is a place, and may be changed."""

    variable: Variable
    by_reference: bool


@record
class Function(Node):
    """`result` is None for a procedure. Functions may change the state; none calls itself, not even through others.
    Coming to the end without a result is an error of the model."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Type | None
    body: Block
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Action(Node):
    """Once for each valuation of the parameters: where the guard holds, the body may happen.

    A parameter's domain may mention earlier parameters. Start states are actions too, run on a state in which everything
    is undefined; their guards hold.
    """

    name: str
    parameters: tuple[Bound, ...]
    body: Block
    guard: Expression = TRUE
    span: Span | None = field(default=None, compare=False, repr=False)


PropertyKind = Literal["invariant", "assumption", "assertion", "error", "cover", "goal"]


@record
class Property(Node):
    """`invariant`: holds in every state. `assumption`: states where it does not are not visited; it is evaluated by the step
    to the state, which fails where that does. `cover`: some state (or `Cover` statement) satisfies it. `goal`: reported
    where it holds. `assertion`, `error`: decided by `Assert` statements, so there is no expression."""

    kind: PropertyKind
    name: str
    expression: Expression | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class RangeName:
    """What the user calls a range of numbers."""

    name: str
    low: int
    high: int


@record
class Program(Node):
    """`variables` are those of the state, in the user's order. `stuttering`: a state is dead also where everything it can do
    leads back to itself (Murphi's habit)."""

    name: str
    sorts: tuple[Sort, ...]
    variables: tuple[Variable, ...]
    starts: tuple[Action, ...]
    actions: tuple[Action, ...]
    properties: tuple[Property, ...] = ()
    functions: tuple[Function, ...] = ()
    stuttering: bool = False
    range_names: tuple[RangeName, ...] = ()
