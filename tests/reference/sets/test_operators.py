"""Every operator: what it gives, and where it is undefined."""

from __future__ import annotations

import pytest
from burnside.ir.sets.expressions import OPERATORS, Apply, Conditional, Let, Literal, Select
from burnside.ir.sets.printing import show_expression
from burnside.ir.sets.types import BOOLEAN, INTEGER, Multiset, Pair, Set
from burnside.records import is_record
from burnside.reference.sets.failures import TooLarge, Unbounded, Undefined
from burnside.reference.sets.values import RecordValue, order

from tests.reference.sets.parts import (
    BLUE,
    COLOUR,
    GREEN,
    NATURAL,
    RED,
    WHOLE,
    also,
    blue,
    comprehension,
    empty,
    everything,
    green,
    name,
    number,
    op,
    red,
    struct,
    text,
    value_of,
)


def shown(parameter):
    """Expressions in B, everything else as it is; the elements of sets in an order that does not depend on hashes."""
    if is_record(parameter):
        return show_expression(parameter)
    return repr(order(frozenset(parameter) if isinstance(parameter, set) else parameter))


def seq(*elements):
    return frozenset(enumerate(elements, 1))


def fs(*elements):
    return frozenset(elements)


BAG = Multiset(INTEGER)


def bag(*entries):
    """Of numbers: each with how often it occurs."""
    return Apply("bag", tuple(number(each) for entry in entries for each in entry), BAG)


EMPTY_RELATION = empty(Pair(INTEGER, INTEGER))
UNDEFINED = op("divide", 1, 0)
PAIRS = {(1, 2), (2, 3), (3, 1)}
POINTS = struct(x=INTEGER, y=BOOLEAN)

