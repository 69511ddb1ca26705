"""A set that is undefined makes what is built from it undefined, also where its elements would make no difference."""

from __future__ import annotations

import pytest
from burnside.ir.sets import expressions as e
from burnside.ir.sets.types import INTEGER, Pair, Set
from burnside.reference.sets.evaluation import evaluate
from burnside.reference.sets.failures import Undefined

from tests.reference.sets.parts import comprehension, empty, name, op

x = name("x")
NUMBERS, PAIRS = empty(), empty(Pair(INTEGER, INTEGER))


def some_of(set_: e.Expression) -> list[e.Expression]:
    """What would be the same for any set."""
    those = comprehension([x], op("member", x, set_))
    return [
        op("difference", NUMBERS, those),
        op("intersection", NUMBERS, those),
        op("domain-restrict", those, PAIRS),
        op("range-subtract", PAIRS, those),
        op("image", PAIRS, those),
        op("member", NUMBERS, op("power-set", those)),
        op("subset", NUMBERS, those),
    ]


NOWHERE = op("set", op("divide", 1, 0))
LOCAL = name("local", Set(INTEGER))


@pytest.mark.parametrize("expression", some_of(NOWHERE))
def test_an_undefined_comprehension(expression: e.Expression) -> None:
    with pytest.raises(Undefined):
        evaluate(expression, {})


@pytest.mark.xfail(
    strict=True, reason="a local name is taken to be defined always, and so is a set that depends on it"
)
@pytest.mark.parametrize("expression", some_of(LOCAL))
def test_an_undefined_local_name(expression: e.Expression) -> None:
    with pytest.raises(Undefined):
        evaluate(e.Let(LOCAL, NOWHERE, expression), {})
