"""What programs, machines and high-level nets have in common: groups that rename elements of sorts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from burnside.diagnostics import Diagnostic, RefusedError, Span, UsageError, option_source
from burnside.kinds import GroupFacts
from burnside.model import ExpressionReader, Model
from burnside.outcome import Dropped
from burnside.request import Request
from burnside.symmetry import Refusal
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
        dropped=dropped(symmetry),
    )


def dropped(symmetry: Restricted) -> tuple[Dropped, ...]:
    return tuple(Dropped(each.what, each.reason, each.line, each.column) for each in symmetry.refused)


def broken_promise(model: Model, refusal: Refusal, name: str) -> RefusedError:
    """The user declared what could not be shown: under a symmetry that does not hold, an answer would be about another
    model."""
    hint = f"--break-symmetry {name} treats its elements as fixed"
    message = f"{refusal.what} could not be shown to be symmetric: {refusal.reason}"
    return RefusedError(model.diagnostic(message, Span(refusal.line, refusal.column), hint))


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
