"""How many tokens some places hold together at most: the contest's upper bounds.

In: a net of either kind, sets of places. Out: for each the largest number in a reachable marking, exact where all markings
were explored, else the largest that was seen. Markings are explored under symmetries that keep every sum, so one of each
orbit is enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.engine import settings_of
from burnside.exploration import LargestSums
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.outcome import Reduction
from burnside.plan import PlanInputs, after, choose
from burnside.progress import Progress
from burnside.records import replace
from burnside.request import Request


def largest_sums(
    model: Model, request: Request, sums: Sequence[Sequence[int]], deadline: Deadline, progress: Progress
) -> LargestSums:
    """Of places by number."""
    asked = replace(request, invariants=(), goals=(), safe=False, deadlock=False, keep_going=True)
    question = deadline.run(lambda: kind_of(model.subject).sums_question(model, asked, sums, deadline))
    group = question.group
    plan = choose(asked, PlanInputs(acting_order=group.acting_order, typed=group.typed))
    compiled = question.compiled()
    assert compiled is not None
    with question.explained():
        settings = settings_of(asked, deadline, deadlock=False, gives_up=plan.gives_up)
        found = compiled.explore(plan, settings, progress)
    plan = after(plan, found.change)
    numbers = question.found_sums(found)
    reduction = Reduction(
        name=plan.method,
        strength=plan.strength,
        group_order=group.order,
        generators=group.generators,
        complete=group.complete,
        restricted_by=group.restricted_by,
        reason=plan.reason,
        changes=() if found.change is None else (found.change,),
    )
    return LargestSums(
        tuple(numbers), found.stopped, found.states, found.transitions, found.seconds, reduction
    )
