"""What is said where a name of a quantifier has no bounds, after the domain of another name was cut."""

from __future__ import annotations

import pytest
from burnside.ir.sets.types import INTEGER, Pair, Set
from burnside.reference.sets.cuts import CUTS, Cuts, Limits
from burnside.reference.sets.failures import Unbounded
from burnside.reference.sets.substitutions import valuations

from tests.reference.sets.parts import also, comprehension, exists, name, op

i, h = name("i"), name("h")
q = name("q", Set(Pair(INTEGER, INTEGER)))


def test_a_quantified_name_without_bounds_is_named() -> None:
    few = also(
        op("member", h, op("interval", 0, 1)),
        op("equal", op("size", q), h),
        op("member", i, op("interval", 0, 2)),
    )
    condition = exists([q], op("equal", op("card", comprehension([h], few)), 1))
    with pytest.raises(Unbounded, match="'q'"):
        list(valuations([i], condition, {CUTS: Cuts(Limits(-1, 3, True))}))
