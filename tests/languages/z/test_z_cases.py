"""From predicates to steps: cases, what stays as it is, what is hidden, what is known before. Counts decide; the machine
says how it was done."""

from __future__ import annotations

import pytest
from burnside.ir.sets import substitutions as s
from burnside.ir.sets.machine import Operation

from tests.z_models import explored, read, zed

STATE = (r"S \defs [ n, m : 0 \upto 2 ]", r"Init \defs [ S' | n' = m' = 0 ]")


def operation(*schemas: str, name: str = "Go") -> Operation:
    return next(each for each in read(zed(*STATE, *schemas)).machine.operations if each.name == name)


def counts(*schemas: str) -> tuple[int, int]:
    """States, and steps without the start."""
    found = explored(zed(*STATE, *schemas))
    return found.states, found.transitions - 1


def chosen(operation: Operation) -> set[str]:
    """Names that have to be chosen in some case."""
    found: set[str] = set()
    waiting = [operation.body]
    while waiting:
        body = waiting.pop()
        match body:
            case s.Choose(names, _, inner):
                found |= {each.name.partition("#")[0] for each in names}
                waiting.append(inner)
            case s.Alternatives(branches):
                waiting += [each.body for each in branches]
    return found


# What stays as it is


def test_what_stays_is_not_chosen() -> None:
    go = operation(r"Go \defs [ \Delta S | n' = n \land m' = m + 1 ]")
    assert chosen(go) == {"m'"}
    assert counts(r"Go \defs [ \Delta S | n' = n \land m' = m + 1 ]") == (3, 2)


def test_xi_has_nothing_to_choose() -> None:
    assert chosen(operation(r"Go \defs [ \Xi S; x? : 0 \upto 1 | x? = n ]")) == set()
    assert counts(r"Go \defs [ \Xi S; x? : 0 \upto 1 | x? = n ]") == (1, 1)


def test_theta_keeps_all_components() -> None:
    assert chosen(operation(r"Go \defs [ \Delta S | \theta S' = \theta S ]")) == set()


def test_what_is_not_mentioned_is_free() -> None:
    """Any value that the state schema allows."""
    assert counts(r"Go \defs [ \Delta S | n' = n ]") == (3, 9)
    assert counts(r"Go \defs [ \Delta S ]") == (9, 81)


def test_an_equation_with_something_else_is_no_standstill() -> None:
    assert counts(r"Go \defs [ \Delta S | n' = m \land m' = 1 ]") == (3, 3)
    assert counts(r"Go \defs [ \Delta S; x : 0 \upto 2 | n' = x \land m' = m ]") == (3, 9)


# Cases


def test_a_disjunction_is_a_choice_between_cases() -> None:
    up, down = (
        r"Up \defs [ \Delta S | n' = n + 1 \land m' = m ]",
        r"Down \defs [ \Delta S | n' = n - 1 \land m' = m ]",
    )
    go = operation(up, down, r"Go \defs Up \lor Down")
    assert isinstance(go.body, s.Alternatives) and len(go.body.branches) == 2
    assert counts(up, down, r"Go \defs Up \lor Down") == (3, 4)


def test_outcomes_of_two_cases_are_counted_once() -> None:
    one, other = (
        r"A \defs [ \Delta S | n' = 1 \land m' = m ]",
        r"B \defs [ \Delta S | n' = m + 1 \land m' = m ]",
    )
    assert counts(one, other, r"Go \defs A \lor B") == (2, 2)


def test_a_case_that_cannot_be_is_left_out() -> None:
    go = operation(r"A \defs [ \Delta S | false ]", r"B \defs [ \Xi S ]", r"Go \defs A \lor B")
    assert not isinstance(go.body, s.Alternatives)


def test_no_case_at_all() -> None:
    assert counts(r"Go \defs [ \Delta S | false ]") == (1, 0)


def test_outputs_that_one_case_does_not_mention() -> None:
    """They may be anything there."""
    one, other = r"A \defs [ \Xi S; x! : 0 \upto 1 | x! = 1 ]", "C ::= red | green"
    third = r"B \defs [ \Xi S; c! : C | c! = red ]"
    found = explored(
        zed(
            other,
            *STATE,
            r"A \defs [ \Xi S; c! : C; d! : C | c! = red \land d! = red ]",
            third,
            r"Go \defs A \lor B",
        )
    )
    assert found.transitions == 1 + 2
    assert counts(one, r"B \defs [ \Xi S | n = 1 ]", r"Go \defs A \lor B") == (1, 1)


def test_hidden_names_that_one_case_does_not_mention() -> None:
    """They make no difference, even where nothing bounds them."""
    one, other = r"A \defs [ \Xi S; x : \num | x = n ]", r"B \defs [ \Delta S | n' = n + 1 \land m' = m ]"
    assert counts(one, other, r"Go \defs A \lor B") == (3, 2 + 3)
    assert "x" not in chosen(operation(other, r"A \defs [ \Xi S; x : \num | n = 1 ]", r"Go \defs A \lor B"))


def test_inputs_that_one_case_does_not_bound() -> None:
    """Outputs that nothing is said of do not stand in the way: they are chosen afterwards."""
    one, other = r"A \defs [ \Xi S; x! : 0 \upto 2 | x! = 1 ]", r"B \defs [ \Xi S; y? : 0 \upto 2 | y? > 0 ]"
    found = explored(zed(*STATE, one, other, r"Go \defs A \lor B"))
    # A: any y? of -1..3; B: any x! of them.
    assert found.transitions == 1 + 5 + 2 * 5 - 2


