"""What programs and machines have in common: groups that rename elements of sorts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from burnside.diagnostics import Diagnostic, UsageError, option_source
from burnside.kinds import GroupFacts
from burnside.model import ExpressionReader, Model
from burnside.outcome import Dropped
from burnside.request import Request
from burnside.symmetry.elements import ElementSymmetry

if TYPE_CHECKING:
    from burnside import _core

SEARCH_ENDED = (
    "the time for finding symmetries was over; the run went on with those that were certified until then"
)


class Restricted(ElementSymmetry, Protocol):
    @property
    def restricted_by(self) -> tuple[str, ...]: ...


def group_facts(symmetry: Restricted, group: _core.ElementGroup) -> GroupFacts:
    return GroupFacts(
        order=group.order,
        acting_order=group.order,
        generators=len(symmetry.generators),
        complete=symmetry.complete,
        restricted_by=symmetry.restricted_by,
        dropped=tuple(Dropped(each.what, each.reason, each.line, each.column) for each in symmetry.refused),
    )


def action_orbits(symmetry: ElementSymmetry, actions: int) -> Sequence[Sequence[int]]:
    from burnside.reference.permutations import point_orbits

    return point_orbits([each.actions for each in symmetry.generators], actions)


def asked_conditions(model: Model, request: Request) -> list[tuple[str, str, Any]]:
    """The invariants and goals of a request: kind, text, and what the model's language makes of the text."""
    asked = [("invariant", "--invariant", text) for text in request.invariants]
    asked += [("goal", option, text) for option, text in request.all_goals]
    if not asked:
        return []
    reader = expressions_of(model)
    return [(kind, text, reader.condition(option_source(option, text))) for kind, option, text in asked]


def expressions_of(model: Model) -> ExpressionReader:
    if model.expressions is None:
        what = type(model.subject).__name__.lower()
        raise UsageError(Diagnostic(f"a {what} that was built has no language to read conditions in"))
    return model.expressions
