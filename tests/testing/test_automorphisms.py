"""Automorphisms of machines: as many as there are by trying all permutations; what is none is refused; the patterns that
they make are symmetries in the strict sense."""

from __future__ import annotations

from itertools import permutations, product
from math import factorial
from random import Random

import pytest
from burnside.diagnostics import InputError, TimeError, UnsupportedError
from burnside.families.machines import chatbox
from burnside.testing import automorphisms
from burnside.testing.automorphisms import (
    Renaming,
    automorphism_pattern,
    certify,
    find_automorphisms,
    group_order,
)
from burnside.testing.machine import Action, Edges, MachineBuilder, StateMachine
from burnside.testing.patterns import ranks
from burnside.testing.reference.facts import distances
from burnside.testing.reference.kernel import kernel
from burnside.testing.reference.symmetry_check import check_symmetry

from tests.testing.planted import machine_with_symmetry, with_accepting


def planted(seed: int) -> tuple[StateMachine, Renaming]:
    random = Random(seed)
    outputs = random.choice((0, 1, 3))
    density = random.choice((0.5, 0.8, 1.0))
    return machine_with_symmetry(random, outputs=outputs, density=density)


def by_force(machine: StateMachine) -> int:
    """Permutations of inputs and outputs of reachable edges for which some permutation of states maps edges to edges."""
    reached = sorted(distances(machine))
    edges = {(s, machine.actions[a], t) for s, a, t in machine.edges if s in reached}
    inputs = sorted({label.input for _, label, _ in edges})
    outputs = sorted({label.output for _, label, _ in edges if label.output is not None})
    states = [
        dict(zip(reached, images, strict=True))
        for images in permutations(reached)
        if all(s == t for s, t in zip(reached, images, strict=True) if s in machine.initial)
        and all(
            machine.observation(s) == machine.observation(t) for s, t in zip(reached, images, strict=True)
        )
    ]
    count = 0
    for of_inputs, of_outputs in product(permutations(inputs), permutations(outputs)):
        renaming = Renaming(
            dict(zip(inputs, of_inputs, strict=True)), dict(zip(outputs, of_outputs, strict=True))
        )
        count += any({(at[s], renaming.image(a), at[t]) for s, a, t in edges} == edges for at in states)
    return count


@pytest.mark.parametrize("seed", range(60))
def test_all_are_found(seed: int) -> None:
    machine, renaming = planted(seed)
    if seed % 3 == 0:
        machine = with_accepting(Random(seed), machine)
    found = find_automorphisms(machine)
    assert found.order == by_force(machine) == group_order(machine, found.generators)
    if machine.accepting is None:
        certify(machine, renaming)
    for each in found.generators:
        certify(machine, each)


def test_planted_machines_are_symmetric_and_different() -> None:
    orders = [find_automorphisms(planted(seed)[0]).order for seed in range(60)]
    assert sum(order > 1 for order in orders) > 30
    assert len(set(orders)) > 3


@pytest.mark.parametrize("seed", range(60))
def test_patterns_are_symmetries_in_the_strict_sense(seed: int) -> None:
    """That of the whole group, and that of a subgroup."""
    machine, renaming = planted(seed)
    for generators in (find_automorphisms(machine).generators, (renaming,)):
        pattern = automorphism_pattern(machine, generators)
        assert check_symmetry(machine, pattern, strict=True).counterexample is None
        assert check_symmetry(machine, pattern, strict=False).counterexample is None


def test_colours_that_are_no_orbits_are_not_persistent() -> None:
    """The check can fail: one colour for all edges."""
    builder = MachineBuilder("two")
    for name in "ab":
        builder.state(name)
    builder.edge(0, Action("x"), 1)
    builder.edge(0, Action("y"), 0)
    machine = builder.machine([0])
    pattern = automorphism_pattern(machine, ())
    wrong = type(pattern)(pattern.template, pattern.transformations, pattern.initial, (0, 0))
    found = check_symmetry(machine, wrong, strict=True).counterexample
    assert found is not None and found.flaw == "not persistent"


@pytest.mark.parametrize("seed", range(40))
def test_what_is_none_is_refused(seed: int) -> None:
    """Every permutation of inputs alone is accepted exactly if brute force finds it."""
    machine, _ = planted(seed)
    inputs = machine.inputs
    reached = sorted(distances(machine))
    edges = {(s, machine.actions[a], t) for s, a, t in machine.edges if s in reached}
    for images in permutations(inputs):
        renaming = Renaming(dict(zip(inputs, images, strict=True)), {})
        accepted = any(
            {(at[s], renaming.image(a), at[t]) for s, a, t in edges} == edges and at[0] == 0
            for at in (dict(zip(reached, each, strict=True)) for each in permutations(reached))
        )
        if accepted:
            states = certify(machine, renaming).states
            assert {(states[s], renaming.image(a), states[t]) for s, a, t in edges} == edges
        else:
            with pytest.raises(InputError, match="this is no automorphism"):
                certify(machine, renaming)


def two_lamps(**more: object) -> StateMachine:
    """Two lamps that are switched on, once each; the output says which."""
    builder = MachineBuilder("lamps")
    for name in ("none", "left", "right", "both"):
        builder.state(name)
    for source, given, target in ((0, "l", 1), (0, "r", 2), (1, "r", 3), (2, "l", 3)):
        builder.edge(source, Action(given, f"{given} on"), target)
    return builder.machine([0], **more)  # type: ignore[arg-type]