VALUES = [
    # Connectives
    (op("and"), True),
    (op("and", True, False), False),
    (op("or"), False),
    (op("or", False, True), True),
    (op("not", True), False),
    (op("implies", False, False), True),
    (op("implies", True, False), False),
    (op("iff", False, False), True),
    (op("iff", True, False), False),
    # Comparisons
    (op("equal", {1, 2}, {2, 1}), True),
    (op("equal", NATURAL, {1}), False),
    (op("equal", NATURAL, NATURAL), True),
    (op("equal", text("a"), text("b")), False),
    (op("member", 3, {1, 3}), True),
    (op("subset", {1}, {1, 3}), True),
    (op("subset", {1}, {1}), True),
    (op("strict-subset", {1}, {1}), False),
    (op("strict-subset", {1}, NATURAL), True),
    (op("less", 1, 1), False),
    (op("less-equal", 1, 1), True),
    # Numbers
    (op("add", 2, 3), 5),
    (op("subtract", 2, 3), -1),
    (op("multiply", 2, 3), 6),
    (op("divide", 7, 2), 3),
    (op("divide", -7, 2), -3),
    (op("divide", 7, -2), -3),
    (op("divide", -7, -2), 3),
    (op("modulo", 7, 3), 1),
    (op("power", 2, 10), 1024),
    (op("power", 0, 0), 1),
    (op("negate", 4), -4),
    (op("min", {3, 1, 2}), 1),
    (op("max", {3, 1, 2}), 3),
    (op("min", NATURAL), 0),
    (op("max", op("interval", 1, 10**12)), 10**12),
    # Sets
    (op("set", 1, 1, 2), fs(1, 2)),
    (everything(COLOUR), fs(RED, GREEN, BLUE)),
    (everything(BOOLEAN), fs(False, True)),
    (everything(Set(BOOLEAN)), fs(fs(), fs(False), fs(True), fs(False, True))),
    (op("interval", 2, 4), fs(2, 3, 4)),
    (op("interval", 4, 2), fs()),
    (op("union", {1}, {2}), fs(1, 2)),
    (op("intersection", {1, 2}, {2, 3}), fs(2)),
    (op("intersection", NATURAL, op("set", -1, 2)), fs(2)),
    (op("intersection", op("set", -1, 2), NATURAL), fs(2)),
    (op("difference", {1, 2}, {2, 3}), fs(1)),
    (op("difference", op("set", -1, 2), NATURAL), fs(-1)),
    (op("product", {1, 2}, {True}), fs((1, True), (2, True))),
    (op("power-set", {1, 2}), fs(fs(), fs(1), fs(2), fs(1, 2))),
    (op("power-set-1", {1, 2}), fs(fs(1), fs(2), fs(1, 2))),
    (op("card", {1, 2}), 2),
    (op("card", op("interval", 1, 10**12)), 10**12),
    (op("card", op("power-set", op("interval", 1, 40))), 2**40),
    (op("card", op("power-set-1", {1, 2})), 3),
    (op("general-union", op("set", op("set", 1), op("set", 2, 3))), fs(1, 2, 3)),
    (op("general-union", empty(Set(INTEGER))), fs()),
    (op("general-intersection", op("set", op("set", 1, 2), op("set", 2, 3))), fs(2)),
    (op("general-intersection", op("set", op("set", -1, 2), NATURAL)), fs(2)),
    # Pairs
    (op("pair", 1, 2), (1, 2)),
    (op("left", (1, 2)), 1),
    (op("right", (1, 2)), 2),
    # Spaces
    (op("relations", {1}, {2, 3}), fs(fs(), fs((1, 2)), fs((1, 3)), fs((1, 2), (1, 3)))),
    (op("total-relations", {1}, {2, 3}), fs(fs((1, 2)), fs((1, 3)), fs((1, 2), (1, 3)))),
    (op("surjective-relations", {1}, {2, 3}), fs(fs((1, 2), (1, 3)))),
    (op("total-surjective-relations", {1}, {2, 3}), fs(fs((1, 2), (1, 3)))),
    (op("partial-functions", {1}, {2, 3}), fs(fs(), fs((1, 2)), fs((1, 3)))),
    (op("total-functions", {1}, {2, 3}), fs(fs((1, 2)), fs((1, 3)))),
    (op("partial-injections", {1, 2}, {3}), fs(fs(), fs((1, 3)), fs((2, 3)))),
    (op("total-injections", {1}, {2, 3}), fs(fs((1, 2)), fs((1, 3)))),
    (op("total-injections", {1, 2}, {3}), fs()),
    (op("partial-surjections", {1, 2}, {3}), fs(fs((1, 3)), fs((2, 3)), fs((1, 3), (2, 3)))),
    (op("total-surjections", {1, 2}, {3}), fs(fs((1, 3), (2, 3)))),
    (op("partial-bijections", {1, 2}, {3}), fs(fs((1, 3)), fs((2, 3)))),
    (op("total-bijections", {1, 2}, {3, 4}), fs(fs((1, 3), (2, 4)), fs((1, 4), (2, 3)))),
    (op("total-functions", empty(), NATURAL), fs(fs())),
    # Relations
    (op("apply", PAIRS, 2), 3),
    (op("domain", PAIRS), fs(1, 2, 3)),
    (op("range", {(1, 2), (3, 2)}), fs(2)),
    (op("identity", {1, 2}), fs((1, 1), (2, 2))),
    (op("inverse", {(1, 2)}), fs((2, 1))),
    (op("image", PAIRS, {1, 2, 7}), fs(2, 3)),
    (op("image", PAIRS, NATURAL), fs(1, 2, 3)),
    (op("compose", {(1, 2)}, {(2, 3), (2, 4)}), fs((1, 3), (1, 4))),
    (op("parallel-product", {(1, 2)}, {(3, 4)}), fs(((1, 3), (2, 4)))),
    (op("direct-product", {(1, 2)}, {(1, 4), (2, 5)}), fs((1, (2, 4)))),
    (op("domain-restrict", {1, 9}, PAIRS), fs((1, 2))),
    (op("domain-restrict", NATURAL, PAIRS), frozenset(PAIRS)),
    (op("domain-subtract", {1, 9}, PAIRS), fs((2, 3), (3, 1))),
    (op("range-restrict", PAIRS, {1}), fs((3, 1))),
    (op("range-subtract", PAIRS, NATURAL), fs()),
    (op("override", PAIRS, {(1, 7), (8, 9)}), fs((1, 7), (2, 3), (3, 1), (8, 9))),
    (op("closure1", {(1, 2), (2, 3)}), fs((1, 2), (2, 3), (1, 3))),
    (op("closure", {(1, 2)}), fs((1, 2), (1, 1), (2, 2))),
    (op("closure", {(True, False)}), fs((True, False), (True, True), (False, False))),
    (op("closure", empty(Pair(BOOLEAN, BOOLEAN))), fs((True, True), (False, False))),
    (op("iterate", PAIRS, 1), frozenset(PAIRS)),
    (op("iterate", PAIRS, 2), fs((1, 3), (2, 1), (3, 2))),
    (op("iterate", PAIRS, 3 * 10**9 + 2), fs((1, 3), (2, 1), (3, 2))),
    (op("iterate", {(1, 2)}, 0), fs((1, 1), (2, 2))),
    (op("first-projection", {1}, {2, 3}), fs(((1, 2), 1), ((1, 3), 1))),
    (op("second-projection", {1}, {2, 3}), fs(((1, 2), 2), ((1, 3), 3))),
    (op("as-function", {(1, 2), (1, 3)}), fs((1, fs(2, 3)))),
    (op("as-relation", op("set", op("pair", 1, {2, 3}))), fs((1, 2), (1, 3))),
    # Sequences
    (op("sequence", 7, 7), seq(7, 7)),
    (op("injective-sequences", {1, 2}), fs(seq(), seq(1), seq(2), seq(1, 2), seq(2, 1))),
    (op("injective-sequences-1", {1}), fs(seq(1))),
    (op("permutations", {1, 2}), fs(seq(1, 2), seq(2, 1))),
    (op("permutations", empty()), fs(seq())),
    (op("sequences", empty()), fs(seq())),
    (op("size", [7, 7]), 2),
    (op("concat", [1], [2, 3]), seq(1, 2, 3)),
    (op("prepend", 1, [2, 3]), seq(1, 2, 3)),
    (op("append", [1, 2], 3), seq(1, 2, 3)),
    (op("reverse", [1, 2, 3]), seq(3, 2, 1)),
    (op("first", [1, 2, 3]), 1),
    (op("last", [1, 2, 3]), 3),
    (op("tail", [1, 2, 3]), seq(2, 3)),
    (op("front", [1, 2, 3]), seq(1, 2)),
    (op("take", [1, 2, 3], 2), seq(1, 2)),
    (op("take", [1, 2, 3], 0), seq()),
    (op("drop", [1, 2, 3], 2), seq(3)),
    (op("drop", [1, 2, 3], 3), seq()),
    (op("general-concat", op("sequence", [1], [2, 3])), seq(1, 2, 3)),
    # Records
    (Apply("record", (number(1), Literal(1, BOOLEAN)), POINTS), RecordValue((1, True))),
    (Select(Apply("record", (number(1), Literal(1, BOOLEAN)), POINTS), "y"), True),
    (
        Apply("records", (op("set", 1, 2), op("set", True)), Set(POINTS)),
        fs(RecordValue((1, True)), RecordValue((2, True))),
    ),
    # Multisets
    (bag((2, 7), (1, 8), (1, 7)), fs((7, 3), (8, 1))),
    (bag((0, 7)), fs()),
    (
        Apply("bag-change", (bag((2, 7)), number(-1), number(7), number(3), number(9)), BAG),
        fs((7, 1), (9, 3)),
    ),
    (Apply("bag-change", (bag((2, 7)), number(-3), number(7), number(1), number(7)), BAG), fs()),
    (Apply("bag-sum", (bag((2, 7)), bag((1, 7), (1, 8))), BAG), fs((7, 3), (8, 1))),
    (Apply("bag-difference", (bag((2, 7), (1, 8)), bag((1, 7), (1, 8))), BAG), fs((7, 1))),
    (Apply("bag-scaled", (number(3), bag((2, 7))), BAG), fs((7, 6))),
    (Apply("bag-scaled", (number(0), bag((2, 7))), BAG), fs()),
    (Apply("bag-included", (bag((1, 7)), bag((2, 7))), BOOLEAN), True),
    (Apply("bag-included", (bag((3, 7)), bag((2, 7))), BOOLEAN), False),
    (Apply("bag-count", (bag((2, 7)), number(7)), INTEGER), 2),
    (Apply("bag-count", (bag((2, 7)), number(8)), INTEGER), 0),
    (Apply("bag-size", (bag((2, 7), (1, 8)),), INTEGER), 3),
    (Apply("support", (bag((2, 7), (1, 8)),), Set(INTEGER)), fs(7, 8)),
    (Apply("bag-of-set", (op("set", 7, 8),), BAG), fs((7, 1), (8, 1))),
    (Apply("bag-of-function", (op("set", op("pair", 7, 2), op("pair", 8, 0)),), BAG), fs((7, 2))),
    # Elements in the order of their sort: from 0, around the end
    (Apply("position", (blue,), INTEGER), 2),
    (Apply("element-at", (number(1),), COLOUR), GREEN),
    (Apply("shift", (blue, number(1)), COLOUR), RED),
    # Only what is chosen or looked at
    (Conditional(op("less", 1, 2), number(5), UNDEFINED), 5),
    (Let(name("x"), UNDEFINED, number(5)), 5),
    (Let(name("x"), number(2), op("add", name("x"), name("x"))), 4),
]


