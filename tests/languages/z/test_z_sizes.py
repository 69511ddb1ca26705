"""`--size`: elements of given sets, numbers that are tried, constants, depths; and names that are wrong."""

from __future__ import annotations

import pytest
from burnside.diagnostics import UsageError

from tests.z_models import axdef, explored, message, read, refused, states, zed

TEXT = zed("[NAME, max\\_set]") + axdef(r"limit, other : \nat", r"limit = 2", r"other \in 1 \upto 2") + zed(
    r"S \defs [ s : \power NAME; t : \power max\_set | \# s \leq limit ]", r"Init \defs [ S' ]"
)  # fmt: skip
RECURSIVE = zed(r"T ::= leaf | node \ldata T \rdata", r"S \defs [ t : T ]", r"Init \defs [ S' ]")


def sort_sizes(**sizes: int) -> dict[str, int]:
    return {each.name: each.size for each in read(TEXT, sizes).machine.sorts}


def test_two_elements_unless_said_otherwise() -> None:
    assert sort_sizes() == {"NAME": 2, "max_set": 2}
    assert sort_sizes(NAME=5) == {"NAME": 5, "max_set": 2}
    assert sort_sizes(max_set=1) == {"NAME": 2, "max_set": 1}


def test_all_given_sets_that_are_not_named() -> None:
    assert sort_sizes(**{"*": 3}) == {"NAME": 3, "max_set": 3}
    assert sort_sizes(**{"*": 3, "NAME": 1}) == {"NAME": 1, "max_set": 3}


def test_capital_letters_need_not_be_right() -> None:
    assert sort_sizes(name=4) == {"NAME": 4, "max_set": 2}


def test_elements_are_called_after_their_set() -> None:
    name = read(TEXT, {"NAME": 2}).machine.sorts[0]
    assert name.elements == ("NAME1", "NAME2")
    assert (name.symmetry, name.origin) == ("full", "given set")
    taken = read(zed("[X]", "X1 == 1", r"S \defs [ x : X ]", r"Init \defs [ S' ]")).machine.sorts[0]
    assert taken.elements == ("X_1", "X_2")


def test_values_of_constants() -> None:
    """An equation with a number is replaced; everything else has to hold."""
    assert explored(TEXT).initial_states == 2
    assert explored(TEXT, {"other": 1}).initial_states == 1
    assert explored(TEXT, {"limit": 1, "other": 1}).states == 1 + 3 * 4
    assert explored(TEXT, {"limit": 0, "other": 1}).states == 1 + 1 * 4
    assert explored(TEXT, {"other": 3}).states == 0


def test_numbers_that_are_tried() -> None:
    text = zed(r"S \defs [ n : \nat ]", r"Init \defs [ S' ]")
    assert read(text).machine.numbers == (-1, 3)
    assert states(text) == 4
    assert states(text, {"MAXINT": 5}) == 6
    whole = zed(r"S \defs [ n : \num ]", r"Init \defs [ S' ]")
    assert states(whole) == 5
    assert states(whole, {"MININT": -3, "MAXINT": 0}) == 4


def test_depths_of_recursive_types() -> None:
    assert read(RECURSIVE).machine.free_types[0].depth == 3
    assert [states(RECURSIVE, {"T": depth}) for depth in (1, 2, 4)] == [1, 2, 4]


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ({"NIX": 2}, "no given set or numeric constant is called 'NIX'"),
        ({"S": 2}, "no given set or numeric constant is called 'S'"),
        ({"s": 2}, "no given set or numeric constant is called 's'"),
        ({"NAME": 0}, "'NAME' cannot have 0 elements, but from 1 to 100,000"),
        ({"*": 0}, "'NAME' cannot have 0 elements, but from 1 to 100,000"),
        ({"max_set": 100_001}, "'max_set' cannot have 100001 elements, but from 1 to 100,000"),
        ({"MAXINT": -2}, "MININT (-1) is larger than MAXINT (-2)"),
    ],
)
def test_wrong_sizes(sizes: dict[str, int], found: str) -> None:
    error = refused(TEXT, sizes)
    assert isinstance(error, UsageError)
    assert message(error)[0] == found


def test_what_there_is() -> None:
    hint = message(refused(TEXT, {"NIX": 2}))[1]
    assert (
        hint
        == "there are: NAME, max_set, limit, other, MAXINT, MININT; '*' is every given set that is not named"
    )


def test_a_name_that_could_be_two() -> None:
    text = zed("[NAME]") + axdef(r"name : 1 \upto 2") + zed(r"S \defs [ s : NAME ]", r"Init \defs [ S' ]")
    assert (
        message(refused(text, {"Name": 2}))[0]
        == "more than one given set or numeric constant is called 'Name'"
    )
    assert read(text, {"name": 2, "NAME": 3}).machine.sorts[0].size == 3


def test_all_given_sets_where_there_are_none() -> None:
    """One option for many specifications."""
    assert read(RECURSIVE, {"*": 2}).machine.sorts == ()


def test_too_deep() -> None:
    assert message(refused(RECURSIVE, {"T": 21}))[0] == "'T' cannot have 21 levels, but from 1 to 20"


def test_sizes_of_free_types_without_data_are_those_of_the_text() -> None:
    assert isinstance(
        refused(zed("C ::= red | green", r"S \defs [ c : C ]", r"Init \defs [ S' ]"), {"C": 3}), UsageError
    )
