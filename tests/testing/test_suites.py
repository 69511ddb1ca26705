"""Separating words, characterising sets, covers, and suites as streams, against their definitions; the chatbox's figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest
from burnside.diagnostics import InputError, UsageError
from burnside.families.machines import chatbox
from burnside.testing.machine import Action, Edges, MachineBuilder, StateMachine
from burnside.testing.patterns import ranks
from burnside.testing.reference.kernel import kernel
from burnside.testing.reference.mealy import (
    Mealy,
    Part,
    Word,
    access_words,
    after,
    equivalent,
    mealy,
    outcome,
    part_of,
    transition_cover,
    whole,
)
from burnside.testing.reference.methods import hsi_method, minimised, w_method, wp_method
from burnside.testing.reference.separation import (
    First,
    Separation,
    characterising_set,
    harmonised_identifiers,
    identifiers,
    without_prefixes,
)
from burnside.testing.reference.suites import Size, size, words
from burnside.testing.reference.suites import tests as suite_tests

from tests.testing.random_mealy import any_mealy, minimal_mealy

SEEDS = range(20)


def all_words(inputs: int, longest: int) -> Iterator[Word]:
    """By length, then in alphabetical order."""
    for length in range(longest + 1):
        yield from product(range(inputs), repeat=length)


def separates(machine: Mealy, word: Word, one: int, other: int) -> bool:
    return outcome(machine, one, word) != outcome(machine, other, word)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_word_of_two_states_is_the_first_of_all(seed: int) -> None:
    machine = any_mealy(Random(seed), 4, 2)
    separation = Separation(machine)
    for one, other in combinations(range(4), 2):
        found = (word for word in all_words(2, 4) if separates(machine, word, one, other))
        word = separation.word(one, other)
        assert word == separation.word(other, one) == next(found, None)
        assert separation.length(one, other) == (None if word is None else len(word))
        assert (word is None) == (separation.classes[one] == separation.classes[other])


@pytest.mark.parametrize("seed", SEEDS)
def test_shortest_first_keeps_each_word_that_helps(seed: int) -> None:
    machine = minimal_mealy(Random(seed), 5, 2)
    kept: list[Word] = []
    groups = 1
    for word in all_words(2, 4):
        now = len({tuple(outcome(machine, state, each) for each in (*kept, word)) for state in range(5)})
        if now > groups:
            kept.append(word)
            groups = now
    assert characterising_set(Separation(machine), range(5), "shortest") == kept


@pytest.mark.parametrize("first", ["longest", "shortest"])
@pytest.mark.parametrize("seed", SEEDS)
def test_characterising_sets_separate_all_states(seed: int, first: First) -> None:
    machine = any_mealy(Random(seed), 6, 2)
    separation = Separation(machine)
    states = separation.representatives(whole(machine))
    chosen = characterising_set(separation, states, first)
    for one, other in combinations(states, 2):
        assert any(separates(machine, word, one, other) for word in chosen)
    # Each word separates two states that those before it do not.
    for at, word in enumerate(chosen if len(states) > 1 else []):
        assert any(
            separates(machine, word, *pair)
            and not any(separates(machine, each, *pair) for each in chosen[:at])
            for pair in combinations(states, 2)
        )


def test_longest_first_gives_smaller_sets() -> None:
    lengths: dict[First, int] = {"longest": 0, "shortest": 0}
    for seed in SEEDS:
        separation = Separation(minimal_mealy(Random(seed), 12, 3))
        for first in lengths:
            lengths[first] += len(characterising_set(separation, range(12), first))
    assert lengths["longest"] < 0.8 * lengths["shortest"]


@pytest.mark.parametrize("seed", SEEDS)
def test_identifiers(seed: int) -> None:
    machine = minimal_mealy(Random(seed), 6, 2)
    states = range(6)
    chosen = characterising_set(Separation(machine), states)
    beginnings = {word[:length] for word in chosen for length in range(len(word) + 1)}
    single = identifiers(machine, states, chosen)
    harmonised = harmonised_identifiers(machine, states, chosen)
    for one, other in combinations(states, 2):
        for own in (single, harmonised):
            assert any(separates(machine, word, one, other) for word in own[one])
            assert any(separates(machine, word, one, other) for word in own[other])
        common = _beginnings(harmonised[one]) & _beginnings(harmonised[other])
        assert any(separates(machine, word, one, other) for word in common)
    assert all(set(own) <= beginnings for own in (*single.values(), *harmonised.values()))


def _beginnings(own: Sequence[Word]) -> set[Word]:
    return {word[:length] for word in own for length in range(len(word) + 1)}


@pytest.mark.parametrize("seed", SEEDS)
def test_covers(seed: int) -> None:
    machine = any_mealy(Random(seed), 5, 2)
    part = whole(machine)
    access = access_words(machine, part)
    assert list(access) == list(part)
    for state, word in access.items():
        assert word == next(each for each in all_words(2, 4) if after(machine, 0, each) == state)
    cover = transition_cover(machine, part)
    assert len(cover) == len(set(cover)) == 1 + 2 * len(part)
    assert set(access.values()) <= set(cover)
    assert {(after(machine, 0, word[:-1]), word[-1]) for word in cover if word} == set(
        product(part, range(2))
    )


@pytest.mark.parametrize("extra", [0, 1, 2])
@pytest.mark.parametrize("seed", range(8))
def test_streams_are_the_words_that_no_other_begins_with(seed: int, extra: int) -> None:
    machine = minimal_mealy(Random(seed), 2 + seed % 4, 2)
    for phases in (
        w_method(machine, whole(machine), extra),
        wp_method(machine, extra),
        hsi_method(machine, extra),
    ):
        expected = without_prefixes(words(machine, phases))
        assert list(suite_tests(machine, phases)) == expected
        assert size(machine, phases) == Size(len(expected), sum(map(len, expected)))


def test_without_prefixes() -> None:
    assert without_prefixes([()]) == [()]
    assert without_prefixes([(1,), (), (0, 1), (1, 0), (0,), (1, 0)]) == [(0, 1), (1, 0)]


@pytest.mark.parametrize("seed", SEEDS)
def test_minimised(seed: int) -> None:
    machine = any_mealy(Random(seed), 6, 2)
    small = minimised(machine)
    assert equivalent(machine, small)
    assert minimised(small) == small
    classes = Separation(machine).classes
    assert len(small.rows) == len({classes[state] for state in whole(machine)})


def test_a_machine_of_one_class_needs_only_its_transitions() -> None:
    machine = Mealy(0, 2, ((("x", 1), ("x", 0)), (("x", 0), ("x", 1))))
    assert list(suite_tests(machine, w_method(machine, whole(machine)))) == [(0, 0), (0, 1), (1,)]
    small = minimised(machine)
    for phases in (w_method(small, whole(small)), wp_method(small), hsi_method(small)):
        assert list(suite_tests(small, phases)) == [(0,), (1,)]


def test_sizes_are_known_without_listing() -> None:
    machine = minimal_mealy(Random(1), 30, 4)
    found = size(machine, w_method(machine, whole(machine), 6))
    assert found.tests > 4**6 * 90


# The chatbox: figures recomputed for the report's machines, m1 = n and m2 = 0, inputs in alphabetical order.


def with_sorted_inputs(machine: StateMachine) -> StateMachine:
    order = sorted(range(len(machine.actions)), key=lambda at: machine.actions[at].input)
    place = {old: new for new, old in enumerate(order)}
    edges = Edges.of(sorted((source, place[action], target) for source, action, target in machine.edges))
    actions = tuple(machine.actions[at] for at in order)
    return StateMachine(machine.name, machine.states, machine.initial, actions, edges)


@pytest.mark.parametrize(
    ("users", "joining", "first", "of_kernel", "of_all"),
    [
        (2, False, "shortest", (24, 74), (58, 178)),
        (3, False, "shortest", (474, 2382), (6534, 33030)),
        (2, True, "shortest", (479, 2974), (1593, 10281)),
        (2, False, "longest", (24, 74), (58, 178)),
        (3, False, "longest", (474, 2382), (6534, 33030)),
        (2, True, "longest", (148, 1084), (384, 2880)),
    ],
)
def test_chatbox(
    users: int, joining: bool, first: First, of_kernel: tuple[int, int], of_all: tuple[int, int]
) -> None:
    machine = with_sorted_inputs(chatbox.machine(users, joining=joining))
    order = ranks(chatbox.order(users, joining=joining))
    found = kernel(machine, chatbox.pattern(users, joining=joining), order)
    table = mealy(machine)
    of_part: list[tuple[Part, tuple[int, int]]] = [
        (part_of(machine, found.edges), of_kernel),
        (whole(table), of_all),
    ]
    for part, expected in of_part:
        assert size(table, w_method(table, part, 0, first)) == Size(*expected)
    assert set(of_part[0][0]) == found.states
    assert len(transition_cover(table, of_part[0][0])) == 1 + len(found.edges)


# Bad input.


def test_machines_that_are_no_mealy_machines_are_refused() -> None:
    builder = MachineBuilder("m")
    zero, one = builder.state("zero"), builder.state("one")
    builder.edge(zero, Action("a", "x"), one)
    with pytest.raises(InputError, match="state 'one' has no edge for input 'a'"):
        mealy(builder.machine([zero]))
    builder.edge(one, Action("a", "x"), one)
    assert len(mealy(builder.machine([zero])).rows) == 2
    builder.edge(one, Action("a", "y"), one)
    with pytest.raises(InputError, match="state 'one' has several edges for input 'a'"):
        mealy(builder.machine([zero]))
    with pytest.raises(InputError, match="2 initial states"):
        mealy(builder.machine([zero, one]))


def test_fewer_states_than_the_specification_are_refused() -> None:
    machine = minimal_mealy(Random(0), 2, 2)
    with pytest.raises(UsageError, match="2 states fewer"):
        w_method(machine, whole(machine), -2)