@pytest.mark.parametrize(("expression", "value"), VALUES, ids=shown)
def test_value(expression, value):
    found = value_of(expression)
    assert found == value
    assert type(found) is type(value)


def test_every_operator_is_in_the_table():
    used = {expression.operator for expression, _ in VALUES if isinstance(expression, Apply)}
    assert set(OPERATORS) - used == {"all", "up-from", "sequences-1"} - used


MEMBERS = [
    (3, NATURAL, True),
    (-3, NATURAL, False),
    (-3, WHOLE, True),
    (10**9, op("interval", 0, 10**10), True),
    (-1, op("union", NATURAL, {-1}), True),
    (3, op("difference", NATURAL, {3}), False),
    (4, op("intersection", NATURAL, op("difference", WHOLE, {3})), True),
    ((1, -1), op("product", NATURAL, WHOLE), True),
    ((-1, -1), op("product", NATURAL, WHOLE), False),
    ({1, 5}, op("power-set", NATURAL), True),
    ({-1, 5}, op("power-set", NATURAL), False),
    (empty(), op("power-set-1", NATURAL), False),
    ({(1, 2), (1, 3)}, op("relations", NATURAL, NATURAL), True),
    ({(1, 2), (1, 3)}, op("partial-functions", NATURAL, NATURAL), False),
    ({(1, 2), (2, 2)}, op("partial-functions", NATURAL, NATURAL), True),
    ({(1, 2), (2, 2)}, op("partial-injections", NATURAL, NATURAL), False),
    ({(1, 2), (2, 2)}, op("total-functions", NATURAL, NATURAL), False),
    ({(1, 2), (2, 2)}, op("total-functions", {1, 2}, NATURAL), True),
    ({(1, 2), (2, 2)}, op("total-surjections", {1, 2}, {2}), True),
    ({(1, 2), (2, 2)}, op("partial-surjections", {1, 2}, NATURAL), False),
    ({(1, 2)}, op("total-functions", op("interval", 1, 10**15), NATURAL), False),
    ([5, 5], op("sequences", NATURAL), True),
    ([5, 5], op("injective-sequences", NATURAL), False),
    ({(2, 5)}, op("sequences", NATURAL), False),
    ([5, 4], op("permutations", {4, 5}), True),
    ([5, 4], op("permutations", NATURAL), False),
    (EMPTY_RELATION, op("sequences-1", NATURAL), False),
    ({(True, frozenset({1, 2}))}, op("total-functions", everything(BOOLEAN), op("power-set", NATURAL)), False),
    ((3, 3), op("identity", NATURAL), True),
    ((3, -3), op("inverse", op("product", WHOLE, NATURAL)), True),
    (((3, 4), 4), op("second-projection", NATURAL, NATURAL), True),
    ((3, 7), op("domain-restrict", NATURAL, op("product", WHOLE, {7})), True),
    ((3, 7), op("override", op("product", WHOLE, {7}), {(3, 8)}), False),
    ((3, 8), op("override", op("product", WHOLE, {7}), {(3, 8)}), True),
]  # fmt: skip


