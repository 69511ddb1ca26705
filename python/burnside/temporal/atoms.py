"""What the atoms of a formula say, as data that both engines take.

In: what readers of the kinds make of texts. Out: `Proposition`s. A `NextAction` speaks of the step that a run takes next,
all others of a state. Expressions are those of the kind of model: `languages.net_expressions.Expression` of a net,
`ir.expressions.Expression` of a program, `ir.sets.expressions.Expression` of a machine. Atoms of a quantified
formula mention the names of its binders, until values are put in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from burnside.diagnostics import Span
from burnside.records import field, record


@record
class ActionPattern:
    """Instances of one action, by its number among the `actions` of the model's semantics. `arguments` has an expression
    without variables of the state for each parameter, and None for a parameter that may have any value; it is None where all
    instances are meant. Results of operations are no arguments."""

    action: int
    arguments: tuple[Any, ...] | None = None


Patterns = tuple[ActionPattern, ...]
"""An instance of any of them. In Murphi, several rules may have one name."""


@record
class Condition:
    """A condition on the state. Where it has no value the model is wrong: that is a `Failure`, and no answer."""

    expression: Any
    text: str = field(compare=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@record
class Enabled:
    """Some instance can happen, and leads to a state."""

    patterns: Patterns
    text: str = field(compare=False)


@record
class NextAction:
    """The next step of the run is an instance. At the end of a finite run there is no next step."""

    patterns: Patterns
    text: str = field(compare=False)


@record
class Dead:
    """No step leads to a state: runs end here."""

    text = "deadlock"


@record
class Sink:
    """No step leads to another state. Runs end here or stay for ever."""

    text = "sink"


@record
class Initial:
    """Runs begin here, maybe others come back to it."""

    text = "initial"


Proposition = Condition | Enabled | NextAction | Dead | Sink | Initial


@record
class Binder:
    """A quantified name. `name` is unique among the names of the model and stands for it in expressions, `written` is the
    user's. Values are numbers: positions in a sort, 0 and 1 for truth values; `show` says what users call them."""

    name: str
    written: str
    type: Any
    values: Sequence[int] = field(repr=False)
    show: Callable[[int], str] = field(compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)


@record(kw_only=True)
class Fairness:
    """The assumption that an action happens again and again if it can happen at all positions from some one on (`weak`), or
    at infinitely many (`strong`). Finite runs are fair.

    `patterns`: the instances that are meant; None: all. `each`: the assumption is made of each instance by itself (in ProB
    where arguments are written, `_` included); otherwise of all together: when some can happen, some must.

    `positions`: of each action, which of its parameters says whose step it is; where that is not None, the assumption is
    made of each value of it, over all actions that have one: of a process, whatever it does. `partners`: of each action,
    parameters whose values take part in its steps, which satisfies the assumption for them too, but cannot take such a step
    by themselves: receivers in a rendezvous."""

    strength: Literal["weak", "strong"]
    patterns: Patterns | None
    each: bool
    text: str = field(compare=False)
    positions: tuple[int | None, ...] = ()
    partners: tuple[tuple[int, ...], ...] = ()

    @property
    def parameters(self) -> tuple[tuple[int, int], ...]:
        """Actions with such a parameter, and its position."""
        own = [(action, at) for action, at in enumerate(self.positions) if at is not None]
        return (*own, *((action, at) for action, several in enumerate(self.partners) for at in several))
