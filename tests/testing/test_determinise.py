"""The subset construction: the same traces, one state after each; the core does the same as the readable reference."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, UnsupportedError
from burnside.records import replace
from burnside.testing import facts
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.reference.determinise import determinise
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def automata(draw: st.DrawFn) -> StateMachine:
    size = draw(st.integers(1, 5))
    state = st.integers(0, size - 1)
    edges = draw(st.lists(st.tuples(state, st.integers(0, 2), state), max_size=12, unique=True))
    return StateMachine(
        "automaton",
        tuple(f"s{number}" for number in range(size)),
        tuple(draw(st.lists(state, min_size=1, max_size=2, unique=True))),
        (Action("a"), Action("b", "0"), Action("b", "1")),
        Edges.of(edges),
        accepting=draw(st.none() | st.frozensets(state)),
    )


def after(machine: StateMachine, word: list[int]) -> set[int]:
    states = set(machine.initial)
    for letter in word:
        states = {target for state in states for action, target in machine.leaving[state] if action == letter}
    return states


@given(machine=automata(), word=st.lists(st.integers(0, 2), max_size=6))
def test_the_same_traces(machine: StateMachine, word: list[int]) -> None:
    found = determinise(machine)
    members, states = after(machine, word), after(found, word)
    assert len(states) == (1 if members else 0)
    if states:
        [state] = states
        names = sorted(machine.states[member] for member in members)
        assert found.states[state] == (names[0] if len(names) == 1 else f"{{{', '.join(names)}}}")
        assert found.accepting is None or (state in found.accepting) == bool(
            members & (machine.accepting or set())
        )


@given(machine=automata())
def test_deterministic_and_nothing_to_do_for_what_is(machine: StateMachine) -> None:
    found = determinise(machine)
    assert all(len(dict(edges)) == len(edges) for edges in found.leaving)
    again = determinise(found)
    assert replace(again, states=found.states) == found


@given(machine=automata())
def test_the_core_does_the_same(machine: StateMachine) -> None:
    """But for the names of sets."""
    expected = determinise(machine)
    assert replace(facts.determinise(machine), states=expected.states) == expected


def test_a_machine_that_doubles_with_each_state() -> None:
    """The letter that is the n-th from the end: 2^n sets."""
    size = 6
    edges = [(0, 0, 0), (0, 1, 0), (0, 1, 1)]
    edges += [(state, letter, state + 1) for state in range(1, size) for letter in (0, 1)]
    machine = StateMachine(
        "n", tuple(map(str, range(size + 1))), (0,), (Action("0"), Action("1")), Edges.of(edges)
    )
    assert len(determinise(machine).states) == 2**size


def test_refusals() -> None:
    machine = StateMachine("m", ("s",), (0,), (Action("a"),), Edges.of([(0, 0, 0)]))
    with pytest.raises(UnsupportedError, match="several outputs"):
        determinise(replace(machine, outputs=("x",)))
    with pytest.raises(InputError, match="no initial state"):
        determinise(replace(machine, initial=()))
