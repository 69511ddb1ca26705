"""The contest's verdicts on its formulas, where its nets lie beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from burnside.benchmarks.contest import EXAMINATIONS, Instance, answers, instances, model_of
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
        return [pytest.param(None, "", marks=pytest.mark.skip(reason="../shared/models/pnml is absent"))]
    found: list[object] = []
    for marks, group in (((), small), ((pytest.mark.slow,), large)):
        for each in group:
            for examination in EXAMINATIONS:
                found.append(pytest.param(each, examination, marks=marks, id=f"{each.name} {examination}"))
    return found


@pytest.mark.parametrize(("net", "examination"), cases())
def test_verdicts_are_the_contest_s(net: Instance, examination: str) -> None:
    expected, properties = net.verdicts(examination), net.properties(examination)
    if not properties:
        pytest.skip(f"{net.name} has no {examination}.xml")
    assert len(expected) == len(properties)
    assert answers(model_of(net.folder), properties, Request(reduce="none")).verdicts == expected
    if net.states <= FAST:
        assert answers(model_of(net.folder), properties, Request()).verdicts == expected
