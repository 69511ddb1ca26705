"""The solver finds what trying every valuation finds, and is in trouble where that is."""

from __future__ import annotations

from itertools import combinations, product

from burnside.ir.sets.expressions import Apply
from burnside.ir.sets.types import INTEGER, Pair, Set
from burnside.reference.sets.evaluation import holds
from burnside.reference.sets.failures import Undefined
from burnside.reference.sets.solving import solutions
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.sets.parts import NATURAL, also, exists, forall, name, number, op

x, y, z = name("x"), name("y"), name("z")
s = name("s", Set(INTEGER))
f = name("f", Set(Pair(INTEGER, INTEGER)))
RANGE = (-1, 0, 1)
SUBSETS = [frozenset(each) for size in range(3) for each in combinations((0, 1), size)]
FUNCTIONS = [
    frozenset((a, b) for a, b in zip((0, 1), images, strict=True) if b is not None)
    for images in product((None, 0, 1), repeat=2)
]
RANGES = [
    op("member", x, op("interval", -1, 1)),
    op("member", y, op("interval", -1, 1)),
    op("subset", s, op("interval", 0, 1)),
    op("member", f, op("partial-functions", op("interval", 0, 1), op("interval", 0, 1))),
]

numbers = st.deferred(
    lambda: st.one_of(
        st.sampled_from([x, y, number(0), number(1), number(2)]),
        st.builds(lambda o, a, b: op(o, a, b), st.sampled_from(["add", "subtract", "divide", "multiply"]), numbers, numbers),
        st.builds(lambda a: op("apply", f, a), numbers),
        st.just(op("card", s)),
        st.just(op("min", s)),
    )
)  # fmt: skip
sets = st.deferred(
    lambda: st.one_of(
        st.just(s),
        st.just(NATURAL),
        st.just(op("domain", f)),
        st.builds(lambda a, b: op("set", a, b), numbers, numbers),
        st.builds(lambda a, b: op("interval", a, b), numbers, numbers),
        st.builds(lambda o, a, b: op(o, a, b), st.sampled_from(["union", "intersection", "difference"]), sets, sets),
    )
)  # fmt: skip
predicates = st.deferred(
    lambda: st.one_of(
        st.builds(lambda o, a, b: op(o, a, b), st.sampled_from(["less", "less-equal", "equal"]), numbers, numbers),
        st.builds(lambda a, b: op("member", a, b), numbers, sets),
        st.builds(lambda a, b: op("member", op("pair", a, b), f), numbers, numbers),
        st.builds(lambda a: op("subset", s, a), sets),
        st.builds(lambda a, b: op("equal", op("pair", a, b), op("pair", 1, 0)), numbers, numbers),
        st.builds(lambda o, a, b: op(o, a, b), st.sampled_from(["and", "or", "implies", "iff"]), predicates, predicates),
        st.builds(lambda a: op("not", a), predicates),
        st.builds(lambda a, p: exists([z], also(op("member", z, {0, 1}), op("less", z, a), p)), numbers, predicates),
        st.builds(lambda p: forall([z], also(op("member", z, op("domain", f)), op("less", z, x)), p), predicates),
    )
)  # fmt: skip


def tried(condition: Apply) -> dict[tuple[object, ...], bool]:
    """What is not false: True where it holds, False where it is undefined."""
    found = {}
    for valuation in product(RANGE, RANGE, SUBSETS, FUNCTIONS):
        environment = dict(zip("xysf", valuation, strict=True))
        try:
            if holds(condition, environment):
                found[valuation] = True
        except Undefined:
            found[valuation] = False
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(predicates, min_size=1, max_size=3), st.randoms())
def test_solver_and_trial_agree(parts, random):
    parts = [*RANGES, *parts]
    random.shuffle(parts)
    condition = op("and", *parts)
    expected = tried(condition)
    found = {}
    for solution in solutions([x, y, s, f], condition, {}):
        valuation = tuple(solution.environment[each] for each in "xysf")
        assert valuation not in found
        found[valuation] = solution.trouble is None
    assert found == expected
    certain = [
        tuple(each.environment[one] for one in "xysf")
        for each in solutions([x, y, s, f], condition, {}, undefined=False)
    ]
    assert sorted(map(repr, certain)) == sorted(repr(each) for each, holding in expected.items() if holding)
