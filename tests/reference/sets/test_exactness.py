"""Sets that are not listed are what listed ones are: how many, equal to what, undefined where. Found by random machines."""

from __future__ import annotations

import pytest
from burnside.reference.sets.failures import Undefined

from tests.reference.sets.parts import NATURAL, also, comprehension, empty, exists, name, op, pair, value_of

x, q = name("x"), name("q")
LOW, HIGH, MIDDLE = op("interval", 0, 2), op("interval", 1, 3), {1}
NOTHING = op("difference", LOW, LOW)
PAIRS = op("product", LOW, LOW)
NOT_EVERYWHERE = comprehension([x], also(op("member", x, LOW), op("less", 1, op("divide", 4, x))))
INVERSES = comprehension([x], op("member", x, LOW), pair(x, op("divide", 4, x)))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (op("card", op("power-set", op("union", LOW, HIGH))), 16),
        (op("card", op("power-set-1", op("difference", LOW, MIDDLE))), 3),
        (op("member", [0, 2], op("permutations", op("difference", LOW, MIDDLE))), True),
        (op("member", [3, 0, 1, 2], op("permutations", op("union", LOW, HIGH))), True),
        (op("subset", op("product", NOTHING, {1}), op("product", {5}, {6})), True),
        (op("subset", op("power-set", empty()), op("power-set-1", {1})), False),
        (op("subset", op("power-set-1", empty()), op("power-set-1", {1})), True),
        (op("equal", op("difference", LOW, {0}), op("difference", LOW, {1})), False),
        (op("equal", op("range-subtract", PAIRS, LOW), op("domain-restrict", LOW, PAIRS)), False),
    ],
)  # fmt: skip
def test_sizes_and_equality_are_no_estimates(expression, value):
    assert value_of(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        op("member", 1, NOT_EVERYWHERE),
        op("subset", empty(), NOT_EVERYWHERE),
        op("member", 1, op("difference", {1}, NOT_EVERYWHERE)),
        op("apply", INVERSES, 2),
        op("member", 2, op("domain", INVERSES)),
        op("member", 2, op("range", INVERSES)),
        op("image", INVERSES, {2}),
        exists([q], also(op("member", q, LOW), op("equal", op("sequence", q, op("divide", 4, 0)), [1]))),
    ],
)
def test_what_is_undefined_for_one_valuation_is_undefined(expression):
    with pytest.raises(Undefined):
        value_of(expression)


def test_of_what_has_no_end_single_members_can_be_asked():
    endless = comprehension([x], op("member", x, NATURAL), pair(x, op("divide", 4, x)))
    assert value_of(op("apply", endless, 2)) == 2
