"""Random programs, most of them with a leak of order or identity, against what they do state by state.

The certifier may refuse what is symmetric, which is counted, and must not accept what is not. A failing seed is looked at by
`python -m tests.soundness.random_programs SEED`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.soundness.random_programs import made, tally

CHUNK = 50
FAST, IN_CI, ALL = 1_000, 5_000, 20_000

Record = Callable[[str, object], None]


def chunks(first: int, last: int) -> list[range]:
    return [range(start, start + CHUNK) for start in range(first, last, CHUNK)]


def name_of(seeds: range) -> str:
    return f"{seeds.start} to {seeds.stop - 1}"


def check(seeds: range, record_property: Record) -> None:
    found = tally(seeds)
    record_property("random Murphi programs", found.numbers())
    assert len(found.unreadable) <= CHUNK // 10
    shown = [f"seed {seed} ({made(seed).kind}): {text}" for seed, text in found.problems.items()]
    assert not shown, "\n".join(shown)


@pytest.mark.parametrize("seeds", chunks(0, FAST), ids=name_of)
def test_no_false_symmetry_is_certified(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(FAST, IN_CI), ids=name_of)
def test_none_in_thousands(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(IN_CI, ALL), ids=name_of)
def test_none_in_twenty_thousand(seeds: range, record_property: Record) -> None:
    check(seeds, record_property)
