"""Values and expressions as ProB prints them."""

from __future__ import annotations

import pytest
from burnside.ir.sets.expressions import Apply, Conditional, Fold, Let, Literal, Select
from burnside.ir.sets.printing import show_expression, show_value
from burnside.ir.sets.types import BOOLEAN, INTEGER, TEXT, Pair, Set
from burnside.reference.sets.values import RecordValue

from tests.reference.sets.parts import (
    BLUE,
    COLOUR,
    GREEN,
    NATURAL,
    RED,
    WHOLE,
    also,
    comprehension,
    empty,
    everything,
    exists,
    forall,
    name,
    op,
    red,
    struct,
)

PAIRS = Set(Pair(COLOUR, INTEGER))
x, y, f = name("x"), name("y"), name("f", Set(Pair(INTEGER, INTEGER)))


@pytest.mark.parametrize(
    ("value", "type_", "shown"),
    [
        (-3, INTEGER, "-3"),
        (True, BOOLEAN, "TRUE"),
        (False, BOOLEAN, "FALSE"),
        ('say "no"', TEXT, '"say \\"no\\""'),
        (GREEN, COLOUR, "green"),
        (frozenset(), Set(COLOUR), "{}"),
        (frozenset({BLUE, RED}), Set(COLOUR), "{red,blue}"),
        (frozenset({(GREEN, 2), (RED, 1)}), PAIRS, "{(red|->1),(green|->2)}"),
        (frozenset({(2, RED), (1, BLUE)}), Set(Pair(INTEGER, COLOUR)), "[blue,red]"),
        (frozenset({(2, RED), (3, BLUE)}), Set(Pair(INTEGER, COLOUR)), "{(2|->red),(3|->blue)}"),
        (((1, 2), 3), Pair(Pair(INTEGER, INTEGER), INTEGER), "(1|->2|->3)"),
        ((1, (2, 3)), Pair(INTEGER, Pair(INTEGER, INTEGER)), "(1|->(2|->3))"),
        (RecordValue((1, True)), struct(a=INTEGER, b=BOOLEAN), "rec(a:1,b:TRUE)"),
        (frozenset({frozenset({1, 2}), frozenset({3})}), Set(Set(INTEGER)), "{{3},{1,2}}"),
    ],
)
def test_values(value, type_, shown):
    assert show_value(value, type_) == shown


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        (op("add", op("multiply", x, 2), 1), "x * 2 + 1"),
        (op("multiply", op("add", x, 2), 1), "(x + 2) * 1"),
        (op("subtract", x, op("subtract", y, 1)), "x - (y - 1)"),
        (also(op("less", x, 1), op("or", op("less", x, 2), op("equal", x, 3))), "x < 1 & (x < 2 or x = 3)"),
        (op("not", op("member", x, {1, 2})), "x /: {1,2}"),
        (op("not", op("less", x, 1)), "not(x < 1)"),
        (op("member", f, op("partial-functions", NATURAL, WHOLE)), "f : NATURAL +-> INTEGER"),
        (op("apply", f, op("add", x, 1)), "f(x + 1)"),
        (op("apply", op("inverse", f), x), "f~(x)"),
        (op("image", f, op("interval", 1, x)), "f[1..x]"),
        (op("equal", f, [1, 2]), "f = [1,2]"),
        (op("power-set", everything(COLOUR)), "POW(Colours)"),
        (op("set", red), "{red}"),
        (empty(), "{}"),
        (op("negate", op("add", x, 1)), "-(x + 1)"),
        (forall([x, y], op("less", x, y), op("less", y, x)), "!(x,y).(x < y => y < x)"),
        (exists([x], op("less", x, 1)), "#x.(x < 1)"),
        (comprehension([x, y], op("less", x, y)), "{x,y|x < y}"),
        (comprehension([x], op("less", x, 1), op("pair", x, y)), "%x.(x < 1|y)"),
        (comprehension([x], op("less", x, 1), op("add", x, 1)), "ran(%x.(x < 1|x + 1))"),
        (Fold("sum", (x,), op("less", x, 1), x), "SIGMA(x).(x < 1|x)"),
        (Conditional(op("less", x, 1), x, y), "IF x < 1 THEN x ELSE y END"),
        (Let(x, y, x), "LET x BE x = y IN x END"),
        (
            Select(Apply("record", (x, Literal(1, BOOLEAN)), struct(a=INTEGER, b=BOOLEAN)), "a"),
            "rec(a:x,b:TRUE)'a",
        ),
        (op("and"), "TRUE = TRUE"),
    ],
)
def test_expressions(expression, shown):
    assert show_expression(expression) == shown
