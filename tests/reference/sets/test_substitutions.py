"""What substitutions can do."""

from __future__ import annotations

import pytest
from burnside.diagnostics import Span
from burnside.ir.sets.substitutions import (
    SKIP,
    Alternatives,
    Assign,
    Branch,
    Choose,
    Demand,
    If,
    Local,
    Parallel,
    Sequence,
    While,
)
from burnside.reference.sets.failures import Unbounded, model_error
from burnside.reference.sets.substitutions import outcomes
from burnside.semantics import Failure

from tests.reference.sets.parts import NATURAL, also, name, op, operand

a, b, c = name("a", state=True), name("b", state=True), name("c")
UNDEFINED = op("divide", 1, 0)
BEFORE = {"a": 1, "b": 2}


def put(target, value):
    return Assign((target,), (operand(value),))


def done(substitution):
    """What is written, or how it fails."""
    return [each.kind if isinstance(each, Failure) else each for each in outcomes(substitution, BEFORE)]


def chosen(condition, body):
    return Choose((c,), condition, body)


def either(*branches, otherwise=None):
    return Alternatives(tuple(Branch(operand(test), body) for test, body in branches), otherwise)


def count_down(step, invariant=True):
    return While(op("less", 0, a), put(a, step), operand(invariant), a)


CASES = [
    (SKIP, [{}]),
    (put(a, 5), [{"a": 5}]),
    (Assign((a, b), (b, a)), [{"a": 2, "b": 1}]),
    (Assign((a, a), (b, b)), ["written-twice"]),
    (put(a, UNDEFINED), ["undefined"]),
    (Parallel((put(a, b), put(b, a))), [{"a": 2, "b": 1}]),
    (Parallel((put(a, b), put(a, 3))), ["written-twice"]),
    (Parallel((put(a, UNDEFINED), either((False, SKIP)))), []),
    (Parallel((put(a, UNDEFINED), put(b, 1))), ["undefined"]),
    (Sequence((put(a, b), put(b, a))), [{"a": 2, "b": 2}]),
    (Sequence((put(a, 7), put(a, op("add", a, 1)))), [{"a": 8}]),
    (Sequence((either((True, put(a, 0)), (True, put(a, 1))), put(b, op("divide", 4, a)))), ["undefined", {"a": 1, "b": 4}]),
    (chosen(op("member", c, {5, 6}), put(a, c)), [{"a": 5}, {"a": 6}]),
    (chosen(also(op("member", c, {0, 1}), op("equal", op("divide", 1, c), 1)), put(a, c)), [{"a": 1}]),
    (chosen(op("less", 2, 1), put(a, c)), []),
    (either((True, put(a, 5)), (False, put(a, 6)), (True, put(a, 7))), [{"a": 5}, {"a": 7}]),
    (either((False, put(a, 5)), otherwise=put(a, 6)), [{"a": 6}]),
    (either((op("equal", UNDEFINED, 1), put(a, 5)), otherwise=put(a, 6)), [{"a": 6}]),
    (either((False, put(a, 5))), []),
    (If((Branch(operand(False), put(a, 5)), Branch(operand(True), put(a, 6))), SKIP), [{"a": 6}]),
    (If((Branch(operand(False), put(a, 5)),), put(b, 6)), [{"b": 6}]),
    (If((Branch(op("equal", UNDEFINED, 1), put(a, 5)),), SKIP), ["undefined"]),
    (Demand("assertion", operand(True), put(a, 5)), [{"a": 5}]),
    (Demand("assertion", operand(False), put(a, 5)), ["assertion"]),
    (Demand("precondition", operand(False), put(a, 5)), ["precondition"]),
    (Demand("assertion", op("equal", UNDEFINED, 1), SKIP), ["undefined"]),
    (Local((c,), Sequence((put(c, 5), put(a, c)))), [{"a": 5}]),
    (Local((c,), put(a, c)), ["unset"]),
    (count_down(op("subtract", a, 1)), [{"a": 0}]),
    (count_down(a), ["loop"]),
    (count_down(op("subtract", a, 1), op("less", 0, a)), ["loop"]),
    (While(op("less", a, 9), put(a, op("add", a, 1)), operand(True), op("subtract", 5, a)), ["loop"]),
    (Sequence((put(a, 3000), count_down(op("subtract", a, 1)))), [{"a": 0}]),
]  # fmt: skip


@pytest.mark.parametrize(("substitution", "expected"), CASES)
def test_outcomes(substitution, expected):
    assert done(substitution) == expected


def test_a_choice_without_bounds_is_the_users_business():
    with pytest.raises(Unbounded, match="'c'"):
        done(chosen(op("member", c, NATURAL), put(a, c)))


def test_a_failure_says_where():
    failure = model_error("undefined", "1 is divided by zero", Span(3, 7))
    assert failure.describe() == "1 is divided by zero (line 3, column 7)"
