"""Which numbers are tried of a name that nothing bounds, by either rule of a machine: MININT is -1, MAXINT 3."""

from __future__ import annotations

import pytest
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import CutRule, Machine, Operation
from burnside.ir.sets.types import BOOLEAN, INTEGER, Pair, Set, ValueType
from burnside.reference.sets.values import State

from tests.machine_engines import both

n = e.Name("n", INTEGER, is_state=True)
WHOLE = e.Apply("all", (), Set(INTEGER))


def number(value: int) -> e.Literal:
    return e.Literal(value, INTEGER)


def says(operator: str, *arguments: e.Expression) -> e.Expression:
    return e.Apply(operator, arguments, BOOLEAN)


def up_from(low: e.Expression) -> e.Expression:
    return e.Apply("up-from", (low,), Set(INTEGER))


def choosing(name: e.Name, *conjuncts: e.Expression, rule: CutRule, start: int = 0) -> Machine:
    """One operation, with any such value as its parameter."""
    operation = Operation("choose", (name,), (), s.SKIP, says("and", *conjuncts))
    begin = s.Assign((n,), (number(start),))
    return Machine("m", (), (), (), (n,), begin, (operation,), cut_rule=rule)


def chosen(machine: Machine) -> list[object]:
    """By both engines."""
    found = both(machine)
    (state,) = found.states(1)
    core, reference = found.steps(state)
    assert core == reference
    values: list[State] = [label.arguments for label, _ in core]
    return sorted((each for (each,) in values), key=repr)


x = e.Name("x", INTEGER)
is_number = says("member", x, WHOLE)


@pytest.mark.parametrize(
    ("conjuncts", "implementable", "from_lower_bound"),
    [
        ((), [-1, 0, 1, 2, 3], [-1, 0, 1, 2, 3]),
        ((says("less", number(0), x), says("not", says("equal", x, number(2)))), [1, 3], [1, 3]),
        ((says("less-equal", number(5), x),), [], [5]),
        ((says("member", x, up_from(number(7))),), [], [7]),
        ((says("less-equal", number(1), x), says("less-equal", number(9), x)), [], [9]),
        ((says("less-equal", x, number(1)),), [-1, 0, 1], [-1, 0, 1]),
        ((says("less-equal", number(5), x), says("less-equal", x, number(6))), [5, 6], [5, 6]),
    ],
)
def test_numbers(
    conjuncts: tuple[e.Expression, ...], implementable: list[int], from_lower_bound: list[int]
) -> None:
    assert chosen(choosing(x, is_number, *conjuncts, rule="implementable")) == implementable
    assert chosen(choosing(x, is_number, *conjuncts, rule="from-lower-bound")) == from_lower_bound


@pytest.mark.parametrize("start", range(6))
def test_a_lower_bound_that_a_state_has(start: int) -> None:
    """Numbers of results in ProZ: 4, 3, 2, 1, 1, 1."""
    above = says("less-equal", n, x)
    machine = choosing(x, is_number, above, rule="from-lower-bound", start=start)
    assert chosen(machine) == list(range(start, max(3, start) + 1))


@pytest.mark.parametrize(("rule", "sizes"), [("implementable", [0]), ("from-lower-bound", [0, 1])])
def test_sets_of_numbers(rule: CutRule, sizes: list[int]) -> None:
    type_: ValueType = Set(INTEGER)
    name = e.Name("s", type_)
    whole = e.Apply("power-set", (up_from(number(5)),), Set(type_))
    found = chosen(choosing(name, says("member", name, whole), rule=rule))
    assert sorted(len(each) for each in found) == sizes  # type: ignore[arg-type]


@pytest.mark.parametrize(("rule", "least"), [("implementable", None), ("from-lower-bound", 4)])
def test_functions_to_numbers(rule: CutRule, least: int | None) -> None:
    type_ = Set(Pair(INTEGER, INTEGER))
    name = e.Name("f", type_)
    one = e.Apply("interval", (number(1), number(2)), Set(INTEGER))
    whole = e.Apply("total-functions", (one, up_from(number(4))), Set(type_))
    found = chosen(choosing(name, says("member", name, whole), rule=rule))
    assert found == ([] if least is None else [frozenset({(1, least), (2, least)})])
