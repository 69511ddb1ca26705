"""The symmetric variants of a failing test: does the implementation fail on all of them?

In: the specification, its pattern, a failing test of it, an adapter. Out: a `VariantsReport`. If some variants pass and
others fail, the implementation is not closed under the symmetry, which suites of kernels assume.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from burnside.records import record
from burnside.testing.machine import Action, StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.running import Failure, run_test
from burnside.testing.running.adapters import Adapter
from burnside.testing.suite_files import Test
from burnside.testing.traces import variants


@record
class VariantsReport:
    """`failing`, `passing`: inputs of variants, up to the step that differs in the failing test."""

    failing: tuple[tuple[str, ...], ...]
    passing: tuple[tuple[str, ...], ...]

    @property
    def is_symmetric(self) -> bool:
        return not self.passing


def run_variants(
    machine: StateMachine, pattern: Pattern, failure: Failure, adapter: Adapter, most: int
) -> VariantsReport:
    """Of the failing test up to the step that differs, at most so many, itself included; after an interrupt, those that were
    run. The adapter is closed at the end."""
    length = len(failure.inputs) if failure.step is None else failure.step + 1
    pairs = zip(failure.inputs[:length], failure.expected[:length], strict=True)
    trace = tuple(Action(given, output) for given, output in pairs)
    failing: list[tuple[str, ...]] = []
    passing: list[tuple[str, ...]] = []
    try:
        for variant in islice(variants(machine, pattern, trace), most):
            test = Test(tuple(each.input for each in variant), tuple(each.output or "" for each in variant))
            found, _ = run_test(1, test, adapter)
            (passing if found is None else failing).append(test.inputs)
    except KeyboardInterrupt:
        pass
    finally:
        with suppress(KeyboardInterrupt):
            adapter.close()
    return VariantsReport(tuple(failing), tuple(passing))