SWAP = Renaming({"l": "r", "r": "l"}, {"l on": "r on", "r on": "l on"})


def test_lamps() -> None:
    machine = two_lamps()
    found = find_automorphisms(machine)
    assert (found.generators, found.order) == ((SWAP,), 2)
    assert certify(machine, SWAP).states == {0: 0, 1: 2, 2: 1, 3: 3}
    pattern = automorphism_pattern(machine, [SWAP])
    assert pattern.edge_colours == (0, 0, 1, 1)
    assert len(kernel(machine, pattern, str).states) == 3


REFUSED = {
    "has no input 'x'": Renaming({"l": "x", "x": "l"}, {}),
    "has no output 'off'": Renaming({}, {"off": "off"}),
    "'l' and 'r' are both mapped to 'r'": Renaming({"l": "r", "r": "r"}, {}),
    "input 'r' is an image and has none": Renaming({"l": "r"}, {}),
    "state 'none' has an edge 'l/l on' to 'left', but its image 'none' has no edge 'r/l on'": Renaming(
        {"l": "r", "r": "l"}, {}
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str) -> None:
    with pytest.raises(InputError) as caught:
        automorphism_pattern(two_lamps(), [SWAP, REFUSED[message]])
    assert message in str(caught.value)


def test_states_keep_what_is_seen_of_them() -> None:
    for more, reason in (
        ({"outputs": ("0", "1", "2", "3")}, "they have different outputs"),
        ({"accepting": frozenset({1})}, "only one of them accepts"),
    ):
        machine = two_lamps(**more)
        assert find_automorphisms(machine).order == 1
        with pytest.raises(InputError, match=f"state 'left' has the image 'right', but {reason}"):
            certify(machine, SWAP)
    assert find_automorphisms(two_lamps(outputs=("0", "1", "1", "2"))).order == 2


def test_a_state_with_two_images() -> None:
    builder = MachineBuilder("machine")
    for name in "abc":
        builder.state(name)
    for source, given, target in ((0, "x", 1), (0, "y", 2), (1, "z", 1), (2, "z", 1)):
        builder.edge(source, Action(given), target)
    with pytest.raises(InputError) as caught:
        certify(builder.machine([0]), Renaming({"x": "y", "y": "x"}, {}))
    assert (
        "state 'b' has the image 'c', but the edge 'z' from 'b' to it is mapped to an edge 'z' to 'b'"
        in str(caught.value)
    )


def test_what_cannot_be_reached_does_not_count() -> None:
    """An edge and an input of a state that cannot be reached break nothing, and are not moved."""
    lamps = two_lamps()
    machine = StateMachine(
        "lamps",
        (*lamps.states, "lost"),
        (0,),
        (*lamps.actions, Action("l", "lost"), Action("never", "l on")),
        Edges.of([*lamps.edges, (4, 2, 4), (4, 3, 0)]),
    )
    found = find_automorphisms(machine)
    assert (found.generators, found.order) == ((SWAP,), 2)
    colours = automorphism_pattern(machine, found.generators).edge_colours
    assert colours == (0, 0, 1, 1, 2, 3)


def test_machines_that_are_not_deterministic() -> None:
    machine = StateMachine("m", ("a", "b"), (0,), (Action("x"),), Edges.of([(0, 0, 0), (0, 0, 1)]))
    with pytest.raises(InputError, match="in state 'a', 'x' leads to 'a' and to 'b'"):
        find_automorphisms(machine)
    with pytest.raises(InputError, match="2 initial states"):
        certify(StateMachine("m", ("a", "b"), (0, 1), (), Edges.of([])), SWAP)


def test_one_input_with_several_outputs() -> None:
    """Outputs may then be moved alone."""
    machine = StateMachine(
        "m", ("a",), (0,), (Action("x", "0"), Action("x", "1")), Edges.of([(0, 0, 0), (0, 1, 0)])
    )
    assert find_automorphisms(machine).order == by_force(machine) == 2


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = chatbox.machine(3)
    with pytest.raises(TimeError):
        find_automorphisms(machine, seconds=0)
    monkeypatch.setattr(automorphisms, "MAX_EDGES", 100)
    with pytest.raises(UnsupportedError, match="more than 100 edges"):
        find_automorphisms(machine)


@pytest.mark.parametrize(
    ("users", "joining", "order"),
    [
        (2, False, factorial(2) * factorial(4)),
        (3, False, factorial(6) * factorial(6)),
        (3, True, factorial(3) * 2**3 * factorial(6)),
    ],
)
def test_chatbox(users: int, joining: bool, order: int) -> None:
    """Messages to oneself never get through: their inputs may be permuted as one likes. So may ordered pairs of users where
    nobody leaves; otherwise users are permuted, and each two may exchange the directions of their messages."""
    machine = chatbox.machine(users, joining=joining)
    found = find_automorphisms(machine)
    assert found.order == order
    pattern = automorphism_pattern(machine, found.generators)
    assert len(kernel(machine, pattern, ranks(chatbox.order(users, joining=joining))).edges) < len(
        machine.edges
    )
    if users == 2:
        assert check_symmetry(machine, pattern, strict=True).counterexample is None