@pytest.mark.parametrize(("value", "space", "expected"), MEMBERS, ids=shown)
def test_membership_lists_nothing(value, space, expected):
    assert value_of(op("member", value, space)) is expected


SUCCESSOR = comprehension(
    [name("x")], op("member", name("x"), NATURAL), op("pair", name("x"), op("add", name("x"), 1))
)
APPLIED = [
    (op("apply", SUCCESSOR, 3), 4),
    (op("apply", op("compose", SUCCESSOR, SUCCESSOR), 3), 5),
    (op("apply", op("override", SUCCESSOR, {(3, 0)}), 3), 0),
    (op("apply", op("override", SUCCESSOR, {(3, 0)}), 4), 5),
    (op("apply", op("domain-subtract", {3}, SUCCESSOR), 4), 5),
    (op("apply", op("direct-product", SUCCESSOR, SUCCESSOR), 1), (2, 2)),
    (op("apply", op("parallel-product", SUCCESSOR, SUCCESSOR), (1, 2)), (2, 3)),
    (op("apply", op("union", SUCCESSOR, {(-1, 5)}), -1), 5),
    (op("domain-restrict", {1, 2}, SUCCESSOR), fs((1, 2), (2, 3))),
    (op("image", SUCCESSOR, {1, -2}), fs(2)),
    (op("compose", {(5, 6)}, SUCCESSOR), fs((5, 7))),
    (op("member", 3, op("domain", SUCCESSOR)), True),
    (op("member", -3, op("domain", SUCCESSOR)), False),
    (op("member", (3, 4), SUCCESSOR), True),
    (op("intersection", SUCCESSOR, {(3, 4), (3, 5)}), fs((3, 4))),
]


