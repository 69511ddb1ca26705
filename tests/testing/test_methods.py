"""Complete suites are complete: no machine of the fault domain passes that is not equivalent, on exhaustive small scopes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from burnside.testing.reference.h_method import h_method
from burnside.testing.reference.mealy import Mealy, Word, after, equivalent, whole
from burnside.testing.reference.methods import hsi_method, minimised, random_walks, w_method, wp_method
from burnside.testing.reference.mutants import all_machines, coverage, first_failure
from burnside.testing.reference.passing import passing_machines, passing_sketches, survivors
from burnside.testing.reference.suites import tests as suite_tests

from tests.testing.random_mealy import OUTPUTS, any_mealy, minimal_mealy

Method = Callable[[Mealy, int], list[Word]]
METHODS: dict[str, Method] = {
    "W": lambda machine, extra: list(suite_tests(machine, w_method(machine, whole(machine), extra))),
    "W, shortest first": lambda machine, extra: list(
        suite_tests(machine, w_method(machine, whole(machine), extra, "shortest"))
    ),
    "Wp": lambda machine, extra: list(suite_tests(machine, wp_method(machine, extra))),
    "HSI": lambda machine, extra: list(suite_tests(machine, hsi_method(machine, extra))),
    "H": lambda machine, extra: list(h_method(machine, extra)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("states", "inputs", "extra"), [(1, 2, 1), (2, 2, 0), (2, 2, 1), (3, 1, 0)])
def test_all_mutants_are_killed(states: int, inputs: int, extra: int, method: str) -> None:
    """By running the suite against every machine there is."""
    machine = minimal_mealy(Random(states), states, inputs)
    found = coverage(machine, METHODS[method](machine, extra), all_machines(states + extra, inputs, OUTPUTS))
    assert found.survivors == ()
    assert found.equivalent > 0 and found.killed > found.equivalent


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("states", "inputs", "extra"),
    [(2, 3, 1), (2, 2, 2), (3, 2, 0), (3, 3, 0), (3, 2, 1), (4, 2, 0), (5, 2, 0)],
)
def test_no_faulty_machine_passes(states: int, inputs: int, extra: int, method: str) -> None:
    """By building all machines that pass."""
    for seed in range(3):
        machine = minimal_mealy(Random(seed), states, inputs)
        tests = METHODS[method](machine, extra)
        assert next(survivors(machine, tests, states + extra, OUTPUTS), None) is None


@pytest.mark.parametrize("method", METHODS)
def test_one_more_state_than_foreseen_may_survive(method: str) -> None:
    faulty = [
        next(survivors(machine, METHODS[method](machine, 0), 4, OUTPUTS), None)
        for machine in (minimal_mealy(Random(seed), 3, 2) for seed in range(5))
    ]
    assert any(each is not None for each in faulty)


def test_one_test_less_lets_faults_pass() -> None:
    """Of the H-method's suites, which are small, most tests are needed."""
    missed = 0
    for seed in range(40):
        machine = minimal_mealy(Random(seed), 4, 2)
        tests = METHODS["H"](machine, 0)
        dropped = tests[seed % len(tests)]
        survivor = next(survivors(machine, [each for each in tests if each != dropped], 4, OUTPUTS), None)
        if survivor is not None:
            assert first_failure(machine, tests, survivor) == dropped
            missed += 1
    assert missed > 30


def test_random_walks_promise_nothing() -> None:
    """As many tests of the same length as the W-method's longest."""
    missed = 0
    for seed in range(10):
        machine = minimal_mealy(Random(seed), 4, 2)
        tests = METHODS["W"](machine, 0)
        walks = list(random_walks(machine, len(tests), max(map(len, tests)), seed))
        assert len(walks) == len(tests)
        missed += next(survivors(machine, walks, 4, OUTPUTS), None) is not None
    assert missed > 0


def test_suites_of_minimal_machines_are_suites_of_the_others() -> None:
    checked = 0
    for seed in range(20):
        machine = any_mealy(Random(seed), 4, 2)
        small = minimised(machine)
        if len(small.rows) == 4:
            continue
        checked += 1
        for method in METHODS.values():
            assert next(survivors(machine, method(small, 1), len(small.rows) + 1, OUTPUTS), None) is None
    assert checked > 5


def test_methods_that_need_a_minimal_machine_say_so() -> None:
    machine = Mealy(0, 1, ((("x", 1),), (("x", 0),)))
    for method in (wp_method, hsi_method, h_method):
        with pytest.raises(ValueError, match="not minimal"):
            method(machine)


def test_smaller_and_smaller() -> None:
    """What the methods were made for."""
    inputs = dict.fromkeys(METHODS, 0)
    for seed in range(20):
        machine = minimal_mealy(Random(seed), 6, 2)
        for name, method in METHODS.items():
            inputs[name] += sum(map(len, method(machine, 1)))
    assert inputs["H"] < inputs["Wp"] < inputs["W"]
    assert inputs["H"] < inputs["HSI"] < inputs["W"] < inputs["W, shortest first"]


@pytest.mark.parametrize("seed", range(6))
def test_the_search_finds_the_machines_that_pass(seed: int) -> None:
    """Against a list of all machines, with suites that leave much open."""
    random = Random(seed)
    machine = minimal_mealy(random, 2, 2)
    tests = [tuple(random.randrange(2) for _ in range(4)) for _ in range(2)]
    passing = [
        each.machine
        for each in all_machines(3, 2, OUTPUTS)
        if first_failure(machine, tests, each.machine) is None
    ]
    found = list(passing_machines(machine, tests, 3, OUTPUTS))
    assert len(found) == len(passing) > 0
    assert {_numbered_breadth_first(each) for each in found} == set(passing)
    faulty = {_numbered_breadth_first(each) for each in survivors(machine, tests, 3, OUTPUTS)}
    assert 0 < len(faulty) <= sum(1 for _ in passing_sketches(machine, tests, 3))
    assert faulty <= {each for each in passing if not equivalent(machine, each)}


def _numbered_breadth_first(machine: Mealy) -> Mealy:
    number = {state: at for at, state in enumerate(whole(machine))}
    rows = tuple(
        tuple((output, number[target]) for output, target in machine.rows[state]) for state in number
    )
    return Mealy(0, machine.inputs, rows)


def test_random_walks_are_fixed_by_the_seed() -> None:
    machine = minimal_mealy(Random(0), 3, 3)
    assert list(random_walks(machine, 2, 8, 1)) == list(random_walks(machine, 2, 8, 1))
    assert list(random_walks(machine, 2, 8, 1)) != list(random_walks(machine, 2, 8, 2))
    assert {given for word in random_walks(machine, 50, 8, 1) for given in word} == {0, 1, 2}
    assert after(machine, 0, next(random_walks(machine, 1, 8, 1))) in range(3)
