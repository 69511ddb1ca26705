"""Conditions on markings: their meaning, their normal form, and what is said about wrong ones."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from burnside.diagnostics import BurnsideError, InputError, UnsupportedError
from burnside.languages.net_expressions import parse_expression
from burnside.net import Net
from hypothesis import given
from hypothesis import strategies as st

NET = Net(
    name="n",
    places=("p", "q", "r.1", "a-b", "and", "it's"),
    initial=(0,) * 6,
    transitions=(),
    consumes=(),
    produces=(),
    aliases={"place_p": 0},
)


def core(text: str) -> tuple[Any, ...]:
    return parse_expression(text, NET).core


def holds(text: str, p: int = 0, q: int = 0) -> bool:
    return parse_expression(text, NET).evaluate((p, q, 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p <= 1", ("<=", [(0, 1)], -1)),
        ("p < 1", ("<=", [(0, 1)], 0)),
        ("p >= 1", ("<=", [(0, -1)], 1)),
        ("1 < p", ("<=", [(0, -1)], 2)),
        ("not p <= 1", ("<=", [(0, -1)], 2)),
        ("p == 1", ("=", [(0, 1)], -1)),
        ("1 = p", ("=", [(0, 1)], -1)),
        ("p <> 1", ("not", ("=", [(0, 1)], -1))),
        ("!(p != 1)", ("=", [(0, 1)], -1)),
        ("q + p - q + p <= 3 * 2", ("<=", [(0, 1)], -3)),
        ("2 * (q + p) + p * 3 <= 7", ("<=", [(0, 5), (1, 2)], -7)),
        ("2 * p <= 3", ("<=", [(0, 1)], -1)),
        ("2 * p = 3", ("false",)),
        ("-p - -2 * q = 0", ("=", [(0, 1), (1, -2)], 0)),
        ("p = p", ("true",)),
        ("0 * p > 0", ("false",)),
        ("true and p = 0", ("=", [(0, 1)], 0)),
        ("p = 0 or true", ("true",)),
        ("p=0 and (q=0 && r.1=0)", ("and", [("=", [(0, 1)], 0), ("=", [(1, 1)], 0), ("=", [(2, 1)], 0)])),
        ("p = 0 -> q = 0", ("or", [("not", ("=", [(0, 1)], 0)), ("=", [(1, 1)], 0)])),
        ("not (p = 0 or q = 0)", ("and", [("not", ("=", [(0, 1)], 0)), ("not", ("=", [(1, 1)], 0))])),
        ("place_p = 0", ("=", [(0, 1)], 0)),
        ('"a-b" + \'and\' + "it\'s" <= 0', ("<=", [(3, 1), (4, 1), (5, 1)], 0)),
        ("'it\\'s' = 0", ("=", [(5, 1)], 0)),
    ],
)
def test_normal_form(text: str, expected: tuple[Any, ...]) -> None:
    assert core(text) == expected


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("p=0 or q=0 and p=1", "p=0 or (q=0 and p=1)"),
        ("not p=0 and q=0", "(not (p=0)) and q=0"),
        ("p=0 -> q=0 -> p=1", "p=0 implies (q=0 implies p=1)"),
        ("p=0 -> q=0 or p=1", "p=0 -> (q=0 or p=1)"),
        ("p=0 <-> q=0 -> p=1", "p=0 <-> (q=0 -> p=1)"),
        ("p - q - 1 = 0", "(p - q) - 1 = 0"),
        ("not not p=0", "p=0"),
    ],
)
def test_precedence(text: str, same: str) -> None:
    assert core(text) == core(same)


@st.composite
def conditions(draw: st.DrawFn, depth: int = 3) -> tuple[str, str]:
    """A condition over p and q, and the same in Python."""
    if depth == 0 or draw(st.booleans()):
        ours, theirs = draw(
            st.sampled_from([("=", "=="), ("<>", "!="), ("<", "<"), ("<=", "<="), (">=", ">=")])
        )
        a, b, c = (draw(st.integers(-3, 3)) for _ in range(3))
        sum_ = f"{a} * p + {b} * q"
        return f"{sum_} {ours} {c}", f"({sum_} {theirs} {c})"
    if draw(st.booleans()):
        ours, theirs = draw(conditions(depth - 1))
        return f"not ({ours})", f"(not {theirs})"
    operator = draw(st.sampled_from(["and", "or", "->", "<->"]))
    (left, left_too), (right, right_too) = draw(conditions(depth - 1)), draw(conditions(depth - 1))
    theirs = {"->": f"(not {left_too} or {right_too})", "<->": f"({left_too} == {right_too})"}
    return f"({left}) {operator} ({right})", theirs.get(operator, f"({left_too} {operator} {right_too})")


@given(pair=conditions())
def test_meaning(pair: tuple[str, str]) -> None:
    """On every small marking, the same as Python's opinion; and `not` is the opposite."""
    text, python = pair
    for p, q in itertools.product(range(4), repeat=2):
        assert holds(text, p, q) == eval(python, {"p": p, "q": q})
        assert holds(f"not ({text})", p, q) != holds(text, p, q)


