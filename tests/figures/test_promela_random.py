"""Random Promela models have as many states and transitions as Spin says, and the same errors.

Skipped where `spin` or `gcc` is absent. `python -m tests.promela_differences FIRST LAST` looks at other seeds.
"""

from __future__ import annotations

import pytest

from tests.promela_differences import Passed, difference
from tests.promela_programs import program
from tests.promela_spin import HAS_SPIN

FEW, MANY = range(25), range(100, 300)

needs_spin = pytest.mark.skipif(not HAS_SPIN, reason="spin or gcc is not installed")


def compare(seed: int) -> None:
    text = program(seed)
    try:
        found = difference(text)
    except Passed as reason:
        pytest.skip(f"not compared: {str(reason)[:80]}")
    assert found is None, f"{found}\n{text}"


@needs_spin
@pytest.mark.parametrize("seed", FEW)
def test_spin_says_the_same(seed: int) -> None:
    compare(seed)


@needs_spin
@pytest.mark.slow
@pytest.mark.parametrize("seed", MANY)
def test_spin_says_the_same_of_many(seed: int) -> None:
    compare(seed)