@pytest.mark.parametrize(("expression", "value"), APPLIED, ids=shown)
def test_functions_without_end_are_applied(expression, value):
    assert value_of(expression) == value


WITHOUT_VALUE = [
    (op("divide", 1, 0), "divided by zero"),
    (op("modulo", -1, 2), "negative"),
    (op("modulo", 1, 0), "positive"),
    (op("power", 2, -1), "exponent"),
    (op("min", empty()), "empty set has no min"),
    (op("max", op("interval", 3, 1)), "empty set has no max"),
    (op("general-intersection", empty(Set(INTEGER))), "no sets"),
    (op("apply", PAIRS, 9), "not in its domain"),
    (op("apply", {(1, 2), (1, 3)}, 1), "more than one value"),
    (op("apply", SUCCESSOR, -1), "not in its domain"),
    (op("iterate", PAIRS, -1), "negative"),
    (op("size", {(2, 2)}), "no sequence"),
    (op("first", EMPTY_RELATION), "first element"),
    (op("last", EMPTY_RELATION), "last element"),
    (op("tail", EMPTY_RELATION), "tail"),
    (op("front", EMPTY_RELATION), "front"),
    (op("take", [1], 2), "has 1 elements"),
    (op("drop", [1], -1), "has 1 elements"),
    (Apply("bag-change", (bag((1, 7)), number(-2), number(7)), BAG), "less than no times"),
    (Apply("bag-difference", (bag((1, 7)), bag((1, 8))), BAG), "less than no times"),
    (Apply("bag-scaled", (number(-1), bag((1, 7))), BAG), "less than no times"),
    (Apply("bag-of-function", (op("set", op("pair", 7, 2), op("pair", 7, 1)),), BAG), "one number for each"),
    (op("and", True, op("equal", UNDEFINED, 1)), "divided"),
    (op("or", False, op("equal", UNDEFINED, 1)), "divided"),
    (op("implies", op("equal", UNDEFINED, 1), False), "divided"),
    (op("iff", op("equal", UNDEFINED, 1), False), "divided"),
    (op("member", 1, op("union", {1}, op("set", UNDEFINED))), "divided"),
    (op("subset", empty(), op("set", UNDEFINED)), "divided"),
    (Let(name("x"), UNDEFINED, op("add", name("x"), 1)), "divided"),
]


@pytest.mark.parametrize(("expression", "words"), WITHOUT_VALUE, ids=shown)
def test_undefined(expression, words):
    with pytest.raises(Undefined, match=words):
        value_of(expression)


DECIDED_ALL_THE_SAME = [
    (op("and", op("equal", UNDEFINED, 1), False), False),
    (op("and", False, op("equal", UNDEFINED, 1)), False),
    (op("or", op("equal", UNDEFINED, 1), True), True),
    (op("implies", False, op("equal", UNDEFINED, 1)), True),
    (op("implies", op("equal", UNDEFINED, 1), True), True),
    (also(op("equal", op("card", NATURAL), 1), False), False),
]


@pytest.mark.parametrize(("expression", "value"), DECIDED_ALL_THE_SAME, ids=shown)
def test_a_part_that_decides(expression, value):
    assert value_of(expression) is value


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        (NATURAL, Unbounded),
        (op("card", op("power-set", NATURAL)), Unbounded),
        (op("general-union", op("power-set", NATURAL)), Unbounded),
        (op("sequences", {1}), Unbounded),
        (everything(Set(INTEGER)), Unbounded),
        (SUCCESSOR, Unbounded),
        (op("interval", 1, 10**9), TooLarge),
        (op("product", op("interval", 1, 2000), op("interval", 1, 2000)), TooLarge),
        (op("power-set", op("interval", 1, 30)), TooLarge),
        (op("power", 10, 10**9), TooLarge),
    ],
    ids=shown,
)
def test_sets_that_cannot_be_listed(expression, error):
    with pytest.raises(error):
        value_of(expression)


def test_elements():
    assert value_of(op("set", red, green, blue)) == fs(RED, GREEN, BLUE)
