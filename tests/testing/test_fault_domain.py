"""Theorem 5.8 of Romijn and Springintveld (1999): suites of kernels find every fault of their domain, and not all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from random import Random

import pytest
from burnside.testing.automorphisms import automorphism_pattern, find_automorphisms
from burnside.testing.fault_coverage import SymmetricDomain
from burnside.testing.kernel import kernel as core_kernel
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.reference.fault_domain import classes_met, image, is_closed, self_containment
from burnside.testing.reference.kernel import kernel
from burnside.testing.reference.mealy import (
    Mealy,
    Part,
    Word,
    after,
    equivalent,
    mealy,
    outcome,
    part_of,
    whole,
)
from burnside.testing.reference.methods import w_method
from burnside.testing.reference.mutants import all_machines, first_failure
from burnside.testing.reference.passing import passing_machines
from burnside.testing.reference.separation import Separation
from burnside.testing.reference.suites import tests as suite_tests
from burnside.testing.reference.symmetry_check import check_symmetry
from burnside.testing.suites import Method, derive, specification
from burnside.testing.symmetry_check import checked_symmetry

from tests.testing import swapped
from tests.testing.random_mealy import any_mealy

INPUTS = ("a0", "a1")
OUTPUTS = swapped.OUTPUTS


class Kernel:
    """A specification with a pattern and a kernel. `classes`: those of the specification that the kernel meets, n."""

    def __init__(self, machine: StateMachine, pattern: Pattern) -> None:
        self.machine, self.pattern, self.table = machine, pattern, mealy(machine)
        self.part = part_of(machine, kernel(machine, pattern, swapped.order).edges)
        self.classes = len(Separation(self.table).representatives(self.part))

    def suite(self, extra: int) -> list[Word]:
        return list(suite_tests(self.table, w_method(self.table, self.part, extra)))

    def mutant_is(self, mutant: Mealy, m1: int, *, strict: bool) -> tuple[bool, bool]:
        """Closed, and within the bound on its classes?"""
        of_kernel = image(mutant, self.table, self.part)
        closed = is_closed(mutant, self.machine, self.pattern, strict=strict)
        return closed, classes_met(mutant, of_kernel) <= m1


def mirrored(seed: int) -> Kernel:
    return Kernel(swapped.mirrored(Random(seed), 1, 1, INPUTS), swapped.mirror_pattern(INPUTS))


def itself(seed: int) -> Kernel:
    machine = swapped.mirrored(Random(seed), 1, 1, INPUTS)
    return Kernel(machine, swapped.automorphism_pattern(machine))


def two_components(seed: int) -> Kernel:
    return Kernel(*swapped.two_components(Random(seed), 2, 1))


CASES = [
    *((mirrored, seed, strict) for seed in (1, 2, 3) for strict in (True, False)),
    *((itself, seed, False) for seed in (1, 2, 3)),
    *((two_components, seed, strict) for seed in (0, 6) for strict in (True, False)),
]


@pytest.mark.parametrize(("make", "seed", "strict"), CASES)
@pytest.mark.parametrize("extra", [0, 1])
def test_every_fault_of_the_domain_is_found(
    make: Callable[[int], Kernel], seed: int, strict: bool, extra: int
) -> None:
    """m1 = n + extra and m2 = 0, for all machines with at most one state more than the kernel; m2 is not needed."""
    spec = make(seed)
    assert check_symmetry(spec.machine, spec.pattern, strict=strict).counterexample is None
    passing = Counter(
        spec.mutant_is(mutant, spec.classes + extra, strict=strict)
        for mutant in passing_machines(spec.table, spec.suite(extra), len(spec.part) + 1, OUTPUTS)
        if not equivalent(spec.table, mutant)
    )
    assert passing[True, True] == 0
    # Faults that break the symmetry are not found: the kernel's suite does not look for them.
    assert passing[False, True] > 0


@pytest.mark.parametrize("strict", [True, False])
def test_the_domain_has_faults(strict: bool) -> None:
    """By running the suite against every machine with at most three states."""
    spec = mirrored(2)
    tests = spec.suite(0)
    killed = 0
    for mutant in all_machines(3, 2, OUTPUTS):
        if first_failure(spec.table, tests, mutant.machine) is None:
            if not equivalent(spec.table, mutant.machine):
                assert spec.mutant_is(mutant.machine, spec.classes, strict=strict) != (True, True)
        elif len(mutant.machine.rows) < 3 or killed < 50:
            killed += spec.mutant_is(mutant.machine, spec.classes, strict=strict) == (True, True)
    assert killed > 10


def test_a_bound_that_is_too_small_lets_faults_pass() -> None:
    """Mutants that respect the symmetry and have one class more in the image than foreseen."""
    spec = mirrored(2)
    passing = Counter(
        spec.mutant_is(mutant, spec.classes, strict=True)
        for mutant in passing_machines(spec.table, spec.suite(0), 3, OUTPUTS)
        if not equivalent(spec.table, mutant)
    )
    assert passing[True, False] > 0


def test_symmetric_step_by_step_is_more_than_renamed() -> None:
    """The machine echoes a bit, inverts the next one, and so on. The mutant treats both bits alike, so it respects the
    renaming of 0 and 1; its fault shows where a bit differs from the one before, and passes. It is not closed: 0; 0 and
    0; 1 are symmetric, but no renaming maps one to the other."""

    def echo(state: str, given: str) -> tuple[str, str]:
        return (given, "invert") if state == "echo" else (str(1 - int(given)), "echo")

    def after_a_change(state: tuple[str, str], given: str) -> tuple[str, tuple[str, str]]:
        does, last = state
        output, after = echo(does, given)
        return output, (
            does if does == "invert" and given != last else after,
            given if does == "echo" else last,
        )

    spec = specification(StateMachine.explore("echo", ("0", "1"), echo, name="echo"))
    pattern = automorphism_pattern(spec, find_automorphisms(spec).generators)
    checked = checked_symmetry(spec, pattern)
    part = core_kernel(spec, pattern)
    suite = derive(spec, Method(), part, checked)
    assert suite.complete and [test.inputs for test in suite.tests()] == [("0", "0", "0")]
    assert any("step by step" in each for each in suite.assumptions)
    mutant = mealy(
        specification(StateMachine.explore(("echo", "0"), ("0", "1"), after_a_change, name="mutant"))
    )
    for word in product((0, 1), repeat=6):
        renamed = tuple(1 - given for given in word)
        mirrored_outputs = tuple(str(1 - int(each)) for each in outcome(mutant, mutant.initial, word))
        assert outcome(mutant, mutant.initial, renamed) == mirrored_outputs
    domain = SymmetricDomain(part, pattern, suite.classes, 0)
    assert first_failure(mealy(spec), [(0, 0, 0)], mutant) is None and not equivalent(mealy(spec), mutant)
    assert classes_met(mutant, image(mutant, mealy(spec), part_of(spec, part.edges))) == suite.classes
    assert not domain.contains(mutant)


def test_the_domain_of_a_found_pattern_has_faults() -> None:
    """Of all machines, only the traces of the specification are related; otherwise nothing faulty would be closed."""
    machine = swapped.mirrored(Random(3), 1, 1, INPUTS)
    spec = specification(machine)
    pattern = automorphism_pattern(spec, find_automorphisms(spec).generators)
    part = core_kernel(spec, pattern)
    suite = derive(spec, Method(), part, checked_symmetry(spec, pattern))
    assert suite.complete and len(part.edges) < len(spec.edges)
    domain = SymmetricDomain(part, pattern, suite.classes, 0)
    table = mealy(spec)
    inside = [
        each.machine
        for each in all_machines(2, 2, OUTPUTS)
        if not equivalent(table, each.machine) and domain.contains(each.machine)
    ]
    words = [tuple(spec.inputs.index(given) for given in test.inputs) for test in suite.tests()]
    assert len(inside) > 3
    assert all(first_failure(table, words, each) is not None for each in inside)


# The decision procedures against their definitions.


def traces(machine: Mealy, length: int) -> set[tuple[tuple[int, str], ...]]:
    return {
        tuple(zip(word, outcome(machine, machine.initial, word), strict=True))  # type: ignore[misc]
        for word in product(range(machine.inputs), repeat=length)
    }


def classes_of_variants(
    spec: Kernel, length: int, *, strict: bool
) -> Iterator[set[tuple[tuple[int, str], ...]]]:
    """Of all words over inputs and outputs, or of the traces of the specification alone."""
    found: dict[object, set[tuple[tuple[int, str], ...]]] = {}
    letters = list(product(range(len(INPUTS)), OUTPUTS))
    for word in product(letters, repeat=length) if strict else traces(spec.table, length):
        colours, vector = [], spec.pattern.initial
        for given, output in word:
            colour, vector = spec.pattern.step(vector, Action(spec.machine.inputs[given], output))
            colours.append(colour)
        found.setdefault("uncovered" if () in colours else tuple(colours), set()).add(word)
    yield from found.values()


@pytest.mark.parametrize(
    ("make", "seed", "strict"),
    [
        (mirrored, 2, True),
        (mirrored, 2, False),
        (itself, 3, False),
        (two_components, 6, True),
        (two_components, 0, False),
    ],
)
def test_closure(make: Callable[[int], Kernel], seed: int, strict: bool) -> None:
    """A machine is closed if it has all words of a class of variants, or none."""
    spec = make(seed)
    classes = {length: list(classes_of_variants(spec, length, strict=strict)) for length in range(1, 5)}
    seen = Counter[bool]()
    mutants = [spec.table, *(any_mealy(Random(seed), 1 + seed % 3, 2) for seed in range(150))]
    mutants += [each.machine for each in all_machines(2, 2, OUTPUTS)]
    for mutant in mutants:
        literal = all(
            not (variants & own) or variants <= own
            for length, every in classes.items()
            for own in [traces(mutant, length)]
            for variants in every
        )
        assert is_closed(mutant, spec.machine, spec.pattern, strict=strict) == literal
        seen[literal] += 1
    assert seen[True] > 0 and seen[False] > 0


def kernel_words(spec: Kernel, longest: int) -> Iterator[Word]:
    level = [((), spec.table.initial)]
    for _ in range(longest + 1):
        yield from (word for word, _ in level)
        level = [
            ((*word, given), spec.table.rows[state][given][1])
            for word, state in level
            for given in spec.part[state]
        ]


@pytest.mark.parametrize("seed", range(10))
def test_images(seed: int) -> None:
    spec = two_components(6) if seed % 2 else mirrored(seed)
    mutant = any_mealy(Random(seed), 4, 2)
    found = image(mutant, spec.table, spec.part)
    assert set(found) == {after(mutant, 0, word) for word in kernel_words(spec, 9)}
    for state, inputs in found.items():
        assert inputs == tuple(given for given in (0, 1) if mutant.rows[state][given][1] in found)
    assert classes_met(mutant, found) == len({Separation(mutant).classes[state] for state in found})


def executable(machine: Mealy, part: Part, state: int, word: Word) -> bool:
    for given in word:
        if given not in part[state]:
            return False
        state = machine.rows[state][given][1]
    return True


def is_self_contained(machine: Mealy, part: Part, n: int) -> bool:
    """Definition 5.5, word by word."""
    most = classes_met(machine, part)
    inside = [word for length in range(most + 1) for word in product((0, 1), repeat=length)]
    beyond = [word for length in range(n + 1) for word in product((0, 1), repeat=length)]
    classes = Separation(machine).classes
    return all(
        any(
            executable(machine, part, one, first)
            and executable(machine, part, other, first)
            and any(
                outcome(machine, one, (*first, *last)) != outcome(machine, other, (*first, *last))
                for last in beyond
            )
            for first in inside
        )
        for one in part
        for other in part
        if classes[one] != classes[other]
    )


def test_self_containment() -> None:
    seen = Counter[int]()
    for seed in range(150):
        random = Random(seed)
        machine = any_mealy(random, 4, 2)
        states = sorted({0, *random.sample(range(4), 2)})
        part = {
            state: tuple(given for given in (0, 1) if machine.rows[state][given][1] in states)
            for state in states
        }
        least = self_containment(machine, part)
        assert is_self_contained(machine, part, least)
        assert least == 0 or not is_self_contained(machine, part, least - 1)
        seen[least] += 1
    assert {0, 1, 2} <= set(seen)


def test_a_whole_machine_contains_itself() -> None:
    for seed in range(20):
        machine = any_mealy(Random(seed), 5, 2)
        assert self_containment(machine, whole(machine)) == 0
