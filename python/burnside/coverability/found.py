"""What a search found, whichever engine made it: plain numbers of the net.

In: the core's answers, or the reference engine's. Out: a `Found` for the forward search, a `BackwardFound` for each goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from burnside.engine import default_memory
from burnside.limits import Deadline, OutOfTime, stopped_by
from burnside.records import record

if TYPE_CHECKING:
    from burnside.coverability.question import CoverabilityQuestion
    from burnside.progress import Progress
    from burnside.request import Request

OmegaMarking = Sequence[int | None]
"""By place; None is omega."""


@record(kw_only=True)
class Found:
    """`markings`: the maximal omega-markings, of each orbit one. `goals`: which were found. `runs`: to these, where they can
    be written out. `pump`: a run, and the step from which on it can be repeated. `bounds` and `upper_bounds` by place: the
    largest number found, and what invariants say."""

    stopped: str
    markings: Sequence[OmegaMarking]
    bounds: OmegaMarking
    upper_bounds: Sequence[int | None]
    firings: Sequence[int]
    pump: tuple[Sequence[int], int] | None
    goals: Sequence[bool]
    runs: Sequence[Sequence[int] | None]
    entered: int
    transitions: int
    depth: int
    searches: int = 0
    given_up: int = 0
    store_bytes: int | None = None
    seconds: float


@record(kw_only=True)
class BackwardFound:
    stopped: str
    run: Sequence[int] | None
    markings: int
    steps: int
    seconds: float


def forward(
    question: CoverabilityQuestion, request: Request, deadline: Deadline, progress: Progress
) -> Found:
    if request.engine == "reference":
        return _forward_by_reference(question, request, deadline)
    from burnside import _core

    found = _core.coverability(
        question.handle,
        question.group,
        [goal.expression.core for goal in question.goals],
        order="dfs" if request.order == "dfs" else "bfs",
        goals_only=not request.bounded and not request.keep_going,
        max_states=request.limits.states,
        max_seconds=deadline.left,
        max_memory=request.limits.memory_bytes or default_memory(),
        progress=progress.update if progress.wanted else None,
    )
    return Found(
        stopped=found.stopped,
        markings=found.markings,
        bounds=found.bounds,
        upper_bounds=found.upper_bounds,
        firings=found.firings,
        pump=found.pump,
        goals=found.found,
        runs=found.runs,
        entered=found.entered,
        transitions=found.transitions,
        depth=found.depth,
        searches=found.searches,
        given_up=found.given_up,
        store_bytes=found.store_bytes,
        seconds=found.seconds,
    )


def backward(
    question: CoverabilityQuestion, number: int, request: Request, deadline: Deadline, progress: Progress
) -> BackwardFound:
    """For the goal of that number."""
    if request.engine == "reference":
        return _backward_by_reference(question, number, request, deadline)
    from burnside import _core
    from burnside.diagnostics import Diagnostic, RefusedError

    try:
        found = _core.backward_coverability(
            question.handle,
            question.group,
            question.goals[number].expression.core,
            max_states=request.limits.states,
            max_seconds=deadline.left,
            max_memory=request.limits.memory_bytes or default_memory(),
            progress=progress.update if progress.wanted else None,
        )
    except _core.TooLargeError as error:
        raise RefusedError(Diagnostic(str(error), "--cover-by", hint="use --cover-by forward")) from None
    return BackwardFound(
        stopped=found.stopped, run=found.run, markings=found.kept, steps=found.steps, seconds=found.seconds
    )


class _LimitReached(Exception):
    """So many markings as are allowed."""


def _forward_by_reference(question: CoverabilityQuestion, request: Request, deadline: Deadline) -> Found:
    import time

    from burnside.reference import coverability as reference

    net = question.net
    begun = time.monotonic()
    nodes: list[reference.Node] = []
    reached: list[reference.Node | None] = [None] * len(question.goals)
    goals_only = not request.bounded and not request.keep_going
    stopped = "exhausted"
    try:
        for node in reference.karp_miller(net):
            deadline.check()
            nodes.append(node)
            for number, goal in enumerate(question.goals):
                if reached[number] is None and goal.expression.evaluate(node.marking):  # type: ignore[arg-type]
                    reached[number] = node
            if goals_only and None not in reached:
                stopped = "violation"
                break
            if request.limits.states is not None and len(nodes) >= request.limits.states:
                raise _LimitReached
    except _LimitReached:
        stopped = "max-states"
    except (OutOfTime, KeyboardInterrupt) as reason:
        stopped = stopped_by(reason)
    runs = [None if node is None else _reference_run(question, number) for number, node in enumerate(reached)]
    markings = sorted(reference.maximal(node.marking for node in nodes))
    followed = {node.marking for node in nodes}
    pumped = next((node for node in nodes if node.repeated is not None), None)
    return Found(
        stopped=stopped,
        markings=[[None if n == inf else int(n) for n in marking] for marking in markings],
        bounds=_largest(followed, len(net.places)),
        upper_bounds=[None] * len(net.places),
        firings=[sum(net.is_enabled(each, t) for each in followed) for t in range(len(net.transitions))],  # type: ignore[arg-type]
        pump=None
        if pumped is None or pumped.repeated is None
        else (pumped.run(), len(pumped.repeated.run())),
        goals=[node is not None for node in reached],
        runs=runs,
        entered=len(nodes),
        transitions=max(len(nodes) - 1, 0),
        depth=max((len(node.run()) for node in nodes[-1:]), default=0),
        seconds=time.monotonic() - begun,
    )


def _largest(markings: set[tuple[float, ...]], places: int) -> list[int | None]:
    largest = [max((marking[place] for marking in markings), default=0) for place in range(places)]
    return [None if most == inf else int(most) for most in largest]


def _reference_run(question: CoverabilityQuestion, number: int) -> list[int] | None:
    from burnside.reference import coverability as reference

    core = question.goals[number].expression.core
    return reference.backward(question.net, reference.minimal_markings(core, len(question.net.places)))


def _backward_by_reference(
    question: CoverabilityQuestion, number: int, request: Request, deadline: Deadline
) -> BackwardFound:
    import time

    from burnside.reference import coverability as reference

    begun, known = time.monotonic(), 0

    def check(markings: int) -> None:
        nonlocal known
        known = markings
        deadline.check()
        if request.limits.states is not None and markings >= request.limits.states:
            raise _LimitReached

    run, stopped = None, "exhausted"
    goal = reference.minimal_markings(question.goals[number].expression.core, len(question.net.places))
    try:
        run = reference.backward(question.net, goal, check)
    except _LimitReached:
        stopped = "max-states"
    except (OutOfTime, KeyboardInterrupt) as reason:
        stopped = stopped_by(reason)
    stopped = "violation" if run is not None else stopped
    return BackwardFound(
        stopped=stopped, run=run, markings=known, steps=known, seconds=time.monotonic() - begun
    )
