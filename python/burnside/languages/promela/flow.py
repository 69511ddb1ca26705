"""Flow graphs: the control of a process, as Spin's verifier has it (`pan -d`, without its optimisations `-o1 -o2 -o3`).

States have the numbers that Spin gives them. Only states that can be reached in the graph are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from burnside.languages.promela.statements import Statement
from burnside.languages.shared.spans import Extent
from burnside.records import field, record


@record
class State:
    """A point of control. Marks come from the names of labels: `end...`, `progress...`, `accept...`."""

    number: int
    labels: tuple[str, ...]
    is_end: bool
    """A process may stay here for ever: a label says so, or its code is at its end."""
    is_progress: bool
    is_accepting: bool


@record(eq=False, repr=False)
class Transition:
    """One step of the process from `source` to `target`; `target` 0 is where a process is gone (behind `End`)."""

    source: int
    target: int
    statement: Statement
    keeps_control: bool
    """A: no other process may run before the next step of this one, unless that step is blocked (`atomic`)."""
    escape: int = 0
    """0, or a number that is the same for all guards of one `unless`. The transitions of a state are in groups by this
    number; only the first group with an executable transition can be taken. Those of group 0 are the last."""
    identity: int = field(default=0)
    """Of the statement in the text: a statement that is reached from several states is several transitions."""


@record(eq=False, repr=False)
class Graph:
    """In: the body of a process. `leaving` gives the transitions of a state, in Spin's order."""

    entry: int
    states: Mapping[int, State]
    transitions: tuple[Transition, ...]
    labels: Mapping[str, int]
    """The state that a remote reference `P@label` means. It need not be among `states`: then it is never occupied."""

    @cached_property
    def _by_source(self) -> Mapping[int, tuple[Transition, ...]]:
        found: dict[int, list[Transition]] = {number: [] for number in self.states}
        for each in self.transitions:
            found[each.source].append(each)
        return {number: tuple(several) for number, several in found.items()}

    def leaving(self, state: int) -> tuple[Transition, ...]:
        return self._by_source[state]


@record(eq=False, repr=False)
class StepTransition:
    """As `Transition`, inside a d_step. `target` None is the end of the d_step."""

    source: int
    target: int | None
    statement: Statement


@record(eq=False, repr=False)
class StepGraph:
    """The inside of a d_step: from `entry`, at every state the first executable transition in the order of `leaving`, until
    a target is None. It may have loops. Statements are basic: no `DeterministicStep`, no `End`."""

    at: Extent
    entry: int
    transitions: tuple[StepTransition, ...]

    @cached_property
    def _by_source(self) -> Mapping[int, tuple[StepTransition, ...]]:
        found: dict[int, list[StepTransition]] = {}
        for each in self.transitions:
            found.setdefault(each.source, []).append(each)
        return {number: tuple(several) for number, several in found.items()}

    def leaving(self, state: int) -> tuple[StepTransition, ...]:
        return self._by_source[state]
