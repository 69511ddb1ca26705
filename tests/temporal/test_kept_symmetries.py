"""Symmetries must keep what formulas name: models in which one that does not would change the verdict."""

from __future__ import annotations

import pytest
from burnside.kinds import kind_of
from burnside.limits import Deadline
from burnside.model import Model
from burnside.net import MAX_TOKENS, Net
from burnside.progress import Progress
from burnside.reference.temporal import check_property
from burnside.request import Request
from burnside.temporal.checking import FormulaCheck
from burnside.temporal.reading import Logic, TemporalProperty

from tests.temporal.models import net_model, read

METHODS = ("none", "search", "minimise", "nauty", "compare", "flood", "representative")


def verdicts(
    model: Model, text: str, logic: Logic = "ltl", fixing: tuple[str, ...] | None = None
) -> set[str]:
    """Of the core under every method; one, if all is well."""
    asked = read(model, text, logic)
    return {verdict(model, asked, Request(reduce=method, fixing=fixing)) for method in METHODS}


def verdict(model: Model, asked: TemporalProperty, request: Request) -> str:
    ((answer,), _) = FormulaCheck(model, request, [asked], Deadline()).run(Progress())
    return answer.verdict


def expected(model: Model, text: str, logic: Logic = "ltl") -> set[str]:
    semantics = kind_of(model.subject).semantics_of(model.subject)
    holds = check_property(semantics, read(model, text, logic)).holds
    return {"holds" if holds else "violated"}


TWO_ALIKE = Net(
    name="two alike",
    places=("before_a", "after_a", "before_b", "after_b"),
    initial=(1, 0, 1, 0),
    transitions=("a", "b"),
    consumes=(((0, 1),), ((2, 1),)),
    produces=(((1, 1),), ((3, 1),)),
)
"""Two transitions that a symmetry exchanges."""
ONE_MARKED = Net(
    name="one marked",
    places=("before_a", "after_a", "before_b", "after_b", "beside_b"),
    initial=(1, 0, 1, 0, 1),
    transitions=("a", "b"),
    consumes=(((0, 1),), ((2, 1), (4, 1))),
    produces=(((1, 1),), ((3, 1), (4, 1))),
)
"""Beside `b` stands what a mark on `a` would look like."""


HEAVY = Net(
    name="heavy",
    places=("before_a", "after_a", "before_b", "after_b"),
    initial=(MAX_TOKENS, 0, 1, 0),
    transitions=("a", "b"),
    consumes=(((0, MAX_TOKENS),), ((2, 1),)),
    produces=(((1, 1),), ((3, 1),)),
)
"""No weight is larger than one of its own."""


@pytest.mark.parametrize("net", [TWO_ALIKE, ONE_MARKED, HEAVY], ids=lambda net: net.name)
@pytest.mark.parametrize("fixing", [None, ("nothing",)], ids=["initial", "nothing"])
@pytest.mark.parametrize("text", ["F ([a] & F [b])", "[a]", "F [a] & F [b]", "!([b] & X [a])"])
def test_transitions_that_formulas_name_are_not_exchanged(
    net: Net, fixing: tuple[str, ...] | None, text: str
) -> None:
    model = net_model(net)
    assert verdicts(model, text, fixing=fixing) == expected(model, text)
