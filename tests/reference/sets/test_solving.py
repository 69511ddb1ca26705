"""Solutions of predicates: all of them, each once, whatever the order of the conjuncts, and never by listing too much."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from burnside.ir.sets.expressions import Apply, Conditional, Fold, Let
from burnside.ir.sets.types import BOOLEAN, INTEGER, Pair, Set
from burnside.reference.sets import solving
from burnside.reference.sets.failures import TooLarge, Unbounded, Undefined
from burnside.reference.sets.solving import solutions

from tests.reference.sets.parts import (
    COLOUR,
    NATURAL,
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
    value_of,
)

x, y, z = name("x"), name("y"), name("z")
s, t = name("s", Set(INTEGER)), name("t", Set(INTEGER))
f = name("f", Set(Pair(INTEGER, INTEGER)))
b = name("b", BOOLEAN)
UNDEFINED = op("divide", 1, 0)


def solved(names, condition, **environment):
    """As a list of tuples; none may be in trouble."""
    found = list(solutions(names, condition, environment))
    assert all(each.trouble is None for each in found)
    values = [tuple(each.environment[one.name] for one in names) for each in found]
    assert len(set(values)) == len(values)
    return sorted(values, key=repr)


CASES = [
    ([x], op("member", x, {3, 1}), [(1,), (3,)]),
    ([x], op("equal", x, op("add", 1, 2)), [(3,)]),
    ([x, y], op("equal", op("pair", x, y), (1, 2)), [(1, 2)]),
    ([x, y], op("member", op("pair", x, y), {(1, 2), (3, 4)}), [(1, 2), (3, 4)]),
    ([x], op("member", op("pair", x, 2), {(1, 2), (3, 4), (5, 2)}), [(1,), (5,)]),
    ([x], op("member", op("pair", x, x), {(1, 2), (3, 3)}), [(3,)]),
    ([x, y], op("equal", op("pair", x, op("add", x, y)), (1, 3)), [(1, 2)]),
    ([x], op("equal", op("set", x), {4}), [(4,)]),
    ([x, y], op("equal", op("sequence", x, y), [4, 5]), [(4, 5)]),
    ([x, y], op("equal", op("sequence", x, y), [4]), []),
    ([x], also(op("member", x, NATURAL), op("less", x, 3)), [(0,), (1,), (2,)]),
    ([x], also(op("not", op("less", x, 3)), op("less-equal", x, 4)), [(3,), (4,)]),
    ([x], also(op("member", x, WHOLE), op("less", -2, x), op("less", x, 1)), [(-1,), (0,)]),
    ([x], also(op("less", 2, x), op("less", x, 2)), []),
    (
        [x, y],
        also(op("member", x, NATURAL), op("member", y, NATURAL), op("equal", op("add", x, y), 2)),
        [(0, 2), (1, 1), (2, 0)],
    ),
    (
        [x, y],
        also(op("member", x, NATURAL), op("equal", op("add", op("multiply", 2, x), y), 5), op("less", 0, y)),
        [(0, 5), (1, 3), (2, 1)],
    ),
    ([x, y], also(op("less", x, y), op("member", op("add", x, 1), {2, 3}), op("less", y, 4)), [(1, 2), (1, 3), (2, 3)]),
    ([s], op("subset", s, {1, 2}), 4),
    ([s], also(op("subset", s, op("interval", 1, 40)), op("equal", op("card", s), 1)), 40),
    (
        [s, t],
        also(op("equal", op("union", s, t), {1, 2}), op("equal", op("intersection", s, t), empty())),
        4,
    ),
    ([f], op("member", f, op("total-functions", {1, 2}, {3, 4})), 4),
    (
        [f],
        also(
            op("member", f, op("total-functions", op("interval", 1, 30), op("interval", 1, 30))),
            forall(
                [x],
                op("member", x, op("interval", 1, 30)),
                op("equal", op("apply", f, x), op("subtract", 31, x)),
            ),
        ),
        1,
    ),
    ([f], also(op("member", f, op("sequences", {1, 2})), op("less-equal", op("size", f), 2)), 1 + 2 + 4),
    ([b], b, [(True,)]),
    ([b], op("not", b), [(False,)]),
    ([b], op("iff", b, op("less", 1, 2)), [(True,)]),
    ([b, x], also(op("iff", b, op("less", x, 2)), op("member", x, {1, 2})), [(False, 2), (True, 1)]),
    ([x], op("or", op("equal", x, 1), op("member", x, {1, 2}), op("equal", x, 9)), [(1,), (2,), (9,)]),
    (
        [x, y],
        op("or", op("equal", op("pair", x, y), (1, 2)), also(op("equal", x, 1), op("equal", y, op("add", x, 1)))),
        [(1, 2)],
    ),
    ([x], exists([y], also(op("member", y, {1, 2}), op("equal", x, op("multiply", y, y)))), [(1,), (4,)]),
    ([x], op("not", op("implies", op("member", x, {1, 2}), op("less", x, 2))), [(2,)]),
    ([x], op("not", op("or", op("less", x, 2), op("less", 3, x))), [(2,), (3,)]),
    ([x], Conditional(op("less", 1, 2), op("equal", x, 5), op("equal", x, 6)), [(5,)]),
    ([x], Let(y, op("add", 1, 1), op("equal", x, y)), [(2,)]),
    ([x], op("equal", op("apply", {(1, 5), (2, 6), (3, 5)}, x), 5), [(1,), (3,)]),
    ([x], op("member", x, comprehension([y], op("member", y, {1, 2}))), [(1,), (2,)]),
    ([], op("less", 1, 2), [()]),
    ([], op("less", 2, 1), []),
]  # fmt: skip


@pytest.mark.parametrize(("names", "condition", "expected"), CASES)
def test_solutions(names, condition, expected):
    found = solved(names, condition)
    assert found == expected if isinstance(expected, list) else len(found) == expected


def test_the_order_of_conjuncts_does_not_matter():
    parts = [
        op("member", x, op("interval", 0, 5)),
        op("less", y, x),
        op("member", y, NATURAL),
        op("equal", z, op("add", x, y)),
        op("not", op("equal", z, 4)),
    ]
    expected = sorted(
        ((a, c, a + c) for a, c in product(range(6), repeat=2) if c < a and a + c != 4), key=repr
    )
    for order in permutations(parts):
        assert solved([x, y, z], also(*order)) == expected


def test_elements_and_records_are_listed_by_their_types():
    c = name("c", COLOUR)
    assert len(solved([c], op("not", op("equal", c, red)))) == 2
    point = name("r", struct(x=BOOLEAN, y=COLOUR))
    assert len(solved([point], op("equal", point, point))) == 6


def troubles(names, condition):
    return [each.trouble for each in solutions(names, condition, {})]


def test_undefined_valuations_are_reported_unless_something_is_false():
    condition = also(op("member", x, {0, 1, 2}), op("equal", op("divide", 2, x), 2))
    by_value = {each.environment["x"]: each.trouble for each in solutions([x], condition, {})}
    assert by_value.keys() == {0, 1}
    assert isinstance(by_value[0], Undefined)
    assert by_value[1] is None
    assert [each.environment["x"] for each in solutions([x], condition, {}, undefined=False)] == [1]


def test_an_undefined_equation_bounds_nothing():
    assert troubles([x], also(op("member", x, empty()), op("equal", x, UNDEFINED))) == []
    (trouble,) = troubles([x], op("equal", x, UNDEFINED))
    assert isinstance(trouble, Undefined)


INTERVALS = comprehension([x], op("member", x, {1, 2}), op("interval", x, op("add", x, 1)))
UP_FROM_X = Apply("up-from", (x,), Set(INTEGER))
QUANTIFIED = [
    (forall([x], op("member", x, {1, 2}), op("less", x, 3)), True),
    (forall([x], op("member", x, {0, 2}), op("less", 0, op("divide", 2, x))), Undefined),
    (forall([x], op("member", x, {0, 2}), op("less", op("divide", 2, x), 1)), False),
    (forall([x], also(op("member", x, {0, 2}), op("equal", op("divide", 2, x), 1)), op("equal", x, 2)), Undefined),
    (forall([x], also(op("member", x, {0, 2}), op("equal", op("divide", 2, x), 1)), op("less", x, 9)), True),
    (forall([x], op("member", x, empty()), op("equal", 1, UNDEFINED)), True),
    (exists([x], also(op("member", x, {0, 2}), op("equal", op("divide", 2, x), 1))), True),
    (exists([x], also(op("member", x, {0, 2}), op("equal", op("divide", 2, x), 7))), Undefined),
    (exists([x], op("member", x, empty())), False),
    (comprehension([x], also(op("member", x, {0, 2}), op("equal", op("divide", 2, x), 1))), Undefined),
    (comprehension([x], op("member", x, {1, 2}), op("multiply", x, x)), frozenset({1, 4})),
    (
        comprehension([x, y], also(op("member", x, {1, 2}), op("less", y, x), op("member", y, NATURAL))),
        frozenset({(1, 0), (2, 0), (2, 1)}),
    ),
    (op("general-union", INTERVALS), frozenset({1, 2, 3})),
    (op("general-intersection", INTERVALS), frozenset({2})),
    (op("member", 5, op("general-union", comprehension([x], op("member", x, {1, 2}), UP_FROM_X))), True),
    (Fold("sum", (x,), op("member", x, {-1, 1, 2}), op("multiply", x, x)), 6),
    (Fold("product", (x,), op("member", x, {2, 3}), x), 6),
    (Fold("sum", (x,), op("member", x, empty()), x), 0),
    (Fold("product", (x,), op("member", x, empty()), x), 1),
    (op("member", 4, comprehension([x], op("member", x, NATURAL), op("multiply", x, 2))), True),
    (op("member", 3, comprehension([x], op("member", x, NATURAL), op("multiply", x, 2))), False),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "expected"), QUANTIFIED)
def test_what_binds_names(expression, expected):
    if expected is Undefined:
        with pytest.raises(Undefined):
            value_of(expression)
    else:
        assert value_of(expression) == expected


@pytest.mark.parametrize(
    ("names", "condition", "missing"),
    [
        ([x], op("member", x, NATURAL), "x"),
        ([x, y], also(op("member", x, {1, 2}), op("less", x, y)), "y"),
        ([s], op("subset", s, NATURAL), "s"),
        ([f], op("member", f, op("sequences", {1, 2})), "f"),
        ([x], op("or", op("equal", x, 1), op("less", x, 5)), "x"),
        ([name("word", everything(BOOLEAN).type)], op("less", 1, 2), None),
    ],
)
def test_what_cannot_be_bounded_is_named(names, condition, missing):
    if missing is None:
        assert len(solved(names, condition)) == 4
        return
    with pytest.raises(Unbounded, match=f"'{missing}'"):
        list(solutions(names, condition, {}))


def test_a_search_ends(monkeypatch):
    monkeypatch.setattr(solving, "SEARCH_LIMIT", 1000)
    condition = also(op("member", x, op("interval", 1, 100)), op("member", y, op("interval", 1, 100)))
    with pytest.raises(TooLarge, match="candidates for x, y"):
        list(solutions([x, y], condition, {}))


def test_functions_are_built_point_by_point():
    """Of seven to the seventh functions only few are looked at."""
    space = op("total-functions", op("interval", 1, 7), op("interval", 1, 7))
    rising = forall(
        [x, y],
        also(op("member", x, op("interval", 1, 7)), op("equal", y, op("add", x, 1)), op("less-equal", y, 7)),
        op("less", op("apply", f, x), op("apply", f, y)),
    )
    assert solved([f], also(op("member", f, space), rising)) == [(frozenset((i, i) for i in range(1, 8)),)]
