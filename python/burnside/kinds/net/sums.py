"""How many tokens some places hold together at most: the contest's upper bounds.

In: a net, sets of places. Out: for each the largest number in a reachable marking, exact where all markings were explored,
else the largest that was seen. Markings are explored under the symmetries that keep every sum, so one of each orbit is
enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from burnside.engine import settings_of
from burnside.exploration import LargestSums
from burnside.kinds.net import NetQuestion
from burnside.languages.net_expressions import Expression, conditions
from burnside.limits import Deadline
from burnside.model import Model
from burnside.outcome import Reduction
from burnside.plan import PlanInputs, choose
from burnside.progress import Progress
from burnside.records import replace
from burnside.request import Request


def largest_sums(
    model: Model, request: Request, sums: Sequence[Sequence[int]], deadline: Deadline, progress: Progress
) -> LargestSums:
    """Of places by number."""
    asked = replace(request, invariants=(), goals=(), safe=False, deadlock=False, keep_going=True)
    question = deadline.run(lambda: NetQuestion(model, asked, sums=tuple(_sum(each) for each in sums)))
    plan = choose(asked, PlanInputs(acting_order=question.group.acting_order))
    compiled = question.compiled()
    found = compiled.explore(plan, settings_of(asked, deadline, deadlock=False), progress)
    numbers: list[int] = [] if found.core is None else found.core.facts["sums"]
    # A sum that was always 0 may not have been recorded.
    numbers = [*numbers, *[0] * (len(sums) - len(numbers))]
    group = question.group
    reduction = Reduction(
        name=plan.method,
        strength=plan.strength,
        group_order=group.order,
        generators=group.generators,
        complete=group.complete,
        restricted_by=group.restricted_by,
        reason=plan.reason,
    )
    return LargestSums(
        tuple(numbers), found.stopped, found.states, found.transitions, found.seconds, reduction
    )


def _sum(places: Sequence[int]) -> Expression:
    """As a comparison, by which symmetries are certified to keep the sum."""
    terms: dict[int, int] = {}
    for place in places:
        terms[place] = terms.get(place, 0) + 1
    core = ("<=", sorted(terms.items()), 0)
    return Expression(f"a sum of {len(places)} places", core, conditions.places(core))
