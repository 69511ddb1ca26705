"""Random B machines, most of them with a part that may distinguish elements, against what they do state by state."""

from __future__ import annotations

import pytest

from tests.soundness.random_machines import made, tally
from tests.soundness.test_random_programs import Record, name_of

CHUNK = 25
FAST, IN_CI, ALL = 200, 1_000, 5_000


def chunks(first: int, last: int) -> list[range]:
    return [range(start, start + CHUNK) for start in range(first, last, CHUNK)]


def check(seeds: range, record_property: Record) -> None:
    found = tally(seeds)
    record_property("random B machines", found.numbers())
    assert len(found.unreadable) <= CHUNK // 10
    shown = [f"seed {seed} ({made(seed)[0]}): {text}" for seed, text in found.problems.items()]
    assert not shown, "\n".join(shown)


@pytest.mark.parametrize("seeds", chunks(0, FAST), ids=name_of)
def test_no_false_symmetry_is_certified(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(FAST, IN_CI), ids=name_of)
def test_none_in_a_thousand(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(IN_CI, ALL), ids=name_of)
def test_none_in_thousands(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)
