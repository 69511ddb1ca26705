"""One question put to one model: everything that is settled before the first state is explored, and what is made of the
answer.

In: a `Model` and a `Request`. Out: a `Check`, whose three steps the pipeline calls: `explore`, `judge`, `facts`. `nets`,
`programs` and `machines` are its kinds; nothing else in the pipeline tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from burnside.ir.sets.machine import Machine
from burnside.limits import Deadline
from burnside.model import Model
from burnside.net import Net
from burnside.outcome import Coverage, CutDomain, PropertyResult, Reduction
from burnside.plan import Plan
from burnside.records import field, record
from burnside.report.progress import Progress
from burnside.request import Request

SEARCH_ENDED = (
    "the time for finding symmetries was over; the run went on with those that were certified until then"
)

PARTIAL_ORBITS = (
    "the start states are no whole orbits, so some states of the explored orbits may not be reachable: "
    "the number of full states and the actions that never happen are not known"
)


class Exploration(Protocol):
    """What every engine tells of a run, whatever it explored."""

    @property
    def stopped(self) -> str: ...
    @property
    def states(self) -> int: ...
    @property
    def transitions(self) -> int: ...
    @property
    def initial_states(self) -> int: ...
    @property
    def deadlocks(self) -> int: ...
    @property
    def full_states(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def seconds(self) -> float: ...


@record
class NothingExplored:
    """A run that ended before its first state."""

    stopped: str
    violations: tuple[Any, ...] = ()
    covered: tuple[int, ...] = ()
    seconds: float = 0.0


@record(kw_only=True)
class Facts:
    """What else is known of the model after a run; `orbits_are_whole`: every state of a met orbit can be reached."""

    orbits_are_whole: bool = True
    bounds: Mapping[str, int] | None = None
    largest_total: int | None = None
    dead_actions: tuple[str, ...] | None = None
    coverage: Coverage | None = None
    cut_domains: tuple[CutDomain, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Check(Protocol):
    """See above. `reduction` and `plan` are settled; an exploration is the engine's own, so its type is not said here."""

    @property
    def plan(self) -> Plan: ...
    def reduction(self, exploration: Any) -> Reduction:
        """How strong some methods were is known only afterwards."""
        ...

    def explore(self, progress: Progress, deadline: Deadline) -> Any: ...
    def judge(self, exploration: Any) -> tuple[PropertyResult, ...]: ...
    def facts(self, exploration: Any) -> Facts: ...


def check_of(model: Model, request: Request, deadline: Deadline) -> Check:
    if isinstance(model.subject, Net):
        from burnside.checks.nets import NetCheck

        return NetCheck.prepared(model, request)
    if isinstance(model.subject, Machine):
        from burnside.checks.machines import MachineCheck

        return MachineCheck.prepared(model, request, deadline)
    from burnside.checks.programs import ProgramCheck

    return ProgramCheck.prepared(model, request, deadline)


def kind_of(model: Model) -> Any:
    """The module of the model's kind: `described` and `space_of` are there."""
    if isinstance(model.subject, Net):
        from burnside.checks import nets

        return nets
    if isinstance(model.subject, Machine):
        from burnside.checks import machines

        return machines
    from burnside.checks import programs

    return programs