def test_places() -> None:
    assert parse_expression("q + 0 * r.1 = 0 or not p <= 2", NET).places == (0, 1)
    assert parse_expression("true", NET).places == ()
    assert parse_expression("p = 0", NET).text == "p = 0"
    assert hash(parse_expression("p = 0", NET)) == hash(parse_expression("p = 0", NET))


@pytest.mark.parametrize(
    ("text", "expected", "hint"),
    [
        ("", "1:1: expected a place, a number or '(', found the end of the expression", None),
        ("p = 0 and", "1:10: expected a place, a number or '(', found the end of the expression", None),
        ("p = ) 0", "1:5: expected a place, a number or '(', found ')'", None),
        ("p = 0 q", "1:7: expected an operator, found 'q'", None),
        ("p = 0 AND q = 0", "1:7: expected an operator, found 'AND'", "keywords are lower-case: and"),
        ("(p = 0", "1:1: this parenthesis is not closed", None),
        ("p = 0)", "1:6: this parenthesis closes nothing", None),
        ("p", "1:1: expected a condition, found a number of tokens", "compare it: p > 0"),
        ("not p + q", "1:5: expected a condition, found a number of tokens", "compare it: p + q > 0"),
        ("p = 0 and q", "1:11: expected a condition, found a number of tokens", "compare it: q > 0"),
        ("p + (q = 0) = 1", "1:5: expected a number of tokens, found a condition", None),
        (
            "0 <= p <= 1",
            "1:8: the left side of '<=' is a condition, not a number",
            "join two comparisons with 'and', two conditions with '<->'",
        ),
        ("p * (q + 1) = 0", "1:1: the product of two places is not supported: sums must be linear", None),
        ("r1 = 0", "1:1: there is no place 'r1'", "did you mean r.1?"),
        (
            "p = 0 and a-b = 0",
            "1:11: there is no place 'a'",
            'names that hold operators or blanks need quotes: "a-b"',
        ),
        ('"p q" = 0', "1:1: there is no place 'p q'", "did you mean q or p?"),
        ('"p = 0', "1:1: the name that starts here has no closing quote", None),
        ("p = 0\n  and $", "2:7: character '$' means nothing here", ...),
        ("2147483649 * p = 0", "1:1: a coefficient is beyond 2^31", None),
        ("p <= 4611686018427387905", "1:1: a constant is beyond 2^62", None),
        ("p <= " + "9" * 5000, "1:6: a constant is beyond 2^62", None),
    ],
)
def test_complaints(text: str, expected: str, hint: str | None) -> None:
    with pytest.raises(BurnsideError) as caught:
        parse_expression(text, NET, "--find")
    diagnostic = caught.value.diagnostic
    assert diagnostic.span is not None
    assert f"{diagnostic.span.line}:{diagnostic.span.column}: {diagnostic.message}" == expected
    assert diagnostic.source == "--find"
    assert isinstance(caught.value, UnsupportedError if "support" in expected else InputError)
    if hint is not ...:
        assert diagnostic.hint == hint


class TestSize:
    """Nothing here may cost a stack, or more than its length."""

    def test_parentheses(self) -> None:
        assert core("(" * 100 + "p = 0" + ")" * 100) == core("p = 0")
        with pytest.raises(InputError, match="parentheses are nested more than 100 deep"):
            core("(" * 10_000 + "p = 0" + ")" * 10_000)

    def test_signs(self) -> None:
        assert core("not " * 10_000 + "p = 0") == core("p = 0")
        assert core("-" * 10_001 + "p = -1") == core("p = 1")

    def test_long_sums_and_conjunctions(self) -> None:
        assert core(" + ".join(["p"] * 20_000) + " <= 40000") == core("p <= 2")
        assert len(core(" and ".join(f"p <= {i}" for i in range(5000)))[1]) == 5000

    def test_alternation(self) -> None:
        """Without parentheses, depth can only come from `<->`, whose size stops it first."""
        with pytest.raises(InputError, match="the normal form has more than 20000 comparisons"):
            core(" <-> ".join(["p = 0"] * 40))

    def test_the_largest_numbers(self) -> None:
        assert core(f"{2**31} * p - q <= {2**62}") == ("<=", [(0, 2**31), (1, -1)], -(2**62))
