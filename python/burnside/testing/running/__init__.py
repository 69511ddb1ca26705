"""Running a suite against an implementation: a verdict for each test.

In: tests, an implementation. Out: a `RunReport`: how many passed, the failures with the first step that differs, and why the
run ended. `adapters`, `python_adapters` and `line_adapters` drive implementations, `junit` writes reports for CI systems,
`variants` runs the symmetric variants of a failure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Literal

from burnside.records import record
from burnside.testing.running.adapters import Adapter, Kind, Misbehaviour
from burnside.testing.running.python_adapters import Implementation, Start, adapter_of
from burnside.testing.suite_files import Test

Stopped = Literal["all run", "max-failures", "restarts", "interrupted"]
MAX_RESTARTS = 3
"""Tests in a row during which an implementation had to be given up; then it will not do better with the next one."""
MAX_KEPT = 100
"""Failures that are kept."""


@record
class Failure:
    """`test`: its number, from 1. `outputs`: so far. `step`: the first that differs, from 0; None where the reset failed.
    `got`: the wrong output; None where there was none. `what`: in words."""

    test: int
    inputs: tuple[str, ...]
    expected: tuple[str, ...]
    outputs: tuple[str, ...]
    step: int | None
    kind: Kind
    got: str | None
    what: str


@record
class TestResult:
    """`failure`: None where it passed."""

    number: int
    test: Test
    seconds: float
    failure: Failure | None


@record
class RunReport:
    passed: int
    failed: int
    steps: int
    seconds: float
    stopped: Stopped
    failures: tuple[Failure, ...]

    @property
    def first_failure(self) -> Failure | None:
        return self.failures[0] if self.failures else None


def run_suite(
    tests: Iterable[Test],
    implementation: Adapter | Implementation | Start,
    *,
    max_failures: int | None = None,
    on_result: Callable[[TestResult], object] | None = None,
    max_restarts: int = MAX_RESTARTS,
) -> RunReport:
    """`implementation`: an object with `reset()` and `step(input)`, a callable that starts one (a class, or a function that
    returns the function of its steps), or an adapter, which is closed at the end, however it comes."""
    adapter = adapter_of(implementation)
    passed = failed = steps = given_up = 0
    failures: list[Failure] = []
    begun = time.perf_counter()
    stopped: Stopped = "all run"
    try:
        for number, test in enumerate(tests, 1):
            started = time.perf_counter()
            failure, made = run_test(number, test, adapter)
            steps += made
            if on_result is not None:
                on_result(TestResult(number, test, time.perf_counter() - started, failure))
            if failure is None:
                passed, given_up = passed + 1, 0
                continue
            failed += 1
            given_up = 0 if failure.kind == "wrong output" else given_up + 1
            if len(failures) < MAX_KEPT:
                failures.append(failure)
            if max_failures is not None and failed >= max_failures:
                stopped = "max-failures"
                break
            if given_up > max_restarts:
                stopped = "restarts"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
    finally:
        with suppress(KeyboardInterrupt):
            adapter.close()
    return RunReport(passed, failed, steps, time.perf_counter() - begun, stopped, tuple(failures))


def run_test(number: int, test: Test, adapter: Adapter) -> tuple[Failure | None, int]:
    """The failure, if it is one, and how many inputs were answered."""
    outputs: list[str] = []
    step: int | None = None

    def failure(kind: Kind, got: str | None, what: str) -> Failure:
        return Failure(number, test.inputs, test.outputs, tuple(outputs), step, kind, got, what)

    try:
        adapter.reset()
        for step, given in enumerate(test.inputs):
            got = adapter.step(given)
            outputs.append(got)
            if got != test.outputs[step]:
                expected = test.outputs[step]
                return failure("wrong output", got, f"expected {expected!r}, got {got!r}"), len(outputs)
    except Misbehaviour as error:
        return failure(error.kind, None, error.what), len(outputs)
    return None, len(outputs)


def looks_like_reset_reply(failure: Failure) -> bool:
    """Was the answer to `reset` taken for the first output? The implementation then is one answer ahead."""
    return failure.test == 1 and failure.step == 0 and failure.kind == "wrong output"
