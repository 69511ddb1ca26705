"""Free types of machines: what their definitions say, and what is no definition."""

from __future__ import annotations

import pytest
from burnside.ir.sets import expressions as e
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.checking import problems
from burnside.ir.sets.machine import Machine
from burnside.ir.sets.types import (
    BOOLEAN,
    INTEGER,
    Constructor,
    Element,
    FreeType,
    Pair,
    Recursion,
    Set,
    Sort,
    ValueType,
    is_finite,
    show_type,
)
from burnside.records import replace

SORT = Sort("X", ("x1", "x2"), "full", "given set")
X = Element(SORT)
OWNER = FreeType("OWNER", (Constructor("none"), Constructor("own", X)))
SELF = Recursion("TREE")
TREE = FreeType("TREE", (Constructor("leaf"), Constructor("node", Pair(SELF, SELF))))
NATURAL = e.Apply("up-from", (e.Literal(0, INTEGER),), Set(INTEGER))
NUMBER = FreeType("NUMBER", (Constructor("none"), Constructor("just", INTEGER, NATURAL)))

x = e.Name("x", OWNER, is_state=True)
NONE = e.Construct("none", None, OWNER)


def machine(*claims: e.Expression, free_types: tuple[FreeType, ...] = (OWNER, TREE, NUMBER)) -> Machine:
    from burnside.ir.sets.machine import Claim

    return Machine(
        "m",
        (SORT,),
        (),
        (),
        (x,),
        s.Assign((x,), (NONE,)),
        (),
        tuple(Claim("invariant", "it", each) for each in claims),
        free_types=free_types,
    )


def test_the_type_itself_stands_in_arguments() -> None:
    assert TREE.argument("node") == Pair(TREE, TREE)
    assert TREE.argument("leaf") is None
    assert OWNER.argument("own") == X


@pytest.mark.parametrize(
    ("type_", "finite"), [(OWNER, True), (TREE, False), (NUMBER, False), (Set(Pair(X, OWNER)), True)]
)
def test_which_types_are_finite(type_: ValueType, finite: bool) -> None:
    assert is_finite(type_) is finite
    assert (TREE.is_recursive, OWNER.is_recursive) == (True, False)


def test_types_are_shown_by_their_names() -> None:
    assert show_type(Set(Pair(TREE, OWNER))) == "POW(TREE * OWNER)"


def test_a_machine_with_free_types_is_well_formed() -> None:
    own = e.ArgumentOf(x, "own")
    assert e.type_of(own) == X
    claim = e.Apply("implies", (e.IsConstructed(x, "own"), e.Apply("equal", (own, own), BOOLEAN)), BOOLEAN)
    assert problems(machine(claim)) == ()


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        (e.IsConstructed(x, "some"), "no constructor some"),
        (e.IsConstructed(e.TRUE, "own"), "no constructor own"),
        (
            e.Apply("equal", (x, e.Construct("own", NONE, OWNER)), BOOLEAN),
            "the argument of own has another type",
        ),
        (
            e.Apply("equal", (x, e.Construct("own", None, OWNER)), BOOLEAN),
            "the argument of own has another type",
        ),
        (e.Apply("equal", (e.ArgumentOf(x, "none"), e.TRUE), BOOLEAN), "none takes no argument"),
    ],
)
def test_wrong_expressions(claim: e.Expression, expected: str) -> None:
    assert problems(machine(claim)) == (expected,)


@pytest.mark.parametrize(
    ("free_types", "expected"),
    [
        ((), "the type of x is no free type of the machine"),
        ((OWNER, OWNER), "two types are called OWNER"),
        ((OWNER, FreeType("X", (Constructor("a"),))), "two types are called X"),
        ((OWNER, replace(TREE, depth=0)), "no value of TREE would be tried"),
        (
            (OWNER, FreeType("F", (Constructor("a"), Constructor("a", X)))),
            "two constructors of F have one name",
        ),
        ((OWNER, FreeType("F", (Constructor("a", Recursion("F")),))), "F has no values"),
        ((OWNER, FreeType("F", (Constructor("a", Recursion("G")),))), "G stands outside of its definition"),
        (
            (OWNER, FreeType("F", (Constructor("a", X, NATURAL),))),
            "what a is made of has another type than its argument",
        ),
        ((OWNER, FreeType("F", (Constructor("a", None, NATURAL),))), "a takes no argument"),
    ],
)
def test_wrong_definitions(free_types: tuple[FreeType, ...], expected: str) -> None:
    assert problems(machine(free_types=free_types)) == (expected,)


def test_settings() -> None:
    assert problems(replace(machine(), notation="z", cut_rule="from-lower-bound")) == ()
    (problem,) = problems(replace(machine(), notation="a"))  # type: ignore[arg-type]
    assert "the notation" in problem
    (problem,) = problems(replace(machine(), cut_rule="none"))  # type: ignore[arg-type]
    assert "the rule for cut domains" in problem
