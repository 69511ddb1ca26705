"""Constants, abbreviations and generic definitions: what stands for what, and what is part of the state."""

from __future__ import annotations

import pytest
from burnside.diagnostics import UnsupportedError

from tests.z_models import axdef, explored, gendef, message, plain_names, read, refused, states, zed

STATE = [r"S \defs [ n : 0 \upto 9 ]", r"Init \defs [ S' | n' = 1 ]"]


def constants(text: str) -> list[str]:
    return plain_names([each.name for each in read(text).machine.constants])


# Functions on infinite sets stand for what they are equal to


DOUBLE = [
    axdef(r"double : \nat \fun \nat", r"double = (\lambda k : \nat @ 2 * k)"),
    axdef(r"double : \nat \fun \nat", r"(\lambda k : \nat @ 2 * k) = double"),
    axdef(r"double : \nat \fun \nat", r"\forall k : \nat @ double~k = 2 * k"),
    axdef(r"double : \nat \fun \nat", r"\forall k : \nat @ 2 * k = double(k)"),
    axdef(r"double : \nat \fun \nat") + zed(r"\forall k : \nat @ double~k = 2 * k"),
    zed(r"double == (\lambda k : \nat @ 2 * k)"),
]


@pytest.mark.parametrize("definition", DOUBLE)
def test_a_function_on_all_numbers(definition: str) -> None:
    text = definition + zed(*STATE, r"Go \defs [ \Delta S | n' = double~n ]")
    assert constants(text) == []
    found = explored(text)
    # 1, 2, 4, 8; the start counts, and so does the set-up of a constant.
    expected = 5 if "axdef" in definition else 4
    assert (found.states, found.transitions) == (expected, expected)


def test_with_two_arguments_and_as_an_operator() -> None:
    text = (
        "%%inop \\plusplus 3\n"
        + axdef(
            r"\_ \plusplus \_ : \num \cross \num \fun \num; f : \num \cross \num \fun \num",
            r"\forall a, b : \num @ a \plusplus b = a + b + 1",
            r"\forall a : \num; b : \num @ f(a, b) = a - b",
        )
        + zed(*STATE, r"Go \defs [ \Delta S | n' = f(n \plusplus 3, 1) ]")
    )
    assert constants(text) == []
    assert states(text) == 4  # the set-up, 1, 4, 7


def test_a_function_on_sequences() -> None:
    text = zed("[X]") + axdef(
        r"longer : \seq X \fun \nat", r"\forall s : \seq X @ longer~s = \# s + 1"
    ) + zed(*STATE, r"Go \defs [ \Delta S; x? : X | n' = longer~\langle x?, x? \rangle ]")  # fmt: skip
    assert constants(text) == []
    assert states(text) == 3


def test_one_may_use_another() -> None:
    text = axdef(
        r"f, g : \nat \fun \nat", r"\forall k : \nat @ f~k = g~k + 1", r"\forall k : \nat @ g~k = 2 * k"
    ) + zed(*STATE, r"Go \defs [ \Delta S | n' = f~n ]")
    assert states(text) == 4  # the set-up, 1, 3, 7


def test_a_cycle_on_infinite_sets() -> None:
    text = axdef(
        r"f, g : \nat \fun \nat", r"\forall k : \nat @ f~k = g~k + 1", r"\forall k : \nat @ g~k = f~k - 1"
    ) + zed(*STATE, r"Go \defs [ \Delta S | n' = f~n ]")
    error = refused(text)
    assert isinstance(error, UnsupportedError)
    assert message(error)[0].startswith("'f' is defined by itself on an infinite set")


def test_outside_of_the_domain_there_is_no_value() -> None:
    """A step that would need it is not possible."""
    text = DOUBLE[2] + zed(*STATE, r"Go \defs [ \Delta S | n' = double~(n - 2) ]")
    assert states(text) == 2


# On finite sets a constant is part of the state


