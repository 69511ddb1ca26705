"""Does a suite find all faults? Mutants of the specification are made, and the suite must tell every one from it.

In: a suite, mutants (`reference.mutants`: all machines of a size, or random faults), and for kernels the fault domain of
Theorem 5.8. Out: a `FaultCoverage`: how many were detected, which survived. A mutant with the behaviour of the
specification is no fault; one outside of the fault domain is not counted against the suite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from burnside import _core
from burnside.records import record
from burnside.testing.compiled import compiled
from burnside.testing.kernel import Kernel
from burnside.testing.machine import StateMachine
from burnside.testing.own_tests import own_tests
from burnside.testing.patterns import Pattern
from burnside.testing.reference.fault_domain import classes_met, image, is_closed, self_containment
from burnside.testing.reference.mealy import Mealy, equivalent, mealy, part_of
from burnside.testing.reference.mutants import Mutant
from burnside.testing.suite_files import Test

MAX_SURVIVORS = 20
"""That are kept to be shown."""


@record
class SymmetricDomain:
    """Machines that Theorem 5.8 speaks of, and more: they are closed under the symmetry of traces of the specification,
    which is enough (docs/testing.md). That of all words, which the report asks for, would leave no faulty machine where
    the pattern covers nothing but these traces, as found patterns do."""

    kernel: Kernel
    pattern: Pattern
    m1: int
    m2: int

    def contains(self, mutant: Mealy) -> bool:
        """The dearest question comes last."""
        machine = self.kernel.machine
        part = image(mutant, mealy(machine), part_of(machine, self.kernel.edges))
        return (
            classes_met(mutant, part) <= self.m1
            and self_containment(mutant, part) <= self.m2
            and is_closed(mutant, machine, self.pattern, strict=False)
        )


@record
class FaultCoverage:
    """`outside`: mutants that pass and are outside of the fault domain. `survivors`: the first of those that pass,
    differ and are inside."""

    mutants: int
    detected: int
    equivalent: int
    outside: int
    survived: int
    survivors: tuple[Mutant, ...]


def fault_coverage(
    machine: StateMachine,
    suite: _core.Suite,
    mutants: Iterable[Mutant],
    domain: SymmetricDomain | None = None,
    progress: Callable[[int], object] | None = None,
) -> FaultCoverage:
    table = mealy(machine)
    outputs = {output: at for at, output in enumerate(compiled(machine).outputs)}
    count = detected = same = outside = survived = 0
    survivors: list[Mutant] = []
    for mutant in mutants:
        count += 1
        if progress is not None and count % 100 == 0:
            progress(count)
        rows = [(outputs[output], target) for row in mutant.machine.rows for output, target in row]
        if suite.detects(mutant.machine.initial, rows) is not None:
            detected += 1
        elif equivalent(table, mutant.machine):
            same += 1
        elif domain is not None and not domain.contains(mutant.machine):
            outside += 1
        else:
            survived += 1
            if len(survivors) < MAX_SURVIVORS:
                survivors.append(mutant)
    return FaultCoverage(count, detected, same, outside, survived, tuple(survivors))


def suite_of_tests(machine: StateMachine, tests: Iterable[Test]) -> _core.Suite:
    """Tests that were read from a file, as words of the core. They must be tests of this machine."""
    words = [word for _, word in own_tests(machine, tests)]
    return _core.Specification(compiled(machine).core).of_words(words)
