"""High-level nets: what is asked of them, their symmetries, and how they cross into the core."""

from __future__ import annotations

from collections.abc import Sequence

from burnside.ir.highlevel.net import Claim, HighLevelNet
from burnside.ir.highlevel.values import SortImages
from burnside.kinds import GroupFacts, Question, deadlock_is_asked
from burnside.kinds.highlevel.semantics import HighLevelSemantics
from burnside.kinds.typed import asked_conditions
from burnside.limits import Deadline
from burnside.model import Model
from burnside.plan import refuse_for_machines
from burnside.request import Request


def question(model: Model, request: Request, deadline: Deadline) -> HighLevelQuestion:
    refuse_for_machines(request)
    return HighLevelQuestion(model, request)


def check_built(subject: HighLevelNet) -> None:
    from burnside.ir.highlevel.checking import check_net

    check_net(subject)


def semantics_of(subject: HighLevelNet) -> HighLevelSemantics:
    return HighLevelSemantics(subject)


class HighLevelQuestion(Question):
    """The net with the asked-for conditions among its own, and its certified group."""

    def __init__(self, model: Model, request: Request) -> None:
        assert isinstance(model.subject, HighLevelNet)
        self.model, self.net = model, model.subject
        conditions = [Claim(kind, text, term) for kind, text, term in asked_conditions(model, request)]
        self._semantics = HighLevelSemantics(self.net, conditions, deadlock=deadlock_is_asked(model, request))
        self.properties, self.actions = self._semantics.properties, self._semantics.actions
        self.group = GroupFacts(order=1, acting_order=1, generators=0, complete=False)

    @property
    def semantics(self) -> HighLevelSemantics:
        return self._semantics

    def generators(self) -> Sequence[SortImages]:
        return []
