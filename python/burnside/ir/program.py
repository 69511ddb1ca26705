"""A program: sorts, variables, start states, actions, properties. What every typed language is lowered to."""

from __future__ import annotations

from typing import Literal

from burnside.diagnostics import Span
from burnside.ir.expressions import TRUE, Bound, Expression, Variable
from burnside.ir.nodes import Node
from burnside.ir.printouts import Printout
from burnside.ir.promises import Promise
from burnside.ir.statements import Block
from burnside.ir.types import Sort, Type
from burnside.ir.views import View
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

    `actor`: the position of the parameter that is the process which acts, in programs with processes. `keeps_control`: the
    position of the parameter whose process keeps control after the step (see `Program.control`). `idle`: the action is
    enabled only where no action that is not idle can happen.
    """

    name: str
    parameters: tuple[Bound, ...]
    body: Block
    guard: Expression = TRUE
    actor: int | None = None
    keeps_control: int | None = None
    idle: bool = False
    title: str | None = field(default=None, compare=False, repr=False)
    """How instances are shown, with `{0}`, `{1}`, ... for the arguments; None: by name and arguments."""
    prints: tuple[Printout, ...] = field(default=(), compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


PropertyKind = Literal["invariant", "assumption", "assertion", "error", "cover", "goal", "limit"]


@record
class Property(Node):
    """`invariant`: holds in every state. `assumption`: states where it does not are not visited; it is evaluated by the step
    to the state, which fails where that does. `cover`: some state (or `Cover` statement) satisfies it. `goal`: reported
    where it holds. `assertion`, `error`: decided by `Assert` and `Note` statements, so there is no expression. `limit`: also
    decided by statements and lookups; what is violated is not the model but what was assumed when it was laid out (how many
    processes there are, which values a variable takes), so nothing is reported, and the model is laid out anew."""

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
    leads back to itself (Murphi's habit).

    `control`: the variable of the state that holds the process which alone may act, where there is one. Its type is an
    `Optional` of an `Element` or of a `Union` of the sorts of processes, and no statement mentions it. While it holds
    process p only actions whose actor is p are enabled. After a step of an action with `keeps_control` it holds that
    process, if this can do something then that is not idle; after any other step it is undefined. States in which it is
    defined are *transient*: searches go through them without storing or counting them, so a step between stored states may
    be a sequence of actions, and counts as one transition. Properties are judged in stored states only; `Assert` and `Note`
    in every step.

    `proper_end`: a state without steps in which it holds is not a deadlock.

    `counts_impossible`: is a step that an `Assume` statement ends one of the transitions that are counted? Murphi's checkers
    count it; in Promela an assumption is one of several ways through an atomic sequence. `counts_starts`: are start states
    transitions too, as Spin counts them?

    `views`: how states are shown; they are no part of what a program means, and neither are `promises` about it."""

    name: str
    sorts: tuple[Sort, ...]
    variables: tuple[Variable, ...]
    starts: tuple[Action, ...]
    actions: tuple[Action, ...]
    properties: tuple[Property, ...] = ()
    functions: tuple[Function, ...] = ()
    stuttering: bool = False
    range_names: tuple[RangeName, ...] = ()
    control: Variable | None = None
    proper_end: Expression | None = None
    counts_impossible: bool = True
    counts_starts: bool = False
    views: tuple[View, ...] = field(default=(), compare=False, repr=False)
    promises: tuple[Promise, ...] = field(default=(), compare=False, repr=False)
