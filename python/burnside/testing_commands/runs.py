"""`burnside run-tests`."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from burnside.diagnostics import Diagnostic, UsageError
from burnside.exit_codes import DONE, UNKNOWN, VIOLATED
from burnside.streams import check_writable
from burnside.testing.machine import StateMachine
from burnside.testing.patterns import Pattern
from burnside.testing.running.adapters import Adapter
from burnside.testing_commands.answers import answer
from burnside.testing_commands.machines import read_specification
from burnside.testing_commands.symmetries import pattern_of

DEFAULT_VARIANTS = 20


def run_tests(arguments: Namespace) -> int:
    from contextlib import nullcontext

    from burnside.report.test_runs import run_lines, run_record
    from burnside.testing.own_tests import own_tests
    from burnside.testing.running import run_suite
    from burnside.testing.running.junit import writing_junit
    from burnside.testing.suite_files import read_suite

    if arguments.junit is not None:
        check_writable(arguments.junit, "--junit", ("xml",))
    if arguments.max_failures == 0:
        raise UsageError(Diagnostic("expected a positive number, not 0", source="--max-failures"))
    spec, pattern = _variants_of(arguments)
    adapter = _adapter(arguments)
    junit = nullcontext() if arguments.junit is None else writing_junit(arguments.junit, arguments.suite)
    with read_suite(Path(arguments.suite)) as suite, junit as on_result:
        tests = suite.tests if spec is None else (test for test, _ in own_tests(spec, suite.tests))
        report = run_suite(tests, adapter, max_failures=arguments.max_failures, on_result=on_result)
    variants = None
    is_asked = report.first_failure is not None and report.stopped != "interrupted"
    if spec is not None and pattern is not None and is_asked:
        from burnside.testing.running.variants import run_variants

        most = DEFAULT_VARIANTS if arguments.variants is None else arguments.variants
        assert report.first_failure is not None
        variants = run_variants(spec, pattern, report.first_failure, adapter, most)
    answer(arguments, run_record(report, variants), run_lines(arguments.suite, report, variants))
    if report.failed:
        return VIOLATED
    return DONE if report.stopped == "all run" else UNKNOWN


def _variants_of(arguments: Namespace) -> tuple[StateMachine | None, Pattern | None]:
    """The specification and the pattern, where variants of a failure are asked for."""
    needs = {
        "--spec": ("--pattern", arguments.spec is not None and arguments.pattern is None),
        "--pattern": ("--spec", arguments.pattern is not None and arguments.spec is None),
        "--variants": ("--spec and --pattern", arguments.variants is not None and arguments.spec is None),
        "--split": ("--spec", arguments.split is not None and arguments.spec is None),
    }
    for option, (needed, is_unused) in needs.items():
        if is_unused:
            raise UsageError(Diagnostic(f"has no effect here: it needs {needed}", source=option))
    if arguments.spec is None:
        return None, None
    from burnside.testing.suites import specification

    spec = specification(read_specification(arguments.spec, arguments.split))
    return spec, pattern_of(arguments, spec)[0]


def _adapter(arguments: Namespace) -> Adapter:
    from burnside.testing.running.line_adapters import ConnectionAdapter, ProcessAdapter

    timeout, reset_reply = arguments.timeout, arguments.reset_reply
    if arguments.adapter is not None:
        return ProcessAdapter(arguments.adapter, timeout=timeout, reset_reply=reset_reply)
    return ConnectionAdapter(arguments.connect, timeout=timeout, reset_reply=reset_reply)
