"""Resolved expressions of Promela: every name is its declaration, every struct argument is written out as its scalars.

Values are C's: 32-bit integers in every operation, truncated to the width of a variable only where they are stored
(`types.ScalarType.wraps`). `!`, comparisons, `&&` and `||` give 0 or 1; `&&`, `||` and conditionals evaluate lazily.
Nodes have `at`, their place in the text: for what a macro wrote, the place of its use; for what an inline wrote, the
place in its definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from burnside.languages.promela.types import Field, Type, Variable
from burnside.languages.shared.spans import Extent
from burnside.records import field_names, record


@record(eq=False, repr=False)
class Number:
    """A constant: a number, `true`, `false`, `skip`, or a symbol of an mtype with its number."""

    at: Extent
    value: int
    symbol: str | None = None
    """The name of an mtype constant."""


@record(eq=False, repr=False)
class FieldAccess:
    """`.field` or `.field[index]`; a field that is no array has no index."""

    at: Extent
    field: Field
    index: Expression | None


@record(eq=False, repr=False)
class Reference:
    """A variable, its element, or what is inside it: `v`, `v[i]`, `v.f`, `v[i].f[j].g`.

    As an expression it is the value there. It is always a scalar, and an array always has an index. Assigning to `_`
    has no effect but the evaluation; it is never read."""

    at: Extent
    variable: Variable
    index: Expression | None = None
    path: tuple[FieldAccess, ...] = ()

    @property
    def type(self) -> Type:
        return self.path[-1].field.type if self.path else self.variable.type


PredefinedName = Literal["_pid", "_nr_pr", "_last", "_priority", "np_", "timeout"]


@record(eq=False, repr=False)
class Predefined:
    """A value of the system or of the process that evaluates: `timeout` is 1 where no process has an executable
    statement, `np_` is 1 where no process is at a progress label."""

    at: Extent
    name: PredefinedName


@record(eq=False, repr=False)
class Unary:
    at: Extent
    operator: Literal["!", "-", "~"]
    operand: Expression


BinaryOperator = Literal[
    "+", "-", "*", "/", "%", "&", "^", "|", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>"
]


@record(eq=False, repr=False)
class Binary:
    at: Extent
    operator: BinaryOperator
    left: Expression
    right: Expression


@record(eq=False, repr=False)
class Conditional:
    """`(test -> then : otherwise)`."""

    at: Extent
    test: Expression
    then: Expression
    otherwise: Expression


@record(eq=False, repr=False, frozen=False)
class Run:
    """Creates a process; its value is the new pid, or 0 where there are 255 already. `process` names a proctype of the
    model. There is one argument for each scalar of each parameter (`places.scalars`); where the text has fewer, Spin's 0
    is here. At most one in an expression, and not in a d_step."""

    at: Extent
    process: str
    arguments: tuple[Expression, ...]
    priority: int | None


@record(eq=False, repr=False)
class ChannelQuery:
    """`len` is a number, the others are 0 or 1. For a rendezvous channel: `len` is 0."""

    at: Extent
    operator: Literal["len", "empty", "nempty", "full", "nfull"]
    channel: Reference


@record(eq=False, repr=False)
class Stored:
    """A place in a receive that takes what comes. In a poll, it matches anything."""

    at: Extent
    target: Reference


@record(eq=False, repr=False)
class Matched:
    """A place in a receive that must be equal: a constant, or `eval(expression)`."""

    at: Extent
    value: Expression


@record(eq=False, repr=False)
class Ignored:
    """`_`."""

    at: Extent


Pattern = Stored | Matched | Ignored


@record(eq=False, repr=False)
class Poll:
    """`q?[m, x]`, `q??[m, x]`: whether the receive could be executed, without executing it. There may be fewer patterns
    than the channel has fields: the others are ignored."""

    at: Extent
    channel: Reference
    anywhere: bool
    """`??`: some message of the channel, not only the first."""
    patterns: tuple[Pattern, ...]


@record(eq=False, repr=False)
class Enabled:
    """`enabled(pid)`; `pc_value(pid)`; `get_priority(pid)`."""

    at: Extent
    function: Literal["enabled", "pc_value", "get_priority"]
    operand: Expression


@record(eq=False, repr=False)
class RemoteLabel:
    """`P[pid]@label`, or `P@label` where `pid` is None (the one instance, else the first): 1 where that process is at the
    state `labels[label]` of the graph of `process`."""

    at: Extent
    process: str
    pid: Expression | None
    label: str


@record(eq=False, repr=False)
class RemoteVariable:
    """`P[pid]:variable`, `P:variable`. `place` is over the locals of that process; an index is evaluated here."""

    at: Extent
    process: str
    pid: Expression | None
    place: Reference


Expression = (
    Number | Reference | Predefined | Unary | Binary | Conditional | Run | ChannelQuery | Poll | Enabled | RemoteLabel
    | RemoteVariable
)  # fmt: skip


# Formulas of linear temporal logic


@record(eq=False, repr=False)
class Atom:
    """A condition on states: no temporal operator is inside. It holds where its value is not 0."""

    at: Extent
    condition: Expression


@record(eq=False, repr=False)
class Temporal:
    """An operator over formulas, in one spelling: `[]`, `<>`, `X`, `!` of one; `U`, `V` (release), `W` (weak until), `&&`,
    `||`, `->`, `<->` of two."""

    at: Extent
    operator: Literal["[]", "<>", "X", "!", "U", "V", "W", "&&", "||", "->", "<->"]
    operands: tuple[Formula, ...]


Formula = Atom | Temporal


def children(node: Expression | Formula | Pattern | FieldAccess) -> Iterator[Any]:
    """The expressions, formulas, patterns and steps right below a node."""
    for name in field_names(node):
        value = getattr(node, name)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Expression | Formula | Pattern | FieldAccess):
                yield each
