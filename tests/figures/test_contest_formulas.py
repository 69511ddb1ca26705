"""The contest's verdicts on its formulas, where its nets lie beside the project."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from burnside.benchmarks.contest import (
    BY_NAME,
    EXAMINATIONS,
    Instance,
    answer_by_name,
    answers,
    instances,
    model_of,
)
from burnside.request import Request

MODELS = Path(__file__).parents[3] / "shared" / "models" / "pnml"
FAST, SLOW = 400, 5_000
"""Markings of the nets that are always checked, and of those that the slow part checks."""


def chosen(least: int, most: int) -> list[Instance]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BURNSIDE_MODELS", str(MODELS))
        return instances(most, least)


def cases() -> list[object]:
    small, large = chosen(0, FAST), chosen(FAST + 1, SLOW)
    if not small:
        return [pytest.param(None, "", "", marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))]
    found: list[object] = []
    for marks, group in (((), small), ((pytest.mark.slow,), large)):
        for each in group:
            for examination, route in product(EXAMINATIONS, each.routes):
                name = f"{each.name} {examination} {route}"
                found.append(pytest.param(each, examination, route, marks=marks, id=name))
    return found


@pytest.mark.parametrize(("net", "examination", "route"), cases())
def test_verdicts_are_the_contest_s(net: Instance, examination: str, route: str) -> None:
    expected, properties = net.verdicts(examination), net.properties(examination)
    if not properties:
        pytest.skip(f"{net.name} has no {examination}.xml")
    assert len(expected) == len(properties)
    for reduce in ("none", "auto") if net.states <= FAST else ("none",):
        request = Request(reduce=reduce, unfold=net.routes[route])
        assert answers(model_of(net.folder), properties, request).verdicts == expected


COLOURED = [pytest.param(each, id=each.name) for each in chosen(0, FAST) if len(each.routes) > 1] or [
    pytest.param(None, marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))
]


@pytest.mark.parametrize("net", COLOURED)
@pytest.mark.parametrize("examination", BY_NAME)
def test_coloured_nets_by_name(net: Instance, examination: str) -> None:
    """Deadlocks, dead transitions, places that never change, liveness, one token in each place."""
    expected = net.verdicts(examination)
    for route, reduce in product(net.routes.values(), ("none", "auto")) if expected else ():
        request = Request(reduce=reduce, unfold=route)
        assert answer_by_name(model_of(net.folder), examination, request).verdicts == expected
