"""The choice of `auto`, and the rule that an option takes effect or is an error."""

from __future__ import annotations

from typing import Any

import pytest
from burnside.diagnostics import RefusedError, UsageError
from burnside.plan import (
    STRENGTHS,
    TINY_GROUP,
    PlanInputs,
    choose,
    minimise_limit,
    refuse_for_nets,
    refuse_for_programs,
    validate,
)
from burnside.request import Limits, Request


def facts(order: int) -> PlanInputs:
    return PlanInputs(acting_order=order)


def test_auto_reduces_nothing_by_a_trivial_group() -> None:
    assert choose(Request(), facts(1)).method == "none"


def test_auto_tries_every_element_of_a_tiny_group() -> None:
    assert choose(Request(), facts(TINY_GROUP)).method == "minimise"


def test_auto_searches_by_partition_otherwise() -> None:
    plan = choose(Request(), facts(10**30))
    assert (plan.method, plan.guide, plan.strength) == ("search", "partition", "canonical")


def test_auto_is_exact_whatever_the_group() -> None:
    assert {choose(Request(), facts(order)).strength for order in (1, 2, 100, 10**9)} == {"none", "canonical"}


def test_auto_says_why() -> None:
    assert choose(Request(), facts(1)).reason == "no symmetry that is kept moves a reachable marking"


@pytest.mark.parametrize("method", [method for method in STRENGTHS if method != "marker"])
def test_a_method_asked_for_is_taken(method: str) -> None:
    assert choose(Request(reduce=method), facts(100)).method == method


def test_minimise_is_refused_for_large_groups() -> None:
    with pytest.raises(RefusedError, match="every element"):
        choose(Request(reduce="minimise"), facts(minimise_limit() + 1))


def test_marker_is_refused_for_programs() -> None:
    with pytest.raises(RefusedError, match="'marker' is not available for Murphi"):
        refuse_for_programs(Request(reduce="marker"))


def test_marker_is_refused_for_nets() -> None:
    with pytest.raises(RefusedError, match="typed data"):
        refuse_for_nets(Request(reduce="marker"))


@pytest.mark.parametrize(
    "said",
    [
        {"symmetry": "declared", "fixing": ("initial",)},
        {"reduce": "search", "guide": "tree"},
        {"broken": ("Node",)},
    ],
)
def test_what_nets_have_no_use_for(said: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no effect"):
        refuse_for_nets(Request(**said))


@pytest.mark.parametrize(
    "said", [{"safe": True}, {"fixing": ("nothing",)}, {"reduce": "search", "guide": "marking"}]
)
def test_what_programs_have_no_use_for(said: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="no effect"):
        refuse_for_programs(Request(**said))


def test_auto_searches_typed_data_by_its_tree() -> None:
    plan = choose(Request(), PlanInputs(acting_order=48, typed=True))
    assert (plan.method, plan.guide) == ("search", "tree")


GOOD: list[dict[str, Any]] = [
    {},
    {"order": "mixed"},
    {"order": "mixed", "alpha": 0.25, "seed": 3},
    {"order": "random", "seed": 3},
    {"reduce": "search", "guide": "marking", "selector": "min", "prune": False},
    {"reduce": "representative", "budget": 10},
    {"engine": "reference"},
    {"engine": "reference", "reduce": "none", "order": "dfs"},
    {"threads": 2, "order": "dfs"},
    {"prune": False},
    {"fixing": ("nothing",)},
]

BAD: list[dict[str, Any]] = [
    {"reduce": "magic"},
    {"symmetry": "none"},
    {"engine": "gpu"},
    {"order": "best"},
    {"reduce": "search", "guide": "north"},
    {"reduce": "search", "selector": "odd"},
    {"alpha": 0.5},
    {"order": "random", "alpha": 0.5},
    {"order": "mixed", "alpha": 1.5},
    {"order": "mixed", "alpha": float("nan")},
    {"seed": 1},
    {"order": "dfs", "seed": 1},
    {"order": "random", "seed": -1},
    {"guide": "partition"},
    {"reduce": "nauty", "guide": "partition"},
    {"reduce": "minimise", "selector": "min"},
    {"reduce": "search", "budget": 10},
    {"reduce": "representative", "budget": 0},
    {"reduce": "none", "prune": False},
    {"reduce": "none", "stats": True},
    {"reduce": "none", "fixing": ("nothing",)},
    {"threads": 0},
    {"threads": 100_000},
    {"engine": "reference", "threads": 2},
    {"engine": "reference", "reduce": "search"},
    {"engine": "reference", "stats": True},
    {"engine": "reference", "order": "random"},
    {"engine": "reference", "limits": Limits(memory_bytes=1)},
    {"limits": Limits(states=0)},
    {"limits": Limits(seconds=-1.0)},
    {"limits": Limits(seconds=float("nan"))},
    {"limits": Limits(seconds=float("inf"))},
    {"limits": Limits(memory_bytes=0)},
]


@pytest.mark.parametrize("options", GOOD, ids=str)
def test_what_goes_together(options: dict[str, Any]) -> None:
    validate(Request(**options))


@pytest.mark.parametrize("options", BAD, ids=str)
def test_what_does_not(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        validate(Request(**options))
