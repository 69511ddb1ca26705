"""Which way a high-level net is explored: directly, or unfolded to a place/transition net.

In: the net, its symmetries, what is asked. Out: its unfolding where that is explored, and the reason in one sentence.

Without a word of the user it is the unfolded net where that has at most LARGE transitions (SMALL where the evaluator has to
find them) and either there is nothing to reduce by, or its places are at most CROWDED times as many as the tokens at the
start, and the group has at most as many elements as there are pairs of places. Firing is faster there; canonical forms look
at every place, directly only at the tokens. Measured in docs/high-level-nets.md, "How auto chooses".
"""

from __future__ import annotations

from burnside.diagnostics import LimitError, UnsupportedError
from burnside.ir.highlevel.net import HighLevelNet
from burnside.limits import Deadline
from burnside.model import Model
from burnside.plan import unfit_for_unfolding
from burnside.records import record
from burnside.request import Request
from burnside.symmetry.elements import element_group
from burnside.symmetry.highlevel import HighLevelSymmetry
from burnside.unfolding import Limits, Unfolded, is_known_to_core, unfold
from burnside.unfolding.conditions import NotLinear

LARGE = 20_000
"""Transitions up to which an unfolding is looked at without being asked for: less than a tenth of a second."""
SMALL = 2_000
"""The same where the evaluator finds some of them."""
CROWDED = 4
"""Places for each token up to which reduced exploration of the unfolded net is not slower."""

_KEPT = "unfolding"


@record(eq=False)
class Route:
    """`unfolded` is None where the net is explored directly."""

    unfolded: Unfolded | None
    reason: str

    def without_unfolding(self, why: NotLinear, model: Model, request: Request) -> Route:
        """Where a condition cannot be asked of the unfolded net: directly, unless the user wants it unfolded."""
        if is_wanted(request):
            hint = "without --unfold the net is explored directly"
            raise UnsupportedError(
                model.diagnostic(f"this cannot be asked of the unfolded net: {why.reason}", why.span, hint)
            )
        return Route(None, f"directly: {why.reason}")

    @property
    def described(self) -> dict[str, object]:
        """As a fact of a run."""
        name = "direct" if self.unfolded is None else "unfolded"
        found: dict[str, object] = {"name": name, "reason": self.reason}
        if self.unfolded is not None:
            net = self.unfolded.net
            found |= {"places": len(net.places), "transitions": len(net.transitions)}
        return found


def is_wanted(request: Request) -> bool:
    return bool(request.unfold) or request.automorphisms


def route_of(model: Model, symmetry: HighLevelSymmetry, request: Request, deadline: Deadline) -> Route:
    if request.engine == "reference":
        return Route(None, "directly, as the reference engine does")
    if request.unfold is False:
        return Route(None, "directly: asked for")
    if is_wanted(request):
        return Route(unfolding_of(model, None, deadline), "unfolded: asked for")
    unfit = unfit_for_unfolding(request)
    if unfit is not None:
        return Route(None, f"directly: {unfit[1]}")
    net = model.subject
    assert isinstance(net, HighLevelNet)
    most = LARGE if is_known_to_core(net) else SMALL
    try:
        unfolded = unfolding_of(model, most, deadline)
    except LimitError:
        return Route(None, f"directly: the unfolding has more than {most:,} transitions")
    return _measured(unfolded, symmetry)


def _measured(unfolded: Unfolded, symmetry: HighLevelSymmetry) -> Route:
    places, tokens = len(unfolded.net.places), sum(unfolded.net.initial)
    many = _amount(len(unfolded.net.transitions), "transition")
    if not symmetry.generators:
        return Route(unfolded, f"unfolded: a net of only {many}, and no symmetry is reduced by")
    compared = f"{_amount(places, 'place')} for {_amount(tokens, 'token')} at the start"
    if places > CROWDED * tokens:
        return Route(None, f"directly: the unfolding has {compared}")
    if element_group(symmetry).order > places**2:
        return Route(
            None,
            f"directly: the group has more elements than the unfolding has pairs of places ({places:,} places)",
        )
    return Route(unfolded, f"unfolded: a net of only {many}, with {compared}")


def _amount(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def unfolding_of(model: Model, transitions: int | None, deadline: Deadline) -> Unfolded:
    """Kept with the net, which never changes. LimitError where it has more transitions than asked for, or than `unfold`
    makes at most."""
    net = model.subject
    assert isinstance(net, HighLevelNet)
    known: Unfolded | LimitError | None = vars(net).get(_KEPT)
    limits = Limits() if transitions is None else Limits(transitions)
    if isinstance(known, Unfolded) and (transitions is None or len(known.net.transitions) <= transitions):
        return known
    if isinstance(known, LimitError) and transitions is not None:
        raise known
    try:
        found = unfold(net, limits, source=model.name, deadline=deadline)
    except LimitError as error:
        vars(net)[_KEPT] = error
        raise
    vars(net)[_KEPT] = found
    return found
