"""The result of a run of an engine: one record for the core and for the reference engine.

In: counts and claims, in the numbers of `semantics` and in states and labels of the model. Out: an `Exploration`, of which
`checking` makes an outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnside.records import field, record
from burnside.semantics import CutName, Failure

if TYPE_CHECKING:
    from burnside import _core
    from burnside.outcome import Change, Reduction


@record
class ClaimedTrace:
    """A violation as an engine claims it: labels with the states they lead to, from the start on, and the label that fails
    in the last of them. `failure` is what goes wrong, where the engine knows; a model without any start has nothing else."""

    steps: Sequence[tuple[Any, Any]]
    failing: Any = None
    failure: Failure | None = field(default=None, compare=False)

    @property
    def is_missing_start(self) -> bool:
        """Is it wrong that there is no start at all? No trace shows that."""
        return not self.steps and self.failing is None and self.failure is not None


@record(kw_only=True)
class Exploration:
    """Counts as in `Outcome`. A run that ended before its first state has nothing but `stopped`."""

    stopped: str
    states: int = 0
    transitions: int = 0
    initial_states: int = 0
    deadlocks: int | None = 0
    full_states: int | None = None
    depth: int = 0
    expanded: int = 0
    """States whose successors are known."""
    seconds: float = 0.0
    claims: Mapping[int, ClaimedTrace] = field(default={})
    """By property; of each the first."""
    violating: Mapping[int, int] = field(default={})
    """By property: how many stored states violate it (goals: satisfy)."""
    covered: frozenset[int] = frozenset()
    """Properties of kind `cover` that are satisfied somewhere."""
    firings: Sequence[int] = ()
    """By action: how often it was enabled in the explored states."""
    cut_names: Sequence[CutName] = ()
    """Names of which not all values were tried, because nothing bounds them."""
    self_checked: int = 0
    """States on which the self-check was made."""
    self_check_generators: tuple[int, int] = (0, 0)
    """Under how many generators each, of how many."""
    stored: Sequence[Any] = field(default=(), repr=False)
    """The states themselves, where the engine keeps them in the open; with the sizes of their orbits."""
    orbit_sizes: Sequence[int] = field(default=(), repr=False)
    change: Change | None = None
    """Where the run gave up reducing."""
    unlifted: frozenset[int] = frozenset()
    """Violated properties for which a limit left no time to find a run."""
    core: _core.Exploration | None = field(default=None, repr=False)
    """What else the core counts."""


@record
class LargestSums:
    """How many tokens sets of places hold at most. `stopped` as in `Outcome`: `exhausted` where the numbers are exact."""

    numbers: tuple[int, ...]
    stopped: str
    states: int
    transitions: int
    seconds: float
    reduction: Reduction