def test_many_cases_are_solved_together() -> None:
    boxes = [
        f"A{at} \\defs [ \\Delta S | n' = {at % 3} \\land m' = m \\lor n' = n \\land m' = {at // 3} ]"
        for at in range(8)
    ]
    go = " \\land ".join(f"(A{at} \\lor \\Xi S)" for at in range(8))
    assert not isinstance(operation(*boxes, f"Go \\defs {go}").body, s.Alternatives)


# The schema calculus


def test_composition_hides_the_state_between() -> None:
    up = r"Up \defs [ \Delta S | n' = n + 1 \land m' = m ]"
    assert counts(up, r"Go \defs Up \semi Up") == (2, 1)
    assert counts(up, r"Go \defs Up \semi Up \semi Up") == (1, 0)


def test_piping_hides_what_is_handed_on() -> None:
    one, other = (
        r"A \defs [ x! : 0 \upto 2 | x! \neq 1 ]",
        r"B \defs [ \Delta S; x? : 0 \upto 2 | n' = x? \land m' = m ]",
    )
    assert counts(one, other, r"Go \defs A \pipe B") == (2, 4)


def test_hiding_and_quantifiers() -> None:
    add = r"Add \defs [ \Delta S; x? : 0 \upto 2 | n' = n + x? \land m' = m ]"
    assert counts(add, r"Go \defs Add") == (3, 6)
    assert counts(add, r"Go \defs Add \hide (x?)") == (3, 6)
    assert counts(add, r"Go \defs \exists x? : 1 \upto 2 @ Add") == (3, 3)
    assert counts(add, r"Go \defs \exists_1 x? : 0 \upto 2 @ Add") == (3, 6)
    assert counts(add, r"Go \defs \Delta S \land (\forall x? : \{ 1 \} @ Add)") == (3, 2)
    assert counts(add, r"Go \defs \Delta S \land (\forall x? : 1 \upto 2 @ Add)") == (1, 0)


def test_negation_is_about_declarations_too() -> None:
    low = r"Low \defs [ n' : 0 \upto 1; n, m, m' : \num | n' = n ]"
    # n' is 2, or another one than n.
    found = counts(low, r"Go \defs [ \Delta S | m' = m ] \land \lnot Low")
    assert found == (3, 9 - 2)


def test_preconditions() -> None:
    up = r"Up \defs [ \Delta S; x! : 0 \upto 2 | n' = n + 1 \land m' = m ]"
    step = r"Step \defs [ \Delta S | n' = n + 1 \land m' = m ]"
    assert counts(step, up, r"Go \defs \Xi S \land \pre Up") == (3, 2 + 2)
    assert counts(step, up, r"Go \defs \Xi S \land \lnot \pre Up") == (3, 2 + 1)
    assert counts(step, up, r"Go \defs [ \Xi S | \pre Up ]") == (3, 2 + 2)


def test_renaming_and_decoration() -> None:
    add = r"Add \defs [ \Delta S; x? : 0 \upto 2 | n' = n + x? \land m' = m ]"
    go = operation(add, r"Go \defs Add[by?/x?]")
    assert [each.name.partition("#")[0] for each in go.parameters] == ["by?"]
    twice = r"Go \defs Add[a?/x?] \semi Add[b?/x?]"
    assert [each.name.partition("#")[0] for each in operation(add, twice).parameters] == ["a?", "b?"]
    assert counts(add, twice) == (3, 6 + 3 + 1)


def test_inputs_are_in_the_order_of_their_names() -> None:
    go = operation(r"Go \defs [ \Xi S; z?, a? : 0 \upto 1; o!, b! : 0 \upto 1 ]")
    assert [each.name.partition("#")[0] for each in go.parameters] == ["a?", "z?"]
    assert [each.name.partition("#")[0] for each in go.results] == ["o!", "b!"]


@pytest.mark.parametrize("form", [r"\exists \Delta L @ Part \land Set", r"(Part \land Set) \hide (v, v')"])
def test_promotion(form: str) -> None:
    text = zed(
        "[X]", r"L \defs [ v : 0 \upto 1 ]", r"Set \defs [ \Delta L; to? : 0 \upto 1 | v' = to? ]",
        r"S \defs [ g : X \pfun L ]", r"Init \defs [ S' | \dom g' = X \land (\forall x : X @ (g'~x).v = 0) ]",
        r"Part \defs [ \Delta S; \Delta L; x? : X | x? \in \dom g \land \theta L = g~x? \land "
        r"g' = g \oplus \{ x? \mapsto \theta L' \} ]",
        f"Go \\defs {form}",
    )  # fmt: skip
    found = explored(text)
    assert (found.states, found.transitions) == (4, 1 + 4 * 4)


# What is known before


def test_what_the_state_says_is_not_asked_before_a_step() -> None:
    text = zed(
        r"S \defs [ n : 0 \upto 9 | n \mod 2 = 0 ]",
        r"Init \defs [ S' | n' = 0 ]",
        r"Go \defs [ \Delta S | n' = n + 2 ]",
    )
    (go,) = read(text).machine.operations
    assert go.guard.__class__.__name__ == "Literal"
    assert explored(text).states == 5


def test_it_is_asked_where_some_step_may_leave_the_state_schema() -> None:
    text = zed(
        r"S \defs [ n : \nat | n \leq 1 ]", r"Init \defs [ S' | n' = 0 ]", r"Go \defs [ \Delta S | n' = n ]",
        r"Jump \defs [ S; n' : \nat | n' = n + 1 ]",
    )  # fmt: skip
    found = explored(text)
    # 0, 1 and 2, which no step leaves.
    assert (found.states, found.transitions) == (3, 1 + 2 + 2)