def test_a_function_that_is_defined_point_by_point() -> None:
    """The value is found at once."""
    text = axdef(r"f : 0 \upto 9 \fun \nat", r"\forall k : 0 \upto 9 @ f~k = k + 1") + zed(
        *STATE, r"Go \defs [ \Delta S | n' = f~n ]"
    )
    assert constants(text) == ["f"]
    found = explored(text)
    assert (found.states, found.initial_states) == (10, 1)


def test_point_by_point_on_a_part_only() -> None:
    """This says nothing of the other points."""
    text = axdef(r"f : 0 \upto 1 \fun 0 \upto 2", r"\forall k : 0 \upto 0 @ f~k = 1") + zed(
        *STATE, r"Go \defs [ \Delta S | n' = f~1 ]"
    )
    assert explored(text).initial_states == 3


def test_point_by_point_by_itself() -> None:
    """Recursion is a property like any other."""
    text = axdef(
        r"f : 0 \upto 3 \fun 0 \upto 9", r"f~0 = 1", r"\forall k : 1 \upto 3 @ f~k = 2 * f(k - 1)"
    ) + zed(*STATE, r"Go \defs [ \Delta S | n' = f~3 ]")
    assert states(text) == 3  # the set-up, 1, 8


def test_a_partial_function_is_not_defined_point_by_point() -> None:
    """It may have other points: here one or none."""
    text = axdef(r"f : 0 \upto 1 \pfun 0 \upto 1", r"\forall k : 0 \upto 0 @ f~k = 1") + zed(*STATE)
    assert explored(text).initial_states == 3


def test_several_values_are_several_set_ups() -> None:
    found = explored(axdef(r"k : 1 \upto 3", r"k \neq 2") + zed(*STATE, r"Go \defs [ \Delta S | n' = k ]"))
    assert found.initial_states == 2
    assert found.states == 2 + 1 + 2


def test_a_constraint_is_a_property() -> None:
    assert explored(axdef(r"k : 1 \upto 3") + zed(r"k > 1", *STATE)).initial_states == 2


def test_a_schema_in_an_axiomatic_definition() -> None:
    text = (
        zed(r"Pair \defs [ a, b : 0 \upto 1 | a < b ]")
        + axdef("Pair")
        + zed(*STATE, r"Go \defs [ \Delta S | n' = a + b ]")
    )
    assert sorted(constants(text)) == ["a", "b"]
    assert explored(text).initial_states == 1


# Abbreviations


def test_abbreviations_stand_for_their_values() -> None:
    text = zed(
        r"few == 0 \upto 2",
        r"pairs == few \cross few",
        *STATE,
        r"Go \defs [ \Delta S; p? : pairs | n' = first~p? ]",
    )
    assert constants(text) == []
    assert explored(text).transitions == 1 + 3 * 9


def test_generic_abbreviations() -> None:
    text = (
        "%%ingen \\twice\n"
        + zed("[X]", r"sets[Y] == \power Y", r"A \twice B == A \pfun (A \cross B)")
        + zed(
            r"S \defs [ s : sets[X]; f : X \twice X | f = \emptyset ]",
            r"Init \defs [ S' ]",
            r"Go \defs [ \Delta S ]",
        )
    )
    assert states(text) == 4


def test_generic_abbreviations_without_parameters_take_the_type() -> None:
    text = zed(
        "[X]",
        r"none[Y] == \{ y : Y | false \}",
        r"S \defs [ s : \power X ]",
        r"Init \defs [ S' | s' = none ]",
    )
    assert states(text) == 1


# Generic definitions


def test_a_generic_constant_with_an_equation() -> None:
    """It stands for its value, for any parameters."""
    text = (
        zed("[X]")
        + gendef(
            "A, B",
            r"swap : (A \cross B) \fun (B \cross A)",
            r"\forall a : A; b : B @ swap(a, b) = (b, a)",
        )
        + zed(r"S \defs [ p : X \cross X ]", r"Init \defs [ S' ]", r"Go \defs [ \Delta S | p' = swap~p ]")
    )
    assert constants(text) == []
    found = explored(text)
    assert (found.states, found.transitions) == (4, 8)


