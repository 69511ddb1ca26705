"""Machines made fit for testing: completed, reduced to what is reachable, renamed, with outputs on their edges."""

from __future__ import annotations

import pytest
from burnside.diagnostics import InputError, UnsupportedError, UsageError
from burnside.records import replace
from burnside.testing.completing import (
    ACCEPT,
    REJECT,
    Completion,
    as_mealy,
    complete,
    initial_output,
    reachable_part,
    renamed,
    with_numbered_states,
)
from burnside.testing.machine import Action, Edges, StateMachine
from burnside.testing.reference.facts import ambiguous, distances, missing
from hypothesis import given
from hypothesis import strategies as st


@st.composite
def deterministic(draw: st.DrawFn, kind: str = "any") -> StateMachine:
    """Partial machines of every kind, some states out of reach."""
    size, inputs = draw(st.integers(1, 5)), ["a", "b", "c"][: draw(st.integers(1, 3))]
    kind = draw(st.sampled_from(["labels", "mealy", "moore", "automaton"])) if kind == "any" else kind
    actions: dict[Action, int] = {}
    edges = []
    for state in range(size):
        for each in inputs:
            target = draw(st.none() | st.integers(0, size - 1))
            if target is not None:
                output = draw(st.sampled_from(["x", "-"])) if kind == "mealy" else None
                number = actions.setdefault(Action(each, output), len(actions))
                edges.append((state, number, target))
    texts = st.lists(st.sampled_from(["p", "q"]), min_size=size, max_size=size).map(tuple)
    return StateMachine(
        "machine",
        tuple(f"s{state}" for state in range(size)),
        (draw(st.integers(0, size - 1)),),
        tuple(actions),
        Edges.of(edges),
        draw(texts) if kind == "moore" else None,
        draw(st.frozensets(st.integers(0, size - 1))) if kind == "automaton" else None,
    )


def by_input(machine: StateMachine) -> dict[tuple[str, str], tuple[str | None, str]]:
    return {
        (machine.states[a], machine.actions[b].input): (machine.actions[b].output, machine.states[c])
        for a, b, c in machine.edges
    }


@given(machine=deterministic(), how=st.sampled_from(["loops", "sink"]))
def test_completed_machines(machine: StateMachine, how: Completion) -> None:
    found = complete(machine, how)
    assert not ambiguous(found)
    everywhere = replace(found, initial=tuple(range(len(found.states))))
    assert not missing(everywhere)
    assert by_input(machine).items() <= by_input(found).items()
    assert found.inputs == machine.inputs
    assert list(found.edges)[: len(machine.edges)] == list(machine.edges)
    new = {key: by_input(found)[key] for key in by_input(found).keys() - by_input(machine).keys()}
    has_outputs = any(each.output is not None for each in machine.actions)
    assert {output for output, _ in new.values()} <= {"-" if has_outputs else None}
    if how == "loops":
        assert found.states == machine.states
        assert all(state == target for (state, _), (_, target) in new.items())
    else:
        assert all(target == "sink" for _, target in new.values())
        assert len(found.states) == len(machine.states) + bool(new)
    assert complete(found, how) == found


def test_the_sink_of_each_kind_of_machine() -> None:
    labels = StateMachine("m", ("sink", "sink2"), (0,), (Action("a"),), Edges.of([(0, 0, 1)]))
    assert complete(labels, "sink").states == ("sink", "sink2", "sink3")
    assert complete(replace(labels, accepting=frozenset({1})), "sink").accepting == frozenset({1})
    moore = replace(labels, outputs=("p", "q"))
    assert complete(moore, "sink").outputs == ("p", "q", "-")
    assert complete(moore, "sink", output="error").outputs == ("p", "q", "error")
    mealy = replace(labels, actions=(Action("a", "1"),))
    assert Action("a", "none") in complete(mealy, output="none").actions


def test_what_is_not_completed() -> None:
    machine = StateMachine(
        "m", ("s", "t"), (0,), (Action("a", "0"), Action("a", "1")), Edges.of([(1, 0, 1), (1, 1, 0)])
    )
    with pytest.raises(InputError, match="not deterministic: several edges for 'a' in 't'"):
        complete(machine)
    plain = StateMachine("m", ("s", "t"), (0,), (Action("a"),), Edges.of([(0, 0, 1)]))
    with pytest.raises(UsageError, match="has no outputs"):
        complete(plain, output="error")
    with pytest.raises(UsageError, match="not by 'magic'"):
        complete(plain, "magic")  # type: ignore[arg-type]


@given(machine=deterministic())
def test_reachable_parts(machine: StateMachine) -> None:
    found = reachable_part(machine)
    kept = [machine.states[state] for state in sorted(distances(machine))]
    assert list(found.states) == kept
    assert len(distances(found)) == len(found.states)
    assert by_input(found) == {key: value for key, value in by_input(machine).items() if key[0] in kept}
    assert {action for _, action, _ in found.edges} == set(range(len(found.actions)))
    assert [machine.states[each] for each in machine.initial] == [
        found.states[each] for each in found.initial
    ]
    for state, name in enumerate(found.states):
        assert found.observation(state) == machine.observation(machine.states.index(name))
    assert reachable_part(found) == found


def test_renaming() -> None:
    actions = (Action("a", "0"), Action("a", "1"))
    machine = StateMachine("m", ("s", "t"), (0,), actions, Edges.of([(0, 0, 1), (0, 1, 1), (1, 0, 0)]))
    found = renamed(machine, name="n", states=str.upper, actions=lambda action: Action(action.input))
    assert (found.name, found.states, found.actions) == ("n", ("S", "T"), (Action("a"),))
    assert list(found.edges) == [(0, 0, 1), (1, 0, 0)]
    assert with_numbered_states(machine).states == ("0", "1")
    with pytest.raises(UsageError, match="same name"):
        renamed(machine, states=lambda _: "x")


@given(machine=deterministic("moore"), word=st.lists(st.sampled_from("abc"), max_size=6))
def test_mealy_machines_show_what_moore_machines_show(machine: StateMachine, word: list[str]) -> None:
    """The same outputs but for the first one, after every word that both can do."""
    found = as_mealy(machine)
    [state] = machine.initial
    assert machine.outputs is not None
    assert initial_output(machine) == machine.outputs[state]
    moore, mealy = by_input(machine), by_input(found)
    name = machine.states[state]
    for letter in word:
        assert ((name, letter) in moore) == ((name, letter) in mealy)
        if (name, letter) not in moore:
            return
        output, target = mealy[name, letter]
        assert target == moore[name, letter][1]
        assert output == machine.outputs[machine.states.index(target)]
        name = target


def test_outputs_of_automata() -> None:
    edges = Edges.of([(0, 0, 1), (1, 0, 0)])
    machine = StateMachine("m", ("s", "t"), (0,), (Action("a"),), edges, accepting=frozenset({1}))
    found = as_mealy(machine)
    assert found.actions == (Action("a", ACCEPT), Action("a", REJECT))
    assert (found.outputs, found.accepting, initial_output(machine)) == (None, None, REJECT)
    both = as_mealy(replace(machine, outputs=("p", "q")))
    assert both.actions == (Action("a", "q accept"), Action("a", "p reject"))
    assert as_mealy(found) is found and initial_output(found) is None
    with pytest.raises(UnsupportedError, match="which of them"):
        as_mealy(replace(machine, actions=(Action("a", "1"),)))
    with pytest.raises(InputError, match="2 initial states"):
        initial_output(replace(machine, initial=(0, 1)))
