"""What is checked of a net: deadlock, 1-safety, invariants, goals, each with the test that says "violated
here".

In: a net and the user's `Request`. Out: `Properties`, numbered as the engines number them: deadlock 0,
safe 1, then the invariants, then the goals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from burnside.net import Net
from burnside.records import record
from burnside.request import Request

if TYPE_CHECKING:
    from burnside.languages.net_expressions import Expression

Marking = tuple[int, ...]


@record
class Property:
    """One question. A goal counts as violated where it is reached."""

    number: int
    name: str
    kind: str
    violated_by: Callable[[Marking], bool]


@record
class Properties:
    """All questions of one check, and the expressions that the symmetries must keep for them."""

    checked: tuple[Property, ...]
    invariants: tuple[Expression, ...]
    goals: tuple[Expression, ...]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return self.invariants + self.goals

    def checks(self, kind: str) -> bool:
        return any(each.kind == kind for each in self.checked)


def properties_of(net: Net, request: Request, *, deadlock_is_error: bool) -> Properties:
    """The questions of a request, parsed against the net's names."""
    from burnside.languages.net_expressions import parse_expression

    invariants = tuple(parse_expression(text, net, "--invariant") for text in request.invariants)
    goals = tuple(parse_expression(text, net, "--find") for text in request.goals)
    checked = []
    if deadlock_is_error if request.deadlock is None else request.deadlock:
        checked.append(Property(0, "deadlock", "deadlock", lambda marking: not net.enabled(marking)))
    if request.safe:
        checked.append(Property(1, "1-safe", "safe", lambda marking: max(marking, default=0) > 1))
    checked += [_invariant(number, each) for number, each in enumerate(invariants, start=2)]
    checked += [_goal(number, each) for number, each in enumerate(goals, start=2 + len(invariants))]
    return Properties(tuple(checked), invariants, goals)


def _invariant(number: int, expression: Expression) -> Property:
    return Property(number, expression.text, "invariant", lambda marking: not expression.evaluate(marking))


def _goal(number: int, expression: Expression) -> Property:
    return Property(number, expression.text, "goal", lambda marking: bool(expression.evaluate(marking)))