def test_instances_of_a_generic_constant() -> None:
    """One for each row of parameters, each with its properties."""
    text = (
        zed("[X]", "C ::= red | green")
        + gendef("A", r"some : \power A", r"\# some = 1")
        + zed(
            r"S \defs [ s : \power X; t : \power C ]",
            r"Init \defs [ S' | s' = some[X] \land t' = some ]",
            r"Go \defs [ \Delta S | s' = some \land t' = t ]",
        )
    )
    assert constants(text) == ["some", "some"]
    found = explored(text)
    assert (found.initial_states, found.states) == (4, 8)


def test_instances_for_sets_that_are_no_types() -> None:
    text = gendef("A", r"all : \power A", r"all = A") + zed(
        r"S \defs [ s : \power (0 \upto 3) ]",
        r"Init \defs [ S' | s' = all[0 \upto 1] ]",
        r"Go \defs [ \Delta S | s' = all[0 \upto 2] ]",
    )
    assert states(text) == 2


def test_generic_relations() -> None:
    text = "%%inrel \\like\n" + zed("C ::= red | green") + gendef(
        "A", r"\_ \like \_ : A \rel A", r"\forall a, b : A @ a \like b \iff a = b"
    ) + zed(r"S \defs [ c, d : C | c \like d ]", r"Init \defs [ S' ]")  # fmt: skip
    found = explored(text)
    assert found.states == 1 + 2


def test_generic_schemas() -> None:
    text = zed(
        "[X]",
        r"Box[A] \defs [ in : \power A; last : A | last \in in ]",
        r"S \defs [ Box[X] ]",
        r"Init \defs [ S' | \# in' = 1 ]",
        r"Put \defs [ \Delta S; x? : X | in' = in \cup \{ x? \} \land last' = x? ]",
    )
    found = explored(text)
    assert (found.initial_states, found.states) == (2, 4)


def test_generic_schemas_with_delta() -> None:
    text = zed(
        "[X]",
        r"Box[A] \defs [ in : \power A ]",
        r"S \defs Box[X]",
        r"Init \defs [ Box'[X] | in' = \emptyset ]",
        r"Put \defs [ \Delta Box[X]; x? : X | in' = in \cup \{ x? \} ]",
        r"Look \defs [ \Xi Box[X] ]",
    )
    found = explored(text)
    assert (found.states, found.transitions) == (4, 1 + 4 * 2 + 4)


# Free types


def test_free_types() -> None:
    text = zed(
        "[X]",
        r"T ::= leaf | one \ldata X \rdata | two \ldata X \cross X \rdata",
        r"S \defs [ t : T ]",
        r"Init \defs [ S' | t' = leaf ]",
        r"Two \defs [ \Delta S; x? : X | \exists y : X @ t = one~y \land t' = two(y, x?) ]",
        r"Grow \defs [ \Delta S; x? : X | t = leaf \land t' = one~x? \lor Two ]",
    )
    assert states(text) == 1 + 2 + 4


def test_what_a_constructor_takes_may_be_restricted() -> None:
    text = zed(
        r"T ::= few \ldata 0 \upto 2 \rdata",
        r"S \defs [ t : T ]",
        r"Init \defs [ S' ]",
        r"Go \defs [ \Delta S ]",
    )
    found = explored(text)
    assert (found.states, found.transitions) == (3, 12)


def test_inverse_constructors() -> None:
    text = zed(
        "[X]",
        r"T ::= leaf | one \ldata X \rdata",
        r"S \defs [ t : T ]",
        r"Init \defs [ S' ]",
        r"Take \defs [ \Xi S; x! : X | t \in \ran one \land x! = (one \inv)~t ]",
    )
    assert explored(text).transitions == 3 + 2
