"""Faulty machines: how many there are, that each appears once, and that random ones have the faults they say."""

from __future__ import annotations

from random import Random

import pytest
from burnside.diagnostics import RefusedError, UsageError
from burnside.testing.reference.mealy import Mealy, equivalent, whole
from burnside.testing.reference.methods import w_method
from burnside.testing.reference.mutants import (
    FAULT_KINDS,
    Coverage,
    all_machines,
    coverage,
    number_of_machines,
    outputs_of,
    random_mutants,
)
from burnside.testing.reference.random_source import RandomSource
from burnside.testing.reference.suites import tests as suite_tests

from tests.testing.random_mealy import minimal_mealy


def test_the_random_source_is_splitmix64() -> None:
    """Numbers of the reference implementation for seed 1234567."""
    source = RandomSource(1234567)
    assert [source.draw() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_even_draws() -> None:
    source = RandomSource(7)
    drawn = [source.below(5) for _ in range(5000)]
    assert all(900 < drawn.count(each) < 1100 for each in range(5))


def test_numbers_of_initially_connected_automata() -> None:
    """Almeida, Moreira and Reis (2007), table 1, without final states."""
    assert [number_of_machines(states, 2, 1) for states in range(1, 6)] == [1, 12, 216, 5248, 160675]
    assert [number_of_machines(states, 3, 1) for states in range(1, 5)] == [1, 56, 7965, 2128064]
    assert number_of_machines(2, 2, 3) == 12 * 3**4


@pytest.mark.parametrize(
    ("states", "inputs", "outputs"), [(3, 1, "xyz"), (2, 2, "xy"), (3, 2, "x"), (2, 3, "x")]
)
def test_each_machine_appears_once(states: int, inputs: int, outputs: str) -> None:
    found = [each.machine for each in all_machines(states, inputs, outputs)]
    assert len(set(found)) == len(found)
    assert len(found) == sum(
        number_of_machines(count, inputs, len(outputs)) for count in range(1, states + 1)
    )
    for machine in found:
        assert list(whole(machine)) == list(range(len(machine.rows)))


def test_too_many_machines_are_refused() -> None:
    with pytest.raises(
        RefusedError, match="more than 1,000,000 machines with at most 4 states, 2 inputs and 2"
    ):
        next(all_machines(4, 2, "xy", limit=1_000_000))
    with pytest.raises(RefusedError, match="more than 10,000,000 machines"):
        next(all_machines(1000, 20, "xyz"))  # as many as no integer that is printed


def differences(machine: Mealy, mutant: Mealy) -> int:
    return sum(
        one != other
        for row, row_ in zip(machine.rows, mutant.rows, strict=False)
        for one, other in zip(row, row_, strict=True)
    )


def test_random_mutants_have_the_faults_they_say() -> None:
    machine = minimal_mealy(Random(3), 4, 3)
    found = list(random_mutants(machine, 200, 1, 11))
    assert found == list(random_mutants(machine, 200, 1, 11)) != list(random_mutants(machine, 200, 1, 12))
    kinds = set()
    for mutant in found:
        assert mutant.faults is not None
        first = mutant.faults[0]
        kinds.add(first.kind)
        assert differences(machine, mutant.machine) == 1
        assert mutant.machine.rows[first.state][first.input] == (first.output, first.target)
        grown = first.kind == "extra state"
        assert len(mutant.machine.rows) == 4 + grown
        assert len(mutant.faults) == 1 + grown
        if grown:
            original = machine.rows[machine.rows[first.state][first.input][1]]
            assert first.target == mutant.faults[1].state == 4
            assert sum(one != other for one, other in zip(mutant.machine.rows[4], original, strict=True)) == 1
    assert kinds == set(FAULT_KINDS)


def test_mutants_with_several_faults() -> None:
    machine = minimal_mealy(Random(3), 4, 3)
    for mutant in random_mutants(machine, 50, 3, 5):
        assert mutant.faults is not None and 3 <= len(mutant.faults) <= 6
        assert len(mutant.machine.rows) == 4 + sum(fault.kind == "extra state" for fault in mutant.faults)


def test_impossible_faults_are_not_drawn() -> None:
    single = Mealy(0, 1, ((("x", 0),),))
    for mutant in random_mutants(single, 20, 1, 1):
        assert mutant.faults is not None
        assert [fault.kind for fault in mutant.faults] == ["extra state", "transfer"]
        assert equivalent(single, mutant.machine)
    with pytest.raises(UsageError, match="without inputs"):
        next(random_mutants(Mealy(0, 0, ((),)), 1, 1, 1))


def test_coverage() -> None:
    """Without tests nothing is found; a suite for one extra state finds every fault that adds at most one."""
    harmless = 0
    for seed in range(5):
        machine = minimal_mealy(Random(seed), 2, 2)
        mutants = list(random_mutants(machine, 100, 1, seed))
        blind = coverage(machine, [], mutants)
        assert blind.killed == 0 and len(blind.survivors) + blind.equivalent == 100
        tests = list(suite_tests(machine, w_method(machine, whole(machine), 1)))
        assert coverage(machine, tests, mutants) == Coverage(100 - blind.equivalent, blind.equivalent, ())
        harmless += blind.equivalent
    assert 0 < harmless < 100


def test_outputs_are_in_the_order_of_the_table() -> None:
    assert outputs_of(Mealy(0, 2, ((("b", 1), ("a", 0)), (("b", 0), ("c", 1))))) == ("b", "a", "c")
