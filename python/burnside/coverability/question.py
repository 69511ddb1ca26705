"""What is asked about coverability, in numbers of a net and in the user's names.

In: a net, or a model that was unfolded to one; a request. Out: a `CoverabilityQuestion`. Searches look at the net and the
group alone; `names` are all that a report knows of places and markings, so that a model of another kind can give its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from burnside.coverability.goals import CoverGoal, read_goal
from burnside.diagnostics import Diagnostic, RefusedError
from burnside.kinds.net.semantics import NetSemantics
from burnside.limits import Deadline, search_time
from burnside.net import Net
from burnside.records import record
from burnside.request import Request
from burnside.symmetry.nets import GivenSymmetry, SymmetryScope, core_net, fixed_markings, restricted_group

if TYPE_CHECKING:
    from burnside import _core
    from burnside.coverability.found import OmegaMarking

OMEGA = "ω"


class NetNames(Protocol):
    """How places and markings of the net that is searched are shown. Runs are shown by its semantics."""

    def bounds(self, bounds: Sequence[int | None]) -> Mapping[str, int | None]:
        """By name, given by place; None where a place is unbounded."""
        ...

    def places(self, places: Sequence[int]) -> tuple[str, ...]: ...

    def transitions(self, transitions: Sequence[int]) -> tuple[str, ...]: ...

    def marking(self, marking: OmegaMarking) -> Mapping[str, str]:
        """The marked places."""
        ...


class OwnNames:
    """Those of the net itself."""

    def __init__(self, net: Net) -> None:
        self.net = net

    def bounds(self, bounds: Sequence[int | None]) -> Mapping[str, int | None]:
        return dict(zip(self.net.places, bounds, strict=True))

    def places(self, places: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.net.places[place] for place in places)

    def transitions(self, transitions: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.net.transitions[transition] for transition in transitions)

    def marking(self, marking: OmegaMarking) -> Mapping[str, str]:
        return {
            name: OMEGA if tokens is None else str(tokens)
            for name, tokens in zip(self.net.places, marking, strict=True)
            if tokens != 0
        }


@record(eq=False)
class CoverabilityQuestion:
    """`group`: symmetries that fix the initial marking and keep every goal. `restricted_by`: goals that cost symmetries."""

    net: Net
    semantics: NetSemantics
    names: NetNames
    goals: tuple[CoverGoal, ...]
    handle: _core.Net
    group: _core.Group
    restricted_by: tuple[str, ...]
    is_unfolded: bool = False
    """Is the net what a high-level net unfolds to?"""


def question_of(
    net: Net,
    request: Request,
    names: NetNames | None = None,
    goals: Sequence[CoverGoal] | None = None,
    *,
    given: tuple[GivenSymmetry, ...] = (),
    found: bool = True,
) -> CoverabilityQuestion:
    """`goals`: where they were read already. `given`: symmetries that are known; `found`: are others looked for too?"""
    if goals is None:
        goals = [read_goal(text, net) for text in request.covers]
    handle = core_net(net)
    unused = request.reduce == "none" or request.engine == "reference"
    scope = SymmetryScope(
        fixed_markings(request.fixing, net),
        declared_only=unused or request.symmetry == "declared" or not found,
        given=() if unused else given,
        deadline=search_time(Deadline(request.limits.seconds)),
    )
    restricted = restricted_group(handle, scope, [goal.expression for goal in goals])
    if not restricted.group.fixes(net.initial):
        raise RefusedError(
            Diagnostic(
                "coverability needs symmetries that fix the initial marking: others change what can be reached",
                source="--fixing",
                hint="add --fixing initial",
            )
        )
    return CoverabilityQuestion(
        net=net,
        semantics=NetSemantics(net),
        names=names or OwnNames(net),
        goals=tuple(goals),
        handle=handle,
        group=restricted.group,
        restricted_by=restricted.restricted_by,
    )
