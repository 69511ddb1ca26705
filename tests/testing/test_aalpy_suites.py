"""AALpy as a peer: its W-method gives the same tests where the definitions are the same.

AALpy (`aalpy.oracles.WMethodEqOracle`) and burnside differ in these:

* AALpy's transition cover has a word for each state and input, but not the empty word. Its words `p m w` lack those without
  `p`, which matters only for characterising sets that are not closed under suffixes: otherwise `w` is an input and the
  beginning of another word of the set, so that the word of this input has it.
* AALpy's characterising set has a shortest word for the first two states of the first block that is not split yet, with all
  suffixes of that. burnside's takes pairs that need long words first, without suffixes.
* AALpy keeps words that others begin with, and words that appear twice.

Shortest separating words and access words are the same: the alphabetically first.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from burnside.testing.reference.mealy import Mealy, Word, access_words, transition_cover, whole
from burnside.testing.reference.methods import w_method
from burnside.testing.reference.separation import Separation, characterising_set, without_prefixes
from burnside.testing.reference.suites import Phase, Size, size
from burnside.testing.reference.suites import tests as suite_tests

from tests.testing.random_mealy import minimal_mealy

aalpy = pytest.importorskip("aalpy")

MACHINES = [
    (seed, states, inputs) for seed in range(5) for states, inputs in ((2, 2), (5, 2), (8, 3), (20, 4))
]


def in_aalpy(machine: Mealy) -> Any:
    setup = {
        f"s{state}": {given: (output, f"s{target}") for given, (output, target) in enumerate(row)}
        for state, row in enumerate(machine.rows)
    }
    found = aalpy.MealyMachine.from_state_setup(setup)
    found.compute_prefixes()
    return found


def words_of_aalpy(machine: Mealy, peer: Any, extra: int, ends: list[Word]) -> list[Word]:
    """As `WMethodEqOracle.find_cex` calls it for a bound of `extra` states more than the hypothesis has."""
    alphabet = list(range(machine.inputs))
    oracle = aalpy.oracles.WMethodEqOracle(alphabet, None, len(peer.states) + extra)
    cover = [(*state.prefix, letter) for state in peer.states for letter in alphabet]
    return list(oracle.test_suite(cover, oracle.m + 1 - len(peer.states), ends))


@pytest.mark.parametrize(("seed", "states", "inputs"), MACHINES)
def test_words_to_states_and_between_them(seed: int, states: int, inputs: int) -> None:
    machine = minimal_mealy(Random(seed), states, inputs)
    peer = in_aalpy(machine)
    access = access_words(machine, whole(machine))
    assert [state.prefix for state in peer.states] == [access[at] for at in range(states)]
    separation = Separation(machine)
    for one, other in combinations(range(states), 2):
        found = peer.find_distinguishing_seq(peer.states[one], peer.states[other], list(range(inputs)))
        assert tuple(found) == separation.word(one, other)


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize(("seed", "states", "inputs"), MACHINES)
def test_the_same_suite_with_the_characterising_set_of_aalpy(
    seed: int, states: int, inputs: int, extra: int
) -> None:
    machine = minimal_mealy(Random(seed), states, inputs)
    peer = in_aalpy(machine)
    ends = peer.compute_characterization_set()
    theirs = words_of_aalpy(machine, peer, extra, ends)
    assert len(theirs) == states * inputs * len(ends) * sum(inputs**length for length in range(extra + 1))
    tests = without_prefixes(theirs)
    phases = [
        Phase(tuple(transition_cover(machine, whole(machine))), extra, dict.fromkeys(range(states), ends))
    ]
    assert list(suite_tests(machine, phases)) == tests
    assert size(machine, phases) == Size(len(tests), sum(map(len, tests)))


@pytest.mark.parametrize("extra", [0, 1])
@pytest.mark.parametrize(("seed", "states", "inputs"), MACHINES)
def test_the_same_suite_with_the_characterising_set_of_burnside(
    seed: int, states: int, inputs: int, extra: int
) -> None:
    machine = minimal_mealy(Random(seed), states, inputs)
    peer = in_aalpy(machine)
    ends = characterising_set(Separation(machine), range(states))
    theirs = words_of_aalpy(machine, peer, extra, ends)
    own = list(suite_tests(machine, w_method(machine, whole(machine), extra)))
    assert own == without_prefixes([*theirs, *ends])
    # What AALpy leaves out: the characterising set in the initial state, as far as it is not in other words.
    assert set(without_prefixes(theirs)) >= set(own) - set(ends)


def test_the_characterising_set_of_aalpy_is_larger() -> None:
    own = theirs = 0
    for seed in range(10):
        machine = minimal_mealy(Random(seed), 20, 3)
        own += len(characterising_set(Separation(machine), range(20)))
        theirs += len(without_prefixes(in_aalpy(machine).compute_characterization_set()))
    assert own < theirs
