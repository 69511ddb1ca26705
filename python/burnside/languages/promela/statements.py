"""Basic statements of Promela, resolved: what a transition of a flow graph does. Control is in the graphs alone.

A statement is executable or not in a state, and has its effect in one step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from burnside.languages.promela.expressions import Expression, Pattern, Reference
from burnside.languages.shared.spans import Extent
from burnside.records import record

if TYPE_CHECKING:
    from burnside.languages.promela.flow import StepGraph


@record(eq=False, repr=False)
class Condition:
    """Executable where the value is not 0. Also `skip` (`Number` 1), `run` as a statement, and `timeout`."""

    at: Extent
    test: Expression


@record(eq=False, repr=False)
class Else:
    """Executable where no transition of the same state that comes before it is, in the order of `Graph.leaving`: those of
    its own selection do, and so do options before it of a selection around that one; options behind it do not matter."""

    at: Extent
    beside_channels: bool
    """Some alternative sends or receives: Spin reads it, and says that it is dubious."""


@record(eq=False, repr=False)
class Assignment:
    """Always executable, as are all below up to `Receive`. The value may be a `Run`. Both sides are scalars."""

    at: Extent
    target: Reference
    value: Expression


@record(eq=False, repr=False)
class Assertion:
    """An error where the value is 0."""

    at: Extent
    test: Expression


@record(eq=False, repr=False)
class Print:
    """`printf(format, ...)` and `printm(x)` (which has the format "%e"); no effect, but the arguments are evaluated."""

    at: Extent
    format: str
    arguments: tuple[Expression, ...]


@record(eq=False, repr=False)
class SetPriority:
    at: Extent
    pid: Expression
    priority: Expression


@record(eq=False, repr=False)
class Send:
    """`q!...`, `q!!...`: executable where the channel is not full, or where another process takes part in the rendezvous.
    Fields of the channel for which there is no value get 0; values for which there is no field are lost (Spin refuses only
    what is more than any channel of the model has)."""

    at: Extent
    channel: Reference
    sorted: bool
    """`!!`: before the first message that is greater."""
    values: tuple[Expression, ...]


@record(eq=False, repr=False)
class Receive:
    """`q?...`, `q??...`, `q?<...>`, `q??<...>`. There may be fewer patterns than fields: the others are ignored."""

    at: Extent
    channel: Reference
    anywhere: bool
    """`??`: the first message that matches, else the first message."""
    keeps: bool
    """`<...>`: the message stays in the channel."""
    patterns: tuple[Pattern, ...]


@record(eq=False, repr=False)
class Jump:
    """A step that only moves on: a `goto`, `break` or end of a selection that Spin does not elide, or the declaration of a
    struct behind the first statement."""

    at: Extent


@record(eq=False, repr=False)
class DeterministicStep:
    """`d_step`: executable where its first statement is (for a selection: where one of its guards is); then all of
    `graph` in one step. Blocking further inside is an error."""

    at: Extent
    graph: StepGraph


@record(eq=False, repr=False)
class End:
    """The end of a process, `-end-`: it dies, once it is the youngest one. Of a never claim: the claim is violated."""

    at: Extent


Statement = (
    Condition | Else | Assignment | Assertion | Print | SetPriority | Send
    | Receive | Jump | DeterministicStep | End
)  # fmt: skip
