"""Long is not deep: chains of thousands of operators are read, checked and shown; nesting has a limit."""

from __future__ import annotations

from pathlib import Path

import burnside
import pytest
from burnside import pipeline
from burnside.diagnostics import InputError
from burnside.languages.shared.chains import MAX_SPINE, chained, chained_height
from hypothesis import given
from hypothesis import strategies as st

TERMS = 5_000


def joined(operator: str, left: int, right: int) -> int:
    return left + right if operator == "+" else left - right


@given(st.lists(st.tuples(st.sampled_from("+-"), st.integers(-9, 9)), max_size=200), st.integers(-9, 9))
def test_a_chain_of_plus_and_minus_has_its_value(rest: list[tuple[str, int]], first: int) -> None:
    expected = first
    for operator, value in rest:
        expected = joined(operator, expected, value)
    assert (
        chained([first, *(value for _, value in rest)], [operator for operator, _ in rest], joined)
        == expected
    )


def shown(operator: str, left: str, right: str) -> str:
    return f"({left}{operator}{right})"


@pytest.mark.parametrize("length", [1, 2, MAX_SPINE + 1, MAX_SPINE + 2, 1000])
def test_operands_keep_their_order_and_the_height_is_that_of_the_tree(length: int) -> None:
    operands = [f"{number} " for number in range(length)]
    tree = chained(operands, ["*"] * (length - 1), shown)
    words = tree.replace("(", "").replace(")", "").replace("*", "").split()
    assert words == [str(number) for number in range(length)]
    depth = max(tree[:at].count("(") - tree[:at].count(")") for at in range(len(tree) + 1))
    assert depth <= chained_height([0] * length) <= max(depth, length.bit_length())


def test_short_chains_lean_to_the_left() -> None:
    assert chained(["a", "b", "c"], ["-", "+"], shown) == "((a-b)+c)"


def chain(operator: str, term: str) -> str:
    return f" {operator} ".join([term] * TERMS)


MURPHI = f"""
var x: 0 .. 1; b: boolean;
startstate x := 1; b := true; end;
rule "turn" b := !b; end;
invariant "sum" {chain("+", "x")} = {TERMS};
invariant "difference" {chain("-", "x")} = {2 - TERMS};
invariant "both" {chain("-", "x + x")} = 2;
invariant "product" {chain("*", "x")} = 1;
invariant "and" {chain("&", "x = 1")};
invariant "or" {chain("|", "x = 0")} | b | !b;
"""
UNION, INTERSECTION = chain("\\/", "{x}"), chain("/\\", "{x}")
MACHINE = f"""MACHINE m VARIABLES x, s INVARIANT x : 0..1 & s : POW(0..9)
  & {chain("+", "x")} = {TERMS} & {chain("-", "x")} = {2 - TERMS} & {chain("-", "x + x")} = 2
  & ({chain("or", "x = 1")}) & {chain("&", "x = 1")}
  & {UNION} = {{1}} & {INTERSECTION} = {{1}} & s - {chain("-", "{x}")} = s - {{1}}
  & {chain("<+", "{0 |-> x}")} = {{0 |-> 1}} & size({chain("^", "[x]")}) = {TERMS}
INITIALISATION x, s := 1, {{1, 2}}
OPERATIONS flip = s := {{1, 2, 3}} - s END"""
MODELS = {"m.m": MURPHI, "m.mch": MACHINE}


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.parametrize("name", MODELS)
def test_thousands_of_terms(name: str, engine: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(MODELS[name])
    outcome = burnside.check(path, engine=engine, deadlock=False, symmetry="declared")
    assert outcome, [result.name[:30] for result in outcome.violations]


def test_a_long_sum_that_is_wrong_is_found_and_replayed(tmp_path: Path) -> None:
    """With symmetries of all ranges searched for."""
    path = tmp_path / "m.m"
    path.write_text(
        f'var x: 0 .. 1; startstate x := 1; end; rule x := 0; end; invariant "sum" {chain("+", "x")} = {TERMS};'
    )
    (violated,) = burnside.check(path, deadlock=False).violations
    assert violated.name == "sum" and violated.trace is not None and len(violated.trace) == 1


NESTED = {
    "m.m": ("var x: 0 .. 1; startstate x := 1; end; rule end; invariant {} = 1;", "(1 + ", "x", ")"),
    "m.mch": ("MACHINE m VARIABLES x INVARIANT x = {} INITIALISATION x := 1 END", "(1 + ", "x", ")"),
}


@pytest.mark.parametrize("name", NESTED)
def test_nesting_has_a_limit(name: str, tmp_path: Path) -> None:
    model, opening, middle, closing = NESTED[name]
    path = tmp_path / name
    path.write_text(model.format(opening * 120 + middle + closing * 120))
    with pytest.raises(InputError, match="more than 100 levels deep"):
        pipeline.read(path)
