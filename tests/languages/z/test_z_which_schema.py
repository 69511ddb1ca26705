"""Which schema is the state, which its start, which are operations; what is said where that is not clear."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, UsageError
from burnside.languages.z.lower.roles import AskedRoles

from tests.z_models import STATE, axdef, explored, message, operations, read, refused, states, zed

S = r"S \defs [ n : 0 \upto 2 ]"
INIT = r"Init \defs [ S' | n' = 0 ]"
UP = r"Up \defs [ \Delta S | n' = n + 1 ]"


def roles_of(text: str, asked: AskedRoles = AskedRoles()) -> tuple[str, str, list[str]]:  # noqa: B008
    model = read(text, roles=asked)
    found = model.conditions.lowering.roles
    return found.state, found.start, operations(model)


# The start


@pytest.mark.parametrize("name", ["Init", "InitS", "SInit", "initS", "Reinitialise"])
def test_the_start_has_init_in_its_name(name: str) -> None:
    assert roles_of(zed(S, INIT.replace("Init", name), UP)) == ("S", name, ["Up"])


def test_init_itself_comes_first() -> None:
    """The other one is an operation where it looks like one."""
    other = r"ReInit \defs [ \Delta S | n' = 0 ]"
    assert roles_of(zed(S, other, INIT, UP)) == ("S", "Init", ["ReInit", "Up"])


def test_the_first_of_several_is_the_start() -> None:
    model = read(zed(S, INIT.replace("Init", "InitA"), INIT.replace("Init", "InitB"), UP))
    assert model.conditions.lowering.roles.start == "InitA"
    assert "InitB" in model.notes[0]


@pytest.mark.parametrize("start", ["[ S' | n' = 0 ]", "[ S | n = 0 ]", "[ n : 0 \\upto 2 | n = 0 ]"])
def test_components_may_be_primed_or_not_and_included_or_not(start: str) -> None:
    found = explored(zed(S, f"Init \\defs {start}", UP))
    assert (found.states, found.initial_states) == (3, 1)


def test_a_start_without_a_schema_for_it() -> None:
    error = refused(zed(S, UP))
    assert isinstance(error, InputError)
    assert message(error) == (
        "no schema says how the state begins: none has 'Init' in its name",
        "--init NAME says which; there are: S, Up",
    )


def test_only_generic_schemas() -> None:
    assert (
        message(refused(zed(r"G[X] \defs [ x : X ]")))[1]
        == "--init NAME says which; there are: only generic ones"
    )


def test_no_schemas() -> None:
    found, hint = message(refused(axdef("n : \\nat")))
    assert found == "the specification has no schemas: there is nothing to explore"
    assert hint == "a state schema, a schema Init that includes it, and operations are needed"


def test_the_start_may_be_asked_for() -> None:
    text = zed(S, INIT, INIT.replace("Init", "Begin").replace("0 ]", "1 ]"), UP)
    assert roles_of(text, AskedRoles(start="Begin"))[:2] == ("S", "Begin")
    assert states(text, roles=AskedRoles(start="Begin")) == 2


@pytest.mark.parametrize(
    ("asked", "option"), [(AskedRoles(start="Nix"), "--init"), (AskedRoles(state="Nix"), "--state")]
)
def test_wrong_names_of_schemas(asked: AskedRoles, option: str) -> None:
    error = refused(zed(S, INIT), roles=asked)
    assert isinstance(error, UsageError)
    assert message(error) == ("no schema is called 'Nix' in text.tex", "there are: S, Init")
    assert error.diagnostic.source == option


# The state


def test_the_start_includes_two_schemas() -> None:
    text = zed(r"A \defs [ a : 0 \upto 1 ]", r"B \defs [ b : 0 \upto 1 ]", r"Init \defs [ A'; B' ]")
    error = refused(text)
    assert message(error) == (
        "'Init' includes 2 schemas, A, B: which one is the state?",
        "--state NAME says which",
    )
    assert error.diagnostic.span is not None and error.diagnostic.span.line == 4


def test_the_one_with_all_components_is_the_state() -> None:
    text = zed(r"A \defs [ a : 0 \upto 1 ]", r"S \defs [ A; b : 0 \upto 1 ]", r"Init \defs [ S'; A' ]")
    assert roles_of(text)[0] == "S"
    assert states(text) == 4


def test_the_start_includes_no_schema() -> None:
    text = zed(S, r"Init \defs [ m : \nat | m = 0 ]")
    assert message(refused(text)) == (
        "'Init' includes no schema, so the state is not known",
        "--state NAME says which; there are: S",
    )


def test_the_state_may_be_asked_for() -> None:
    text = zed(
        r"A \defs [ a : 0 \upto 1 ]", r"B \defs [ b : 0 \upto 1 ]", r"Init \defs [ A'; B' | a' = b' = 0 ]"
    )
    assert roles_of(text, AskedRoles(state="A"))[0] == "A"
    assert states(text, roles=AskedRoles(state="A")) == 1


def test_more_than_the_state_in_the_start() -> None:
    """Other components are chosen, and forgotten."""
    found = explored(zed(S, r"Init \defs [ S'; m : 1 \upto 2 | n' = m ]"))
    assert (found.states, found.initial_states) == (2, 2)


# Operations


def test_operations_declare_both_states() -> None:
    model = read(
        zed(S, INIT, r"Half \defs [ S | n = 1 ]", r"Other \defs [ m : \nat ]", UP, r"Look \defs [ \Xi S ]")
    )
    assert operations(model) == ["Up", "Look"]
    assert model.notes == (
        "the schemas Half, Other are not used: they do not declare all components of S and S', as operations do "
        "(--promote makes operations of them)",
    )


def test_what_others_refer_to_is_no_operation() -> None:
    one, other = r"A \defs [ \Delta S | n' = n ]", r"B \defs [ \Delta S | n' = 0 ]"
    assert operations(read(zed(S, INIT, one, other, r"C \defs A \lor B", UP))) == ["C", "Up"]
    assert operations(read(zed(S, INIT, one, other, r"C \defs A \semi B"))) == ["C"]
    assert operations(read(zed(S, INIT, one, r"C \defs [ \Delta S | \lnot A ]"))) == ["C"]
    assert operations(read(zed(S, INIT, one, r"C \defs [ \Xi S | \pre A ]"))) == ["C"]


def test_a_definition_of_delta_is_no_operation() -> None:
    text = zed(S, INIT, r"\Delta S \defs [ S; S' | n' \geq n ]", r"Go \defs [ \Delta S ]")
    assert operations(read(text)) == ["Go"]
    found = explored(text)
    assert (found.states, found.transitions) == (3, 7)


def test_no_operations() -> None:
    model = read(STATE)
    assert model.notes == ("there are no operations: no schema declares all components of S and S'",)
    assert states(STATE) == 1


def test_types_of_variables_are_not_noted() -> None:
    """Schemas that are only sets of bindings."""
    text = zed(
        r"R \defs [ a : 0 \upto 1 ]", r"S \defs [ r : R ]", r"Init \defs [ S' ]", r"Go \defs [ \Delta S ]"
    )
    assert read(text).notes == ()
    assert states(text) == 2


def test_promotion_of_schemas_without_a_role() -> None:
    """They leave alone what they do not declare."""
    text = zed(
        r"A \defs [ a : 0 \upto 1 ]", r"S \defs [ A; b : 0 \upto 1 ]", r"Init \defs [ S' | a' = b' = 0 ]",
        r"Flip \defs [ \Delta A | a' = 1 - a ]", r"Skip \defs [ m : 0 \upto 3 ]", r"Part \defs [ S | a = 1 ]",
    )  # fmt: skip
    plain = read(text)
    assert operations(plain) == []
    assert "Flip, Skip, Part are not used" in plain.notes[0]
    promoted = read(text, roles=AskedRoles(promote=True))
    assert operations(promoted) == ["Flip", "Skip"]
    assert states(text, roles=AskedRoles(promote=True)) == 2


# The invariant


def test_a_schema_invariant_is_checked() -> None:
    text = zed(S, INIT, UP, r"Invariant \defs [ S | n < 2 ]")
    model = read(text)
    assert [each.kind for each in model.machine.claims] == ["invariant"] * len(model.machine.claims)
    found = explored(text)
    assert found.states == 3 and found.claims


def test_what_the_state_schema_says_is_never_violated() -> None:
    """It is part of every step: a step that would leave it is not possible."""
    found = explored(zed(S, INIT, r"Jump \defs [ \Delta S | n' = n + 2 ]"))
    assert found.states == 2 and not found.claims


def test_a_step_from_a_state_that_need_not_satisfy_the_schema() -> None:
    """No step says that the state after it is one: so every step asks it of the state before."""
    text = zed(
        r"S \defs [ n : \nat | n < 2 ]", r"Init \defs [ S' | n' = 0 ]",
        r"Up \defs [ S; n' : \nat | n' = n + 1 ]",
    )  # fmt: skip
    assert states(text) == 3
