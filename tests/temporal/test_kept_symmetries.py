"""Symmetries must keep what formulas name, and merged states must be alike: models in which the verdict would change."""

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

from tests.temporal.models import b_model, net_model, read

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


CYCLES = """MACHINE Cycles SETS N DEFINITIONS scope_N == 6
VARIABLES f
INVARIANT f : N +-> N
INITIALISATION f := {}
OPERATIONS
  pick = ANY g WHERE f = {} & g : N >->> N & g /\\ id(N) = {} & (g ; g) /\\ id(N) = {} THEN f := g END
END"""
"""One cycle of six, or two of three: markers, which see that each element has one successor, do not tell them apart."""


@pytest.mark.parametrize("text", ["(f ; f ; f) = id(N)", "(f ; f ; f) /= id(N)"])
def test_markers_refute_no_formula_about_states(text: str) -> None:
    """That a run exists is shown by one that is replayed: of one of these the representative is found."""
    model = b_model(CYCLES)
    for formula in (f"EX {{{text}}}", f"AG ({{f = {{}}}} => EX {{{text}}})"):
        asked = read(model, formula, "ctl")
        assert verdict(model, asked, Request(reduce="search")) == "holds"
        shown = {"holds", "unknown"} if formula.startswith("EX") else {"unknown"}
        assert verdict(model, asked, Request(reduce="marker")) in shown


BEYOND = """MACHINE Beyond VARIABLES x INVARIANT x : BOOL INITIALISATION x := FALSE
OPERATIONS
  go = ANY n WHERE n : NATURAL & n > 10 THEN x := TRUE END;
  spin = SELECT x = FALSE THEN skip END
END"""
"""`go` can always happen, but with no number that is tried."""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("WF(go) => F {x = TRUE}", "unknown"),
        ("F {x = TRUE}", "violated"),
        ("WF(go) => X {x = TRUE}", "violated"),
        ("G {x = FALSE}", "unknown"),
    ],
)
def test_what_is_fair_is_not_known_where_values_were_left_out(text: str, wanted: str) -> None:
    model = b_model(BEYOND)
    assert verdict(model, read(model, text), Request()) == wanted
