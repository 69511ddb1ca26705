"""What operations do: substitutions, B's statements.

A substitution turns a valuation of names (the machine's variables and local names) into any number of others; into none
where it is *not possible*. A substitution reads the values from before it, and writes; `Sequence` lets the next one read
what the last one wrote, `Parallel` does not. Writing one name twice in parallel is an error of the model.

Undefined expressions: in the condition of `Choose` and of a branch of `Alternatives` they count as false, so what they guard
is not possible there. Anywhere else they are an error of the model, which is reported with a trace.
"""

from __future__ import annotations

from burnside.diagnostics import Span
from burnside.ir.nodes import Node
from burnside.ir.sets.expressions import Expression, Name
from burnside.records import field, record


@record
class Assign(Node):
    """All values are computed first. `f(x) := E` is `f := f <+ {x |-> E}`."""

    names: tuple[Name, ...]
    values: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Parallel(Node):
    """No parts: `skip`."""

    parts: tuple[Substitution, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Sequence(Node):
    parts: tuple[Substitution, ...]


@record
class Choose(Node):
    """Any values of the (new, local) names that satisfy the condition: `ANY`, `LET`, and with an assignment as body `::`
    and `:(P)`."""

    names: tuple[Name, ...]
    condition: Expression
    body: Substitution
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Branch(Node):
    condition: Expression
    body: Substitution


@record
class Alternatives(Node):
    """Any branch whose condition holds (`SELECT`; `CHOICE` with conditions that hold). Where none does: `otherwise`, or,
    without it, the substitution is not possible."""

    branches: tuple[Branch, ...]
    otherwise: Substitution | None = None
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class If(Node):
    """The first branch whose condition holds, else `otherwise`."""

    branches: tuple[Branch, ...]
    otherwise: Substitution
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Demand(Node):
    """`condition` has to hold, or it is an error of the model: `ASSERT` ("assertion"), and a precondition of an operation
    that another one calls ("precondition")."""

    kind: str
    condition: Expression
    body: Substitution
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Local(Node):
    """Names that have no value until they are assigned (`VAR`). Reading one before that is an error of the model."""

    names: tuple[Name, ...]
    body: Substitution


@record
class While(Node):
    """The invariant has to hold before each turn and after the last one; the variant has to be a natural number that each
    turn makes smaller. Else it is an error of the model; so every loop ends."""

    test: Expression
    body: Substitution
    invariant: Expression
    variant: Expression
    span: Span | None = field(default=None, compare=False, repr=False)


Substitution = Assign | Parallel | Sequence | Choose | Alternatives | If | Demand | Local | While
SKIP = Parallel(())
